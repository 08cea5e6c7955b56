"""The log-normal distribution."""

from . import constraints
from .normal import Normal
from .transformed_distribution import _Named, _of_base
from .transforms import ExpTransform

__all__ = ["LogNormal"]


class LogNormal(_Named):
    """Exponentials of normal numbers."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.positive
    has_rsample = True
    _shaped = ()
    loc, scale = _of_base("loc"), _of_base("scale")

    def __init__(self, loc, scale, validate_args=None):
        super().__init__(Normal(loc, scale, validate_args=validate_args), ExpTransform(), validate_args=validate_args)

    @property
    def mean(self):
        return (self.loc + self.scale.pow(2) / 2).exp()

    @property
    def mode(self):
        return (self.loc - self.scale.square()).exp()

    @property
    def variance(self):
        square = self.scale.pow(2)
        return square.expm1() * (2 * self.loc + square).exp()

    def entropy(self):
        return self.base_dist.entropy() + self.loc
