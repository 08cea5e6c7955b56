"""torch.distributed.fsdp is not there: its names are, and say so."""

from .._refuse import lacking, refusals

globals().update(refusals("distributed.fsdp", "FullyShardedDataParallel ShardingStrategy MixedPrecision CPUOffload BackwardPrefetch StateDictType FullStateDictConfig ShardedStateDictConfig FullOptimStateDictConfig fully_shard MixedPrecisionPolicy FSDPModule", "there is no communication between processes"))
__getattr__ = lacking("distributed.fsdp")
