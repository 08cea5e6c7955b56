"""Ops written in Python: subclass Function, and call its apply."""

import collections

from .. import _C
from .._C import FunctionCtx, Tensor

__all__ = ["FunctionCtx", "Function", "once_differentiable", "InplaceFunction", "NestedIOFunction"]


VmapInfo = collections.namedtuple("VmapInfo", ["batch_size", "randomness"])


class Function:
    """An op of your own.

    >>> class Square(Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x * x
    ...     @staticmethod
    ...     def backward(ctx, grad):
    ...         (x,) = ctx.saved_tensors
    ...         return 2 * x * grad
    >>> Square.apply(torch.tensor(3.0, requires_grad=True))
    tensor(9., grad_fn=<SquareBackward>)

    Forward mode follows from backward; a jvp is only needed where it is to be computed in another way.
    """

    generate_vmap_rule = False

    def __init__(self, *args, **kwargs):
        import warnings

        warnings.warn(f"{self.__class__} should not be instantiated. Methods on autograd functions are all static, so "
                      "you should invoke them on the class itself. Instantiating an autograd function will raise an "
                      "error in a future version of PyTorch.", DeprecationWarning, stacklevel=2)

    def __call__(self, *args, **kwargs):
        raise RuntimeError("Legacy autograd function with non-static forward method is deprecated. Please use "
                           "new-style autograd function with static forward method.")

    @staticmethod
    def forward(*args, **kwargs):
        """Computes the results; with a ctx first, unless setup_context is defined."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx, inputs, output):
        """Keeps in ctx what backward needs, when forward takes no ctx."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx, *grad_outputs):
        """The gradients of the inputs, one for each argument of forward, from those of the outputs."""
        raise NotImplementedError("You must implement either the backward or vjp method for your custom "
                                  "autograd.Function to use it with backward mode AD.")

    vjp = backward  # another name for it

    @staticmethod
    def jvp(ctx, *grad_inputs):
        """The tangents of the outputs from those of the inputs."""
        raise NotImplementedError("You must implement the jvp function for custom autograd.Function to use it with "
                                  "forward mode AD.")

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if "vjp" in cls.__dict__:
            cls.backward = staticmethod(_both) if "backward" in cls.__dict__ else cls.__dict__["vjp"]

    @classmethod
    def apply(cls, *args, **kwargs):
        """Runs forward, and records it."""
        takes_ctx = cls.setup_context is Function.setup_context
        if not takes_ctx:
            args, kwargs = cls._bound(args, kwargs), {}
        if cls.vmap is not Function.vmap and _C._vmap_any():
            level = _C._vmap_innermost(*args)
            if level is not None:
                return cls._of_all_items(*level, args)
        return _C._function_apply(cls, FunctionCtx(), takes_ctx, args, kwargs, cls.jvp is not Function.jvp)

    @staticmethod
    def vmap(info, in_dims, *args):
        """What vmap does instead of calling forward on tensors that stand for all items.

        The tensors among args hold all items, in_dims says along which dimension of each (None: it is the same for
        all). Returns the results, and along which dimension of each the items are.
        """
        raise NotImplementedError("To use autograd.Function with vmap, you must either override the vmap static "
                                  "method or set generate_vmap_rule=True.")

    @classmethod
    def _of_all_items(cls, number, count, randomness, args):
        from ..func._tree import broadcast, flatten

        if cls.generate_vmap_rule:
            raise RuntimeError(f"You tried to vmap over {cls.__name__}, but it has both generate_vmap_rule=True and an "
                               "overriden vmap staticmethod. Please set generate_vmap_rule=False or delete the "
                               "overriden vmap staticmethod to avoid ambiguity. For more details, please see "
                               "https://pytorch.org/docs/main/notes/extending.func.html")
        dims = tuple(0 if isinstance(a, Tensor) and _C._vmap_varies(a, number) else None for a in args)
        whole = [a if d is None else _C._vmap_leave(a, 0, number) for a, d in zip(args, dims)]
        result = cls.vmap(VmapInfo(count, randomness), dims, *whole)
        if not isinstance(result, tuple) or len(result) != 2:
            raise RuntimeError(f"{cls.__name__}.vmap: expected to return (output, out_dims)")
        leaves, build = flatten(result[0])
        out_dims = broadcast(result[1], result[0])
        if out_dims is None:
            raise RuntimeError(f"{cls.__name__}.vmap: the out_dims {result[1]} are not nested as the outputs are")
        return build([t if d is None else _C._vmap_enter(t, d, number) for t, d in zip(leaves, out_dims)])

    @classmethod
    def _bound(cls, args, kwargs):
        """The arguments of forward, with its defaults."""
        import inspect

        signature = cls.__dict__.get("_signature")
        if signature is None:
            signature = cls._signature = inspect.signature(cls.forward)
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return bound.args


def _both(ctx, *grads):
    raise RuntimeError("Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only "
                       "implement one of them.")


class _NotAgain(Function):
    @staticmethod
    def forward(ctx, *grads):
        return grads

    @staticmethod
    def backward(ctx, *grads):
        raise RuntimeError("trying to differentiate twice a function that was marked with @once_differentiable")


def once_differentiable(backward):
    """For a backward that is not made of differentiable ops: a second derivative is an error."""
    import functools

    @functools.wraps(backward)
    def wrapped(ctx, *grads):
        before = _C.is_grad_enabled()
        _C._set_grad_enabled(False)
        try:
            outputs = backward(ctx, *grads)
        finally:
            _C._set_grad_enabled(before)
        if not (before and any(isinstance(g, Tensor) and g.requires_grad for g in grads)):
            return outputs
        single = not isinstance(outputs, tuple)
        leaves = [o.detach().requires_grad_() if isinstance(o, Tensor) and (o.is_floating_point() or o.is_complex()) else o
                  for o in ((outputs,) if single else outputs)]
        marked = _NotAgain.apply(*leaves)
        return marked[0] if single else marked

    return wrapped


class NestedIOFunction(Function):
    """An old base class; Function itself takes and returns tensors among other values."""


class InplaceFunction(Function):
    """An old base class for ops that write their input."""


for _class in (Function, NestedIOFunction, InplaceFunction):
    _class.__module__ = "torch.autograd.function"
del _class
