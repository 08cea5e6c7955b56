"""Checkpointing: the tensors within a function are computed again in backward instead of being kept."""

import warnings
from contextlib import nullcontext

from .. import _C
from .._C import Tensor

__all__ = ["checkpoint", "checkpoint_sequential", "CheckpointError", "CheckpointFunction", "check_backward_validity", "detach_variable",
           "get_device_states", "set_device_states", "noop_context_fn", "set_checkpoint_early_stop", "DefaultDeviceType",
           "set_checkpoint_debug_enabled", "GraphExecGroup"]


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


_debug = None  # what set_checkpoint_debug_enabled says


class set_checkpoint_debug_enabled:
    """Within it: do errors of a second run list the ops of both?"""

    def __init__(self, enabled):
        self.enabled = enabled

    def __enter__(self):
        global _debug
        self._before, _debug = _debug, self.enabled

    def __exit__(self, *_):
        global _debug
        _debug = self._before


class DefaultDeviceType:
    """The device whose random numbers are kept when the arguments do not say: the CPU's always are."""

    _type = "cuda"

    @staticmethod
    def set_device_type(device="cuda"):
        """Sets it."""
        DefaultDeviceType._type = device

    @staticmethod
    def get_device_type():
        """What was set."""
        return DefaultDeviceType._type


class GraphExecGroup:
    """Within it: backward calls that belong together. Every one recomputes what it needs."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


def get_device_states(*args):
    """([], []): no argument is on a device of its own."""
    return [], []


def set_device_states(devices, states, *, device_type=None):
    """Nothing to do: there are no devices with random numbers of their own."""


def detach_variable(inputs):
    """The arguments cut off their graph; those that require grad still do."""
    if not isinstance(inputs, tuple):
        raise RuntimeError("Only tuple of tensors is supported. Got Unsupported input type: ", type(inputs).__name__)
    return tuple(x.detach().requires_grad_(x.requires_grad) if isinstance(x, Tensor) else x for x in inputs)


def check_backward_validity(inputs):
    """Warns if no argument requires grad."""
    if not any(isinstance(x, Tensor) and x.requires_grad for x in inputs):
        warnings.warn("None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2)


class CheckpointFunction:
    """The class behind use_reentrant=True in PyTorch: apply(function, preserve_rng_state, *args)."""

    @staticmethod
    def apply(run_function, preserve_rng_state, *args):
        """checkpoint(run_function, *args)."""
        return checkpoint(run_function, *args, use_reentrant=True, preserve_rng_state=preserve_rng_state)


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


def _logged(function):
    """The function, noting the ops of every run of it; and those notes."""
    from ._python_dispatch import TorchDispatchMode

    logs = []

    class Log(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            logs[-1].append(str(func))
            return func(*args, **(kwargs or {}))

    def run(*args, **kwargs):
        logs.append([])
        with Log():
            made = function(*args, **kwargs)
        if len(logs) > 1 and logs[-1] != logs[0]:
            raise CheckpointError("torch.utils.checkpoint: the second run called other ops than the first one, which are listed because of debug=True."
                                  "\nOperations executed during the original forward:\n  " + "\n  ".join(logs[0])
                                  + "\nOperations executed during recomputation:\n  " + "\n  ".join(logs[-1]))
        return made

    return run


def _run(function, args, kwargs, preserve_rng_state, context_fn, check, early_stop):
    contexts = context_fn()
    if context_fn is not noop_context_fn:
        from . import _selective

        if _selective.is_selective(contexts):
            return _selective.run(function, args, kwargs, contexts, preserve_rng_state, early_stop if _early_stop is None else _early_stop)
    first_context, second_context = contexts
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
    if determinism_check not in ("default", "none"):
        raise ValueError(f"determinism_check should be one of ['default', 'none'], but got {determinism_check}")
    if debug if _debug is None else _debug:
        if context_fn is not noop_context_fn:
            raise ValueError("debug=True is incompatible with non-default context_fn")
        function, early_stop = _logged(function), False
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
    if name in ("CheckpointPolicy", "SelectiveCheckpointContext", "create_selective_checkpoint_contexts", "SAC_IGNORED_OPS"):
        from . import _selective

        return getattr(_selective, name)
    raise AttributeError(f"torch.utils.checkpoint.{name} is not part of Taut")
