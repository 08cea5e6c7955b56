"""The compiler there is not: functions stay as they are, and every question about compiling is answered with no."""

import contextlib as _contextlib

from .._functions import compile  # noqa: F401
from .._refuse import loading as _loading, refusals as _refusals

__all__ = ["compile", "config", "assume_constant_result", "reset", "allow_in_graph", "substitute_in_graph", "list_backends", "disable",
           "set_default_backend", "get_default_backend", "set_stance", "set_enable_guard_collectives", "cudagraph_mark_step_begin",
           "load_compiled_function", "wrap_numpy", "is_compiling", "is_dynamo_compiling", "is_exporting", "save_cache_artifacts",
           "load_cache_artifacts", "keep_portable_guards_unsafe", "skip_guard_on_inbuilt_nn_modules_unsafe",
           "skip_guard_on_all_nn_modules_unsafe", "keep_tensor_guards_unsafe", "skip_guard_on_globals_unsafe", "skip_all_guards_unsafe",
           "nested_compile_region"]
_default_backend = ["inductor"]


def is_compiling():
    """Is this being compiled? Never."""
    return False


is_dynamo_compiling = is_exporting = is_compiling


def _same(fn):
    return fn


def disable(fn=None, recursive=True, *, reason=None):
    """The function; a decorator, with or without arguments."""
    return _same if fn is None else fn


def allow_in_graph(fn):
    """The function, or the list of them."""
    for f in fn if isinstance(fn, (list, tuple)) else (fn,):
        if not callable(f):
            raise AssertionError("allow_in_graph expects a callable")
    return fn


def assume_constant_result(fn):
    """The function."""
    return fn


def substitute_in_graph(original_fn, *, can_constant_fold_through=False, skip_signature_check=False, is_embedded_type=False):
    """A decorator that leaves the function as it is."""
    return _same


def nested_compile_region(fn=None, options=None, *args, **kwargs):
    """The function; a decorator, with or without arguments."""
    return _same if fn is None else fn


def reset():
    """Nothing to forget."""


def cudagraph_mark_step_begin():
    """Nothing to mark."""


def list_backends(exclude_tags=("debug", "experimental")):
    """The names of compilers that compile() accepts; all of them mean Taut as it is."""
    return ["cudagraphs", "inductor", "openxla", "tvm"]


def set_default_backend(backend):
    """Keeps the name of a compiler, which changes nothing."""
    _default_backend[0] = backend


def get_default_backend():
    """The name that set_default_backend kept."""
    return _default_backend[0]


def set_enable_guard_collectives(enabled):
    """Nothing to do."""
    return False


class set_stance(_contextlib.ContextDecorator):
    """How eagerly to compile: a function, a context and a decorator, which changes nothing."""

    def __init__(self, stance="default", *, skip_guard_eval_unsafe=False, force_backend=None):
        known = ("default", "eager_then_compile", "aot_eager_then_compile", "force_eager", "eager_on_recompile", "fail_on_recompile")
        if stance not in known:
            raise RuntimeError(f"invalid torch.compile stance {stance!r}; expected one of {known}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


def wrap_numpy(fn):
    """A function of tensors from one of numpy's arrays."""
    import functools

    from .. import _C
    from ..func._tree import flatten

    def turned(tree, kind, turn):
        leaves, build = flatten(tree)
        return build([turn(x) if isinstance(x, kind) else x for x in leaves])

    @functools.wraps(fn)
    def wrapped(*args, **kwargs):
        import numpy

        from .. import as_tensor

        args, kwargs = turned((args, kwargs), _C.Tensor, lambda t: t.numpy())
        return turned(fn(*args, **kwargs), (numpy.ndarray, numpy.generic), as_tensor)

    return wrapped


def save_cache_artifacts():
    """None: nothing is cached."""


def load_cache_artifacts(serialized_artifacts):
    """None: nothing is cached."""


def _keep_all(guard_entries):
    return [True for _ in guard_entries]


keep_portable_guards_unsafe = skip_guard_on_inbuilt_nn_modules_unsafe = skip_guard_on_all_nn_modules_unsafe = _keep_all
keep_tensor_guards_unsafe = skip_guard_on_globals_unsafe = skip_all_guards_unsafe = _keep_all
globals().update(_refusals("compiler", "load_compiled_function", "there is no compiler"))


class _Config:
    """Settings that programs read and write; they change nothing."""

    def __init__(self, **values):
        self.__dict__.update(values)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return None

    @_contextlib.contextmanager
    def patch(self, arg1=None, arg2=None, **values):
        """A context with these values."""
        values = {arg1: arg2} if isinstance(arg1, str) else dict(arg1 or {}, **values)
        before = {k: self.__dict__[k] for k in values if k in self.__dict__}
        self.__dict__.update(values)
        try:
            yield
        finally:
            for k in values:
                self.__dict__.pop(k, None)
            self.__dict__.update(before)


config = _Config(job_id=None, dynamic_sources="", unbacked_sources="")
for _name in __all__:
    if hasattr(globals()[_name], "__module__"):
        globals()[_name].__module__ = "torch.compiler"
__getattr__ = _loading("compiler", ())
