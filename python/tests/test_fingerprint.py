"""taut.fingerprint, and the log of optimiser steps; tests/io_fingerprint_test.cpp has the same numbers."""

import subprocess
import sys

import pytest

import taut as torch
from taut import nn

LIST = "5ee367066135bda9e74a9a10b8c8ec38"


def test_it_is_the_same_for_ever_and_the_same_as_in_cpp():
    assert torch.fingerprint(torch.arange(6, dtype=torch.float32).view(2, 3)) == "778eb4c4391c50b8264b9b3e1f30f94b"
    assert torch.fingerprint(torch.arange(6)) == "c0929686b1bec8d0615e7e10a3a347eb"
    assert torch.fingerprint(torch.tensor([True, False])) == "71f4cf2dcaf5e3b39e14be2620dd968a"
    assert torch.fingerprint(torch.empty(0, 3)) == "8027959ad29f31838e27447f882bb251"
    assert torch.fingerprint(torch.tensor(1.5, dtype=torch.half)) == "37f414d0e39afed8d8ef35a41fda4d1c"
    assert torch.fingerprint([torch.zeros(2), torch.ones(3, dtype=torch.float64)]) == LIST
    assert torch.fingerprint({"1": torch.ones(3, dtype=torch.float64), "0": torch.zeros(2)}) == LIST


def test_strides_do_not_matter():
    x = torch.arange(24.0).view(2, 3, 4)
    assert torch.fingerprint(x.mT) == torch.fingerprint(x.mT.contiguous())
    assert torch.fingerprint(x[:, ::2]) == torch.fingerprint(x[:, ::2].clone())
    assert torch.fingerprint(torch.ones(3, requires_grad=True)) == torch.fingerprint(torch.ones(1).expand(3))


def test_a_module_is_its_state_dict():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))
    assert torch.fingerprint(model) == torch.fingerprint(model.state_dict()) == "43c4cff0cb16dcb01a39c2f0adbf6549"
    model(torch.randn(4, 3))
    assert torch.fingerprint(model) != "43c4cff0cb16dcb01a39c2f0adbf6549"


def test_a_module_with_extra_state():
    class Counter(nn.Module):
        calls = {"n": 0, "names": ["a"], "none": None}

        def get_extra_state(self):
            return self.calls

        def set_extra_state(self, state):
            self.calls = state

    model = Counter()
    before = torch.fingerprint(model)
    model.calls = {"n": 1, "names": ["a"]}
    assert torch.fingerprint(model) != before
    model.calls = {"n": 0, "names": ["a"]}
    assert torch.fingerprint(model) == before


def test_an_optimizer_is_its_parameters_and_state():
    w = torch.ones(2, requires_grad=True)
    optimizer = torch.optim.Adagrad([w], lr=0.5)
    w.grad = torch.tensor([1.0, -2.0])
    optimizer.step()
    assert torch.fingerprint(optimizer) == "95be0ce3705f8198dc4db85d70c98b09"


def test_what_has_no_fingerprint_is_told():
    with pytest.raises(TypeError, match="fingerprint: a is a set"):
        torch.fingerprint({"a": {1}})
    with pytest.raises(TypeError, match="the argument is a object"):
        torch.fingerprint(object())


SCRIPT = """
import taut as torch

class Mine(torch.optim.Optimizer):
    def __init__(self, params):
        super().__init__(params, {})

    def step(self, closure=None):
        loss = closure()
        with torch.no_grad():
            for p in self.param_groups[0]["params"]:
                p.sub_(p.grad, alpha=0.1)
        return loss

class Child(torch.optim.SGD):
    def step(self, closure=None):
        return super().step(closure)

for kind in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW, torch.optim.RMSprop, torch.optim.Adagrad,
             torch.optim.Adadelta, torch.optim.Adamax, torch.optim.NAdam, torch.optim.RAdam, torch.optim.Rprop,
             torch.optim.ASGD, torch.optim.Muon, torch.optim.LBFGS, Mine, Child):
    w, b = torch.ones(2, 2, requires_grad=True), torch.ones(2, 2, requires_grad=True)
    optimizer = kind([w, b])
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 1.0) if kind is torch.optim.SGD else None

    def closure():
        optimizer.zero_grad()
        loss = (w * w + b).sum()
        loss.backward()
        return loss

    for step in (1, 2):
        optimizer.step(closure)
        print(kind.__name__, step, torch.fingerprint([w, b]))
"""


def test_every_step_of_every_optimizer_is_logged(tmp_path, monkeypatch):
    monkeypatch.setenv("TAUT_FINGERPRINT", str(tmp_path / "log"))
    printed = subprocess.run([sys.executable, "-c", SCRIPT], check=True, capture_output=True, text=True).stdout
    assert len(printed.splitlines()) == 30
    assert (tmp_path / "log").read_text() == printed
    subprocess.run([sys.executable, "-c", SCRIPT], check=True, capture_output=True)
    assert (tmp_path / "log").read_text() == printed * 2, "a second run appends"


def test_a_log_that_cannot_be_written_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("TAUT_FINGERPRINT", str(tmp_path / "nowhere" / "log"))
    run = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True)
    assert run.returncode == 1 and "TAUT_FINGERPRINT: cannot append to" in run.stderr


def test_without_the_variable_nothing_is_registered():
    from taut.optim import optimizer

    assert not optimizer._global_optimizer_post_hooks
