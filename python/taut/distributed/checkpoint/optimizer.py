"""The names of torch.distributed.checkpoint.optimizer, which say that it is not there."""

from . import _WHY
from ..._refuse import lacking, refusals

globals().update(refusals("distributed.checkpoint.optimizer", "load_sharded_optimizer_state_dict", _WHY))
__getattr__ = lacking("distributed.checkpoint.optimizer")
