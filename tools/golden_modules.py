#!/usr/bin/env python3
"""Writes a golden file of modules: how PyTorch prints, initialises, computes and differentiates each.

    nn_conv_test --dump | python3 tools/golden_modules.py tests/golden/nn_conv.txt

A line of input is a module, a call and its inputs, separated by tabs: nn.Linear(3, 2), m(*x), t(4, 3). The module is made
after manual_seed(0), and called with float32 inputs; tests/support/module_case.h does the same in C++.
"""

import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

from golden_ops import Call, number, number_text, shaped

MOST = 160  # elements of one tensor that are written


def tensor_text(t):
    if t is None:
        return "none"
    t = t.detach()
    step = max(1, t.numel() // (MOST // 2)) if t.numel() > MOST else 1
    values = ",".join(number_text(v, t.dtype) for v in t.reshape(-1)[::step].tolist())
    sizes = ",".join(map(str, t.shape))
    return f"{str(t.dtype)[6:]}[{sizes}]{f'/{step}' if step > 1 else ''}:{values}"


def tensors(result):
    if isinstance(result, torch.Tensor):
        return [result]
    if isinstance(result, (tuple, list)):
        return [t for r in result for t in tensors(r)]
    return []


def record(line):
    text, call, inputs = line.split("\t")
    x = list(Call(inputs, torch.float32).args)
    torch.manual_seed(0)
    m = eval(text, {"nn": nn, "torch": torch, "F": F})  # the cases are our own
    lines = [f"> {line}", "repr " + repr(m).replace("\n", "\\n")]
    lines += [f"init.{k} {tensor_text(v)}" for k, v in m.state_dict().items()]
    for t in x:
        if t.is_floating_point():
            t.requires_grad_()
    outputs = tensors(eval(call, {"m": m, "x": x, "torch": torch, "nn": nn, "F": F}))
    lines += [f"out.{k} {tensor_text(t)}" for k, t in enumerate(outputs)]
    roots = [(k, t) for k, t in enumerate(outputs) if t.requires_grad]
    if roots:
        seeds = [shaped([number("t", 100 + k, e) / 1e6 for e in range(t.numel())], t.shape, t.dtype) for k, t in roots]
        torch.autograd.backward([t for _, t in roots], seeds)
    lines += [f"grad.{k} {tensor_text(t.grad)}" for k, t in enumerate(x) if t.is_floating_point()]
    lines += [f"pgrad.{k} {tensor_text(p.grad)}" for k, p in m.named_parameters()]
    lines += [f"after.{k} {tensor_text(b)}" for k, b in m.named_buffers()]
    return lines


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
