"""Looking into the graph, and hooks on it."""

import threading
from collections import namedtuple

from .. import _C
from .._C import Node, Tensor
from .._tensor import RemovableHandle

__all__ = ["saved_tensors_hooks", "save_on_cpu", "disable_saved_tensors_hooks", "register_multi_grad_hook",
           "allow_mutation_on_saved_tensors", "Node", "GradientEdge", "get_gradient_edge", "increment_version",
           "set_warn_on_accumulate_grad_stream_mismatch", "set_override_stale_capture_stream", "region_activation_memory_budget"]


class GradientEdge(namedtuple("GradientEdge", ["node", "output_nr", "ownership_token"])):
    """Where the gradient of a tensor goes: output `output_nr` of `node`. backward() and grad() take it as a tensor."""

    __slots__ = ()

    def __new__(cls, node, output_nr, ownership_token=None):
        return super().__new__(cls, node, output_nr, ownership_token)


GradientEdge.__module__ = "torch.autograd.graph"


def get_gradient_edge(tensor):
    """The edge to which the gradient of a tensor goes."""
    if not tensor.requires_grad:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    return GradientEdge(*_C._gradient_edge(tensor))


def register_multi_grad_hook(tensors, fn, *, mode="all"):
    """Calls fn when the gradients of several tensors were computed in one backward.

    With mode "all" that is fn(grads), once all of them are there, None for those that have none; with "any" it is
    fn(grad), for the first of them.
    """
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    tensors = tuple(tensors)
    lock = threading.Lock()
    if mode == "any":
        ran = set()

        def first(grad):
            call = _C._backward_number()
            with lock:
                if call in ran:
                    return
                ran.add(call)
            fn(grad)

        handles = [t.register_hook(first) for t in tensors]
    else:
        seen = {}  # of each backward: how many gradients came, and which

        def make(position):
            def note(grad):
                call = _C._backward_number()
                with lock:
                    expected, grads = seen.setdefault(call, [None, {}])
                    if expected is None:
                        expected = [i for i, t in enumerate(tensors) if t.requires_grad and _C._is_expected(t)]
                        seen[call][0] = expected
                    grads[position] = grad
                    done = all(i in grads for i in expected)
                    if done:
                        del seen[call]
                if done:
                    fn([grads.get(i) for i in range(len(tensors))])

            return note

        handles = [t.register_hook(make(i)) for i, t in enumerate(tensors)]

    def remove():
        for handle in handles:
            handle.remove()

    return RemovableHandle(remove)


def increment_version(tensor):
    """Says that a tensor was written in a way autograd could not see."""
    for t in (tensor,) if isinstance(tensor, Tensor) else tensor:
        with_grad = _C.is_grad_enabled()
        _C._set_grad_enabled(False)
        try:
            t.mul_(1) if t.dtype is not _C.bool else t.logical_or_(t)
        finally:
            _C._set_grad_enabled(with_grad)


class saved_tensors_hooks:
    """Within it, what is kept for backward goes through two functions.

    pack_hook(tensor) returns anything, which is kept in the place of the tensor; unpack_hook of that must give the
    tensor, or another one of its shape, back.
    """

    def __init__(self, pack_hook, unpack_hook):
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def __enter__(self):
        _C._push_saved_hooks(self.pack_hook, self.unpack_hook)

    def __exit__(self, *_):
        _C._pop_saved_hooks()


class save_on_cpu(saved_tensors_hooks):
    """Keeps what is saved on the CPU, where all tensors are: hooks that change nothing."""

    def __init__(self, pin_memory=False, device_type="cuda"):
        super().__init__(lambda t: t, lambda t: t)


class disable_saved_tensors_hooks:
    """Within it, entering saved_tensors_hooks raises an error with this message."""

    def __init__(self, error_message):
        self.error_message = error_message

    def __enter__(self):
        self._before = _C._forbid_saved_hooks(self.error_message)

    def __exit__(self, *_):
        _C._forbid_saved_hooks(self._before)

    def __call__(self, function):
        import functools

        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            with disable_saved_tensors_hooks(self.error_message):
                return function(*args, **kwargs)

        return wrapped


class _AllowMutationOnSavedContext:
    """What allow_mutation_on_saved_tensors() gives: it keeps copies until it is cleared."""

    def __init__(self):
        self.cloned = []

    def clear(self):
        """Forgets the copies: backward through what they were for is an error then."""
        for kept in self.cloned:
            kept.pop("tensor", None)
        self.cloned.clear()


class allow_mutation_on_saved_tensors:
    """Within it, tensors may be written although backward needs what they held: copies are kept."""

    def __enter__(self):
        self._context = context = _AllowMutationOnSavedContext()

        def pack(t):
            kept = {"tensor": t.clone()}
            context.cloned.append(kept)
            return kept

        def unpack(kept):
            if "tensor" not in kept:
                raise AssertionError("Trying to backward outside of the 'allow_mutation_on_saved_tensors' contextin which the graph was originally recorded.")
            return kept["tensor"]

        self._hooks = saved_tensors_hooks(pack, unpack)
        self._hooks.__enter__()
        return context

    def __exit__(self, *_):
        self._hooks.__exit__()
        self._context.clear()


def set_warn_on_accumulate_grad_stream_mismatch(enabled):
    """Nothing to do: there are no streams that could differ."""


def set_override_stale_capture_stream(enabled):
    """Nothing to do: there are no streams that are captured."""


class region_activation_memory_budget:
    """A budget for a compiler, which there is none here: nothing changes within it."""

    def __init__(self, budget):
        self.budget = budget

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass
