#include "taut/nn/functional/embedding.h"

#include "taut/ops/embedding.h"

namespace taut::nn::functional {

Tensor one_hot(const Tensor& tensor, int64_t num_classes) { return taut::one_hot(tensor, num_classes); }

// Written by tools/layers.py from src/nn/layers/embedding.txt; do not edit.
// clang-format off
Tensor embedding(const Tensor& input, const Tensor& weight, const EmbeddingFuncOptions& options) {
  return taut::_embedding(input, weight, options.padding_idx(), options.max_norm(), options.norm_type(),
                          options.scale_grad_by_freq(), options.sparse());
}
Tensor embedding_bag(const Tensor& input, const Tensor& weight, const EmbeddingBagFuncOptions& options) {
  return taut::_embedding_bag(input, weight, options.offsets(), options.max_norm(), options.norm_type(),
                              options.scale_grad_by_freq(), options.mode().name(), options.sparse(),
                              options.per_sample_weights(), options.include_last_offset(), options.padding_idx());
}
// clang-format on

}  // namespace taut::nn::functional
