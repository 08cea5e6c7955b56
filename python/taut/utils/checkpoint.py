"""Checkpointing: the tensors within a function are computed again in backward instead of being kept."""

import warnings
from contextlib import nullcontext
from weakref import ref as _ref

from .. import _C
from .._C import Tensor
from ..autograd.function import Function
from ..autograd.graph import saved_tensors_hooks as _hooks

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


class _Stop(Exception):
    """All that was asked for is computed."""


class _Place:
    """What the graph keeps in the place of a tensor: where to put it when it is computed again."""

    __slots__ = ("backward", "tensor", "__weakref__")

    def __init__(self):
        self.backward = self.tensor = None


class _Arguments(Function):
    """Keeps the tensors among the arguments as an op would: hooks of a checkpoint around this one see them too."""

    @staticmethod
    def forward(ctx, segment, _, *tensors):
        ctx.save_for_backward(*tensors)
        segment.arguments = ctx
        return _C._empty((), None, _C.float32)

    @staticmethod
    def backward(ctx, *_):
        raise AssertionError("nobody goes back through this")


def _kind(tensor):
    return {"shape": tensor.shape, "dtype": tensor.dtype}


class _Segment:
    """One call of the function: what it would have kept for backward, and how to compute that again."""

    def __init__(self, function, args, kwargs, rng_state, context, check, early_stop):
        self.function, self.rng_state, self.context, self.check = function, rng_state, context, check
        self.early_stop = early_stop if _early_stop is None else _early_stop
        tensors = _tensors((args, kwargs), [])
        self.kept = _Arguments.apply(self, _C._empty((), None, _C.float32).requires_grad_(), *tensors)
        self.requires_grad = [t.requires_grad for t in tensors]
        self.values = _replaced((args, kwargs), iter([_HOLE] * len(tensors)))
        self.places, self.kinds = [], []

    def pack(self, tensor):
        place = _Place()
        self.places.append(_ref(place))
        self.kinds.append(_kind(tensor))
        return place

    def unpack(self, place):
        backward = _C._backward_number()
        if place.tensor is None or place.backward != backward or not backward:
            self.compute_again(backward)
        return place.tensor

    def compute_again(self, backward):
        tensors = [t.detach().requires_grad_(r) for t, r in zip(self.arguments.saved_tensors, self.requires_grad)]
        args, kwargs = _replaced(self.values, iter(tensors))
        count = 0

        def pack(tensor):
            nonlocal count
            count += 1
            if count > len(self.places):
                if self.early_stop:
                    return tensor
                raise CheckpointError("torch.utils.checkpoint: trying to save more tensors during recomputation than "
                                      "during the original forward pass.")
            tensor = tensor.detach()
            place = self.places[count - 1]()
            if self.check and _kind(tensor) != self.kinds[count - 1]:
                raise CheckpointError("torch.utils.checkpoint: Recomputed values for the following tensors have "
                                      "different metadata than during the forward pass.\n"
                                      f"tensor at position {count - 1}:\nsaved metadata: {self.kinds[count - 1]}\n"
                                      f"recomputed metadata: {_kind(tensor)}")
            if place is not None:
                place.backward, place.tensor = backward, tensor
            if self.early_stop and count == len(self.places):
                raise _Stop
            return tensor

        generator = _C._default_generator()
        now = generator.get_state() if self.rng_state is not None else None
        if now is not None:
            generator.set_state(self.rng_state)
        grad_enabled = _C.is_grad_enabled()
        _C._set_grad_enabled(True)
        try:
            with self.context, _hooks(pack, lambda tensor: tensor):
                self.function(*args, **kwargs)
        except _Stop:
            pass
        finally:
            _C._set_grad_enabled(grad_enabled)
            if now is not None:
                generator.set_state(now)
        if count != len(self.places):
            raise CheckpointError("torch.utils.checkpoint: A different number of tensors was saved during the original "
                                  "forward and recomputation.\n"
                                  f"Number of tensors saved during forward: {len(self.places)}\n"
                                  f"Number of tensors saved during recomputation: {count}.")


def _run(function, args, kwargs, preserve_rng_state, context_fn, check, early_stop):
    state = _C._default_generator().get_state() if preserve_rng_state else None
    context, again = context_fn()
    if not _C.is_grad_enabled():
        with context:
            return function(*args, **kwargs)
    segment = _Segment(function, args, kwargs, state, again, check, early_stop)
    with context, _hooks(segment.pack, segment.unpack):
        return function(*args, **kwargs)


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
