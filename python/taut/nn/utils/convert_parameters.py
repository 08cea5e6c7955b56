"""Parameters as one vector, and back."""

from ... import _C
from ..._C import Tensor
from ..modules.module import _typename


def parameters_to_vector(parameters):
    """All parameters, flat, one after the other."""
    return _C.ops["cat"]([p.reshape(-1) for p in parameters])


def vector_to_parameters(vec, parameters):
    """Gives the parameters the values of a vector, of which they become views."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {_typename(vec)}")
    at = 0
    for p in parameters:
        n = p.numel()
        p.data = vec[at:at + n].view_as(p).data
        at += n
