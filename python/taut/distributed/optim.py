"""torch.distributed.optim is not there: its names are, and say so."""

from .._refuse import lacking, refusals

globals().update(refusals("distributed.optim", "ZeroRedundancyOptimizer PostLocalSGDOptimizer", "there is no communication between processes"))
__getattr__ = lacking("distributed.optim")
