"""The inverse gamma distribution."""

import math

from .. import _C
from . import constraints
from .gamma import Gamma
from .transformed_distribution import _Named, _of_base
from .transforms import PowerTransform

__all__ = ["InverseGamma"]


class InverseGamma(_Named):
    """Reciprocals of gamma numbers."""

    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support = constraints.positive
    has_rsample = True
    _shaped = ()
    concentration, rate = _of_base("concentration"), _of_base("rate")

    def __init__(self, concentration, rate, validate_args=None):
        base = Gamma(concentration, rate, validate_args=validate_args)
        super().__init__(base, PowerTransform(-base.rate.new_ones(())), validate_args=validate_args)

    def _where_above(self, limit, value):
        return _C.ops["where"](self.concentration > limit, value, math.inf)

    @property
    def mean(self):
        return self._where_above(1, self.rate / (self.concentration - 1))

    @property
    def mode(self):
        return self.rate / (self.concentration + 1)

    @property
    def variance(self):
        return self._where_above(2, self.rate.square() / ((self.concentration - 1).square() * (self.concentration - 2)))

    def entropy(self):
        a = self.concentration
        return a + self.rate.log() + a.lgamma() - (1 + a) * a.digamma()
