"""The old name of torch.amp.autocast("cpu")."""

import warnings

from ... import _C
from ...amp import autocast as _autocast

__all__ = ["autocast"]


class autocast(_autocast):
    """torch.amp.autocast("cpu")."""

    def __init__(self, enabled=True, dtype=_C.bfloat16, cache_enabled=True):
        warnings.warn("`torch.cpu.amp.autocast(args...)` is deprecated. Please use `torch.amp.autocast('cpu', args...)` "
                      "instead.", FutureWarning, stacklevel=2)
        super().__init__("cpu", dtype, enabled, cache_enabled)


autocast.__module__ = "torch.cpu.amp.autocast_mode"
