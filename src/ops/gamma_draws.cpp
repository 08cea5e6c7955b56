// Numbers drawn from gamma and Dirichlet distributions, and how they move with their parameters.
#include <cmath>

#include "core/random.h"
#include "kernels/implicit_gradient.h"
#include "ops/op.h"
#include "ops/registry.h"
#include "taut/core/maths.h"
#include "taut/ops/distribution.h"

namespace taut {

namespace {

/// By Marsaglia and Tsang's rejection (2000); a shape below 1 is that of one more, times a power of a uniform number.
/// PyTorch's constants are those of float32, and what it computes of the shape alone has the precision of the shape.
template <class T>
double draw_gamma(T shape, RandomEngine& engine) {
  constexpr float third = 1.0F / 3.0F, squeeze = 0.0331F;
  double scale = 1;
  if (shape < 1) {
    if (shape == 0) return 0;
    scale = maths::pow(1 - draw_uniform(engine), 1 / shape);
    shape += 1;
  }
  const double d = shape - third, c = 1 / std::sqrt(9 * d);
  for (;;) {
    double x, y;
    do {
      x = draw_normal(engine);
      y = 1 + c * x;
    } while (y <= 0);
    const double v = y * y * y, u = 1 - draw_uniform(engine), square = x * x;
    if (u < 1 - squeeze * square * square || maths::log(u) < 0.5 * square + d * (1 - v + maths::log(v)))
      return scale * d * v;
  }
}

void check_shapes(const char* op, const Tensor& x) {
  check_defined(x, op, "self");
  check<NotImplementedError>(x.scalar_type() == kFloat || x.scalar_type() == kDouble, op, ": not implemented for '",
                             x.scalar_type(), "'. Convert first: x.to(taut::kFloat).");
}

/// One number for each shape, in order, as doubles.
template <class T>
Tensor gamma_numbers(const Tensor& shapes, const std::optional<Generator>& generator) {
  const Tensor in = shapes.to(dtype_of<T>).contiguous(), out = empty(shapes.sizes(), kDouble);
  const auto* shape = static_cast<const T*>(in.data_ptr());
  auto* drawn = static_cast<double*>(out.data_ptr());
  RandomEngine& engine = generator ? generator->engine() : default_generator().engine();
  const std::lock_guard lock(engine.mutex);
  for (int64_t i = 0; i < out.numel(); ++i) drawn[i] = draw_gamma(shape[i], engine);
  return out;
}
double smallest(ScalarType type) { return type == kDouble ? 0x1p-1022 : 0x1p-126; }
/// The largest number below 1.
double below_one(ScalarType type) { return 1 - (type == kDouble ? 0x1p-53 : 0x1p-24); }

/// The gradient of a drawn number, a function of doubles; it has no derivative itself.
struct ShapeGradient {
  static constexpr const char* name = "_standard_gamma_grad";
  Tensor forward(const Tensor& shape, const Tensor& x) const {
    const Dims sizes = broadcast_shapes(shape.sizes(), x.sizes(), name);
    if (no_data(shape) || no_data(x)) return make_dry(sizes, shape.scalar_type());
    const Tensor a = shape.to(kDouble).expand(sizes).contiguous(), b = x.to(kDouble).expand(sizes).contiguous();
    const Tensor y = empty(sizes, kDouble);
    const auto *p = static_cast<const double*>(a.data_ptr()), *q = static_cast<const double*>(b.data_ptr());
    auto* out = static_cast<double*>(y.data_ptr());
    for (int64_t i = 0; i < y.numel(); ++i) out[i] = implicit::gamma_by_shape(p[i], q[i]);
    return y.to(shape.scalar_type());
  }
};
struct DirichletGradient {
  static constexpr const char* name = "_dirichlet_grad";
  Tensor forward(const Tensor& x, const Tensor& alpha, const Tensor& total) const {
    const Dims sizes = broadcast_shapes(broadcast_shapes(x.sizes(), alpha.sizes(), name), total.sizes(), name);
    if (no_data(x) || no_data(alpha) || no_data(total)) return make_dry(sizes, x.scalar_type());
    return x.scalar_type() == kDouble ? computed<double>(sizes, x, alpha, total)
                                      : computed<float>(sizes, x, alpha, total).to(x.scalar_type());
  }
  template <class T>
  static Tensor computed(IntArrayRef sizes, const Tensor& x, const Tensor& alpha, const Tensor& total) {
    const auto wide = [&](const Tensor& t) { return t.to(dtype_of<T>).expand(sizes).contiguous(); };
    const Tensor a = wide(x), b = wide(alpha), c = wide(total), y = empty(sizes, dtype_of<T>);
    const auto *p = static_cast<const T*>(a.data_ptr()), *q = static_cast<const T*>(b.data_ptr()),
               *r = static_cast<const T*>(c.data_ptr());
    auto* out = static_cast<T*>(y.data_ptr());
    for (int64_t i = 0; i < y.numel(); ++i) out[i] = implicit::beta_by_alpha(p[i], q[i], r[i]);
    return y;
  }
};

/// Drawn numbers as a function of their shapes.
struct DrawnGamma {
  static constexpr const char* name = "_standard_gamma";
  static constexpr const char* node = "StandardGammaBackward0";
  static constexpr unsigned reads[] = {0, kInput(0) | kInput(1)};
  Tensor forward(const Tensor& value, const Tensor&) const { return alias(value, value.sizes(), value.strides()); }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    return i == 0 ? Tensor() : g * _standard_gamma_grad(s.input(1), s.input(0));
  }
};
struct DrawnDirichlet {
  static constexpr const char* name = "_sample_dirichlet";
  static constexpr const char* node = "_DirichletBackward";
  static constexpr unsigned reads[] = {0, kInput(0) | kInput(1)};
  Tensor forward(const Tensor& value, const Tensor&) const { return alias(value, value.sizes(), value.strides()); }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    if (i == 0) return {};
    const Tensor x = s.input(0), shape = s.input(1);
    return _dirichlet_grad(x, shape, shape.sum(-1, true)) * (g - (x * g).sum(-1, true));
  }
};

}  // namespace

Tensor _standard_gamma_grad(const Tensor& self, const Tensor& output) {
  check_shapes("_standard_gamma_grad", self);
  check_shapes("_standard_gamma_grad", output);
  return apply(ShapeGradient{}, self, output);
}
Tensor _dirichlet_grad(const Tensor& x, const Tensor& alpha, const Tensor& total) {
  for (const Tensor* t : {&x, &alpha, &total}) check_shapes("_dirichlet_grad", *t);
  return apply(DirichletGradient{}, x, alpha, total);
}

Tensor _standard_gamma(const Tensor& self, std::optional<Generator> generator) {
  check_shapes("_standard_gamma", self);
  if (no_data(self)) return apply(DrawnGamma{}, make_dry(self.sizes(), self.scalar_type()), self);
  Tensor value;
  {
    RawScope raw;
    const Tensor drawn =
        self.scalar_type() == kDouble ? gamma_numbers<double>(self, generator) : gamma_numbers<float>(self, generator);
    value = drawn.to(self.scalar_type()).clamp_min(smallest(self.scalar_type()));
  }
  return apply(DrawnGamma{}, value, self);
}
Tensor _sample_dirichlet(const Tensor& self, std::optional<Generator> generator) {
  check_shapes("_sample_dirichlet", self);
  if (no_data(self)) return apply(DrawnDirichlet{}, make_dry(self.sizes(), self.scalar_type()), self);
  Tensor value;
  {
    RawScope raw;
    const Tensor drawn = gamma_numbers<double>(self, generator);
    const ScalarType type = self.scalar_type();
    value = (drawn / drawn.sum(-1, true)).to(type).clamp(smallest(type), below_one(type));
  }
  return apply(DrawnDirichlet{}, value, self);
}

extern const OpEntry gamma_draw_ops[];
extern const size_t gamma_draw_ops_count;
// Samples only where the result does not depend on the numbers drawn.
const OpEntry gamma_draw_ops[] = {
    doc("Numbers drawn from gamma distributions of these shapes and rate 1.",
        op<_standard_gamma>("_standard_gamma(Tensor self, Generator? generator=None) -> Tensor", "t(0, 3)")),
    doc("How drawn numbers move with the shapes of their gamma distributions.",
        op<_standard_gamma_grad>("_standard_gamma_grad(Tensor self, Tensor output) -> Tensor",
                                 "p(2, 3), p(2, 3)\nc([9.0, 12.0, 30.0, 30.0]), c([9.1, 5.0, 50.0, 20.0])\n"
                                 "c([0.5, 2.0, 7.5, 9.0]), c([1e-3, 3.0, 4.0, 0.5])\np(0, 3), p(0, 3)\np(), p()")),
    doc("Numbers drawn from Dirichlet distributions of these concentrations.",
        op<_sample_dirichlet>("_sample_dirichlet(Tensor self, Generator? generator=None) -> Tensor", "t(0, 3)")),
    doc("How numbers drawn from beta distributions move with the first parameter, divided by 1 - x.",
        op<_dirichlet_grad>("_dirichlet_grad(Tensor x, Tensor alpha, Tensor total) -> Tensor",
                            "c([0.2, 0.5, 0.3]), c([1.0, 2.0, 3.0]), c([6.0, 6.0, 6.0])\n"
                            "c([0.01, 0.99, 0.5, 0.31]), c([1.5, 2.5, 20.0, 9.0]), c([4.0, 3.5, 40.0, 30.0])\n"
                            "c([0.45, 0.7, 0.6]), c([20.0, 8.0, 3.0]), c([40.0, 15.0, 8.0])\np(0), p(0), p(0)")),
};
const size_t gamma_draw_ops_count = std::size(gamma_draw_ops);

}  // namespace taut
