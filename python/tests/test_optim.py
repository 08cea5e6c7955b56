"""Optimisers: PyTorch's trajectories, state, errors and printing."""

import pathlib

import pytest
from rounding import beyond

import taut as torch
from taut import optim

GOLDEN = pathlib.Path(__file__).parents[2] / "tests" / "golden" / "optim.txt"


def golden(kind):
    """The lines of a kind with the numbers that follow each, and their unit if they are judged by rounding."""
    lines = GOLDEN.read_text().splitlines()
    for head, line in zip(lines[::2], lines[1::2]):
        if head.startswith(kind + " "):
            numbers, _, unit = line.partition("~")
            yield head[len(kind) + 1:], [float(v) for v in numbers.split()], float(unit or 0)


def trajectories():
    """{(dtype, call): {step: all parameters after that step, and their unit}}"""
    found = {}
    for head, numbers, unit in golden("optim"):
        dtype, step, call = head.split(" ", 2)
        found.setdefault((dtype, call), {})[int(step)] = numbers, unit
    return found


TRAJECTORIES = trajectories()


@pytest.fixture
def default_dtype():
    before = torch.get_default_dtype()
    yield
    torch.set_default_dtype(before)


@pytest.mark.parametrize("dtype, call", list(TRAJECTORIES), ids=lambda v: v)
def test_trajectory_is_pytorchs(dtype, call, default_dtype):
    expected = TRAJECTORIES[dtype, call]
    dtype = getattr(torch, dtype)
    torch.set_default_dtype(dtype)
    muon = call.startswith("Muon")
    x = torch.tensor([[0.5, -1.25, 2.0], [-0.75, 1.5, 0.25]], dtype=dtype, requires_grad=True)
    y = torch.tensor([[1.0, -2.0, 0.5, 3.0]] if muon else [1.0, -2.0, 0.5, 3.0], dtype=dtype, requires_grad=True)
    optimizer = eval("optim." + call.replace("(", "([x, y], ", 1))
    k = torch.tensor([[1.0, 0.5, 2.0], [0.25, 1.5, 3.0]], dtype=dtype)
    lbfgs = call.startswith("LBFGS")
    for step in range(1, min(max(expected), 100) + 1):
        a, b = (0.25, 0.125) if lbfgs else (0.25 * (step * 5 % 7 - 3), 0.125 * (step * 3 % 11 - 5))

        def closure():
            optimizer.zero_grad()
            loss = (k * (x - a) ** 2).sum() * 0.5 + ((y - b) ** 2).sum() + 0.05 * (y * y * y * y).sum()
            loss.backward()
            return loss

        optimizer.step(closure)
        if step in expected:
            got = torch.cat([x.detach().reshape(-1), y.detach().reshape(-1)]).tolist()
            wanted, unit = expected[step]
            assert beyond(got, wanted, unit or 1e-11 * (1 + max(map(abs, wanted)))) is None, f"step {step}"


def test_a_subclass_need_not_call_the_constructor_of_its_parent():
    class Bare(optim.Optimizer):
        def __init__(self, params):
            self.param_groups = [{"params": list(params)}]

        @torch.no_grad()
        def step(self):
            for p in self.param_groups[0]["params"]:
                p.sub_(p.grad)

    w = torch.ones(2, requires_grad=True)
    optimizer, seen = Bare([w]), []
    optimizer.register_step_post_hook(lambda *a: seen.append(1))
    w.sum().backward()
    optimizer.step()
    optimizer.zero_grad()
    assert w.tolist() == [0, 0] and w.grad is None and seen == [1]


@pytest.mark.parametrize("search", [None, "strong_wolfe"])
def test_lbfgs_stands_still_where_the_gradient_is_zero(search):
    w = torch.ones(2, requires_grad=True)
    optimizer = optim.LBFGS([w], tolerance_grad=-1.0, line_search_fn=search)

    def closure():
        optimizer.zero_grad()
        loss = (w * 0).sum() + 3
        loss.backward()
        return loss

    assert optimizer.step(closure).item() == 3 and optimizer.step(closure).item() == 3
    assert w.tolist() == [1, 1]


def test_lbfgs_searches_on_where_a_loss_has_no_minimum():
    w = torch.tensor([1.5, -0.5], requires_grad=True)
    optimizer = optim.LBFGS([w], line_search_fn="strong_wolfe")

    def closure():
        optimizer.zero_grad()
        loss = -(w ** 2).sum()
        loss.backward()
        return loss

    assert optimizer.step(closure).item() == -2.5
    assert w[0] > 1e6 and w[1] < -1e6
