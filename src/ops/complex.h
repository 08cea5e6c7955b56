// What other ops need to know of complex numbers.
#pragma once
#include "ops/op.h"

namespace taut {

/// to = from, for tensors of one shape that may be conjugate views.
void write(const Tensor& to, const Tensor& from);
/// |x| and x / |x| of complex numbers; 0 / |0| is 0.
Tensor complex_abs(const Tensor& self);
Tensor complex_sgn(const Tensor& self);
/// A factor off the real axis is no attribute of a formula.
inline bool is_turned(const Scalar& s) { return s.is_complex() && s.toComplexDouble().imag() != 0; }

}  // namespace taut
