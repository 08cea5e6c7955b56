"""Ops written in Python: subclass Function, and call its apply."""

from .. import _C
from .._C import FunctionCtx, Tensor

__all__ = ["FunctionCtx", "Function", "once_differentiable", "InplaceFunction", "NestedIOFunction"]


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
        return _C._function_apply(cls, FunctionCtx(), takes_ctx, args, kwargs, cls.jvp is not Function.jvp)

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
