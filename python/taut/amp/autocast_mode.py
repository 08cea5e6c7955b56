"""autocast: products and convolutions in a shorter dtype, losses and long sums in float32, whatever float tensors they get."""

import collections.abc
import functools
import warnings

from .. import _C
from .._C import (autocast_decrement_nesting, autocast_increment_nesting, clear_autocast_cache, get_autocast_dtype,
                  is_autocast_cache_enabled, is_autocast_enabled, set_autocast_cache_enabled, set_autocast_dtype,
                  set_autocast_enabled)
from .._types import device as Device

_SHORT = (_C.bfloat16, _C.float16)


def is_autocast_available(device_type):
    """Is there autocast for such a device? PyTorch answers for those it knows, whether or not there is one."""
    return Device(device_type).type in ("cpu", "cuda", "xpu", "hpu", "mps", "mtia", "maia", "xla", "ipu", "privateuseone")


def _of_device(device_type, shown):
    """The functions with a device in their names."""
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


def _check_type(device_type):
    if not isinstance(device_type, str):
        raise ValueError(f"Expected `device_type` of type `str`, got: `{type(device_type)}`")


class autocast:
    """A context, or a decorator, in which ops use a shorter dtype.

    Without a GPU autocast("cuda") switches itself off, with a warning.
    """

    def __init__(self, device_type, dtype=None, enabled=True, cache_enabled=None):
        _check_type(device_type)
        self.fast_dtype = get_autocast_dtype(device_type) if dtype is None else dtype
        self.device = device_type
        if not is_autocast_available(device_type):
            raise RuntimeError(f"User specified an unsupported autocast device_type '{device_type}'")
        self._cache_enabled = is_autocast_cache_enabled() if cache_enabled is None else cache_enabled
        if enabled and device_type == "cuda":
            warnings.warn("CUDA is not available or torch_xla is imported. Disabling autocast.", stacklevel=2)
            enabled = False
        elif enabled and self.fast_dtype not in _SHORT:
            name = device_type.upper()
            warnings.warn(f"In {name} autocast, but the target dtype is not supported. Disabling autocast.\n{name} Autocast "
                          "only supports dtypes of torch.bfloat16, torch.float16 currently.", stacklevel=2)
            enabled = False
        self._enabled = enabled

    def __enter__(self):
        self.prev_cache_enabled = is_autocast_cache_enabled()
        self.prev = is_autocast_enabled(self.device)
        self.prev_fastdtype = get_autocast_dtype(self.device)
        set_autocast_enabled(self.device, self._enabled)
        set_autocast_dtype(self.device, self.fast_dtype)
        autocast_increment_nesting()
        set_autocast_cache_enabled(self._cache_enabled)
        return self

    def __exit__(self, *_):
        if autocast_decrement_nesting() == 0:
            clear_autocast_cache()
        set_autocast_enabled(self.device, self.prev)
        set_autocast_dtype(self.device, self.prev_fastdtype)
        set_autocast_cache_enabled(self.prev_cache_enabled)
        return False

    def __call__(self, function):
        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            with self:
                return function(*args, **kwargs)

        return wrapped


def _cast(value, device_type, dtype):
    """`value` with the float tensors in it, wherever they are, in another dtype."""
    if isinstance(value, _C.Tensor):
        casts = value.is_floating_point() and value.device.type == device_type and value.dtype is not _C.float64
        return value.to(dtype) if casts else value
    if isinstance(value, collections.abc.Mapping):
        return {_cast(k, device_type, dtype): _cast(v, device_type, dtype) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(_cast(v, device_type, dtype) for v in value)
    return value


def custom_fwd(fwd=None, *, device_type, cast_inputs=None):
    """For the forward of a Function under autocast: with `cast_inputs` it gets its float tensors in that dtype, and runs
    without autocast."""
    _check_type(device_type)
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    @functools.wraps(fwd)
    def forward(*args, **kwargs):
        ctx, on = args[0], is_autocast_enabled(device_type)
        ctx._dtype = get_autocast_dtype(device_type)
        ctx._fwd_used_autocast = on and cast_inputs is None
        if not on or cast_inputs is None:
            return fwd(*args, **kwargs)
        with autocast(device_type, enabled=False):
            return fwd(*_cast(args, device_type, cast_inputs), **_cast(kwargs, device_type, cast_inputs))

    return forward


def custom_bwd(bwd=None, *, device_type):
    """For the backward of such a Function: autocast is what it was in forward."""
    _check_type(device_type)
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def backward(*args, **kwargs):
        with autocast(device_type, enabled=args[0]._fwd_used_autocast, dtype=args[0]._dtype):
            return bwd(*args, **kwargs)

    return backward


autocast.__module__ = "torch.amp.autocast_mode"
