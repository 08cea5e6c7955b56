"""What the transcripts golden/library_*.txt can use, of PyTorch or of Taut."""

import collections
import copy
import io
import math
import pickle
import warnings


def names(torch):
    """The modules by their short names."""
    return dict(torch=torch, nn=torch.nn, F=torch.nn.functional, optim=torch.optim, data=torch.utils.data,
                checkpoint=torch.utils.checkpoint, testing=torch.testing, collections=collections, copy=copy, io=io,
                math=math, pickle=pickle, warnings=warnings, attempt=attempt)


def attempt(*functions):
    """Prints what each gives, or its exception."""
    for f in functions:
        try:
            print(f())
        except Exception as problem:
            print(f"{type(problem).__name__}: {problem}")
