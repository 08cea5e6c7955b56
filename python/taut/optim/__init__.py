"""Optimisers, schedulers of the learning rate, and averages of models."""

import importlib as _importlib

from .optimizer import Optimizer

_WHERE = {"SGD": "sgd", "Adam": "adam", "AdamW": "adamw", "RMSprop": "rmsprop", "Adagrad": "adagrad",
          "Adadelta": "adadelta", "Adamax": "adamax", "NAdam": "nadam", "RAdam": "radam", "Rprop": "rprop",
          "ASGD": "asgd", "LBFGS": "lbfgs", "Muon": "_muon", "SparseAdam": "sparse_adam"}
_SUBMODULES = {"optimizer", "lr_scheduler", "swa_utils", *_WHERE.values()}
__all__ = [*_WHERE, "Optimizer", "lr_scheduler", "swa_utils"]


def __getattr__(name):
    if name in _WHERE:
        found = getattr(_importlib.import_module(f"{__name__}.{_WHERE[name]}"), name)
        globals()[name] = found
        return found
    if name in _SUBMODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"torch.optim.{name} is not part of Taut")


def __dir__():
    return sorted(set(globals()) | _SUBMODULES | set(__all__))
