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
    got = transcripts.run(code, NAMES)
    assert transcripts.alike(got, wanted), got


def test_only_the_last_printed_digit_may_differ():
    alike = transcripts.alike
    assert alike("tensor([ 0.1235, -0.0000])", "tensor([0.1234, 0.0000])") and alike("loss 9.9999", "loss 10.0000")
    assert alike("1.2346e-05", "1.2345e-05") and not alike("1.2347e-05", "1.2345e-05")
    for got, wanted in [("0.1236", "0.1234"), ("p=0.2", "p=0.1"), ("a 0.1234", "b 0.1234"), ("nan", "0.1234")]:
        assert not alike(got, wanted)
