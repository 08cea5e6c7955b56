#!/usr/bin/env python3
"""Writes python/tests/golden/snippets.json: what PyTorch answers to the expressions of python/tests/snippets.txt.

    python3 tools/golden_python_snippets.py    # with a Python that has torch and numpy
"""

import json
import os
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python", "tests")
sys.path.insert(0, ROOT)

import torch  # noqa: E402
from snippets import evaluate, expressions  # noqa: E402

with open(os.path.join(ROOT, "golden", "snippets.json"), "w") as out:
    json.dump({e: evaluate(torch, e) for e in expressions()}, out, indent=0)
    out.write("\n")
