"""Initial values of parameters: torch.nn.init. The draws come in the same order as PyTorch's."""

import functools
import math
import warnings

from .. import _C
from ..autograd.grad_mode import no_grad

_ops = _C.ops


def calculate_gain(nonlinearity, param=None):
    """The factor by which weights before this nonlinearity should be larger."""
    if nonlinearity in ("linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d",
                        "conv_transpose3d", "sigmoid"):
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        if param is None:
            slope = 0.01
        elif isinstance(param, (int, float)) and not isinstance(param, bool):
            slope = param
        else:
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity == "selu":
        return 3.0 / 4
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def _calculate_fan_in_and_fan_out(tensor):
    if tensor.dim() < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = 1
    for s in tensor.shape[2:]:
        field *= s
    return tensor.shape[1] * field, tensor.shape[0] * field


def _calculate_correct_fan(tensor, mode):
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    return _calculate_fan_in_and_fan_out(tensor)[mode == "fan_out"]


def uniform_(tensor, a=0.0, b=1.0, generator=None):
    """Draws from [a, b)."""
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    """Draws from the normal distribution."""
    with no_grad():
        return tensor.normal_(mean, std, generator=generator)


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    """Draws from the normal distribution, cut to [a, b]."""
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn("mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be "
                      "incorrect.", stacklevel=2)

    def below(x):
        return (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0

    def drawn_like(t):
        return _C._empty(tuple(t.shape), None, t.dtype)

    with no_grad():
        if tensor.numel() == 0:
            return tensor
        if below((b - mean) / std) - below((a - mean) / std) > 0.3:
            # Most draws are good: draw all anew until none is left outside, and keep the first good ones.
            found = tensor.normal_(mean, std, generator=generator)
            while True:
                outside = (found < a) | (found > b)
                if not outside.any():
                    break
                found = _ops["where"](outside, drawn_like(found).normal_(mean, std, generator=generator), found)
            return tensor if found is tensor else tensor.copy_(found)
        # Few would be good: uniform candidates, each accepted with the probability of the density over its peak.
        log_peak = -0.5 * ((min(max(mean, a), b) - mean) / std) ** 2
        candidates, accept = drawn_like(tensor), drawn_like(tensor)

        def rejected():
            candidates.sub_(mean).div_(std).pow_(2).mul_(-0.5).sub_(log_peak)
            return accept.uniform_(0, 1, generator=generator).log_().gt(candidates)

        found = tensor.uniform_(a, b, generator=generator)
        candidates.copy_(tensor)
        pending = rejected()
        while pending.any():
            candidates.uniform_(a, b, generator=generator)
            found = _ops["where"](pending, candidates, found)
            pending = pending.logical_and(rejected())
        return tensor if found is tensor else tensor.copy_(found)


def constant_(tensor, val):
    """Fills with one value."""
    with no_grad():
        return tensor.fill_(val)


def ones_(tensor):
    """Fills with ones."""
    return constant_(tensor, 1.0)


def zeros_(tensor):
    """Fills with zeros."""
    with no_grad():
        return tensor.zero_()


def eye_(tensor):
    """Fills a matrix with the identity."""
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    with no_grad():
        tensor.copy_(_ops["eye"](*tensor.shape, dtype=tensor.dtype))
    return tensor


def dirac_(tensor, groups=1):
    """Fills the weight of a convolution so that it gives its input back."""
    dims = tensor.ndimension()
    if dims not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    sizes = tensor.shape
    if sizes[0] % groups != 0:
        raise ValueError("dim 0 must be divisible by groups")
    outputs = sizes[0] // groups
    n = min(outputs, sizes[1])
    with no_grad():
        tensor.zero_()
        centre = tensor
        for s in sizes[2:]:
            centre = centre.select(2, s // 2)
        for g in range(groups):
            centre.narrow(0, g * outputs, n).narrow(1, 0, n).copy_(_ops["eye"](n, dtype=tensor.dtype))
    return tensor


def xavier_uniform_(tensor, gain=1.0, generator=None):
    """Draws from [-a, a), a = gain * sqrt(6 / (fan_in + fan_out))."""
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    bound = math.sqrt(3.0) * (gain * math.sqrt(2.0 / float(fan_in + fan_out)))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor, gain=1.0, generator=None):
    """Draws normally with std = gain * sqrt(2 / (fan_in + fan_out))."""
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / float(fan_in + fan_out)), generator)


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Draws from [-b, b), b = gain * sqrt(3 / fan)."""
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=2)
        return tensor
    fan = _calculate_correct_fan(tensor, mode)
    bound = math.sqrt(3.0) * (calculate_gain(nonlinearity, a) / math.sqrt(fan))
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Draws normally with std = gain / sqrt(fan)."""
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=2)
        return tensor
    fan = _calculate_correct_fan(tensor, mode)
    return normal_(tensor, 0, calculate_gain(nonlinearity, a) / math.sqrt(fan), generator)


def _orthonormal_columns(matrix):
    """The Q of matrix = QR with R's diagonal positive, by Householder reflections, in double precision."""
    a = matrix.to(_C.float64, copy=True)
    rows, columns = a.shape
    vectors, signs = [], []
    for k in range(columns):
        v = a[k:, k].clone()
        norm, head = v.norm().item(), v[0].item()
        r = -norm if head > 0 else norm
        signs.append((r > 0) - (r < 0))
        v[0] = head - r
        if norm:
            v *= 1 / math.sqrt(-r * v[0].item())
            rest = a[k:, k + 1:]
            rest -= v.outer(v @ rest)
        else:
            v.zero_()
        vectors.append(v)
    q = _ops["eye"](rows, columns, dtype=_C.float64)
    for k in reversed(range(columns)):
        rest = q[k:, k:]
        rest -= vectors[k].outer(vectors[k] @ rest)
    return q * _C._tensor(signs, _C.float64)


def orthogonal_(tensor, gain=1, generator=None):
    """Fills with a matrix of orthonormal rows or columns, times gain."""
    if tensor.ndimension() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.numel() == 0:
        return tensor
    rows = tensor.shape[0]
    columns = tensor.numel() // rows
    with no_grad():
        draws = _C._empty((rows, columns), None, tensor.dtype).normal_(0, 1, generator=generator)
        q = _orthonormal_columns(draws.t()).t() if rows < columns else _orthonormal_columns(draws)
        tensor.copy_(q.reshape(tensor.shape)).mul_(gain)
    return tensor


def sparse_(tensor, sparsity, std=0.01, generator=None):
    """Draws normally, with a fraction of each column zero."""
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    with no_grad():
        tensor.normal_(0, std, generator=generator)
        for c in range(columns):
            tensor.select(1, c).index_fill_(0, _ops["randperm"](rows)[:zeros], 0)
    return tensor


def _old(function):
    new, old = function.__name__, function.__name__[:-1]

    @functools.wraps(function)
    def deprecated(*args, **kwargs):
        warnings.warn(f"`nn.init.{old}` is now deprecated in favor of `nn.init.{new}`.", FutureWarning, stacklevel=2)
        return function(*args, **kwargs)

    deprecated.__name__ = deprecated.__qualname__ = old
    deprecated.__doc__ = f"{new} by its old name."
    return deprecated


uniform, normal, constant, eye, dirac, sparse = map(_old, (uniform_, normal_, constant_, eye_, dirac_, sparse_))
xavier_uniform, xavier_normal, kaiming_uniform, kaiming_normal, orthogonal = map(
    _old, (xavier_uniform_, xavier_normal_, kaiming_uniform_, kaiming_normal_, orthogonal_))


def __getattr__(name):
    raise AttributeError(f"torch.nn.init.{name} is not part of Taut")
