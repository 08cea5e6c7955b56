"""Objects that are no tensors, or of a class of their own, and say themselves what torch's functions do with them: __torch_function__."""

import functools

from ._C import Tensor

__all__ = ["has_torch_function", "has_torch_function_unary", "has_torch_function_variadic", "handle_torch_function",
           "is_tensor_like", "wrap_torch_function"]


def _overrides(x):
    return type(x) is not Tensor and hasattr(type(x), "__torch_function__")


def has_torch_function(relevant_args):
    """Has one of the arguments a __torch_function__ of its own?"""
    return any(map(_overrides, relevant_args))


def has_torch_function_unary(obj):
    """The same of one argument."""
    return _overrides(obj)


def has_torch_function_variadic(*args):
    """The same of arguments given one by one."""
    return has_torch_function(args)


def is_tensor_like(inp):
    """Is it a Tensor, or has it a __torch_function__?"""
    return isinstance(inp, Tensor) or hasattr(type(inp), "__torch_function__")


def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    """Calls __torch_function__ of the arguments that have one, those of derived classes first, until one knows the function."""
    ordered = []
    for x in relevant_args:
        if _overrides(x) and all(type(x) is not type(other) for other in ordered):
            at = next((i for i, other in enumerate(ordered) if isinstance(x, type(other))), len(ordered))
            ordered.insert(at, x)
    types = tuple(map(type, ordered))
    for x in ordered:
        result = type(x).__torch_function__(public_api, types, args, kwargs)
        if result is not NotImplemented:
            return result
    name = f"{public_api.__module__}.{public_api.__name__}"
    raise TypeError(f"no implementation found for '{name}' on types that implement __torch_function__: {[type(x) for x in ordered]}")


def wrap_torch_function(dispatcher):
    """A decorator for functions of one's own: dispatcher(*args, **kwargs) gives the arguments that may have a __torch_function__."""

    def decorate(f):
        @functools.wraps(f)
        def wrapped(*args, **kwargs):
            relevant = dispatcher(*args, **kwargs)
            if has_torch_function(relevant):
                return handle_torch_function(wrapped, relevant, *args, **kwargs)
            return f(*args, **kwargs)

        return wrapped

    return decorate


def boolean_dispatch(arg_name, arg_index, default, if_true, if_false, module_name, func_name):
    """The function that calls if_true or if_false, as a bool among its arguments says."""

    def f(*args, **kwargs):
        flag = kwargs.get(arg_name, args[arg_index] if arg_index < len(args) else default)
        return (if_true if flag else if_false)(*args, **kwargs)

    f.__doc__ = if_true.__doc__ if if_true.__doc__ is not None else if_false.__doc__
    f.__name__, f.__module__ = func_name or f.__name__, module_name or f.__module__
    return f


def __getattr__(name):
    raise AttributeError(f"torch.overrides.{name} is not part of Taut")
