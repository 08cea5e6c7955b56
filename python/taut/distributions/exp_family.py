"""Families whose entropy follows from the normalizer."""

from ..autograd import grad
from .distribution import Distribution

__all__ = ["ExponentialFamily"]


class ExponentialFamily(Distribution):
    """Densities exp(<t(x), theta> - F(theta) + k(x)): a class gives the natural parameters theta, the log normalizer F and the mean
    of k."""

    @property
    def _natural_params(self):
        raise NotImplementedError

    def _log_normalizer(self, *natural_params):
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self):
        raise NotImplementedError

    def entropy(self):
        """F - <theta, dF/dtheta> - E[k]."""
        parameters = [p.detach().requires_grad_() for p in self._natural_params]
        normalizer = self._log_normalizer(*parameters)
        entropy = normalizer - self._mean_carrier_measure
        for p, g in zip(parameters, grad(normalizer.sum(), parameters, create_graph=True)):
            entropy = entropy - (p * g).reshape(self._batch_shape + (-1,)).sum(-1)
        return entropy
