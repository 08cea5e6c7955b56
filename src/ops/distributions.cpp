// The formulas of the common distributions: densities, entropies, distances, and numbers drawn so that gradients reach
// the parameters. Both faces call them: taut::distributions (distributions/) and torch.distributions. Compositions of
// other ops, in PyTorch's order.
#include <cmath>
#include <numbers>

#include "ops/op.h"
#include "ops/registry.h"
#include "taut/factories.h"
#include "taut/linalg.h"
#include "taut/ops/activation.h"
#include "taut/ops/distribution.h"
#include "taut/ops/elementwise.h"
#include "taut/ops/indexing.h"
#include "taut/ops/linalg.h"
#include "taut/ops/loss.h"
#include "taut/ops/numbers.h"
#include "taut/ops/reduce.h"
#include "taut/ops/shape.h"
#include "taut/ops/special.h"
#include "taut/ops/view.h"

namespace taut {

namespace {

constexpr double kPi = std::numbers::pi, kInf = __builtin_inf();
constexpr double kLogPi = 1.1447298858494002, kHalfLogTwoPi = 0.9189385332046727, kEuler = 0.57721566490153286060;
using MaybeGenerator = std::optional<Generator>;

double tiny(const Tensor& t) {
  return t.scalar_type() == kDouble ? 0x1p-1022 : t.scalar_type() == kHalf ? 0x1p-14 : 0x1p-126;
}
double epsilon(const Tensor& t) {
  switch (t.scalar_type()) {
    case kDouble: return 0x1p-52;
    case kHalf: return 0x1p-10;
    case kBFloat16: return 0x1p-7;
    default: return 0x1p-23;
  }
}
/// Memory of this shape for numbers to be drawn into.
Tensor room(const Tensor& like, IntArrayRef size) {
  const HiddenDims levels = thread_state.level ? batching::drawn_levels("rsample") : HiddenDims();
  return levels.empty() ? empty(size, like.scalar_type())
                        : batching::fresh(levels, size, like.scalar_type(), "rsample");
}

/// log(|det|) of triangular matrices, and the number of their rows.
Tensor log_diagonal(const Tensor& tril) { return tril.diagonal(0, -2, -1).log().sum(-1); }
double rows(const Tensor& matrices) { return static_cast<double>(matrices.size(-1)); }
Tensor times_vector(const Tensor& matrix, const Tensor& vector) {
  return matmul(matrix, vector.unsqueeze(-1)).squeeze(-1);
}

}  // namespace

// ---- Normal.

Tensor _normal_log_prob(const Tensor& value, const Tensor& loc, const Tensor& scale) {
  return (value - loc).pow(2).neg() / (2 * scale.pow(2)) - scale.log() - kHalfLogTwoPi;
}
Tensor _normal_cdf(const Tensor& value, const Tensor& loc, const Tensor& scale) {
  return 0.5 * (1 + ((value - loc) * scale.reciprocal() / std::numbers::sqrt2).erf());
}
Tensor _normal_icdf(const Tensor& value, const Tensor& loc, const Tensor& scale) {
  return loc + scale * (2 * value - 1).erfinv() * std::numbers::sqrt2;
}
Tensor _normal_entropy(const Tensor& scale) { return 0.5 + kHalfLogTwoPi + scale.log(); }
Tensor _normal_kl(const Tensor& p_loc, const Tensor& p_scale, const Tensor& q_loc, const Tensor& q_scale) {
  const Tensor ratio = (p_scale / q_scale).pow(2);
  return 0.5 * (ratio + ((p_loc - q_loc) / q_scale).pow(2) - 1 - ratio.log());
}
Tensor _normal_rsample(const Tensor& loc, const Tensor& scale, IntArrayRef size, MaybeGenerator generator) {
  check_defined(loc, "_normal_rsample", "loc");
  const AsDry as(loc);
  return loc + room(loc, size).normal_(0, 1, std::move(generator)) * scale;
}

// ---- Laplace.

Tensor _laplace_log_prob(const Tensor& value, const Tensor& loc, const Tensor& scale) {
  return -(2 * scale).log() - (value - loc).abs() / scale;
}
Tensor _laplace_cdf(const Tensor& value, const Tensor& loc, const Tensor& scale) {
  const Tensor x = value - loc;
  return 0.5 - 0.5 * x.sign() * (-x.abs() / scale).expm1();
}
Tensor _laplace_icdf(const Tensor& value, const Tensor& loc, const Tensor& scale) {
  const Tensor x = value - 0.5;
  return loc - scale * x.sign() * (-2 * x.abs()).log1p();
}
Tensor _laplace_entropy(const Tensor& scale) { return 1 + (2 * scale).log(); }
Tensor _laplace_kl(const Tensor& p_loc, const Tensor& p_scale, const Tensor& q_loc, const Tensor& q_scale) {
  const Tensor ratio = p_scale / q_scale, apart = (p_loc - q_loc).abs();
  return -ratio.log() + apart / q_scale + ratio * (-apart / p_scale).exp() - 1;
}
Tensor _laplace_rsample(const Tensor& loc, const Tensor& scale, IntArrayRef size, MaybeGenerator generator) {
  check_defined(loc, "_laplace_rsample", "loc");
  const AsDry as(loc);
  const Tensor u = room(loc, size).uniform_(epsilon(loc) - 1, 1, std::move(generator));
  return loc - scale * u.sign() * (-u.abs()).log1p();
}

// ---- Cauchy.

Tensor _cauchy_log_prob(const Tensor& value, const Tensor& loc, const Tensor& scale) {
  return -kLogPi - scale.log() - ((value - loc) / scale).pow(2).log1p();
}
Tensor _cauchy_cdf(const Tensor& value, const Tensor& loc, const Tensor& scale) {
  return ((value - loc) / scale).atan() / kPi + 0.5;
}
Tensor _cauchy_icdf(const Tensor& value, const Tensor& loc, const Tensor& scale) {
  return (kPi * (value - 0.5)).tan() * scale + loc;
}
Tensor _cauchy_entropy(const Tensor& scale) { return std::log(4 * kPi) + scale.log(); }
Tensor _cauchy_kl(const Tensor& p_loc, const Tensor& p_scale, const Tensor& q_loc, const Tensor& q_scale) {
  return ((p_scale + q_scale).pow(2) + (p_loc - q_loc).pow(2)).log() - (4 * p_scale * q_scale).log();
}
Tensor _cauchy_rsample(const Tensor& loc, const Tensor& scale, IntArrayRef size, MaybeGenerator generator) {
  check_defined(loc, "_cauchy_rsample", "loc");
  const AsDry as(loc);
  return loc + room(loc, size).cauchy_(0, 1, std::move(generator)) * scale;
}

// ---- Gumbel. Its numbers are drawn by Python's chain of transforms.

Tensor _gumbel_log_prob(const Tensor& value, const Tensor& loc, const Tensor& scale) {
  const Tensor y = (loc - value) / scale;
  return y - y.exp() - scale.log();
}
Tensor _gumbel_entropy(const Tensor& scale) { return scale.log() + (1 + kEuler); }
Tensor _gumbel_rsample(const Tensor& loc, const Tensor& scale, IntArrayRef size, MaybeGenerator generator) {
  check_defined(loc, "_gumbel_rsample", "loc");
  const AsDry as(loc);
  const double low = tiny(loc), high = 1 - epsilon(loc);
  const Tensor u = low + room(loc, size).uniform_(0, 1, std::move(generator)) * (high - low);
  return loc - scale * (-u.log()).log();
}

// ---- Uniform.

Tensor _uniform_log_prob(const Tensor& value, const Tensor& low, const Tensor& high) {
  const Tensor inside = low.le(value).to(low.scalar_type()).mul(high.gt(value).to(low.scalar_type()));
  return inside.log() - (high - low).log();
}
Tensor _uniform_cdf(const Tensor& value, const Tensor& low, const Tensor& high) {
  return ((value - low) / (high - low)).clamp(0, 1);
}
Tensor _uniform_icdf(const Tensor& value, const Tensor& low, const Tensor& high) { return value * (high - low) + low; }
Tensor _uniform_entropy(const Tensor& low, const Tensor& high) { return (high - low).log(); }
Tensor _uniform_kl(const Tensor& p_low, const Tensor& p_high, const Tensor& q_low, const Tensor& q_high) {
  return ((q_high - q_low) / (p_high - p_low)).log().masked_fill(q_low.gt(p_low).logical_or(q_high.lt(p_high)), kInf);
}
Tensor _uniform_rsample(const Tensor& low, const Tensor& high, IntArrayRef size, MaybeGenerator generator) {
  check_defined(low, "_uniform_rsample", "low");
  const AsDry as(low);
  return low + room(low, size).uniform_(0, 1, std::move(generator)) * (high - low);
}

// ---- Exponential.

Tensor _exponential_log_prob(const Tensor& value, const Tensor& rate) { return rate.log() - rate * value; }
Tensor _exponential_cdf(const Tensor& value, const Tensor& rate) { return 1 - (-rate * value).exp(); }
Tensor _exponential_icdf(const Tensor& value, const Tensor& rate) { return -(-value).log1p() / rate; }
Tensor _exponential_entropy(const Tensor& rate) { return 1.0 - rate.log(); }
Tensor _exponential_kl(const Tensor& p_rate, const Tensor& q_rate) {
  const Tensor ratio = q_rate / p_rate;
  return -ratio.log() + ratio - 1;
}
Tensor _exponential_rsample(const Tensor& rate, IntArrayRef size, MaybeGenerator generator) {
  check_defined(rate, "_exponential_rsample", "rate");
  const AsDry as(rate);
  return room(rate, size).exponential_(1, std::move(generator)) / rate;
}

// ---- Gamma, Beta, Dirichlet.

Tensor _gamma_log_prob(const Tensor& value, const Tensor& concentration, const Tensor& rate) {
  return xlogy(concentration, rate) + xlogy(concentration - 1, value) - rate * value - concentration.lgamma();
}
Tensor _gamma_entropy(const Tensor& concentration, const Tensor& rate) {
  return concentration - rate.log() + concentration.lgamma() + (1.0 - concentration) * concentration.digamma();
}
Tensor _gamma_kl(const Tensor& p_concentration, const Tensor& p_rate, const Tensor& q_concentration,
                 const Tensor& q_rate) {
  return q_concentration * (p_rate / q_rate).log() + (q_concentration.lgamma() - p_concentration.lgamma()) +
         (p_concentration - q_concentration) * p_concentration.digamma() +
         (q_rate - p_rate) * (p_concentration / p_rate);
}
Tensor _gamma_rsample(const Tensor& concentration, const Tensor& rate, IntArrayRef size, MaybeGenerator generator) {
  Tensor value = _standard_gamma(concentration.expand(size), std::move(generator)) / rate.expand(size);
  value.detach().clamp_min_(tiny(value));  // the gradient is not to know
  return value;
}

Tensor _beta_kl(const Tensor& p_one, const Tensor& p_zero, const Tensor& q_one, const Tensor& q_zero) {
  const Tensor p = p_one + p_zero, q = q_one + q_zero;
  return (q_one.lgamma() + q_zero.lgamma() + p.lgamma()) - (p_one.lgamma() + p_zero.lgamma() + q.lgamma()) +
         (p_one - q_one) * p_one.digamma() + (p_zero - q_zero) * p_zero.digamma() + (q - p) * p.digamma();
}

Tensor _dirichlet_log_prob(const Tensor& value, const Tensor& concentration) {
  return xlogy(concentration - 1.0, value).sum(-1) + concentration.sum(-1).lgamma() - concentration.lgamma().sum(-1);
}
Tensor _dirichlet_entropy(const Tensor& concentration) {
  const Tensor total = concentration.sum(-1);
  return concentration.lgamma().sum(-1) - total.lgamma() - (rows(concentration) - total) * total.digamma() -
         ((concentration - 1.0) * concentration.digamma()).sum(-1);
}
Tensor _dirichlet_kl(const Tensor& p, const Tensor& q) {
  const Tensor total = p.sum(-1);
  return total.lgamma() - q.sum(-1).lgamma() - (p.lgamma() - q.lgamma()).sum(-1) +
         ((p - q) * (p.digamma() - total.digamma().unsqueeze(-1))).sum(-1);
}

// ---- Student's t.

Tensor _student_t_log_prob(const Tensor& value, const Tensor& df, const Tensor& loc, const Tensor& scale) {
  const Tensor y = (value - loc) / scale;
  const Tensor normalizer =
      scale.log() + 0.5 * df.log() + 0.5 * kLogPi + (0.5 * df).lgamma() - (0.5 * (df + 1.0)).lgamma();
  return -0.5 * (df + 1.0) * (y.pow(2.0) / df).log1p() - normalizer;
}
Tensor _student_t_entropy(const Tensor& df, const Tensor& scale) {
  const Tensor half = 0.5 * df, next = 0.5 * (df + 1);
  const Tensor log_beta = half.lgamma() + 0.5 * kLogPi - next.lgamma();
  return scale.log() + 0.5 * (df + 1) * (next.digamma() - half.digamma()) + 0.5 * df.log() + log_beta;
}
Tensor _student_t_rsample(const Tensor& df, const Tensor& loc, const Tensor& scale, IntArrayRef size,
                          MaybeGenerator generator) {
  check_defined(df, "_student_t_rsample", "df");
  const AsDry as(df);
  const Tensor x = room(df, size).normal_(0, 1, generator);
  const Tensor z = _gamma_rsample(0.5 * df, full({}, 0.5, df.scalar_type()), size, std::move(generator));
  return loc + scale * (x * (z / df).rsqrt());
}

// ---- Counts.

Tensor _poisson_log_prob(const Tensor& value, const Tensor& rate) {
  return xlogy(value, rate) - rate - (value + 1).lgamma();
}
Tensor _poisson_kl(const Tensor& p, const Tensor& q) { return p * (p.log() - q.log()) - (p - q); }

Tensor _bernoulli_log_prob(const Tensor& value, const Tensor& logits) {
  const std::vector<Tensor> both = broadcast_tensors({logits, value});
  return -binary_cross_entropy_with_logits(both[0], both[1], {}, {}, Reduction::None);
}
Tensor _bernoulli_entropy(const Tensor& probs, const Tensor& logits) {
  return binary_cross_entropy_with_logits(logits, probs, {}, {}, Reduction::None);
}
Tensor _bernoulli_kl(const Tensor& p_probs, const Tensor& p_logits, const Tensor& q_probs, const Tensor& q_logits) {
  const auto part = [](const Tensor& p, const Tensor& difference, const Tensor& never_q, const Tensor& never_p) {
    return (p * difference).masked_fill(never_q, kInf).masked_fill(never_p, 0);
  };
  return part(p_probs, softplus(-q_logits) - softplus(-p_logits), q_probs.eq(0), p_probs.eq(0)) +
         part(1 - p_probs, softplus(q_logits) - softplus(p_logits), q_probs.eq(1), p_probs.eq(1));
}

Tensor _binomial_log_prob(const Tensor& value, const Tensor& total_count, const Tensor& logits) {
  // Half of the gradient of clamp at 0, so that the two parts of it add up to that of the logits.
  const Tensor positive = (logits.clamp_min(0) + logits - logits.clamp_max(0)) / 2;
  const Tensor normalizer =
      total_count * positive + total_count * (-logits.abs()).exp().log1p() - (total_count + 1).lgamma();
  return value * logits - (value + 1).lgamma() - (total_count - value + 1).lgamma() - normalizer;
}
Tensor _negative_binomial_log_prob(const Tensor& value, const Tensor& total_count, const Tensor& logits) {
  const Tensor all = total_count + value;
  const Tensor normalizer = -all.lgamma() + (1.0 + value).lgamma() + total_count.lgamma();
  return total_count * log_sigmoid(-logits) + value * log_sigmoid(logits) - normalizer.masked_fill(all.eq(0), 0);
}
Tensor _geometric_log_prob(const Tensor& value, const Tensor& probs) {
  const std::vector<Tensor> both = broadcast_tensors({value, probs});
  const Tensor sure = both[1].eq(1).logical_and(both[0].eq(0));  // 0 log(0)
  return both[0] * (-both[1].masked_fill(sure, 0)).log1p() + probs.log();
}

// ---- Categories.

Tensor _categorical_log_prob(const Tensor& value, const Tensor& logits) {
  check_defined(value, "_categorical_log_prob", "value");
  check_defined(logits, "_categorical_log_prob", "logits");
  const std::vector<Tensor> both = broadcast_tensors({value.to(kLong).unsqueeze(-1), logits});
  return both[1].gather(-1, both[0].slice(-1, 0, 1)).squeeze(-1);
}
Tensor _categorical_entropy(const Tensor& probs, const Tensor& logits) {
  check_defined(probs, "_categorical_entropy", "probs");
  check_defined(logits, "_categorical_entropy", "logits");
  const double lowest = logits.scalar_type() == kDouble     ? -0x1.fffffffffffffp1023
                        : logits.scalar_type() == kHalf     ? -65504
                        : logits.scalar_type() == kBFloat16 ? -0x1.fep127
                                                            : -0x1.fffffep127;
  return -(logits.clamp_min(lowest) * probs).sum(-1);
}
Tensor _categorical_kl(const Tensor& p_probs, const Tensor& p_logits, const Tensor& q_probs, const Tensor& q_logits) {
  return (p_probs * (p_logits - q_logits)).masked_fill(q_probs.eq(0), kInf).masked_fill(p_probs.eq(0), 0).sum(-1);
}
Tensor _categorical_sample(const Tensor& probs, IntArrayRef sample_shape, MaybeGenerator generator) {
  check_defined(probs, "_categorical_sample", "probs");
  const AsDry as(probs);
  const int64_t categories = probs.size(-1);
  const int64_t n = checked_numel(sample_shape, "_categorical_sample");
  Dims size(sample_shape);
  for (int64_t d = 0; d + 1 < probs.dim(); ++d) size.push_back(probs.size(d));
  NoGradGuard guard;
  return multinomial(probs.reshape({-1, categories}), n, true, std::move(generator)).t().reshape(size);
}

// ---- Several normal numbers at once. `scale_tril` is the Cholesky factor of their covariance.

Tensor _batch_mahalanobis(const Tensor& tril, const Tensor& vectors) {
  check_defined(tril, "_batch_mahalanobis", "tril");
  check_defined(vectors, "_batch_mahalanobis", "vectors");
  // Dimensions that the matrices have too stay batches; all others become columns of one system.
  const int64_t n = vectors.size(-1), dims = vectors.dim() - 1, offset = dims - (tril.dim() - 2);
  check(offset >= 0, "_batch_mahalanobis: the matrices ", tril.sizes(), " have more batches than the vectors ",
        vectors.sizes());
  Dims batches, columns, sizes;
  int64_t count = 1, width = 1;
  for (int64_t d = 0; d < dims; ++d) {
    const bool shared = d < offset || tril.size(d - offset) == 1;
    (shared ? columns : batches).push_back(d);
    (shared ? width : count) *= vectors.size(d);
  }
  Dims order(batches);
  order.push_back(dims);
  for (int64_t d : columns) order.push_back(d);
  const Tensor x = vectors.permute(order).reshape({count, n, width});
  const Tensor squares = linalg::solve_triangular(tril.reshape({count, n, n}), x, false).pow(2).sum(-2);
  Dims back(static_cast<size_t>(dims));
  int64_t at = 0;
  for (const Dims* part : {&batches, &columns})
    for (int64_t d : *part) sizes.push_back(vectors.size(d)), back[static_cast<size_t>(d)] = at++;
  return squares.reshape(sizes).permute(back);
}
Tensor _precision_to_scale_tril(const Tensor& precision) {
  check_defined(precision, "_precision_to_scale_tril", "precision");
  const AsDry as(precision);
  const Tensor flipped = linalg::cholesky(precision.flip({-2, -1})).flip({-2, -1}).transpose(-2, -1);
  return linalg::solve_triangular(flipped, eye(precision.size(-1), precision.scalar_type()), false);
}
Tensor _multivariate_normal_log_prob(const Tensor& value, const Tensor& loc, const Tensor& scale_tril) {
  check_defined(scale_tril, "_multivariate_normal_log_prob", "scale_tril");
  const Tensor distance = _batch_mahalanobis(scale_tril, value - loc);
  return -0.5 * (rows(scale_tril) * (2 * kHalfLogTwoPi) + distance) - log_diagonal(scale_tril);
}
Tensor _multivariate_normal_entropy(const Tensor& scale_tril) {
  return 0.5 * rows(scale_tril) * (1 + 2 * kHalfLogTwoPi) + log_diagonal(scale_tril);
}
Tensor _multivariate_normal_kl(const Tensor& p_loc, const Tensor& p_scale_tril, const Tensor& q_loc,
                               const Tensor& q_scale_tril) {
  check_defined(p_scale_tril, "_multivariate_normal_kl", "p_scale_tril");
  check_defined(q_scale_tril, "_multivariate_normal_kl", "q_scale_tril");
  const int64_t n = p_scale_tril.size(-1);
  const std::vector<Tensor> both = broadcast_tensors({q_scale_tril, p_scale_tril});
  const Tensor factor = linalg::solve_triangular(both[0], both[1], false);
  const Tensor trace = factor.reshape({-1, n * n}).pow(2).sum(-1).reshape(factor.sizes().slice(0, factor.dim() - 2));
  const Tensor distance = _batch_mahalanobis(q_scale_tril, q_loc - p_loc);
  return (log_diagonal(q_scale_tril) - log_diagonal(p_scale_tril)) + 0.5 * (trace + distance - static_cast<double>(n));
}
Tensor _multivariate_normal_rsample(const Tensor& loc, const Tensor& scale_tril, IntArrayRef size,
                                    MaybeGenerator generator) {
  check_defined(loc, "_multivariate_normal_rsample", "loc");
  const AsDry as(loc);
  return loc + times_vector(scale_tril, room(loc, size).normal_(0, 1, std::move(generator)));
}

extern const OpEntry likelihood_ops[];
extern const size_t likelihood_ops_count;
#define OF_VALUE_LOC_SCALE "t(2, 3), t(3), p(2, 1)\nt(), t(), p()\nt(0, 3), t(3), p(3)"
#define OF_PROBABILITY "c([0.1, 0.5, 0.9]), t(3), p(2, 1)\nc([0.0, 1.0]), t(2), p(2)"
#define OF_PAIR "t(2, 3), p(3), t(3), p(2, 1)\nt(), p(), t(), p()"
#define DRAWN "t(3), p(3), [0, 3]"
const OpEntry likelihood_ops[] = {
    doc("The logarithm of the density of a normal distribution.",
        op<_normal_log_prob>("_normal_log_prob(Tensor value, Tensor loc, Tensor scale) -> Tensor", OF_VALUE_LOC_SCALE)),
    doc("The distribution function of a normal distribution.",
        op<_normal_cdf>("_normal_cdf(Tensor value, Tensor loc, Tensor scale) -> Tensor", OF_VALUE_LOC_SCALE)),
    doc("The quantiles of a normal distribution.",
        op<_normal_icdf>("_normal_icdf(Tensor value, Tensor loc, Tensor scale) -> Tensor", OF_PROBABILITY)),
    doc("The entropy of a normal distribution.",
        op<_normal_entropy>("_normal_entropy(Tensor scale) -> Tensor", "p(2, 3)\np()")),
    doc("The divergence of two normal distributions.",
        op<_normal_kl>("_normal_kl(Tensor p_loc, Tensor p_scale, Tensor q_loc, Tensor q_scale) -> Tensor", OF_PAIR)),
    doc("Numbers drawn from a normal distribution, with gradients.",
        op<_normal_rsample>(
            "_normal_rsample(Tensor loc, Tensor scale, int[] size, Generator? generator=None) -> Tensor", DRAWN)),
    doc("The logarithm of the density of a Laplace distribution.",
        op<_laplace_log_prob>("_laplace_log_prob(Tensor value, Tensor loc, Tensor scale) -> Tensor",
                              OF_VALUE_LOC_SCALE)),
    doc("The distribution function of a Laplace distribution.",
        op<_laplace_cdf>("_laplace_cdf(Tensor value, Tensor loc, Tensor scale) -> Tensor", OF_VALUE_LOC_SCALE)),
    doc("The quantiles of a Laplace distribution.",
        op<_laplace_icdf>("_laplace_icdf(Tensor value, Tensor loc, Tensor scale) -> Tensor", OF_PROBABILITY)),
    doc("The entropy of a Laplace distribution.",
        op<_laplace_entropy>("_laplace_entropy(Tensor scale) -> Tensor", "p(2, 3)\np()")),
    doc("The divergence of two Laplace distributions.",
        op<_laplace_kl>("_laplace_kl(Tensor p_loc, Tensor p_scale, Tensor q_loc, Tensor q_scale) -> Tensor", OF_PAIR)),
    doc("Numbers drawn from a Laplace distribution, with gradients.",
        op<_laplace_rsample>(
            "_laplace_rsample(Tensor loc, Tensor scale, int[] size, Generator? generator=None) -> Tensor", DRAWN)),
    doc("The logarithm of the density of a Cauchy distribution.",
        op<_cauchy_log_prob>("_cauchy_log_prob(Tensor value, Tensor loc, Tensor scale) -> Tensor", OF_VALUE_LOC_SCALE)),
    doc("The distribution function of a Cauchy distribution.",
        op<_cauchy_cdf>("_cauchy_cdf(Tensor value, Tensor loc, Tensor scale) -> Tensor", OF_VALUE_LOC_SCALE)),
    doc("The quantiles of a Cauchy distribution.",
        op<_cauchy_icdf>("_cauchy_icdf(Tensor value, Tensor loc, Tensor scale) -> Tensor",
                         "c([0.1, 0.5, 0.9]), t(3), p(2, 1)")),
    doc("The entropy of a Cauchy distribution.",
        op<_cauchy_entropy>("_cauchy_entropy(Tensor scale) -> Tensor", "p(2, 3)\np()")),
    doc("The divergence of two Cauchy distributions.",
        op<_cauchy_kl>("_cauchy_kl(Tensor p_loc, Tensor p_scale, Tensor q_loc, Tensor q_scale) -> Tensor", OF_PAIR)),
    doc("Numbers drawn from a Cauchy distribution, with gradients.",
        op<_cauchy_rsample>(
            "_cauchy_rsample(Tensor loc, Tensor scale, int[] size, Generator? generator=None) -> Tensor", DRAWN)),
    doc("The logarithm of the density of a Gumbel distribution.",
        op<_gumbel_log_prob>("_gumbel_log_prob(Tensor value, Tensor loc, Tensor scale) -> Tensor", OF_VALUE_LOC_SCALE)),
    doc("The entropy of a Gumbel distribution.",
        op<_gumbel_entropy>("_gumbel_entropy(Tensor scale) -> Tensor", "p(2, 3)\np()")),
    doc("Numbers drawn from a Gumbel distribution, with gradients.",
        op<_gumbel_rsample>(
            "_gumbel_rsample(Tensor loc, Tensor scale, int[] size, Generator? generator=None) -> Tensor", DRAWN)),
    doc("The logarithm of the density of a uniform distribution.",
        op<_uniform_log_prob>("_uniform_log_prob(Tensor value, Tensor low, Tensor high) -> Tensor",
                              "c([0.0, 0.5, 1.0, 2.0]), c([0.0]), c([1.0])\nt(2, 3), c([[-3.0], [-2.5]]), p(3)")),
    doc("The distribution function of a uniform distribution.",
        op<_uniform_cdf>("_uniform_cdf(Tensor value, Tensor low, Tensor high) -> Tensor",
                         "c([-1.0, 0.5, 1.0, 2.0]), c([0.0]), c([1.0])\nc([[0.5], [1.5]]), c([0.0, -1.0]), c([2.0])")),
    doc("The quantiles of a uniform distribution.",
        op<_uniform_icdf>("_uniform_icdf(Tensor value, Tensor low, Tensor high) -> Tensor",
                          "c([0.1, 0.5, 0.9]), t(3), p(2, 1)")),
    doc("The entropy of a uniform distribution.",
        op<_uniform_entropy>("_uniform_entropy(Tensor low, Tensor high) -> Tensor",
                             "c([0.0, -1.0]), c([1.0, 3.0])\nu(3), c([[2.0], [3.0]])")),
    doc("The divergence of two uniform distributions.",
        op<_uniform_kl>("_uniform_kl(Tensor p_low, Tensor p_high, Tensor q_low, Tensor q_high) -> Tensor",
                        "c([0.0, 0.0]), c([1.0, 1.0]), c([-1.0, 0.5]), c([2.0, 2.0])")),
    doc("Numbers drawn from a uniform distribution, with gradients.",
        op<_uniform_rsample>(
            "_uniform_rsample(Tensor low, Tensor high, int[] size, Generator? generator=None) -> Tensor", DRAWN)),
    doc("The logarithm of the density of an exponential distribution.",
        op<_exponential_log_prob>("_exponential_log_prob(Tensor value, Tensor rate) -> Tensor",
                                  "p(2, 3), p(3)\np(), p()\np(0, 3), p(3)")),
    doc("The distribution function of an exponential distribution.",
        op<_exponential_cdf>("_exponential_cdf(Tensor value, Tensor rate) -> Tensor", "p(2, 3), p(3)\np(), p()")),
    doc("The quantiles of an exponential distribution.",
        op<_exponential_icdf>("_exponential_icdf(Tensor value, Tensor rate) -> Tensor", "u(2, 3), p(3)\nu(), p()")),
    doc("The entropy of an exponential distribution.",
        op<_exponential_entropy>("_exponential_entropy(Tensor rate) -> Tensor", "p(2, 3)\np()")),
    doc("The divergence of two exponential distributions.",
        op<_exponential_kl>("_exponential_kl(Tensor p_rate, Tensor q_rate) -> Tensor", "p(2, 3), p(3)\np(), p()")),
    doc("Numbers drawn from an exponential distribution, with gradients.",
        op<_exponential_rsample>("_exponential_rsample(Tensor rate, int[] size, Generator? generator=None) -> Tensor",
                                 "p(3), [0, 3]")),
    doc("The logarithm of the density of a gamma distribution.",
        op<_gamma_log_prob>("_gamma_log_prob(Tensor value, Tensor concentration, Tensor rate) -> Tensor",
                            "p(2, 3), p(3), p(2, 1)\np(), p(), p()\np(0, 3), p(3), p(3)")),
    doc("The entropy of a gamma distribution.",
        op<_gamma_entropy>("_gamma_entropy(Tensor concentration, Tensor rate) -> Tensor", "p(2, 3), p(3)\np(), p()")),
    doc("The divergence of two gamma distributions.",
        op<_gamma_kl>(
            "_gamma_kl(Tensor p_concentration, Tensor p_rate, Tensor q_concentration, Tensor q_rate) -> Tensor",
            "p(2, 3), p(3), p(3), p(2, 1)\np(), p(), p(), p()")),
    doc("Numbers drawn from a gamma distribution, with gradients.",
        op<_gamma_rsample>(
            "_gamma_rsample(Tensor concentration, Tensor rate, int[] size, Generator? generator=None) -> Tensor",
            "p(3), p(3), [0, 3]")),
    doc("The divergence of two beta distributions.",
        op<_beta_kl>("_beta_kl(Tensor p_one, Tensor p_zero, Tensor q_one, Tensor q_zero) -> Tensor",
                     "p(2, 3), p(3), p(3), p(2, 1)\np(), p(), p(), p()")),
    doc("The logarithm of the density of a Dirichlet distribution.",
        op<_dirichlet_log_prob>("_dirichlet_log_prob(Tensor value, Tensor concentration) -> Tensor",
                                "p(2, 3), p(3)\nc([0.2, 0.0, 0.8]), c([1.0, 1.0, 3.0])")),
    doc("The entropy of a Dirichlet distribution.",
        op<_dirichlet_entropy>("_dirichlet_entropy(Tensor concentration) -> Tensor", "p(2, 3)\np(4)")),
    doc("The divergence of two Dirichlet distributions.",
        op<_dirichlet_kl>("_dirichlet_kl(Tensor p, Tensor q) -> Tensor", "p(2, 3), p(3)\np(3), p(3)")),
    doc("The logarithm of the density of Student's distribution.",
        op<_student_t_log_prob>("_student_t_log_prob(Tensor value, Tensor df, Tensor loc, Tensor scale) -> Tensor",
                                "t(2, 3), p(3), t(3), p(2, 1)\nt(), p(), t(), p()")),
    doc("The entropy of Student's distribution.",
        op<_student_t_entropy>("_student_t_entropy(Tensor df, Tensor scale) -> Tensor", "p(2, 3), p(3)\np(), p()")),
    doc("Numbers drawn from Student's distribution, with gradients.",
        op<_student_t_rsample>(
            "_student_t_rsample(Tensor df, Tensor loc, Tensor scale, int[] size, Generator? generator=None) -> Tensor",
            "p(3), t(3), p(3), [0, 3]")),
    doc("The logarithm of the probability of a count by a Poisson distribution.",
        op<_poisson_log_prob>("_poisson_log_prob(Tensor value, Tensor rate) -> Tensor",
                              "c([0.0, 3.0, 7.0]), p(2, 3)\nc([0.0, 2.0]), c([0.0, 0.0])\np(2), p(2)")),
    doc("The divergence of two Poisson distributions.",
        op<_poisson_kl>("_poisson_kl(Tensor p, Tensor q) -> Tensor", "p(2, 3), p(3)\np(), p()")),
    doc("The logarithm of the probability of 0 or 1.",
        op<_bernoulli_log_prob>("_bernoulli_log_prob(Tensor value, Tensor logits) -> Tensor",
                                "c([[0.0, 1.0], [1.0, 1.0]]), t(2)\nc(1.0), t(3)\nu(2, 3), t(3)")),
    doc("The entropy of a Bernoulli distribution.",
        op<_bernoulli_entropy>("_bernoulli_entropy(Tensor probs, Tensor logits) -> Tensor",
                               "c([0.25, 0.5]), c([-1.0986123, 0.0])")),
    doc("The divergence of two Bernoulli distributions.",
        op<_bernoulli_kl>("_bernoulli_kl(Tensor p_probs, Tensor p_logits, Tensor q_probs, Tensor q_logits) -> Tensor",
                          "c([0.25, 0.0, 1.0, 0.5]), c([-1.0986123, -15.9, 15.9, 0.0]), c([0.5, 0.5, 0.5, 0.0]), "
                          "c([0.0, 0.0, 0.0, -15.9])\np(3), t(3), p(3), t(3)")),
    doc("The logarithm of the probability of a count of successes.",
        op<_binomial_log_prob>("_binomial_log_prob(Tensor value, Tensor total_count, Tensor logits) -> Tensor",
                               "c([0.0, 1.0, 3.0]), c([3.0]), t(2, 3)\nc([2.0]), c([5.0]), c([0.0])")),
    doc("The logarithm of the probability of a count of successes before failures.",
        op<_negative_binomial_log_prob>(
            "_negative_binomial_log_prob(Tensor value, Tensor total_count, Tensor logits) -> Tensor",
            "c([0.0, 1.0, 3.0]), c([3.0]), t(2, 3)\nc([0.0]), c([0.0]), t(1)")),
    doc("The logarithm of the probability of a count of failures before a success.",
        op<_geometric_log_prob>("_geometric_log_prob(Tensor value, Tensor probs) -> Tensor",
                                "c([0.0, 1.0, 3.0]), c([[0.25], [0.5]])\nc([0.0]), c([1.0])")),
    doc("The logarithm of the probability of a category.",
        op<_categorical_log_prob>("_categorical_log_prob(Tensor value, Tensor logits) -> Tensor",
                                  "i(0, 4, 2), t(2, 4)\ni(0, 4, 3, 1), t(2, 4)\ni(0, 4), t(4)\nc([1.0, 2.0]), t(4)")),
    doc("The entropy of a categorical distribution.",
        op<_categorical_entropy>("_categorical_entropy(Tensor probs, Tensor logits) -> Tensor", "p(2, 3), t(2, 3)")),
    doc("The divergence of two categorical distributions.",
        op<_categorical_kl>(
            "_categorical_kl(Tensor p_probs, Tensor p_logits, Tensor q_probs, Tensor q_logits) -> Tensor",
            "c([[0.25, 0.75], [0.0, 1.0]]), c([[-1.38, -0.28], [-15.9, 0.0]]), c([0.5, 0.5]), c([-0.69, -0.69])\n"
            "c([0.5, 0.5]), c([-0.69, -0.69]), c([0.0, 1.0]), c([-15.9, 0.0])\np(2, 3), t(2, 3), p(3), t(3)")),
    doc("Categories drawn with these probabilities.",
        op<_categorical_sample>("_categorical_sample(Tensor probs, int[] sample_shape, Generator? generator=None) -> "
                                "Tensor",
                                "c([[0.0, 1.0], [1.0, 0.0]]), [3]\nc([0.0, 1.0, 0.0]), []\nc([1.0, 0.0]), [2, 2]")),
    doc("The squared lengths of L^-1 x: one matrix may serve many vectors.",
        op<_batch_mahalanobis>(
            "_batch_mahalanobis(Tensor tril, Tensor vectors) -> Tensor",
            "s(3, 3), t(3)\ns(2, 3, 3), t(4, 2, 3)\ns(2, 1, 3, 3), t(2, 4, 3)\ns(3, 3), t(2, 5, 3)")),
    doc("The Cholesky factor of the inverse of positive-definite matrices.",
        op<_precision_to_scale_tril>("_precision_to_scale_tril(Tensor precision) -> Tensor", "s(3, 3)\ns(2, 2, 2)")),
    doc("The logarithm of the density of several normal numbers at once.",
        op<_multivariate_normal_log_prob>(
            "_multivariate_normal_log_prob(Tensor value, Tensor loc, Tensor scale_tril) -> Tensor",
            "t(3), t(3), s(3, 3)\nt(4, 2, 3), t(3), s(2, 3, 3)")),
    doc("The entropy of several normal numbers at once.",
        op<_multivariate_normal_entropy>("_multivariate_normal_entropy(Tensor scale_tril) -> Tensor",
                                         "s(3, 3)\ns(2, 2, 2)")),
    doc("The divergence of two distributions of several normal numbers at once.",
        op<_multivariate_normal_kl>(
            "_multivariate_normal_kl(Tensor p_loc, Tensor p_scale_tril, Tensor q_loc, Tensor q_scale_tril) -> Tensor",
            "t(3), s(3, 3), t(3), s(3, 3)\nt(2, 3), s(2, 3, 3), t(3), s(3, 3)")),
    doc("Several normal numbers drawn at once, with gradients.",
        op<_multivariate_normal_rsample>("_multivariate_normal_rsample(Tensor loc, Tensor scale_tril, int[] size, "
                                         "Generator? generator=None) -> Tensor",
                                         "t(3), s(3, 3), [0, 3]")),
};
const size_t likelihood_ops_count = std::size(likelihood_ops);

}  // namespace taut
