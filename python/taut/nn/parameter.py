"""Parameters and buffers: tensors that a Module finds among its attributes."""

from .._C import Tensor


class _Like(type(Tensor)):
    def __instancecheck__(cls, instance):
        return type.__instancecheck__(cls, instance) or (
            isinstance(instance, Tensor) and getattr(instance, cls._mark, False))


class Parameter(Tensor, metaclass=_Like):
    """A tensor that is a parameter of the Module it is assigned to."""

    _mark = "_is_param"

    def __new__(cls, data=None, requires_grad=True):
        if data is None:
            from .. import _C

            data = _C._empty((0,), None, None)
        return Tensor._make_subclass(cls, data, requires_grad)

    def __repr__(self):
        return "Parameter containing:\n" + Tensor.__repr__(self)


class Buffer(Tensor, metaclass=_Like):
    """A tensor that is a buffer of the Module it is assigned to."""

    _mark = "_is_buffer"

    def __new__(cls, data=None, *, persistent=True):
        if data is None:
            from .. import _C

            data = _C._empty((0,), None, None)
        made = Tensor._make_subclass(cls, data, data.requires_grad)
        made.persistent = persistent
        made._is_buffer = True
        return made


class UninitializedParameter:
    """Not supported yet."""

    def __init__(self, *args, **kwargs):
        raise NotImplementedError("torch.nn.UninitializedParameter (lazy modules) is not supported yet")


Parameter.__module__ = Buffer.__module__ = "torch.nn.parameter"
