// Written by tools/op_headers.py.
#pragma once
#include "taut/ops/types.h"

namespace taut {

Tensor _normal_log_prob(const Tensor& value, const Tensor& loc, const Tensor& scale);
Tensor _normal_cdf(const Tensor& value, const Tensor& loc, const Tensor& scale);
Tensor _normal_icdf(const Tensor& value, const Tensor& loc, const Tensor& scale);
Tensor _normal_entropy(const Tensor& scale);
Tensor _normal_kl(const Tensor& p_loc, const Tensor& p_scale, const Tensor& q_loc, const Tensor& q_scale);
Tensor _normal_rsample(const Tensor& loc, const Tensor& scale, IntArrayRef size, std::optional<Generator> generator = std::nullopt);
Tensor _laplace_log_prob(const Tensor& value, const Tensor& loc, const Tensor& scale);
Tensor _laplace_cdf(const Tensor& value, const Tensor& loc, const Tensor& scale);
Tensor _laplace_icdf(const Tensor& value, const Tensor& loc, const Tensor& scale);
Tensor _laplace_entropy(const Tensor& scale);
Tensor _laplace_kl(const Tensor& p_loc, const Tensor& p_scale, const Tensor& q_loc, const Tensor& q_scale);
Tensor _laplace_rsample(const Tensor& loc, const Tensor& scale, IntArrayRef size, std::optional<Generator> generator = std::nullopt);
Tensor _cauchy_log_prob(const Tensor& value, const Tensor& loc, const Tensor& scale);
Tensor _cauchy_cdf(const Tensor& value, const Tensor& loc, const Tensor& scale);
Tensor _cauchy_icdf(const Tensor& value, const Tensor& loc, const Tensor& scale);
Tensor _cauchy_entropy(const Tensor& scale);
Tensor _cauchy_kl(const Tensor& p_loc, const Tensor& p_scale, const Tensor& q_loc, const Tensor& q_scale);
Tensor _cauchy_rsample(const Tensor& loc, const Tensor& scale, IntArrayRef size, std::optional<Generator> generator = std::nullopt);
Tensor _gumbel_log_prob(const Tensor& value, const Tensor& loc, const Tensor& scale);
Tensor _gumbel_entropy(const Tensor& scale);
Tensor _gumbel_rsample(const Tensor& loc, const Tensor& scale, IntArrayRef size, std::optional<Generator> generator = std::nullopt);
Tensor _uniform_log_prob(const Tensor& value, const Tensor& low, const Tensor& high);
Tensor _uniform_cdf(const Tensor& value, const Tensor& low, const Tensor& high);
Tensor _uniform_icdf(const Tensor& value, const Tensor& low, const Tensor& high);
Tensor _uniform_entropy(const Tensor& low, const Tensor& high);
Tensor _uniform_kl(const Tensor& p_low, const Tensor& p_high, const Tensor& q_low, const Tensor& q_high);
Tensor _uniform_rsample(const Tensor& low, const Tensor& high, IntArrayRef size, std::optional<Generator> generator = std::nullopt);
Tensor _exponential_log_prob(const Tensor& value, const Tensor& rate);
Tensor _exponential_cdf(const Tensor& value, const Tensor& rate);
Tensor _exponential_icdf(const Tensor& value, const Tensor& rate);
Tensor _exponential_entropy(const Tensor& rate);
Tensor _exponential_kl(const Tensor& p_rate, const Tensor& q_rate);
Tensor _exponential_rsample(const Tensor& rate, IntArrayRef size, std::optional<Generator> generator = std::nullopt);
Tensor _gamma_log_prob(const Tensor& value, const Tensor& concentration, const Tensor& rate);
Tensor _gamma_entropy(const Tensor& concentration, const Tensor& rate);
Tensor _gamma_kl(const Tensor& p_concentration, const Tensor& p_rate, const Tensor& q_concentration, const Tensor& q_rate);
Tensor _gamma_rsample(const Tensor& concentration, const Tensor& rate, IntArrayRef size, std::optional<Generator> generator = std::nullopt);
Tensor _beta_kl(const Tensor& p_one, const Tensor& p_zero, const Tensor& q_one, const Tensor& q_zero);
Tensor _dirichlet_log_prob(const Tensor& value, const Tensor& concentration);
Tensor _dirichlet_entropy(const Tensor& concentration);
Tensor _dirichlet_kl(const Tensor& p, const Tensor& q);
Tensor _student_t_log_prob(const Tensor& value, const Tensor& df, const Tensor& loc, const Tensor& scale);
Tensor _student_t_entropy(const Tensor& df, const Tensor& scale);
Tensor _student_t_rsample(const Tensor& df, const Tensor& loc, const Tensor& scale, IntArrayRef size, std::optional<Generator> generator = std::nullopt);
Tensor _poisson_log_prob(const Tensor& value, const Tensor& rate);
Tensor _poisson_kl(const Tensor& p, const Tensor& q);
Tensor _bernoulli_log_prob(const Tensor& value, const Tensor& logits);
Tensor _bernoulli_entropy(const Tensor& probs, const Tensor& logits);
Tensor _bernoulli_kl(const Tensor& p_probs, const Tensor& p_logits, const Tensor& q_probs, const Tensor& q_logits);
Tensor _binomial_log_prob(const Tensor& value, const Tensor& total_count, const Tensor& logits);
Tensor _negative_binomial_log_prob(const Tensor& value, const Tensor& total_count, const Tensor& logits);
Tensor _geometric_log_prob(const Tensor& value, const Tensor& probs);
Tensor _categorical_log_prob(const Tensor& value, const Tensor& logits);
Tensor _categorical_entropy(const Tensor& probs, const Tensor& logits);
Tensor _categorical_kl(const Tensor& p_probs, const Tensor& p_logits, const Tensor& q_probs, const Tensor& q_logits);
Tensor _categorical_sample(const Tensor& probs, IntArrayRef sample_shape, std::optional<Generator> generator = std::nullopt);
Tensor _batch_mahalanobis(const Tensor& tril, const Tensor& vectors);
Tensor _precision_to_scale_tril(const Tensor& precision);
Tensor _multivariate_normal_log_prob(const Tensor& value, const Tensor& loc, const Tensor& scale_tril);
Tensor _multivariate_normal_entropy(const Tensor& scale_tril);
Tensor _multivariate_normal_kl(const Tensor& p_loc, const Tensor& p_scale_tril, const Tensor& q_loc, const Tensor& q_scale_tril);
Tensor _multivariate_normal_rsample(const Tensor& loc, const Tensor& scale_tril, IntArrayRef size, std::optional<Generator> generator = std::nullopt);
Tensor _standard_gamma(const Tensor& self, std::optional<Generator> generator = std::nullopt);
Tensor _standard_gamma_grad(const Tensor& self, const Tensor& output);
Tensor _sample_dirichlet(const Tensor& self, std::optional<Generator> generator = std::nullopt);
Tensor _dirichlet_grad(const Tensor& x, const Tensor& alpha, const Tensor& total);

}  // namespace taut
