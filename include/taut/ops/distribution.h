// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// The logarithm of the density of a normal distribution.
Tensor _normal_log_prob(const Tensor& value, const Tensor& loc, const Tensor& scale);
/// The distribution function of a normal distribution.
Tensor _normal_cdf(const Tensor& value, const Tensor& loc, const Tensor& scale);
/// The quantiles of a normal distribution.
Tensor _normal_icdf(const Tensor& value, const Tensor& loc, const Tensor& scale);
/// The entropy of a normal distribution.
Tensor _normal_entropy(const Tensor& scale);
/// The divergence of two normal distributions.
Tensor _normal_kl(const Tensor& p_loc, const Tensor& p_scale, const Tensor& q_loc, const Tensor& q_scale);
/// Numbers drawn from a normal distribution, with gradients.
Tensor _normal_rsample(const Tensor& loc, const Tensor& scale, IntArrayRef size,
                       std::optional<Generator> generator = std::nullopt);
/// The logarithm of the density of a Laplace distribution.
Tensor _laplace_log_prob(const Tensor& value, const Tensor& loc, const Tensor& scale);
/// The distribution function of a Laplace distribution.
Tensor _laplace_cdf(const Tensor& value, const Tensor& loc, const Tensor& scale);
/// The quantiles of a Laplace distribution.
Tensor _laplace_icdf(const Tensor& value, const Tensor& loc, const Tensor& scale);
/// The entropy of a Laplace distribution.
Tensor _laplace_entropy(const Tensor& scale);
/// The divergence of two Laplace distributions.
Tensor _laplace_kl(const Tensor& p_loc, const Tensor& p_scale, const Tensor& q_loc, const Tensor& q_scale);
/// Numbers drawn from a Laplace distribution, with gradients.
Tensor _laplace_rsample(const Tensor& loc, const Tensor& scale, IntArrayRef size,
                        std::optional<Generator> generator = std::nullopt);
/// The logarithm of the density of a Cauchy distribution.
Tensor _cauchy_log_prob(const Tensor& value, const Tensor& loc, const Tensor& scale);
/// The distribution function of a Cauchy distribution.
Tensor _cauchy_cdf(const Tensor& value, const Tensor& loc, const Tensor& scale);
/// The quantiles of a Cauchy distribution.
Tensor _cauchy_icdf(const Tensor& value, const Tensor& loc, const Tensor& scale);
/// The entropy of a Cauchy distribution.
Tensor _cauchy_entropy(const Tensor& scale);
/// The divergence of two Cauchy distributions.
Tensor _cauchy_kl(const Tensor& p_loc, const Tensor& p_scale, const Tensor& q_loc, const Tensor& q_scale);
/// Numbers drawn from a Cauchy distribution, with gradients.
Tensor _cauchy_rsample(const Tensor& loc, const Tensor& scale, IntArrayRef size,
                       std::optional<Generator> generator = std::nullopt);
/// The logarithm of the density of a Gumbel distribution.
Tensor _gumbel_log_prob(const Tensor& value, const Tensor& loc, const Tensor& scale);
/// The entropy of a Gumbel distribution.
Tensor _gumbel_entropy(const Tensor& scale);
/// Numbers drawn from a Gumbel distribution, with gradients.
Tensor _gumbel_rsample(const Tensor& loc, const Tensor& scale, IntArrayRef size,
                       std::optional<Generator> generator = std::nullopt);
/// The logarithm of the density of a uniform distribution.
Tensor _uniform_log_prob(const Tensor& value, const Tensor& low, const Tensor& high);
/// The distribution function of a uniform distribution.
Tensor _uniform_cdf(const Tensor& value, const Tensor& low, const Tensor& high);
/// The quantiles of a uniform distribution.
Tensor _uniform_icdf(const Tensor& value, const Tensor& low, const Tensor& high);
/// The entropy of a uniform distribution.
Tensor _uniform_entropy(const Tensor& low, const Tensor& high);
/// The divergence of two uniform distributions.
Tensor _uniform_kl(const Tensor& p_low, const Tensor& p_high, const Tensor& q_low, const Tensor& q_high);
/// Numbers drawn from a uniform distribution, with gradients.
Tensor _uniform_rsample(const Tensor& low, const Tensor& high, IntArrayRef size,
                        std::optional<Generator> generator = std::nullopt);
/// The logarithm of the density of an exponential distribution.
Tensor _exponential_log_prob(const Tensor& value, const Tensor& rate);
/// The distribution function of an exponential distribution.
Tensor _exponential_cdf(const Tensor& value, const Tensor& rate);
/// The quantiles of an exponential distribution.
Tensor _exponential_icdf(const Tensor& value, const Tensor& rate);
/// The entropy of an exponential distribution.
Tensor _exponential_entropy(const Tensor& rate);
/// The divergence of two exponential distributions.
Tensor _exponential_kl(const Tensor& p_rate, const Tensor& q_rate);
/// Numbers drawn from an exponential distribution, with gradients.
Tensor _exponential_rsample(const Tensor& rate, IntArrayRef size, std::optional<Generator> generator = std::nullopt);
/// The logarithm of the density of a gamma distribution.
Tensor _gamma_log_prob(const Tensor& value, const Tensor& concentration, const Tensor& rate);
/// The entropy of a gamma distribution.
Tensor _gamma_entropy(const Tensor& concentration, const Tensor& rate);
/// The divergence of two gamma distributions.
Tensor _gamma_kl(const Tensor& p_concentration, const Tensor& p_rate, const Tensor& q_concentration,
                 const Tensor& q_rate);
/// Numbers drawn from a gamma distribution, with gradients.
Tensor _gamma_rsample(const Tensor& concentration, const Tensor& rate, IntArrayRef size,
                      std::optional<Generator> generator = std::nullopt);
/// The divergence of two beta distributions.
Tensor _beta_kl(const Tensor& p_one, const Tensor& p_zero, const Tensor& q_one, const Tensor& q_zero);
/// The logarithm of the density of a Dirichlet distribution.
Tensor _dirichlet_log_prob(const Tensor& value, const Tensor& concentration);
/// The entropy of a Dirichlet distribution.
Tensor _dirichlet_entropy(const Tensor& concentration);
/// The divergence of two Dirichlet distributions.
Tensor _dirichlet_kl(const Tensor& p, const Tensor& q);
/// The logarithm of the density of Student's distribution.
Tensor _student_t_log_prob(const Tensor& value, const Tensor& df, const Tensor& loc, const Tensor& scale);
/// The entropy of Student's distribution.
Tensor _student_t_entropy(const Tensor& df, const Tensor& scale);
/// Numbers drawn from Student's distribution, with gradients.
Tensor _student_t_rsample(const Tensor& df, const Tensor& loc, const Tensor& scale, IntArrayRef size,
                          std::optional<Generator> generator = std::nullopt);
/// The logarithm of the probability of a count by a Poisson distribution.
Tensor _poisson_log_prob(const Tensor& value, const Tensor& rate);
/// The divergence of two Poisson distributions.
Tensor _poisson_kl(const Tensor& p, const Tensor& q);
/// The logarithm of the probability of 0 or 1.
Tensor _bernoulli_log_prob(const Tensor& value, const Tensor& logits);
/// The entropy of a Bernoulli distribution.
Tensor _bernoulli_entropy(const Tensor& probs, const Tensor& logits);
/// The divergence of two Bernoulli distributions.
Tensor _bernoulli_kl(const Tensor& p_probs, const Tensor& p_logits, const Tensor& q_probs, const Tensor& q_logits);
/// The logarithm of the probability of a count of successes.
Tensor _binomial_log_prob(const Tensor& value, const Tensor& total_count, const Tensor& logits);
/// The logarithm of the probability of a count of successes before failures.
Tensor _negative_binomial_log_prob(const Tensor& value, const Tensor& total_count, const Tensor& logits);
/// The logarithm of the probability of a count of failures before a success.
Tensor _geometric_log_prob(const Tensor& value, const Tensor& probs);
/// The logarithm of the probability of a category.
Tensor _categorical_log_prob(const Tensor& value, const Tensor& logits);
/// The entropy of a categorical distribution.
Tensor _categorical_entropy(const Tensor& probs, const Tensor& logits);
/// The divergence of two categorical distributions.
Tensor _categorical_kl(const Tensor& p_probs, const Tensor& p_logits, const Tensor& q_probs, const Tensor& q_logits);
/// Categories drawn with these probabilities.
Tensor _categorical_sample(const Tensor& probs, IntArrayRef sample_shape,
                           std::optional<Generator> generator = std::nullopt);
/// The squared lengths of L^-1 x: one matrix may serve many vectors.
Tensor _batch_mahalanobis(const Tensor& tril, const Tensor& vectors);
/// The Cholesky factor of the inverse of positive-definite matrices.
Tensor _precision_to_scale_tril(const Tensor& precision);
/// The logarithm of the density of several normal numbers at once.
Tensor _multivariate_normal_log_prob(const Tensor& value, const Tensor& loc, const Tensor& scale_tril);
/// The entropy of several normal numbers at once.
Tensor _multivariate_normal_entropy(const Tensor& scale_tril);
/// The divergence of two distributions of several normal numbers at once.
Tensor _multivariate_normal_kl(const Tensor& p_loc, const Tensor& p_scale_tril, const Tensor& q_loc,
                               const Tensor& q_scale_tril);
/// Several normal numbers drawn at once, with gradients.
Tensor _multivariate_normal_rsample(const Tensor& loc, const Tensor& scale_tril, IntArrayRef size,
                                    std::optional<Generator> generator = std::nullopt);
/// Numbers drawn from gamma distributions of these shapes and rate 1.
Tensor _standard_gamma(const Tensor& self, std::optional<Generator> generator = std::nullopt);
/// How drawn numbers move with the shapes of their gamma distributions.
Tensor _standard_gamma_grad(const Tensor& self, const Tensor& output);
/// Numbers drawn from Dirichlet distributions of these concentrations.
Tensor _sample_dirichlet(const Tensor& self, std::optional<Generator> generator = std::nullopt);
/// How numbers drawn from beta distributions move with the first parameter, divided by 1 - x.
Tensor _dirichlet_grad(const Tensor& x, const Tensor& alpha, const Tensor& total);

}  // namespace taut
