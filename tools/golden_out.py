#!/usr/bin/env python3
"""Writes tests/golden/out.txt: what PyTorch does with `out=` for every op of the registry.

    dump_samples | python3 tools/golden_out.py tests/golden/out.txt              # all ops
    dump_samples | python3 tools/golden_out.py tests/golden/out.txt softmax      # this one; all others stay as they are

A line for the first samples of each row that PyTorch computes, in float32: the op, the arguments, and how each kind of
destination fares. `no` alone: the op takes no out. Otherwise words `kind=outcome`; an outcome is `ok`, `resized` (with
PyTorch's warning), `grown` (without), `error`, or `garbage`. `absent`: PyTorch has no such function; `unknown`: it takes
other arguments; `crash`: a destination made it crash.
"""

import os
import sys
import warnings

import torch

sys.modules["taut"] = torch  # samples.py is written against Taut, which has the same names
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python", "tests"))
from out_cases import cases, function_of, plain  # noqa: E402


def guarded(name, text):
    """line(name, text) in a process of its own: some destinations make PyTorch crash, which counts as an error."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what the C library says of a heap that PyTorch damaged
        os.write(writer, repr(line(name, text)).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as answer:
        text = answer.read()
    os.waitpid(child, 0)
    return eval(text) if text else "crash"


def line(name, text):
    f = function_of(torch, name)
    if f is None:
        return "absent"
    try:
        plain(f, text)
    except Exception:
        return None  # a sample that PyTorch rejects, or whose result is no tensor
    # A destination inside an argument goes well or not by the order in which threads write.
    return " ".join(f"{kind}={'ok' if kind.startswith('inside') and result == 'garbage' else result}"
                    for kind, result, _ in cases(f, text)) or "no"


def recorded(path):
    """What the file has now: {row: its lines}."""
    found = {}
    with open(path) as f:
        for each in f:
            found.setdefault(each.partition("\t")[0], []).append(each)
    return found


def main():
    wanted = sys.argv[2:]
    kept = recorded(sys.argv[1]) if wanted else {}
    rows = {}
    for each in sys.stdin:
        schema, _, text = each.rstrip("\n").partition("\t")
        row = schema[: schema.index("(")]
        if not row.partition(".")[0].endswith("_"):
            rows.setdefault(row, []).append(text)
    with open(sys.argv[1], "w") as to:
        for row in sorted(rows):
            if wanted and row.partition(".")[0] not in wanted:
                to.writelines(kept.get(row, []))
                continue
            found = 0
            for text in rows[row]:
                result = guarded(row.partition(".")[0], text)
                if result is None:
                    continue
                to.write(f"{row}\t{text}\t{result}\n")
                found += 1
                if found == 2 or result in ("no", "absent", "crash"):
                    break
            if not found:
                to.write(f"{row}\t{rows[row][0]}\tunknown\n")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
