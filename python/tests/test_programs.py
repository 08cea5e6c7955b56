"""Programs that once came out otherwise than in PyTorch, found and shrunk by tools/compare_graphs.py, which renews the file:
what PyTorch runs gives what it gave there, first and second derivatives too; what it refuses is refused and changes nothing."""

import os

import pytest
import taut
from programs import disagreement, outcome, read

PROGRAMS = read(os.path.join(os.path.dirname(__file__), "golden", "programs.txt"))


@pytest.mark.parametrize("program,refused,wanted", PROGRAMS, ids=[p[-1][:60] for p, _, _ in PROGRAMS])
def test_comes_out_as_in_pytorch(program, refused, wanted):
    assert wanted, "run tools/compare_graphs.py --renew"
    found = outcome(taut, lambda name: taut._C.ops[name.partition(".")[0]], program, refused)
    first = disagreement(program, refused, found, wanted)
    assert first is None, f"{first[0]}: {first[2]}"
