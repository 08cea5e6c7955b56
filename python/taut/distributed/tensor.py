"""torch.distributed.tensor is not there: its names are, and say so."""

from .._refuse import lacking, refusals

globals().update(refusals("distributed.tensor", "DTensor Shard Replicate Partial distribute_tensor distribute_module", "there is no communication between processes"))
__getattr__ = lacking("distributed.tensor")
