"""How far apart two distributions are: kl_divergence(p, q), the mean of log p - log q under p."""

import functools
import math
import warnings

from .. import _C
from ..autograd import grad
from .bernoulli import Bernoulli
from .beta import Beta
from .binomial import Binomial
from .categorical import Categorical
from .cauchy import Cauchy
from .continuous_bernoulli import ContinuousBernoulli
from .dirichlet import Dirichlet
from .distribution import Distribution
from .exp_family import ExponentialFamily
from .exponential import Exponential
from .gamma import Gamma
from .geometric import Geometric
from .gumbel import Gumbel
from .half_normal import HalfNormal
from .independent import Independent
from .laplace import Laplace
from .lowrank_multivariate_normal import LowRankMultivariateNormal, _batch_lowrank_logdet, _batch_lowrank_mahalanobis, _log_diagonal
from .multivariate_normal import MultivariateNormal, _batch_mahalanobis
from .normal import Normal
from .one_hot_categorical import OneHotCategorical
from .pareto import Pareto
from .poisson import Poisson
from .transformed_distribution import TransformedDistribution
from .uniform import Uniform
from .utils import _sum_rightmost
from .utils import euler_constant as _euler_gamma

__all__ = ["register_kl", "kl_divergence"]

_ops = _C.ops
inf = math.inf
_KL_REGISTRY = {}  # what was registered, by pairs of classes
_KL_MEMOIZE = {}  # what was found for the classes of two distributions


def register_kl(type_p, type_q):
    """A decorator that makes a function of p and q the divergence of these classes and what derives from them. Of several functions
    that fit, the one for the most derived classes is called; where there is no such one, a warning says what to register."""
    for name, cls in (("type_p", type_p), ("type_q", type_q)):
        if not isinstance(cls, type) and issubclass(cls, Distribution):
            raise TypeError(f"Expected {name} to be a Distribution subclass but got {cls}")

    def decorator(fun):
        _KL_REGISTRY[type_p, type_q] = fun
        _KL_MEMOIZE.clear()  # others may be found now
        return fun

    return decorator


def _nearer(a, b):
    """Orders pairs of base classes of one pair of classes: by the first, the more derived one before."""
    for x, y in zip(a, b):
        if x is not y:
            return -1 if issubclass(x, y) else 1
    return 0


def _dispatch_kl(type_p, type_q):
    """What is registered for the most derived classes; the first class decides, and a warning says if the second one would not agree."""
    matches = [(p, q) for p, q in _KL_REGISTRY if issubclass(type_p, p) and issubclass(type_q, q)]
    if not matches:
        return NotImplemented
    by_p = min(matches, key=functools.cmp_to_key(_nearer))
    by_q = min(matches, key=functools.cmp_to_key(lambda a, b: _nearer(a[::-1], b[::-1])))
    found = _KL_REGISTRY[by_p]
    if found is not _KL_REGISTRY[by_q]:
        warnings.warn(f"Ambiguous kl_divergence({type_p.__name__}, {type_q.__name__}). Please register_kl({by_p[0].__name__}, "
                      f"{by_q[1].__name__})", RuntimeWarning, stacklevel=2)
    return found


def kl_divergence(p, q):
    """The Kullback-Leibler divergence of two distributions, of the shape of their batch."""
    types = type(p), type(q)
    fun = _KL_MEMOIZE.get(types)
    if fun is None:
        fun = _KL_MEMOIZE[types] = _dispatch_kl(*types)
    if fun is NotImplemented:
        raise NotImplementedError(f"No KL(p || q) is implemented for p type {types[0].__name__} and q type {types[1].__name__}")
    return fun(p, q)


def _infinite_like(tensor):
    return _ops["full_like"](tensor, inf)


def _x_log_x(x):
    return x.xlogy(x)


def _batch_trace_XXT(bmat):
    """The trace of X X^T."""
    return bmat.reshape(bmat.shape[:-2] + (bmat.size(-1) * bmat.size(-2),)).pow(2).sum(-1)


# ---- Two of a kind whose formula is an op of the registry: the attributes it takes of each.

def _by_formula(cls, formula, *names):
    op = _ops[formula]

    @register_kl(cls, cls)
    def kl(p, q):
        return op(*(getattr(p, name) for name in names), *(getattr(q, name) for name in names))

    return kl


_kl_normal_normal = _by_formula(Normal, "_normal_kl", "loc", "scale")
_by_formula(Laplace, "_laplace_kl", "loc", "scale")
_by_formula(Cauchy, "_cauchy_kl", "loc", "scale")
_by_formula(Uniform, "_uniform_kl", "low", "high")
_by_formula(Exponential, "_exponential_kl", "rate")
_by_formula(Gamma, "_gamma_kl", "concentration", "rate")
_by_formula(Beta, "_beta_kl", "concentration1", "concentration0")
_by_formula(Dirichlet, "_dirichlet_kl", "concentration")
_by_formula(Poisson, "_poisson_kl", "rate")
_by_formula(Bernoulli, "_bernoulli_kl", "probs", "logits")
_kl_categorical_categorical = _by_formula(Categorical, "_categorical_kl", "probs", "logits")


@register_kl(OneHotCategorical, OneHotCategorical)
def _kl_onehotcategorical_onehotcategorical(p, q):
    return _kl_categorical_categorical(p._categorical, q._categorical)


@register_kl(HalfNormal, HalfNormal)
def _kl_halfnormal_halfnormal(p, q):
    return _kl_normal_normal(p.base_dist, q.base_dist)


# ---- Other two of a kind.

@register_kl(Binomial, Binomial)
def _kl_binomial_binomial(p, q):
    if (p.total_count < q.total_count).any():
        raise NotImplementedError("KL between Binomials where q.total_count > p.total_count is not implemented")
    kl = p.total_count * (p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p())
    return kl.masked_fill(p.total_count > q.total_count, inf)


@register_kl(ContinuousBernoulli, ContinuousBernoulli)
def _kl_continuous_bernoulli_continuous_bernoulli(p, q):
    mine = p._cont_bern_log_norm() + (-p.probs).log1p()
    theirs = -q._cont_bern_log_norm() - (-q.probs).log1p()
    return p.mean * (p.logits - q.logits) + mine + theirs


@register_kl(ExponentialFamily, ExponentialFamily)
def _kl_expfamily_expfamily(p, q):
    """Bregman's divergence of the log normalizer."""
    if type(p) is not type(q):
        raise NotImplementedError("The cross KL-divergence between different exponential families cannot                             be "
                                  "computed using Bregman divergences")
    mine = [theta.detach().requires_grad_() for theta in p._natural_params]
    normalizer = p._log_normalizer(*mine)
    kl = q._log_normalizer(*q._natural_params) - normalizer
    for a, b, slope in zip(mine, q._natural_params, grad(normalizer.sum(), mine, create_graph=True)):
        kl = kl - _sum_rightmost((b - a) * slope, len(q.event_shape))
    return kl


@register_kl(Gumbel, Gumbel)
def _kl_gumbel_gumbel(p, q):
    scale, q_loc, p_loc = p.scale / q.scale, q.loc / q.scale, p.loc / q.scale
    tail = (q_loc + (1 + scale).lgamma() - p_loc).exp()
    return (-scale.log() - q_loc + p_loc) + scale * _euler_gamma + tail - (1 + _euler_gamma)


@register_kl(Geometric, Geometric)
def _kl_geometric_geometric(p, q):
    return -p.entropy() - (-q.probs).log1p() / p.probs - q.logits


@register_kl(Pareto, Pareto)
def _kl_pareto_pareto(p, q):
    alpha = q.alpha / p.alpha
    kl = q.alpha * (p.scale / q.scale).log() - alpha.log() + alpha - 1
    return kl.masked_fill(p.support.lower_bound < q.support.lower_bound, inf)


@register_kl(TransformedDistribution, TransformedDistribution)
def _kl_transformed_transformed(p, q):
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return kl_divergence(p.base_dist, q.base_dist)


@register_kl(Independent, Independent)
def _kl_independent_independent(p, q):
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return _sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


# ---- Several normal numbers.

def _same_size(p, q, what):
    if p.event_shape != q.event_shape:
        raise ValueError(f"KL-divergence between two {what} with                          different event shapes cannot be computed")


@register_kl(MultivariateNormal, MultivariateNormal)
def _kl_multivariatenormal_multivariatenormal(p, q):
    _same_size(p, q, "Multivariate Normals")
    return _ops["_multivariate_normal_kl"](p.loc, p._unbroadcasted_scale_tril, q.loc, q._unbroadcasted_scale_tril)


def _log_det(d):
    if isinstance(d, MultivariateNormal):
        return 2 * _log_diagonal(d._unbroadcasted_scale_tril)
    return _batch_lowrank_logdet(*d._factors(), d._capacitance_tril)


def _lowrank_distance(p, q):
    return _batch_lowrank_mahalanobis(*q._factors(), q.loc - p.loc, q._capacitance_tril)


def _whitened(q):
    W, D = q._factors()
    return _ops["linalg_solve_triangular"](q._capacitance_tril, W.mT / D.unsqueeze(-2), upper=False)


@register_kl(LowRankMultivariateNormal, LowRankMultivariateNormal)
def _kl_lowrankmultivariatenormal_lowrankmultivariatenormal(p, q):
    _same_size(p, q, "Low Rank Multivariate Normals")
    (pW, pD), (_, qD), A = p._factors(), q._factors(), _whitened(q)
    trace = ((pD / qD).sum(-1) + _batch_trace_XXT(pW * qD.rsqrt().unsqueeze(-1))
             - _batch_trace_XXT(A * pD.sqrt().unsqueeze(-2)) - _batch_trace_XXT(A @ pW))
    return 0.5 * ((_log_det(q) - _log_det(p)) + trace + _lowrank_distance(p, q) - p.event_shape[0])


@register_kl(MultivariateNormal, LowRankMultivariateNormal)
def _kl_multivariatenormal_lowrankmultivariatenormal(p, q):
    _same_size(p, q, "(Low Rank) Multivariate Normals")
    L, A = p._unbroadcasted_scale_tril, _whitened(q)
    trace = _batch_trace_XXT(L * q._factors()[1].rsqrt().unsqueeze(-1)) - _batch_trace_XXT(A @ L)
    return 0.5 * ((_log_det(q) - _log_det(p)) + trace + _lowrank_distance(p, q) - p.event_shape[0])


@register_kl(LowRankMultivariateNormal, MultivariateNormal)
def _kl_lowrankmultivariatenormal_multivariatenormal(p, q):
    _same_size(p, q, "(Low Rank) Multivariate Normals")
    L, (W, D) = q._unbroadcasted_scale_tril, p._factors()
    distance = _batch_mahalanobis(L, q.loc - p.loc)

    def trace(columns):
        left, right = _broadcast_batches(L, columns)
        return _batch_trace_XXT(_ops["linalg_solve_triangular"](left, right, upper=False))

    traces = trace(W) + trace(_ops["diag_embed"](D.sqrt()))
    return 0.5 * ((_log_det(q) - _log_det(p)) + traces + distance - p.event_shape[0])


def _broadcast_batches(a, b):
    from .._functions import broadcast_shapes

    batch = broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return a.expand(batch + a.shape[-2:]), b.expand(batch + b.shape[-2:])


# ---- Different kinds. Where p has values that q cannot have, the divergence is infinite.

def _infinite(cls, parameter, *others):
    for other in others:
        register_kl(cls, other)(lambda p, q: _infinite_like(getattr(p, parameter)))


_infinite(Beta, "concentration1", Pareto)
_infinite(ContinuousBernoulli, "probs", Pareto)
_infinite(Exponential, "rate", Beta, ContinuousBernoulli, Pareto, Uniform)
_infinite(Gamma, "concentration", Beta, ContinuousBernoulli, Pareto, Uniform)
_infinite(Gumbel, "loc", Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform)
_infinite(Laplace, "loc", Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform)
_infinite(Normal, "loc", Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform)
_infinite(Pareto, "scale", Beta, ContinuousBernoulli, Uniform)
_infinite(Poisson, "rate", Bernoulli, Binomial)


def _gamma_normalizer(q):
    return q.concentration.lgamma() - q.concentration * q.rate.log()


@register_kl(Bernoulli, Poisson)
def _kl_bernoulli_poisson(p, q):
    return -p.entropy() - (p.probs * q.rate.log() - q.rate)


@register_kl(Beta, ContinuousBernoulli)
def _kl_beta_continuous_bernoulli(p, q):
    return -p.entropy() - p.mean * q.logits - (-q.probs).log1p() - q._cont_bern_log_norm()


@register_kl(Beta, Exponential)
def _kl_beta_exponential(p, q):
    return -p.entropy() - q.rate.log() + q.rate * p.mean


@register_kl(Beta, Gamma)
def _kl_beta_gamma(p, q):
    log_mean = p.concentration1.digamma() - (p.concentration1 + p.concentration0).digamma()
    rest = q.rate * p.concentration1 / (p.concentration1 + p.concentration0)
    return -p.entropy() + _gamma_normalizer(q) - (q.concentration - 1) * log_mean + rest


@register_kl(Beta, Normal)
def _kl_beta_normal(p, q):
    total, variance = p.concentration1 + p.concentration0, q.scale.pow(2)
    mean = p.concentration1 / total
    square = (mean * (1 - mean) / (total + 1) + mean.pow(2)) * 0.5
    return -p.entropy() + 0.5 * (variance * 2 * math.pi).log() + (square - q.loc * mean + q.loc.pow(2) * 0.5) / variance


@register_kl(Beta, Uniform)
def _kl_beta_uniform(p, q):
    kl = -p.entropy() + (q.high - q.low).log()
    return kl.masked_fill((q.low > p.support.lower_bound) | (q.high < p.support.upper_bound), inf)


@register_kl(ContinuousBernoulli, Exponential)
def _kl_continuous_bernoulli_exponential(p, q):
    return -p.entropy() - q.rate.log() + q.rate * p.mean


@register_kl(ContinuousBernoulli, Normal)
def _kl_continuous_bernoulli_normal(p, q):
    normalizer = 0.5 * (math.log(2.0 * math.pi) + (q.loc / q.scale).square()) + q.scale.log()
    return -p.entropy() + normalizer + (p.variance + p.mean.square() - 2.0 * q.loc * p.mean) / (2.0 * q.scale.square())


@register_kl(ContinuousBernoulli, Uniform)
def _kl_continuous_bernoulli_uniform(p, q):
    # Infinite also where it need not be, as in PyTorch.
    inside = (q.low >= p.support.lower_bound) | (q.high <= p.support.upper_bound)
    return _ops["where"](inside, inf, -p.entropy() + (q.high - q.low).log())


@register_kl(Exponential, Gamma)
def _kl_exponential_gamma(p, q):
    ratio = q.rate / p.rate
    return (-q.concentration * ratio.log() + ratio + q.concentration.lgamma() + q.concentration * _euler_gamma
            - (1 + _euler_gamma))


@register_kl(Exponential, Gumbel)
def _kl_exponential_gumbel(p, q):
    scale, loc = p.rate * q.scale, q.loc / q.scale
    return scale.log() - 1 - loc + loc.exp() * scale / (scale + 1) + scale.reciprocal()


@register_kl(Exponential, Normal)
def _kl_exponential_normal(p, q):
    variance, square = q.scale.pow(2), p.rate.pow(2)
    distance = square.reciprocal() - q.loc / p.rate + q.loc.pow(2) * 0.5
    return 0.5 * (square * variance * 2 * math.pi).log() - 1 + distance / variance


@register_kl(Gamma, Exponential)
def _kl_gamma_exponential(p, q):
    return -p.entropy() - q.rate.log() + q.rate * p.concentration / p.rate


@register_kl(Gamma, Gumbel)
def _kl_gamma_gumbel(p, q):
    a, scale, loc = p.concentration, p.rate * q.scale, q.loc / q.scale
    entropy = (a - 1) * a.digamma() - a.lgamma() - a
    return entropy + scale.log() + a / scale + (loc.exp() * (1 + scale.reciprocal()).pow(-a) - loc)


@register_kl(Gamma, Normal)
def _kl_gamma_normal(p, q):
    a, variance, square = p.concentration, q.scale.pow(2), p.rate.pow(2)
    entropy = 0.5 * (square * variance * 2 * math.pi).log() - a - a.lgamma()
    distance = 0.5 * (a.pow(2) + a) / square - q.loc * a / p.rate + 0.5 * q.loc.pow(2)
    return entropy + (a - 1) * a.digamma() + distance / variance


@register_kl(Gumbel, Normal)
def _kl_gumbel_normal(p, q):
    ratio = p.scale / q.scale
    spread = (math.pi * ratio * 0.5).pow(2) / 3
    shift = ((p.loc + p.scale * _euler_gamma - q.loc) / q.scale).pow(2) * 0.5
    return -(ratio / math.sqrt(2 * math.pi)).log() + spread + shift - (_euler_gamma + 1)


@register_kl(Laplace, Normal)
def _kl_laplace_normal(p, q):
    variance = q.scale.pow(2)
    ratio = p.scale.pow(2) / variance
    distance = 0.5 * p.loc.pow(2) - p.loc * q.loc + 0.5 * q.loc.pow(2)
    return -0.5 * (2 * ratio / math.pi).log() + ratio + distance / variance - 1


@register_kl(Normal, Gumbel)
def _kl_normal_gumbel(p, q):
    mean, variance, loc = p.loc / q.scale, (p.scale / q.scale).pow(2), q.loc / q.scale
    tail = (-mean + 0.5 * variance + loc).exp()
    return -variance.log() * 0.5 + (mean - loc) + tail - 0.5 * (1 + math.log(2 * math.pi))


@register_kl(Normal, Laplace)
def _kl_normal_laplace(p, q):
    apart = p.loc - q.loc
    scaled = apart / p.scale
    mean = math.sqrt(2 / math.pi) * p.scale * (-0.5 * scaled.pow(2)).exp() + apart * (math.sqrt(0.5) * scaled).erf()
    return -(p.scale / q.scale).log() + mean / q.scale - 0.5 * (1 + math.log(0.5 * math.pi))


@register_kl(Pareto, Exponential)
def _kl_pareto_exponential(p, q):
    scale = p.scale * q.rate
    kl = (p.alpha / scale).log() - p.alpha.reciprocal() + p.alpha * scale / (p.alpha - 1) - 1
    return kl.masked_fill(p.alpha <= 1, inf)


@register_kl(Pareto, Gamma)
def _kl_pareto_gamma(p, q):
    log_mean = p.scale.log() + p.alpha.reciprocal()
    rest = q.rate * p.alpha * p.scale / (p.alpha - 1)
    kl = (p.alpha.log() - log_mean) + _gamma_normalizer(q) + (1 - q.concentration) * log_mean + rest - 1
    return kl.masked_fill(p.alpha <= 1, inf)


@register_kl(Pareto, Normal)
def _kl_pareto_normal(p, q):
    part = p.scale / (p.alpha - 1)
    spread = p.alpha * part.pow(2) / (p.alpha - 2)
    normalizer = (math.sqrt(2 * math.pi) * q.scale * p.alpha / p.scale).log()
    kl = normalizer - p.alpha.reciprocal() + (spread + (p.alpha * part - q.loc).pow(2)) / (2 * q.scale.pow(2)) - 1
    return kl.masked_fill(p.alpha <= 2, inf)


@register_kl(Uniform, Beta)
def _kl_uniform_beta(p, q):
    width = p.high - p.low
    one = (q.concentration1 - 1) * (_x_log_x(p.high) - _x_log_x(p.low) - width) / width
    zero = (q.concentration0 - 1) * (_x_log_x(1 - p.high) - _x_log_x(1 - p.low) + width) / width
    log_beta = q.concentration1.lgamma() + q.concentration0.lgamma() - (q.concentration1 + q.concentration0).lgamma()
    kl = zero + log_beta - width.log() - one
    return kl.masked_fill((p.high > q.support.upper_bound) | (p.low < q.support.lower_bound), inf)


@register_kl(Uniform, ContinuousBernoulli)
def _kl_uniform_continuous_bernoulli(p, q):
    kl = -p.entropy() - p.mean * q.logits - (-q.probs).log1p() - q._cont_bern_log_norm()
    return _ops["where"]((p.high >= q.support.upper_bound) | (p.low <= q.support.lower_bound), inf, kl)


@register_kl(Uniform, Exponential)
def _kl_uniform_exponetial(p, q):
    kl = q.rate * (p.high + p.low) / 2 - ((p.high - p.low) * q.rate).log()
    return kl.masked_fill(p.low < q.support.lower_bound, inf)


@register_kl(Uniform, Gamma)
def _kl_uniform_gamma(p, q):
    width = p.high - p.low
    log_mean = (1 - q.concentration) * (_x_log_x(p.high) - _x_log_x(p.low) - width) / width
    kl = -width.log() + _gamma_normalizer(q) + log_mean + q.rate * (p.high + p.low) / 2
    return kl.masked_fill(p.low < q.support.lower_bound, inf)


@register_kl(Uniform, Gumbel)
def _kl_uniform_gumbel(p, q):
    part, high, low = q.scale / (p.high - p.low), (p.high - q.loc) / q.scale, (p.low - q.loc) / q.scale
    return part.log() + 0.5 * (high + low) - part * ((-high).exp() - (-low).exp())


@register_kl(Uniform, Normal)
def _kl_uniform_normal(p, q):
    width = p.high - p.low
    shift = ((p.high + p.low - 2 * q.loc) / 2).pow(2)
    return (math.sqrt(math.pi * 2) * q.scale / width).log() + 0.5 * (width.pow(2) / 12 + shift) / q.scale.pow(2)


@register_kl(Uniform, Pareto)
def _kl_uniform_pareto(p, q):
    width = p.high - p.low
    log_mean = (_x_log_x(p.high) - _x_log_x(p.low) - width) / width
    kl = log_mean * (q.alpha + 1) - (q.alpha * q.scale.pow(q.alpha) * width).log()
    return kl.masked_fill(p.low < q.support.lower_bound, inf)
