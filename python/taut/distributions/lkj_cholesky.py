"""The LKJ distribution of correlation matrices, by their Cholesky factors."""

import math

from .. import _C
from .._types import Size
from ..autograd.grad_mode import no_grad
from . import constraints
from .beta import Beta
from .distribution import Distribution
from .utils import broadcast_all, finfo

__all__ = ["LKJCholesky"]

_ops = _C.ops


class LKJCholesky(Distribution):
    """Factors of correlation matrices with density det^(concentration - 1). They are drawn by the onion method (Lewandowski,
    Kurowicka and Joe, 2009)."""

    arg_constraints = {"concentration": constraints.positive}
    support = constraints.corr_cholesky
    _shaped = ("concentration", "_beta")
    _kept = ("dim",)

    def __init__(self, dim, concentration=1.0, validate_args=None):
        if dim < 2:
            raise ValueError(f"Expected dim to be an integer greater than or equal to 2. Found dim={dim}.")
        self.dim = dim
        self.concentration, = broadcast_all(concentration)
        # Of the length of a row below the diagonal; the first row has none.
        offset = _ops["arange"](dim - 1, dtype=self.concentration.dtype)
        offset = _ops["cat"]([offset.new_zeros((1,)), offset])
        marginal = self.concentration + 0.5 * (dim - 2)
        self._beta = Beta(offset + 0.5, marginal.unsqueeze(-1) - 0.5 * offset)
        super().__init__(self.concentration.shape, Size((dim, dim)), validate_args)

    def sample(self, sample_shape=Size()):  # noqa: B008
        with no_grad():
            y = self._beta.sample(sample_shape).unsqueeze(-1)
            below = _ops["randn"](self._extended_shape(sample_shape), dtype=y.dtype).tril(-1)
            directions = below / below.norm(dim=-1, keepdim=True)
            directions[..., 0, :] = 0.0  # was 0 / 0
            w = y.sqrt() * directions
            return w + (1 - (w ** 2).sum(-1)).clamp(min=finfo(w).tiny).sqrt().diag_embed()

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        order = 2 * (self.concentration - 1).unsqueeze(-1) + self.dim - _ops["arange"](2, self.dim + 1)
        unnormalized = (order * value.diagonal(dim1=-1, dim2=-2)[..., 1:].log()).sum(-1)
        n = self.dim - 1
        alpha = self.concentration + 0.5 * n
        return unnormalized - (0.5 * n * math.log(math.pi) + (alpha - 0.5).mvlgamma(n) - alpha.lgamma() * n)
