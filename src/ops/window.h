// What the ops with sliding windows share: lists of one number per dimension, and the type they are computed in.
#pragma once
#include "kernels/slab.h"
#include "ops/op.h"

namespace taut {

/// One number for every dimension, or one for all.
Dims per_dimension(IntArrayRef list, int64_t dims, const char* op, const char* what);

/// The type that kernels compute in: float32 for the half types, float64 for whole numbers (exact up to 2^53).
inline ScalarType work_type(ScalarType t) { return is_floating_point(t) && t != kDouble ? kFloat : kDouble; }
/// The contiguous values of `x` in that type.
inline Tensor as_work(const Tensor& x) { return x.to(work_type(x.scalar_type())).contiguous(); }

/// `values` as the last of three dimensions, `rest` before them.
inline void set_dims(int64_t (&to)[3], IntArrayRef values, int64_t rest) {
  const size_t missing = 3 - values.size();
  for (size_t d = 0; d < 3; ++d) to[d] = d < missing ? rest : values[d - missing];
}
inline kernels::Windows make_windows(IntArrayRef in, IntArrayRef out, IntArrayRef kernel, IntArrayRef stride,
                                     IntArrayRef padding, IntArrayRef dilation) {
  kernels::Windows w;
  set_dims(w.in, in, 1);
  set_dims(w.out, out, 1);
  set_dims(w.kernel, kernel, 1);
  set_dims(w.stride, stride, 1);
  set_dims(w.padding, padding, 0);
  set_dims(w.dilation, dilation, 1);
  return w;
}

/// "4 x 4", as PyTorch writes sizes in these messages.
std::string by(IntArrayRef sizes, const char* between = " x ");

}  // namespace taut
