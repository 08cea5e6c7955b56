"""Layers, losses and what trains them: torch.nn."""

from . import modules
from .modules.module import Module
from .parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter

_SUBMODULES = ("attention", "common_types", "functional", "init", "modules", "parallel", "parameter", "utils")
__all__ = ["Buffer", "Module", "Parameter", "UninitializedBuffer", "UninitializedParameter", *modules._WHERE]


def __getattr__(name):
    import importlib

    if name in modules._WHERE:
        found = getattr(modules, name)
        globals()[name] = found
        return found
    if name in _SUBMODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name == "DataParallel":
        return importlib.import_module(f"{__name__}.parallel").DataParallel
    if name == "per_sample_grad":  # Taut's own
        return importlib.import_module("..func.per_sample", __name__).per_sample_grad
    raise AttributeError(f"torch.nn.{name} is not part of Taut")


def __dir__():
    return sorted({*globals(), *modules._WHERE, *_SUBMODULES, "DataParallel"})
