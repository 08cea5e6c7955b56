"""The half of a Cauchy distribution above 0."""

import math

from .. import _C
from . import constraints
from .cauchy import Cauchy
from .transformed_distribution import _Named, _of_base
from .transforms import AbsTransform

__all__ = ["HalfCauchy"]


class HalfCauchy(_Named):
    """Absolute values of Cauchy numbers around 0."""

    arg_constraints = {"scale": constraints.positive}
    support = constraints.nonnegative
    has_rsample = True
    _shaped = ()
    scale = _of_base("scale")

    def __init__(self, scale, validate_args=None):
        super().__init__(Cauchy(0, scale, validate_args=False), AbsTransform(), validate_args=validate_args)

    @property
    def mean(self):
        return self.base_dist._constant(math.inf)

    @property
    def variance(self):
        return self.base_dist.variance

    @property
    def mode(self):
        return self.scale.new_zeros(self.scale.shape)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        value = value.to(self.scale.dtype) if hasattr(value, "to") else self.scale.new_tensor(value)
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
