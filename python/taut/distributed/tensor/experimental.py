"""The names of torch.distributed.tensor.experimental, which say that it is not there."""

from . import _WHY
from ..._refuse import lacking, refusals

globals().update(refusals("distributed.tensor.experimental", "context_parallel implicit_replication", _WHY))
__getattr__ = lacking("distributed.tensor.experimental")
