"""The Laplace distribution."""

from . import constraints
from .distribution import Distribution, _drawn, _of_parameters, _of_value
from .utils import broadcast_all

__all__ = ["Laplace"]


class Laplace(Distribution):
    """Around loc, falling off as exp(-|x - loc| / scale)."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True
    _shaped = ("loc", "scale")

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.shape, validate_args=validate_args)

    @property
    def mean(self):
        return self.loc

    mode = mean

    @property
    def variance(self):
        return 2 * self.scale.pow(2)

    @property
    def stddev(self):
        return 2 ** 0.5 * self.scale

    rsample = _drawn("_laplace_rsample", "loc", "scale")
    log_prob = _of_value("_laplace_log_prob", "loc", "scale")
    cdf = _of_value("_laplace_cdf", "loc", "scale")
    icdf = _of_value("_laplace_icdf", "loc", "scale", check=False)
    entropy = _of_parameters("_laplace_entropy", "scale")
