"""`out=` for every op of the registry: every kind of destination fares as it does in PyTorch (tests/golden/out.txt)."""

import os
import re
import warnings

import pytest

import taut as torch
from out_cases import cases, function_of, plain
from samples import GOLDEN

with open(os.path.join(GOLDEN, "out.txt")) as lines:
    RECORDED = [line.rstrip("\n").split("\t") for line in lines]


# What fares otherwise on purpose: op, arguments, kinds of destination, how it fares here, why.
ELSEWISE = [
    ("argsort.stable", "t(5), stable=True", "input_grad", "ok", "indices have no gradient"),
    ("cumprod", "t(2, 3), 1", "bool", "ok", "PyTorch has no kernel"),
    ("cumprod", "t(2, 3), 0", "bool", "ok", "PyTorch has no kernel"),
    ("cumsum", "t(2, 3), 1", "bool", "ok", "PyTorch has no kernel"),
    ("cumsum", "t(2, 3), 0", "bool", "ok", "PyTorch has no kernel"),
    ("cumprod", "z(2, 5), 1", "bool", "ok", "PyTorch has no kernel"),
    ("cumsum", "z(2, 3), 1", "bool", "ok", "PyTorch has no kernel"),
    ("geqrf", "t(3, 2)", "f64 f16 second_f64 second_f16", "error", "one of several destinations is not cast to"),
    ("geqrf", "t(2, 2, 3)", "f64 f16 second_f64 second_f16", "error", "one of several destinations is not cast to"),
    ("linalg_lstsq", "t(3, 2), t(3, 2)", "f64 f16 second_f16", "error", "one of several destinations is not cast to"),
    ("linalg_lstsq", "t(2, 3), t(2)", "f64 f16 second_f64 second_f16", "error", "one of several destinations is not cast to"),
    ("max_unpool3d", "t(1, 1, 2, 2), c([[[[0, 3], [10, 15]]]]), [2, 4, 4], [1, 2, 2], [0, 0, 0]", "apart turned", "ok",
     "PyTorch's three dimensions, unlike its two, want a dense destination"),
    ("nansum", "t(2, 3)", "i64 i32 u8 bool", "ok garbage", "PyTorch has no kernel; the sum is truncated once, not each number"),
    ("nansum", "t(2, 3), 1, True", "i64 i32 u8 bool", "ok", "PyTorch has no kernel"),
    ("normal.Tensor_float", "t(0, 3)", "empty", "grown", "PyTorch does not let this one grow"),
]


def allowed(kind, wanted):
    """What may come of a destination where PyTorch's answer is `wanted`."""
    if wanted == "garbage":  # or computed in the destination's dtype
        return {"ok", "error", "garbage", "resized", "grown"}
    if kind in ("larger", "smaller") and wanted == "grown":  # a few ops forget the warning
        return {"resized", "grown"}
    if wanted == "ok" and kind.startswith(("overlap", "expanded", "input_grad", "requires_grad")):
        return {"ok", "error"}  # PyTorch does not look, and it happens to go well
    if wanted == "error" and kind.startswith("inside"):  # we compute beside
        return {"ok", "error"}
    return {wanted}


# Ops whose destinations are not compared with PyTorch yet: it keeps them in other modules, or is stricter.
UNSETTLED = re.compile(r"special_|\w+_copy$|\w+_window$|(range|ldexp|constant_pad_nd|hspmm|sspaddmm|_histogramdd_\w+)$")


@pytest.mark.parametrize("op,text,recorded", RECORDED, ids=[f"{op}({text})" for op, text, _ in RECORDED])
def test_destinations_fare_as_in_pytorch(op, text, recorded):
    name = op.partition(".")[0]
    if recorded == "unknown":
        return
    if UNSETTLED.match(name):
        pytest.skip("not compared with PyTorch yet")
    f = (function_of(torch, name) if recorded not in ("absent", "crash") else None) or torch._C.ops[name]
    plain(f, text)
    found = cases(f, text)
    if recorded in ("no", "absent") or "right=error" in recorded:
        assert not found, "takes out, which PyTorch does not"
        return
    wanted = dict(word.split("=") for word in recorded.split()) if recorded != "crash" else {"right": "ok"}
    assert found, "takes no out"
    elsewise = [row for row in ELSEWISE if row[:2] == (op, text)]
    meant = {(kind, result) for row in elsewise for kind in row[2].split() for result in row[3].split()}
    wrong = [f"{kind}: {result}, PyTorch: {wanted[kind]}" for kind, result, _ in found
             if kind in wanted and result not in allowed(kind, wanted[kind]) and (kind, result) not in meant]
    assert not wrong
    needed = {kind for kind, result, _ in found if kind in wanted and result not in allowed(kind, wanted[kind])}
    assert needed == {kind for kind, _ in meant}, "an exception that is not needed any more"
    assert not [kind for kind, _, changed in found if changed], "a call that failed changed its destination"


def test_every_op_is_recorded():
    rows = {schema[: schema.index("(")] for schema in torch._C._schemas()}
    # Those without predictable samples.
    rows -= {"empty", "empty_like", "empty_strided", "new_empty"}
    missing = rows - {op for op, _, _ in RECORDED}
    assert {row for row in missing if not row.partition(".")[0].endswith("_")} == set(), "run tools/golden_out.py"


def test_a_view_gets_the_right_cells():
    for make in (lambda **k: torch.arange(0, 4, **k), lambda **k: torch.linspace(0, 3, 4, **k),
                 lambda **k: torch.logspace(0, 3, 4, **k), lambda **k: torch.ones(4, **k)):
        base = torch.full((4, 2), -1.0)
        make(out=base[:, 1])
        assert torch.equal(base[:, 1], make().float()) and torch.equal(base[:, 0], torch.full((4,), -1.0))


def test_functions_of_several_ops_write_out():
    x = torch.arange(6.0).view(2, 3)
    out = torch.empty(0)
    assert torch.norm(x, out=out) is out and out.item() == x.norm().item()
    out = torch.empty(0)
    assert torch.tensordot(x, x.T, 1, out=out) is out and torch.equal(out, x @ x.T)
    out = torch.empty(0, 2, dtype=torch.int64)
    assert torch.nonzero(x, out=out) is out and torch.equal(out, x.nonzero())
    with pytest.raises(RuntimeError):
        torch.nonzero(x, out=torch.empty(0))
    out = torch.empty(2, 3)
    assert torch.where(x > 2, x, -x, out=out) is out and torch.equal(out, torch.where(x > 2, x, -x))
    out = torch.empty(2)
    assert torch.linalg.vector_norm(x, dim=1, out=out) is out and torch.equal(out, torch.linalg.vector_norm(x, dim=1))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_random_numbers_are_those_of_the_destination(dtype):
    for draw in (lambda **k: torch.rand(3, **k), lambda **k: torch.randn(20, **k), lambda **k: torch.randperm(5, **k),
                 lambda **k: torch.randint(9, (4,), **k), lambda **k: torch.normal(1.0, 2.0, (3,), **k)):
        out = torch.empty(0, dtype=dtype)
        torch.manual_seed(0)
        draw(out=out)
        torch.manual_seed(0)
        assert torch.equal(out, draw(dtype=dtype))


def test_a_call_that_fails_leaves_out_alone():
    out = torch.full((2, 3), 7.0)
    with pytest.raises(RuntimeError):
        torch.addr(torch.zeros(2, 3), torch.ones(2), torch.ones(5), out=out)
    with pytest.raises(RuntimeError):
        torch.gather(torch.ones(2, 3), 0, torch.full((2, 3), 5), out=out)
    assert torch.equal(out, torch.full((2, 3), 7.0))


def test_out_must_be_tensors():
    with pytest.raises(TypeError, match="out"):
        torch.add(torch.ones(2), 1, out=3)
    with pytest.raises(TypeError, match="out must be 2 tensors, got 1"):
        torch.sort(torch.ones(2), out=torch.ones(2))
    with pytest.raises(TypeError, match="unexpected keyword argument 'out'"):
        torch.relu(torch.ones(2), out=torch.ones(2))


def test_a_large_product_is_computed_in_place():
    x, z = torch.ones(1 << 20), torch.empty(1 << 20)
    place = z.data_ptr()
    before = torch.memory_stats()["peak"] if isinstance(torch.memory_stats(), dict) else None
    torch.mul(x, x, out=z)
    if before is not None:
        assert torch.memory_stats()["peak"] - before < 1 << 20
    assert z.data_ptr() == place and bool((z == 1).all())


def test_the_warning_is_pytorchs():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.add(torch.ones(3), 1, out=torch.ones(2))
    assert "An output with one or more elements was resized since it had shape [2], which does not match the required " \
           "output shape [3]." in str(caught[0].message)
