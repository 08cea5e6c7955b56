"""Where PyTorch keeps GradScaler of GPUs."""

from . import GradScaler  # noqa: F401
