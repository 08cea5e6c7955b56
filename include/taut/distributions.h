// Distributions to draw from and to compute likelihoods with, as torch.distributions has them: the same names,
// arguments, formulas and, for a seed, the same numbers.
//   taut::distributions::Normal policy(mean, std);
//   auto action = policy.sample();
//   auto loss = -(policy.log_prob(action) * advantage).mean();
#pragma once
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "taut/core/dims.h"
#include "taut/tensor.h"

namespace taut::distributions {

/// What a distribution is made from: a tensor, or a number, which takes the dtype of the others.
class Parameter {
 public:
  Parameter(const Tensor& t) : tensor(t) {}
  Parameter(double x) : number(x) {}
  Parameter(float x) : number(x) {}
  Parameter(int x) : number(x) {}
  Parameter(int64_t x) : number(static_cast<double>(x)) {}
  Tensor tensor;  // undefined for a number
  double number = 0;
};

/// A distribution of events of event_shape(), one for each place of batch_shape(). Methods that a distribution lacks
/// throw NotImplementedError.
class Distribution {
 public:
  virtual ~Distribution();
  const Dims& batch_shape() const { return batch_shape_; }
  const Dims& event_shape() const { return event_shape_; }
  /// "Normal", and "Normal(loc: 0.0, scale: 1.0)".
  virtual const char* name() const = 0;
  virtual std::string repr() const;
  virtual bool has_rsample() const { return false; }

  /// Numbers drawn from it, of the shape sample_shape + batch_shape + event_shape.
  virtual Tensor sample(IntArrayRef sample_shape = {}) const;
  /// The same with gradients to the parameters.
  virtual Tensor rsample(IntArrayRef sample_shape = {}) const;
  /// The logarithm of the density, or of the probability, at `value`.
  virtual Tensor log_prob(const Tensor& value) const = 0;
  virtual Tensor cdf(const Tensor& value) const;
  virtual Tensor icdf(const Tensor& value) const;
  virtual Tensor entropy() const;
  virtual Tensor mean() const;
  virtual Tensor mode() const;
  virtual Tensor variance() const;
  virtual Tensor stddev() const;
  Tensor perplexity() const;
  /// All values of a discrete distribution along a new first dimension.
  virtual Tensor enumerate_support(bool expand = true) const;
  /// kl_divergence(*this, q), if q is of the same class.
  virtual Tensor kl(const Distribution& q) const;

 protected:
  using Named = std::vector<std::pair<const char*, Tensor>>;
  virtual Named parameters() const { return {}; }
  void set_shapes(IntArrayRef batch_shape, IntArrayRef event_shape = {});
  Dims extended(IntArrayRef sample_shape) const;
  /// Throws unless all of `valid` hold.
  void check_parameter(const char* parameter, const Tensor& value, const Tensor& valid, const char* constraint) const;
  void check_value(const Tensor& value, const Tensor& valid, const std::string& support) const;
  void check_shape(const Tensor& value) const;
  [[noreturn]] void lacks(const char* method) const;
  bool validate_ = true;

 private:
  Dims batch_shape_, event_shape_;
};
std::ostream& operator<<(std::ostream& out, const Distribution& d);

/// The mean of log p - log q under p, for two distributions of one class.
Tensor kl_divergence(const Distribution& p, const Distribution& q);

/// The members that most distributions define.
#define TAUT_DISTRIBUTION(Name)                        \
  const char* name() const override;                   \
  Tensor log_prob(const Tensor& value) const override; \
  Tensor mean() const override;                        \
  Tensor variance() const override;                    \
  Named parameters() const override;                   \
  /** The same with this batch shape. */               \
  Name expand(IntArrayRef batch_shape) const;

/// With gradients through what is drawn.
#define TAUT_REPARAMETRIZED                          \
  bool has_rsample() const override { return true; } \
  Tensor rsample(IntArrayRef sample_shape = {}) const override;

class Normal : public Distribution {
 public:
  explicit Normal(const Parameter& loc, const Parameter& scale, bool validate_args = true);
  TAUT_DISTRIBUTION(Normal)
  TAUT_REPARAMETRIZED
  Tensor sample(IntArrayRef sample_shape = {}) const override;
  Tensor cdf(const Tensor& value) const override;
  Tensor icdf(const Tensor& value) const override;
  Tensor entropy() const override;
  Tensor mode() const override { return loc; }
  Tensor stddev() const override { return scale; }
  Tensor kl(const Distribution& q) const override;
  Tensor loc, scale;
};

class Laplace : public Distribution {
 public:
  explicit Laplace(const Parameter& loc, const Parameter& scale, bool validate_args = true);
  TAUT_DISTRIBUTION(Laplace)
  TAUT_REPARAMETRIZED
  Tensor cdf(const Tensor& value) const override;
  Tensor icdf(const Tensor& value) const override;
  Tensor entropy() const override;
  Tensor mode() const override { return loc; }
  Tensor kl(const Distribution& q) const override;
  Tensor loc, scale;
};

class Cauchy : public Distribution {
 public:
  explicit Cauchy(const Parameter& loc, const Parameter& scale, bool validate_args = true);
  TAUT_DISTRIBUTION(Cauchy)
  TAUT_REPARAMETRIZED
  Tensor cdf(const Tensor& value) const override;
  Tensor icdf(const Tensor& value) const override;
  Tensor entropy() const override;
  Tensor mode() const override { return loc; }
  Tensor kl(const Distribution& q) const override;
  Tensor loc, scale;
};

class Gumbel : public Distribution {
 public:
  explicit Gumbel(const Parameter& loc, const Parameter& scale, bool validate_args = true);
  TAUT_DISTRIBUTION(Gumbel)
  TAUT_REPARAMETRIZED
  Tensor entropy() const override;
  Tensor mode() const override { return loc; }
  Tensor loc, scale;
};

/// Exponentials of normal numbers.
class LogNormal : public Distribution {
 public:
  explicit LogNormal(const Parameter& loc, const Parameter& scale, bool validate_args = true);
  TAUT_DISTRIBUTION(LogNormal)
  TAUT_REPARAMETRIZED
  Tensor sample(IntArrayRef sample_shape = {}) const override;
  Tensor cdf(const Tensor& value) const override;
  Tensor icdf(const Tensor& value) const override;
  Tensor entropy() const override;
  Tensor mode() const override;
  Tensor kl(const Distribution& q) const override;
  Tensor loc, scale;
};

/// Absolute values of normal numbers around 0.
class HalfNormal : public Distribution {
 public:
  explicit HalfNormal(const Parameter& scale, bool validate_args = true);
  TAUT_DISTRIBUTION(HalfNormal)
  TAUT_REPARAMETRIZED
  Tensor sample(IntArrayRef sample_shape = {}) const override;
  Tensor cdf(const Tensor& value) const override;
  Tensor icdf(const Tensor& value) const override;
  Tensor entropy() const override;
  Tensor mode() const override;
  Tensor kl(const Distribution& q) const override;
  Tensor scale;
};

/// From low to below high.
class Uniform : public Distribution {
 public:
  explicit Uniform(const Parameter& low, const Parameter& high, bool validate_args = true);
  TAUT_DISTRIBUTION(Uniform)
  TAUT_REPARAMETRIZED
  Tensor cdf(const Tensor& value) const override;
  Tensor icdf(const Tensor& value) const override;
  Tensor entropy() const override;
  Tensor kl(const Distribution& q) const override;
  Tensor low, high;
};

class Exponential : public Distribution {
 public:
  explicit Exponential(const Parameter& rate, bool validate_args = true);
  TAUT_DISTRIBUTION(Exponential)
  TAUT_REPARAMETRIZED
  Tensor cdf(const Tensor& value) const override;
  Tensor icdf(const Tensor& value) const override;
  Tensor entropy() const override;
  Tensor mode() const override;
  Tensor kl(const Distribution& q) const override;
  Tensor rate;
};

class Gamma : public Distribution {
 public:
  explicit Gamma(const Parameter& concentration, const Parameter& rate, bool validate_args = true);
  TAUT_DISTRIBUTION(Gamma)
  TAUT_REPARAMETRIZED
  Tensor cdf(const Tensor& value) const override;
  Tensor entropy() const override;
  Tensor mode() const override;
  Tensor kl(const Distribution& q) const override;
  Tensor concentration, rate;
};

/// The sum of df squares of normal numbers.
class Chi2 : public Gamma {
 public:
  explicit Chi2(const Parameter& df, bool validate_args = true);
  const char* name() const override;
  Named parameters() const override;
  Chi2 expand(IntArrayRef batch_shape) const;
  Tensor df() const;
};

class Dirichlet : public Distribution {
 public:
  explicit Dirichlet(const Tensor& concentration, bool validate_args = true);
  TAUT_DISTRIBUTION(Dirichlet)
  TAUT_REPARAMETRIZED
  Tensor entropy() const override;
  Tensor mode() const override;
  Tensor kl(const Distribution& q) const override;
  Tensor concentration;
};

class Beta : public Distribution {
 public:
  explicit Beta(const Parameter& concentration1, const Parameter& concentration0, bool validate_args = true);
  TAUT_DISTRIBUTION(Beta)
  TAUT_REPARAMETRIZED
  Tensor entropy() const override;
  Tensor mode() const override;
  Tensor kl(const Distribution& q) const override;
  Tensor concentration1, concentration0;

 private:
  Tensor both() const;
};

class StudentT : public Distribution {
 public:
  explicit StudentT(const Parameter& df, const Parameter& loc = 0.0, const Parameter& scale = 1.0,
                    bool validate_args = true);
  TAUT_DISTRIBUTION(StudentT)
  TAUT_REPARAMETRIZED
  Tensor entropy() const override;
  Tensor mode() const override { return loc; }
  Tensor df, loc, scale;
};

class Poisson : public Distribution {
 public:
  explicit Poisson(const Parameter& rate, bool validate_args = true);
  TAUT_DISTRIBUTION(Poisson)
  Tensor sample(IntArrayRef sample_shape = {}) const override;
  Tensor mode() const override;
  Tensor kl(const Distribution& q) const override;
  Tensor rate;
};

/// The argument that says of probabilities that they are given as logits: Bernoulli(logits, from_logits).
struct FromLogits {};
inline constexpr FromLogits from_logits{};

class Bernoulli : public Distribution {
 public:
  explicit Bernoulli(const Parameter& probs, bool validate_args = true);
  Bernoulli(const Parameter& logits, FromLogits, bool validate_args = true);
  TAUT_DISTRIBUTION(Bernoulli)
  Tensor sample(IntArrayRef sample_shape = {}) const override;
  Tensor entropy() const override;
  Tensor mode() const override;
  Tensor enumerate_support(bool expand = true) const override;
  Tensor kl(const Distribution& q) const override;
  Tensor probs, logits;

 private:
  bool by_logits_ = false;
};

/// How many of total_count tries succeed.
class Binomial : public Distribution {
 public:
  explicit Binomial(const Parameter& total_count, const Parameter& probs, bool validate_args = true);
  Binomial(const Parameter& total_count, const Parameter& logits, FromLogits, bool validate_args = true);
  TAUT_DISTRIBUTION(Binomial)
  Tensor sample(IntArrayRef sample_shape = {}) const override;
  Tensor mode() const override;
  Tensor total_count, probs, logits;

 private:
  bool by_logits_ = false;
};

/// How many tries fail before the first success.
class Geometric : public Distribution {
 public:
  explicit Geometric(const Parameter& probs, bool validate_args = true);
  TAUT_DISTRIBUTION(Geometric)
  Tensor sample(IntArrayRef sample_shape = {}) const override;
  Tensor entropy() const override;
  Tensor mode() const override;
  Tensor probs, logits;
};

/// Indices along the last dimension of the parameters, which need not be normalised.
class Categorical : public Distribution {
 public:
  explicit Categorical(const Tensor& probs, bool validate_args = true);
  Categorical(const Tensor& logits, FromLogits, bool validate_args = true);
  TAUT_DISTRIBUTION(Categorical)
  Tensor sample(IntArrayRef sample_shape = {}) const override;
  Tensor entropy() const override;
  Tensor mode() const override;
  Tensor enumerate_support(bool expand = true) const override;
  Tensor kl(const Distribution& q) const override;
  Tensor probs, logits;

 private:
  bool by_logits_ = false;
};

/// Several normal numbers that depend on each other, by the Cholesky factor of their covariance.
class MultivariateNormal : public Distribution {
 public:
  explicit MultivariateNormal(const Tensor& loc, const Tensor& covariance_matrix, bool validate_args = true);
  static MultivariateNormal from_scale_tril(const Tensor& loc, const Tensor& scale_tril, bool validate_args = true);
  static MultivariateNormal from_precision(const Tensor& loc, const Tensor& precision_matrix,
                                           bool validate_args = true);
  TAUT_DISTRIBUTION(MultivariateNormal)
  TAUT_REPARAMETRIZED
  Tensor entropy() const override;
  Tensor mode() const override { return loc; }
  Tensor kl(const Distribution& q) const override;
  Tensor covariance_matrix() const;
  Tensor loc, scale_tril;

 private:
  MultivariateNormal() = default;
  void take(const Tensor& loc, const Tensor& matrix, const char* parameter, bool validate_args);
  Tensor given_;
  const char* given_name_ = "covariance_matrix";
};

/// The last `dims` batch dimensions of a distribution as parts of one event.
class Independent : public Distribution {
 public:
  template <class D>
  requires std::is_base_of_v<Distribution, D> Independent(D base, int64_t dims)
      : Independent(std::shared_ptr<const Distribution>(std::make_shared<D>(std::move(base))), dims) {}
  Independent(std::shared_ptr<const Distribution> base, int64_t dims);
  const char* name() const override;
  std::string repr() const override;
  bool has_rsample() const override { return base_->has_rsample(); }
  Tensor sample(IntArrayRef sample_shape = {}) const override { return base_->sample(sample_shape); }
  Tensor rsample(IntArrayRef sample_shape = {}) const override { return base_->rsample(sample_shape); }
  Tensor log_prob(const Tensor& value) const override;
  Tensor entropy() const override;
  Tensor mean() const override { return base_->mean(); }
  Tensor mode() const override { return base_->mode(); }
  Tensor variance() const override { return base_->variance(); }
  Tensor kl(const Distribution& q) const override;
  const Distribution& base() const { return *base_; }

 private:
  Tensor summed(const Tensor& x) const;
  std::shared_ptr<const Distribution> base_;
  int64_t dims_;
};

#undef TAUT_DISTRIBUTION
#undef TAUT_REPARAMETRIZED

}  // namespace taut::distributions
