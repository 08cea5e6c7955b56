#include "taut/nn/functional/embedding.h"

#include "taut/ops/embedding.h"

namespace taut::nn::functional {

Tensor one_hot(const Tensor& tensor, int64_t num_classes) { return taut::one_hot(tensor, num_classes); }

Tensor embedding(const Tensor& input, const Tensor& weight, const EmbeddingFuncOptions& o) {
  return _embedding(input, weight, o.padding_idx(), o.max_norm(), o.norm_type(), o.scale_grad_by_freq(), o.sparse());
}

Tensor embedding_bag(const Tensor& input, const Tensor& weight, const EmbeddingBagFuncOptions& o) {
  return _embedding_bag(input, weight, o.offsets(), o.max_norm(), o.norm_type(), o.scale_grad_by_freq(),
                        o.mode().name(), o.sparse(), o.per_sample_weights(), o.include_last_offset(), o.padding_idx());
}

}  // namespace taut::nn::functional
