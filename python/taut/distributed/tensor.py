"""torch.distributed.tensor is not there: its names are, and say so."""

from .._refuse import lacking, refusals

globals().update(refusals("distributed.tensor", "DTensor Shard Replicate Partial distribute_tensor distribute_module", "tensors that know their parts on other processes are not supported: use FullyShardedDataParallel or fully_shard"))
__getattr__ = lacking("distributed.tensor")
