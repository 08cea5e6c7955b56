"""The Cauchy distribution."""

import math

from .. import _C
from . import constraints
from .distribution import Distribution, _drawn, _of_parameters, _of_value
from .utils import broadcast_all

__all__ = ["Cauchy"]


class Cauchy(Distribution):
    """The quotient of two normal numbers, times scale, around loc. It has no mean."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True
    _shaped = ("loc", "scale")

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.shape, validate_args=validate_args)

    def _constant(self, value):
        return _C.ops["full"](self._extended_shape(), value, dtype=self.loc.dtype)

    @property
    def mean(self):
        return self._constant(math.nan)

    @property
    def mode(self):
        return self.loc

    @property
    def variance(self):
        return self._constant(math.inf)

    rsample = _drawn("_cauchy_rsample", "loc", "scale")
    log_prob = _of_value("_cauchy_log_prob", "loc", "scale")
    cdf = _of_value("_cauchy_cdf", "loc", "scale")
    icdf = _of_value("_cauchy_icdf", "loc", "scale", check=False)
    entropy = _of_parameters("_cauchy_entropy", "scale")
