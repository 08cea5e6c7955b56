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
