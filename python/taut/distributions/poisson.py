"""The Poisson distribution."""

from .. import _C
from .._types import Size
from ..autograd.grad_mode import no_grad
from . import constraints
from .distribution import _of_value
from .exp_family import ExponentialFamily
from .utils import broadcast_all

__all__ = ["Poisson"]


class Poisson(ExponentialFamily):
    """Counts of events of which there are `rate` on average."""

    arg_constraints = {"rate": constraints.nonnegative}
    support = constraints.nonnegative_integer
    _shaped = ("rate",)

    def __init__(self, rate, validate_args=None):
        self.rate, = broadcast_all(rate)
        super().__init__(self.rate.shape, validate_args=validate_args)

    @property
    def mean(self):
        return self.rate

    variance = mean

    @property
    def mode(self):
        return self.rate.floor()

    def sample(self, sample_shape=Size()):  # noqa: B008
        with no_grad():
            return _C.ops["poisson"](self.rate.expand(self._extended_shape(sample_shape)))

    log_prob = _of_value("_poisson_log_prob", "rate")

    @property
    def _natural_params(self):
        return (self.rate.log(),)

    def _log_normalizer(self, x):
        return x.exp()
