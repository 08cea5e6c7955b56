"""The names of torch.distributed.tensor.parallel, which say that it is not there."""

from . import _WHY
from ..._refuse import lacking, refusals

globals().update(refusals("distributed.tensor.parallel", "parallelize_module ColwiseParallel RowwiseParallel SequenceParallel PrepareModuleInput PrepareModuleOutput ParallelStyle loss_parallel", _WHY))
__getattr__ = lacking("distributed.tensor.parallel")
