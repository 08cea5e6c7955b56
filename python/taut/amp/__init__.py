"""Mixed precision."""

from .autocast_mode import (autocast, custom_bwd, custom_fwd, get_autocast_dtype, is_autocast_available,
                            is_autocast_cpu_enabled, is_autocast_enabled)
from .grad_scaler import GradScaler

__all__ = ["autocast", "custom_bwd", "custom_fwd", "is_autocast_available", "GradScaler"]


def __getattr__(name):
    raise AttributeError(f"torch.amp.{name} is not part of Taut")
