"""oneDNN: not used."""

import sys as _sys

from . import _Flags

enabled, deterministic, allow_tf32 = True, False, False


def is_available():
    """False."""
    return False


def flags(enabled=False, deterministic=False, allow_tf32=True, fp32_precision="none"):
    """A context with these flags."""
    return _Flags(_sys.modules[__name__], dict(enabled=enabled, deterministic=deterministic, allow_tf32=allow_tf32))


VERBOSE_OFF, VERBOSE_ON, VERBOSE_ON_CREATION = 0, 1, 2


class verbose:
    """A context in which oneDNN would say what it does."""

    def __init__(self, level):
        self.level = level

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


def set_flags(_enabled=None, _deterministic=None, _allow_tf32=None, _fp32_precision="none"):
    """Sets flags; returns those before."""
    module = _sys.modules[__name__]
    before = (enabled, deterministic, allow_tf32)
    for name, value in zip(("enabled", "deterministic", "allow_tf32"), (_enabled, _deterministic, _allow_tf32)):
        if value is not None:
            setattr(module, name, value)
    return before


def is_acl_available():
    """False."""
    return False
