"""Parameters, gradients and optimiser state shared out among the ranks."""

from .fully_sharded_data_parallel import *  # noqa: F401,F403
from .fully_sharded_data_parallel import fully_shard
from . import wrap
