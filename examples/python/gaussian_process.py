"""Exact regression with a Gaussian process: scales and noise by the marginal likelihood, then means and bands. Draws gaussian_process.png."""

import math

import matplotlib
import taut as torch

matplotlib.use("Agg")
from matplotlib import pyplot as plt  # noqa: E402

torch.manual_seed(0)
x = torch.rand(40, dtype=torch.float64).mul(6).sort().values
x = x[(x < 2.5) | (x > 3.7)]  # nobody looked there
y = x.sin() + 0.3 * (3 * x).cos() + 0.1 * torch.randn(len(x), dtype=torch.float64)
scale, size, noise = options = [torch.zeros((), dtype=torch.float64, requires_grad=True) for _ in range(3)]  # logarithms


def kernel(a, b):
    """How alike the values at a and b are."""
    return (2 * size).exp() * (-0.5 * ((a[:, None] - b) / scale.exp()) ** 2).exp()


def factor():
    """The Cholesky factor of the covariance of what was measured."""
    return torch.linalg.cholesky(kernel(x, x) + (2 * noise).exp() * torch.eye(len(x), dtype=torch.float64))


optimizer = torch.optim.Adam(options, 0.05)
for step in range(201):
    root = factor()
    fit = torch.cholesky_solve(y[:, None], root)[:, 0]
    loss = 0.5 * y @ fit + root.diagonal().log().sum() + 0.5 * len(x) * math.log(2 * math.pi)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 50 == 0:
        print(f"step {step:3}  loss {loss.item():8.4f}  length {scale.exp().item():.3f}  size {size.exp().item():.3f}  noise {noise.exp().item():.3f}")

with torch.no_grad():
    at, root = torch.linspace(-0.5, 6.5, 200, dtype=torch.float64), factor()
    across = kernel(at, x)
    mean = across @ torch.cholesky_solve(y[:, None], root)[:, 0]
    covariance = kernel(at, at) - across @ torch.cholesky_solve(across.T, root)
    band = 2 * covariance.diagonal().clamp(min=0).sqrt()
    draws = torch.distributions.MultivariateNormal(mean, covariance + 1e-6 * torch.eye(200, dtype=torch.float64)).sample((3,))

plt.figure(figsize=(8, 4))
plt.fill_between(at.numpy(), (mean - band).numpy(), (mean + band).numpy(), alpha=0.2, label="two deviations")
plt.plot(at, draws.T.numpy(), linewidth=0.7, color="C0", alpha=0.6)
plt.plot(at, mean, color="C0", label="mean")
plt.plot(x, y, "k.", label="measured")
plt.plot(at, at.sin() + 0.3 * (3 * at).cos(), "--", color="C1", label="truth")
plt.legend()
plt.tight_layout()
plt.savefig("gaussian_process.png")
