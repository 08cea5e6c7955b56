// Attention as a function.
#pragma once
#include <tuple>

#include "taut/nn/options/attention.h"
#include "taut/ops/attention.h"

namespace taut::nn::functional {

using taut::scaled_dot_product_attention;

/// query [length, batch, features] attends to key and value [source length, batch, features]; all three may come
/// without the batch. Returns the output and, if wanted, the weights [batch, length, source length] (by head when they
/// are not averaged).
std::tuple<Tensor, Tensor> multi_head_attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                                        const MultiheadAttentionForwardFuncOptions& options);

}  // namespace taut::nn::functional
