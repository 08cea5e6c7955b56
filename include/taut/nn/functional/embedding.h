// Embeddings as functions.
#pragma once
#include "taut/nn/options/embedding.h"

namespace taut::nn::functional {

Tensor one_hot(const Tensor& tensor, int64_t num_classes = -1);
/// With max_norm the rows that are looked up are shortened in `weight` itself.
Tensor embedding(const Tensor& input, const Tensor& weight, const EmbeddingFuncOptions& options = {});
/// `input` is [bags, indices], or one list that the option `offsets` cuts into bags.
Tensor embedding_bag(const Tensor& input, const Tensor& weight, const EmbeddingBagFuncOptions& options = {});

}  // namespace taut::nn::functional
