#!/usr/bin/env python3
"""Writes what PyTorch prints into the transcripts python/tests/golden/nn_*.txt; the pieces of code in them stay as they are.

    python3 tools/golden_python_nn.py
"""

import copy
import glob
import math
import os
import pickle
import sys

import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python", "tests"))
import transcripts  # noqa: E402


def main():
    names = dict(torch=torch, nn=torch.nn, F=torch.nn.functional, copy=copy, pickle=pickle, math=math)
    for path in sorted(glob.glob(os.path.join(transcripts.HERE, "golden", "nn_*.txt"))):
        name, done = os.path.basename(path), []
        for code, _ in transcripts.read(name):
            torch.manual_seed(0)
            done.append((code, transcripts.run(code, names)))
        transcripts.write(name, "# Written by tools/golden_python_nn.py with PyTorch " + torch.__version__.split("+")[0] + ".", done)


if __name__ == "__main__":
    main()
