"""The negative binomial distribution."""

from .. import _C
from .._types import Size
from ..autograd.grad_mode import no_grad
from . import constraints
from .binomial import _Counted
from .distribution import _of_value
from .gamma import Gamma
from .utils import lazy_property

__all__ = ["NegativeBinomial"]


class NegativeBinomial(_Counted):
    """How many tries succeed before total_count have failed."""

    arg_constraints = {"total_count": constraints.greater_than_eq(0), "probs": constraints.half_open_interval(0.0, 1.0),
                       "logits": constraints.real}
    support = constraints.nonnegative_integer
    _shaped = _Counted._shaped

    def __init__(self, total_count, probs=None, logits=None, validate_args=None):
        super().__init__(total_count, probs, logits, validate_args)

    @property
    def mean(self):
        return self.total_count * self.logits.exp()

    @property
    def mode(self):
        return ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0)

    @property
    def variance(self):
        return self.mean / (-self.logits).sigmoid()

    @lazy_property
    def _gamma(self):
        return Gamma(concentration=self.total_count, rate=(-self.logits).exp(), validate_args=False)

    def sample(self, sample_shape=Size()):  # noqa: B008
        with no_grad():
            return _C.ops["poisson"](self._gamma.sample(sample_shape=sample_shape))

    log_prob = _of_value("_negative_binomial_log_prob", "total_count", "logits")
