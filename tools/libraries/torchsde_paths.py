"""Ito and Stratonovich equations by four methods, and the gradient of a path by the adjoint"""

import torch
import torchsde

PACKAGE = "torchsde"


class SDE(torch.nn.Module):
    noise_type = "diagonal"

    def __init__(self, kind):
        super().__init__()
        self.sde_type = kind
        self.mu, self.sigma = torch.nn.Linear(3, 3), torch.nn.Parameter(torch.full((3,), 0.3))

    def f(self, t, y):
        return self.mu(y)

    def g(self, t, y):
        return self.sigma * torch.ones_like(y)


def task():
    numbers, t = [], torch.linspace(0, 1, 6)
    for kind, method in (("ito", "euler"), ("ito", "milstein"), ("ito", "srk"), ("stratonovich", "midpoint")):
        torch.manual_seed(0)
        sde = SDE(kind)
        brownian = torchsde.BrownianInterval(t0=0.0, t1=1.0, size=(4, 3), entropy=1, levy_area_approximation="space-time")
        ys = torchsde.sdeint_adjoint(sde, torch.ones(4, 3), t, bm=brownian, method=method, dt=0.05)
        ys[-1].square().mean().backward()
        numbers += [ys.sum().item(), *(p.grad.sum().item() for p in sde.parameters())]
    return numbers
