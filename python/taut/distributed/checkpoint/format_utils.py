"""The names of torch.distributed.checkpoint.format_utils, which say that it is not there."""

from . import _WHY
from ..._refuse import lacking, refusals

globals().update(refusals("distributed.checkpoint.format_utils", "dcp_to_torch_save torch_save_to_dcp _EmptyStateDictLoadPlanner", _WHY))
__getattr__ = lacking("distributed.checkpoint.format_utils")
