// Similarities and distances of two inputs.
#pragma once
#include "taut/nn/modules/common.h"
#include "taut/nn/options/distance.h"

namespace taut::nn {

// Written by tools/layers.py from src/nn/layers/distance.txt; do not edit.
// clang-format off
/// The p-norm of x1 - x2 along the last dimension.
class PairwiseDistanceImpl : public detail::LayerImpl<PairwiseDistanceImpl, PairwiseDistanceOptions> {
 public:
  using LayerImpl::LayerImpl;
  Tensor forward(const Tensor& x1, const Tensor& x2);
};
TAUT_MODULE(PairwiseDistance);

/// The cosine of the angle between x1 and x2 along a dimension.
class CosineSimilarityImpl : public detail::LayerImpl<CosineSimilarityImpl, CosineSimilarityOptions> {
 public:
  using LayerImpl::LayerImpl;
  Tensor forward(const Tensor& x1, const Tensor& x2);
};
TAUT_MODULE(CosineSimilarity);
// clang-format on

}  // namespace taut::nn
