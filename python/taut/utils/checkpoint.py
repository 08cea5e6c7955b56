"""Checkpointing: the tensors within a function are computed again in backward instead of being kept."""

import warnings
from contextlib import nullcontext

from .. import _C
from .._C import Tensor
from ..autograd.function import Function
from ..autograd import grad as _grad

__all__ = ["checkpoint", "checkpoint_sequential", "CheckpointError", "noop_context_fn", "set_checkpoint_early_stop"]


class CheckpointError(RuntimeError):
    """The second run of a function did not do what the first one did."""


CheckpointError.__module__ = "torch.utils.checkpoint"


def noop_context_fn():
    """Two contexts that do nothing."""
    return nullcontext(), nullcontext()


class set_checkpoint_early_stop:
    """Has no effect: what is computed again is computed to its end."""

    def __init__(self, enable):
        self.enable = enable

    def __enter__(self):
        pass

    def __exit__(self, *_):
        pass


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


def _replaced(value, tensors):
    """`value` with its tensors replaced, in order, by those of an iterator."""
    if isinstance(value, Tensor):
        return next(tensors)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_replaced(v, tensors) for v in value))
    if isinstance(value, (list, tuple)):
        return type(value)(_replaced(v, tensors) for v in value)
    if isinstance(value, dict):
        return type(value)((k, _replaced(v, tensors)) for k, v in value.items())
    return value


class _Call:
    """A call of the function, to be made again."""

    def __init__(self, function, args, kwargs, rng_state, context):
        self.function, self.values, self.rng_state, self.context = function, (args, kwargs), rng_state, context

    def again(self, tensors):
        """The tensors it gives for these tensors as arguments, with the random numbers of the first time."""
        args, kwargs = _replaced(self.values, iter(tensors))
        generator = _C._default_generator()
        now = generator.get_state() if self.rng_state is not None else None
        if now is not None:
            generator.set_state(self.rng_state)
        try:
            with self.context:
                return _tensors(self.function(*args, **kwargs), [])
        finally:
            if now is not None:
                generator.set_state(now)


class _Checkpoint(Function):
    """The function as one op of its arguments and of the leaves it found elsewhere."""

    @staticmethod
    def forward(ctx, call, argument_count, outputs, *tensors):
        ctx.call, ctx.argument_count = call, argument_count
        ctx.shapes = [(o.shape, o.dtype) for o in outputs]
        ctx.save_for_backward(*tensors)
        ctx.set_materialize_grads(False)
        made = tuple(o.detach() for o in outputs)
        ctx.mark_non_differentiable(*(m for m, o in zip(made, outputs) if not o.requires_grad))
        return made

    @staticmethod
    def backward(ctx, *grads):
        create_graph = _C.is_grad_enabled()
        tensors = list(ctx.saved_tensors)
        n = ctx.argument_count
        if not create_graph:  # cut off what is before the arguments
            tensors[:n] = [t.detach().requires_grad_(t.requires_grad) for t in tensors[:n]]
        _C._set_grad_enabled(True)
        try:
            outputs = ctx.call.again(tensors[:n])
            if [(o.shape, o.dtype) for o in outputs] != ctx.shapes:
                raise CheckpointError("torch.utils.checkpoint: Recomputed values have different metadata than during "
                                      f"the forward pass.\nforward: {ctx.shapes}\nrecomputed: "
                                      f"{[(o.shape, o.dtype) for o in outputs]}")
            wanted = [i for i, t in enumerate(tensors) if t.requires_grad]
            used = [(o, g) for o, g in zip(outputs, grads) if g is not None and o.requires_grad]
            result = [None] * (3 + len(tensors))
            if used and wanted:
                found = _grad([o for o, _ in used], [tensors[i] for i in wanted], [g for _, g in used],
                              create_graph=create_graph, allow_unused=True)
                for i, g in zip(wanted, found):
                    result[3 + i] = g
        finally:
            _C._set_grad_enabled(create_graph)
        return tuple(result)


def _captured_leaves(outputs, arguments, start):
    """The leaves that a recorded function used beside its arguments; None when it used something else of the graph.

    Nodes of the function have numbers from `start` on.
    """
    entries = {(t.grad_fn._sequence_nr(), t.output_nr) for t in arguments if t.grad_fn is not None}
    known = {id(t) for t in arguments}
    leaves, seen = [], set()
    waiting = [(o.grad_fn, o.output_nr) for o in outputs if o.grad_fn is not None]
    while waiting:
        node, slot = waiting.pop()
        if node is None:
            continue
        leaf = getattr(node, "variable", None)
        if leaf is not None:
            if id(leaf) not in known:
                known.add(id(leaf))
                leaves.append(leaf)
            continue
        number = node._sequence_nr()
        if number < start:
            if (number, slot) not in entries:
                return None
        elif number not in seen:
            seen.add(number)
            waiting.extend(node.next_functions)
    return leaves


def _next_number():
    return (_C._empty((), None, _C.float32).requires_grad_() + 0).grad_fn._sequence_nr()


def _run(function, args, kwargs, preserve_rng_state, context_fn):
    arguments = _tensors((args, kwargs), [])
    state = _C._default_generator().get_state() if preserve_rng_state else None
    context, again = context_fn()
    if not _C.is_grad_enabled():
        with context:
            return function(*args, **kwargs)
    start = _next_number()
    with context:
        result = function(*args, **kwargs)
    outputs = _tensors(result, [])
    if not any(o.requires_grad for o in outputs):
        return result
    leaves = _captured_leaves(outputs, arguments, start)
    if leaves is None:  # it used tensors that were computed elsewhere: its graph stays as it is
        return result
    call = _Call(function, args, kwargs, state, again)
    return _replaced(result, iter(_Checkpoint.apply(call, len(arguments), outputs, *arguments, *leaves)))


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
    return _run(function, args, kwargs, preserve, context_fn)


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
