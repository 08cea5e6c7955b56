"""Modes that see every op with its arguments: __torch_dispatch__."""

import contextlib
import warnings

from .. import _C
from .._C import Tensor

__all__ = ["TorchDispatchMode", "BaseTorchDispatchMode", "is_traceable_wrapper_subclass", "is_traceable_wrapper_subclass_type",
           "return_and_correct_aliasing", "transform_subclass", "is_in_torch_dispatch_mode", "is_in_any_mode_without_ignore_compile_internals"]


class TorchDispatchMode:
    """Within it, its __torch_dispatch__(func, types, args, kwargs) gets every op that is called, as torch.ops.aten.add.Tensor and so on.

    While that runs the mode itself is off, so it may call func.
    """

    supports_higher_order_operators = False

    def __init__(self, _dispatch_key=None):
        pass

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        raise NotImplementedError

    def __enter__(self):
        _C._push_on_torch_dispatch_stack(self)
        return self

    def __exit__(self, *_):
        _C._pop_torch_dispatch_stack()

    @classmethod
    def push(cls, *args, **kwargs):
        """An instance of it, to be entered: the old way to write it."""
        warnings.warn("`Mode.push()` is no longer necessary and can be replaced with just `with Mode()`", stacklevel=2)
        return cls(*args, **kwargs)

    @classmethod
    def is_infra_mode(cls):
        """False."""
        return False


class BaseTorchDispatchMode(TorchDispatchMode):
    """The mode that calls every op as it is."""

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


for _cls in (TorchDispatchMode, BaseTorchDispatchMode):
    _cls.__module__ = "torch.utils._python_dispatch"


def _get_current_dispatch_mode():
    count = _C._len_torch_dispatch_stack()
    return _C._get_dispatch_stack_at(count - 1) if count else None


def _get_current_dispatch_mode_stack():
    return [_C._get_dispatch_stack_at(i) for i in range(_C._len_torch_dispatch_stack())]


def _len_torch_dispatch_stack():
    return _C._len_torch_dispatch_stack()


def is_in_torch_dispatch_mode(include_infra_modes=True):
    """Is a mode that sees ops on?"""
    return _C._len_torch_dispatch_stack() > 0


def is_in_any_mode_without_ignore_compile_internals():
    """Is a mode that sees ops on? Nothing here is the compiler's own."""
    return _C._len_torch_dispatch_stack() > 0


def _push_mode(mode):
    _C._push_on_torch_dispatch_stack(mode)


def _pop_mode(k=None):
    return _C._pop_torch_dispatch_stack()


@contextlib.contextmanager
def _pop_mode_temporarily(k=None):
    mode = _pop_mode()
    try:
        yield mode
    finally:
        _push_mode(mode)


@contextlib.contextmanager
def _disable_current_modes():
    modes = [_pop_mode() for _ in range(_C._len_torch_dispatch_stack())]
    try:
        yield modes[::-1]
    finally:
        for mode in reversed(modes):
            _push_mode(mode)


def is_traceable_wrapper_subclass_type(t):
    """Has the class __tensor_flatten__ and __tensor_unflatten__?"""
    return isinstance(t, type) and issubclass(t, Tensor) and t is not Tensor and hasattr(t, "__tensor_flatten__") and hasattr(t, "__tensor_unflatten__")


def is_traceable_wrapper_subclass(t):
    """Is it a tensor that says which tensors it is made of?"""
    return is_traceable_wrapper_subclass_type(type(t))


def transform_subclass(t, callback, outer_size=None, outer_stride=None):
    """The same wrapper over callback(name, tensor) of the tensors it is made of."""
    size, stride = t.size() if outer_size is None else outer_size, t.stride() if outer_stride is None else outer_stride
    names, context = t.__tensor_flatten__()
    made = type(t).__tensor_unflatten__({n: callback(n, getattr(t, n)) for n in names}, context, size, stride)
    if made.shape != tuple(size):
        raise AssertionError(f"Expected return value from {type(t)}__tensor_unflatten__() to have shape equal to {size}, but got: {made.shape}")
    return made


def return_and_correct_aliasing(func, args, kwargs, out):
    """What a __torch_dispatch__ shall return: for an op that writes an argument, that argument; for others what it has made."""
    if not func._schema.is_mutable:
        return out
    given = (kwargs or {}).get("out")
    return given if given is not None else args[0]
