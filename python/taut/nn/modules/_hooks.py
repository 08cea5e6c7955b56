"""Hooks of modules: how they are kept, and how backward hooks see the gradients."""

import itertools
import warnings
from _weakref import ref as _reference  # weakref itself takes longer to load than this file
from collections import OrderedDict

from ... import _C
from ..._C import Tensor
from ..._tensor import RemovableHandle
from ...autograd.function import Function

_hook_numbers = itertools.count()


class _Handle(RemovableHandle):
    """Takes a hook out of the dictionaries it is in."""

    def __init__(self, hooks, extra=()):
        self.id = next(_hook_numbers)
        self._held = tuple(_reference(h) for h in (hooks, *extra))

    def remove(self):
        for held in self._held:
            hooks = held()
            if hooks is not None:
                hooks.pop(self.id, None)

    def __getstate__(self):
        return tuple(h() for h in self._held), self.id

    def __setstate__(self, state):
        held, self.id = state
        self._held = tuple(_reference(h if h is not None else OrderedDict()) for h in held)


def _add_hook(hooks, hook, prepend=False, with_kwargs=None, kwargs=False, always_called=None, always=False):
    handle = _Handle(hooks, [h for h in (with_kwargs, always_called) if h is not None])
    hooks[handle.id] = hook
    if kwargs:
        with_kwargs[handle.id] = True
    if always:
        always_called[handle.id] = True
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


class BackwardHookFunction(Function):
    """The identity; its backward sees all gradients at once."""

    @staticmethod
    def forward(ctx, seen, materialize, *tensors):
        ctx.seen = seen
        ctx.set_materialize_grads(materialize)
        made = tuple(t.view_as(t) for t in tensors)
        ctx.mark_non_differentiable(*(m for m, t in zip(made, tensors) if not t.requires_grad))
        return made

    @staticmethod
    def backward(ctx, *grads):
        return (None, None) + tuple(ctx.seen(grads))


def _watched(values, seen, materialize):
    """`values` with its tensors replaced by watched ones, and where they are; None when nothing is recorded."""
    places = [i for i, v in enumerate(values) if isinstance(v, Tensor)]
    if not (_C.is_grad_enabled() and any(values[i].requires_grad for i in places)):
        return values, None
    made = list(values)
    for i, t in zip(places, BackwardHookFunction.apply(seen, materialize, *(values[i] for i in places))):
        made[i] = t
    return (type(values)(*made) if hasattr(values, "_fields") else tuple(made)), places


def _at(places, values, n):
    made = [None] * n
    for i, v in zip(places, values):
        made[i] = v
    return tuple(made)


class _BackwardCall:
    """What the backward hooks of one call of a module share."""

    def __init__(self, module, pre_hooks, hooks):
        self.module, self.pre_hooks, self.hooks = module, pre_hooks, hooks
        self.grad_outputs = None
        self.input_places = None
        self.n_inputs = 0

    def inputs(self, args):
        self.n_inputs = len(args)
        args, self.input_places = _watched(args, self.see_inputs, True)
        return args

    def outputs(self, result):
        values = result if isinstance(result, tuple) else (result,)
        self.n_outputs = len(values)
        values, self.output_places = _watched(values, self.see_outputs, False)
        return values if isinstance(result, tuple) else values[0]

    def see_outputs(self, grads):
        grads = _at(self.output_places, grads, self.n_outputs)
        for hook in self.pre_hooks:
            other = hook(self.module, grads)
            if other is None:
                continue
            other = other if isinstance(other, tuple) else (other,)
            if len(other) != len(grads):
                raise RuntimeError(f"Backward pre hook returned an invalid number of grad_output, got {len(other)}, "
                                   f"but expected {len(grads)}")
            grads = other
        self.grad_outputs = grads
        if self.input_places is None and self.hooks:
            warnings.warn("Full backward hook is firing when gradients are computed with respect to module outputs "
                          "since no inputs require gradients. See "
                          "https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html"
                          "#torch.nn.Module.register_full_backward_hook "
                          "for more details.", stacklevel=2)
            for hook in self.hooks:
                other = hook(self.module, (None,) * self.n_inputs, grads)
                if other is not None and not (isinstance(other, tuple) and all(g is None for g in other)):
                    raise RuntimeError("Backward hook for Modules where no input requires gradient should always "
                                       "return None or None for all gradients.")
            self.grad_outputs = None
        return [grads[i] for i in self.output_places]

    def see_inputs(self, grads):
        if self.grad_outputs is None:  # it came to the inputs past the outputs, as in double backward
            return grads
        grads = _at(self.input_places, grads, self.n_inputs)
        for hook in self.hooks:
            other = hook(self.module, grads, self.grad_outputs)
            if other is None:
                continue
            other = other if isinstance(other, tuple) else (other,)
            if len(other) != len(grads):
                raise RuntimeError(f"Backward hook returned an invalid number of grad_input, got {len(other)}, but "
                                   f"expected {len(grads)}")
            grads = other
        self.grad_outputs = None
        return [grads[i] for i in self.input_places]
