#!/usr/bin/env python3
"""Writes the table of docs/python.md: every public name of the package, from the registry and the modules.

    PYTHONPATH=python python3 tools/python_coverage.py            # writes the table
    PYTHONPATH=python python3 tools/python_coverage.py --check    # says whether it is up to date
"""

import importlib
import inspect
import os
import sys

import taut
from taut import _C

TARGET = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "docs", "python.md")
START, END = "<!-- coverage -->\n", "<!-- end of coverage -->\n"
MODULES = ["nn", "nn.functional", "nn.init", "nn.utils", "nn.utils.parametrize", "nn.utils.prune", "optim", "optim.lr_scheduler", "autograd", "autograd.functional",
           "autograd.forward_ad", "autograd.graph", "overrides", "fx", "utils._pytree", "utils._python_dispatch", "func", "linalg", "fft", "special", "signal.windows", "distributions", "distributions.constraints", "distributed", "masked", "quasirandom", "utils.data", "utils.checkpoint", "random", "testing",
           "amp", "cuda", "serialization", "safetensors", "io"]


def is_public(holder, name):
    value = getattr(holder, name)
    if name.startswith("_") or inspect.ismodule(value):
        return False
    home = getattr(value, "__module__", None) or ""
    return callable(value) and (home.startswith("taut") or home.startswith("torch") or type(value).__name__ == "Op")


def names_of(holder):
    return sorted((n for n in dir(holder) if is_public(holder, n)), key=str.lower)


def row(title, names):
    return f"| {title} | {len(names)} | {' '.join(f'`{n}`' for n in names)} |"


def table():
    lines = ["| module | names | |", "|---|---|---|"]
    ops = sorted(n for n in _C.ops if not n.startswith("_"))
    functions = [n for n in names_of(taut) if n not in _C.ops]
    methods = [n for n in sorted(dir(taut.Tensor)) if not n.startswith("_") and n not in _C.ops]
    lines.append(row("ops, as functions `torch.…`, most also as methods of Tensor; `…_` writes in place", ops))
    lines.append(row("`torch`, beside the ops", functions))
    lines.append(row("`torch.Tensor`, beside the ops", methods))
    for module in MODULES:
        lines.append(row(f"`torch.{module}`", names_of(importlib.import_module(f"taut.{module}"))))
    return "\n".join(lines) + "\n"


def main():
    with open(TARGET) as f:
        text = f.read()
    before, rest = text.split(START)
    written = before + START + table() + END + rest.split(END)[1]
    if "--check" in sys.argv[1:]:
        if written != text:
            sys.exit("the table of docs/python.md is out of date; run tools/python_coverage.py")
        return
    with open(TARGET, "w") as f:
        f.write(written)


if __name__ == "__main__":
    main()
