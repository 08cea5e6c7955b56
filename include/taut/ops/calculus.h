// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// The integral of y along dim by the trapezoid rule, from samples at x, or dx apart.
Tensor trapezoid(const Tensor& y, const Tensor& x, int64_t dim = -1);
Tensor trapezoid(const Tensor& y, const Scalar& dx = 1, int64_t dim = -1);
/// The integrals of y from its first sample up to each of the others, by the trapezoid rule.
Tensor cumulative_trapezoid(const Tensor& y, const Tensor& x, int64_t dim = -1);
Tensor cumulative_trapezoid(const Tensor& y, const Scalar& dx = 1, int64_t dim = -1);
/// The derivatives along dims of samples: `spacing` has, for each or for all, their distance or their places.
std::vector<Tensor> _gradient(const Tensor& self, TensorList spacing, IntArrayRef dim, int64_t edge_order = 1);

}  // namespace taut
