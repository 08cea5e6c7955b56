#!/usr/bin/env python3
"""Writes what PyTorch prints into the transcripts python/tests/golden/nn_*.txt; the code in them stays as it is.
Writes the signatures of torch.nn, functional, init and utils to python/tests/golden/signatures_nn.json.

    python3 tools/golden_python_nn.py
"""

import copy
import glob
import inspect
import json
import math
import os
import pickle
import sys

import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python", "tests"))
import transcripts  # noqa: E402


def signatures():
    """{full name: [[parameter, kind, default], ...]} of all that has a signature."""
    nn = torch.nn
    found = {}

    def add(name, f):
        try:
            parameters = inspect.signature(f).parameters.values()
        except (TypeError, ValueError):
            return
        found[name] = [[p.name, int(p.kind), "" if p.default is p.empty else "function" if callable(p.default) else
                        repr(p.default)] for p in parameters if p.name != "self"]

    for name, cls in vars(nn).items():
        if inspect.isclass(cls) and issubclass(cls, nn.Module):
            add(f"nn.{name}", cls.__init__)
            for key, member in vars(cls).items():
                if inspect.isfunction(member) and (key == "forward" or not key.startswith("_")):
                    add(f"nn.{name}.{key}", member)
    for path in ("functional", "init", "utils", "utils.rnn", "utils.parametrize", "utils.parametrizations"):
        module = nn
        for part in path.split("."):
            module = getattr(module, part)
        for name, f in vars(module).items():
            if inspect.isfunction(f) and not name.startswith("_") and f.__module__.startswith("torch.nn"):
                add(f"nn.{path}.{name}", f)
    return found


def main():
    with open(os.path.join(transcripts.HERE, "golden", "signatures_nn.json"), "w") as out:
        out.write("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k, v in sorted(signatures().items())) +
                  "\n}\n")
    names = dict(torch=torch, nn=torch.nn, F=torch.nn.functional, copy=copy, pickle=pickle, math=math)
    for path in sorted(glob.glob(os.path.join(transcripts.HERE, "golden", "nn_*.txt"))):
        name, done = os.path.basename(path), []
        for code, _ in transcripts.read(name):
            torch.manual_seed(0)
            done.append((code, transcripts.run(code, names)))
        transcripts.write(name, "# Written by tools/golden_python_nn.py with PyTorch " + torch.__version__.split("+")[0]
                          + ".", done)


if __name__ == "__main__":
    main()
