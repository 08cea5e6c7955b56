"""The version: of the PyTorch whose behaviour is kept, and of Taut."""

from . import __version__

__all__ = ["__version__", "debug", "cuda", "git_version", "hip", "xpu"]
debug = False
cuda = None
hip = None
xpu = None
git_version = "Unknown"
