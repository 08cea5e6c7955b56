"""Where PyTorch keeps DistributedDataParallel."""

from . import DistributedDataParallel  # noqa: F401
