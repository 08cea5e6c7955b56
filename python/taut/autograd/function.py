"""Ops written in Python: subclass Function, and call its apply."""

from .. import _C
from .._C import FunctionCtx, Tensor

__all__ = ["FunctionCtx", "Function", "once_differentiable", "InplaceFunction", "NestedIOFunction"]


def _save_for_forward(self, *tensors):
    """Keeps tensors for jvp, where they are ctx.saved_tensors."""
    self._for_forward = tensors


FunctionCtx.save_for_forward = _save_for_forward


class _ForwardCtx(FunctionCtx):
    """The ctx of a Function with a jvp of its own."""

    _in_jvp = False
    _for_forward = None

    @property
    def saved_tensors(self):
        """What save_for_backward kept; inside of jvp, what save_for_forward kept."""
        return self._for_forward if self._in_jvp and self._for_forward is not None else super().saved_tensors


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
        if cls.jvp is not Function.jvp:
            return cls._apply_with_jvp(takes_ctx, args, kwargs)
        return _C._function_apply(cls, FunctionCtx(), takes_ctx, args, kwargs)

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

    @classmethod
    def _apply_with_jvp(cls, takes_ctx, args, kwargs):
        ctx = _ForwardCtx()
        split = [_C._unpack_dual(a) if isinstance(a, Tensor) else (a, None) for a in args]
        if all(tangent is None for _, tangent in split):
            return _C._function_apply(cls, ctx, takes_ctx, args, kwargs)
        ctx._for_forward = ()
        outputs = _C._function_apply(cls, ctx, takes_ctx, tuple(primal for primal, _ in split), kwargs)
        # Missing tangents are zeros, as missing gradients are.
        given = [_C.ops["zeros_like"](p) if t is None and isinstance(p, Tensor) and p.is_floating_point() else t
                 for p, t in split]
        ctx._in_jvp = True
        tangents = cls.jvp(ctx, *given)
        ctx._in_jvp = False
        if not isinstance(outputs, tuple):
            return outputs if tangents is None else _C._make_dual(outputs, tangents)
        if not isinstance(tangents, tuple) or len(tangents) != len(outputs):
            raise RuntimeError(f"{cls.__name__}.jvp returned an incorrect number of tangents (expected {len(outputs)}, "
                               f"got {len(tangents) if isinstance(tangents, tuple) else 1})")
        return tuple(o if t is None else _C._make_dual(o, t) for o, t in zip(outputs, tangents))


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
        leaves = [o.detach().requires_grad_() if isinstance(o, Tensor) and o.is_floating_point() else o
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
