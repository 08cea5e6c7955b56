#!/usr/bin/env python3
"""Writes what PyTorch prints into the transcripts python/tests/golden/library_*.txt; the code in them stays as it is.
Writes the signatures of torch.optim, torch.utils.data and their kin to python/tests/golden/signatures_library.json,
and small files of torch.save to python/tests/golden/saved_*.pt.

    python3 tools/golden_python_library.py
"""

import collections
import glob
import inspect
import json
import os
import sys

import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python", "tests"))
import library_names  # noqa: E402
import transcripts  # noqa: E402

GOLDEN = os.path.join(transcripts.HERE, "golden")
MODULES = ("optim", "optim.lr_scheduler", "optim.swa_utils", "utils.data", "utils.checkpoint", "testing", "amp",
           "random", "serialization")


def signatures():
    """{full name: [[parameter, kind, default], ...]} of classes and functions."""
    found = {}
    for path in MODULES:
        module = torch
        for part in path.split("."):
            module = getattr(module, part)
        for name in getattr(module, "__all__", None) or [n for n in vars(module) if not n.startswith("_")]:
            f = getattr(module, name)
            try:
                parameters = inspect.signature(f.__init__ if inspect.isclass(f) else f).parameters.values()
            except (TypeError, ValueError):
                continue
            found[f"{path}.{name}"] = [
                [p.name, int(p.kind), "" if p.default is p.empty else "object" if callable(p.default) or
                 " at 0x" in repr(p.default) else
                 repr(p.default)]
                for p in parameters if p.name != "self"]
    return found


def save_files():
    """Files that tests/test_serialization.py reads."""
    torch.manual_seed(1)
    x = torch.arange(12.0).reshape(3, 4)
    noted = torch.ones(2)
    noted.note = 3
    generator = torch.Generator().manual_seed(7)
    torch.rand(3, generator=generator)
    values = {"x": x, "column": x[:, 1], "t": x.t(), "parameter": torch.nn.Parameter(torch.tensor([1.5, -2.0])),
              "frozen": torch.nn.Parameter(torch.ones(1), requires_grad=False), "dtype": torch.float16,
              "device": torch.device("cpu"), "size": x.shape, "empty": torch.empty(0, 3), "bytes": b"ab\xff",
              "noted": noted, "ordered": collections.OrderedDict(a=[1, 2.5, "x", None, True]), "set": {1, 2},
              "tuple": (1, (2, 3)), "big": 2**70, "complex": 1 + 2j, "leaf": torch.ones(2, requires_grad=True)}
    for dtype in (torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8,
                  torch.uint8, torch.bool):
        values[str(dtype)] = torch.tensor([0, 1, 2]).to(dtype)
    torch.save(values, os.path.join(GOLDEN, "saved_values.pt"))
    torch.save(generator, os.path.join(GOLDEN, "saved_generator.pt"))
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    model(torch.ones(4, 2)).sum().backward()
    optimizer.step()
    scheduler.step()
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "scheduler": scheduler.state_dict(),
                "epoch": 3},
               os.path.join(GOLDEN, "saved_checkpoint.pt"))
    torch.save(model, os.path.join(GOLDEN, "saved_model.pt"))
    torch.save(optimizer, os.path.join(GOLDEN, "saved_optimizer.pt"))


def main():
    with open(os.path.join(GOLDEN, "signatures_library.json"), "w") as out:
        out.write("{\n" + ",\n".join(f"{json.dumps(k)}: {json.dumps(v)}" for k,
                                     v in sorted(signatures().items())) + "\n}\n")
    save_files()
    for path in sorted(glob.glob(os.path.join(GOLDEN, "library_*.txt"))):
        name, done = os.path.basename(path), []
        for code, _ in transcripts.read(name):
            torch.manual_seed(0)
            done.append((code, transcripts.run(code, library_names.names(torch))))
        version = torch.__version__.split("+")[0]
        transcripts.write(name, f"# Written by tools/golden_python_library.py with PyTorch {version}.", done)


if __name__ == "__main__":
    main()
