"""Parameters as one vector, and back."""

from ... import _C
from ..._C import Tensor
from ..modules.module import _typename


def parameters_to_vector(parameters):
    """All parameters, flat, one after the other."""
    return _C._parameters_to_vector(list(parameters))


def vector_to_parameters(vec, parameters):
    """Gives the parameters the values of a vector, of which they become views."""
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {_typename(vec)}")
    _C._vector_to_parameters(vec, list(parameters))
