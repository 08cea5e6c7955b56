"""What is written in golden/nn_*.txt, errors and warnings included, is what Taut prints."""

import copy
import glob
import math
import os
import pickle

import pytest
import taut as torch
import transcripts

NAMES = dict(torch=torch, nn=torch.nn, F=torch.nn.functional, copy=copy, pickle=pickle, math=math)
FILES = sorted(os.path.basename(p) for p in glob.glob(os.path.join(transcripts.HERE, "golden", "nn_*.txt")))
PIECES = [(f, k, *piece) for f in FILES for k, piece in enumerate(transcripts.read(f))]


@pytest.mark.parametrize("code, wanted", [p[2:] for p in PIECES], ids=[f"{f[3:-4]}-{k}" for f, k, *_ in PIECES])
def test_a_piece_of_python_prints_what_it_prints_in_pytorch(code, wanted):
    torch.manual_seed(0)
    assert transcripts.run(code, NAMES) == wanted
