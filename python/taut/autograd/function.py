"""Ops written in Python: subclass Function, and call its apply."""

import functools

from .. import _C
from .._C import FunctionCtx, Tensor


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
    """

    generate_vmap_rule = False

    def __init__(self, *args, **kwargs):
        raise RuntimeError(f"{self.__class__} should not be instantiated. Methods on autograd functions are all static, so you "
                           "should invoke them on the class itself. Instantiating an autograd function will raise an error in "
                           "a future version of PyTorch.")

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
        raise NotImplementedError("You must implement either the backward or vjp method for your custom autograd.Function to "
                                  "use it with backward mode AD.")

    @classmethod
    def apply(cls, *args, **kwargs):
        """Runs forward, and records it."""
        if kwargs:
            raise TypeError("Function.apply takes no keyword arguments")
        with_ctx = cls.setup_context is Function.setup_context
        if "vjp" in cls.__dict__ and "backward" not in cls.__dict__:
            cls.backward = cls.vjp
        return _C._function_apply(cls, FunctionCtx(), with_ctx, args)


class _NotAgain(Function):
    @staticmethod
    def forward(ctx, *grads):
        return grads

    @staticmethod
    def backward(ctx, *grads):
        raise RuntimeError("trying to differentiate twice a function that was marked with @once_differentiable")


def once_differentiable(backward):
    """For a backward that is not made of differentiable ops: a second derivative is an error."""

    @functools.wraps(backward)
    def wrapped(ctx, *grads):
        again = _C.is_grad_enabled() and any(isinstance(g, Tensor) and g.requires_grad for g in grads)
        before = _C.is_grad_enabled()
        _C._set_grad_enabled(False)
        try:
            outputs = backward(ctx, *grads)
        finally:
            _C._set_grad_enabled(before)
        if not again:
            return outputs
        single = not isinstance(outputs, tuple)
        listed = (outputs,) if single else outputs
        leaves = [o.detach().requires_grad_() if isinstance(o, Tensor) and o.is_floating_point() else o for o in listed]
        marked = _NotAgain.apply(*leaves)
        return marked[0] if single else marked

    return wrapped


class NestedIOFunction(Function):
    """Not supported; Function takes tensors and other values."""


InplaceFunction = Function
