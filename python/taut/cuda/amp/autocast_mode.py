"""Where PyTorch keeps autocast of GPUs."""

from . import autocast, custom_bwd, custom_fwd  # noqa: F401
