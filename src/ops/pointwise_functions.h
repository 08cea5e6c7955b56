// Short forms for the public functions of a pointwise op, from its formula f_op. For sources that define such
// functions.
#pragma once
#include "ops/formulas.h"
#include "taut/registry.h"

namespace taut {
inline void check_integer_divisor(const Tensor& a, const Tensor& b) {
  if (a.defined() && b.defined() && !is_differentiable(result_type(a, b))) check_divisor(view_of(b));
}
}  // namespace taut

// f(x) and f_(x).
#define DEFINE_UNARY(f)                                            \
  Tensor f(const Tensor& self) { return pointwise(f##_op, self); } \
  Tensor& f##_(Tensor& self) { return pointwise_(#f "_", f##_op, self); }
// f(a, b) for two tensors, and in place.
#define DEFINE_BINARY(f) \
  Tensor f(const Tensor& self, const Tensor& other) { return pointwise(f##_op, self, other); }
#define DEFINE_BINARY_INPLACE(f) \
  Tensor& f##_(Tensor& self, const Tensor& other) { return pointwise_(#f "_", f##_op, self, other); }
// A plain number in the place of b.
#define DEFINE_BINARY_SCALAR(f)                                                               \
  Tensor f(const Tensor& self, const Scalar& other) { return f(self, wrapped(other, self)); } \
  Tensor& f##_(Tensor& self, const Scalar& other) { return f##_(self, wrapped(other, self)); }
// For whole numbers a division by zero is an error, which must be found before anything is written.
#define DEFINE_DIVISION_ALL(f)                      \
  DEFINE_BINARY(f)                                  \
  Tensor& f##_(Tensor& self, const Tensor& other) { \
    check_integer_divisor(self, other);             \
    return pointwise_(#f "_", f##_op, self, other); \
  }                                                 \
  DEFINE_BINARY_SCALAR(f)
#define DEFINE_BINARY_ALL(f) DEFINE_BINARY(f) DEFINE_BINARY_INPLACE(f) DEFINE_BINARY_SCALAR(f)
// A number on the left.
#define DEFINE_NUMBER_LEFT(f) \
  Tensor f(const Scalar& self, const Tensor& other) { return f(wrapped(self, other), other); }
