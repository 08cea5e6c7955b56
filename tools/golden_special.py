#!/usr/bin/env python3
"""Writes python/tests/golden/special_*.txt: PyTorch's answers at the edges of every dtype (see python/tests/special.py).

    dump_samples | python3 tools/golden_special.py
"""

import os
import resource
import sys
import warnings

import torch

sys.modules["taut"] = torch  # special.py is written against Taut, which has the same names
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "python", "tests")]
from golden_ops import callee  # noqa: E402
from special import (DTYPES, GOLDEN, PARTS, Row, calls, dtypes_of, flat, kinds, large, large_calls, summary,  # noqa: E402
                     tokens)

warnings.simplefilter("ignore")


def answer(row, f, call):
    """The words of one call: its tokens, "E" for an error, "U" for a dtype that PyTorch has no kernel for."""
    _, tensors, numbers, extras = call
    try:
        result = row.call(f, tensors, numbers, **extras)
    except Exception as e:
        return None, ["U" if "not implemented for" in str(e) or "not supported" in str(e) else "E"]
    if any(not isinstance(r, torch.Tensor) for r in flat(result)):
        return None, ["U"]
    words = tokens(result)
    if all(r.shape == tensors[0].shape for r in flat(result)) and row.fixed.keys().isdisjoint(("dim", "dims")):
        # Its vectors and its single numbers may differ: then nothing is asked of Taut.
        n = len(words)
        again = tokens(row.call(f, [t.repeat(64) for t in tensors], numbers, **extras)) if n else []
        other = [w for k in range(len(flat(result))) for w in again[k * 64 * n // len(flat(result)):][:n // len(flat(result))]]
        if len(other) == n:
            words = [a if a == b else "?" for a, b in zip(words, other)]
    return dtypes_of(result), words


def pointwise(row, f, dtype):
    """Is each result made of the operands at its own place?"""
    for _, tensors, numbers, extras in calls(row, "each", dtype):
        try:
            whole = row.call(f, tensors, numbers, **extras)
            if not isinstance(whole, torch.Tensor) or whole.shape != tensors[0].shape:
                return False
            for k in range(0, len(tensors[0]), max(1, len(tensors[0]) // 16)):
                one = row.call(f, [t[k:k + 1] for t in tensors], numbers, **extras)
                if not torch.allclose(one.double(), whole[k:k + 1].double(), equal_nan=True, rtol=1e-2):
                    return False
        except Exception:
            return False
    return True


def packed(words):
    """Equal neighbours as one."""
    out = []
    for w in words:
        if out and out[-1][0] == w:
            out[-1][1] += 1
        else:
            out.append([w, 1])
    return " ".join(w if n == 1 else f"{w}*{n}" for w, n in out)


def main():
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))  # some ops take a number for a size
    files = {part: [] for part in PARTS}
    for schema in sorted({line.split("\t")[0] for line in sys.stdin}):
        row = Row(schema)
        f = callee(row.name, row.overload) if row.fits else None
        found = False
        for kind in kinds(row) if f else []:
            lines = []
            for name, dtype in DTYPES.items():
                if kind == "pairs" and pointwise(row, f, dtype) or kind == "each" and not pointwise(row, f, dtype):
                    continue
                answers = [answer(row, f, call) for call in calls(row, kind, dtype)]
                types = {t for t, _ in answers if t}
                if not types:
                    continue
                words = [w for _, a in answers for w in a]
                if kind in ("rows", "pairs") and words == [w for _, x, *_ in calls(row, kind, dtype) for w in tokens(x[0])]:
                    continue  # a view or a copy
                lines.append(f"{row.head}\t{kind}\t{name}\t{','.join(sorted(types))}\t{packed(words)}")
            part = ("reductions" if kind in ("rows", "pairs") else "numbers" if kind != "each" else
                    "unary" if len(row.tensors) == 1 else "binary")
            files[part] += lines
            found = found or bool(lines)
        if not found:
            files["unary"].append(f"- {row.head}")
    for text in large_calls():
        for dtype in (torch.float16, torch.bfloat16):
            try:
                result = large(text, dtype)
                line = f"{dtypes_of(result)}\t{packed(tokens(summary(result)))}"
            except Exception as e:
                print(text, e, file=sys.stderr)
                line = "\tU"
            files["reductions"].append(f"= {text}\t{str(dtype)[6:]}\t{line}")
    for part, lines in files.items():
        with open(GOLDEN.format(part), "w") as out:
            out.write(f"# Written by tools/golden_special.py with PyTorch {torch.__version__.split('+')[0]}.\n")
            out.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
