"""What distributions share: broadcasting of parameters, probabilities and logits, properties computed once, triangles of matrices."""

import functools

from .. import _C
from .._C import Tensor

__all__ = ["broadcast_all", "logits_to_probs", "clamp_probs", "probs_to_logits", "lazy_property", "tril_matrix_to_vec",
           "vec_to_tril_matrix"]

_ops = _C.ops
_Number = (int, float)  # bool is one of them
euler_constant = 0.57721566490153286060


def finfo(t):
    from .. import finfo

    return finfo(t.dtype)


def broadcast_all(*values):
    """The values as tensors of one shape; a number takes the dtype of the first tensor."""
    from ..overrides import is_tensor_like

    tensors = [is_tensor_like(v) for v in values]
    if not all(known or isinstance(v, _Number) for known, v in zip(tensors, values)):
        raise ValueError("Input arguments must all be instances of Number, torch.Tensor or objects implementing __torch_function__.")
    if not all(tensors):
        dtype = next((v.dtype for v in values if isinstance(v, Tensor)), None) or _C.get_default_dtype()
        values = [v if known else _C._tensor(v, dtype) for known, v in zip(tensors, values)]
    return tuple(_ops["broadcast_tensors"](list(values)))


def _standard_normal(shape, dtype, device):
    return _C._empty(shape, None, dtype).normal_()


def _sum_rightmost(value, dim):
    """The sum over the last `dim` dimensions."""
    if dim == 0:
        return value
    return value.reshape(value.shape[:-dim] + (-1,)).sum(-1)


def logits_to_probs(logits, is_binary=False):
    """Probabilities from log odds, or from logarithms along the last dimension that need not be normalised."""
    return logits.sigmoid() if is_binary else logits.softmax(-1)


def clamp_probs(probs):
    """The probabilities kept away from 0 and 1 by the smallest step of their dtype at 1."""
    eps = finfo(probs).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs, is_binary=False):
    """The inverse of logits_to_probs."""
    probs = clamp_probs(probs)
    return probs.log() - (-probs).log1p() if is_binary else probs.log()


class lazy_property:
    """A property that is computed when first read, with gradients on, and kept in the instance."""

    def __init__(self, wrapped):
        self.wrapped = wrapped
        functools.update_wrapper(self, wrapped)

    def __get__(self, instance, obj_type=None):
        if instance is None:
            return _lazy_property_and_property(self.wrapped)
        from ..autograd.grad_mode import enable_grad

        with enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.wrapped.__name__, value)
        return value


class _lazy_property_and_property(lazy_property, property):
    """What the class shows: documentation takes it for a property, validation for a lazy one."""

    def __init__(self, wrapped):
        property.__init__(self, wrapped)


def _lower(n, diag):
    rows = _ops["arange"](n)
    return rows < rows.view(-1, 1) + (diag + 1)


def tril_matrix_to_vec(mat, diag=0):
    """The lower triangles of matrices, row after row."""
    n = mat.shape[-1]
    if not -n <= diag < n:
        raise ValueError(f"diag ({diag}) provided is outside [{-n}, {n - 1}].")
    return mat[..., _lower(n, diag)]


def vec_to_tril_matrix(vec, diag=0):
    """Matrices whose lower triangles are these numbers, row after row."""
    # The positive root of n^2 + (1 + 2 diag) n = 2 length + |diag| (diag + 1).
    middle = 1 + 2 * diag
    n = (-middle + (middle * middle + 8 * vec.shape[-1] + 4 * abs(diag) * (diag + 1)) ** 0.5) / 2
    if round(n) - n > finfo(vec).eps:
        raise ValueError(f"The size of last dimension is {vec.shape[-1]} which cannot be expressed as the lower triangular part of a "
                         "square D x D matrix.")
    n = round(n)
    mat = vec.new_zeros(vec.shape[:-1] + (n, n))
    mat[..., _lower(n, diag)] = vec
    return mat
