// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// input1 @ weight[k] @ input2 for every k, plus bias.
Tensor bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight, OptionalTensor bias = std::nullopt);
/// The cosine of the angle between vectors along dim.
Tensor cosine_similarity(const Tensor& x1, const Tensor& x2, int64_t dim = 1, double eps = 1e-8);
/// The p-norm of x1 - x2 + eps along the last dimension.
Tensor pairwise_distance(const Tensor& x1, const Tensor& x2, double p = 2, double eps = 1e-6, bool keepdim = false);
/// The p-norm distances between all pairs of rows.
Tensor pdist(const Tensor& self, double p = 2);

}  // namespace taut
