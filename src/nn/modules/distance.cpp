#include "taut/nn/modules/distance.h"

#include <ostream>

#include "taut/nn/functional/distance.h"

namespace taut::nn {

namespace F = functional;

void CosineSimilarityImpl::pretty_print(std::ostream& stream) const { stream << "CosineSimilarity()"; }
Tensor CosineSimilarityImpl::forward(const Tensor& input1, const Tensor& input2) {
  return F::cosine_similarity(input1, input2, options);
}

void PairwiseDistanceImpl::pretty_print(std::ostream& stream) const { stream << "PairwiseDistance()"; }
Tensor PairwiseDistanceImpl::forward(const Tensor& input1, const Tensor& input2) {
  return F::pairwise_distance(input1, input2, options);
}

}  // namespace taut::nn
