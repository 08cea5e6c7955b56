"""The Kumaraswamy distribution."""

import math

from .. import _C
from . import constraints
from .transformed_distribution import _Named
from .transforms import AffineTransform, PowerTransform
from .uniform import Uniform
from .utils import broadcast_all, euler_constant

__all__ = ["Kumaraswamy"]


def _moments(a, b, n):
    """The mean of the n-th power."""
    first = 1 + n / a
    return b * (first.lgamma() + b.lgamma() - (first + b).lgamma()).exp()


class Kumaraswamy(_Named):
    """Numbers between 0 and 1, much like the beta distribution's but with powers alone."""

    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support = constraints.unit_interval
    has_rsample = True
    _shaped = ("concentration1", "concentration0")

    def __init__(self, concentration1, concentration0, validate_args=None):
        self.concentration1, self.concentration0 = broadcast_all(concentration1, concentration0)
        like = _C.ops["full_like"]
        base = Uniform(like(self.concentration0, 0), like(self.concentration0, 1), validate_args=validate_args)
        steps = [PowerTransform(exponent=self.concentration0.reciprocal()), AffineTransform(loc=1.0, scale=-1.0),
                 PowerTransform(exponent=self.concentration1.reciprocal())]
        super().__init__(base, steps, validate_args=validate_args)

    @property
    def mean(self):
        return _moments(self.concentration1, self.concentration0, 1)

    @property
    def mode(self):
        one, zero = self.concentration1, self.concentration0
        log_mode = zero.reciprocal() * (-zero).log1p() - (-zero * one).log1p()
        return log_mode.masked_fill((zero < 1) | (one < 1), math.nan).exp()

    @property
    def variance(self):
        return _moments(self.concentration1, self.concentration0, 2) - self.mean.pow(2)

    def entropy(self):
        one, zero = self.concentration1, self.concentration0
        harmonic = (zero + 1).digamma() + euler_constant
        return (1 - zero.reciprocal()) + (1 - one.reciprocal()) * harmonic - one.log() - zero.log()
