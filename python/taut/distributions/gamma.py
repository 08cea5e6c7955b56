"""The gamma distribution."""

from .. import _C
from . import constraints
from .distribution import _drawn, _of_parameters
from .exp_family import ExponentialFamily
from .utils import broadcast_all

__all__ = ["Gamma"]

_standard_gamma = _C.ops["_standard_gamma"]


class Gamma(ExponentialFamily):
    """Of shape `concentration` and rate `rate`."""

    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    _shaped = ("concentration", "rate")
    _mean_carrier_measure = 0

    def __init__(self, concentration, rate, validate_args=None):
        self.concentration, self.rate = broadcast_all(concentration, rate)
        super().__init__(self.concentration.shape, validate_args=validate_args)

    @property
    def mean(self):
        return self.concentration / self.rate

    @property
    def mode(self):
        return ((self.concentration - 1) / self.rate).clamp(min=0)

    @property
    def variance(self):
        return self.concentration / self.rate.pow(2)

    rsample = _drawn("_gamma_rsample", "concentration", "rate")
    entropy = _of_parameters("_gamma_entropy", "concentration", "rate")

    def log_prob(self, value):
        value = value.to(self.rate.dtype) if hasattr(value, "to") else self.rate.new_tensor(value)
        if self._validate_args:
            self._validate_sample(value)
        return _C.ops["_gamma_log_prob"](value, self.concentration, self.rate)

    def cdf(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return _C.ops["igamma"](self.concentration, self.rate * value)

    @property
    def _natural_params(self):
        return self.concentration - 1, -self.rate

    def _log_normalizer(self, x, y):
        return (x + 1).lgamma() + (x + 1) * (-y.reciprocal()).log()
