"""What the transcripts golden/extend_*.txt can use, of PyTorch or of Taut."""

import collections
import copy
import dataclasses
import importlib
import operator
import pickle

from library_names import attempt


def names(torch):
    """The modules by their short names."""
    def part(name):
        try:
            return importlib.import_module(f"{torch.__name__}.{name}")
        except ImportError:
            return None

    return dict(torch=torch, nn=torch.nn, F=torch.nn.functional, overrides=part("overrides"), pytree=part("utils._pytree"),
                dispatch=part("utils._python_dispatch"), fx=part("fx"), graph=part("autograd.graph"), checkpoint=part("utils.checkpoint"),
                parametrize=part("nn.utils.parametrize"), parametrizations=part("nn.utils.parametrizations"), prune=part("nn.utils.prune"),
                part=part, collections=collections, copy=copy, dataclasses=dataclasses, operator=operator, pickle=pickle, attempt=attempt)
