"""Where PyTorch keeps Dim."""

from . import Dim, ShapesCollection, dims  # noqa: F401
