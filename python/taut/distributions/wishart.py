"""The Wishart distribution of positive-definite matrices."""

import math
import warnings

from .. import _C
from .._functions import broadcast_shapes
from .._types import Size
from . import constraints
from .chi2 import Chi2
from .exp_family import ExponentialFamily
from .lowrank_multivariate_normal import _log_diagonal
from .multivariate_normal import _MATRICES, _factor
from .utils import _Number, finfo, lazy_property

__all__ = ["Wishart"]

_ops = _C.ops
_log_2 = math.log(2)


def _mvdigamma(x, p):
    """The derivative of mvlgamma."""
    if not x.gt((p - 1) / 2).all():
        raise AssertionError("Wrong domain for multivariate digamma function.")
    return (x.unsqueeze(-1) - _ops["arange"](p, dtype=x.dtype).div(2)).digamma().sum(-1)


def _clamp_above_eps(x):
    return x.clamp(min=finfo(x).eps)


class Wishart(ExponentialFamily):
    """Sums of df outer products of normal vectors, whose covariance is given as in MultivariateNormal."""

    support = constraints.positive_definite
    has_rsample = True
    _mean_carrier_measure = 0

    @property
    def arg_constraints(self):
        return {"covariance_matrix": constraints.positive_definite, "precision_matrix": constraints.positive_definite,
                "scale_tril": constraints.lower_cholesky, "df": constraints.greater_than(self.event_shape[-1] - 1)}

    def __init__(self, df, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        given = [(name, m) for name, m in zip(_MATRICES, (covariance_matrix, precision_matrix, scale_tril)) if m is not None]
        if len(given) != 1:
            raise AssertionError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        (name, matrix), = given
        if matrix.dim() < 2:
            raise ValueError("scale_tril must be at least two-dimensional, with optional leading batch dimensions")
        batch_shape, event_shape = matrix.shape[:-2], matrix.shape[-2:]
        if isinstance(df, _Number):
            self.df = _C._tensor(df, matrix.dtype)
        else:
            batch_shape = broadcast_shapes(batch_shape, df.shape)
            self.df = df.expand(batch_shape)
        if self.df.le(event_shape[-1] - 1).any():
            raise ValueError(f"Value of df={df} expected to be greater than ndim - 1 = {event_shape[-1] - 1}.")
        setattr(self, name, matrix.expand(batch_shape + (-1, -1)))
        if self.df.lt(event_shape[-1]).any():
            warnings.warn("Low df values detected. Singular samples are highly likely to occur for ndim - 1 < df < ndim.", stacklevel=2)
        super().__init__(batch_shape, event_shape, validate_args=validate_args)
        self._unbroadcasted_scale_tril = _factor(name, matrix)
        self._set_up()

    def _set_up(self):
        """What follows from the degrees of freedom."""
        self._batch_dims = [-(i + 1) for i in range(len(self._batch_shape))]
        n = _ops["arange"](self._event_shape[-1], dtype=self._unbroadcasted_scale_tril.dtype)
        self._dist_chi2 = Chi2(df=self.df.unsqueeze(-1) - n.expand(self._batch_shape + (-1,)))

    def expand(self, batch_shape, _instance=None):
        new = self._get_checked_instance(Wishart, _instance)
        batch_shape = Size(batch_shape)
        shape = batch_shape + self.event_shape
        new._unbroadcasted_scale_tril = self._unbroadcasted_scale_tril.expand(shape)
        new.df = self.df.expand(batch_shape)
        for name in _MATRICES:
            if name in self.__dict__:
                setattr(new, name, self.__dict__[name].expand(shape))
        ExponentialFamily.__init__(new, batch_shape, self.event_shape, validate_args=False)
        new._set_up()
        new._validate_args = self._validate_args
        return new

    def _whole(self, matrix):
        return matrix.expand(self._batch_shape + self._event_shape)

    @lazy_property
    def scale_tril(self):
        return self._whole(self._unbroadcasted_scale_tril)

    @lazy_property
    def covariance_matrix(self):
        return self._whole(self._unbroadcasted_scale_tril @ self._unbroadcasted_scale_tril.mT)

    @lazy_property
    def precision_matrix(self):
        tril = self._unbroadcasted_scale_tril
        return self._whole(_ops["cholesky_solve"](_ops["eye"](self._event_shape[-1], dtype=tril.dtype), tril))

    def _per_matrix(self, x):
        return x.view(self._batch_shape + (1, 1))

    @property
    def mean(self):
        return self._per_matrix(self.df) * self.covariance_matrix

    @property
    def mode(self):
        factor = self.df - self.covariance_matrix.shape[-1] - 1
        return self._per_matrix(factor.masked_fill(factor <= 0, math.nan)) * self.covariance_matrix

    @property
    def variance(self):
        V = self.covariance_matrix
        diagonal = V.diagonal(dim1=-2, dim2=-1)
        return self._per_matrix(self.df) * (V.pow(2) + diagonal.unsqueeze(-1) * diagonal.unsqueeze(-2))

    def _bartlett_sampling(self, sample_shape=Size()):  # noqa: B008
        """Products of triangular matrices with chi-squared diagonals and normal numbers below."""
        n = self._event_shape[-1]
        noise = _clamp_above_eps(self._dist_chi2.rsample(sample_shape).sqrt()).diag_embed(dim1=-2, dim2=-1)
        i, j = _ops["tril_indices"](n, n, offset=-1)
        noise[..., i, j] = _ops["randn"](Size(sample_shape) + self._batch_shape + (n * (n - 1) // 2,), dtype=noise.dtype)
        chol = self._unbroadcasted_scale_tril @ noise
        return chol @ chol.mT

    def rsample(self, sample_shape=Size(), max_try_correction=None):  # noqa: B008
        """Matrices, drawn again where they came out singular, at most max_try_correction times."""
        sample_shape = Size(sample_shape)
        sample = self._bartlett_sampling(sample_shape)
        # PyTorch's first look takes the regular ones for singular: they are drawn anew, with a warning.
        singular = self.support.check(sample)
        if self._batch_shape:
            singular = singular.amax(self._batch_dims)
        if singular.any():
            warnings.warn("Singular sample detected.", stacklevel=2)
            for _ in range(10 if max_try_correction is None else max_try_correction):
                again = self._bartlett_sampling(singular[singular].shape)
                sample[singular] = again
                still = ~self.support.check(again)
                if self._batch_shape:
                    still = still.amax(self._batch_dims)
                singular[singular.clone()] = still
                if not singular.any():
                    break
        return sample

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        nu, p, tril = self.df, self._event_shape[-1], self._unbroadcasted_scale_tril
        trace = _ops["cholesky_solve"](value, tril).diagonal(dim1=-2, dim2=-1).sum(-1)
        return (-nu * (p * _log_2 / 2 + _log_diagonal(tril)) - (nu / 2).mvlgamma(p)
                + (nu - p - 1) / 2 * _ops["linalg_slogdet"](value)[1] - trace / 2)

    def entropy(self):
        nu, p = self.df, self._event_shape[-1]
        return ((p + 1) * (p * _log_2 / 2 + _log_diagonal(self._unbroadcasted_scale_tril)) + (nu / 2).mvlgamma(p)
                - (nu - p - 1) / 2 * _mvdigamma(nu / 2, p=p) + nu * p / 2)

    @property
    def _natural_params(self):
        return -self.precision_matrix / 2, (self.df - self._event_shape[-1] - 1) / 2

    def _log_normalizer(self, x, y):
        p = self._event_shape[-1]
        half = y + (p + 1) / 2
        return half * (-_ops["linalg_slogdet"](-2 * x)[1] + _log_2 * p) + half.mvlgamma(p)
