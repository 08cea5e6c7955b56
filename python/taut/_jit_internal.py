"""Where PyTorch keeps the decorators of torch.jit."""

from typing import Any, Dict, Final, List, Optional, Tuple, Union  # noqa: F401

from .futures import Future  # noqa: F401
from .jit import _drop, _overload, _overload_method, annotate, export, ignore, is_scripting, unused  # noqa: F401
from .jit.annotations import *  # noqa: F401,F403
from .jit.annotations import BroadcastingList1, BroadcastingList2, BroadcastingList3  # noqa: F401
from .overrides import boolean_dispatch  # noqa: F401


def is_tracing():
    """Is torch.jit.trace running its example?"""
    from .jit import is_tracing as tracing

    return tracing()


def _copy_to_script_wrapper(fn):
    """The method."""
    return fn


def is_ignored_fn(fn):
    """Would it stay Python?"""
    return getattr(fn, "_torchscript_modifier", "").startswith(("ignore", "unused"))
