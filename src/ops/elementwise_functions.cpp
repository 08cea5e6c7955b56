// Pointwise ops that are rarely called on few numbers: compiled for size, as one call of theirs costs more than the way
// to it.
#include <cmath>
#include <limits>

#include "ops/complex.h"
#include "ops/pointwise_functions.h"
#include "taut/core/maths.h"

namespace taut {
using namespace formula;

DEFINE_UNARY(exp2)
DEFINE_UNARY(expm1)
DEFINE_UNARY(log2)
DEFINE_UNARY(log10)
DEFINE_UNARY(log1p)
DEFINE_UNARY(tan)
DEFINE_UNARY(asin)
DEFINE_UNARY(acos)
DEFINE_UNARY(atan)
DEFINE_UNARY(sinh)
DEFINE_UNARY(cosh)
DEFINE_UNARY(asinh)
DEFINE_UNARY(acosh)
DEFINE_UNARY(atanh)
DEFINE_UNARY(erf)
DEFINE_UNARY(erfc)
DEFINE_UNARY(erfinv)
DEFINE_UNARY(lgamma)
DEFINE_UNARY(digamma)
DEFINE_UNARY(sinc)
DEFINE_UNARY(floor)
DEFINE_UNARY(ceil)
DEFINE_UNARY(round)
DEFINE_UNARY(trunc)
DEFINE_UNARY(frac)
DEFINE_UNARY(mish)
DEFINE_UNARY(hardsigmoid)
DEFINE_UNARY(hardswish)

// clang-format off
DEFINE_DIVISION_ALL(fmod)
DEFINE_DIVISION_ALL(remainder)
DEFINE_BINARY_ALL(copysign)
DEFINE_BINARY_ALL(bitwise_and)
DEFINE_BINARY_ALL(bitwise_or)
DEFINE_BINARY_ALL(bitwise_xor)
DEFINE_BINARY_ALL(bitwise_left_shift)
DEFINE_BINARY_ALL(bitwise_right_shift)
DEFINE_BINARY_ALL(xlogy)
DEFINE_BINARY(fmax)
DEFINE_BINARY(fmin)
Tensor logaddexp(const Tensor& self, const Tensor& other) {
  check_defined(self, "logaddexp", "input");
  check_defined(other, "logaddexp", "other");
  if (!self.is_complex() && !other.is_complex()) return pointwise(logaddexp_op, self, other);
  const ScalarType t = result_type(self, other);
  const Tensor a = self.to(t), b = other.to(t), first = real(a) >= real(b);
  const Tensor high = where(first, a, b), low = where(first, b, a);
  return high + ((low - high).exp() + 1).log();
}
DEFINE_BINARY(logaddexp2)
DEFINE_BINARY(hypot)
DEFINE_BINARY_INPLACE(hypot)
DEFINE_BINARY(atan2)
DEFINE_BINARY_INPLACE(atan2)
DEFINE_BINARY(logical_and)
DEFINE_BINARY_INPLACE(logical_and)
DEFINE_BINARY(logical_or)
DEFINE_BINARY_INPLACE(logical_or)
DEFINE_BINARY(logical_xor)
DEFINE_BINARY_INPLACE(logical_xor)
DEFINE_NUMBER_LEFT(xlogy)
DEFINE_NUMBER_LEFT(remainder)
DEFINE_NUMBER_LEFT(bitwise_and)
DEFINE_NUMBER_LEFT(bitwise_or)
DEFINE_NUMBER_LEFT(bitwise_xor)
DEFINE_NUMBER_LEFT(bitwise_left_shift)
DEFINE_NUMBER_LEFT(bitwise_right_shift)
// clang-format on

static void check_step(const char* op, const Tensor& self, const Tensor& values) {
  check_defined(self, op);
  check_defined(values, op, "values");
  check(self.scalar_type() == values.scalar_type(), op, ": not implemented for tensors with different dtypes, got ",
        self.scalar_type(), " and ", values.scalar_type());
}
Tensor heaviside(const Tensor& self, const Tensor& values) {
  check_step("heaviside", self, values);
  return pointwise(heaviside_op, self, values);
}
Tensor& heaviside_(Tensor& self, const Tensor& values) {
  check_step("heaviside_", self, values);
  return pointwise_("heaviside_", heaviside_op, self, values);
}
// f(x) to bool.
#define DEFINE_PREDICATE(f) \
  Tensor f(const Tensor& self) { return pointwise(f##_op, self); }
DEFINE_PREDICATE(isnan)
DEFINE_PREDICATE(isfinite)
DEFINE_PREDICATE(isposinf)
DEFINE_PREDICATE(isneginf)
DEFINE_PREDICATE(signbit)
#undef DEFINE_PREDICATE
Tensor isinf(const Tensor& self) {
  if (!self.defined() || !self.is_complex()) return pointwise(isinf_op, self);
  return isinf(view_as_real(resolve_conj(self))).any(-1);  // of either part, even beside a nan
}

Tensor one_minus_square(const Tensor& x) { return pointwise(one_minus_square_op, x); }
Tensor nan_to_num(const Tensor& self, std::optional<double> nan, std::optional<double> posinf,
                  std::optional<double> neginf) {
  check_defined(self, "nan_to_num");
  if (!self.is_floating_point()) return self.clone();
  const double largest = visit_dtype(self.scalar_type(), [](auto x) -> double {
    if constexpr (std::is_same_v<decltype(x), Half>) return 65504;
    else if constexpr (std::is_same_v<decltype(x), BFloat16>) return 3.3895313892515355e38;
    else return static_cast<double>(std::numeric_limits<decltype(x)>::max());
  });
  return pointwise(nan_to_num_op, NanToNum{nan.value_or(0), posinf.value_or(largest), neginf.value_or(-largest)}, self);
}
Tensor& nan_to_num_(Tensor& self, std::optional<double> nan, std::optional<double> posinf,
                    std::optional<double> neginf) {
  check_defined(self, "nan_to_num_", "self");
  if (!self.is_floating_point()) {  // has none, and may be expanded
    self.impl()->storage->bump("nan_to_num_", thread_state.step);
    return self;
  }
  return in_place("nan_to_num_", self, [&](const Tensor& x) { return nan_to_num(x, nan, posinf, neginf); });
}
Tensor bitwise_not(const Tensor& self) {
  check_defined(self, "bitwise_not");
  return self.scalar_type() == kBool ? logical_not(self) : pointwise(bitwise_not_op, self);
}
Tensor& bitwise_not_(Tensor& self) {
  return in_place("bitwise_not_", self, [](const Tensor& x) { return bitwise_not(x); });
}
Tensor round(const Tensor& self, int64_t decimals) {
  check_defined(self, "round");
  const ScalarType t = self.scalar_type();
  if (wide_type(t) != t) return round(self.to(wide_type(t)), decimals).to(t);  // times 10^decimals is soon infinite
  const double scale = maths::pow(10.0, std::abs(static_cast<double>(decimals)));
  return decimals >= 0 ? round(self * scale) / scale : round(self / scale) * scale;
}
Tensor& round_(Tensor& self, int64_t decimals) {
  return in_place("round_", self, [&](const Tensor& x) { return round(x, decimals); });
}
static Logit logit_with(const char* op, const Tensor& self, std::optional<double> eps) {
  check_defined(self, op);
  return {attribute(op, eps.value_or(-1), self.is_floating_point() ? self.scalar_type() : get_default_dtype()).real};
}
Tensor logit(const Tensor& self, std::optional<double> eps) {
  return pointwise(logit_op, logit_with("logit", self, eps), self);
}
Tensor& logit_(Tensor& self, std::optional<double> eps) {
  return pointwise_("logit_", logit_op, logit_with("logit_", self, eps), self);
}
Tensor polygamma(int64_t n, const Tensor& self) {
  check(n >= 0, "polygamma(n, x) does not support negative n.");
  return n == 0 ? digamma(self) : pointwise(polygamma_op, Polygamma{static_cast<double>(n)}, self);
}
static const Tensor& check_angle(const char* op, const Tensor& self) {
  check(!self.defined() || !self.is_complex(), op, " is not supported for complex tensors.");
  return self;
}
Tensor deg2rad(const Tensor& self) { return check_angle("deg2rad", self) * (3.14159265358979323846 / 180); }
Tensor rad2deg(const Tensor& self) { return check_angle("rad2deg", self) * (180 / 3.14159265358979323846); }
Tensor& deg2rad_(Tensor& self) { return mul_(self, Scalar(3.14159265358979323846 / 180)); }
Tensor& rad2deg_(Tensor& self) { return mul_(self, Scalar(180 / 3.14159265358979323846)); }
Tensor isclose(const Tensor& self, const Tensor& other, double rtol, double atol, bool equal_nan) {
  check_defined(self, "isclose", "self");
  check_defined(other, "isclose", "other");
  check(self.scalar_type() == other.scalar_type(), "isclose: ", self.scalar_type(), " did not match ",
        other.scalar_type());
  check(rtol >= 0 && atol >= 0, "isclose: rtol and atol must be greater than or equal to zero, but got ", rtol, " and ",
        atol);
  NoGradGuard guard;
  Tensor close = self == other;
  if (equal_nan && is_differentiable(self.scalar_type())) close = close | (self.isnan() & other.isnan());
  if (rtol == 0 && atol == 0) return close;
  if (self.scalar_type() == kBool)
    return isclose(self.to(get_default_dtype()), other.to(get_default_dtype()), rtol, atol);
  const Tensor to =
      is_differentiable(self.scalar_type()) ? other : other.to(get_default_dtype());  // differences of integers wrap
  const Tensor allowed = (to * Scalar(rtol)).abs() + Scalar(atol), error = (self - to).abs();
  return close | (error.isfinite() & (error <= allowed));
}

}  // namespace taut
