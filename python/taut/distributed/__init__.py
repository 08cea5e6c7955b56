"""Several processes: torch.distributed over Gloo, or MPI."""

import importlib as _importlib

from . import distributed_c10d as _c10d
from .distributed_c10d import *  # noqa: F401,F403
from .distributed_c10d import _backend_name, _get_default_group  # noqa: F401

_SUBMODULES = {"_composable", "_functional_collectives", "_tensor", "algorithms", "checkpoint", "constants", "device_mesh", "distributed_c10d", "elastic", "fsdp", "launch", "nn", "optim", "rendezvous", "rpc", "run", "tensor",
               "utils"}


def is_available():
    """Can processes talk to each other: is there a library for it beside Taut's?"""
    return is_gloo_available() or is_mpi_available()  # noqa: F405


def breakpoint(rank=0, skip=0, timeout_s=3600):
    """A debugger on one rank, while the others wait."""
    import pdb

    if get_rank() == rank:  # noqa: F405
        pdb.Pdb().set_trace()
    barrier()  # noqa: F405


def __getattr__(name):
    if name in _SUBMODULES:
        return _importlib.import_module(f"{__name__}.{name}")
    if name in ("DeviceMesh", "init_device_mesh"):
        return getattr(_importlib.import_module(f"{__name__}.device_mesh"), name)
    raise AttributeError(f"torch.distributed.{name} is not part of Taut")
