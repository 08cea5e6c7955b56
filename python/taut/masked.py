"""Reductions and normalisations that leave out what a mask says: elements where it is False do not count."""

import math

from . import _C
from ._C import Tensor

__all__ = ["amax", "amin", "argmax", "argmin", "cumprod", "cumsum", "log_softmax", "logaddexp", "logsumexp", "mean", "median", "norm",
           "normalize", "prod", "softmax", "softmin", "std", "sum", "var"]

_ops = _C.ops


def _least(dtype):
    return -math.inf if dtype.is_floating_point or dtype.is_complex else 0 if not dtype.is_signed else -1 << 8 * dtype.itemsize - 1


def _greatest(dtype):
    return math.inf if dtype.is_floating_point else (1 << 8 * dtype.itemsize - dtype.is_signed) - 1


def _filled(input, mask, value):
    """The input with a value that changes nothing where the mask is False."""
    if mask is None:
        return input
    if not isinstance(mask, Tensor):
        raise TypeError(f"mask must be Tensor, not {type(mask).__name__}")
    if mask.ndim > input.ndim:
        raise IndexError(f"_input_mask expected broadcastable mask (got mask dimensionality higher than of the input, {mask.ndim} > {input.ndim})")
    return _ops["where"](mask.bool().expand(input.shape), input, _C._tensor(value, input.dtype))


def _dims(input, dim):
    """The dimensions that are meant: all of them where none is named."""
    if dim is None or dim == ():
        return list(range(input.ndim))
    return list(dim) if isinstance(dim, (tuple, list)) else [dim]


def _count(input, dim, keepdim, mask):
    ones = _ops["ones_like"](input, dtype=_C.int64)
    return (ones if mask is None else _filled(ones, mask, 0)).sum(_dims(input, dim), keepdim)


def _whole_sum_dtype(input):
    """Sums and products of whole numbers are int64, but for the wide ones, which stay what they are."""
    return _C.int64 if input.dtype in (_C.uint8, _C.int8, _C.int16, _C.int32, _C.bool) else input.dtype


def sum(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The sum along dim; 0 where all is masked."""
    return _filled(input, mask, 0).sum(_dims(input, dim), keepdim, dtype=dtype or _whole_sum_dtype(input))


def prod(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The product along dim; 1 where all is masked."""
    result = _filled(input, mask, 1).to(dtype or _whole_sum_dtype(input))
    for d in sorted((d % max(input.ndim, 1) for d in _dims(input, dim)), reverse=True):
        result = result.prod(d, keepdim)
    return result


def amax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The largest element along dim; the least number there is where all is masked."""
    return _filled(input, mask, _least(input.dtype)).amax(_dims(input, dim), keepdim).to(dtype or input.dtype)


def amin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The smallest element along dim; the greatest number there is where all is masked."""
    return _filled(input, mask, _greatest(input.dtype)).amin(_dims(input, dim), keepdim).to(dtype or input.dtype)


def argmax(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Where the largest element along dim stands."""
    return _filled(input, mask, _least(input.dtype)).argmax(dim, bool(keepdim)).to(dtype or input.dtype)


def argmin(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """Where the smallest element along dim stands."""
    return _filled(input, mask, _greatest(input.dtype)).argmin(dim, bool(keepdim)).to(dtype or input.dtype)


def mean(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The mean along dim; nan where all is masked."""
    if not ((dtype or input.dtype).is_floating_point or (dtype or input.dtype).is_complex):
        raise ValueError(f"mean(): Could not infer output dtype. {'Input' if dtype is None else 'Optional'} dtype must be either a floating "
                         f"point or complex dtype. Got: {dtype or input.dtype}")
    return sum(input, dim, keepdim=keepdim, dtype=dtype or input.dtype, mask=mask) / _count(input, dim, keepdim, mask)


def median(input, dim=-1, *, keepdim=False, dtype=None, mask=None):
    """The median along dim; nan where all is masked."""
    real = input if input.is_floating_point() else input.to(_C.float32)
    result = _filled(real, mask, math.nan).nanmedian(dim, keepdim).values
    if input.is_floating_point():
        return result
    if result.isnan().any():
        raise ValueError("masked median expects no fully masked out rows if dtype is not floating point")
    return result.to(dtype or input.dtype)


def logsumexp(input, dim=None, *, keepdim=False, dtype=None, mask=None):
    """log(sum(exp(x))) along dim; -inf where all is masked."""
    return _ops["logsumexp"](_filled(input, mask, _least(input.dtype)), _dims(input, dim), bool(keepdim)).to(dtype or input.dtype)


def logaddexp(input, other, *, dtype=None, input_mask=None, other_mask=None):
    """log(exp(x) + exp(y)) of what the two masks leave."""
    low = _least(input.dtype)
    return _ops["logaddexp"](_filled(input, input_mask, low), _filled(other, other_mask, low)).to(dtype or input.dtype)


def norm(input, ord=2.0, dim=None, *, keepdim=False, dtype=None, mask=None):
    """The norm along dim of what is not masked."""
    from .linalg import vector_norm

    filled = _filled(input, mask, math.inf if ord == -math.inf else 0)
    return vector_norm(filled, ord, _dims(input, dim), bool(keepdim), dtype=dtype or input.dtype)


def _spread(input, dim, unbiased, correction, keepdim, dtype, mask):
    if unbiased is not None and correction is not None:
        raise AssertionError("Only one of unbiased and correction may be given")
    correction = correction if correction is not None else 1 if unbiased is None or unbiased else 0
    dtype = dtype or (input.dtype if input.is_floating_point() or input.is_complex() else _C.float32)
    centre = sum(input, dim, keepdim=True, dtype=dtype, mask=mask) / _count(input, dim, True, mask)
    away = input - centre
    total = sum(away * away.conj(), dim, keepdim=keepdim, dtype=dtype, mask=mask)
    count = (_count(input, dim, keepdim, mask).to(dtype.to_real()) - correction).clamp_min(0)
    return (total / count).to(dtype)


def var(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    """The variance along dim of what is not masked."""
    return _spread(input, dim, unbiased, correction, keepdim, dtype, mask)


def std(input, dim=None, unbiased=None, *, correction=None, keepdim=False, dtype=None, mask=None):
    """The standard deviation along dim of what is not masked."""
    return _spread(input, dim, unbiased, correction, keepdim, dtype, mask).sqrt()


def cumsum(input, dim, *, dtype=None, mask=None):
    """Running sums, to which what is masked adds nothing."""
    return _filled(input, mask, 0).cumsum(dim).to(dtype or input.dtype)


def cumprod(input, dim, *, dtype=None, mask=None):
    """Running products, which what is masked does not change."""
    return _filled(input, mask, 1).cumprod(dim).to(dtype or input.dtype)


def softmax(input, dim, *, dtype=None, mask=None):
    """softmax along dim; 0 where masked, nan where all is."""
    return _filled(input, mask, -math.inf).softmax(dim, dtype=dtype or input.dtype)


def log_softmax(input, dim, *, dtype=None, mask=None):
    """log_softmax along dim; -inf where masked, nan where all is."""
    return _filled(input, mask, -math.inf).log_softmax(dim, dtype=dtype or input.dtype)


def softmin(input, dim, *, dtype=None, mask=None):
    """softmax of -x along dim; 0 where masked."""
    return (-_filled(input, mask, math.inf)).softmax(dim, dtype=dtype or input.dtype)


def normalize(input, ord, dim, *, eps=1e-12, dtype=None, mask=None):
    """The input divided by its norm along dim; 0 where masked."""
    size = norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    return _filled(input, mask, 0) / size.clamp_min(eps)


def __getattr__(name):
    raise AttributeError(f"torch.masked.{name} is not part of Taut")
