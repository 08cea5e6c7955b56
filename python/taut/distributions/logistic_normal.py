"""The logistic normal distribution."""

from . import constraints
from .normal import Normal
from .transformed_distribution import _Named
from .transforms import StickBreakingTransform

__all__ = ["LogisticNormal"]


class LogisticNormal(_Named):
    """Normal numbers made one more number that sum to 1, by breaking a stick."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.simplex
    has_rsample = True
    _shaped = ()

    def __init__(self, loc, scale, validate_args=None):
        base = Normal(loc, scale, validate_args=validate_args)
        if not base.batch_shape:
            base = base.expand([1])
        super().__init__(base, StickBreakingTransform(), validate_args=validate_args)

    @property
    def loc(self):
        return self.base_dist.base_dist.loc

    @property
    def scale(self):
        return self.base_dist.base_dist.scale
