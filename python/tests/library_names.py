"""What the transcripts golden/library_*.txt can use, of PyTorch or of Taut."""

import collections
import copy
import importlib
import io
import math
import pickle
import warnings


def names(torch):
    """The modules by their short names."""

    def module(path):
        return importlib.import_module(f"{torch.__name__}.{path}")

    return dict(benchmark=module("utils.benchmark"), weak=module("utils.weak"), throughput=module("utils.throughput_benchmark"), module=module,
                torch=torch, nn=torch.nn, F=torch.nn.functional, optim=torch.optim, data=torch.utils.data,
                checkpoint=torch.utils.checkpoint, testing=torch.testing, collections=collections, copy=copy, io=io,
                math=math, pickle=pickle, warnings=warnings, attempt=attempt)


def attempt(*functions):
    """Prints what each gives, or its exception."""
    for f in functions:
        try:
            print(f())
        except Exception as problem:
            print(f"{type(problem).__name__}: {problem}")
