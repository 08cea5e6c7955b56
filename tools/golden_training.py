#!/usr/bin/env python3
"""Writes tests/golden/training.txt: the losses of small models that PyTorch trains for 50 steps, in float64, and beside
each how far float32 may be from it (python/tests/rounding.py).

    python3 tools/golden_training.py tests/golden/training.txt
"""

import sys

import torch

sys.modules.update({"taut": torch, "taut.nn": torch.nn, "taut.nn.functional": torch.nn.functional})
from golden_rounding import unit_text, with_units  # noqa: E402
from training import MODELS, OPTIMISERS, losses  # noqa: E402


def main():
    torch.set_num_threads(1)
    lines = [f"# Written by tools/golden_training.py with PyTorch {torch.__version__.split('+')[0]}."]
    for model in MODELS:
        for optimiser in OPTIMISERS:
            pairs = with_units(lambda dtype: [torch.tensor(v, dtype=torch.float64) for v in losses(model, optimiser, dtype)])
            lines.append(f"{model} {optimiser} " + " ".join(f"{v.item():.9g}{unit_text(u)}" for v, u in pairs))
    with open(sys.argv[1], "w") as out:
        out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
