"""The names of torch.distributed.checkpoint.default_planner, which say that it is not there."""

from . import _WHY
from ..._refuse import lacking, refusals

globals().update(refusals("distributed.checkpoint.default_planner", "DefaultSavePlanner DefaultLoadPlanner", _WHY))
__getattr__ = lacking("distributed.checkpoint.default_planner")
