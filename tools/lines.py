#!/usr/bin/env python3
"""Counts the lines of code above the ops, by subject and face: C++, Python, the binding between them, and tables that both are
written from. Blank lines, comments, docstrings and what is generated do not count. The last rows, the ops themselves, show what
moved below.

    python3 tools/lines.py                    # the working tree
    python3 tools/lines.py ba2024b HEAD       # two revisions, and the difference
"""

import ast
import io
import pathlib
import re
import subprocess
import sys
import tokenize

ROOT = pathlib.Path(__file__).resolve().parent.parent
# (subject, files): the first row that fits a file has it.
SUBJECTS = [
    ("schedulers", r"(include/taut|src|python/taut)/optim/(lr_scheduler|schedules)\.|python/src/schedulers\.cpp"),
    ("optimisers, averages", r"include/taut/optim\.h|(include/taut|src|python/taut)/optim/|python/src/optim\.cpp"),
    ("nn", r"include/taut/nn(\.h|/)|(src|python/taut)/nn/|python/src/nn"),
    ("data", r"include/taut/data(\.h|/)|src/data/|python/taut/utils/data/|python/src/data"),
    (".pt", r"(include/taut|src)/io/(object|torch_file|pickler|unpickler|zip)\.|python/taut/(serialization|_legacy|_pickling)\.py"
            r"|python/src/(pickle|torch_file|serialization)"),
    ("other files", r"include/taut/(io|serialize|fingerprint)\.h|include/taut/io/|src/io/|python/taut/(io|safetensors|_fingerprint)\.py"
                    r"|python/src/files"),
    ("gradcheck", r".*/gradcheck\.(cpp|h|py)$"),
    ("reports, progress", r"include/taut/(graph|report|progress)\.h|src/report/"),
]
BELOW = [("formulas of optimisers", r"src/ops/formulas/optim/|src/ops/optim"),
         ("all other ops", r"src/ops/|include/taut/ops/")]
FACES = ["C++", "Python", "binding", "tables"]


def run(*command):
    return subprocess.run(["git", "-C", ROOT, *command], check=True, capture_output=True).stdout


def sources(revision):
    """(path, text) of every source file; of the working tree where there is no revision."""
    listed = run("ls-tree", "-r", "--name-only", revision) if revision else run("ls-files", "-co", "--exclude-standard")
    paths = [p for p in listed.decode().splitlines() if p.endswith((".h", ".cpp", ".inc", ".py", ".txt")) and "/tests/" not in p]
    paths = [p for p in paths if subject_of(p, SUBJECTS + BELOW)]
    if not revision:
        return [(p, (ROOT / p).read_text()) for p in paths if (ROOT / p).exists()]
    asked = "".join(f"{revision}:{p}\n" for p in paths).encode()
    answer = io.BytesIO(subprocess.run(["git", "-C", ROOT, "cat-file", "--batch"], input=asked, check=True,
                                       capture_output=True).stdout)
    found = []
    for p in paths:
        size = int(answer.readline().split()[2])
        found.append((p, answer.read(size).decode()))
        answer.readline()
    return found


def subject_of(path, subjects):
    return next((name for name, pattern in subjects if re.match(pattern, path)), None)


def face_of(path):
    return "Python" if path.endswith(".py") else "tables" if path.endswith(".txt") else \
        "binding" if path.startswith("python/src/") else "C++"


def generated(text):
    """The numbers of the lines that a script wrote: those from "Written by tools/" to the end of the part, or of the file."""
    found, inside = set(), False
    for number, line in enumerate(text.split("\n"), 1):
        inside = inside or re.match(r" *(//|#).*Written by tools/", line) is not None
        if inside:
            found.add(number)
        if re.match(r" *(// clang-format on|# End of what is written)", line):
            inside = False
    return found


def cpp_lines(text):
    strings = r'"(?:[^"\\\n]|\\.)*"' + r"|'(?:[^'\\\n]|\\.)'"
    text = re.sub(rf"({strings})|//[^\n]*|/\*.*?\*/", lambda m: m[1] or "\n" * m[0].count("\n"), text, flags=re.DOTALL)
    return {number for number, line in enumerate(text.split("\n"), 1) if line.strip()}


def table_lines(text):
    return {number for number, line in enumerate(text.split("\n"), 1) if line.strip() and not line.lstrip().startswith("#")}


def python_lines(text):
    documented = set()
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", None)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and body \
                and isinstance(body[0], ast.Expr) and isinstance(getattr(body[0].value, "value", None), str):
            documented |= set(range(body[0].lineno, body[0].end_lineno + 1))
    silent = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    code = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in silent:
            code |= set(range(token.start[0], token.end[0] + 1))
    return code - documented


def count(revision):
    """{(subject, face): lines}"""
    counts = {}
    for path, text in sources(revision):
        lines = {".py": python_lines, ".txt": table_lines}.get(pathlib.Path(path).suffix, cpp_lines)(text)
        key = subject_of(path, SUBJECTS + BELOW), face_of(path)
        counts[key] = counts.get(key, 0) + len(lines - generated(text))
    return counts


def cells(counts, subjects):
    numbers = [sum(counts.get((s, face), 0) for s in subjects) for face in FACES]
    return [*numbers, sum(numbers)]


def main():
    revisions = sys.argv[1:3] or [None]
    all_counts = [count(r) for r in revisions]
    print(f"{'':24}" + "".join(f"{r or 'working tree':>{8 * len(FACES) + 8}}    " for r in revisions))
    print(f"{'':24}" + ("".join(f"{h:>8}" for h in [*FACES, "in all"]) + "    ") * len(revisions)
          + ("change" if len(revisions) > 1 else ""))
    rows = [(name, [name]) for name, _ in SUBJECTS] + [("above the ops", [name for name, _ in SUBJECTS])] \
        + [(name, [name]) for name, _ in BELOW]
    for title, subjects in rows:
        found = [cells(c, subjects) for c in all_counts]
        line = f"{title:24}" + "".join("".join(f"{n:8,}" for n in numbers) + "    " for numbers in found)
        print(line + (f"{found[1][-1] - found[0][-1]:+,}" if len(found) > 1 else ""))


if __name__ == "__main__":
    main()
