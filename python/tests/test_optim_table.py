"""The table of optimisers, row by row: signatures, pickling, steps for every dtype, layout and group, recorded steps.

tests/optim_table_test.cpp does the same in C++; both have the bits of tests/golden/optim_bits.txt, which
`python python/tests/test_optim_table.py` writes anew.
"""

import copy
import importlib
import inspect
import itertools
import os
import pathlib
import pickle
import subprocess
import sys

import pytest

import taut as torch
from taut import _C, optim

ROOT = pathlib.Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
NAMES = _C._optimizers()
SWITCHES = {"foreach", "capturable", "differentiable", "fused"}
NOT_ELEMENTWISE = {"Adafactor"}


def options(name):
    """{option: default}"""
    parameters = list(inspect.signature(getattr(optim, name)).parameters.values())[1:]
    return {p.name: p.default for p in parameters if p.name not in SWITCHES}


def variants():
    """A row with its defaults, with each option that is off by default switched on, and with all of them."""
    for name in NAMES:
        off = {o: True if v is False else 0.125 for o, v in options(name).items() if v in (False, 0) and v is not None}
        for text, given in [("", {}), *((f" {o}", {o: v}) for o, v in off.items()), (" everything", off)]:
            try:
                getattr(optim, name)([torch.ones(1, requires_grad=True)], **given)
            except ValueError:
                continue
            yield pytest.param(name, given, id=name + text)


VARIANTS = list(variants())
each = pytest.mark.parametrize("name, given", VARIANTS)
each_recorded = pytest.mark.parametrize("name, given", [v for v in VARIANTS if v.values[0] not in NOT_ELEMENTWISE])


def numbers(sizes, seed, dtype=torch.float32):
    """Small fractions, exact in every dtype."""
    n = 1
    for size in sizes:
        n *= size
    return torch.tensor([((i * 7 + seed * 5) % 11 - 5) / 8 for i in range(n)], dtype=dtype).reshape(sizes)


def leaves(*values):
    return [v.detach().clone().requires_grad_() for v in values]


def run(optimizer, params, steps):
    for step in steps:
        for i, p in enumerate(params):
            p.grad = numbers(p.shape, 3 * step + i, p.dtype)
        optimizer.step()


@pytest.fixture
def in_float64():
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(before)


def bits(name, given):
    params = leaves(numbers((2, 3), 1, torch.float32), numbers((5,), 2, torch.float64))
    optimizer = getattr(optim, name)(params, **given)
    run(optimizer, params, range(12))
    return torch.fingerprint(optimizer)


@pytest.mark.skipif(os.environ.get("TAUT_ISA") == "0", reason="the bits are those of fused multiply-add")
def test_the_bits_are_those_of_cpp():
    wanted = dict(reversed(line.split(" ", 1)) for line in (GOLDEN / "optim_bits.txt").read_text().splitlines())
    assert {v.id: bits(*v.values) for v in VARIANTS} == wanted


@pytest.mark.parametrize("name", NAMES)
def test_a_class_is_what_pytorchs_would_be(name):
    cls = getattr(optim, name)
    assert cls.__name__ == cls.__qualname__ == name and cls.__doc__ and cls.__module__.startswith("torch.optim")
    there = importlib.import_module("taut.optim." + ("_adafactor" if name == "Adafactor" else name.lower()))
    assert getattr(there, name) is cls and getattr(optim, name) is cls and name in optim.__all__ and name in dir(optim)
    with pytest.raises(AttributeError, match="is not part of Taut"):
        there.Nobody
    params = leaves(numbers((2, 3), 1))
    optimizer = cls(params)
    run(optimizer, params, range(3))
    for twin in (pickle.loads(pickle.dumps(optimizer)), copy.deepcopy(optimizer)):
        assert type(twin) is cls and torch.fingerprint(twin) == torch.fingerprint(optimizer)
        assert {**twin.defaults, "differentiable": False} == {**optimizer.defaults, "differentiable": False}
        assert repr(twin) == repr(optimizer)

    class Mine(cls):
        def __init__(self, params, lr):
            super().__init__(params, lr)

        def step(self, closure=None):
            self.steps = getattr(self, "steps", 0) + 1
            return super().step(closure)

    mine, theirs = leaves(numbers((2, 3), 1)), leaves(numbers((2, 3), 1))
    a, b, seen = Mine(mine, 0.25), cls(theirs, lr=0.25), []
    a.register_step_post_hook(lambda *args: seen.append(1))
    run(a, mine, range(3))
    run(b, theirs, range(3))
    assert torch.equal(mine[0], theirs[0]) and a.steps == 3 and seen == [1, 1, 1] and isinstance(a, optim.Optimizer)


def test_adamw_is_an_adam():
    assert issubclass(optim.AdamW, optim.Adam)
    optimizer = optim.AdamW(leaves(torch.ones(2)))
    state = optimizer.state_dict()
    state["param_groups"][0]["decoupled_weight_decay"] = False
    optimizer.load_state_dict(state)
    assert optimizer.param_groups[0]["decoupled_weight_decay"] is True


@each
def test_maximize_is_a_step_along_the_negated_gradient(name, given):
    if "maximize" in given:
        return
    a, b = leaves(numbers((3, 4), 1)), leaves(numbers((3, 4), 1))
    down, up = getattr(optim, name)(a, **given), getattr(optim, name)(b, maximize=True, **given)
    for step in range(5):
        a[0].grad = numbers((3, 4), step)
        b[0].grad = -a[0].grad
        down.step()
        up.step()
    assert torch.equal(a[0], b[0])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16, torch.bfloat16], ids=str)
@each
def test_layouts_empty_parameters_and_missing_gradients(name, given, dtype):
    plain, empty, still = leaves(numbers((4, 3), 1, dtype), torch.zeros(0, 2, dtype=dtype), torch.ones(2, dtype=dtype))
    strided = numbers((3, 4), 9, dtype).t()
    strided.copy_(plain.detach())
    strided.requires_grad_()
    a, b = getattr(optim, name)([plain, empty, still], **given), getattr(optim, name)([strided], **given)
    for step in range(4):
        plain.grad = strided.grad = numbers((4, 3), step, dtype)
        empty.grad = torch.zeros(0, 2, dtype=dtype)
        a.step()
        b.step()
    assert torch.equal(plain, strided) if name not in NOT_ELEMENTWISE else torch.allclose(plain, strided, 1e-2, 1e-2)
    assert not torch.equal(plain.detach(), numbers((4, 3), 1, dtype))
    assert torch.equal(still.detach(), torch.ones(2, dtype=dtype)) and (name == "Adagrad" or still not in a.state)


@each
def test_groups_step_as_optimizers_of_their_own(name, given):
    a, b = leaves(numbers((2, 3), 1), numbers((5,), 2)), leaves(numbers((2, 3), 1), numbers((5,), 2))
    cls = getattr(optim, name)
    lr = options(name)["lr"]
    both = cls([{"params": [a[0]]}, {"params": [a[1]], "lr": lr / 4}], **given)
    one, other = cls([b[0]], **given), cls([b[1]], lr=lr / 4, **given)
    for step in range(5):
        for i in range(2):
            a[i].grad = b[i].grad = numbers(a[i].shape, 3 * step + i)
        both.step()
        one.step()
        other.step()
    assert torch.equal(a[0], b[0]) and torch.equal(a[1], b[1])


@each
def test_saving_in_mid_run_continues_with_equal_bits(name, given):
    a = leaves(numbers((2, 3), 1), numbers((5,), 2))
    first = getattr(optim, name)(a, **given)
    run(first, a, range(4))
    b = leaves(*a)
    second = getattr(optim, name)(b, **given)
    second.load_state_dict(pickle.loads(pickle.dumps(first.state_dict())))
    run(first, a, range(4, 8))
    run(second, b, range(4, 8))
    assert torch.fingerprint(first) == torch.fingerprint(second)


# Recorded steps.


def recorded(name, given, start, **tensors):
    """Three recorded steps along the gradients of a function."""
    p = start.clone()
    optimizer = getattr(optim, name)([p], differentiable=True, **{**given, **tensors})
    for _ in range(3):
        x = p.clone()
        p.grad = x * x * x + 0.5 * x + 0.25
        optimizer.step()
    return p


@each_recorded
def test_recorded_steps_can_be_differentiated(name, given, in_float64):
    start = torch.tensor([0.75, -1.25, 0.5, 1.5], requires_grad=True)
    plain, = leaves(start)
    fused = getattr(optim, name)([plain], **given)
    for _ in range(3):
        x = plain.detach()
        plain.grad = x * x * x + 0.5 * x + 0.25
        fused.step()
    assert torch.allclose(recorded(name, given, start), plain, 1e-12, 1e-12)
    lr = torch.tensor(float(options(name)["lr"]), requires_grad=True)
    assert torch.autograd.gradcheck(lambda p, rate: recorded(name, given, p, lr=rate), (start, lr))
    assert torch.autograd.gradcheck(lambda p: recorded(name, given, p), (start,))


def test_other_options_may_be_tensors_too(in_float64):
    start = torch.tensor([0.75, -1.25, 0.5, 1.5], requires_grad=True)
    b1, b2, decay = (torch.tensor(v, requires_grad=True) for v in (0.9, 0.99, 0.1))
    for name in ("Adam", "AdamW", "NAdam", "RAdam"):
        assert torch.autograd.gradcheck(
            lambda p, b1, b2, d, name=name: recorded(name, {}, p, betas=(b1, b2), weight_decay=d), (start, b1, b2, decay))


def derivatives():
    lines = (GOLDEN / "optim.txt").read_text().splitlines()
    return [(head[len("derivative "):], [float(v) for v in line.split()])
            for head, line in zip(lines[::2], lines[1::2]) if head.startswith("derivative ")]


@pytest.mark.parametrize("call, wanted", derivatives(), ids=lambda v: v if isinstance(v, str) else "")
def test_derivatives_are_pytorchs(call, wanted, in_float64):
    k = torch.tensor([[1.0, 0.5, 2.0], [0.25, 1.5, 3.0]])

    def loss_of(x, y):
        return (k * (x - 0.3) ** 2).sum() * 0.5 + ((y - 0.125) ** 2).sum() + 0.05 * (y * y * y * y).sum()

    x0 = torch.tensor([[0.5, -1.25, 2.0], [-0.75, 1.5, 0.25]], requires_grad=True)
    y0 = torch.tensor([1.0, -2.0, 0.5, 3.0], requires_grad=True)
    x, y = x0.clone(), y0.clone()
    optimizer = eval("optim." + call.replace("(", "([x, y], differentiable=True, ", 1))
    group = optimizer.param_groups[0]
    inputs = [x0, y0]
    if len(wanted) > 10:
        group["lr"] = torch.tensor(group["lr"], requires_grad=True)
        inputs.append(group["lr"])
    for _ in range(3):
        x.grad, y.grad = torch.autograd.grad(loss_of(x.clone(), y.clone()), (x, y), create_graph=True)
        optimizer.step()
    got = itertools.chain.from_iterable(g.reshape(-1).tolist() for g in torch.autograd.grad(loss_of(x, y), inputs))
    assert list(got) == pytest.approx(wanted, rel=1e-9, abs=1e-10)


def test_what_cannot_be_recorded_says_so():
    leaf = torch.ones(2, requires_grad=True)
    leaf.grad = torch.ones(2)
    with pytest.raises(RuntimeError, match="leaf"):
        optim.Adam([leaf], differentiable=True).step()
    with pytest.raises(RuntimeError, match="`fused` does not support `differentiable`"):
        optim.SGD([leaf], fused=True, differentiable=True)
    with pytest.raises(ValueError, match="non-leaf"):
        optim.SGD([leaf * 2])


@pytest.mark.parametrize("given, message", [
    (dict(lr="0.1"), "real number"), (dict(betas=0.9), "tuple"), (dict(weight_decay=None), "weight_decay")])
def test_options_of_another_type_are_refused(given, message):
    with pytest.raises((TypeError, ValueError), match=message):
        optim.Adam([torch.ones(2, requires_grad=True)], **given)


def test_an_option_switched_on_later_begins_with_a_state_of_its_own():
    params = leaves(torch.ones(2))
    optimizer = optim.Adam(params, lr=0.1)
    run(optimizer, params, range(2))
    optimizer.param_groups[0]["amsgrad"] = True
    run(optimizer, params, range(2))
    assert "max_exp_avg_sq" in optimizer.state[params[0]]


def test_written_headers_are_up_to_date():
    done = subprocess.run([sys.executable, ROOT / "tools" / "optimizers.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


if __name__ == "__main__":
    (GOLDEN / "optim_bits.txt").write_text("".join(f"{bits(*v.values)} {v.id}\n" for v in VARIANTS))
