"""The names of torch.distributed.tensor._utils, which say that it is not there."""

from . import _WHY
from ..._refuse import lacking, refusals

globals().update(refusals("distributed.tensor._utils", "compute_local_shape_and_global_offset compute_global_tensor_info", _WHY))
__getattr__ = lacking("distributed.tensor._utils")
