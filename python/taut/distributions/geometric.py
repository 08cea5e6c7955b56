"""The geometric distribution."""

from .. import _C
from .._types import Size
from ..autograd.grad_mode import no_grad
from . import constraints
from .distribution import _of_value, _ProbsOrLogits
from .utils import finfo

__all__ = ["Geometric"]


class Geometric(_ProbsOrLogits):
    """How many tries fail before the first success."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.nonnegative_integer
    _shaped = ("probs", "logits", "_param")

    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(self._take(probs, logits), validate_args=validate_args)
        if self._validate_args and probs is not None:
            value = self.probs
            valid = value > 0
            if not valid.all():
                raise ValueError(f"Expected parameter probs ({type(value).__name__} of shape {tuple(value.shape)}) of distribution "
                                 f"{self!r} to be positive but found invalid values:\n{value.data[~valid]}")

    @property
    def mean(self):
        return 1.0 / self.probs - 1.0

    @property
    def mode(self):
        return self.probs.new_zeros(self.probs.shape)

    @property
    def variance(self):
        return (1.0 / self.probs - 1.0) / self.probs

    def sample(self, sample_shape=Size()):  # noqa: B008
        with no_grad():
            u = self.probs.new_empty(self._extended_shape(sample_shape)).uniform_(finfo(self.probs).tiny, 1)
            return (u.log() / (-self.probs).log1p()).floor()

    log_prob = _of_value("_geometric_log_prob", "probs")

    def entropy(self):
        return _C.ops["_bernoulli_entropy"](self.probs, self.logits) / self.probs
