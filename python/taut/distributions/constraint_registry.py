"""Transforms from unconstrained numbers to a constrained region: biject_to(constraint) is bijective, transform_to(constraint) need
not be and is fitter for optimisation."""

from . import constraints, transforms
from .utils import _Number

__all__ = ["ConstraintRegistry", "biject_to", "transform_to"]


class ConstraintRegistry:
    """Functions that make a transform from a constraint, by the constraint's class."""

    def __init__(self):
        self._registry = {}
        super().__init__()

    def register(self, constraint, factory=None):
        """Registers a function for a class of constraints, given as it is or by an instance; also as a decorator."""
        if factory is None:
            return lambda factory: self.register(constraint, factory)
        if isinstance(constraint, constraints.Constraint):
            constraint = type(constraint)
        if not (isinstance(constraint, type) and issubclass(constraint, constraints.Constraint)):
            raise TypeError(f"Expected constraint to be either a Constraint subclass or instance, but got {constraint}")
        self._registry[constraint] = factory
        return factory

    def __call__(self, constraint):
        factory = self._registry.get(type(constraint))
        if factory is None:
            raise NotImplementedError(f"Cannot transform {type(constraint).__name__} constraints") from None
        return factory(constraint)


ConstraintRegistry.__module__ = "torch.distributions.constraint_registry"
biject_to = ConstraintRegistry()
transform_to = ConstraintRegistry()


def _shifted(begin, *affine):
    return transforms.ComposeTransform([begin, transforms.AffineTransform(*affine)])


def _is_number(value, number):
    return isinstance(value, _Number) and value == number


def _interval(c):
    if _is_number(c.lower_bound, 0) and _is_number(c.upper_bound, 1):
        return transforms.SigmoidTransform()
    return _shifted(transforms.SigmoidTransform(), c.lower_bound, c.upper_bound - c.lower_bound)


def _above(c):
    return _shifted(transforms.ExpTransform(), c.lower_bound, 1)


for _registry in (biject_to, transform_to):
    for _constraint, _factory in [
            (constraints.real, lambda c: transforms.identity_transform),
            (constraints.independent, lambda c, to=_registry: transforms.IndependentTransform(to(c.base_constraint),
                                                                                              c.reinterpreted_batch_ndims)),
            # positive and nonnegative are of these classes
            (constraints.greater_than, _above),
            (constraints.greater_than_eq, _above),
            (constraints.less_than, lambda c: _shifted(transforms.ExpTransform(), c.upper_bound, -1)),
            (constraints.interval, _interval),
            (constraints.half_open_interval, _interval),
            (constraints.corr_cholesky, lambda c: transforms.CorrCholeskyTransform()),
            (constraints.cat, lambda c, to=_registry: transforms.CatTransform([to(part) for part in c.cseq], c.dim, c.lengths)),
            (constraints.stack, lambda c, to=_registry: transforms.StackTransform([to(part) for part in c.cseq], c.dim))]:
        _registry.register(_constraint, _factory)

biject_to.register(constraints.simplex, lambda c: transforms.StickBreakingTransform())
transform_to.register(constraints.simplex, lambda c: transforms.SoftmaxTransform())
transform_to.register(constraints.lower_cholesky, lambda c: transforms.LowerCholeskyTransform())
transform_to.register(constraints.positive_definite, lambda c: transforms.PositiveDefiniteTransform())
transform_to.register(constraints.positive_semidefinite, lambda c: transforms.PositiveDefiniteTransform())
