"""Hundreds of expressions give in Taut what they give in PyTorch, to the last character."""

import json
import os

import pytest
import taut as torch
from snippets import HERE, evaluate, expressions

with open(os.path.join(HERE, "golden", "snippets.json")) as _file:
    GOLDEN = json.load(_file)


@pytest.mark.parametrize("expression", expressions())
def test_an_expression_gives_what_it_gives_in_pytorch(expression):
    pytest.importorskip("numpy") if "np." in expression else None
    wanted, got = GOLDEN[expression], evaluate(torch, expression)
    if wanted.startswith("!"):
        assert got.startswith("!"), got  # messages may say more than PyTorch's
        assert wanted[1:].partition(":")[0].partition("|")[0] in got[1:].partition(":")[0].split("|"), got
    else:
        assert got == wanted
