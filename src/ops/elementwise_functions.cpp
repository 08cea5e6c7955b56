// Pointwise ops that are rarely called on few numbers: compiled for size, as one call of theirs costs more than the way
// to it.
#include "ops/pointwise_functions.h"

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

}  // namespace taut
