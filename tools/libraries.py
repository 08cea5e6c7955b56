#!/usr/bin/env python3
"""Runs the tasks in tools/libraries on Taut and on PyTorch and writes the table of docs/libraries.md; `make libraries` does it.

tools/libraries.py TAUT_PYTHON TORCH_PYTHON [TASK...]: a Python whose environment has the libraries but no torch, and one that has both. A
library that is missing is said to be missing; without a second Python (give "-") only Taut is run. What was run before is kept.
"""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TASKS = ROOT / "tools" / "libraries"
TABLE = ROOT / "docs" / "libraries.md"
BEGIN, END = "<!-- made by make libraries -->", "<!-- to here -->"


def names():
    """The tasks."""
    return sorted(f.stem for f in TASKS.glob("*.py") if f.stem != "run" and not f.stem.startswith("_"))


def ran(command, task):
    """What run.py printed, or the last line of the error."""
    try:
        done = subprocess.run([*command, str(TASKS / "run.py"), task], capture_output=True, text=True, timeout=900)
    except subprocess.TimeoutExpired:
        return {"error": "took longer than 15 minutes"}
    lines = (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines()
    return json.loads(lines[-1]) if done.returncode == 0 else {"error": lines[-1] if lines else f"status {done.returncode}"}


def agreement(a, b):
    """How far apart two lists of numbers are, in words."""
    if len(a) != len(b):
        return f"{len(a)} numbers for {len(b)}"
    if a == b:
        return "equal"
    worst = max(abs(x - y) / max(1.0, abs(y)) for x, y in zip(a, b))
    return f"{worst:.0e}"


def row(task, taut, torch):
    """A line of the table."""
    what = (TASKS / f"{task}.py").read_text().split('"""')[1]
    cells = [task.partition("_")[0], (taut if "error" not in taut else torch or {}).get("version", ""), what]
    if "error" in taut:
        cells += [f"fails: {taut['error']}", "", ""]
    elif torch is None or "error" in torch:
        cells += [f"PyTorch not run: {torch['error']}" if torch else "PyTorch not run", f"{taut['seconds']:.2f} s", ""]
    else:
        cells += [agreement(taut["numbers"], torch["numbers"]), f"{taut['seconds']:.2f} s", f"{torch['seconds']:.2f} s"]
    return "| " + " | ".join(cell.replace("|", "/") for cell in cells) + " |"


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    taut_python, torch_python, *wanted = sys.argv[1:]
    text = TABLE.read_text()
    head, _, rest = text.partition(BEGIN)
    table, _, tail = rest.partition(END)
    lines = {line.split("|")[3].strip(): line for line in table.strip().splitlines()[2:]}
    title = "| library | version | task | largest difference | Taut | PyTorch |\n| --- | --- | --- | --- | --- | --- |\n"
    for task in names():
        what = (TASKS / f"{task}.py").read_text().split('"""')[1]
        if wanted and task not in wanted:
            continue
        taut = ran([taut_python, "-m", "taut"], task)
        torch = None if torch_python == "-" else ran([torch_python], task)
        lines[what] = row(task, taut, torch)
        print(lines[what], flush=True)
        TABLE.write_text(f"{head}{BEGIN}\n{title}" + "\n".join(sorted(lines.values())) + f"\n{END}{tail}")


if __name__ == "__main__":
    main()
