"""Initial values of parameters: torch.nn.init. The draws come in the same order as PyTorch's."""

import functools
import warnings

from .. import _C
from .._overriding import ALL_BY_NAME, overridable
from ..autograd.grad_mode import no_grad


def calculate_gain(nonlinearity, param=None):
    """The factor by which weights before this nonlinearity should be larger."""
    if nonlinearity != "leaky_relu":
        gain = _C._init_gain(nonlinearity, 0.01)
        return 1 if gain == 1 else gain
    return _C._init_gain(nonlinearity, _negative_slope(param))


def _negative_slope(param):
    if param is not None and (not isinstance(param, (int, float)) or isinstance(param, bool)):
        raise ValueError(f"negative_slope {param} not a valid number")
    return 0.01 if param is None else param


def _slope_for(nonlinearity, a):
    """What only a leaky ReLU looks at."""
    return _negative_slope(a) if nonlinearity == "leaky_relu" else 0.0


_calculate_fan_in_and_fan_out = _C._init_fans


def _calculate_correct_fan(tensor, mode):
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    return _calculate_fan_in_and_fan_out(tensor)[mode == "fan_out"]


def uniform_(tensor, a=0.0, b=1.0, generator=None):
    """Draws from [a, b)."""
    return _C._init_uniform_(tensor, a, b, generator)


def normal_(tensor, mean=0.0, std=1.0, generator=None):
    """Draws from the normal distribution."""
    return _C._init_normal_(tensor, mean, std, generator)


def trunc_normal_(tensor, mean=0.0, std=1.0, a=-2.0, b=2.0, generator=None):
    """Draws from the normal distribution, cut to [a, b]."""
    return _C._init_trunc_normal_(tensor, mean, std, a, b, generator)


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
    return _C._init_eye_(tensor)


def dirac_(tensor, groups=1):
    """Fills the weight of a convolution so that it gives its input back."""
    return _C._init_dirac_(tensor, groups)


def xavier_uniform_(tensor, gain=1.0, generator=None):
    """Draws from [-a, a), a = gain * sqrt(6 / (fan_in + fan_out))."""
    return _C._init_xavier_uniform_(tensor, gain, generator)


def xavier_normal_(tensor, gain=1.0, generator=None):
    """Draws normally with std = gain * sqrt(2 / (fan_in + fan_out))."""
    return _C._init_xavier_normal_(tensor, gain, generator)


def kaiming_uniform_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Draws from [-b, b), b = gain * sqrt(3 / fan)."""
    return _C._init_kaiming_uniform_(tensor, _slope_for(nonlinearity, a), mode.lower(), nonlinearity, generator)


def kaiming_normal_(tensor, a=0, mode="fan_in", nonlinearity="leaky_relu", generator=None):
    """Draws normally with std = gain / sqrt(fan)."""
    return _C._init_kaiming_normal_(tensor, _slope_for(nonlinearity, a), mode.lower(), nonlinearity, generator)


def orthogonal_(tensor, gain=1, generator=None):
    """Fills with a matrix of orthonormal rows or columns, times gain."""
    return _C._init_orthogonal_(tensor, gain, generator)


def sparse_(tensor, sparsity, std=0.01, generator=None):
    """Draws normally, with a fraction of each column zero."""
    return _C._init_sparse_(tensor, sparsity, std, generator)


uniform_, normal_, constant_, kaiming_uniform_ = (overridable(_f, ALL_BY_NAME) for _f in (uniform_, normal_, constant_, kaiming_uniform_))


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
