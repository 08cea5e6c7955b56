// Random tensors: the generator, factories, in-place fills, and ops that draw. Which numbers: core/random.h.
#include "core/random.h"

#include <cmath>
#include <cstring>
#include <random>

#include "kernels/copy.h"
#include "kernels/special.h"
#include "ops/batch_rules.h"
#include "ops/formulas.h"
#include "ops/registry.h"
#include "ops/view_ops.h"
#include "taut/core/maths.h"
#include "taut/random_scope.h"

namespace taut {

// ---- The generator.

Generator::Generator(uint64_t seed) : engine_(std::make_shared<RandomEngine>(seed)) {}
void Generator::set_current_seed(uint64_t seed) {
  std::lock_guard lock(engine_->mutex);
  engine_->seed(seed);
}
uint64_t Generator::current_seed() const {
  std::lock_guard lock(engine_->mutex);
  return engine_->initial_seed();
}
uint64_t Generator::seed() {
  std::random_device device;
  const uint64_t high = device(), low = device();
  const uint64_t seed = (high << 32 | low) & ((uint64_t{1} << 53) - 1);  // 53 bits, so that a float64 holds it
  set_current_seed(seed);
  return seed;
}
Tensor Generator::get_state() const {
  std::vector<uint8_t> bytes;
  {
    std::lock_guard lock(engine_->mutex);
    bytes = engine_->state();
  }
  Tensor t = empty({static_cast<int64_t>(bytes.size())}, kByte);
  std::memcpy(t.data_ptr(), bytes.data(), bytes.size());
  return t;
}
void Generator::set_state(const Tensor& state) {
  check_defined(state, "set_state", "state");
  check<TypeError>(state.scalar_type() == kByte, "set_state: RNG state must be a uint8 tensor, got ",
                   state.scalar_type());
  const Tensor bytes = state.contiguous();
  std::lock_guard lock(engine_->mutex);
  engine_->set_state(bytes.data_ptr<uint8_t>(), bytes.nbytes());
}
std::mutex& Generator::mutex() const {
  static std::mutex all;  // one for all of them: who holds it has nothing to wait for
  return all;
}

Generator Generator::clone() const {
  Generator copy(RandomEngine::kDefaultSeed);
  std::lock_guard lock(engine_->mutex);
  const std::vector<uint8_t> bytes = engine_->state();
  copy.engine_->set_state(bytes.data(), bytes.size());
  return copy;
}

static thread_local RandomScope* innermost_scope = nullptr;
RandomScope::RandomScope(uint64_t seed) : seed_(seed), outer_(std::exchange(innermost_scope, this)) {}
RandomScope::~RandomScope() { innermost_scope = outer_; }
Generator& RandomScope::generator() {
  if (!generator_) generator_.emplace(seed_);
  return *generator_;
}

Generator& default_generator() {
  if (innermost_scope) return innermost_scope->generator();
  static Generator generator(std::shared_ptr<RandomEngine>(&default_engine(), [](RandomEngine*) {}));
  return generator;
}
void manual_seed(uint64_t seed) { default_generator().set_current_seed(seed); }
uint64_t initial_seed() { return default_generator().current_seed(); }

namespace {

using MaybeGenerator = std::optional<Generator>;

/// Fills the elements of `t` with draw(engine, memory, n), in order of address. A tensor that is not row-major is drawn
/// into dense memory of the same order first.
template <class Draw>
void draw_into(const Tensor& t, const MaybeGenerator& generator, Draw draw) {
  check<NotImplementedError>(!t.is_complex(), "random numbers of this kind are not implemented for ", t.scalar_type());
  if (is_batched(t)) return draw_into(batching::whole(t), generator, draw);  // as one tensor
  const bool direct = t.is_contiguous();
  if (no_data(t)) return;
  const Tensor memory = direct ? t : empty_like(t);
  RandomEngine& engine = generator ? generator->engine() : default_generator().engine();
  {
    std::lock_guard lock(engine.mutex);
    draw(engine, memory.data_ptr(), t.numel());
  }
  if (!direct) kernels::copy(view_of(t), view_of(memory));
}

/// A tensor to be drawn, which varies from item to item if a vmap wants that.
Tensor undrawn(IntArrayRef size, const TensorOptions& options, const char* op) {
  if (!thread_state.level) [[likely]]
    return empty(size, options);
  const HiddenDims levels = batching::drawn_levels(op);
  if (levels.empty()) return empty(size, options);
  Tensor t = batching::fresh(levels, size, options.dtype(), op);
  if (options.requires_grad()) t.set_requires_grad(true);
  return t;
}
Tensor undrawn_like(const Tensor& self, const TensorOptions& options, std::optional<MemoryFormat> format,
                    const char* op) {
  return thread_state.level
             ? undrawn(self.sizes(), options.has_dtype() ? options : TensorOptions(options).dtype(self.scalar_type()),
                       op)
             : empty_like(self, options, format);
}
/// self.op_() under vmap: each item draws its own numbers, or all have the same.
template <class Draw>
Tensor drawn_items(const char* op, const Tensor& self, const MaybeGenerator& generator, Draw draw) {
  HiddenDims levels;
  if (thread_state.level) levels = batching::drawn_levels(op);
  for (const HiddenDim& h : levels)
    check(batching::varies_at(self, h.level),
          "vmap: Cannot ask for different inplace randomness on an unbatched tensor. This will appear like same "
          "randomness. If this is necessary for your usage, please file an issue with functorch.");
  for (const HiddenDim& h : batching::varying(self))
    if (!batching::is_open(h.level)) levels.add(h);
  const Tensor value = batching::fresh(levels, self.sizes(), self.scalar_type(), op);
  draw_into(value, generator, draw);
  return value;
}

/// self.op_(): draws into self. `from` are other tensors the numbers depend on.
template <class Draw, class... From>
Tensor& draw_inplace(const char* op, const char* node, const Tensor& self, const MaybeGenerator& generator, Draw draw,
                     const From&... from) {
  check_defined(self, op, "self");
  ++thread_state.step;
  check_writable(self, op);
  const bool record =
      thread_state.grad_mode && self.is_floating_point() && (tracked(self.impl()) || ... || tracked(from.impl()));
  const bool items = thread_state.level || is_batched(self);
  if (record || autograd::forward_mode() || items) {
    const Tensor value = items ? drawn_items(op, self, generator, draw) : empty_like(self);
    if (!items) draw_into(value, generator, draw);
    return assign_(op, self, apply(Overwritten{node}, value, self, from...));
  }
  draw_into(self, generator, draw);
  self.impl()->storage->bump(op, thread_state.step);
  return const_cast<Tensor&>(self);
}

/// draw(...) for the normal distribution, whose path depends on the layout of the tensor it fills.
auto normal_draw(const Tensor& t, double mean, double std) {
  return [type = t.scalar_type(), row_major = t.is_contiguous(), mean, std](RandomEngine& engine, void* out,
                                                                            int64_t n) {
    row_major ? fill_normal(engine, type, out, n, mean, std) : fill_normal_elementwise(engine, type, out, n, mean, std);
  };
}
auto uniform_draw(const Tensor& t, double from, double to) {
  return [=, type = t.scalar_type()](RandomEngine& engine, void* out, int64_t n) {
    fill_uniform(engine, type, out, n, from, to);
  };
}
auto range_draw(const Tensor& t, int64_t from, std::optional<int64_t> to) {
  return [=, type = t.scalar_type()](RandomEngine& engine, void* out, int64_t n) {
    fill_random_from(engine, type, out, n, from, to);
  };
}

}  // namespace

// ---- In place.

/// Draws complex numbers: `fill` gets tensors of them in which nobody sees a graph.
template <class Fill>
static Tensor& draw_complex(const char* op, const char* node, const Tensor& self, Fill fill) {
  check_writable(self, op);
  if (thread_state.grad_mode && tracked(self.impl())) {
    const Tensor value = empty_like(self);
    fill(value);
    return assign_(op, self, apply(Overwritten{node}, value, self));
  }
  NoGradGuard guard;
  fill(self.is_conj() ? self.conj() : self);
  return const_cast<Tensor&>(self);
}
Tensor& Tensor::uniform_(double from, double to, MaybeGenerator generator) const {
  check_defined(*this, "uniform_", "self");
  if (is_complex())
    return draw_complex("uniform_", "UniformBackward0", *this,
                        [&](const Tensor& t) { view_as_real(t).uniform_(from, to, generator); });
  return draw_inplace("uniform_", "UniformBackward0", *this, generator, uniform_draw(*this, from, to));
}
Tensor& Tensor::normal_(double mean, double std, MaybeGenerator generator) const {
  check_defined(*this, "normal_", "self");
  if (is_complex())  // each part has half of the variance
    return draw_complex("normal_", "NormalBackward0", *this, [&](const Tensor& t) {
      view_as_real(t).normal_(0, std * 0.7071067811865476, generator);
      if (mean != 0) t.add_(mean);
    });
  return draw_inplace("normal_", "NormalBackward0", *this, generator, normal_draw(*this, mean, std));
}
Tensor& Tensor::random_(MaybeGenerator generator) const {
  return draw_inplace("random_", "RandomBackward2", *this, generator,
                      [&](RandomEngine& engine, void* out, int64_t n) { fill_random(engine, scalar_type(), out, n); });
}
Tensor& Tensor::random_(int64_t to, MaybeGenerator generator) const {
  check_defined(*this, "random_", "self");
  return draw_inplace("random_", "RandomBackward1", *this, generator, range_draw(*this, 0, to));
}
Tensor& Tensor::random_(int64_t from, std::optional<int64_t> to, MaybeGenerator generator) const {
  check_defined(*this, "random_", "self");
  return draw_inplace("random_", "RandomBackward0", *this, generator, range_draw(*this, from, to));
}
Tensor& Tensor::exponential_(double lambd, MaybeGenerator generator) const {
  return draw_inplace(
      "exponential_", "ExponentialBackward0", *this, generator,
      [&](RandomEngine& engine, void* out, int64_t n) { fill_exponential(engine, scalar_type(), out, n, lambd); });
}
Tensor& Tensor::geometric_(double p, MaybeGenerator generator) const {
  return draw_inplace(
      "geometric_", "GeometricBackward0", *this, generator,
      [&](RandomEngine& engine, void* out, int64_t n) { fill_geometric(engine, scalar_type(), out, n, p); });
}
Tensor& Tensor::log_normal_(double mean, double std, MaybeGenerator generator) const {
  return draw_inplace(
      "log_normal_", "LogNormalBackward0", *this, generator,
      [&](RandomEngine& engine, void* out, int64_t n) { fill_log_normal(engine, scalar_type(), out, n, mean, std); });
}
Tensor& Tensor::cauchy_(double median, double sigma, MaybeGenerator generator) const {
  return draw_inplace("cauchy_", "CauchyBackward0", *this, generator, [&](RandomEngine& engine, void* out, int64_t n) {
    fill_cauchy(engine, scalar_type(), out, n, median, sigma);
  });
}
Tensor& Tensor::bernoulli_(double p, MaybeGenerator generator) const {
  return draw_inplace(
      "bernoulli_", "BernoulliBackward2", *this, generator,
      [&](RandomEngine& engine, void* out, int64_t n) { fill_bernoulli(engine, scalar_type(), out, n, p); });
}
Tensor& Tensor::bernoulli_(const Tensor& p, MaybeGenerator generator) const {
  check_defined(*this, "bernoulli_", "self");
  check_defined(p, "bernoulli_", "p");
  check<TypeError>(p.is_floating_point(), "bernoulli_: expected probabilities of a floating dtype, got ",
                   p.scalar_type());
  const Dims shape = broadcast_shapes(sizes(), p.sizes(), "bernoulli_");
  check(IntArrayRef(shape) == sizes(), "bernoulli_: the shape of the probabilities ", p.sizes(),
        " does not expand to that of self ", sizes());
  const Tensor order = empty_like(*this, p.scalar_type());  // the probabilities in the order in which self is filled
  {
    RawScope raw;
    kernels::copy(view_of(order), view_of(p.expand(sizes())));
  }
  return draw_inplace(
      "bernoulli_", "BernoulliBackward1", *this, generator,
      [&](RandomEngine& engine, void* out, int64_t n) {
        fill_bernoulli(engine, scalar_type(), out, n, order.scalar_type(), order.data_ptr());
      },
      p);
}

// ---- Factories.

Tensor rand(IntArrayRef size, const TensorOptions& options) { return rand(size, std::nullopt, options); }
Tensor rand(IntArrayRef size, MaybeGenerator generator, const TensorOptions& options) {
  Tensor t = undrawn(size, options, "rand");
  if (t.is_complex()) return t.data().uniform_(0, 1, std::move(generator)), t;
  draw_into(t, generator, uniform_draw(t, 0, 1));
  return t;
}
Tensor randn(IntArrayRef size, const TensorOptions& options) { return randn(size, std::nullopt, options); }
Tensor randn(IntArrayRef size, MaybeGenerator generator, const TensorOptions& options) {
  return normal(0, 1, size, std::move(generator), options);
}
Tensor normal(double mean, double std, IntArrayRef size, MaybeGenerator generator, const TensorOptions& options) {
  Tensor t = undrawn(size, options, "normal");
  if (t.is_complex()) return t.data().normal_(mean, std, std::move(generator)), t;
  draw_into(t, generator, normal_draw(t, mean, std));
  return t;
}
Tensor randint(int64_t high, IntArrayRef size, const TensorOptions& options) {
  return randint(0, high, size, std::nullopt, options);
}
Tensor randint(int64_t high, IntArrayRef size, MaybeGenerator generator, const TensorOptions& options) {
  return randint(0, high, size, std::move(generator), options);
}
Tensor randint(int64_t low, int64_t high, IntArrayRef size, const TensorOptions& options) {
  return randint(low, high, size, std::nullopt, options);
}
Tensor randint(int64_t low, int64_t high, IntArrayRef size, MaybeGenerator generator, const TensorOptions& options) {
  if (const ScalarType type = options.dtype(); is_limited(type) && is_unsigned(type))
    return randint(low, high, size, std::move(generator), options.dtype(kLong)).to(type);
  Tensor t = undrawn(size, options, "randint");
  draw_into(t, generator, range_draw(t, low, high));
  return t;
}
Tensor randperm(int64_t n, const TensorOptions& options) { return randperm(n, std::nullopt, options); }
Tensor randperm(int64_t n, MaybeGenerator generator, const TensorOptions& options) {
  check<ValueError>(n >= 0, "randperm: n must be non-negative, got ", n);
  Tensor t = undrawn({n}, options, "randperm");
  draw_into(t, generator, [&](RandomEngine& engine, void* out, int64_t count) {
    int64_t i = 0;
    do
      fill_randperm(engine, t.scalar_type(), static_cast<char*>(out) + i * t.element_size(),
                    n);  // an order for each item
    while ((i += n) < count);
  });
  return t;
}

Tensor rand_like(const Tensor& self, const TensorOptions& options, std::optional<MemoryFormat> format) {
  Tensor t = undrawn_like(self, options, format, "rand_like");
  if (t.is_complex()) return t.data().uniform_(), t;
  draw_into(t, std::nullopt, uniform_draw(t, 0, 1));
  return t;
}
Tensor randn_like(const Tensor& self, const TensorOptions& options, std::optional<MemoryFormat> format) {
  Tensor t = undrawn_like(self, options, format, "randn_like");
  if (t.is_complex()) return t.data().normal_(), t;
  draw_into(t, std::nullopt, normal_draw(t, 0, 1));
  return t;
}
Tensor randint_like(const Tensor& self, int64_t high, const TensorOptions& options,
                    std::optional<MemoryFormat> format) {
  return randint_like(self, 0, high, options, format);
}
Tensor randint_like(const Tensor& self, int64_t low, int64_t high, const TensorOptions& options,
                    std::optional<MemoryFormat> format) {
  Tensor t = undrawn_like(self, options, format, "randint_like");
  draw_into(t, std::nullopt, range_draw(t, low, high));
  return t;
}

// ---- Drawn from distributions that tensors describe.

Tensor bernoulli(const Tensor& p, MaybeGenerator generator) {
  check_defined(p, "bernoulli", "p");
  const AsDry as(p);
  const Tensor value = drawn_from("bernoulli", p.detach(), [&](const Tensor& all) {
    NoGradGuard guard;
    return empty(all.sizes(), all.scalar_type()).bernoulli_(all, generator);
  });
  return apply(Overwritten{"BernoulliBackward0"}, value, p);
}
Tensor bernoulli(const Tensor& self, double p, MaybeGenerator generator) {
  check_defined(self, "bernoulli", "self");
  const AsDry as(self);
  if (thread_state.level) return undrawn_like(self, {}, std::nullopt, "bernoulli").bernoulli_(p, std::move(generator));
  return empty(self.sizes(), self.scalar_type()).bernoulli_(p, std::move(generator));
}
Tensor Tensor::bernoulli(double p, MaybeGenerator generator) const {
  return taut::bernoulli(*this, p, std::move(generator));
}
Tensor Tensor::bernoulli(MaybeGenerator generator) const { return taut::bernoulli(*this, std::move(generator)); }

/// mean + std z for tensors of both, in the dtype and memory of `z`.
static Tensor scaled_normal(const Tensor& z, const Tensor* mean, const Tensor* std, MaybeGenerator generator) {
  RawScope raw;
  if (std && !no_data(*std) && !is_batched(*std))
    check<ValueError>((*std >= Scalar(0)).all().item<bool>(), "normal: expects all elements of std >= 0.0");
  draw_into(z, generator, normal_draw(z, 0, 1));
  if (thread_state.level) {  // z may be the same for all items, and what is made of it not
    const Tensor scaled = std ? z * *std : z;
    return mean ? scaled + *mean : scaled;
  }
  if (std) z.mul_(*std);
  if (mean) z.add_(*mean);
  return z;
}
static void check_normal(const Tensor& t, const char* argument) {
  check_defined(t, "normal", argument);
  check<TypeError>(t.is_floating_point(), "normal: not implemented for ", t.scalar_type(), ". Convert ", argument,
                   " first: x.to(taut::kFloat).");
}
Tensor normal(const Tensor& mean, double std, MaybeGenerator generator) {
  const AsDry as(mean);
  check_normal(mean, "mean");
  Tensor value = normal(0, std, mean.sizes(), std::move(generator), mean.scalar_type());
  {
    RawScope raw;
    if (thread_state.level) value = value + mean;
    else value.add_(mean);
  }
  return apply(Overwritten{"NormalBackward1"}, value, mean);
}
Tensor normal(double mean, const Tensor& std, MaybeGenerator generator) {
  const AsDry as(std);
  check_normal(std, "std");
  const Tensor center = full({}, mean, std.scalar_type());
  return apply(Overwritten{"NormalBackward2"},
               scaled_normal(undrawn(std.sizes(), std.scalar_type(), "normal"), &center, &std, std::move(generator)),
               std);
}
Tensor normal(const Tensor& mean, const Tensor& std, MaybeGenerator generator) {
  const AsDry as(mean);
  check_normal(mean, "mean");
  check_defined(std, "normal", "std");
  const Dims shape = broadcast_shapes(mean.sizes(), std.sizes(), "normal");
  return apply(Overwritten{"NormalBackward3"},
               scaled_normal(undrawn(shape, mean.scalar_type(), "normal"), &mean, &std, std::move(generator)), mean,
               std);
}

Tensor multinomial(const Tensor& self, int64_t num_samples, bool replacement, MaybeGenerator generator) {
  check_defined(self, "multinomial", "self");
  check<TypeError>(self.is_floating_point(), "multinomial: only supports floating-point dtypes for input, got ",
                   self.scalar_type());
  check(self.dim() == 1 || self.dim() == 2, "multinomial: prob_dist must be 1 or 2 dim, got shape ", self.sizes());
  const int64_t categories = self.size(-1), rows = self.dim() == 2 ? self.size(0) : 1;
  check<ValueError>(num_samples > 0, "multinomial: cannot sample n_sample <= 0 samples, got ", num_samples);
  check<ValueError>(replacement || num_samples <= categories,
                    "multinomial: cannot sample n_sample > prob_dist.size(-1) samples without replacement: ",
                    num_samples, " of ", categories);
  RawScope raw;
  if (thread_state.level || is_batched(self))
    return drawn_from("multinomial", self, [&](const Tensor& all) {
      Dims sizes(all.sizes());
      sizes.back() = num_samples;
      return multinomial(all.reshape({-1, categories}), num_samples, replacement, generator).view(sizes);
    });
  RandomEngine& engine = generator ? generator->engine() : default_generator().engine();
  const Tensor result = self.dim() == 2 ? empty({rows, num_samples}, kLong) : empty({num_samples}, kLong);
  if (const Tensor race = empty_like(self); !race.is_contiguous() && !(replacement && num_samples > 1)) {
    // PyTorch draws one number for each weight in order of address, here column after column.
    check<ValueError>(no_data(self) || (self.isfinite() & (self >= Scalar(0))).all().item<bool>(),
                      "multinomial: probability tensor contains either `inf`, `nan` or element < 0");
    check<ValueError>(no_data(self) || (self.sum(-1) > Scalar(0)).all().item<bool>(),
                      "multinomial: invalid multinomial distribution (sum of probabilities <= 0)");
    race.exponential_(1, generator);
    const Tensor score = self / race;
    if (num_samples == 1) return score.argmax(-1, true);
    return std::get<1>(score.topk(num_samples));
  }
  if (no_data(self)) return make_dry(result.sizes(), kLong);
  const Tensor weights = self.contiguous();
  std::lock_guard lock(engine.mutex);
  multinomial(engine, self.scalar_type(), weights.data_ptr(), rows, categories, num_samples, replacement,
              result.data_ptr<int64_t>());
  return result;
}
Tensor Tensor::multinomial(int64_t num_samples, bool replacement, MaybeGenerator generator) const {
  return taut::multinomial(*this, num_samples, replacement, std::move(generator));
}

namespace {

/// One number of a Poisson distribution: few of them as the length of a product of draws that stays above exp(-rate),
/// many by Hörmann's transformed rejection (1993).
double draw_poisson(double rate, RandomEngine& engine) {
  check<ValueError>(rate >= 0, "poisson: invalid Poisson rate, expected rate to be non-negative, got ", rate);
  const auto draw = [&] { return draw_uniform(engine); };
  if (rate == 0) return 0;
  if (rate < 10) {
    const double end = maths::exp(-rate);
    int64_t n = 0;
    for (double product = draw(); product > end; product *= draw()) ++n;
    return static_cast<double>(n);
  }
  const double root = std::sqrt(rate), b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), inside = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = draw() - 0.5, v = draw(), us = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / us + b) * u + rate + 0.43);
    if (us >= 0.07 && v <= inside) return k;
    if (k < 0 || (us < 0.013 && v > us)) continue;
    if (maths::log(v) + maths::log(inverse_alpha) - maths::log(a / (us * us) + b) <=
        -rate + k * maths::log(rate) - special::lgamma(k + 1))
      return k;
  }
}

/// What Stirling's formula leaves of log(k!).
double stirling_tail(double k) {
  constexpr double first[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983, 0.02079067210376509,
                              0.0166446911898211,  0.0138761288230707, 0.0118967099458917, 0.0104112652619720,
                              0.00925546218271273, 0.00833056343336287};
  if (k <= 9) return first[static_cast<size_t>(k)];
  const double square = (k + 1) * (k + 1);
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}
/// One number of a binomial distribution with p <= 1/2: the gaps between successes summed, or, where there are many,
/// Hörmann's rejection again. What follows from the parameters alone has their precision, as in PyTorch.
template <class T>
T draw_binomial_half(T count, T p, RandomEngine& engine) {
  const auto draw = [&] { return draw_uniform(engine); };
  if (count * p < 10) {
    const double scale = static_cast<T>(maths::log1p(-p));
    double sum = 0;
    T n = 0;
    for (;;) {
      sum += std::ceil(maths::log(draw()) / scale);
      if (sum > count) return n;
      n = n + 1;
    }
  }
  const double deviation = std::sqrt(count * p * (1 - p)), b = 1.15 + 2.53 * deviation;
  const double a = -0.0873 + 0.0248 * b + 0.01 * p, c = count * p + 0.5, inside = 0.92 - 4.2 / b, r = p / (1 - p);
  const double alpha = (2.83 + 5.1 / b) * deviation, m = std::floor((count + 1) * p);
  for (;;) {
    const double u = draw() - 0.5;
    double v = draw();
    const double us = 0.5 - std::abs(u);
    const T k = static_cast<T>(std::floor((2 * a / us + b) * u + c));
    if (k < 0 || k > count) continue;
    if (us >= 0.07 && v <= inside) return k;
    v = maths::log(v * alpha / (a / (us * us) + b));
    const double bound = (m + 0.5) * maths::log((m + 1) / (r * (count - m + 1))) +
                         (count + 1) * maths::log((count - m + 1) / (count - k + 1)) +
                         (k + 0.5) * maths::log(r * (count - k + 1) / (k + 1)) + stirling_tail(m) +
                         stirling_tail(count - m) - stirling_tail(k) - stirling_tail(count - k);
    if (v <= bound) return k;
  }
}
template <class T>
T draw_binomial(T count, T p, RandomEngine& engine) {
  if (std::isnan(count) || std::isnan(p)) return static_cast<T>(std::nan(""));
  if (count <= 0 || p <= 0) return 0;
  if (p >= 1) return count;
  if (p <= T(0.5)) return draw_binomial_half(count, p, engine);
  return count - draw_binomial_half(count, static_cast<T>(1 - p), engine);
}

/// A tensor like `x` of numbers drawn by f(engine, i), element after element.
template <class F>
Tensor drawn_each(const Tensor& x, const MaybeGenerator& generator, F f) {
  RandomEngine& engine = generator ? generator->engine() : default_generator().engine();
  const Tensor y = empty(x.sizes(), kDouble);
  if (no_data(x)) return make_dry(x.sizes(), x.scalar_type());
  double* out = y.data_ptr<double>();
  const std::lock_guard lock(engine.mutex);
  for (int64_t i = 0; i < y.numel(); ++i) out[i] = f(engine, i);
  return y.to(x.scalar_type());
}

}  // namespace

Tensor poisson(const Tensor& self, MaybeGenerator generator) {
  check_defined(self, "poisson", "self");
  check<TypeError>(self.is_floating_point(), "poisson: not implemented for '", self.scalar_type(),
                   "'. Convert first: x.to(taut::kFloat).");
  const Tensor drawn = drawn_from("poisson", self.detach(), [&](const Tensor& all) {
    const Tensor rates = all.to(kDouble).contiguous();
    const auto* rate = static_cast<const double*>(rates.data_ptr());
    return drawn_each(all, generator, [=](RandomEngine& engine, int64_t i) { return draw_poisson(rate[i], engine); });
  });
  return apply(Overwritten{"PoissonBackward0"}, drawn, self);
}
Tensor binomial(const Tensor& count, const Tensor& prob, MaybeGenerator generator) {
  check_defined(count, "binomial", "count");
  check_defined(prob, "binomial", "prob");
  check<TypeError>(count.is_floating_point() && prob.scalar_type() == count.scalar_type(),
                   "binomial: count and prob must be floats of one dtype, got ", count.scalar_type(), " and ",
                   prob.scalar_type());
  RawScope raw;
  if (thread_state.level || is_batched(count) || is_batched(prob))
    return drawn_from("binomial", stack(broadcast_tensors({count, prob}), -1),
                      [&](const Tensor& all) { return binomial(all.select(-1, 0), all.select(-1, 1), generator); });
  const auto both = broadcast_tensors({count, prob});
  const auto draw = [&](auto tag) {
    using T = decltype(tag);
    const Tensor counts = both[0].to(dtype_of<T>).contiguous(), probs = both[1].to(dtype_of<T>).contiguous();
    const auto *n = static_cast<const T*>(counts.data_ptr()), *p = static_cast<const T*>(probs.data_ptr());
    return drawn_each(both[0], generator, [=](RandomEngine& engine, int64_t i) {
      return static_cast<double>(draw_binomial(n[i], p[i], engine));
    });
  };
  return count.scalar_type() == kDouble ? draw(double{}) : draw(float{});
}

// ---- Noise in networks.

std::tuple<Tensor, Tensor> native_dropout(const Tensor& input, double p, std::optional<bool> train) {
  check_defined(input, "native_dropout");
  if (input.numel() == 0) return {input, empty_like(input)};
  if (train && !*train) return {input.clone(), ones_like(input, kBool)};
  check<TypeError>(input.is_floating_point() || input.is_complex(),
                   "native_dropout: result type Float can't be cast to the desired output type ", input.scalar_type(),
                   ". Convert the input first: x.to(taut::kFloat).");
  const Tensor kept =
      bernoulli(thread_state.level ? undrawn_like(input, {}, std::nullopt, "dropout") : empty_like(input), 1 - p);
  return {input * kept * (p == 1 ? 0 : 1 / (1 - p)), kept.to(kBool)};
}

Tensor dropout(const Tensor& input, double p, bool train) {
  check_defined(input, "dropout");
  check<ValueError>(p >= 0 && p <= 1, "dropout: dropout probability has to be between 0 and 1, but got ", p);
  if (p == 0 || !train || input.numel() == 0) return input;
  if (p == 1) return input * zeros({}, input.scalar_type());
  check<TypeError>(input.is_floating_point(), "dropout: result type Float can't be cast to the desired output type ",
                   input.scalar_type(), ". Convert the input first: x.to(taut::kFloat).");
  const Tensor mask = undrawn_like(input, {}, std::nullopt, "dropout");
  draw_into(mask, std::nullopt,
            [&](RandomEngine& engine, void* out, int64_t n) { fill_dropout(engine, mask.scalar_type(), out, n, p); });
  return input * mask;
}

namespace {

/// rrelu in training: `slopes` are the drawn ones, 1 where x > 0. The result was computed with slopes in full
/// precision.
struct Rrelu {
  static constexpr const char* name = "rrelu";
  static constexpr const char* node = "RreluWithNoiseBackward0";
  static constexpr unsigned reads[] = {kInput(1)};
  Tensor forward(const Tensor&, const Tensor&, const Tensor& y) const { return alias(y, y.sizes(), y.strides()); }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const { return i == 0 ? g * s.input(1) : Tensor(); }
};

void check_rrelu(const Tensor& self, double lower, double upper) {
  check_defined(self, "rrelu", "self");
  check<TypeError>(self.is_floating_point(), "rrelu: not implemented for ", self.scalar_type());
  check<ValueError>(std::isfinite(lower) && std::isfinite(upper), "rrelu: the bounds must be finite, got ", lower,
                    " and ", upper);
  check<ValueError>(lower <= upper, "rrelu: Lower bound should be less than or equal to the upper bound, got ", lower,
                    " and ", upper);
}

Tensor rrelu_training(const Tensor& self, double lower, double upper, const MaybeGenerator& generator) {
  const bool wide = self.scalar_type() == kDouble;
  Tensor slopes, y;
  if (no_data(self)) return apply(Rrelu{}, self, empty_like(self), empty_like(self));
  {
    RawScope raw;
    const Tensor x = self.to(kDouble).contiguous();
    const Tensor negative = x <= Scalar(0);
    Tensor draws = empty({negative.sum().item<int64_t>()}, kDouble);
    if (!wide) lower = static_cast<float>(lower), upper = static_cast<float>(upper);
    draw_into(draws, generator, uniform_draw(draws, lower, upper));
    Tensor exact = ones(self.sizes(), wide ? kDouble : kFloat);
    exact = exact.masked_scatter(negative, draws.to(exact.scalar_type()));
    y = (self.to(exact.scalar_type()) * exact).to(self.scalar_type());
    slopes = exact.to(self.scalar_type());
  }
  return apply(Rrelu{}, self, slopes, y);
}

}  // namespace

Tensor rrelu(const Tensor& self, const Scalar& lower, const Scalar& upper, bool training, MaybeGenerator generator) {
  const double low = lower.toDouble(), high = upper.toDouble();
  check_rrelu(self, low, high);
  if (training) return rrelu_training(self, low, high, generator);
  return pointwise(formula::rrelu_op, formula::RreluWithNoise{(low + high) / 2}, self);
}
Tensor& rrelu_(Tensor& self, const Scalar& lower, const Scalar& upper, bool training, MaybeGenerator generator) {
  const double low = lower.toDouble(), high = upper.toDouble();
  check_rrelu(self, low, high);
  if (!training) return pointwise_("rrelu_", formula::rrelu_op, formula::RreluWithNoise{(low + high) / 2}, self);
  return in_place("rrelu_", self, [&](const Tensor& x) { return rrelu_training(x, low, high, generator); });
}

// ---- The registry. Samples only where the result does not depend on the numbers drawn.

extern const OpEntry random_ops[];
extern const size_t random_ops_count;
using MaybeDtype = std::optional<ScalarType>;
/// The row of an op that fills `out` with normal numbers: which ones depends on its layout.
template <class F>
constexpr OpEntry drawn_into(OpEntry row, F) {
  row.into = [](const Value* args, size_t, const Tensor& out) { return !out.is_contiguous() && F{}(args, out); };
  return row;
}
static bool normal_into(const Value* args, const Tensor& out, const Value& size, double mean, double std) {
  if (!out.is_floating_point() || IntArrayRef(size.to_ints()) != out.sizes()) return false;
  if (!args[1].is_none() && args[1].to_dtype() != out.scalar_type()) return false;
  out.normal_(mean, std, detail::Unboxed<MaybeGenerator>(args[0]));
  return true;
}
/// The same for tensors of means, of deviations or of both, where `out` is such a result.
static bool normal_into(const Tensor& out, IntArrayRef shape, const Tensor& like, const Tensor* mean, const Tensor* std,
                        const Value& generator) {
  if (!out.is_floating_point() || shape != out.sizes() || like.scalar_type() != out.scalar_type()) return false;
  scaled_normal(out, mean, std, detail::Unboxed<MaybeGenerator>(generator));
  return true;
}
const OpEntry random_ops[] = {
    doc("Numbers drawn evenly from [0, 1).",
        op("rand(int[] size, *, Generator? generator=None, ScalarType? dtype=None) -> Tensor", "[0, 3]",
           [](IntArrayRef size, MaybeGenerator g, MaybeDtype dtype) {
             return rand(size, std::move(g), options_of(dtype));
           })),
    doc("Numbers drawn from the normal distribution of mean 0 and variance 1.",
        drawn_into(op("randn(int[] size, *, Generator? generator=None, ScalarType? dtype=None) -> Tensor", "[0, 3]",
                      [](IntArrayRef size, MaybeGenerator g, MaybeDtype dtype) {
                        return randn(size, std::move(g), options_of(dtype));
                      }),
                   [](const Value* args, const Tensor& out) { return normal_into(args + 1, out, args[0], 0, 1); })),
    doc("Whole numbers drawn evenly from [low, high).",
        op("randint(int high, int[] size, *, Generator? generator=None, ScalarType? dtype=int64) -> Tensor",
           "1, [2, 3]\n5, [0]",
           [](int64_t high, IntArrayRef size, MaybeGenerator g, MaybeDtype dtype) {
             return randint(0, high, size, std::move(g), dtype.value_or(kLong));
           })),
    op("randint.low(int low, int high, int[] size, *, Generator? generator=None, ScalarType? dtype=int64) -> Tensor",
       "3, 4, [2, 3]\n-5, -4, []\n1, 9, [0]",
       [](int64_t low, int64_t high, IntArrayRef size, MaybeGenerator g, MaybeDtype dtype) {
         return randint(low, high, size, std::move(g), dtype.value_or(kLong));
       }),
    doc("The numbers from 0 to n - 1 in random order.",
        op("randperm(int n, *, Generator? generator=None, ScalarType? dtype=int64) -> Tensor", "0\n1",
           [](int64_t n, MaybeGenerator g, MaybeDtype dtype) {
             return randperm(n, std::move(g), dtype.value_or(kLong));
           })),
    doc("Numbers drawn evenly from [0, 1), in the shape of self.",
        function(no_out(op("rand_like(Tensor self, *, ScalarType? dtype=None) -> Tensor", "t(0, 3)",
                           [](const Tensor& self, MaybeDtype dtype) { return rand_like(self, options_of(dtype)); })))),
    doc("Numbers drawn from the standard normal distribution, in the shape of self.",
        function(no_out(op("randn_like(Tensor self, *, ScalarType? dtype=None) -> Tensor", "t(0, 3)",
                           [](const Tensor& self, MaybeDtype dtype) { return randn_like(self, options_of(dtype)); })))),
    doc("Whole numbers drawn evenly from [low, high), in the shape of self.",
        function(no_out(op("randint_like(Tensor self, int high, *, ScalarType? dtype=None) -> Tensor",
                           "t(2, 3), 1\ni(0, 5, 3), 1\nt(0), 3",
                           [](const Tensor& self, int64_t high, MaybeDtype dtype) {
                             return randint_like(self, high, options_of(dtype));
                           })))),
    function(no_out(op("randint_like.low_dtype(Tensor self, int low, int high, *, ScalarType? dtype=None) -> Tensor",
                       "t(2, 3), 3, 4\ni(0, 5, 3), -2, -1",
                       [](const Tensor& self, int64_t low, int64_t high, MaybeDtype dtype) {
                         return randint_like(self, low, high, options_of(dtype));
                       }))),
    doc("1 with the probability that each element (or p) gives, else 0.",
        out<Out::CastsAnyway>(op("bernoulli(Tensor self, *, Generator? generator=None) -> Tensor",
                                 "z(2)\nc([[0.0, 1.0], [1.0, 0.0]])\nt(0, 3)\nc(1.0)",
                                 [](const Tensor& p, MaybeGenerator g) { return bernoulli(p, std::move(g)); }))),
    no_out(op("bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor",
              "c([[2.0, 3.0]]), 1.0\nc([2, 3]), 0.0",
              [](const Tensor& self, double p, MaybeGenerator g) { return bernoulli(self, p, std::move(g)); })),
    doc("Indices drawn with probabilities in proportion to each row of weights.",
        out_same(op(
            "multinomial(Tensor self, int num_samples, bool replacement=False, *, Generator? generator=None) -> Tensor",
            "c([0.0, 3.0, 0.0]), 1\nc([[0.0, 1.0], [2.0, 0.0]]), 4, True",
            [](const Tensor& self, int64_t n, bool replacement, MaybeGenerator g) {
              return multinomial(self, n, replacement, std::move(g));
            }))),
    doc("Whole numbers drawn from Poisson distributions of these rates.",
        function(
            no_out(op("poisson(Tensor self, Generator? generator=None) -> Tensor", "c([0.0, 0.0])\nt(0, 3)\nc([-1.0])",
                      [](const Tensor& self, MaybeGenerator g) { return poisson(self, std::move(g)); })))),
    doc("How many of count tries succeed, each with probability prob.",
        function(no_out(op("binomial(Tensor count, Tensor prob, Generator? generator=None) -> Tensor",
                           "c([3.0, 4.0]), c([0.0, 1.0])\nt(0), t(0)",
                           [](const Tensor& count, const Tensor& prob, MaybeGenerator g) {
                             return binomial(count, prob, std::move(g));
                           })))),
    doc("dropout, and which elements are left.",
        function(no_out(
            op("native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)",
               "t(2, 3), 0.5, False\nt(2, 3), 0.0, True\nt(2, 3), 1.0, True",
               [](const Tensor& x, double p, std::optional<bool> train) { return native_dropout(x, p, train); })))),
    doc("Numbers drawn from normal distributions of these means and deviations.",
        drawn_into(
            op("normal.Tensor_float(Tensor mean, float std=1, *, Generator? generator=None) -> Tensor", "t(0, 3)",
               [](const Tensor& mean, double std, MaybeGenerator g) { return normal(mean, std, std::move(g)); }),
            [](const Value* args, const Tensor& out) {
              const Tensor mean = args[0].to_tensor();
              if (!out.is_floating_point() || mean.sizes() != out.sizes() || mean.scalar_type() != out.scalar_type())
                return false;
              RawScope raw;
              out.normal_(0, args[1].to_double(), detail::Unboxed<MaybeGenerator>(args[2])).add_(mean);
              return true;
            })),
    drawn_into(op("normal.float_Tensor(float mean, Tensor std, *, Generator? generator=None) -> Tensor", "1.5, t(0, 3)",
                  [](double mean, const Tensor& std, MaybeGenerator g) { return normal(mean, std, std::move(g)); }),
               [](const Value* args, const Tensor& out) {
                 const Tensor std = args[1].to_tensor(), mean = full({}, args[0].to_double(), std.scalar_type());
                 return normal_into(out, std.sizes(), std, &mean, &std, args[2]);
               }),
    drawn_into(
        op("normal.Tensor_Tensor(Tensor mean, Tensor std, *, Generator? generator=None) -> Tensor", "t(0, 1), p(3)",
           [](const Tensor& mean, const Tensor& std, MaybeGenerator g) { return normal(mean, std, std::move(g)); }),
        [](const Value* args, const Tensor& out) {
          const Tensor mean = args[0].to_tensor(), std = args[1].to_tensor();
          const Dims shape = broadcast_shapes(mean.sizes(), std.sizes(), "normal");
          return normal_into(out, shape, mean, &mean, &std, args[2]);
        }),
    drawn_into(op("normal.float_float(float mean, float std, int[] size, *, Generator? generator=None, ScalarType? "
                  "dtype=None) -> Tensor",
                  "1.5, 0.0, [2, 3]\n1.0, 2.0, [0]",
                  [](double mean, double std, IntArrayRef size, MaybeGenerator g, MaybeDtype dtype) {
                    return normal(mean, std, size, std::move(g), options_of(dtype));
                  }),
               [](const Value* args, const Tensor& out) {
                 return normal_into(args + 3, out, args[2], args[0].to_double(), args[1].to_double());
               }),
    doc("Zeroes each element with probability p and scales the others by 1 / (1 - p), while training.",
        no_out(op<dropout>("dropout(Tensor input, float p, bool train) -> Tensor",
                           "t(2, 3), 0.5, False\nt(4), 0.0, True\nt(2, 3), 1.0, True\nt(0), 0.5, True"))),
    doc("Leaky relu whose slope is drawn from [lower, upper) while training, their mean otherwise.",
        function(no_out(op<rrelu, rrelu_>(
            "rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.3333333333333333, bool training=False, Generator? "
            "generator=None) -> Tensor",
            "t(2, 3)\nt(4), 0.1, 0.2\nt()\nt(0, 3)")))),
    doc("Fills with numbers drawn evenly from [from, to).",
        op("uniform_(Tensor self, float from=0, float to=1, *, Generator? generator=None) -> Tensor", "",
           [](Tensor& self, double from, double to, MaybeGenerator g) -> Tensor& {
             return self.uniform_(from, to, std::move(g));
           })),
    doc("Fills with numbers drawn from a normal distribution.",
        op("normal_(Tensor self, float mean=0, float std=1, *, Generator? generator=None) -> Tensor", "",
           [](Tensor& self, double mean, double std, MaybeGenerator g) -> Tensor& {
             return self.normal_(mean, std, std::move(g));
           })),
    doc("Fills with whole numbers drawn evenly from a range.",
        op("random_(Tensor self, *, Generator? generator=None) -> Tensor", "",
           [](Tensor& self, MaybeGenerator g) -> Tensor& { return self.random_(std::move(g)); })),
    op("random_.to(Tensor self, int to, *, Generator? generator=None) -> Tensor", "",
       [](Tensor& self, int64_t to, MaybeGenerator g) -> Tensor& { return self.random_(to, std::move(g)); }),
    op("random_.from(Tensor self, int from, int? to, *, Generator? generator=None) -> Tensor", "",
       [](Tensor& self, int64_t from, std::optional<int64_t> to, MaybeGenerator g) -> Tensor& {
         return self.random_(from, to, std::move(g));
       }),
    doc("Fills with 1, with probability p, and 0.",
        op("bernoulli_.Tensor(Tensor self, Tensor p, *, Generator? generator=None) -> Tensor", "",
           [](Tensor& self, const Tensor& p, MaybeGenerator g) -> Tensor& {
             return self.bernoulli_(p, std::move(g));
           })),
    op("bernoulli_.float(Tensor self, float p=0.5, *, Generator? generator=None) -> Tensor", "",
       [](Tensor& self, double p, MaybeGenerator g) -> Tensor& { return self.bernoulli_(p, std::move(g)); }),
    doc("Fills with numbers drawn from the exponential distribution of rate lambd.",
        op("exponential_(Tensor self, float lambd=1, *, Generator? generator=None) -> Tensor", "",
           [](Tensor& self, double lambd, MaybeGenerator g) -> Tensor& {
             return self.exponential_(lambd, std::move(g));
           })),
    doc("Fills with how many trials of probability p it took to succeed.",
        op("geometric_(Tensor self, float p, *, Generator? generator=None) -> Tensor", "",
           [](Tensor& self, double p, MaybeGenerator g) -> Tensor& { return self.geometric_(p, std::move(g)); })),
    doc("Fills with the exponentials of numbers drawn from a normal distribution.",
        op("log_normal_(Tensor self, float mean=1, float std=2, *, Generator? generator=None) -> Tensor", "",
           [](Tensor& self, double mean, double std, MaybeGenerator g) -> Tensor& {
             return self.log_normal_(mean, std, std::move(g));
           })),
    doc("Fills with numbers drawn from a Cauchy distribution.",
        op("cauchy_(Tensor self, float median=0, float sigma=1, *, Generator? generator=None) -> Tensor", "",
           [](Tensor& self, double median, double sigma, MaybeGenerator g) -> Tensor& {
             return self.cauchy_(median, sigma, std::move(g));
           })),
};
const size_t random_ops_count = std::size(random_ops);

}  // namespace taut
