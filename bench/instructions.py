#!/usr/bin/env python3
"""Counts the instructions of the C++ overhead rows under callgrind, so that a regression shows on a noisy machine.

usage: instructions.py program [--record]

Compares with bench/instructions.txt and fails when a row grew by more than a tenth; --record writes that file instead.
Start-up does not count: callgrind collects inside the function `measured` of overhead.cpp only, after each row has run
a few times. The kernels are those for AVX2 on every machine, since valgrind knows no later ones.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

RECORD = Path(__file__).resolve().parent / "instructions.txt"
ALLOWED = 1.10


def count(program):
    """Instructions per op of each row, in order."""
    with tempfile.TemporaryDirectory() as directory:
        out = Path(directory) / "counts"
        run = subprocess.run(
            [
                "valgrind",
                "--tool=callgrind",
                "--toggle-collect=measured",
                "--dump-after=measured",
                f"--callgrind-out-file={out}",
                str(program),
                "count",
            ],
            capture_output=True,
            text=True,
            env={**os.environ, "TAUT_ISA": "1"},
        )
        if run.returncode:
            sys.exit(f"{program} failed under valgrind:\n{run.stderr}")
        rows = [line.split("\t") for line in run.stdout.splitlines()]
        return {name: total(Path(f"{out}.{i}")) / float(ops) for i, (name, ops) in enumerate(rows, 1)}


def total(dump):
    return int(re.search(r"^(?:summary|totals): (\d+)", dump.read_text(), re.MULTILINE).group(1))


def recorded():
    if not RECORD.exists():
        return {}
    lines = (line for line in RECORD.read_text().splitlines() if line and not line.startswith("#"))
    return {name: float(value) for value, name in (line.split(maxsplit=1) for line in lines)}


def main():
    arguments = [a for a in sys.argv[1:] if a != "--record"]
    if len(arguments) != 1:
        sys.exit(__doc__)
    counts, before = count(arguments[0]), recorded()
    if "--record" in sys.argv:
        lines = ["# Instructions per op, written by `make bench-instructions RECORD=1` (see bench/instructions.py)."]
        RECORD.write_text("\n".join(lines + [f"{value:9.0f}  {name}" for name, value in counts.items()]) + "\n")
        before = counts
    grown = []
    print(f"{'instructions per op':48}{'now':>10}{'recorded':>10}")
    for name, value in counts.items():
        old = before.get(name)
        line = f"{name:48}{value:10.0f}" + (f"{old:10.0f}{value / old:8.2f}" if old else f"{'new':>10}")
        if old and value > ALLOWED * old:
            grown.append(name)
            line += "   GREW"
        print(line)
    for name in before.keys() - counts.keys():
        print(f"{name:48}{'gone':>10}{before[name]:10.0f}")
    if grown:
        sys.exit(f"{len(grown)} row(s) grew by more than a tenth. When that is meant: make bench-instructions RECORD=1")


if __name__ == "__main__":
    main()
