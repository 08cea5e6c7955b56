"""autocast: ops in a shorter dtype. On the CPU it is not supported yet, so only what switches itself off works."""

import functools
import threading
import warnings

from .. import _C
from .._types import device as Device


def is_autocast_available(device_type):
    """Could autocast be used on such a device?"""
    return False


class _Switches(threading.local):
    def __init__(self):
        self.dtypes, self.cache, self.nesting = {}, True, 0


_switches = _Switches()


def is_autocast_enabled(device_type="cuda"):
    """Is autocast on? No."""
    Device(device_type)
    return False


def set_autocast_enabled(device_type, enabled=None):
    """Switches autocast off; on is not supported on the CPU yet, and other devices there are none."""
    device_type, enabled = ("cuda", device_type) if enabled is None else (device_type, enabled)
    Device(device_type)
    if enabled:
        _C._autocast(device_type, get_autocast_dtype(device_type))  # raises NotImplementedError


def get_autocast_dtype(device_type):
    """The dtype autocast would use."""
    Device(device_type)
    return _switches.dtypes.get(device_type, _C.bfloat16 if device_type in ("cpu", "xla", "hpu") else _C.float16)


def set_autocast_dtype(device_type, dtype):
    """Sets the dtype autocast would use."""
    Device(device_type)
    _switches.dtypes[device_type] = dtype


def is_autocast_cache_enabled():
    """Would autocast keep what it converted?"""
    return _switches.cache


def set_autocast_cache_enabled(enabled):
    """Sets whether autocast would keep what it converted."""
    _switches.cache = enabled


def clear_autocast_cache():
    """Forgets what autocast converted: nothing."""


def autocast_increment_nesting():
    """How many autocasts are open, with one more."""
    _switches.nesting += 1
    return _switches.nesting


def autocast_decrement_nesting():
    """How many autocasts are open, with one less."""
    _switches.nesting -= 1
    return _switches.nesting


def _of_device(device_type, shown):
    def is_enabled():
        return is_autocast_enabled(device_type)

    def set_enabled(enabled):
        set_autocast_enabled(device_type, enabled)

    def get_dtype():
        return get_autocast_dtype(device_type)

    def set_dtype(dtype):
        set_autocast_dtype(device_type, dtype)

    for f, name in ((is_enabled, f"is_autocast_{shown}_enabled"), (set_enabled, f"set_autocast_{shown}_enabled"),
                    (get_dtype, f"get_autocast_{shown}_dtype"), (set_dtype, f"set_autocast_{shown}_dtype")):
        f.__name__ = f.__qualname__ = name
        f.__doc__ = f"The same for {device_type}."
        globals()[name] = f


for _type, _shown in (("cpu", "cpu"), ("cuda", "gpu"), ("xla", "xla"), ("ipu", "ipu")):
    _of_device(_type, _shown)


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
