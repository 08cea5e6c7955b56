"""Writes python/tests/golden/scripts: what PyTorch prints for the scripts of python/tests/scripts.

Run it with the Python of PyTorch 2.13: python tools/golden_python_scripts.py [script...]. A script whose first line is
`# args: a | b` is run once with each. python/tests/test_scripts.py compares Taut's output with these texts.
"""

import pathlib
import subprocess
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent / "python" / "tests"


def main():
    import torch

    assert torch.__version__.startswith("2.13"), f"this is PyTorch {torch.__version__}"
    scripts = [pathlib.Path(a) for a in sys.argv[1:]] or sorted((TESTS / "scripts").glob("*.py"))
    out = TESTS / "golden" / "scripts"
    out.mkdir(parents=True, exist_ok=True)
    for script in scripts:
        first = script.read_text().splitlines()[0]
        for arg in first[len("# args:"):].split("|") if first.startswith("# args:") else [""]:
            arg = arg.strip()
            command = [sys.executable, "-W", "ignore", script.resolve()] + ([arg] if arg else [])
            run = subprocess.run(command, capture_output=True, text=True)
            if run.returncode:
                sys.exit(f"{script} {arg}\n{run.stderr}")
            (out / f"{script.stem}{'.' + arg if arg else ''}.txt").write_text(run.stdout)


if __name__ == "__main__":
    main()
