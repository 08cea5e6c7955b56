"""Tensors to and from other libraries, without a copy."""

from .. import from_dlpack

__all__ = ["from_dlpack", "to_dlpack"]


def to_dlpack(tensor):
    """A capsule that other libraries take a tensor from."""
    return tensor.__dlpack__()
