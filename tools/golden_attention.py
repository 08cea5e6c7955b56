#!/usr/bin/env python3
"""Writes tests/golden/attention_options.txt: PyTorch's multi_head_attention_forward with every combination of options.

    python3 tools/golden_attention.py    # with a Python that has torch
"""

import os
import sys
import warnings

import torch

sys.modules["taut"] = torch  # attention_options.py is written against Taut, which has the same names
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python", "tests"))
from attention_options import GOLDEN, attend, combinations, text  # noqa: E402

warnings.simplefilter("ignore")
with open(GOLDEN, "w") as out:
    out.write(f"# Written by tools/golden_attention.py with PyTorch {torch.__version__.split('+')[0]}.\n")
    for o in combinations():
        out.write(f"{text(o)} {attend(o)}\n")
