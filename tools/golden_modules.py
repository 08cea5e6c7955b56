#!/usr/bin/env python3
"""Writes a golden file of modules: how PyTorch prints, initialises, computes and differentiates each.

    nn_conv_test --dump | python3 tools/golden_modules.py tests/golden/nn_conv.txt

A line of input is a module, a call and its inputs, separated by tabs: nn.Linear(3, 2), m(*x), t(4, 3). The module is made
after manual_seed(0), and called with float32 inputs; tests/support/module_case.h does the same in C++. What is written is
what PyTorch computes from these in float64, and how far float32 may be from it (python/tests/rounding.py).
"""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

from golden_ops import Call, number, number_text, shaped
from golden_rounding import ROUNDING, largest, unit_text, with_units

MOST = 160  # elements of one tensor that are written


def tensor_text(dtype, t, unit):
    if t is None:
        return "none"
    t = t.detach()
    step = max(1, t.numel() // (MOST // 2)) if t.numel() > MOST else 1
    values = ",".join(number_text(v, torch.float64, 9) if t.is_floating_point() else str(int(v)) for v in
                      t.reshape(-1)[::step].tolist())
    sizes = ",".join(map(str, t.shape))
    return f"{str(dtype)[6:]}[{sizes}]{f'/{step}' if step > 1 else ''}{unit_text(unit)}:{values}"


def tensors(result):
    if isinstance(result, torch.Tensor):
        return [result]
    if isinstance(result, (tuple, list)):
        return [t for r in result for t in tensors(r)]
    return []


def evaluate(line, dtype):
    """The module, its initial state, and {name: tensor} of results and gradients, computed in this dtype from the same
    float32 weights, inputs, seeds and random numbers."""
    text, call, inputs = line.split("\t")
    torch.manual_seed(0)
    m = eval(text, {"nn": nn, "torch": torch, "F": F})  # the cases are our own
    shown, state = repr(m), {k: v.clone() for k, v in m.state_dict().items()}
    m.to(dtype)
    x = [t.to(dtype).requires_grad_() if t.is_floating_point() else t for t in Call(inputs, torch.float32).args]
    draw = torch.rand
    torch.set_default_dtype(dtype)
    torch.rand = lambda *a, **k: draw(*a, **dict(k, dtype=torch.float32)).to(dtype)
    try:
        outputs = tensors(eval(call, {"m": m, "x": x, "torch": torch, "nn": nn, "F": F}))
    finally:
        torch.rand = draw
        torch.set_default_dtype(torch.float32)
    roots = [(k, t) for k, t in enumerate(outputs) if t.requires_grad]
    if roots:
        seeds = [shaped([number("t", 100 + k, e) / 1e6 for e in range(t.numel())], t.shape, torch.float32).to(dtype)
                 for k, t in roots]
        torch.autograd.backward([t for _, t in roots], seeds)
    named = {f"out.{k}": t.detach() for k, t in enumerate(outputs)}
    named.update({f"grad.{k}": t.grad for k, t in enumerate(x) if t.is_floating_point()})
    named.update({f"pgrad.{k}": p.grad for k, p in m.named_parameters()})
    named.update({f"after.{k}": b for k, b in m.named_buffers()})
    return shown, state, named


def record(line):
    shown, state, named = evaluate(line, torch.float32)
    lines = [f"> {line}", "repr " + shown.replace("\n", "\\n")]
    lines += [f"init.{k} {tensor_text(v.dtype, v, initial_unit(v))}" for k, v in state.items()]
    pairs = with_units(lambda dtype: list(evaluate(line, dtype)[2].values()))
    return lines + [f"{k} {tensor_text(t if t is None else t.dtype, *p)}" for (k, t), p in zip(named.items(), pairs)]


def initial_unit(t):
    return largest(t) * ROUNDING[torch.float64] if t.is_floating_point() else None


def main():
    lines = [f"# Written by tools/golden_modules.py with PyTorch {torch.__version__.split('+')[0]}."]
    for line in sys.stdin:
        try:
            lines += record(line.rstrip("\n"))
        except Exception as e:
            sys.exit(f"{line.rstrip()}: {type(e).__name__}: {e}")
    with open(sys.argv[1], "w") as out:
        out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
