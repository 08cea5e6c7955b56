"""Parameters and buffers: tensors that a Module finds among its attributes."""

import copyreg
import sys
from collections import OrderedDict

from .. import _C
from .._C import Tensor
from .._types import device as Device, placed


class _Like(type(Tensor)):
    """A tensor of another class counts as a Parameter (or Buffer) if it says so."""

    def __instancecheck__(cls, instance):
        return type.__instancecheck__(cls, instance) or (
            isinstance(instance, Tensor) and getattr(instance, cls._mark, False))


class Parameter(Tensor, metaclass=_Like):
    """A tensor that is a parameter of the Module it is assigned to."""

    _mark = "_is_param"
    __torch_function__ = _C._disabled_torch_function_impl

    def __new__(cls, data=None, requires_grad=True):
        if data is None:
            data = _C._empty((0,), None, None)
        elif not isinstance(data, Tensor):
            raise AttributeError(f"'{type(data).__name__}' object has no attribute 'detach'")
        if type(data) is not Tensor and type(data) is not Parameter:
            # A parameter of a subclass stays one of that class, which decides what it is.
            made = data.detach().requires_grad_(requires_grad)
            if type(made) is not type(data):
                raise RuntimeError(f"Creating a Parameter from an instance of type {type(data).__name__} requires that detach() returns an "
                                   f"instance of the same type, but return type {type(made).__name__} was found instead. To use the type as "
                                   "a Parameter, please correct the detach() semantics defined by its __torch_dispatch__() implementation.")
            made._is_param = True
            return made
        return Tensor._make_subclass(cls, data, requires_grad)

    def __deepcopy__(self, memo):
        if id(self) not in memo:  # neither its gradient nor what was set on it is copied
            memo[id(self)] = type(self)(self.data.clone(), self.requires_grad)
        return memo[id(self)]

    def __repr__(self):
        return "Parameter containing:\n" + Tensor.__repr__(self)

    def __reduce_ex__(self, protocol):
        state = self.__dict__
        data = (self.data, self.requires_grad, OrderedDict())
        return (_rebuild_parameter_with_state, (*data, dict(state))) if state else (_rebuild_parameter, data)


_C._set_parameter_class(Parameter)


class Buffer(Tensor, metaclass=_Like):
    """A tensor that is a buffer of the Module it is assigned to."""

    _mark = "_is_buffer"

    def __new__(cls, data=None, *, persistent=True):
        if data is None:
            data = _C._empty((0,), None, None)
        made = data.detach().requires_grad_(data.requires_grad)
        made.persistent = persistent
        made._is_buffer = True
        return made


def _rebuild_parameter(data, requires_grad, backward_hooks):
    return Parameter(data, requires_grad)


def _rebuild_parameter_with_state(data, requires_grad, backward_hooks, state):
    made = Parameter(data, requires_grad)
    made.__dict__.update(state)
    return made


def _on_cpu(device):
    if device is not None:
        Device(device).check()


def _new_parameter(size, device=None, dtype=None):
    """A parameter with memory as it was found."""
    return Parameter(_new_empty(size, device, dtype))


def _new_empty(size, device=None, dtype=None):
    """A tensor with memory as it was found."""
    with placed(device):
        return _C._empty(size, None, dtype)


def _is_known_as_torch():
    """Do names in torch lead to Taut? They do after as_torch()."""
    return sys.modules.get("torch") is sys.modules["taut"]


def _class_named(module, name):
    import importlib

    return getattr(importlib.import_module(module), name)


def _taut_name(cls):
    return "taut" + cls.__module__[5:], cls.__qualname__


def _reduce_class(cls):
    if cls.__module__.startswith("torch.") and not _is_known_as_torch():
        return _class_named, _taut_name(cls)
    return cls.__qualname__


copyreg.pickle(_Like, _reduce_class)


class UninitializedParameter(Parameter):
    """A parameter whose shape is known only when a lazy module sees its first input."""

    cls_to_become = Parameter

    def __new__(cls, requires_grad=True, device=None, dtype=None):
        return Tensor._make_subclass(cls, _new_empty((0,), device, dtype), requires_grad)

    def __deepcopy__(self, memo):
        if id(self) not in memo:
            memo[id(self)] = _rebuild_uninitialized(type(self), self.requires_grad, self.dtype, self.__dict__)
        return memo[id(self)]

    def __reduce_ex__(self, protocol):
        return _rebuild_uninitialized, (type(self), self.requires_grad, self.dtype, self.__dict__)

    def materialize(self, shape, device=None, dtype=None):
        """Gives the parameter its shape; from then on it is an ordinary one."""
        self.data = _new_empty(tuple(shape), device or self.data.device, dtype or self.data.dtype)
        self.__class__ = self.cls_to_become

    def __repr__(self):
        return f"<{type(self).__name__}>"

    @property
    def shape(self):
        raise RuntimeError("Can't access the shape of an uninitialized parameter or buffer. This error usually happens "
                           "in `load_state_dict` when trying to load an uninitialized parameter into an initialized "
                           "one. Call `forward` to initialize the parameters before accessing their attributes.")


class UninitializedBuffer(Tensor, metaclass=_Like):
    """A buffer whose shape is known only when a lazy module sees its first input."""

    _mark = "_is_uninitialized_buffer"
    __torch_function__ = _C._disabled_torch_function_impl
    cls_to_become = Tensor

    def __new__(cls, requires_grad=False, device=None, dtype=None, persistent=True):
        made = Tensor._make_subclass(cls, _new_empty((0,), device, dtype), requires_grad)
        made.persistent = persistent
        made._is_buffer = True
        return made

    __deepcopy__ = UninitializedParameter.__deepcopy__
    __reduce_ex__ = UninitializedParameter.__reduce_ex__
    materialize = UninitializedParameter.materialize
    __repr__ = UninitializedParameter.__repr__
    shape = UninitializedParameter.shape


def _rebuild_uninitialized(cls, requires_grad, dtype, state):
    made = cls(requires_grad, None, dtype)
    made.__dict__.update(state)
    return made


def is_lazy(param):
    """Does it wait for its shape?"""
    return isinstance(param, (UninitializedParameter, UninitializedBuffer))


for _cls in (Parameter, Buffer, UninitializedParameter, UninitializedBuffer):
    _cls.__module__ = "torch.nn.parameter"
del _cls
