#include "taut/nn/functional/distance.h"

#include "taut/ops/pairwise.h"

namespace taut::nn::functional {

// Written by tools/layers.py from src/nn/layers/distance.txt; do not edit.
// clang-format off
Tensor pairwise_distance(const Tensor& x1, const Tensor& x2, const PairwiseDistanceFuncOptions& options) {
  return taut::pairwise_distance(x1, x2, options.p(), options.eps(), options.keepdim());
}
Tensor cosine_similarity(const Tensor& x1, const Tensor& x2, const CosineSimilarityFuncOptions& options) {
  return taut::cosine_similarity(x1, x2, options.dim(), options.eps());
}
// clang-format on

Tensor pdist(const Tensor& input, double p) { return taut::pdist(input, p); }

}  // namespace taut::nn::functional
