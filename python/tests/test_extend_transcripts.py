"""What is written in golden/extend_*.txt, errors and warnings included, is what Taut prints."""

import glob
import os

import extend_names
import pytest
import taut as torch
import transcripts

FILES = sorted(os.path.basename(p) for p in glob.glob(os.path.join(transcripts.HERE, "golden", "extend_*.txt")))
PIECES = [(f, k, *piece) for f in FILES for k, piece in enumerate(transcripts.read(f))]


@pytest.mark.parametrize("code, wanted", [p[2:] for p in PIECES], ids=[f"{f[7:-4]}-{k}" for f, k, *_ in PIECES])
def test_a_piece_of_python_prints_what_it_prints_in_pytorch(code, wanted):
    torch.manual_seed(0)
    got = transcripts.run(code, extend_names.names(torch))
    assert transcripts.alike(got, wanted), got
