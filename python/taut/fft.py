"""Fourier transforms: torch.fft, every function of it a row of the registry."""

from . import _C

globals().update({name[len("fft_"):]: op for name, op in _C.ops.items() if name.startswith("fft_")})
__all__ = [name for name in globals() if not name.startswith("_")]


def __getattr__(name):
    raise AttributeError(f"torch.fft.{name} is not part of Taut")
