"""Python's multiprocessing, whose queues and pipes send tensors by their shared memory instead of their bytes."""

import multiprocessing as _multiprocessing
from multiprocessing import *  # noqa: F401,F403
from multiprocessing import reducer  # noqa: F401

from .._refuse import loading as _loading
from . import reductions
from .spawn import ProcessContext, ProcessExitedException, ProcessRaisedException, SpawnContext, spawn, start_processes  # noqa: F401

__all__ = ["set_sharing_strategy", "get_sharing_strategy", "get_all_sharing_strategies", *_multiprocessing.__all__]
_STRATEGIES = {"file_descriptor", "file_system"}


def get_all_sharing_strategies():
    """The ways to send shared memory: by its open file, or by its name."""
    return set(_STRATEGIES)


def get_sharing_strategy():
    """The way shared memory is sent."""
    return reductions.strategy


def set_sharing_strategy(new_strategy):
    """Chooses the way shared memory is sent: "file_descriptor" or "file_system"."""
    if new_strategy not in _STRATEGIES:
        raise AssertionError(f"invalid sharing strategy: {new_strategy}; expected one of {sorted(_STRATEGIES)}")
    reductions.strategy = new_strategy


reductions.init_reductions()
_more = _loading("multiprocessing", {"spawn", "reductions", "queue", "pool"})


def __getattr__(name):
    if hasattr(_multiprocessing, name) and not name.startswith("_"):
        return getattr(_multiprocessing, name)
    return _more(name)
