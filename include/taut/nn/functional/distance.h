// Similarities and distances as functions.
#pragma once
#include "taut/nn/options/distance.h"
#include "taut/tensor.h"

namespace taut::nn::functional {

// Written by tools/layers.py from src/nn/layers/distance.txt; do not edit.
// clang-format off
/// The p-norm of x1 - x2 along the last dimension.
Tensor pairwise_distance(const Tensor& x1, const Tensor& x2, const PairwiseDistanceFuncOptions& options = {});
/// The cosine of the angle between x1 and x2 along a dimension.
Tensor cosine_similarity(const Tensor& x1, const Tensor& x2, const CosineSimilarityFuncOptions& options = {});
// clang-format on

Tensor pdist(const Tensor& input, double p = 2.0);

}  // namespace taut::nn::functional
