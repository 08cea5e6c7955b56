"""autocast: ops in a shorter dtype. On the CPU it is not supported yet, so only what switches itself off works."""

import functools
import warnings

from .. import _C
from .._types import device as Device


def is_autocast_available(device_type):
    """Could autocast be used on such a device?"""
    return False


def is_autocast_enabled(device_type="cuda"):
    """Is autocast on? No."""
    return False


def is_autocast_cpu_enabled():
    """Is autocast on? No."""
    return False


def get_autocast_dtype(device_type):
    """The dtype autocast would use."""
    return _C.float16 if device_type == "cuda" else _C.bfloat16


class autocast:
    """A context, or a decorator, in which ops use a shorter dtype.

    Without a GPU autocast("cuda") switches itself off, with a warning; autocast("cpu") raises NotImplementedError
    unless it is not enabled.
    """

    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")
        Device(device_type)
        self.device = device_type
        self.fast_dtype = dtype or get_autocast_dtype(device_type)
        if enabled and device_type == "cuda":
            warnings.warn("CUDA is not available or torch_xla is imported. Disabling autocast.", stacklevel=2)
            enabled = False
        elif enabled and device_type == "cpu" and self.fast_dtype not in (_C.bfloat16, _C.float16):
            warnings.warn("In CPU autocast, but the target dtype is not supported. Disabling autocast.\nCPU Autocast "
                          "only supports dtypes of torch.bfloat16, torch.float16 currently.", stacklevel=2)
            enabled = False
        self._enabled = enabled
        self._cache_enabled = cache_enabled

    def __enter__(self):
        if self._enabled:
            _C._autocast(self.device, self.fast_dtype)  # raises NotImplementedError
        return self

    def __exit__(self, *_):
        return False

    def __call__(self, function):
        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            with self:
                return function(*args, **kwargs)

        return wrapped


def custom_fwd(fwd=None, *, device_type, cast_inputs=None):
    """The forward of a Function that works under autocast: itself, as there is no autocast."""
    return fwd if fwd is not None else lambda f: f


def custom_bwd(bwd=None, *, device_type):
    """The backward of a Function that works under autocast: itself, as there is no autocast."""
    return bwd if bwd is not None else lambda f: f


autocast.__module__ = "torch.amp.autocast_mode"
