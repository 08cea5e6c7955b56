"""The names of torch.distributed.checkpoint.state_dict_loader, which say that it is not there."""

from . import _WHY
from ..._refuse import lacking, refusals

globals().update(refusals("distributed.checkpoint.state_dict_loader", "load load_state_dict _load_state_dict", _WHY))
__getattr__ = lacking("distributed.checkpoint.state_dict_loader")
