"""torch.distributed.tensor is not there: its names are, and say so."""

from ..._refuse import loading, refusals
from .placement_types import Partial, Placement, Replicate, Shard  # noqa: F401

_WHY = "tensors that know their parts on other processes are not supported: use FullyShardedDataParallel or fully_shard"
globals().update(refusals("distributed.tensor", "DTensor distribute_tensor distribute_module", _WHY))
__getattr__ = loading("distributed.tensor", {"_utils", "placement_types", "parallel", "experimental"})
