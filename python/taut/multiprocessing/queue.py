"""Queues that send tensors by their memory."""

from multiprocessing.connection import Connection as ConnectionWrapper  # noqa: F401
from multiprocessing.queues import JoinableQueue, Queue, SimpleQueue  # noqa: F401
