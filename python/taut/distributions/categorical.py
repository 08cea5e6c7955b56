"""The categorical distribution."""

import math

from .. import _C
from .._types import Size
from . import constraints
from .distribution import _of_parameters, _of_value, _ProbsOrLogits

__all__ = ["Categorical"]

_ops = _C.ops


class Categorical(_ProbsOrLogits):
    """Indices along the last dimension of the parameters."""

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    has_enumerate_support = True
    _shaped = ("probs", "logits", "_param")
    _kept = ("_num_events",)
    _binary = False

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._want_one(probs, logits)
        name, given = ("logits", logits) if probs is None else ("probs", probs)
        if given.dim() < 1:
            raise ValueError(f"`{name}` parameter must be at least one-dimensional.")
        if probs is not None:
            self.probs = self._param = probs / probs.sum(-1, keepdim=True)
        else:
            self.logits = self._param = logits - logits.logsumexp(-1, keepdim=True)
        self._num_events = self._param.shape[-1]
        super().__init__(self._param.shape[:-1], validate_args=validate_args)

    @constraints.dependent_property(is_discrete=True, event_dim=0)
    def support(self):
        return constraints.integer_interval(0, self._num_events - 1)

    @property
    def mean(self):
        return _ops["full"](self._extended_shape(), math.nan, dtype=self.probs.dtype)

    variance = mean

    @property
    def mode(self):
        return self.probs.argmax(dim=-1)

    def sample(self, sample_shape=Size()):  # noqa: B008
        return _ops["_categorical_sample"](self.probs, Size(sample_shape))

    log_prob = _of_value("_categorical_log_prob", "logits")
    entropy = _of_parameters("_categorical_entropy", "probs", "logits")

    def enumerate_support(self, expand=True):
        return self._values(_ops["arange"](self._num_events), expand)
