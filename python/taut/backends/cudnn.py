"""cuDNN: not there."""

import sys as _sys

from . import _Flags

enabled, benchmark, deterministic, allow_tf32, benchmark_limit = True, False, False, True, 10


def is_available():
    """False."""
    return False


def version():
    """None."""
    return None


def is_acceptable(tensor):
    """Could cuDNN work on this tensor? No."""
    return False


def flags(enabled=False, benchmark=False, benchmark_limit=10, deterministic=False, allow_tf32=True,
          fp32_precision="none"):
    """A context with these flags."""
    return _Flags(_sys.modules[__name__], dict(enabled=enabled, benchmark=benchmark, benchmark_limit=benchmark_limit,
                                               deterministic=deterministic, allow_tf32=allow_tf32))


def set_flags(_enabled=None, _benchmark=None, _benchmark_limit=None, _deterministic=None, _allow_tf32=None,
              _fp32_precision="none"):
    """Sets flags; returns those before."""
    module = _sys.modules[__name__]
    names = ("enabled", "benchmark", "benchmark_limit", "deterministic", "allow_tf32")
    before = tuple(getattr(module, n) for n in names)
    for name, value in zip(names, (_enabled, _benchmark, _benchmark_limit, _deterministic, _allow_tf32)):
        if value is not None:
            setattr(module, name, value)
    return before
