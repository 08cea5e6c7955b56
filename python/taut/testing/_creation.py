"""make_tensor: tensors of random values within bounds."""

from .. import _C
from .._types import Size, device as Device


def make_tensor(*shape, dtype, device, low=None, high=None, requires_grad=False, noncontiguous=False,
                exclude_zero=False, memory_format=None):
    """A tensor of random values from [low, high), which is -9 to 9 (from 0 where nothing is negative) by default."""
    Device(device)
    if len(shape) == 1 and isinstance(shape[0], (list, tuple, Size)):
        shape = tuple(shape[0])
    if requires_grad and not dtype.is_floating_point:
        raise ValueError("`requires_grad=True` is not supported for boolean and integral dtypes, but got "
                         f"dtype={dtype}")
    if noncontiguous and memory_format is not None:
        raise ValueError("The parameters `noncontiguous` and `memory_format` are mutually exclusive, but got "
                         f"noncontiguous={noncontiguous} and memory_format={memory_format}")
    floating = dtype.is_floating_point
    if dtype is _C.bool:
        smallest, largest, bounds = 0, 2, (0, 2)
    elif floating:
        from .._functions import finfo

        info = finfo(dtype)
        smallest, largest, bounds = info.min, info.max, (-9, 9)
    else:
        bits = 8 * dtype.itemsize
        smallest, largest = (-(1 << bits - 1), 1 << bits - 1) if dtype.is_signed else (0, 1 << bits)
        bounds = (-9 if dtype.is_signed else 0, 10)
    low = bounds[0] if low is None else max(low, smallest)
    high = bounds[1] if high is None else min(high, largest)
    if low != low or high != high:
        raise ValueError(f"`low` and `high` cannot be NaN, but got low={low} and high={high}")
    if low > high or (low == high and not floating):
        raise ValueError(f"`low` must be less than `high`, but got {low} >= {high}")
    if low >= largest or high < smallest:
        raise ValueError(f"The value interval specified by `low` and `high` is [{low}, {high}), but {dtype} only "
                         f"supports [{smallest}, {largest})")
    size = (*shape[:-1], 2 * shape[-1]) if noncontiguous and shape and _product(shape) > 1 else shape
    made = _C._empty(size, None, dtype)
    if floating:
        made.uniform_(low, high)
    else:
        from math import ceil

        made.random_(ceil(low), ceil(high))
    if size != shape:
        made = made[..., ::2]
    if exclude_zero:
        made[made == 0] = info.tiny if floating else 1
    return made.requires_grad_() if requires_grad else made


def _product(shape):
    n = 1
    for s in shape:
        n *= s
    return n
