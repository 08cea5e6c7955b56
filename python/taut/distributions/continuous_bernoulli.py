"""The continuous Bernoulli distribution."""

import math

from .. import _C
from .._types import Size
from ..autograd.grad_mode import no_grad
from . import constraints
from .distribution import _ProbsOrLogits
from .exp_family import ExponentialFamily
from .utils import clamp_probs, lazy_property, logits_to_probs

__all__ = ["ContinuousBernoulli"]

_where = _C.ops["where"]


class ContinuousBernoulli(_ProbsOrLogits, ExponentialFamily):
    """Numbers from 0 to 1 whose logarithmic density is linear. Near probs = 1/2, between lims, Taylor series are used."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.unit_interval
    has_rsample = True
    _shaped = ("probs", "logits", "_param")
    _kept = ("_lims",)
    _mean_carrier_measure = 0

    def __init__(self, probs=None, logits=None, lims=(0.499, 0.501), validate_args=None):
        shape = self._take(probs, logits)
        if probs is not None:
            if validate_args is not None and not self.arg_constraints["probs"].check(self.probs).all():
                raise ValueError("The parameter probs has invalid values")
            self.probs = self._param = clamp_probs(self.probs)
        self._lims = lims
        super().__init__(shape, validate_args=validate_args)

    @lazy_property
    def probs(self):
        return clamp_probs(logits_to_probs(self.logits, is_binary=True))

    def _outside_unstable_region(self):
        return (self.probs <= self._lims[0]) | (self.probs > self._lims[1])

    def _cut_probs(self):
        return _where(self._outside_unstable_region(), self.probs, self._lims[0])

    def _pick(self, exact, series):
        return _where(self._outside_unstable_region(), exact, series)

    def _cont_bern_log_norm(self):
        p = self._cut_probs()
        low = _where(p <= 0.5, p, 0.0)
        high = _where(p >= 0.5, p, 1.0)
        exact = ((-p).log1p() - p.log()).abs().log() - _where(p <= 0.5, (-2.0 * low).log1p(), (2.0 * high - 1.0).log())
        x = (self.probs - 0.5).pow(2)
        return self._pick(exact, math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * x) * x)

    @property
    def mean(self):
        p = self._cut_probs()
        exact = p / (2.0 * p - 1.0) + 1.0 / ((-p).log1p() - p.log())
        x = self.probs - 0.5
        return self._pick(exact, 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * x.pow(2)) * x)

    @property
    def stddev(self):
        return self.variance.sqrt()

    @property
    def variance(self):
        p = self._cut_probs()
        exact = p * (p - 1.0) / (1.0 - 2.0 * p).pow(2) + 1.0 / ((-p).log1p() - p.log()).pow(2)
        x = (self.probs - 0.5).pow(2)
        return self._pick(exact, 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x) * x)

    def sample(self, sample_shape=Size()):  # noqa: B008
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape=Size()):  # noqa: B008
        return self.icdf(_C.ops["rand"](self._extended_shape(sample_shape), dtype=self.probs.dtype))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return _C.ops["_bernoulli_log_prob"](value, self.logits) + self._cont_bern_log_norm()

    def cdf(self, value):
        if self._validate_args:
            self._validate_sample(value)
        p = self._cut_probs()
        inside = self._pick((p.pow(value) * (1.0 - p).pow(1.0 - value) + p - 1.0) / (2.0 * p - 1.0), value)
        return _where(value <= 0.0, 0.0, _where(value >= 1.0, 1.0, inside))

    def icdf(self, value):
        p = self._cut_probs()
        exact = ((-p + value * (2.0 * p - 1.0)).log1p() - (-p).log1p()) / (p.log() - (-p).log1p())
        return self._pick(exact, value)

    def entropy(self):
        log_probs0, log_probs1 = (-self.probs).log1p(), self.probs.log()
        return self.mean * (log_probs0 - log_probs1) - self._cont_bern_log_norm() - log_probs0

    @property
    def _natural_params(self):
        return (self.logits,)

    def _log_normalizer(self, x):
        outside = (x <= self._lims[0] - 0.5) | (x > self._lims[1] - 0.5)
        cut = _where(outside, x, self._lims[0] - 0.5)
        return _where(outside, cut.expm1().abs().log() - cut.abs().log(), 0.5 * x + x.pow(2) / 24.0 - x.pow(4) / 2880.0)
