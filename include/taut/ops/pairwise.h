// Functions of two tensors, row by row: bilinear forms, similarities, distances.
#pragma once
#include "taut/tensor.h"

namespace taut {

/// y[..., k] = sum over i, j of input1[..., i] weight[k, i, j] input2[..., j], plus bias[k]
Tensor bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight, OptionalTensor bias = std::nullopt);
/// The cosine of the angle between x1 and x2 along dim; norms below eps count as eps.
Tensor cosine_similarity(const Tensor& x1, const Tensor& x2, int64_t dim = 1, double eps = 1e-8);
/// norm(x1 - x2 + eps) over the last dimension
Tensor pairwise_distance(const Tensor& x1, const Tensor& x2, double p = 2, double eps = 1e-6, bool keepdim = false);
/// The distances between any two rows of a matrix: those above the diagonal of cdist(self, self), in order.
Tensor pdist(const Tensor& self, double p = 2);

}  // namespace taut
