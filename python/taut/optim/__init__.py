"""Optimisers, schedulers of the learning rate, and averages of models."""

import importlib as _importlib
import sys as _sys
import types as _types

from .. import _C
from .optimizer import Optimizer

_FILES = {"LBFGS": "lbfgs", "Muon": "_muon", "SparseAdam": "sparse_adam", "GaussNewton": "second_order",
          "LevenbergMarquardt": "second_order", "NewtonCG": "second_order"}
_TABLE = {name: "_adafactor" if name == "Adafactor" else name.lower() for name in _C._optimizers()}
_SUBMODULES = {"optimizer", "lr_scheduler", "swa_utils", *_FILES.values()}
__all__ = [*_TABLE, *_FILES, "Optimizer", "lr_scheduler", "swa_utils"]


class _Module(_types.ModuleType):
    """torch.optim.adam, which has no file: its class is a row of the table."""

    def __getattr__(self, name):
        if _TABLE.get(name) == self.__name__.rpartition(".")[2]:
            return _class(name)
        raise AttributeError(f"torch.{self.__name__.partition('.')[2]}.{name} is not part of Taut")


for _name in _TABLE.values():
    _sys.modules[f"{__name__}.{_name}"] = globals()[_name] = _Module(f"{__name__}.{_name}")


def _class(name):
    from ._table import optimizer_class

    module = _TABLE[name]
    found = optimizer_class(name, "torch.optim" if module.startswith("_") else f"torch.optim.{module}")
    globals()[name] = found
    setattr(_sys.modules[f"{__name__}.{module}"], name, found)
    return found


def __getattr__(name):
    if name in _TABLE:
        return _class(name)
    if name in _FILES:
        found = getattr(_importlib.import_module(f"{__name__}.{_FILES[name]}"), name)
        globals()[name] = found
        return found
    if name in _SUBMODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"torch.optim.{name} is not part of Taut")


def __dir__():
    return sorted(set(globals()) | _SUBMODULES | set(__all__))


class _Whole(_types.ModuleType):
    """This module, whose __dict__ holds all classes for programs that walk it."""

    @property
    def __dict__(self):
        for name in (*_TABLE, *_FILES):
            getattr(self, name)
        return _types.ModuleType.__dict__["__dict__"].__get__(self)


_sys.modules[__name__].__class__ = _Whole
