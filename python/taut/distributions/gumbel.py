"""The Gumbel distribution."""

import math

from .. import _C
from . import constraints
from .distribution import _of_parameters, _of_value
from .transformed_distribution import _Named
from .transforms import AffineTransform, ExpTransform
from .uniform import Uniform
from .utils import _Number, broadcast_all, euler_constant, finfo

__all__ = ["Gumbel"]


class Gumbel(_Named):
    """The largest of many: loc - scale log(-log(u)) of uniform numbers u."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    _shaped = ("loc", "scale")

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        info, ones = finfo(self.loc), _C.ops["ones_like"](self.scale)
        if isinstance(loc, _Number) and isinstance(scale, _Number):
            base = Uniform(info.tiny, 1 - info.eps, validate_args=validate_args)
        else:
            like = _C.ops["full_like"]
            base = Uniform(like(self.loc, info.tiny), like(self.loc, 1 - info.eps), validate_args=validate_args)
        steps = [ExpTransform().inv, AffineTransform(loc=0, scale=-ones), ExpTransform().inv, AffineTransform(loc=loc, scale=-self.scale)]
        super().__init__(base, steps, validate_args=validate_args)

    log_prob = _of_value("_gumbel_log_prob", "loc", "scale")
    entropy = _of_parameters("_gumbel_entropy", "scale")

    @property
    def mean(self):
        return self.loc + self.scale * euler_constant

    @property
    def mode(self):
        return self.loc

    @property
    def stddev(self):
        return math.pi / math.sqrt(6) * self.scale

    @property
    def variance(self):
        return self.stddev.pow(2)
