"""The half of a Normal distribution above 0."""

import math

from .. import _C
from . import constraints
from .normal import Normal
from .transformed_distribution import _Named, _of_base
from .transforms import AbsTransform

__all__ = ["HalfNormal"]


class HalfNormal(_Named):
    """Absolute values of Normal numbers around 0."""

    arg_constraints = {"scale": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    _shaped = ()
    scale = _of_base("scale")

    def __init__(self, scale, validate_args=None):
        super().__init__(Normal(0, scale, validate_args=False), AbsTransform(), validate_args=validate_args)

    @property
    def mean(self):
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def variance(self):
        return self.scale.pow(2) * (1 - 2 / math.pi)

    @property
    def mode(self):
        return self.scale.new_zeros(self.scale.shape)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        log_prob = self.base_dist.log_prob(value) + math.log(2)
        return _C.ops["where"](value >= 0, log_prob, -math.inf)

    def cdf(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, prob):
        return self.base_dist.icdf((prob + 1) / 2)

    def entropy(self):
        return self.base_dist.entropy() - math.log(2)
