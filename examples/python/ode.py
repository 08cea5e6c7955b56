"""Finds the length and the friction of a pendulum from noisy measurements, by gradients through a Runge-Kutta solver. Draws ode.png."""

import math

import matplotlib
import taut as torch

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402


def solve(f, y, t):
    """The states at times t, by the classic method of fourth order."""
    states = [y]
    for h in t.diff():
        a = f(y)
        b = f(y + h / 2 * a)
        c = f(y + h / 2 * b)
        y = y + h / 6 * (a + 2 * b + 2 * c + f(y + h * c))
        states.append(y)
    return torch.stack(states)


def pendulum(length, friction):
    """The derivative of (angle, speed)."""
    return lambda y: torch.stack([y[1], -9.81 / length * y[0].sin() - friction * y[1]])


torch.manual_seed(0)
t, start = torch.linspace(0, 6, 121), torch.tensor([1.2, 0.0])
measured = solve(pendulum(1.5, 0.3), start, t)[:, 0] + 0.05 * torch.randn(121)

guess = torch.tensor([math.log(1.0), math.log(0.1)], requires_grad=True)  # logarithms, so that both stay positive
optimizer, guesses = torch.optim.Adam([guess], 0.05), []
for step in range(121):
    length, friction = guess.exp()
    loss = (solve(pendulum(length, friction), start, t)[:, 0] - measured).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 30 == 0:
        print(f"step {step:3}  loss {loss.item():.5f}  length {length.item():.4f}  friction {friction.item():.4f}")
        with torch.no_grad():
            guesses.append((step, solve(pendulum(length, friction), start, t)[:, 0]))

plt.figure(figsize=(8, 4))
plt.plot(t, measured, ".", color="gray", label="measured")
for i, (step, angles) in enumerate(guesses):
    plt.plot(t, angles, color=plt.cm.viridis(i / len(guesses)), label=f"step {step}")
plt.xlabel("seconds")
plt.ylabel("angle")
plt.legend()
plt.tight_layout()
plt.savefig("ode.png")
