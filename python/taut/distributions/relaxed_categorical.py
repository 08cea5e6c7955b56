"""Smooth stand-ins for one-hot vectors."""

from .. import _C
from .._types import Size
from . import constraints
from .categorical import Categorical
from .one_hot_categorical import _OfCategories
from .transformed_distribution import _Named, _of_base
from .transforms import ExpTransform
from .utils import broadcast_all, clamp_probs

__all__ = ["ExpRelaxedCategorical", "RelaxedOneHotCategorical"]


class ExpRelaxedCategorical(_OfCategories):
    """Logarithms of a RelaxedOneHotCategorical distribution."""

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.real_vector
    has_rsample = True
    _shaped = _OfCategories._shaped
    _kept = ("temperature",)

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self._categorical = Categorical(probs, logits)
        self.temperature = temperature
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args=validate_args)

    def rsample(self, sample_shape=Size()):  # noqa: B008
        u = clamp_probs(_C.ops["rand"](self._extended_shape(sample_shape), dtype=self.logits.dtype))
        scores = (self.logits - (-u.log()).log()) / self.temperature
        return scores - scores.logsumexp(-1, keepdim=True)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        n = self._categorical._num_events
        logits, value = broadcast_all(self.logits, value)
        normalizer = _C.ops["full_like"](self.temperature, float(n)).lgamma() + self.temperature.log().mul(n - 1)
        score = logits - value.mul(self.temperature)
        return (score - score.logsumexp(-1, keepdim=True)).sum(-1) + normalizer


class RelaxedOneHotCategorical(_Named):
    """Numbers that sum to 1 and lie near a corner, the nearer the lower the temperature, with gradients."""

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support = constraints.simplex
    has_rsample = True
    _shaped = ()
    temperature, logits, probs = _of_base("temperature"), _of_base("logits"), _of_base("probs")

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        base = ExpRelaxedCategorical(temperature, probs, logits, validate_args=validate_args)
        super().__init__(base, ExpTransform(), validate_args=validate_args)
