"""Editors and mypy see the types of the package."""

import os
import subprocess
import sys

import pytest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

GOOD = """
import taut as torch
from taut import nn

x: torch.Tensor = torch.randn(2, 3, requires_grad=True)
y: torch.Tensor = torch.add(x.view(3, 2).sum(dim=1), 2.5, alpha=2)
values, indices = torch.max(x, 1)
shape: torch.Size = values.shape
layer = nn.Linear(3, 4)
z = layer(x)
torch.autograd.grad(y.sum(), x)
"""
BAD = {"torch.add(x, 'a')": "add", "x.bogus()": "bogus", "torch.randn('a')": "randn", "x.view(1.5)": "view", "len(x.numel())": "len"}


def mypy(tmp_path, text):
    pytest.importorskip("mypy")
    path = tmp_path / "program.py"
    path.write_text(text)
    return subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), str(path)], capture_output=True, text=True)


def installed():
    import taut

    return "site-packages" in taut.__file__


@pytest.mark.skipif(not installed(), reason="mypy would check the package itself in a source tree")
def test_mypy_accepts_a_right_program_and_finds_the_mistakes_in_a_wrong_one(tmp_path):
    good = mypy(tmp_path, GOOD)
    assert good.returncode == 0, good.stdout
    bad = mypy(tmp_path, "import taut as torch\nx = torch.ones(2)\n" + "\n".join(BAD) + "\n")
    for line, word in enumerate(BAD.values(), start=3):
        assert f"program.py:{line}: error" in bad.stdout and word in bad.stdout, bad.stdout


@pytest.mark.parametrize("tool", ["python_stubs.py", "python_coverage.py", "absent_names.py"])
def test_written_files_are_up_to_date(tool):
    import taut

    environment = dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(taut.__file__)))
    done = subprocess.run([sys.executable, os.path.join(ROOT, "tools", tool), "--check"], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
