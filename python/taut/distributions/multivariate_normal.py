"""Several normal numbers that depend on each other."""

from .. import _C
from . import constraints
from .._functions import broadcast_shapes
from .distribution import Distribution, _drawn, _of_value
from .utils import lazy_property

__all__ = ["MultivariateNormal"]

_ops = _C.ops
_batch_mahalanobis = _ops["_batch_mahalanobis"]
_precision_to_scale_tril = _ops["_precision_to_scale_tril"]


def _batch_mv(bmat, bvec):
    """Matrices times vectors."""
    return (bmat @ bvec.unsqueeze(-1)).squeeze(-1)


_MATRICES = ("covariance_matrix", "precision_matrix", "scale_tril")


class MultivariateNormal(Distribution):
    """Around loc; their covariance is given as it is, by its inverse or by its Cholesky factor."""

    arg_constraints = {"loc": constraints.real_vector, "covariance_matrix": constraints.positive_definite,
                       "precision_matrix": constraints.positive_definite, "scale_tril": constraints.lower_cholesky}
    support = constraints.real_vector
    has_rsample = True
    _shaped = ("loc", *_MATRICES)
    _kept = ("_unbroadcasted_scale_tril",)

    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        if loc.dim() < 1:
            raise ValueError("loc must be at least one-dimensional.")
        given = [(name, m) for name, m in zip(_MATRICES, (covariance_matrix, precision_matrix, scale_tril)) if m is not None]
        if len(given) != 1:
            raise ValueError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        (name, matrix), = given
        if matrix.dim() < 2:
            raise ValueError(f"{'scale_tril matrix' if name == 'scale_tril' else name} must be at least two-dimensional, with optional "
                             "leading batch dimensions")
        batch_shape = broadcast_shapes(matrix.shape[:-2], loc.shape[:-1])
        setattr(self, name, matrix.expand(batch_shape + (-1, -1)))
        self.loc = loc.expand(batch_shape + (-1,))
        super().__init__(batch_shape, self.loc.shape[-1:], validate_args=validate_args)
        self._unbroadcasted_scale_tril = _factor(name, matrix)

    def _whole(self, matrix):
        return matrix.expand(self._batch_shape + self._event_shape + self._event_shape)

    @lazy_property
    def scale_tril(self):
        return self._whole(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self):
        return self._whole(self._unbroadcasted_scale_tril @ self._unbroadcasted_scale_tril.mT)

    @lazy_property
    def precision_matrix(self):
        return self._whole(_ops["cholesky_inverse"](self._unbroadcasted_scale_tril))

    @property
    def mean(self):
        return self.loc

    mode = mean

    @property
    def variance(self):
        return self._unbroadcasted_scale_tril.pow(2).sum(-1).expand(self._batch_shape + self._event_shape)

    rsample = _drawn("_multivariate_normal_rsample", "loc", "_unbroadcasted_scale_tril")
    log_prob = _of_value("_multivariate_normal_log_prob", "loc", "_unbroadcasted_scale_tril")

    def entropy(self):
        entropy = _ops["_multivariate_normal_entropy"](self._unbroadcasted_scale_tril)
        return entropy.expand(self._batch_shape) if self._batch_shape else entropy


def _factor(name, matrix):
    """The Cholesky factor of the covariance."""
    if name == "scale_tril":
        return matrix
    return _ops["linalg_cholesky"](matrix) if name == "covariance_matrix" else _precision_to_scale_tril(matrix)
