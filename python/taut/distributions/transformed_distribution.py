"""Distributions of functions of drawn numbers."""

from .._types import Size
from ..autograd.grad_mode import no_grad
from . import constraints
from .distribution import Distribution
from .independent import Independent
from .transforms import ComposeTransform, Transform
from .utils import _sum_rightmost

__all__ = ["TransformedDistribution"]


class TransformedDistribution(Distribution):
    """What transforms, one after the other, make of numbers drawn from base_distribution."""

    arg_constraints = {}

    def __init__(self, base_distribution, transforms, validate_args=None):
        if isinstance(transforms, Transform):
            transforms = [transforms]
        elif not isinstance(transforms, list):
            raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
        elif not all(isinstance(t, Transform) for t in transforms):
            raise ValueError("transforms must be a Transform or a list of Transforms")
        self.transforms = transforms
        whole = ComposeTransform(transforms)
        taken, given = whole.domain.event_dim, whole.codomain.event_dim

        # The base in the shape that the transforms broadcast it to, with all they take as one event.
        shape, events = base_distribution.batch_shape + base_distribution.event_shape, len(base_distribution.event_shape)
        if len(shape) < taken:
            raise ValueError(f"base_distribution needs to have shape with size at least {taken}, but got {shape}.")
        result = whole.forward_shape(shape)
        wide = whole.inverse_shape(result)
        if wide != shape:
            base_distribution = base_distribution.expand(wide[:len(wide) - events])
        if taken > events:
            base_distribution = Independent(base_distribution, taken - events)
        self.base_dist = base_distribution

        event_dim = max(given, events + given - taken)
        if len(result) < event_dim:
            raise AssertionError(f"forward_shape length {len(result)} must be >= event_dim {event_dim}")
        cut = len(result) - event_dim
        super().__init__(result[:cut], result[cut:], validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        new = self._get_checked_instance(TransformedDistribution, _instance)
        batch_shape = Size(batch_shape)
        shape = batch_shape + self.event_shape
        for transform in reversed(self.transforms):
            shape = transform.inverse_shape(shape)
        new.base_dist = self.base_dist.expand(shape[:len(shape) - len(self.base_dist.event_shape)])
        new.transforms = self.transforms
        Distribution.__init__(new, batch_shape, self.event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    @constraints.dependent_property(is_discrete=False)
    def support(self):
        if not self.transforms:
            return self.base_dist.support
        support = self.transforms[-1].codomain
        missing = len(self.event_shape) - support.event_dim
        return constraints.independent(support, missing) if missing > 0 else support

    @property
    def has_rsample(self):
        return self.base_dist.has_rsample

    def _transformed(self, x):
        for transform in self.transforms:
            x = transform(x)
        return x

    def sample(self, sample_shape=Size()):  # noqa: B008
        with no_grad():
            return self._transformed(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape=Size()):  # noqa: B008
        return self._transformed(self.base_dist.rsample(sample_shape))

    def log_prob(self, value):
        """That of the base where `value` came from, less the volume the transforms stretch there."""
        if self._validate_args:
            self._validate_sample(value)
        event_dim = len(self.event_shape)
        log_prob, y = 0.0, value
        for transform in reversed(self.transforms):
            x = transform.inv(y)
            taken = transform.domain.event_dim
            event_dim += taken - transform.codomain.event_dim
            log_prob = log_prob - _sum_rightmost(transform.log_abs_det_jacobian(x, y), event_dim - taken)
            y = x
        return log_prob + _sum_rightmost(self.base_dist.log_prob(y), event_dim - len(self.base_dist.event_shape))

    def _monotonize_cdf(self, value):
        """1 - value where the transforms turn the order around."""
        sign = 1
        for transform in self.transforms:
            sign = sign * transform.sign
        if isinstance(sign, int) and sign == 1:
            return value
        return sign * (value - 0.5) + 0.5

    def cdf(self, value):
        for transform in reversed(self.transforms):
            value = transform.inv(value)
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._monotonize_cdf(self.base_dist.cdf(value))

    def icdf(self, value):
        return self._transformed(self.base_dist.icdf(self._monotonize_cdf(value)))


class _Named(TransformedDistribution):
    """A distribution with a name of its own. Attributes in `_shaped` are its own parameters, which follow the batch."""

    _shaped = ()

    def expand(self, batch_shape, _instance=None):
        owner = next(cls for cls in type(self).__mro__ if "_shaped" in cls.__dict__)
        new = self._get_checked_instance(owner, _instance)
        for name in self._shaped:
            setattr(new, name, getattr(self, name).expand(batch_shape))
        return super().expand(batch_shape, _instance=new)


def _of_base(name):
    """A parameter that the base distribution has."""
    return property(lambda self: getattr(self.base_dist, name))
