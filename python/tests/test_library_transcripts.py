"""What is written in golden/library_*.txt, errors and warnings included, is what Taut prints."""

import glob
import inspect
import json
import os

import library_names
import pytest
import taut as torch
import transcripts

import taut.amp
import taut.optim.lr_scheduler
import taut.optim.swa_utils
import taut.random
import taut.serialization
import taut.testing
import taut.utils.checkpoint
import taut.utils.data

FILES = sorted(os.path.basename(p) for p in glob.glob(os.path.join(transcripts.HERE, "golden", "library_*.txt")))
PIECES = [(f, k, *piece) for f in FILES for k, piece in enumerate(transcripts.read(f))]
with open(os.path.join(transcripts.HERE, "golden", "signatures_library.json")) as _file:
    SIGNATURES = json.load(_file)


@pytest.mark.parametrize("code, wanted", [p[2:] for p in PIECES], ids=[f"{f[8:-4]}-{k}" for f, k, *_ in PIECES])
def test_a_piece_of_python_prints_what_it_prints_in_pytorch(code, wanted):
    torch.manual_seed(0)
    got = transcripts.run(code, library_names.names(torch))
    assert transcripts.alike(got, wanted), got


@pytest.mark.parametrize("name", SIGNATURES)
def test_a_signature_is_pytorchs(name):
    found = torch
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError as missing:
            assert f"torch.{name} is not part of Taut" in str(missing)  # it says so, in full
            return
    if name in ("optim.Optimizer", "optim.SparseAdam", "utils.data.Dataset", "utils.data.Sampler",
                "utils.data.IterableDataset", "serialization.save", "serialization.load"):
        return
    parameters = inspect.signature(found.__init__ if inspect.isclass(found) else found).parameters.values()
    got = [[p.name, int(p.kind), "" if p.default is p.empty else "object" if callable(p.default) or
            " at 0x" in repr(p.default) else
            repr(p.default)]
           for p in parameters if p.name != "self"]
    assert got == SIGNATURES[name]
