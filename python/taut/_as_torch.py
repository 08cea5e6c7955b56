"""Lets `import torch` find Taut: the names torch and torch.* resolve to taut and taut.*."""

import importlib
import importlib.abc
import importlib.util
import sys


def _ours(name):
    return "taut" + name[len("torch"):]


def _absent(name):
    # The error has no .name: `from torch import x` would pass over one that names x, and complain of "taut" instead.
    return ModuleNotFoundError(f"{name} is not part of Taut")


class _Loader(importlib.abc.Loader):
    """Hands out the module of Taut itself, so that both names mean one object."""

    def create_module(self, spec):
        ours = _ours(spec.name)
        try:
            module = importlib.import_module(ours)
        except ModuleNotFoundError as error:
            if error.name is None or not (ours + ".").startswith(error.name + "."):
                raise  # something else is missing
            raise _absent(spec.name) from None
        self._spec = module.__spec__
        return module

    def exec_module(self, module):
        module.__spec__ = self._spec  # the import system has put its own there
        _open(module)
        _name_what_is_there()

    def get_code(self, fullname):
        """For `python -m taut -m torch.distributed.run`."""
        return importlib.util.find_spec(_ours(fullname)).loader.get_code(_ours(fullname))


def _open(module):
    if not hasattr(module, "__path__"):
        module.__path__ = []  # then `from torch.linalg import x` asks us for torch.linalg.x, and we can name it


def _name_what_is_there():
    """Modules that are there already are not imported again: torch.autograd.gradcheck stays the function."""
    for name, module in list(sys.modules.items()):
        if name == "taut" or name.startswith("taut."):
            if sys.modules.setdefault("torch" + name[len("taut"):], module) is module:
                _open(module)


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, fullname, path=None, target=None):
        if fullname == "torch" or fullname.startswith("torch."):
            return importlib.util.spec_from_loader(fullname, _Loader())
        return None

    @staticmethod
    def find_distributions(context=None):
        """What importlib.metadata asks: which packages are installed?"""
        if getattr(context, "name", None) in (None, "torch"):
            from ._distribution import Torch

            yield Torch()


class _Last(importlib.abc.MetaPathFinder):
    """Asked when nobody else has found a module: if it is one of ours, it is a name of torch that we lack."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname.startswith("taut."):
            raise _absent("torch" + fullname[len("taut"):])
        return None


def as_torch():
    """From here on `import torch` and `import torch.anything` give Taut, in this process.

    A name that Taut lacks raises an error with its full name. Returns the module `taut`.
    """
    import taut

    there = sys.modules.get("torch")
    if there is taut:
        return taut
    if there is not None:
        raise RuntimeError("taut.as_torch(): torch is imported already, from "
                           f"{getattr(there, '__file__', 'somewhere else')}; call as_torch() before the first `import "
                           "torch`")
    sys.meta_path.insert(0, _Finder())
    sys.meta_path.append(_Last())
    _name_what_is_there()
    taut.__name__ = "torch"  # programs look names up from there
    return taut
