"""What programs ask of PyTorch's compiler; there is none, and functions stay as they are."""

from .._refuse import lacking as _lacking, refusals as _refusals
from ..compiler import _same, allow_in_graph, assume_constant_result, disable, is_compiling, list_backends, reset, set_stance, substitute_in_graph  # noqa: F401
from . import config, eval_frame  # noqa: F401

__all__ = ["allow_in_graph", "assume_constant_result", "disable", "disallow_in_graph", "forbid_in_graph", "graph_break", "mark_dynamic",
           "mark_static", "mark_static_address", "maybe_mark_dynamic", "optimize", "reset", "run", "is_compiling", "list_backends",
           "OptimizedModule", "export", "explain", "skip_code"]


def optimize(backend="inductor", *, nopython=False, guard_export_fn=None, guard_fail_fn=None, disable=False, dynamic=None, **kwargs):
    """A decorator that leaves the function as it is."""
    return _same


def optimize_assert(backend="inductor", **kwargs):
    """A decorator that leaves the function as it is."""
    return _same


def run(fn=None):
    """The function."""
    return _same if fn is None else fn


def disallow_in_graph(fn):
    """The function."""
    return fn


forbid_in_graph = nonstrict_trace = dont_skip_tracing = skip = disallow_in_graph


def graph_break(msg=""):
    """Nothing to break."""


def skip_code(code, recursive=False):
    """Nothing to skip."""


def mark_dynamic(t, index, *args, **kwargs):
    """Nothing to mark: every size may change."""


mark_static = mark_static_address = maybe_mark_dynamic = mark_unbacked = mark_dynamic


def reset_code_caches():
    """Nothing to forget."""


def register_backend(compiler_fn=None, name=None, tags=()):
    """A decorator that leaves the function as it is."""
    return _same if compiler_fn is None else compiler_fn


def lookup_backend(compiler_fn):
    """The function, or one that gives a module's forward as it is."""
    return (lambda gm, example_inputs: gm.forward) if isinstance(compiler_fn, str) else compiler_fn


class OptimizedModule:
    """The class of compiled modules: nothing is one."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("torch._dynamo.OptimizedModule is not supported by Taut: a compiled module is the module itself")


OptimizedModule.__module__ = "torch._dynamo.eval_frame"
eval_frame.OptimizedModule = OptimizedModule
globals().update(_refusals("_dynamo", "export explain", "there is no compiler"))


def __getattr__(name):
    import importlib

    if name in ("external_utils", "utils", "decorators", "exc", "backends"):
        return importlib.import_module(f"{__name__}.{name}")
    return _lacking("_dynamo")(name)
