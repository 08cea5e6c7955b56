"""The processes' functions by their inner names."""

from . import *  # noqa: F401,F403
from . import Backend, ProcessGroup, ReduceOp, get_rank, is_initialized  # noqa: F401


def _get_default_group():
    """Raises: no process group was made."""
    get_rank()
