"""Every module of tests/golden/nn_*.txt prints, initialises, computes and differentiates as PyTorch's; nn.init too."""

import glob
import math
import os
import warnings

import pytest
import taut as torch
import taut.nn as nn
import taut.nn.functional as F
from samples import GOLDEN, Call, number, shaped

# Kernels of the two libraries add in different orders: what is wanted is agreement to a few units of float32.
RELATIVE, ABSOLUTE = 3e-5, 3e-6


def module_cases():
    for path in sorted(glob.glob(os.path.join(GOLDEN, "nn_*.txt"))):
        case = None
        with open(path) as lines:
            for line in lines:
                line = line.rstrip("\n")
                if line.startswith("> "):
                    if case:
                        yield case
                    case = (os.path.basename(path), line[2:], {})
                elif case and not line.startswith("#"):
                    key, _, value = line.partition(" ")
                    case[2][key] = value
        yield case


def tensors(result):
    if isinstance(result, torch.Tensor):
        return [result]
    return [t for r in result for t in tensors(r)] if isinstance(result, (tuple, list)) else []


def check(what, text, t):
    if text == "none":
        assert t is None, what
        return
    assert t is not None, f"{what}: missing"
    head, _, numbers = text.partition(":")
    dtype, _, rest = head.partition("[")
    sizes, _, step = rest.partition("]")
    assert str(t.dtype) == f"torch.{dtype}", what
    assert ",".join(map(str, t.shape)) == sizes, what
    wanted = [{"True": 1.0, "False": 0.0}.get(v) if v in ("True", "False") else float(v) for v in numbers.split(",") if
              v]
    got = [float(v) for v in t.detach().reshape(-1)[::int(step[1:]) if step else 1].tolist()]
    assert len(got) == len(wanted), what
    for k, (a, b) in enumerate(zip(got, wanted)):
        same = a == b or (math.isnan(a) and math.isnan(b)) or abs(a - b) <= ABSOLUTE + RELATIVE * abs(b)
        assert same, f"{what}: element {k} is {a}, PyTorch has {b}"


CASES = list(module_cases())


@pytest.mark.parametrize("case", CASES, ids=[f"{c[0][3:-4]}-{k}" for k, c in enumerate(CASES)])
def test_a_module_does_what_pytorch_s_does(case):
    _, line, wanted = case
    text, call, inputs = line.split("\t")
    x = list(Call(inputs, torch.float32).args)
    names = {"nn": nn, "torch": torch, "F": F, "x": x}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.manual_seed(0)
        names["m"] = m = eval(text, dict(names))
        assert repr(m).replace("\n", "\\n") == wanted["repr"]
        state = m.state_dict()
        assert [f"init.{k}" for k in state] == [k for k in wanted if k.startswith("init.")]
        for k, v in state.items():
            check(f"init.{k}", wanted[f"init.{k}"], v)
        for t in x:
            if t.is_floating_point():
                t.requires_grad_()
        outputs = tensors(eval(call, names))
    assert len(outputs) == sum(k.startswith("out.") for k in wanted)
    for k, t in enumerate(outputs):
        check(f"out.{k}", wanted[f"out.{k}"], t)
    roots = [(k, t) for k, t in enumerate(outputs) if t.requires_grad]
    if roots:
        seeds = [shaped([number("t", 100 + k, e) / 1e6 for e in range(t.numel())], t.shape, t.dtype) for k, t in roots]
        torch.autograd.backward([t for _, t in roots], seeds)
    for k, t in enumerate(x):
        if t.is_floating_point():
            check(f"grad.{k}", wanted[f"grad.{k}"], t.grad)
    for k, p in m.named_parameters():
        check(f"pgrad.{k}", wanted[f"pgrad.{k}"], p.grad)
    for k, b in m.named_buffers():
        check(f"after.{k}", wanted[f"after.{k}"], b)


def init_lines():
    with open(os.path.join(GOLDEN, "init.txt")) as lines:
        return [line.rstrip("\n") for line in lines if not line.startswith("#")]


@pytest.mark.parametrize("line", init_lines(), ids=lambda line: line.partition("\t")[0])
def test_an_initialiser_draws_what_pytorch_s_draws(line):
    text, _, numbers = line.partition("\t")
    names = {k: getattr(nn.init, k) for k in dir(nn.init) if k.endswith("_") and not k.startswith("_")}
    names.update(math=math, w=lambda *s: torch.empty(s), d=lambda *s: torch.empty(s, dtype=torch.float64))
    torch.manual_seed(42)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = eval(text, names)
    got = result.reshape(-1).tolist() + torch.rand(1).tolist()
    wanted = [float(v) for v in numbers.split()]
    assert len(got) == len(wanted)
    assert all(abs(a - b) <= 1e-6 + 1e-6 * abs(b) for a, b in zip(got, wanted)), (got, wanted)
