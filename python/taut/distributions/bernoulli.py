"""The Bernoulli distribution."""

import math

from .. import _C
from .._types import Size
from ..autograd.grad_mode import no_grad
from . import constraints
from .distribution import _of_parameters, _of_value, _ProbsOrLogits
from .exp_family import ExponentialFamily

__all__ = ["Bernoulli"]

_ops = _C.ops


class Bernoulli(_ProbsOrLogits, ExponentialFamily):
    """1 with probability probs, else 0."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.boolean
    has_enumerate_support = True
    _shaped = ("probs", "logits", "_param")
    _mean_carrier_measure = 0

    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(self._take(probs, logits), validate_args=validate_args)

    @property
    def mean(self):
        return self.probs

    @property
    def mode(self):
        mode = (self.probs >= 0.5).to(self.probs.dtype)
        return mode.masked_fill(self.probs == 0.5, math.nan)

    @property
    def variance(self):
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape=Size()):  # noqa: B008
        with no_grad():
            return _ops["bernoulli"](self.probs.expand(self._extended_shape(sample_shape)))

    log_prob = _of_value("_bernoulli_log_prob", "logits")
    entropy = _of_parameters("_bernoulli_entropy", "probs", "logits")

    def enumerate_support(self, expand=True):
        return self._values(_ops["arange"](2, dtype=self._param.dtype), expand)

    @property
    def _natural_params(self):
        return (self.probs.logit(),)

    def _log_normalizer(self, x):
        return x.exp().log1p()
