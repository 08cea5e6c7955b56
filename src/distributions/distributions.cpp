// The classes of taut/distributions.h over the formulas of ops/distributions.cpp, which Python's classes call too. What
// is checked here is checked in Python by classes that programs derive from and look into, so it stands there a second
// time.
#include "taut/distributions.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "taut/autograd.h"
#include "taut/core/error.h"
#include "taut/factories.h"
#include "taut/linalg.h"
#include "taut/ops.h"
#include "taut/ops/distribution.h"
#include "taut/ops/special.h"
#include "taut/print.h"

namespace taut::distributions {

namespace {

constexpr double kPi = 3.14159265358979323846, kEuler = 0.57721566490153286060, kInf = __builtin_inf();
const char* const kPositive = "GreaterThan(lower_bound=0.0)";
const char* const kUnit = "Interval(lower_bound=0.0, upper_bound=1.0)";

/// As Python prints sizes: "(2, 3)" and "(2,)".
std::string tuple(IntArrayRef sizes) {
  std::string text = "(";
  for (size_t i = 0; i < sizes.size(); ++i) text += (i ? ", " : "") + std::to_string(sizes[i]);
  return text + (sizes.size() == 1 ? ",)" : ")");
}
std::string size_text(IntArrayRef sizes) {
  std::string text = "torch.Size([";
  for (size_t i = 0; i < sizes.size(); ++i) text += (i ? ", " : "") + std::to_string(sizes[i]);
  return text + "])";
}
/// A tensor in a sentence: its number if it has no dimensions, and its numbers without the word tensor if asked.
std::string number_text(const Tensor& t) {
  if (t.dim() > 0) return taut::repr(t);
  char text[32];
  const double x = t.item().toDouble();
  if (!std::isfinite(x)) return std::isnan(x) ? "nan" : x < 0 ? "-inf" : "inf";
  const std::string digits(text, std::to_chars(text, text + sizeof(text), x).ptr);
  return digits.find_first_of(".e") == std::string::npos ? digits + ".0" : digits;
}

/// The parameters as tensors of one shape; numbers take the dtype of the first tensor.
template <class... T>
void broadcast(std::initializer_list<Parameter> given, T&... out) {
  ScalarType type = get_default_dtype();
  for (const Parameter& p : given)
    if (p.tensor.defined()) {
      type = p.tensor.scalar_type();
      break;
    }
  std::vector<Tensor> tensors;
  for (const Parameter& p : given) tensors.push_back(p.tensor.defined() ? p.tensor : full({}, p.number, type));
  tensors = broadcast_tensors(tensors);
  size_t i = 0;
  ((out = tensors[i++]), ...);
}
/// x with the batch dimensions of `batch_shape`; its last `event_dims` are kept.
Tensor widened(const Tensor& x, IntArrayRef batch_shape, int64_t event_dims = 0) {
  Dims size(batch_shape);
  for (int64_t d = x.dim() - event_dims; d < x.dim(); ++d) size.push_back(x.size(d));
  return x.expand(size);
}
/// The sum over the last dimensions.
Tensor sum_rightmost(const Tensor& x, int64_t dims) {
  if (dims == 0) return x;
  Dims size(x.sizes().slice(0, static_cast<size_t>(x.dim() - dims)));
  size.push_back(-1);
  return x.reshape(size).sum(-1);
}

Tensor binary_probs(const Tensor& logits) { return logits.sigmoid(); }
Tensor clamped(const Tensor& probs) {
  const double eps = probs.scalar_type() == kDouble ? 0x1p-52 : 0x1p-23;
  return probs.clamp(eps, 1 - eps);
}
Tensor binary_logits(const Tensor& probs) {
  const Tensor p = clamped(probs);
  return p.log() - (-p).log1p();
}
Tensor is_count(const Tensor& x) { return x.remainder(1).eq(0).logical_and(x.ge(0)); }

template <class D>
const D* same(const Distribution& q) {
  return dynamic_cast<const D*>(&q);
}

}  // namespace

// ---- All distributions.

Distribution::~Distribution() = default;

void Distribution::set_shapes(IntArrayRef batch_shape, IntArrayRef event_shape) {
  batch_shape_ = batch_shape;
  event_shape_ = event_shape;
}
Dims Distribution::extended(IntArrayRef sample_shape) const {
  Dims size(sample_shape);
  for (const Dims* part : {&batch_shape_, &event_shape_})
    for (int64_t s : *part) size.push_back(s);
  return size;
}
void Distribution::lacks(const char* method) const { throw NotImplementedError(str(name(), " has no ", method)); }
Tensor Distribution::sample(IntArrayRef sample_shape) const {
  NoGradGuard guard;
  return rsample(sample_shape);
}
Tensor Distribution::rsample(IntArrayRef) const { lacks("rsample"); }
Tensor Distribution::cdf(const Tensor&) const { lacks("cdf"); }
Tensor Distribution::icdf(const Tensor&) const { lacks("icdf"); }
Tensor Distribution::entropy() const { lacks("entropy"); }
Tensor Distribution::mean() const { lacks("mean"); }
Tensor Distribution::mode() const { lacks("mode"); }
Tensor Distribution::variance() const { lacks("variance"); }
Tensor Distribution::stddev() const { return variance().sqrt(); }
Tensor Distribution::perplexity() const { return entropy().exp(); }
Tensor Distribution::enumerate_support(bool) const { lacks("enumerate_support"); }
Tensor Distribution::kl(const Distribution& q) const {
  throw NotImplementedError(str("No KL(p || q) is implemented for p type ", name(), " and q type ", q.name()));
}
Tensor kl_divergence(const Distribution& p, const Distribution& q) { return p.kl(q); }

std::string Distribution::repr() const {
  std::string text = std::string(name()) + "(";
  const char* between = "";
  for (const auto& [parameter, value] : parameters()) {
    text += str(between, parameter, ": ", value.numel() == 1 ? number_text(value) : size_text(value.sizes()));
    between = ", ";
  }
  return text + ")";
}
std::ostream& operator<<(std::ostream& out, const Distribution& d) { return out << d.repr(); }

void Distribution::check_parameter(const char* parameter, const Tensor& value, const Tensor& valid,
                                   const char* constraint) const {
  if (!validate_ || valid.all().item<bool>()) return;
  throw ValueError(str("Expected parameter ", parameter, " (Tensor of shape ", tuple(value.sizes()),
                       ") of distribution ", repr(), " to satisfy the constraint ", constraint,
                       ", but found invalid values:\n", number_text(value)));
}
void Distribution::check_shape(const Tensor& value) const {
  const size_t dims = value.sizes().size(), events = event_shape_.size();
  const Dims expected = extended({});
  check<ValueError>(dims >= events && value.sizes().slice(dims - events, events) == IntArrayRef(event_shape_),
                    "The right-most size of value must match event_shape: ", size_text(value.sizes()), " vs ",
                    size_text(event_shape_), ".");
  for (size_t i = 1; i <= std::min(dims, expected.size()); ++i) {
    const int64_t a = value.sizes()[dims - i], b = expected[expected.size() - i];
    check<ValueError>(a == 1 || b == 1 || a == b,
                      "Value is not broadcastable with batch_shape+event_shape: ", size_text(value.sizes()), " vs ",
                      size_text(expected), ".");
  }
}
void Distribution::check_value(const Tensor& value, const Tensor& valid, const std::string& support) const {
  if (valid.all().item<bool>()) return;
  throw ValueError(str("Expected value argument (Tensor of shape ", tuple(value.sizes()),
                       ") to be within the support (", support, ") of the distribution ", repr(),
                       ", but found invalid values:\n", number_text(value)));
}

/// The checks of log_prob and cdf: the value's shape, then that `valid` holds everywhere.
#define CHECK_VALUE(valid, support)     \
  if (validate_) {                      \
    check_shape(value);                 \
    check_value(value, valid, support); \
  }
#define REAL CHECK_VALUE(value.eq(value), "Real()")
#define NONNEGATIVE CHECK_VALUE(value.ge(0), "GreaterThanEq(lower_bound=0.0)")
#define POSITIVE CHECK_VALUE(value.gt(0), kPositive)
#define COUNT CHECK_VALUE(is_count(value), "IntegerGreaterThan(lower_bound=0)")

#define NAMED(Name) \
  const char* Name::name() const { return #Name; }

// ---- Of loc and scale.

#define MADE_OF_LOC_AND_SCALE(Name)                                                \
  NAMED(Name)                                                                      \
  Name::Name(const Parameter& loc_, const Parameter& scale_, bool validate_args) { \
    broadcast({loc_, scale_}, loc, scale);                                         \
    validate_ = validate_args;                                                     \
    set_shapes(loc.sizes());                                                       \
    check_parameter("loc", loc, loc.eq(loc), "Real()");                            \
    check_parameter("scale", scale, scale.gt(0), kPositive);                       \
  }                                                                                \
  Name Name::expand(IntArrayRef batch_shape) const {                               \
    Name wide(widened(loc, batch_shape), widened(scale, batch_shape), false);      \
    wide.validate_ = validate_;                                                    \
    return wide;                                                                   \
  }
#define LOC_AND_SCALE(Name)   \
  MADE_OF_LOC_AND_SCALE(Name) \
  Distribution::Named Name::parameters() const { return {{"loc", loc}, {"scale", scale}}; }

LOC_AND_SCALE(Normal)
Tensor Normal::sample(IntArrayRef sample_shape) const {
  NoGradGuard guard;
  const Dims size = extended(sample_shape);
  return normal(loc.expand(size), scale.expand(size));
}
Tensor Normal::rsample(IntArrayRef sample_shape) const { return _normal_rsample(loc, scale, extended(sample_shape)); }
Tensor Normal::log_prob(const Tensor& value) const { REAL return _normal_log_prob(value, loc, scale); }
Tensor Normal::cdf(const Tensor& value) const { REAL return _normal_cdf(value, loc, scale); }
Tensor Normal::icdf(const Tensor& value) const { return _normal_icdf(value, loc, scale); }
Tensor Normal::entropy() const { return _normal_entropy(scale); }
Tensor Normal::mean() const { return loc; }
Tensor Normal::variance() const { return scale.pow(2); }
Tensor Normal::kl(const Distribution& q) const {
  const Normal* other = same<Normal>(q);
  return other ? _normal_kl(loc, scale, other->loc, other->scale) : Distribution::kl(q);
}

LOC_AND_SCALE(Laplace)
Tensor Laplace::rsample(IntArrayRef sample_shape) const { return _laplace_rsample(loc, scale, extended(sample_shape)); }
Tensor Laplace::log_prob(const Tensor& value) const { REAL return _laplace_log_prob(value, loc, scale); }
Tensor Laplace::cdf(const Tensor& value) const { REAL return _laplace_cdf(value, loc, scale); }
Tensor Laplace::icdf(const Tensor& value) const { return _laplace_icdf(value, loc, scale); }
Tensor Laplace::entropy() const { return _laplace_entropy(scale); }
Tensor Laplace::mean() const { return loc; }
Tensor Laplace::variance() const { return 2 * scale.pow(2); }
Tensor Laplace::kl(const Distribution& q) const {
  const Laplace* other = same<Laplace>(q);
  return other ? _laplace_kl(loc, scale, other->loc, other->scale) : Distribution::kl(q);
}

LOC_AND_SCALE(Cauchy)
Tensor Cauchy::rsample(IntArrayRef sample_shape) const { return _cauchy_rsample(loc, scale, extended(sample_shape)); }
Tensor Cauchy::log_prob(const Tensor& value) const { REAL return _cauchy_log_prob(value, loc, scale); }
Tensor Cauchy::cdf(const Tensor& value) const { REAL return _cauchy_cdf(value, loc, scale); }
Tensor Cauchy::icdf(const Tensor& value) const { return _cauchy_icdf(value, loc, scale); }
Tensor Cauchy::entropy() const { return _cauchy_entropy(scale); }
Tensor Cauchy::mean() const { return full(batch_shape(), std::nan(""), loc.scalar_type()); }
Tensor Cauchy::variance() const { return full(batch_shape(), kInf, loc.scalar_type()); }
Tensor Cauchy::kl(const Distribution& q) const {
  const Cauchy* other = same<Cauchy>(q);
  return other ? _cauchy_kl(loc, scale, other->loc, other->scale) : Distribution::kl(q);
}

LOC_AND_SCALE(Gumbel)
Tensor Gumbel::rsample(IntArrayRef sample_shape) const { return _gumbel_rsample(loc, scale, extended(sample_shape)); }
Tensor Gumbel::log_prob(const Tensor& value) const { REAL return _gumbel_log_prob(value, loc, scale); }
Tensor Gumbel::entropy() const { return _gumbel_entropy(scale); }
Tensor Gumbel::mean() const { return loc + scale * kEuler; }
Tensor Gumbel::variance() const { return (kPi / std::sqrt(6.0) * scale).pow(2); }

MADE_OF_LOC_AND_SCALE(LogNormal)
Distribution::Named LogNormal::parameters() const { return {}; }  // as PyTorch prints it
Tensor LogNormal::sample(IntArrayRef sample_shape) const {
  return Normal(loc, scale, false).sample(sample_shape).exp();
}
Tensor LogNormal::rsample(IntArrayRef sample_shape) const {
  return _normal_rsample(loc, scale, extended(sample_shape)).exp();
}
Tensor LogNormal::log_prob(const Tensor& value) const {
  POSITIVE
  const Tensor x = value.log();
  return -x + _normal_log_prob(x, loc, scale);
}
Tensor LogNormal::cdf(const Tensor& value) const { return _normal_cdf(value.log(), loc, scale); }
Tensor LogNormal::icdf(const Tensor& value) const { return _normal_icdf(value, loc, scale).exp(); }
Tensor LogNormal::entropy() const { return _normal_entropy(scale) + loc; }
Tensor LogNormal::mean() const { return (loc + scale.pow(2) / 2).exp(); }
Tensor LogNormal::mode() const { return (loc - scale.square()).exp(); }
Tensor LogNormal::variance() const {
  const Tensor square = scale.pow(2);
  return square.expm1() * (2 * loc + square).exp();
}
Tensor LogNormal::kl(const Distribution& q) const {
  const LogNormal* other = same<LogNormal>(q);
  return other ? _normal_kl(loc, scale, other->loc, other->scale) : Distribution::kl(q);
}

NAMED(HalfNormal)
HalfNormal::HalfNormal(const Parameter& scale_, bool validate_args) {
  broadcast({scale_}, scale);
  validate_ = validate_args;
  set_shapes(scale.sizes());
  check_parameter("scale", scale, scale.gt(0), kPositive);
}
Distribution::Named HalfNormal::parameters() const { return {}; }
HalfNormal HalfNormal::expand(IntArrayRef batch_shape) const {
  HalfNormal wide(widened(scale, batch_shape), false);
  wide.validate_ = validate_;
  return wide;
}
Tensor HalfNormal::sample(IntArrayRef sample_shape) const { return Normal(0, scale, false).sample(sample_shape).abs(); }
Tensor HalfNormal::rsample(IntArrayRef sample_shape) const {
  return _normal_rsample(zeros_like(scale), scale, extended(sample_shape)).abs();
}
Tensor HalfNormal::log_prob(const Tensor& value) const {
  NONNEGATIVE
  const Tensor log_prob = _normal_log_prob(value, zeros_like(scale), scale) + std::log(2.0);
  return log_prob.masked_fill(value.lt(0), -kInf);
}
Tensor HalfNormal::cdf(const Tensor& value) const {
  NONNEGATIVE
  return 2 * _normal_cdf(value, zeros_like(scale), scale) - 1;
}
Tensor HalfNormal::icdf(const Tensor& value) const { return _normal_icdf((value + 1) / 2, zeros_like(scale), scale); }
Tensor HalfNormal::entropy() const { return _normal_entropy(scale) - std::log(2.0); }
Tensor HalfNormal::mean() const { return scale * std::sqrt(2 / kPi); }
Tensor HalfNormal::mode() const { return zeros_like(scale); }
Tensor HalfNormal::variance() const { return scale.pow(2) * (1 - 2 / kPi); }
Tensor HalfNormal::kl(const Distribution& q) const {
  const HalfNormal* other = same<HalfNormal>(q);
  return other ? _normal_kl(zeros_like(scale), scale, zeros_like(other->scale), other->scale) : Distribution::kl(q);
}

NAMED(Uniform)
Uniform::Uniform(const Parameter& low_, const Parameter& high_, bool validate_args) {
  broadcast({low_, high_}, low, high);
  validate_ = validate_args;
  set_shapes(low.sizes());
  if (validate_) {
    const Tensor valid = low.lt(high);
    check_parameter("low", low, valid, str("LessThan(upper_bound=", number_text(high), ")").c_str());
  }
}
Distribution::Named Uniform::parameters() const { return {{"low", low}, {"high", high}}; }
Uniform Uniform::expand(IntArrayRef batch_shape) const {
  Uniform wide(widened(low, batch_shape), widened(high, batch_shape), false);
  wide.validate_ = validate_;
  return wide;
}
#define WITHIN                                           \
  CHECK_VALUE(low.le(value).logical_and(value.le(high)), \
              str("Interval(lower_bound=", number_text(low), ", upper_bound=", number_text(high), ")"))
Tensor Uniform::rsample(IntArrayRef sample_shape) const { return _uniform_rsample(low, high, extended(sample_shape)); }
Tensor Uniform::log_prob(const Tensor& value) const {
  WITHIN
  return _uniform_log_prob(value, low, high);
}
Tensor Uniform::cdf(const Tensor& value) const {
  WITHIN
  return _uniform_cdf(value, low, high);
}
Tensor Uniform::icdf(const Tensor& value) const { return _uniform_icdf(value, low, high); }
Tensor Uniform::entropy() const { return _uniform_entropy(low, high); }
Tensor Uniform::mean() const { return (high + low) / 2; }
Tensor Uniform::variance() const { return (high - low).pow(2) / 12; }
Tensor Uniform::kl(const Distribution& q) const {
  const Uniform* other = same<Uniform>(q);
  return other ? _uniform_kl(low, high, other->low, other->high) : Distribution::kl(q);
}

// ---- Of positive numbers.

NAMED(Exponential)
Exponential::Exponential(const Parameter& rate_, bool validate_args) {
  broadcast({rate_}, rate);
  validate_ = validate_args;
  set_shapes(rate.sizes());
  check_parameter("rate", rate, rate.gt(0), kPositive);
}
Distribution::Named Exponential::parameters() const { return {{"rate", rate}}; }
Exponential Exponential::expand(IntArrayRef batch_shape) const {
  Exponential wide(widened(rate, batch_shape), false);
  wide.validate_ = validate_;
  return wide;
}
Tensor Exponential::rsample(IntArrayRef sample_shape) const {
  return _exponential_rsample(rate, extended(sample_shape));
}
Tensor Exponential::log_prob(const Tensor& value) const {
  NONNEGATIVE
  return _exponential_log_prob(value, rate);
}
Tensor Exponential::cdf(const Tensor& value) const {
  NONNEGATIVE
  return _exponential_cdf(value, rate);
}
Tensor Exponential::icdf(const Tensor& value) const { return _exponential_icdf(value, rate); }
Tensor Exponential::entropy() const { return _exponential_entropy(rate); }
Tensor Exponential::mean() const { return rate.reciprocal(); }
Tensor Exponential::mode() const { return zeros_like(rate); }
Tensor Exponential::variance() const { return rate.pow(-2); }
Tensor Exponential::kl(const Distribution& q) const {
  const Exponential* other = same<Exponential>(q);
  return other ? _exponential_kl(rate, other->rate) : Distribution::kl(q);
}

NAMED(Gamma)
Gamma::Gamma(const Parameter& concentration_, const Parameter& rate_, bool validate_args) {
  broadcast({concentration_, rate_}, concentration, rate);
  validate_ = validate_args;
  set_shapes(rate.sizes());
  check_parameter("concentration", concentration, concentration.gt(0), kPositive);
  check_parameter("rate", rate, rate.gt(0), kPositive);
}
Distribution::Named Gamma::parameters() const { return {{"concentration", concentration}, {"rate", rate}}; }
Gamma Gamma::expand(IntArrayRef batch_shape) const {
  Gamma wide(widened(concentration, batch_shape), widened(rate, batch_shape), false);
  wide.validate_ = validate_;
  return wide;
}
Tensor Gamma::rsample(IntArrayRef sample_shape) const {
  return _gamma_rsample(concentration, rate, extended(sample_shape));
}
Tensor Gamma::log_prob(const Tensor& value) const {
  NONNEGATIVE
  return _gamma_log_prob(value, concentration, rate);
}
Tensor Gamma::cdf(const Tensor& value) const {
  NONNEGATIVE
  return igamma(concentration, rate * value);
}
Tensor Gamma::entropy() const { return _gamma_entropy(concentration, rate); }
Tensor Gamma::mean() const { return concentration / rate; }
Tensor Gamma::mode() const { return ((concentration - 1) / rate).clamp_min(0); }
Tensor Gamma::variance() const { return concentration / rate.pow(2); }
Tensor Gamma::kl(const Distribution& q) const {
  const Gamma* other = same<Gamma>(q);
  return other ? _gamma_kl(concentration, rate, other->concentration, other->rate) : Distribution::kl(q);
}

NAMED(Chi2)
Chi2::Chi2(const Parameter& df_, bool validate_args)
    : Gamma(df_.tensor.defined() ? Parameter(0.5 * df_.tensor) : Parameter(0.5 * df_.number), 0.5, validate_args) {}
Chi2 Chi2::expand(IntArrayRef batch_shape) const {
  Chi2 wide(widened(df(), batch_shape), false);
  wide.validate_ = validate_;
  return wide;
}
Distribution::Named Chi2::parameters() const { return {}; }  // as PyTorch prints it
Tensor Chi2::df() const { return concentration * 2; }

// ---- Of numbers between 0 and 1.

NAMED(Dirichlet)
Dirichlet::Dirichlet(const Tensor& concentration_, bool validate_args) : concentration(concentration_) {
  check<ValueError>(concentration.dim() >= 1, "`concentration` parameter must be at least one-dimensional.");
  validate_ = validate_args;
  const size_t dims = concentration.sizes().size();
  set_shapes(concentration.sizes().slice(0, dims - 1), concentration.sizes().slice(dims - 1, 1));
  check_parameter("concentration", concentration, concentration.gt(0),
                  "IndependentConstraint(GreaterThan(lower_bound=0.0), 1)");
}
Distribution::Named Dirichlet::parameters() const { return {{"concentration", concentration}}; }
Dirichlet Dirichlet::expand(IntArrayRef batch_shape) const {
  Dirichlet wide(widened(concentration, batch_shape, 1), false);
  wide.validate_ = validate_;
  return wide;
}
Tensor Dirichlet::rsample(IntArrayRef sample_shape) const {
  return _sample_dirichlet(concentration.expand(extended(sample_shape)));
}
Tensor Dirichlet::log_prob(const Tensor& value) const {
  CHECK_VALUE(value.ge(0).all(-1).logical_and((value.sum(-1) - 1).abs().lt(1e-6)), "Simplex()")
  return _dirichlet_log_prob(value, concentration);
}
Tensor Dirichlet::entropy() const { return _dirichlet_entropy(concentration); }
Tensor Dirichlet::mean() const { return concentration / concentration.sum(-1, true); }
Tensor Dirichlet::mode() const {
  const Tensor above = (concentration - 1).clamp_min(0), mode = above / above.sum(-1, true);
  const Tensor corner = one_hot(mode.argmax(-1), concentration.size(-1)).to(mode.scalar_type());
  return where(concentration.lt(1).all(-1, true), corner, mode);
}
Tensor Dirichlet::variance() const {
  const Tensor total = concentration.sum(-1, true);
  return concentration * (total - concentration) / (total.pow(2) * (total + 1));
}
Tensor Dirichlet::kl(const Distribution& q) const {
  const Dirichlet* other = same<Dirichlet>(q);
  return other ? _dirichlet_kl(concentration, other->concentration) : Distribution::kl(q);
}

NAMED(Beta)
Beta::Beta(const Parameter& one, const Parameter& zero, bool validate_args) {
  broadcast({one, zero}, concentration1, concentration0);
  validate_ = validate_args;
  set_shapes(concentration1.sizes());
  check_parameter("concentration1", concentration1, concentration1.gt(0), kPositive);
  check_parameter("concentration0", concentration0, concentration0.gt(0), kPositive);
}
Distribution::Named Beta::parameters() const { return {}; }
Beta Beta::expand(IntArrayRef batch_shape) const {
  Beta wide(widened(concentration1, batch_shape), widened(concentration0, batch_shape), false);
  wide.validate_ = validate_;
  return wide;
}
Tensor Beta::both() const { return stack({concentration1, concentration0}, -1); }
Tensor Beta::rsample(IntArrayRef sample_shape) const {
  return Dirichlet(both(), false).rsample(sample_shape).select(-1, 0);
}
Tensor Beta::log_prob(const Tensor& value) const {
  CHECK_VALUE(value.ge(0).logical_and(value.le(1)), kUnit)
  return _dirichlet_log_prob(stack({value, 1 - value}, -1), both());
}
Tensor Beta::entropy() const { return _dirichlet_entropy(both()); }
Tensor Beta::mean() const { return concentration1 / (concentration1 + concentration0); }
Tensor Beta::mode() const { return Dirichlet(both(), false).mode().select(-1, 0); }
Tensor Beta::variance() const {
  const Tensor total = concentration1 + concentration0;
  return concentration1 * concentration0 / (total.pow(2) * (total + 1));
}
Tensor Beta::kl(const Distribution& q) const {
  const Beta* other = same<Beta>(q);
  if (!other) return Distribution::kl(q);
  return _beta_kl(concentration1, concentration0, other->concentration1, other->concentration0);
}

NAMED(StudentT)
StudentT::StudentT(const Parameter& df_, const Parameter& loc_, const Parameter& scale_, bool validate_args) {
  broadcast({df_, loc_, scale_}, df, loc, scale);
  validate_ = validate_args;
  set_shapes(df.sizes());
  check_parameter("df", df, df.gt(0), kPositive);
  check_parameter("loc", loc, loc.eq(loc), "Real()");
  check_parameter("scale", scale, scale.gt(0), kPositive);
}
Distribution::Named StudentT::parameters() const { return {{"df", df}, {"loc", loc}, {"scale", scale}}; }
StudentT StudentT::expand(IntArrayRef batch_shape) const {
  StudentT wide(widened(df, batch_shape), widened(loc, batch_shape), widened(scale, batch_shape), false);
  wide.validate_ = validate_;
  return wide;
}
Tensor StudentT::rsample(IntArrayRef sample_shape) const {
  return _student_t_rsample(df, loc, scale, extended(sample_shape));
}
Tensor StudentT::log_prob(const Tensor& value) const { REAL return _student_t_log_prob(value, df, loc, scale); }
Tensor StudentT::entropy() const { return _student_t_entropy(df, scale); }
Tensor StudentT::mean() const { return loc.masked_fill(df.le(1), std::nan("")); }
Tensor StudentT::variance() const {
  const Tensor safe = df.masked_fill(df.le(2), 3);  // whose gradient is not to be infinite where it is not used
  return (scale.pow(2) * safe / (safe - 2)).masked_fill(df.le(2), kInf).masked_fill(df.le(1), std::nan(""));
}

// ---- Counts.

NAMED(Poisson)
Poisson::Poisson(const Parameter& rate_, bool validate_args) {
  broadcast({rate_}, rate);
  validate_ = validate_args;
  set_shapes(rate.sizes());
  check_parameter("rate", rate, rate.ge(0), "GreaterThanEq(lower_bound=0.0)");
}
Distribution::Named Poisson::parameters() const { return {{"rate", rate}}; }
Poisson Poisson::expand(IntArrayRef batch_shape) const {
  Poisson wide(widened(rate, batch_shape), false);
  wide.validate_ = validate_;
  return wide;
}
Tensor Poisson::sample(IntArrayRef sample_shape) const {
  NoGradGuard guard;
  return poisson(rate.expand(extended(sample_shape)));
}
Tensor Poisson::log_prob(const Tensor& value) const {
  COUNT
  return _poisson_log_prob(value, rate);
}
Tensor Poisson::mean() const { return rate; }
Tensor Poisson::mode() const { return rate.floor(); }
Tensor Poisson::variance() const { return rate; }
Tensor Poisson::kl(const Distribution& q) const {
  const Poisson* other = same<Poisson>(q);
  return other ? _poisson_kl(rate, other->rate) : Distribution::kl(q);
}

#define CHECK_PROBS check_parameter("probs", probs, probs.ge(0).logical_and(probs.le(1)), kUnit);
#define CHECK_LOGITS check_parameter("logits", logits, logits.eq(logits), "Real()");

NAMED(Bernoulli)
Bernoulli::Bernoulli(const Parameter& probs_, bool validate_args) {
  broadcast({probs_}, probs);
  validate_ = validate_args;
  set_shapes(probs.sizes());
  CHECK_PROBS
  logits = binary_logits(probs);
}
Bernoulli::Bernoulli(const Parameter& logits_, FromLogits, bool validate_args) : by_logits_(true) {
  broadcast({logits_}, logits);
  validate_ = validate_args;
  set_shapes(logits.sizes());
  CHECK_LOGITS
  probs = binary_probs(logits);
}
Distribution::Named Bernoulli::parameters() const {
  if (by_logits_) return {{"logits", logits}};
  return {{"probs", probs}};
}
Bernoulli Bernoulli::expand(IntArrayRef batch_shape) const {
  Bernoulli wide(*this);
  wide.probs = widened(probs, batch_shape), wide.logits = widened(logits, batch_shape);
  wide.set_shapes(batch_shape);
  return wide;
}
Tensor Bernoulli::sample(IntArrayRef sample_shape) const {
  NoGradGuard guard;
  return bernoulli(probs.expand(extended(sample_shape)));
}
Tensor Bernoulli::log_prob(const Tensor& value) const {
  CHECK_VALUE(value.eq(0).logical_or(value.eq(1)), "Boolean()")
  return _bernoulli_log_prob(value, logits);
}
Tensor Bernoulli::entropy() const { return _bernoulli_entropy(probs, logits); }
Tensor Bernoulli::mean() const { return probs; }
Tensor Bernoulli::mode() const {
  return probs.ge(0.5).to(probs.scalar_type()).masked_fill(probs.eq(0.5), std::nan(""));
}
Tensor Bernoulli::variance() const { return probs * (1 - probs); }
Tensor Bernoulli::kl(const Distribution& q) const {
  const Bernoulli* other = same<Bernoulli>(q);
  return other ? _bernoulli_kl(probs, logits, other->probs, other->logits) : Distribution::kl(q);
}
/// `values` along a new first dimension before those of the batch.
static Tensor enumerated(const Tensor& values, const Dims& batch_shape, bool expand) {
  Dims size(batch_shape.size() + 1, 1);
  size[0] = values.size(0);
  const Tensor column = values.view(size);
  for (size_t d = 0; d < batch_shape.size(); ++d) size[d + 1] = batch_shape[d];
  return expand ? column.expand(size) : column;
}
Tensor Bernoulli::enumerate_support(bool expand) const {
  return enumerated(arange(2, probs.scalar_type()), batch_shape(), expand);
}

NAMED(Binomial)
Binomial::Binomial(const Parameter& total_count_, const Parameter& probs_, bool validate_args) {
  broadcast({total_count_, probs_}, total_count, probs);
  total_count = total_count.to(probs.scalar_type());
  validate_ = validate_args;
  set_shapes(probs.sizes());
  check_parameter("total_count", total_count, is_count(total_count), "IntegerGreaterThan(lower_bound=0)");
  CHECK_PROBS
  logits = binary_logits(probs);
}
Binomial::Binomial(const Parameter& total_count_, const Parameter& logits_, FromLogits, bool validate_args)
    : by_logits_(true) {
  broadcast({total_count_, logits_}, total_count, logits);
  total_count = total_count.to(logits.scalar_type());
  validate_ = validate_args;
  set_shapes(logits.sizes());
  check_parameter("total_count", total_count, is_count(total_count), "IntegerGreaterThan(lower_bound=0)");
  CHECK_LOGITS
  probs = binary_probs(logits);
}
Distribution::Named Binomial::parameters() const {
  if (by_logits_) return {{"total_count", total_count}, {"logits", logits}};
  return {{"total_count", total_count}, {"probs", probs}};
}
Binomial Binomial::expand(IntArrayRef batch_shape) const {
  Binomial wide(*this);
  for (Tensor* t : {&wide.total_count, &wide.probs, &wide.logits}) *t = widened(*t, batch_shape);
  wide.set_shapes(batch_shape);
  return wide;
}
Tensor Binomial::sample(IntArrayRef sample_shape) const {
  NoGradGuard guard;
  const Dims size = extended(sample_shape);
  return binomial(total_count.expand(size), probs.expand(size));
}
Tensor Binomial::log_prob(const Tensor& value) const {
  CHECK_VALUE(is_count(value).logical_and(value.le(total_count)),
              str("IntegerInterval(lower_bound=0, upper_bound=", number_text(total_count), ")"))
  return _binomial_log_prob(value, total_count, logits);
}
Tensor Binomial::mean() const { return total_count * probs; }
Tensor Binomial::mode() const { return minimum(((total_count + 1) * probs).floor(), total_count); }
Tensor Binomial::variance() const { return total_count * probs * (1 - probs); }

NAMED(Geometric)
Geometric::Geometric(const Parameter& probs_, bool validate_args) {
  broadcast({probs_}, probs);
  validate_ = validate_args;
  set_shapes(probs.sizes());
  CHECK_PROBS
  if (const Tensor none = probs.le(0); validate_ && none.any().item<bool>())
    throw ValueError(str("Expected parameter probs (Tensor of shape ", tuple(probs.sizes()), ") of distribution ",
                         repr(), " to be positive but found invalid values:\n",
                         number_text(probs.masked_select(none))));
  logits = binary_logits(probs);
}
Distribution::Named Geometric::parameters() const { return {{"probs", probs}}; }
Geometric Geometric::expand(IntArrayRef batch_shape) const {
  Geometric wide(widened(probs, batch_shape), false);
  wide.validate_ = validate_;
  return wide;
}
Tensor Geometric::sample(IntArrayRef sample_shape) const {
  NoGradGuard guard;
  const double tiny = probs.scalar_type() == kDouble ? 0x1p-1022 : 0x1p-126;
  return (empty(extended(sample_shape), probs.scalar_type()).uniform_(tiny, 1).log() / (-probs).log1p()).floor();
}
Tensor Geometric::log_prob(const Tensor& value) const {
  COUNT
  return _geometric_log_prob(value, probs);
}
Tensor Geometric::entropy() const { return _bernoulli_entropy(probs, logits) / probs; }
Tensor Geometric::mean() const { return 1 / probs - 1; }
Tensor Geometric::mode() const { return zeros_like(probs); }
Tensor Geometric::variance() const { return (1 / probs - 1) / probs; }

NAMED(Categorical)
Categorical::Categorical(const Tensor& probs_, bool validate_args) {
  check<ValueError>(probs_.dim() >= 1, "`probs` parameter must be at least one-dimensional.");
  probs = probs_ / probs_.sum(-1, true);
  validate_ = validate_args;
  set_shapes(probs.sizes().slice(0, probs.sizes().size() - 1));
  check_parameter("probs", probs, probs.ge(0).all(-1).logical_and((probs.sum(-1) - 1).abs().lt(1e-6)), "Simplex()");
  logits = clamped(probs).log();
}
Categorical::Categorical(const Tensor& logits_, FromLogits, bool validate_args) : by_logits_(true) {
  check<ValueError>(logits_.dim() >= 1, "`logits` parameter must be at least one-dimensional.");
  logits = logits_ - logits_.logsumexp(-1, true);
  validate_ = validate_args;
  set_shapes(logits.sizes().slice(0, logits.sizes().size() - 1));
  check_parameter("logits", logits, logits.eq(logits), "IndependentConstraint(Real(), 1)");
  probs = softmax(logits, -1);
}
Distribution::Named Categorical::parameters() const {
  if (by_logits_) return {{"logits", logits}};
  return {{"probs", probs}};
}
Categorical Categorical::expand(IntArrayRef batch_shape) const {
  Categorical wide(*this);
  wide.probs = widened(probs, batch_shape, 1), wide.logits = widened(logits, batch_shape, 1);
  wide.set_shapes(batch_shape);
  return wide;
}
Tensor Categorical::sample(IntArrayRef sample_shape) const { return _categorical_sample(probs, sample_shape); }
Tensor Categorical::log_prob(const Tensor& value) const {
  CHECK_VALUE(is_count(value).logical_and(value.lt(probs.size(-1))),
              str("IntegerInterval(lower_bound=0, upper_bound=", probs.size(-1) - 1, ")"))
  return _categorical_log_prob(value, logits);
}
Tensor Categorical::entropy() const { return _categorical_entropy(probs, logits); }
Tensor Categorical::mean() const { return full(batch_shape(), std::nan(""), probs.scalar_type()); }
Tensor Categorical::mode() const { return probs.argmax(-1); }
Tensor Categorical::variance() const { return mean(); }
Tensor Categorical::enumerate_support(bool expand) const {
  return enumerated(arange(probs.size(-1)), batch_shape(), expand);
}
Tensor Categorical::kl(const Distribution& q) const {
  const Categorical* other = same<Categorical>(q);
  return other ? _categorical_kl(probs, logits, other->probs, other->logits) : Distribution::kl(q);
}

// ---- Several numbers.

NAMED(MultivariateNormal)
void MultivariateNormal::take(const Tensor& loc_, const Tensor& matrix, const char* parameter, bool validate_args) {
  check<ValueError>(loc_.dim() >= 1, "loc must be at least one-dimensional.");
  check<ValueError>(matrix.dim() >= 2, parameter, std::string_view(parameter) == "scale_tril" ? " matrix" : "",
                    " must be at least two-dimensional, with optional leading batch dimensions");
  // The batch is that of both: a column of loc has the dimensions of a matrix.
  const std::vector<Tensor> both = broadcast_tensors({matrix.select(-1, 0), loc_});
  loc = both[1];
  validate_ = validate_args;
  const size_t dims = loc.sizes().size();
  set_shapes(loc.sizes().slice(0, dims - 1), loc.sizes().slice(dims - 1, 1));
  given_ = widened(matrix, batch_shape(), 2), given_name_ = parameter;
}
MultivariateNormal::MultivariateNormal(const Tensor& loc_, const Tensor& covariance, bool validate_args) {
  take(loc_, covariance, "covariance_matrix", validate_args);
  const auto factor = linalg::cholesky_ex(covariance);
  if (validate_) {
    const Tensor symmetric = isclose(covariance, covariance.mT(), 1e-5, 1e-6).all(-1).all(-1);
    check_parameter("covariance_matrix", given_, symmetric.logical_and(std::get<1>(factor).eq(0)),
                    "PositiveDefinite()");
  }
  scale_tril = validate_ ? std::get<0>(factor) : linalg::cholesky(covariance);
}
MultivariateNormal MultivariateNormal::from_scale_tril(const Tensor& loc, const Tensor& scale_tril,
                                                       bool validate_args) {
  MultivariateNormal made;
  made.take(loc, scale_tril, "scale_tril", validate_args);
  const Tensor lower = scale_tril.tril().eq(scale_tril).all(-1).all(-1);
  made.check_parameter("scale_tril", made.given_, lower.logical_and(scale_tril.diagonal(0, -2, -1).gt(0).all(-1)),
                       "LowerCholesky()");
  made.scale_tril = scale_tril;
  return made;
}
MultivariateNormal MultivariateNormal::from_precision(const Tensor& loc, const Tensor& precision_matrix,
                                                      bool validate_args) {
  MultivariateNormal made;
  made.take(loc, precision_matrix, "precision_matrix", validate_args);
  made.scale_tril = _precision_to_scale_tril(precision_matrix);
  return made;
}
Distribution::Named MultivariateNormal::parameters() const { return {{"loc", loc}, {given_name_, given_}}; }
MultivariateNormal MultivariateNormal::expand(IntArrayRef batch_shape) const {
  MultivariateNormal wide(*this);
  wide.loc = widened(loc, batch_shape, 1), wide.given_ = widened(given_, batch_shape, 2);
  wide.set_shapes(batch_shape, event_shape());
  return wide;
}
Tensor MultivariateNormal::rsample(IntArrayRef sample_shape) const {
  return _multivariate_normal_rsample(loc, scale_tril, extended(sample_shape));
}
Tensor MultivariateNormal::log_prob(const Tensor& value) const {
  CHECK_VALUE(value.eq(value), "IndependentConstraint(Real(), 1)")
  return _multivariate_normal_log_prob(value, loc, scale_tril);
}
Tensor MultivariateNormal::entropy() const { return _multivariate_normal_entropy(scale_tril).expand(batch_shape()); }
Tensor MultivariateNormal::mean() const { return loc; }
Tensor MultivariateNormal::variance() const { return scale_tril.pow(2).sum(-1).expand(loc.sizes()); }
Tensor MultivariateNormal::covariance_matrix() const {
  return widened(matmul(scale_tril, scale_tril.mT()), batch_shape(), 2);
}
Tensor MultivariateNormal::kl(const Distribution& q) const {
  const MultivariateNormal* other = same<MultivariateNormal>(q);
  if (!other) return Distribution::kl(q);
  check<ValueError>(IntArrayRef(event_shape()) == IntArrayRef(other->event_shape()),
                    "KL-divergence between two Multivariate Normals with different event shapes cannot be computed");
  return _multivariate_normal_kl(loc, scale_tril, other->loc, other->scale_tril);
}

NAMED(Independent)
Independent::Independent(std::shared_ptr<const Distribution> base, int64_t dims) : base_(std::move(base)), dims_(dims) {
  const IntArrayRef batch = base_->batch_shape();
  check<ValueError>(dims >= 0 && static_cast<size_t>(dims) <= batch.size(),
                    "Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual ", dims, " vs ",
                    batch.size());
  const size_t cut = batch.size() - static_cast<size_t>(dims);
  Dims event(batch.slice(cut, batch.size() - cut));
  for (int64_t s : base_->event_shape()) event.push_back(s);
  set_shapes(batch.slice(0, cut), event);
}
std::string Independent::repr() const { return str("Independent(", base_->repr(), ", ", dims_, ")"); }
Tensor Independent::summed(const Tensor& x) const { return sum_rightmost(x, dims_); }
Tensor Independent::log_prob(const Tensor& value) const { return summed(base_->log_prob(value)); }
Tensor Independent::entropy() const { return summed(base_->entropy()); }
Tensor Independent::kl(const Distribution& q) const {
  const Independent* other = same<Independent>(q);
  if (!other || other->dims_ != dims_) return Distribution::kl(q);
  return summed(base_->kl(*other->base_));
}

}  // namespace taut::distributions
