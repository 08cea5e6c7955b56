"""Linear algebra: torch.linalg, every function of it a row of the registry."""

from . import _C

LinAlgError = _C._LinAlgError
globals().update({name[len("linalg_"):]: op for name, op in _C.ops.items() if name.startswith("linalg_")})
__all__ = [name for name in globals() if not name.startswith("_")]


def __getattr__(name):
    raise AttributeError(f"torch.linalg.{name} is not part of Taut")
