"""MAML on sine waves: gradients through three inner steps, 8 outer steps"""

import higher
import torch

PACKAGE = "higher"


def task():
    model = torch.nn.Sequential(torch.nn.Linear(1, 32), torch.nn.Tanh(), torch.nn.Linear(32, 1))
    outer, inner, numbers = torch.optim.Adam(model.parameters(), 1e-3), torch.optim.SGD(model.parameters(), 1e-2, momentum=0.9), []
    for _ in range(8):
        outer.zero_grad()
        for phase in torch.rand(3):
            x = torch.rand(10, 1) * 10 - 5
            y = torch.sin(x + phase)
            with higher.innerloop_ctx(model, inner, copy_initial_weights=False) as (fast, step):
                for _ in range(3):
                    step.step(torch.nn.functional.mse_loss(fast(x), y))
                loss = torch.nn.functional.mse_loss(fast(x), y)
                loss.backward()
                numbers.append(loss.item())
        outer.step()
    return numbers
