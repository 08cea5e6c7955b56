"""Loading, by the name under which libraries look for it."""

from . import load, load_state_dict  # noqa: F401
from ..._refuse import lacking

__getattr__ = lacking("distributed.checkpoint.state_dict_loader")
