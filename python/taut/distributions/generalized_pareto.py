"""The generalized Pareto distribution."""

import math

from .. import _C
from .._types import Size
from . import constraints
from .distribution import Distribution
from .utils import broadcast_all

__all__ = ["GeneralizedPareto"]

_where = _C.ops["where"]


class GeneralizedPareto(Distribution):
    """What exceeds a high threshold loc; concentration 0 is the exponential distribution."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive, "concentration": constraints.real}
    has_rsample = True
    _shaped = ("loc", "scale", "concentration")

    def __init__(self, loc, scale, concentration, validate_args=None):
        self.loc, self.scale, self.concentration = broadcast_all(loc, scale, concentration)
        super().__init__(self.loc.shape, validate_args=validate_args)

    def rsample(self, sample_shape=Size()):  # noqa: B008
        return self.icdf(_C.ops["rand"](self._extended_shape(sample_shape), dtype=self.loc.dtype))

    def _z(self, x):
        return (x - self.loc) / self.scale

    def _parts(self):
        """Where the concentration is 0, and one that can be divided by."""
        zero = _C.ops["isclose"](self.concentration, self.concentration.new_zeros(()))
        return zero, _where(zero, 1.0, self.concentration)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        z, (zero, safe) = self._z(value), self._parts()
        y = 1 / safe + _C.ops["ones_like"](z)
        return -self.scale.log() - _where(zero, z, _where(y == 0, y, y * (safe * z).log1p()))

    def log_survival_function(self, value):
        if self._validate_args:
            self._validate_sample(value)
        z, (zero, safe) = self._z(value), self._parts()
        return _where(zero, -z, -(safe * z).log1p() / safe)

    def log_cdf(self, value):
        return (-self.log_survival_function(value).exp()).log1p()

    def cdf(self, value):
        return self.log_cdf(value).exp()

    def icdf(self, value):
        zero, safe = self._parts()
        log = (-value).log1p()
        return _where(zero, self.loc - self.scale * log, self.loc + self.scale / safe * (-safe * log).expm1())

    def _moment(self, limit, safe, f):
        valid = self.concentration < limit
        return _where(valid, f(_where(valid, self.concentration, safe)), math.nan)

    @property
    def mean(self):
        return self._moment(1, 0.5, lambda c: self.loc + self.scale / (1 - c))

    @property
    def variance(self):
        return self._moment(0.5, 0.25, lambda c: self.scale.pow(2) / ((1 - c).pow(2) * (1 - 2 * c)))

    @property
    def mode(self):
        return self.loc

    def entropy(self):
        return (self.scale.log() + self.concentration + 1).expand(self._batch_shape)

    @constraints.dependent_property(is_discrete=False, event_dim=0)
    def support(self):
        end = _where(self.concentration < 0, self.loc - self.scale / self.concentration, math.inf)
        return constraints.interval(self.loc, end)
