"""For tests: comparing values, and tensors to compare."""

from ._comparison import assert_allclose, assert_close
from .._refuse import lacking as _lacking, refused as _refused
from ._creation import make_tensor

__all__ = ["assert_close", "assert_allclose", "make_tensor"]
FileCheck = _refused("testing.FileCheck", "there are no graphs of TorchScript to look through")
__getattr__ = _lacking("testing")
