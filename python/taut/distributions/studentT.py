"""Student's t-distribution."""

import math

from .. import _C
from . import constraints
from .chi2 import Chi2
from .distribution import Distribution, _drawn, _of_parameters, _of_value
from .utils import broadcast_all

__all__ = ["StudentT"]


class StudentT(Distribution):
    """With df degrees of freedom, scaled and around loc."""

    arg_constraints = {"df": constraints.positive, "loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True
    _shaped = ("df", "loc", "scale", "_chi2")

    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        self._chi2 = Chi2(self.df)
        super().__init__(self.df.shape, validate_args=validate_args)

    @property
    def mean(self):
        return self.loc.masked_fill(self.df <= 1, math.nan)

    @property
    def mode(self):
        return self.loc

    @property
    def variance(self):
        finite = self.df > 2
        df = _C.ops["where"](finite, self.df, 3.0)  # whose gradient is not to be infinite where it is not used
        variance = self.scale.pow(2) * df / (df - 2)
        return _C.ops["where"](finite, variance, math.inf).masked_fill(self.df <= 1, math.nan)

    rsample = _drawn("_student_t_rsample", "df", "loc", "scale")
    log_prob = _of_value("_student_t_log_prob", "df", "loc", "scale")
    entropy = _of_parameters("_student_t_entropy", "df", "scale")
