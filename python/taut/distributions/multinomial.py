"""The multinomial distribution."""

import math

from .. import _C
from .._types import Size
from . import constraints
from .binomial import Binomial
from .categorical import Categorical
from .one_hot_categorical import _OfCategories
from .utils import broadcast_all

__all__ = ["Multinomial"]


class Multinomial(_OfCategories):
    """How often each category was drawn in total_count draws."""

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    _shaped = _OfCategories._shaped
    _kept = ("total_count", "_binomial")

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        if not isinstance(total_count, int):
            raise NotImplementedError("inhomogeneous total_count is not supported")
        self.total_count = total_count
        self._categorical = Categorical(probs=probs, logits=logits)
        self._binomial = Binomial(total_count=total_count, probs=self.probs)
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args=validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=1)
    def support(self):
        return constraints.multinomial(self.total_count)

    @property
    def mean(self):
        return self.probs * self.total_count

    @property
    def variance(self):
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape=Size()):  # noqa: B008
        sample_shape = Size(sample_shape)
        drawn = self._categorical.sample(Size((self.total_count,)) + sample_shape).movedim(0, -1)
        counts = drawn.new_zeros(self._extended_shape(sample_shape))
        return counts.scatter_add_(-1, drawn, _C.ops["ones_like"](drawn)).type_as(self.probs)

    def entropy(self):
        n = _C._tensor(self.total_count, None)
        support = self._binomial.enumerate_support(expand=False)[1:]
        repeats = (self._binomial.log_prob(support).exp() * (support + 1).lgamma()).sum([0, -1])
        return n * self._categorical.entropy() - (n + 1).lgamma() + repeats

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        logits = logits.masked_fill((value == 0) & (logits == -math.inf), 0)
        return (value.sum(-1) + 1).lgamma() - (value + 1).lgamma().sum(-1) + (logits * value).sum(-1)
