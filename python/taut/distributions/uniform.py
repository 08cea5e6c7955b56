"""The uniform distribution."""

import math

from . import constraints
from .distribution import Distribution, _drawn, _of_parameters, _of_value
from .utils import broadcast_all

__all__ = ["Uniform"]


class Uniform(Distribution):
    """Numbers from low to below high."""

    has_rsample = True
    _shaped = ("low", "high")

    def __init__(self, low, high, validate_args=None):
        self.low, self.high = broadcast_all(low, high)
        super().__init__(self.low.shape, validate_args=validate_args)

    @property
    def arg_constraints(self):
        return {"low": constraints.less_than(self.high), "high": constraints.greater_than(self.low)}

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        return constraints.interval(self.low, self.high)

    @property
    def mean(self):
        return (self.high + self.low) / 2

    @property
    def mode(self):
        return math.nan * self.high

    @property
    def stddev(self):
        return (self.high - self.low) / 12 ** 0.5

    @property
    def variance(self):
        return (self.high - self.low).pow(2) / 12

    rsample = _drawn("_uniform_rsample", "low", "high")
    log_prob = _of_value("_uniform_log_prob", "low", "high")
    cdf = _of_value("_uniform_cdf", "low", "high")
    icdf = _of_value("_uniform_icdf", "low", "high", check=False)
    entropy = _of_parameters("_uniform_entropy", "low", "high")
