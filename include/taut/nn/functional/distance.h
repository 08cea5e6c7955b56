// Similarities and distances as functions.
#pragma once
#include "taut/nn/options/distance.h"
#include "taut/tensor.h"

namespace taut::nn::functional {

Tensor cosine_similarity(const Tensor& x1, const Tensor& x2, const CosineSimilarityFuncOptions& options = {});
Tensor pairwise_distance(const Tensor& x1, const Tensor& x2, const PairwiseDistanceFuncOptions& options = {});
Tensor pdist(const Tensor& input, double p = 2.0);

}  // namespace taut::nn::functional
