"""For tests: comparing values, and tensors to compare."""

from ._comparison import assert_allclose, assert_close
from ._creation import make_tensor

__all__ = ["assert_close", "assert_allclose", "make_tensor"]


def __getattr__(name):
    raise AttributeError(f"torch.testing.{name} is not part of Taut")
