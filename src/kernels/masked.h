// Elements that a mask chooses, and where the nonzero elements are. Always in row-major order.
#pragma once
#include <cstdint>

#include "core/view.h"

namespace taut::kernels {

/// Elements that are not 0; NaN is not 0.
int64_t count_nonzero(View in);
/// The coordinates of those elements in row-major order: out is int64 [count_nonzero(in), in.dim()].
void nonzero(View out, View in);
/// The elements of `in` where `mask` (bool, the same shape) holds, in row-major order; out is 1-d of that many.
void masked_select(View out, View in, View mask);
/// The elements of `out` where `mask` holds become the first elements of the contiguous `source`, in order.
void masked_scatter(View out, View mask, View source);

}  // namespace taut::kernels
