"""Every module of tests/golden/nn_*.txt prints, initialises, computes and differentiates as PyTorch's; nn.init too."""

import glob
import math
import os
import warnings

import pytest
import taut as torch
import taut.nn as nn
import taut.nn.functional as F
from attention_options import GOLDEN as ATTENTION, attend, combinations, text
from rounding import ROUNDING, beyond
from samples import GOLDEN, Call, number, shaped


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
    sizes, _, marks = rest.partition("]")
    step, _, unit = marks.partition("~")
    assert str(t.dtype) == f"torch.{dtype}", what
    assert ",".join(map(str, t.shape)) == sizes, what
    wanted = [float(v) for v in numbers.split(",") if v]
    got = [float(v) for v in t.detach().reshape(-1)[::int(step[1:]) if step else 1].tolist()]
    problem = beyond(got, wanted, float(unit or 0))
    assert problem is None, f"{what}: {problem}"


CASES = list(module_cases())


def compare(case, change=lambda m: None):
    """Makes the module of a case, changes it, and compares all it does."""
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
        change(m)
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


@pytest.mark.parametrize("case", CASES, ids=[f"{c[0][3:-4]}-{k}" for k, c in enumerate(CASES)])
def test_a_module_does_what_pytorch_s_does(case):
    compare(case)


@pytest.mark.parametrize("text, change", [
    ("nn.Linear(3, 2)", lambda m: m.bias.data.zero_()),
    ("nn.Linear(20, 30)", lambda m: m.weight.data.view(-1)[7].mul_(1.001)),
    ("nn.LayerNorm(5)", lambda m: setattr(m, "eps", 2 * m.eps)),
    ("nn.Transformer(4, 2, 1, 1, 6)", lambda m: m.decoder.layers[0].linear2.weight.data[0, 0].mul_(1.001)),
])
def test_the_comparison_sees_a_small_fault(text, change):
    case = next(c for c in CASES if c[1].startswith(text + "\t"))
    compare(case)
    with pytest.raises(AssertionError, match="units from"):
        compare(case, change)


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
    assert beyond(got, wanted, ROUNDING * max(map(abs, wanted))) is None


@pytest.mark.filterwarnings("ignore:Support for mismatched")
def test_every_combination_of_options_of_attention_is_pytorch_s():
    with open(ATTENTION) as lines:
        wanted = [line.split() for line in lines if not line.startswith("#")]
    for o, want in zip(combinations(), wanted, strict=True):
        got = f"{text(o)} {attend(o)}".split()
        assert len(got) == len(want)
        for g, w in zip(got, want):
            assert g == w or abs(float(g) - float(w)) <= 1e-4, f"{got} instead of {want}"
