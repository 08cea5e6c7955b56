"""Evaluates the expressions of snippets.txt with `torch`, be it PyTorch or Taut."""

import copy
import os
import pickle
import warnings

HERE = os.path.dirname(os.path.abspath(__file__))


def expressions():
    with open(os.path.join(HERE, "snippets.txt")) as lines:
        return [line.rstrip("\n") for line in lines if line.strip() and not line.startswith("#")]


def put(t, key, value):
    t[key] = value
    return t


def grad_of(leaf, result):
    result.backward()
    return leaf.grad


def evaluate(torch, expression):
    """What an expression gives: its repr, or the class of the exception and the first line of its message."""
    import numpy

    torch.manual_seed(0)
    i = torch.arange(6).reshape(2, 3)
    names = dict(torch=torch, np=numpy, copy=copy, pickle=pickle, put=put, grad_of=grad_of, i=i, x=torch.arange(6.0).reshape(2, 3),
                 coo=torch.sparse_coo_tensor([[0, 1, 1, 1], [2, 0, 2, 2]], [3.0, 4.0, 5.0, -1.0], (2, 3)),
                 hybrid=torch.sparse_coo_tensor([[0, 0, 1]], [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], (3, 2)),
                 csr=torch.sparse_csr_tensor([0, 1, 3], [2, 0, 2], [3.0, 4.0, 5.0], (2, 3)),
                 bsr=torch.sparse_bsr_tensor([0, 1, 2], [1, 0], torch.arange(12.0).view(2, 2, 3), (4, 6)),
                 many=torch.sparse_csr_tensor([[0, 1, 2], [0, 2, 2]], [[0, 1], [0, 2]], [[1.0, 2.0], [3.0, 4.0]], (2, 2, 3)), b=i % 2 == 0, w=torch.tensor([1.0, 2.0, 3.0], requires_grad=True), s=torch.tensor(3.5))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = eval(expression, names)
            text = repr(value)
        except Exception as problem:
            lines = str(problem).splitlines()
            classes = "|".join(c.__name__ for c in type(problem).__mro__[:-3])  # an exception may be of several
            return f"!{classes}: {lines[0] if lines else ''}"
    if " at 0x" in text or "<function" in text or "<built-in" in text:
        text = "something"
    return text
