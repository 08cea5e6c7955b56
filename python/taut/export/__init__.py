"""torch.export is not there: its names are, and say so. Dim names sizes that change, for torch.onnx.export."""

from .._refuse import loading as _loading, refusals as _refusals

__all__ = ["AdditionalInputs", "Constraint", "CustomDecompTable", "default_decompositions", "Dim", "dims", "draft_export", "export",
           "ExportBackwardSignature", "ExportedProgram", "ExportGraphSignature", "FlatArgsAdapter", "load", "ModuleCallEntry",
           "ModuleCallSignature", "register_dataclass", "save", "ShapesCollection", "unflatten", "UnflattenedModule"]
_WHY = "there is no graph of a program; torch.onnx.export writes one for other tools"
globals().update(_refusals("export", "AdditionalInputs Constraint CustomDecompTable default_decompositions draft_export export "
                           "ExportBackwardSignature ExportedProgram ExportGraphSignature FlatArgsAdapter load ModuleCallEntry "
                           "ModuleCallSignature save ShapesCollection unflatten UnflattenedModule", _WHY))


class _Hint:
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"Dim.{self.name}"


class Dim:
    """A size that may change, by its name and its range."""

    AUTO, DYNAMIC, STATIC = _Hint("AUTO"), _Hint("DYNAMIC"), _Hint("STATIC")

    def __init__(self, name, *, min=None, max=None):
        import sys

        low, high = 0 if min is None else min, sys.maxsize - 1 if max is None else max
        if high <= low:
            raise AssertionError(f"Cannot create Dim with inconsistent min={min}, max={max}")
        if not name.isidentifier():
            raise AssertionError(f"Dim name must be a valid identifier, got {name}")
        self.__name__, self.min, self.max = name, low, high

    def _scaled(self, text):
        made = Dim.__new__(Dim)
        made.__name__, made.min, made.max = text, self.min, self.max
        return made

    def __add__(self, n):
        return self._scaled(f"{self.__name__} + {n}")

    def __sub__(self, n):
        return self._scaled(f"{self.__name__} - {n}")

    def __mul__(self, n):
        return self._scaled(f"{n}*{self.__name__}")

    __radd__, __rmul__ = __add__, __mul__

    def __repr__(self):
        from sys import maxsize

        extra = (f", min={self.min}" if self.min else "") + (f", max={self.max}" if self.max < maxsize - 1 else "")
        return f"Dim('{self.__name__}'{extra})"


def dims(*names, min=None, max=None):
    """Dims of several names."""
    return tuple(Dim(name, min=min, max=max) for name in names)


def register_dataclass(cls, *, serialized_type_name=None):
    """Nothing to do."""


Dim.__module__ = "torch.export.dynamic_shapes"
__getattr__ = _loading("export", {"dynamic_shapes"})
