// Attention.
#pragma once
#include "taut/tensor.h"

namespace taut {

/// softmax(scale query key^T + mask) value over the last two dimensions (length, features). A bool mask keeps where it
/// is true; a float mask is added. `is_causal`: query i sees keys 0 to i. `scale` is 1 / sqrt(features) when not given.
/// `enable_gqa`: key and value may have fewer heads (dimension -3) than the query. Without mask and dropout the matrix
/// of scores is never stored.
Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    OptionalTensor attn_mask = std::nullopt, double dropout_p = 0,
                                    bool is_causal = false, std::optional<double> scale = std::nullopt,
                                    bool enable_gqa = false);

}  // namespace taut
