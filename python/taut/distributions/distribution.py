"""The base class of all distributions."""

import warnings

from .. import _C
from .._C import Tensor
from .._pickling import ByName
from .._types import Size
from ..autograd.grad_mode import no_grad
from . import constraints
from .utils import broadcast_all, lazy_property, logits_to_probs, probs_to_logits

__all__ = ["Distribution"]

_ops = _C.ops


class Distribution(ByName):
    """A distribution of events of shape event_shape, one for each place of batch_shape.

    A class says in `_shaped` which attributes follow the batch, tensors and distributions, and in `_kept` which do not: that is
    all expand() needs."""

    has_rsample = False
    has_enumerate_support = False
    _validate_args = __debug__

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        if cls.__module__.startswith("taut.distributions."):
            cls.__module__ = "torch" + cls.__module__[4:]

    @staticmethod
    def set_default_validate_args(value):
        """Shall parameters and values be checked, unless a distribution is told otherwise?"""
        if value not in [True, False]:
            raise ValueError
        Distribution._validate_args = value

    def __init__(self, batch_shape=Size(), event_shape=Size(), validate_args=None):  # noqa: B008  a Size does not change
        self._batch_shape = batch_shape
        self._event_shape = event_shape
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._check_parameters()
        super().__init__()

    def _check_parameters(self):
        try:
            arg_constraints = self.arg_constraints
        except NotImplementedError:
            arg_constraints = {}
            warnings.warn(f"{self.__class__} does not define `arg_constraints`. Please set `arg_constraints = {{}}` or initialize "
                          "the distribution with `validate_args=False` to turn off validation.", stacklevel=3)
        for param, constraint in arg_constraints.items():
            if constraints.is_dependent(constraint):
                continue  # depends on other parameters
            if param not in self.__dict__ and isinstance(getattr(type(self), param), lazy_property):
                continue  # follows from others that are checked
            value = getattr(self, param)
            if not constraint.check(value).all():
                raise ValueError(f"Expected parameter {param} ({type(value).__name__} of shape {tuple(value.shape)}) of distribution "
                                 f"{self!r} to satisfy the constraint {constraint!r}, but found invalid values:\n{value}")

    def expand(self, batch_shape, _instance=None):
        """The same distribution with this batch shape; memory is shared."""
        owner = next((cls for cls in type(self).__mro__ if "_shaped" in cls.__dict__), None)
        if owner is None:
            raise NotImplementedError
        new = self._get_checked_instance(owner, _instance)
        batch_shape, mine = Size(batch_shape), len(self._batch_shape)
        for name in self._shaped:
            value = self.__dict__.get(name)
            if value is not None:
                has = value.batch_shape if isinstance(value, Distribution) else value.shape
                setattr(new, name, value.expand(batch_shape + has[mine:]))
        for name in self._kept:
            if name in self.__dict__:
                setattr(new, name, self.__dict__[name])
        Distribution.__init__(new, batch_shape, self._event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    _kept = ()

    @property
    def batch_shape(self):
        return self._batch_shape

    @property
    def event_shape(self):
        return self._event_shape

    @property
    def arg_constraints(self):
        """The constraints of the parameters, by name."""
        raise NotImplementedError

    @property
    def support(self):
        """The constraint that all values satisfy."""
        raise NotImplementedError

    @property
    def mean(self):
        raise NotImplementedError

    @property
    def mode(self):
        raise NotImplementedError(f"{self.__class__} does not implement mode")

    @property
    def variance(self):
        raise NotImplementedError

    @property
    def stddev(self):
        return self.variance.sqrt()

    def sample(self, sample_shape=Size()):  # noqa: B008
        """Numbers drawn from the distribution, of shape sample_shape + batch_shape + event_shape."""
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape=Size()):  # noqa: B008
        """The same with gradients to the parameters."""
        raise NotImplementedError

    def sample_n(self, n):
        """sample((n,)), the old way."""
        warnings.warn("`sample_n(n)` will be deprecated. Use `sample((n,))` instead.", FutureWarning, stacklevel=2)
        return self.sample(Size((n,)))

    def log_prob(self, value):
        """The logarithm of the density, or of the probability, at `value`."""
        raise NotImplementedError

    def cdf(self, value):
        """How likely it is not to exceed `value`."""
        raise NotImplementedError

    def icdf(self, value):
        """The inverse of cdf."""
        raise NotImplementedError

    def enumerate_support(self, expand=True):
        """All values of a discrete distribution, along a new first dimension."""
        raise NotImplementedError

    def entropy(self):
        raise NotImplementedError

    def perplexity(self):
        return self.entropy().exp()

    def _extended_shape(self, sample_shape=Size()):  # noqa: B008
        return Size(sample_shape) + self._batch_shape + self._event_shape

    def _validate_sample(self, value):
        """Raises unless `value` has a shape that fits and lies in the support."""
        if not isinstance(value, Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        shape, expected = value.shape, self._batch_shape + self._event_shape
        if shape[len(shape) - len(self._event_shape):] != self._event_shape:
            raise ValueError(f"The right-most size of value must match event_shape: {shape} vs {self._event_shape}.")
        if any(i != 1 and j != 1 and i != j for i, j in zip(reversed(shape), reversed(expected))):
            raise ValueError(f"Value is not broadcastable with batch_shape+event_shape: {shape} vs {expected}.")
        try:
            support = self.support
        except NotImplementedError:
            warnings.warn(f"{self.__class__} does not define `support` to enable sample validation. Please initialize the distribution "
                          "with `validate_args=False` to turn off validation.", stacklevel=2)
            return
        if support is None:
            raise AssertionError("support is unexpectedly None")
        if not support.check(value).all():
            raise ValueError(f"Expected value argument ({type(value).__name__} of shape {tuple(shape)}) to be within the support "
                             f"({support!r}) of the distribution {self!r}, but found invalid values:\n{value}")

    def _get_checked_instance(self, cls, _instance=None):
        if _instance is None and type(self).__init__ != cls.__init__:
            raise NotImplementedError(f"Subclass {self.__class__.__name__} of {cls.__name__} that defines a custom __init__ method must "
                                      "also define a custom .expand() method.")
        return self.__new__(type(self)) if _instance is None else _instance

    def __repr__(self):
        has = {name: self.__dict__[name] for name in self.arg_constraints if name in self.__dict__}
        return (self.__class__.__name__ + "("
                + ", ".join(f"{name}: {p if p.numel() == 1 else p.size()}" for name, p in has.items()) + ")")


Distribution.__module__ = "torch.distributions.distribution"


class _ProbsOrLogits(Distribution):
    """For distributions that take either: the other is computed when asked for. `_binary`: of one event each."""

    _binary = True

    def _take(self, probs, logits):
        """Keeps the one that is given; numbers become tensors."""
        self._want_one(probs, logits)
        if probs is not None:
            self.probs, = broadcast_all(probs)
        else:
            self.logits, = broadcast_all(logits)
        self._param = self.logits if probs is None else self.probs
        return self._param.shape

    @staticmethod
    def _want_one(probs, logits):
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")

    def _new(self, *args, **kwargs):
        return self._param.new(*args, **kwargs)

    @lazy_property
    def logits(self):
        return probs_to_logits(self.probs, is_binary=self._binary)

    @lazy_property
    def probs(self):
        return logits_to_probs(self.logits, is_binary=self._binary)

    @property
    def param_shape(self):
        return self._param.size()

    def _values(self, values, expand):
        """All values of the support along a new first dimension."""
        values = values.view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1,) + self._batch_shape) if expand else values


def _parameters(self, names):
    return [getattr(self, name) for name in names]


def _of_value(formula, *names, check=True):
    """A method that gives an op of the registry a value and these parameters."""
    op = _ops[formula]

    def method(self, value):
        if check and self._validate_args:
            self._validate_sample(value)
        parameters = _parameters(self, names)
        return op(value if hasattr(value, "dtype") else parameters[0].new_tensor(value), *parameters)

    return method


def _of_parameters(formula, *names):
    """A method that gives an op of the registry these parameters."""
    op = _ops[formula]
    return lambda self: op(*_parameters(self, names))


def _drawn(formula, *names):
    """rsample by an op of the registry."""
    op = _ops[formula]

    def rsample(self, sample_shape=Size()):  # noqa: B008
        return op(*_parameters(self, names), self._extended_shape(sample_shape))

    return rsample
