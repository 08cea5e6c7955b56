#!/usr/bin/env python3
"""Writes tests/golden/writes.txt: what may be overwritten between the forward and the backward of every sample call.

    dump_samples | python3 tools/golden_writes.py tests/golden             # all ops
    dump_samples | python3 tools/golden_writes.py tests/golden softmax     # this one; all others stay as they are

A line is a call and, for each set of float arguments that require a gradient (all of them, then each alone), one sign
per tensor among the arguments and, after a colon, per tensor among the results: `w` where PyTorch's backward still
works after a write there, `-` where it raises or there is nothing to write.
"""

import os
import re
import sys

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from golden_ops import Call, callee, evaluate, flat  # noqa: E402


def tensors_in(call):
    """Those of the arguments, by name after those by position; lists opened."""
    return [t for t in flat(list(call.args) + list(call.kwargs.values())) if isinstance(t, torch.Tensor)]


def replaced(value, tensors):
    if isinstance(value, torch.Tensor):
        return next(tensors)
    return type(value)(replaced(v, tensors) for v in value) if isinstance(value, (list, tuple)) else value


def attempt(f, text, in_place, tracked, target):
    """Is `target`, ("in" or "out", number), free to be written? None when the call records nothing or has no such."""
    call = Call(text, torch.float64)
    leaves = [t.detach().requires_grad_(i in tracked) for i, t in enumerate(tensors_in(call))]
    copies = [t.clone() for t in leaves]
    own = iter(copies)
    call.args = [replaced(a, own) for a in call.args]
    call.kwargs = {k: replaced(a, own) for k, a in call.kwargs.items()}
    results = [r for r in evaluate(f, call, in_place) if isinstance(r, torch.Tensor)]
    outputs = [r for r in results if r.requires_grad]
    if not outputs:
        return None
    if target is not None:
        written = (copies if target[0] == "in" else results)[target[1]]
        try:
            with torch.no_grad():
                written.zero_()
        except RuntimeError:
            return False
    try:
        torch.autograd.grad(outputs, [t for t in leaves if t.requires_grad], [torch.ones_like(r) for r in outputs],
                            allow_unused=True)
    except RuntimeError as e:
        if "modified by an inplace operation" not in str(e) and target is None:
            return None
        return False
    return len(results)


def record(head, text):
    name, _, overload = head.partition(".")
    f = callee(name, overload)
    if f is None:
        return None
    in_place = name.endswith("_") and not name.endswith("__")
    tensors = tensors_in(Call(text, torch.float64))
    floats = [i for i, t in enumerate(tensors) if t.is_floating_point() or t.is_complex()]
    sets = []
    for tracked in [floats] + ([[i] for i in floats] if len(floats) > 1 else []):
        results = attempt(f, text, in_place, tracked, None)
        if not results:
            sets.append("?")
            continue
        signs = ["w" if attempt(f, text, in_place, tracked, ("in", i)) else "-" for i in range(len(tensors))]
        signs += [":"] + ["w" if attempt(f, text, in_place, tracked, ("out", k)) else "-" for k in range(results)]
        sets.append("".join(signs))
    return " ".join(sets) if any("w" in s for s in sets) else None


def main():
    target, wanted, lines = os.path.join(sys.argv[1], "writes.txt"), sys.argv[2:], []
    if wanted:
        with open(target) as f:
            lines = [line for line in f.read().splitlines()[1:] if re.match(r"\w+", line)[0] not in wanted]
    for line in sys.stdin:
        schema, _, text = line.rstrip("\n").partition("\t")
        head = schema.partition("(")[0]
        if wanted and head.partition(".")[0] not in wanted:
            continue
        try:
            signs = record(head, text)
        except Exception:  # PyTorch refuses the call, or has nothing of that name
            continue
        if signs:
            lines.append(f"{head}\t{text}\t{signs}")
    with open(target, "w") as out:
        out.write("# Written by tools/golden_writes.py with PyTorch " + torch.__version__.split("+")[0] + ".\n")
        out.write("\n".join(sorted(lines)) + "\n")


if __name__ == "__main__":
    main()
