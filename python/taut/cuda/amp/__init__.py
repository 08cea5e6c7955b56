"""The old names of torch.amp for GPUs."""

import warnings

from ... import _C
from ...amp import GradScaler as _GradScaler, autocast as _autocast
from ...amp import custom_bwd as _custom_bwd, custom_fwd as _custom_fwd

__all__ = ["autocast", "GradScaler", "custom_fwd", "custom_bwd"]


class autocast(_autocast):
    """torch.amp.autocast("cuda"), which switches itself off."""

    def __init__(self, enabled=True, dtype=_C.float16, cache_enabled=True):
        warnings.warn("`torch.cuda.amp.autocast(args...)` is deprecated. Please use `torch.amp.autocast('cuda', "
                      "args...)` instead.", FutureWarning, stacklevel=2)
        super().__init__("cuda", dtype, enabled, cache_enabled)


class GradScaler(_GradScaler):
    """torch.amp.GradScaler("cuda"), which switches itself off."""

    def __init__(self, init_scale=2.0 ** 16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        warnings.warn("`torch.cuda.amp.GradScaler(args...)` is deprecated. Please use `torch.amp.GradScaler('cuda', "
                      "args...)` instead.", FutureWarning, stacklevel=2)
        super().__init__("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)


def custom_fwd(fwd=None, *, cast_inputs=None):
    """torch.amp.custom_fwd for GPUs."""
    return _custom_fwd(fwd, device_type="cuda", cast_inputs=cast_inputs)


def custom_bwd(bwd):
    """torch.amp.custom_bwd for GPUs."""
    return _custom_bwd(bwd, device_type="cuda")


autocast.__module__, GradScaler.__module__ = "torch.cuda.amp.autocast_mode", "torch.cuda.amp.grad_scaler"


def __getattr__(name):
    if name in ("autocast_mode", "grad_scaler", "common"):
        import importlib

        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"torch.cuda.amp.{name} is not part of Taut")
