"""The old place of torch.distributed.fsdp's fully_shard."""

from ..fsdp import *  # noqa: F401,F403
from ..fsdp import fully_shard  # noqa: F401
