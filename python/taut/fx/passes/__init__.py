"""What is done with graphs: shapes, splitting, drawing."""

import importlib as _importlib

_SUBMODULES = {"shape_prop", "split_module", "graph_drawer"}


def __getattr__(name):
    if name in _SUBMODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"torch.fx.passes.{name} is not part of Taut")
