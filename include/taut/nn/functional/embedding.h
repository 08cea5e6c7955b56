// Embeddings as functions.
#pragma once
#include "taut/nn/options/embedding.h"

namespace taut::nn::functional {

Tensor one_hot(const Tensor& tensor, int64_t num_classes = -1);
// Written by tools/layers.py from src/nn/layers/embedding.txt; do not edit.
// clang-format off
/// The rows of the table `weight` that the indices `input` name; with max_norm they are first shortened there.
Tensor embedding(const Tensor& input, const Tensor& weight, const EmbeddingFuncOptions& options = {});
/// Sums, means or maxima of bags of embeddings: the rows of `input`, or one list cut by `offsets`.
Tensor embedding_bag(const Tensor& input, const Tensor& weight, const EmbeddingBagFuncOptions& options = {});
// clang-format on

}  // namespace taut::nn::functional
