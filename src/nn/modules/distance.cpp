#include "taut/nn/modules/distance.h"

#include "taut/nn/functional/distance.h"

namespace taut::nn {

namespace F = functional;

// Written by tools/layers.py from src/nn/layers/distance.txt; do not edit.
// clang-format off
Tensor PairwiseDistanceImpl::forward(const Tensor& x1, const Tensor& x2) {
  return F::pairwise_distance(x1, x2, options);
}

Tensor CosineSimilarityImpl::forward(const Tensor& x1, const Tensor& x2) {
  return F::cosine_similarity(x1, x2, options);
}
// clang-format on

}  // namespace taut::nn
