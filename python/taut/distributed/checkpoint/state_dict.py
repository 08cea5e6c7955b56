"""The names of torch.distributed.checkpoint.state_dict, which say that it is not there."""

from . import _WHY
from ..._refuse import lacking, refusals

globals().update(refusals("distributed.checkpoint.state_dict", "StateDictOptions get_model_state_dict set_model_state_dict get_optimizer_state_dict set_optimizer_state_dict get_state_dict set_state_dict", _WHY))
__getattr__ = lacking("distributed.checkpoint.state_dict")
