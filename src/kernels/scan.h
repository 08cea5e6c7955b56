// Running results along one dimension. Input and output have the same sizes and may be the same view.
#pragma once
#include "core/view.h"

namespace taut::kernels {

/// Running sums and products: float16 and bfloat16 are carried in float32, float32 in float64, integers in int64.
/// From the end, each element is the sum of itself and what follows it.
void cumsum(const View& out, const View& in, int dim, bool from_end = false);
void cumprod(const View& out, const View& in, int dim);
/// log(exp(x_0) + ... + exp(x_i)), without overflow.
void logcumsumexp(const View& out, const View& in, int dim);
/// Running maximum and minimum and the index of its last occurrence; from the first NaN on, that of the last NaN.
/// `indices` may have null data.
void cummax(const View& values, const View& indices, const View& in, int dim);
void cummin(const View& values, const View& indices, const View& in, int dim);

}  // namespace taut::kernels
