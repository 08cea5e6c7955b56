"""Variable: an old name of Tensor."""

from .._C import Tensor


class _VariableMeta(type):
    def __instancecheck__(cls, other):
        return isinstance(other, Tensor)


class Variable(metaclass=_VariableMeta):
    """A tensor; Variable(x) is x, as tensors can have gradients themselves."""

    def __new__(cls, data=None, requires_grad=None, volatile=None):
        made = Tensor() if data is None else data.detach()
        return made.requires_grad_() if requires_grad else made


Variable.__module__ = "torch.autograd.variable"
