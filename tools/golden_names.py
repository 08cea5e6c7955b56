#!/usr/bin/env python3
"""Writes tools/torch_names.txt: the public names of PyTorch's namespaces, a line each, for tools/absent_names.py.

    python3 tools/golden_names.py        # a Python that has torch==2.13.0
"""

import importlib
import inspect
import os
import types

import torch

TARGET = os.path.join(os.path.dirname(os.path.abspath(__file__)), "torch_names.txt")
NAMESPACES = ["torch", "torch.Tensor", "torch.nn.functional", "torch.linalg", "torch.fft", "torch.special"]


def holder(namespace):
    return torch.Tensor if namespace == "torch.Tensor" else importlib.import_module(namespace)


def is_public(namespace, name, value):
    """No module, nothing of Python's own, and no class of the compiler that only happens to be visible."""
    if name.startswith("_") or isinstance(value, types.ModuleType) or (value is torch.Tensor and namespace != "torch"):
        return False
    if namespace == "torch.Tensor" or isinstance(value, (torch.dtype, torch.layout, torch.memory_format, torch.qscheme)):
        return True
    home = getattr(value, "__module__", None) or ""
    if inspect.isclass(value) and home in ("torch._C", "torch.jit", "torch._C._functions"):
        return False
    return callable(value) and (home.startswith("torch") or home == "") and getattr(value, "__name__", name) != "Callable"


def main():
    with open(TARGET, "w") as out:
        out.write(f"# Written by tools/golden_names.py with PyTorch {torch.__version__.split('+')[0]}.\n")
        for namespace in NAMESPACES:
            of = holder(namespace)
            names = [n for n in dir(of) if is_public(namespace, n, inspect.getattr_static(of, n))]
            out.write(f"{namespace}: {' '.join(names)}\n")


if __name__ == "__main__":
    main()
