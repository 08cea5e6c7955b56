"""The old name of torch.distributed.tensor."""

from .tensor import *  # noqa: F401,F403
from .tensor import DTensor, Partial, Placement, Replicate, Shard, distribute_module, distribute_tensor  # noqa: F401
