#!/usr/bin/env python3
"""Writes what PyTorch prints into the transcripts python/tests/golden/extend_*.txt: subclasses, modes, trees, torch.fx and
what looks into the graph. The code in them stays as it is.

    python3 tools/golden_python_extend.py [NAME...]
"""

import glob
import os
import sys

import torch
import torch.fx  # noqa: F401

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python", "tests"))
import extend_names  # noqa: E402
import transcripts  # noqa: E402


def main():
    wanted = sys.argv[1:]
    for path in sorted(glob.glob(os.path.join(transcripts.HERE, "golden", "extend_*.txt"))):
        name, done = os.path.basename(path), []
        if wanted and name[len("extend_"):-4] not in wanted:
            continue
        for code, _ in transcripts.read(name):
            torch.manual_seed(0)
            done.append((code, transcripts.run(code, extend_names.names(torch))))
        version = torch.__version__.split("+")[0]
        transcripts.write(name, f"# Written by tools/golden_python_extend.py with PyTorch {version}.", done)


if __name__ == "__main__":
    main()
