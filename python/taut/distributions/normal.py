"""The normal distribution."""

import math

from .. import _C
from .._types import Size
from ..autograd.grad_mode import no_grad
from . import constraints
from .distribution import _drawn, _of_parameters, _of_value
from .exp_family import ExponentialFamily
from .utils import broadcast_all

__all__ = ["Normal"]


class Normal(ExponentialFamily):
    """Around loc, with standard deviation scale."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True
    _shaped = ("loc", "scale")
    _mean_carrier_measure = 0

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.shape, validate_args=validate_args)

    @property
    def mean(self):
        return self.loc

    mode = mean

    @property
    def stddev(self):
        return self.scale

    @property
    def variance(self):
        return self.scale.pow(2)

    def sample(self, sample_shape=Size()):  # noqa: B008
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return _C.ops["normal"](self.loc.expand(shape), self.scale.expand(shape))

    rsample = _drawn("_normal_rsample", "loc", "scale")
    log_prob = _of_value("_normal_log_prob", "loc", "scale")
    cdf = _of_value("_normal_cdf", "loc", "scale")
    icdf = _of_value("_normal_icdf", "loc", "scale", check=False)
    entropy = _of_parameters("_normal_entropy", "scale")

    @property
    def _natural_params(self):
        precision = self.scale.pow(2)
        return self.loc / precision, -0.5 * precision.reciprocal()

    def _log_normalizer(self, x, y):
        return -0.25 * x.pow(2) / y + 0.5 * (-math.pi / y).log()
