"""a neural ODE learns a spiral by the adjoint method: 15 steps; dopri5, rk4, dopri8; an event"""

import torch
from torchdiffeq import odeint, odeint_adjoint, odeint_event

PACKAGE = "torchdiffeq"


class Field(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(2, 24), torch.nn.Tanh(), torch.nn.Linear(24, 2))

    def forward(self, t, y):
        return self.net(y ** 3)


def task():
    true = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])
    t, y0 = torch.linspace(0, 4, 30), torch.tensor([[2.0, 0.0]])
    with torch.no_grad():
        goal = odeint(lambda t, y: (y ** 3) @ true, y0, t, method="dopri5")
    field, numbers = Field(), []
    optimizer = torch.optim.RMSprop(field.parameters(), lr=1e-3)
    for _ in range(15):
        optimizer.zero_grad()
        loss = (odeint_adjoint(field, y0, t) - goal).abs().mean()
        loss.backward()
        optimizer.step()
        numbers.append(loss.item())
    for method in ("rk4", "dopri8", "bosh3", "implicit_adams"):
        numbers.append(odeint(lambda t, y: (y ** 3) @ true, y0, t, method=method).sum().item())
    at, _ = odeint_event(lambda t, y: torch.stack([y[1], torch.full_like(y[1], -9.8)]), torch.tensor([10.0, 0.0]), torch.tensor(0.0),
                         event_fn=lambda t, y: y[0])
    return [*numbers, at.item()]
