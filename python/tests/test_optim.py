"""Optimisers: PyTorch's trajectories, state, errors and printing."""

import functools
import os
import pathlib

import pytest
from rounding import beyond
from samples import number, shaped

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


@pytest.mark.parametrize("search", [None, "strong_wolfe"])
def test_lbfgs_takes_the_gradients_and_steps_of_a_subclass(search):
    class Mine(optim.LBFGS):
        gathered = steps = 0

        def _gather_flat_grad(self):
            self.gathered += 1
            return super()._gather_flat_grad() * 0.5

        def _add_grad(self, step_size, direction):
            self.steps += 1
            super()._add_grad(step_size, direction)

    def run(kind, factor):
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        optimizer = kind([x], lr=0.5, max_iter=3, line_search_fn=search)

        def closure():
            optimizer.zero_grad()
            loss = (x ** 2).sum() + (x ** 4).sum()
            (loss * factor).backward()
            return loss

        optimizer.step(closure)
        return x.tolist(), optimizer

    got, optimizer = run(Mine, 1)
    assert got == run(optim.LBFGS, 0.5)[0] and optimizer.gathered > 2 and optimizer.steps > 1 and optimizer._numel() == 2


# ---- The two faces. C++ computes the same lines of the certificate (tests/certificate_test.cpp).

CERTIFIED = {"SGD": (optim.SGD, dict(lr=0.1)),
             "SGD momentum": (optim.SGD, dict(lr=0.1, momentum=0.9, dampening=0.1, weight_decay=0.01)),
             "SGD nesterov": (optim.SGD, dict(lr=0.1, momentum=0.9, nesterov=True)),
             "Adam": (optim.Adam, dict(lr=0.01, weight_decay=0.01)),
             "Adam amsgrad": (optim.Adam, dict(lr=0.01, amsgrad=True)),
             "AdamW": (optim.AdamW, dict(lr=0.01)), "Adamax": (optim.Adamax, dict(lr=0.01)),
             "NAdam": (optim.NAdam, dict(lr=0.01)), "RAdam": (optim.RAdam, dict(lr=0.01)),
             "RMSprop": (optim.RMSprop, dict(lr=0.01)),
             "RMSprop centered": (optim.RMSprop, dict(lr=0.01, centered=True, momentum=0.9)),
             "Rprop": (optim.Rprop, dict(lr=0.01)), "ASGD": (optim.ASGD, dict(lr=0.01)),
             "Adagrad": (optim.Adagrad, dict(lr=0.1, lr_decay=0.01)), "Adadelta": (optim.Adadelta, dict(lr=1.0)),
             "Muon": (optim.Muon, dict(lr=0.01))}


@functools.cache
def numbers(argument, sizes, dtype):
    n = functools.reduce(lambda a, b: a * b, sizes)
    return shaped([number("t", argument, k) / 1e6 for k in range(n)], sizes, dtype)


def certificate():
    lines = (GOLDEN.parent / "certificate.txt").read_text().splitlines()
    return {what: bits for bits, _, what in (line.partition(" ") for line in lines) if what.startswith("optimizer ")}


def twenty_steps(make, options):
    for dtype in (torch.float32, torch.float64):
        params = [numbers(i, sizes, dtype).clone().requires_grad_() for i, sizes in enumerate([(3, 5), (70, 33)])]
        optimizer = make(params, **options)
        for step in range(20):
            for i, p in enumerate(params):
                p.grad = numbers(10 + 2 * step + i, tuple(p.shape), dtype).clone()
            optimizer.step()
        yield from (p.detach() for p in params)


def lbfgs():
    x = numbers(0, (40,), torch.float64).clone().requires_grad_()
    optimizer = optim.LBFGS([x], lr=0.5, max_iter=20, line_search_fn="strong_wolfe")

    def loss():
        optimizer.zero_grad()
        value = (x.exp() + x * x).sum()
        value.backward()
        return value

    optimizer.step(loss)
    return x.detach()


@pytest.mark.skipif(os.environ.get("TAUT_ISA") == "0", reason="the bits are those of fused multiply-add")
def test_both_faces_have_the_bits_of_the_certificate():
    got = {f"optimizer {name}": torch.fingerprint(list(twenty_steps(*given))) for name, given in CERTIFIED.items()}
    got["optimizer LBFGS"] = torch.fingerprint([lbfgs()])
    assert got == certificate()


def test_lbfgs_refuses_what_it_cannot_remember():
    def step(history_size, **state):
        x = torch.nn.Parameter(torch.tensor([-1.2, 1.0]))
        optimizer = torch.optim.LBFGS([x], history_size=history_size)

        def closure():
            optimizer.zero_grad()
            loss = (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2
            loss.backward()
            return loss

        if state:
            optimizer.step(closure)
            optimizer.state[x].update(state)
        optimizer.step(closure)

    with pytest.raises(IndexError):
        step(0)
    with pytest.raises((ValueError, RuntimeError)):
        step(100, ro=[])
