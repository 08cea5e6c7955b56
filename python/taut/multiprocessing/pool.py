"""A pool of processes that send tensors by their memory."""

from multiprocessing.pool import *  # noqa: F401,F403
from multiprocessing.pool import Pool  # noqa: F401
