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
