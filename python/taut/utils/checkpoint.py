"""Checkpointing: the tensors within a function are computed again in backward instead of being kept."""

import warnings
from contextlib import nullcontext

from .. import _C
from .._C import Tensor

__all__ = ["checkpoint", "checkpoint_sequential", "CheckpointError", "noop_context_fn", "set_checkpoint_early_stop"]


class CheckpointError(RuntimeError):
    """The second run of a function did not do what the first one did."""


CheckpointError.__module__ = "torch.utils.checkpoint"


def noop_context_fn():
    """Two contexts that do nothing."""
    return nullcontext(), nullcontext()


_early_stop = None  # what set_checkpoint_early_stop says


class set_checkpoint_early_stop:
    """Within it: does the second run of a function end with the last tensor that is needed?"""

    def __init__(self, enable):
        self.enable = enable

    def __enter__(self):
        global _early_stop
        self._before, _early_stop = _early_stop, self.enable

    def __exit__(self, *_):
        global _early_stop
        _early_stop = self._before


def _tensors(value, found):
    """All tensors within tuples, lists and dicts."""
    if isinstance(value, Tensor):
        found.append(value)
    elif isinstance(value, (list, tuple)):
        for v in value:
            _tensors(v, found)
    elif isinstance(value, dict):
        for v in value.values():
            _tensors(v, found)
    return found


_HOLE = object()  # where a tensor was


def _replaced(value, tensors):
    """`value` with its tensors (or the holes they left) replaced, in order, by what an iterator gives."""
    if isinstance(value, Tensor) or value is _HOLE:
        return next(tensors)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_replaced(v, tensors) for v in value))
    if isinstance(value, (list, tuple)):
        return type(value)(_replaced(v, tensors) for v in value)
    if isinstance(value, dict):
        return type(value)((k, _replaced(v, tensors)) for k, v in value.items())
    return value


def _run(function, args, kwargs, preserve_rng_state, context_fn, check, early_stop):
    first_context, second_context = context_fn()
    tensors = _tensors((args, kwargs), [])
    values = _replaced((args, kwargs), iter([_HOLE] * len(tensors)))
    result = []

    def first(given):
        with first_context:
            result.append(function(*args, **kwargs))

    def again(given):
        args, kwargs = _replaced(values, iter(given))
        with second_context:
            function(*args, **kwargs)

    _C._checkpoint(first, again, tensors, preserve_rng_state, check, early_stop if _early_stop is None else _early_stop)
    return result.pop()


def _choose(use_reentrant, name):
    if use_reentrant is not None:
        return use_reentrant
    warnings.warn(f"{name}: the use_reentrant parameter should be passed explicitly. Starting in PyTorch 2.9, calling "
                  f"{name.rpartition('.')[2]} without use_reentrant will raise an exception. use_reentrant=False is "
                  "recommended, but if you need to preserve the current default behavior, you can pass "
                  "use_reentrant=True. Refer to docs for more details on the differences between the two variants.",
                  stacklevel=3)
    return True


def checkpoint(function, *args, use_reentrant=None, context_fn=noop_context_fn, determinism_check="default",
               debug=False, early_stop=True, **kwargs):
    """function(*args), without keeping what its backward needs: it runs once more, with the same random numbers, then.

    Both values of use_reentrant work in one way; True wants an argument that requires grad, and takes no keyword
    arguments.
    """
    use_reentrant = _choose(use_reentrant, "torch.utils.checkpoint")
    preserve = kwargs.pop("preserve_rng_state", True)
    if use_reentrant:
        if kwargs:
            raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
        if context_fn is not noop_context_fn or debug is not False:
            raise ValueError("Passing `context_fn` or `debug` is only supported when use_reentrant=False.")
        if not any(isinstance(a, Tensor) and a.requires_grad for a in args):
            warnings.warn("None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2)
            before = _C.is_grad_enabled()
            _C._set_grad_enabled(False)
            try:
                return function(*args)
            finally:
                _C._set_grad_enabled(before)
    return _run(function, args, kwargs, preserve, context_fn, determinism_check == "default", early_stop)


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    """Functions (or the modules of a Sequential) in turn, in segments, of which all but the last are checkpointed."""
    use_reentrant = _choose(use_reentrant, "torch.utils.checkpoint.checkpoint_sequential")
    preserve = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
    functions = list(functions.children()) if hasattr(functions, "children") else list(functions)

    def segment(begin, end):
        def run(x):
            for f in functions[begin:end]:
                x = f(x)
            return x

        return run

    size = len(functions) // segments
    end = 0
    for begin in range(0, size * (segments - 1), size):
        end = begin + size
        input = checkpoint(segment(begin, end), input, use_reentrant=use_reentrant, preserve_rng_state=preserve)
    return segment(end, len(functions))(input)


def __getattr__(name):
    raise AttributeError(f"torch.utils.checkpoint.{name} is not part of Taut")
