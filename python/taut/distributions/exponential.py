"""The exponential distribution."""

from . import constraints
from .distribution import _drawn, _of_parameters, _of_value
from .exp_family import ExponentialFamily
from .utils import broadcast_all

__all__ = ["Exponential"]


class Exponential(ExponentialFamily):
    """Waiting times, `rate` events in a unit of time."""

    arg_constraints = {"rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    _shaped = ("rate",)
    _mean_carrier_measure = 0

    def __init__(self, rate, validate_args=None):
        self.rate, = broadcast_all(rate)
        super().__init__(self.rate.shape, validate_args=validate_args)

    @property
    def mean(self):
        return self.rate.reciprocal()

    stddev = mean

    @property
    def mode(self):
        return self.rate.new_zeros(self.rate.shape)

    @property
    def variance(self):
        return self.rate.pow(-2)

    rsample = _drawn("_exponential_rsample", "rate")
    log_prob = _of_value("_exponential_log_prob", "rate")
    cdf = _of_value("_exponential_cdf", "rate")
    icdf = _of_value("_exponential_icdf", "rate", check=False)
    entropy = _of_parameters("_exponential_entropy", "rate")

    @property
    def _natural_params(self):
        return (-self.rate,)

    def _log_normalizer(self, x):
        return -(-x).log()
