"""Second-order optimisers, implicit derivatives and differential equations, against SciPy (tools/golden_scipy.py)."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
import taut as torch
from taut.func import fixed_point, odeint, root

DOUBLE = torch.float64
ROOT = Path(__file__).parents[2]
GOLDEN = {}
for line in (ROOT / "tests/golden/scipy.txt").read_text().splitlines():
    name, _, numbers = line.partition(":")
    GOLDEN[name] = torch.tensor([float(n) for n in numbers.split()], dtype=DOUBLE)


def doubles(*values, **options):
    return torch.tensor(values, dtype=DOUBLE, **options)


def close(found, name, rtol=1e-7, atol=1e-8):
    torch.testing.assert_close(found.detach().reshape(-1), GOLDEN[name], rtol=rtol, atol=atol)


def curve(p, x):
    return p[0] * torch.exp(-p[1] * x) * torch.sin(p[2] * x + p[3]) + p[4] * x + p[5]


X = torch.linspace(0, 4, 200, dtype=DOUBLE)
Y = curve(doubles(2, 0.7, 3, 0.3, 0.5, -0.2), X) + 0.05 * torch.cos(37 * X)


def test_levenberg_marquardt_finds_the_fit():
    p = doubles(1, 0.3, 2.5, 0, 0, 0, requires_grad=True)
    optimizer = torch.optim.LevenbergMarquardt(lambda: curve(p, X) - Y, [p])
    losses = [optimizer.step().item() for _ in range(12)]
    assert all(a >= b for a, b in zip(losses, losses[1:]))
    close(torch.cat([p, doubles(losses[-1])]), "fit", rtol=1e-6)
    before = p.detach().clone()
    optimizer.step()  # at the minimum it stays
    torch.testing.assert_close(p.detach(), before, rtol=1e-9, atol=1e-9)


def test_levenberg_marquardt_stays_where_it_was_when_every_step_leads_up():
    p = doubles(1.0, requires_grad=True)
    calls = []

    def residuals():
        calls.append(1)
        return p * 1 if len(calls) == 1 else p * 0 + float("nan")

    optimizer = torch.optim.LevenbergMarquardt(residuals, [p], max_tries=3)
    optimizer.step()
    assert len(calls) == 4 and p.item() == 1.0 and optimizer.param_groups[0]["damping"] == 1e-3


def test_levenberg_marquardt_of_fewer_residuals_than_parameters():
    net = torch.nn.Linear(3, 2).to(DOUBLE)
    optimizer = torch.optim.LevenbergMarquardt(lambda: net(doubles(1, 2, 3)) - doubles(5, -1), net.parameters())
    for _ in range(6):
        optimizer.step()
    torch.testing.assert_close(net(doubles(1, 2, 3)).detach(), doubles(5, -1))


def test_levenberg_marquardt_goes_on_from_its_state():
    def run(steps, saved=None, p0=(1, 0.3, 2.5, 0, 0, 0)):
        p = doubles(*p0, requires_grad=True)
        optimizer = torch.optim.LevenbergMarquardt(lambda: curve(p, X) - Y, [p])
        if saved:
            optimizer.load_state_dict(saved)
        for _ in range(steps):
            optimizer.step()
        return p.detach(), optimizer.state_dict()

    middle, state = run(3)
    assert torch.equal(run(2, state, middle.tolist())[0], run(5)[0])


def test_gauss_newton_finds_the_fit_from_near():
    p = doubles(1.9, 0.6, 2.9, 0.2, 0.4, 0, requires_grad=True)
    optimizer = torch.optim.GaussNewton(lambda: curve(p, X) - Y, [p])
    for _ in range(9):
        loss = optimizer.step()
    close(torch.cat([p, loss.reshape(1)]), "fit", rtol=1e-6)


def test_newton_cg_finds_the_minimum():
    x = torch.linspace(0.2, 0.8, 6, dtype=DOUBLE).requires_grad_()

    def loss():
        return (100 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum() + 0.1 * x.cosh().sum()

    optimizer = torch.optim.NewtonCG(loss, [x])
    losses = [optimizer.step().item() for _ in range(30)]
    assert all(a >= b for a, b in zip(losses, losses[1:]))
    close(torch.cat([x, doubles(losses[-1])]), "minimum", rtol=1e-5)


def test_newton_cg_goes_down_where_the_curvature_is_negative():
    x = doubles(0.1, -0.2, requires_grad=True)
    optimizer = torch.optim.NewtonCG(lambda: (x**4 - x**2).sum(), [x])
    for _ in range(20):
        optimizer.step()
    torch.testing.assert_close(x.detach(), doubles(0.5**0.5, -(0.5**0.5)))


def test_optimisers_refuse_what_makes_no_sense():
    p = doubles(1.0, requires_grad=True)
    for make in (lambda: torch.optim.LevenbergMarquardt(lambda: p, [p], damping=0),
                 lambda: torch.optim.GaussNewton(lambda: p, [p], lr=-1), lambda: torch.optim.NewtonCG(lambda: p, [p], max_iter=0)):
        with pytest.raises(ValueError, match="Invalid"):
            make()
    with pytest.raises(TypeError, match="takes no closure"):
        torch.optim.GaussNewton(lambda: p, [p]).step(lambda: p)
    with pytest.raises(RuntimeError, match="do not depend on any parameter"):
        torch.optim.GaussNewton(lambda: doubles(1.0), [p]).step()
    with pytest.raises(RuntimeError, match="do not depend on any parameter"):
        torch.optim.LevenbergMarquardt(lambda: p.detach(), [p.detach()]).step()


WEIGHTS = doubles([0.4, -0.3, 0.1], [0.2, 0.5, -0.4], [-0.1, 0.3, 0.2])


def fixed(p):
    return fixed_point(lambda x, p: torch.tanh(WEIGHTS @ x * p[0] + p[1:]), torch.zeros(3, dtype=DOUBLE), p)


def crossing(p):
    return root(lambda x, p: torch.stack([x[0] ** 2 + x[1] - p["a"], x[0] + x[1] ** 3 - p["b"]]), torch.ones(2, dtype=DOUBLE),
                {"a": p[0], "b": p[1]})


@pytest.mark.parametrize("name, f, p", [("fixed point", fixed, (1.2, 0.3, -0.5, 0.1)), ("root", crossing, (2.0, 3.0))])
def test_solutions_and_their_derivatives(name, f, p):
    p = doubles(*p, requires_grad=True)
    x = f(p)
    close(x, name)
    close(torch.stack([torch.autograd.grad(v, p, retain_graph=True)[0] for v in x], 1), name + ", derivatives")
    assert torch.autograd.gradcheck(f, (p,)) and torch.autograd.gradgradcheck(f, (p,))


def test_where_there_is_no_solution():
    with pytest.raises(RuntimeError, match="no fixed point was found"):
        fixed_point(lambda x, p: x + p, torch.zeros(2), torch.ones(2), max_iter=20)
    with pytest.raises(RuntimeError, match="no root was found"):
        root(lambda x, p: x * x + p, torch.full((1,), 0.7), torch.ones(1))
    with pytest.raises(RuntimeError, match="as many numbers as x has"):
        root(lambda x, p: x.sum() + p, torch.ones(2), torch.ones(()))
    with pytest.raises(TypeError, match="params must be tensors"):
        root(lambda x, p: x + p, torch.ones(2), 1.0)


def hunt(t, y, p):
    return torch.stack([y[..., 0] * (p[0] - p[1] * y[..., 1]), y[..., 1] * (p[2] * y[..., 0] - p[3])], -1)


def hunted(p, adjoint, rtol=1e-9):
    return odeint(hunt, p[4:], doubles(0, 0.5, 1.25, 2, 4), (p[:4],), rtol=rtol, atol=1e-10, adjoint=adjoint)


def swung(p, adjoint):
    def slope(t, y, p):
        return torch.stack([y[1], -p[0] * y[0].sin() - p[1] * y[1] + p[2] * (2 * t).cos()])

    return odeint(slope, doubles(0.5, -0.2), doubles(3, 1.5, 0), (p,), rtol=1e-9, atol=1e-10, adjoint=adjoint)


@pytest.mark.parametrize("adjoint", [False, True])
@pytest.mark.parametrize("name, f, p", [("lotka volterra", hunted, (1.5, 1, 1, 3, 1, 1)), ("pendulum", swung, (4, 0.3, 0.8))])
def test_differential_equations_and_their_derivatives(name, f, p, adjoint):
    p = doubles(*p, requires_grad=True)
    y = f(p, adjoint)
    close(y, name, rtol=1e-6, atol=1e-7)
    rows = torch.stack([torch.autograd.grad(v, p, retain_graph=True)[0] for v in y.reshape(-1)], 1)
    close(rows, name + ", derivatives", rtol=1e-5, atol=1e-6)


def test_smaller_tolerances_give_smaller_errors_with_more_calls():
    errors, calls = [], []
    for rtol in (1e-3, 1e-6, 1e-9):
        count = []

        def slope(t, y, count=count):
            count.append(1)
            return -y

        y = odeint(slope, doubles(1.0), doubles(0, 5), rtol=rtol, atol=1e-12)
        errors.append(abs(y[-1].item() - 0.006737946999085467)), calls.append(len(count))
    assert errors[0] > errors[1] > errors[2] and errors[2] < 1e-10 and calls[0] < calls[1] < calls[2]


def test_problems_of_a_batch_are_each_as_exact_as_alone():
    start, t, p = doubles([1.0, 1.0], [3.0, 0.2], [0.1, 4.0]), doubles(0, 1, 3), doubles(1.5, 1, 1, 3)
    y = odeint(hunt, start, t, (p,), rtol=1e-8, atol=1e-10)
    for i in range(3):
        torch.testing.assert_close(y[:, i], odeint(hunt, start[i], t, (p,), rtol=1e-10, atol=1e-12), rtol=1e-6, atol=1e-7)


def test_the_adjoint_equation_gives_the_gradient_by_time():
    t, p = doubles(0, 1, 2, requires_grad=True), doubles(1.5, 1, 1, 3)
    f = lambda t: odeint(hunt, doubles(1, 2), t, (p,), rtol=1e-10, atol=1e-12, adjoint=True)  # noqa: E731
    assert torch.autograd.gradcheck(f, (t,))
    with pytest.raises(RuntimeError, match="cannot be differentiated again"):
        torch.autograd.grad(f(t).sum(), t, create_graph=True)


def test_differential_equations_that_cannot_be_solved():
    with pytest.raises(ValueError, match="strictly increasing or decreasing"):
        odeint(lambda t, y: y, torch.ones(1), torch.tensor([0.0, 0.0]))
    with pytest.raises(RuntimeError, match="steps led to t"):
        odeint(lambda t, y: -y, torch.ones(1), torch.tensor([0.0, 100.0]), max_steps=3)
    with pytest.raises(RuntimeError, match="too short|steps led to"):
        odeint(lambda t, y: y * y, doubles(1.0), doubles(0, 2))
    with pytest.raises(RuntimeError, match="what is like y"):
        odeint(lambda t, y: y.sum(), torch.ones(2), torch.tensor([0.0, 1.0]))


def example(name, epochs):
    """What an example of Python prints."""
    return subprocess.run([sys.executable, str(ROOT / "examples" / name), str(epochs)], check=True, capture_output=True, text=True).stdout


def test_private_training_learns():
    epsilon, right = re.search(r"epoch  6  epsilon ([\d.]+) .* right ([\d.]+)%", example("private_sgd.py", 6)).groups()
    assert 3 < float(epsilon) < 3.4 and float(right) > 85


def test_natural_gradients_learn_faster_than_gradients():
    losses = dict(re.findall(r"(\w+) +epoch 2  loss ([\d.]+)", example("kfac.py", 2)))
    assert float(losses["KFAC"]) < float(losses["SGD"]) < 0.5
