"""Every module of tests/golden/nn_*.txt, any of its parameters and its inputs frozen: the other gradients stay the same."""

import warnings

import pytest
import taut as torch
import taut.nn as nn
import taut.nn.functional as F
from samples import Call
from test_nn_golden import CASES, tensors


def frozen_sets(n):
    """All subsets of n parameters to freeze, or, of many, one alone and all but one."""
    if n <= 4:
        return [{i for i in range(n) if mask >> i & 1} for mask in range(1 << n)]
    return [set(range(n))] + [{i} for i in range(n)] + [set(range(n)) - {i} for i in range(n)]


@pytest.mark.parametrize("case", CASES, ids=[f"{c[0][3:-4]}-{k}" for k, c in enumerate(CASES)])
def test_gradients_are_the_same_whatever_else_is_frozen(case):
    text, call, inputs = case[1].split("\t")

    def gradients(frozen, of_inputs):
        x = list(Call(inputs, torch.float64).args)
        torch.manual_seed(0)
        m = eval(text, {"nn": nn, "torch": torch, "F": F, "x": x}).double()
        for t in x:
            if t.is_floating_point():
                t.requires_grad_(of_inputs)
        parameters = list(m.parameters())
        for i, p in enumerate(parameters):
            p.requires_grad_(i not in frozen)
        outputs = [t for t in tensors(eval(call, {"nn": nn, "torch": torch, "F": F, "x": x, "m": m})) if t.requires_grad]
        if outputs:
            torch.autograd.backward(outputs, [torch.linspace(1, 2, t.numel(), dtype=t.dtype).reshape(t.shape)
                                              for t in outputs])
        return [p.grad for p in parameters] + [t.grad for t in x if t.is_floating_point()]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = gradients(set(), True)
        n = len(wanted) - sum(t.is_floating_point() for t in Call(inputs, torch.float64).args)
        for frozen in frozen_sets(n)[:24]:
            for of_inputs in (True, False):
                for i, (got, want) in enumerate(zip(gradients(frozen, of_inputs), wanted)):
                    if i in frozen or (i >= n and not of_inputs):
                        assert got is None
                    elif want is not None and got is not None:
                        assert torch.allclose(got, want, rtol=1e-10, atol=1e-12, equal_nan=True), (frozen, of_inputs, i)
                    else:
                        assert want is None and got is None or not (want if got is None else got).any(), (frozen, i)
