"""Random numbers: seeds and states. The stream is PyTorch's."""

import contextlib

from . import _C, default_generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state

__all__ = ["set_rng_state", "get_rng_state", "manual_seed", "seed", "initial_seed", "fork_rng", "default_generator",
           "thread_safe_generator"]


@contextlib.contextmanager
def fork_rng(devices=None, enabled=True, _caller="fork_rng", _devices_kw="devices", device_type=None):
    """Within it random numbers are drawn as usual; at its end they go on from where they were at its begin."""
    if not enabled:
        yield
        return
    state = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(state)


def thread_safe_generator():
    """The generator of a loader's worker; None outside of workers."""
    from .utils.data import get_worker_info

    return None if get_worker_info() is None else _C._default_generator()
