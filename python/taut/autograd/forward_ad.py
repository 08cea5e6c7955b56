"""Forward mode: within a level, tensors carry tangents along."""

from collections import namedtuple

from .. import _C

__all__ = ["UnpackedDualTensor", "enter_dual_level", "exit_dual_level", "make_dual", "unpack_dual", "dual_level"]

_current_level = -1  # of this process, as in PyTorch


def enter_dual_level():
    """Opens a level and returns its number; one can be open at a time."""
    global _current_level
    _current_level = _C._enter_dual_level()
    return _current_level


def exit_dual_level(*, level=None):
    """Leaves the level that is open; its tangents are gone."""
    global _current_level
    if level is None:
        level = _current_level
    if level < 0:
        raise RuntimeError("Dual level must be a positive number.")
    if level != _current_level:
        raise RuntimeError("Trying to exit a forward AD level that was not the last one that was created. This is not "
                           "supported.")
    _C._exit_dual_level(level)
    _current_level = -1


class dual_level:
    """A level, as a context manager; its value is the level's number."""

    def __enter__(self):
        return enter_dual_level()

    def __exit__(self, *_):
        exit_dual_level()


def _check(level):
    if level is not None and level != _current_level:
        raise RuntimeError(f"forward mode: level {level} is not the one that is open")
    if _current_level < 0:
        raise RuntimeError("Trying to create a dual Tensor for forward AD but no level exists, make sure to "
                           "enter_dual_level() first.")


def make_dual(tensor, tangent, *, level=None):
    """A tensor that is `tensor` and carries `tangent`."""
    _check(level)
    for what, t in (("primal", tensor), ("tangent", tangent)):
        if not (t.is_floating_point() or t.is_complex()):
            raise ValueError(f"Expected {what} to be floating point or complex, but got: {t.dtype}")
    return _C._make_dual(tensor, tangent)


UnpackedDualTensor = namedtuple("UnpackedDualTensor", ["primal", "tangent"])
UnpackedDualTensor.__doc__ = "A tensor and its tangent (None if it has none)."
UnpackedDualTensor.__module__ = "torch.autograd.forward_ad"


def unpack_dual(tensor, *, level=None):
    """A tensor without its tangent, and the tangent (None if it has none)."""
    if (level if level is not None else _current_level) < 0:
        return UnpackedDualTensor(tensor, None)
    return UnpackedDualTensor(*_C._unpack_dual(tensor))
