#!/usr/bin/env python3
"""Writes tests/golden/init.txt: what torch.nn.init draws for the calls listed in tests/init_test.cpp.

    python3 tools/golden_init.py tests/init_test.cpp tests/golden/init.txt

One call a line: its text, a tab, the elements, then the number the generator draws next.
"""

import math
import re
import sys
import warnings

import torch
import torch.nn.init

warnings.simplefilter("ignore")
names = {k: getattr(torch.nn.init, k) for k in torch.nn.init.__all__}
names.update(math=math, w=lambda *s: torch.empty(s), d=lambda *s: torch.empty(s, dtype=torch.float64))
with open(sys.argv[1]) as source, open(sys.argv[2], "w") as out:
    out.write("# Written by tools/golden_init.py with PyTorch " + torch.__version__.split("+")[0] + ".\n")
    for text in re.findall(r'^    \{"(.*?)",', source.read(), re.M):
        torch.manual_seed(42)
        result = eval(text, dict(names))  # the calls are our own
        values = result.reshape(-1).tolist() + torch.rand(1).tolist()
        out.write(text + "\t" + " ".join(f"{v:.9g}" for v in values) + "\n")
