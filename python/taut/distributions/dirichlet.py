"""The Dirichlet distribution."""

from .. import _C
from .._types import Size
from . import constraints
from .distribution import _of_parameters, _of_value
from .exp_family import ExponentialFamily

__all__ = ["Dirichlet"]

_ops = _C.ops


def _Dirichlet_backward(x, concentration, grad_output):
    slope = _ops["_dirichlet_grad"](x, concentration, concentration.sum(-1, True).expand_as(concentration))
    return slope * (grad_output - (x * grad_output).sum(-1, True))


class _Dirichlet:
    """What PyTorch calls as a Function."""

    apply = staticmethod(_ops["_sample_dirichlet"])


class Dirichlet(ExponentialFamily):
    """Numbers that sum to 1, as gamma numbers of these shapes divided by their sum."""

    arg_constraints = {"concentration": constraints.independent(constraints.positive, 1)}
    support = constraints.simplex
    has_rsample = True
    _shaped = ("concentration",)

    def __init__(self, concentration, validate_args=None):
        if concentration.dim() < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:], validate_args=validate_args)

    def rsample(self, sample_shape=Size()):  # noqa: B008
        return _Dirichlet.apply(self.concentration.expand(self._extended_shape(sample_shape)))

    log_prob = _of_value("_dirichlet_log_prob", "concentration")
    entropy = _of_parameters("_dirichlet_entropy", "concentration")

    @property
    def mean(self):
        return self.concentration / self.concentration.sum(-1, True)

    @property
    def mode(self):
        above = (self.concentration - 1).clamp(min=0.0)
        mode = above / above.sum(-1, True)
        corner = (self.concentration < 1).all(-1, True)
        one_hot = _ops["one_hot"](mode.argmax(-1), above.shape[-1]).to(mode.dtype)
        return _ops["where"](corner, one_hot, mode)

    @property
    def variance(self):
        total = self.concentration.sum(-1, True)
        return self.concentration * (total - self.concentration) / (total.pow(2) * (total + 1))

    @property
    def _natural_params(self):
        return (self.concentration,)

    def _log_normalizer(self, x):
        return x.lgamma().sum(-1) - x.sum(-1).lgamma()
