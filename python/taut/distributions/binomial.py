"""The binomial distribution."""

from .. import _C
from .._types import Size
from ..autograd.grad_mode import no_grad
from . import constraints
from .distribution import _of_value, _ProbsOrLogits
from .utils import broadcast_all

__all__ = ["Binomial"]

_ops = _C.ops


def _clamp_by_zero(x):
    """x where it is positive, with half a gradient at 0."""
    return (x.clamp(min=0) + x - x.clamp(max=0)) / 2


class _Counted(_ProbsOrLogits):
    """With a count beside the probability."""

    _shaped = ("total_count", "probs", "logits", "_param")

    def __init__(self, total_count, probs, logits, validate_args):
        self._want_one(probs, logits)
        if probs is not None:
            self.total_count, self.probs = broadcast_all(total_count, probs)
        else:
            self.total_count, self.logits = broadcast_all(total_count, logits)
        self._param = self.logits if probs is None else self.probs
        self.total_count = self.total_count.type_as(self._param)
        super().__init__(self._param.shape, validate_args=validate_args)


class Binomial(_Counted):
    """How many of total_count tries succeed."""

    arg_constraints = {"total_count": constraints.nonnegative_integer, "probs": constraints.unit_interval,
                       "logits": constraints.real}
    has_enumerate_support = True
    _shaped = _Counted._shaped

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        super().__init__(total_count, probs, logits, validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self):
        return constraints.integer_interval(0, self.total_count)

    @property
    def mean(self):
        return self.total_count * self.probs

    @property
    def mode(self):
        return ((self.total_count + 1) * self.probs).floor().clamp(max=self.total_count)

    @property
    def variance(self):
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape=Size()):  # noqa: B008
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return _ops["binomial"](self.total_count.expand(shape), self.probs.expand(shape))

    log_prob = _of_value("_binomial_log_prob", "total_count", "logits")

    def _one_count(self, method):
        count = int(self.total_count.max())
        if not self.total_count.min() == count:
            raise NotImplementedError(f"Inhomogeneous total count not supported by `{method}`.")
        return count

    def entropy(self):
        self._one_count("entropy")
        log_prob = self.log_prob(self.enumerate_support(False))
        return -(log_prob.exp() * log_prob).sum(0)

    def enumerate_support(self, expand=True):
        return self._values(_ops["arange"](1 + self._one_count("enumerate_support"), dtype=self._param.dtype), expand)
