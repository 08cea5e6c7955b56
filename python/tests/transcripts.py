"""Transcripts: pieces of Python, and what they print. `>>> ` and `... ` lead the lines of a piece, `| ` what it gave.

run() gives the same text for PyTorch and Taut when they behave alike: what is printed, the repr of a last expression,
`warning Class: message` and `error Class: message`.
"""

import ast
import contextlib
import io
import os
import re
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))
NUMBER = re.compile(r"(-?\d+\.\d{4,}(?:e[+-]?\d+)?)")  # as tensors print theirs; what is shorter was not rounded


def read(name):
    """[(piece, what it gave)] of a transcript in golden/."""
    pieces = []
    with open(os.path.join(HERE, "golden", name)) as lines:
        for line in lines:
            line = line.rstrip("\n")
            if line.startswith(">>> "):
                pieces.append(([line[4:]], []))
            elif line.startswith("..."):
                pieces[-1][0].append(line[4:])
            elif line.startswith("|"):
                pieces[-1][1].append(line[2:])
    return [("\n".join(code), "\n".join(output)) for code, output in pieces]


def write(name, heading, pieces):
    """Writes a transcript."""
    with open(os.path.join(HERE, "golden", name), "w") as out:
        out.write(heading + "\n")
        for code, output in pieces:
            first, *rest = code.split("\n")
            out.write("\n>>> " + first + "\n" + "".join(f"... {line}".rstrip() + "\n" for line in rest))
            out.write("".join(f"| {line}".rstrip() + "\n" for line in output.split("\n") if output))


def run(code, names):
    """What a piece prints and gives."""
    out = io.StringIO()
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    names = dict(names, __name__="__main__")
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(out):
        warnings.simplefilter("always")
        try:
            exec(compile(tree, "<piece>", "exec"), names)
            value = eval(compile(ast.Expression(last.value), "<piece>", "eval"), names) if last is not None else None
            if value is not None:
                print(repr(value))
        except Exception as problem:
            print(f"error {type(problem).__name__}: {problem}")
    for w in caught:
        if "(Triggered internally" in str(w.message):  # of PyTorch's own workings
            continue
        out.write(f"warning {w.category.__name__}: {w.message}\n")
    text = re.sub(r" at 0x[0-9a-f]+", " at 0x", out.getvalue()).rstrip("\n")
    return "\n".join(line.rstrip() for line in text.split("\n"))


def alike(got, wanted):
    """The same text, where the last digit of a printed float may be the next one: a rounding may fall on its edge."""
    if got == wanted:
        return True
    a, b = NUMBER.split(got), NUMBER.split(wanted)
    return len(a) == len(b) and all(near(x, y) if k % 2 else x.split() == y.split() for k, (x, y) in enumerate(zip(a, b)))


def near(got, wanted):
    digits, _, exponent = wanted.partition("e")
    last = 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))
    return abs(float(got) - float(wanted)) <= 1.001 * last
