// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// softmax(query @ key.T * scale + mask) @ value.
Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    OptionalTensor attn_mask = std::nullopt, double dropout_p = 0,
                                    bool is_causal = false, std::optional<double> scale = std::nullopt,
                                    bool enable_gqa = false);
/// A mask as something to add to scores: minus infinity where a bool mask is true.
Tensor _canonical_mask(OptionalTensor mask, std::string_view mask_name, std::optional<ScalarType> other_type,
                       std::string_view other_name, ScalarType target_type, bool check_other = true);
/// What nn.MultiheadAttention computes: [length, batch, features] attends to key and value.
std::tuple<Tensor, Tensor> _multi_head_attention_forward(
    const Tensor& query, const Tensor& key, const Tensor& value, int64_t embed_dim_to_check, int64_t num_heads,
    OptionalTensor in_proj_weight, OptionalTensor in_proj_bias, OptionalTensor bias_k, OptionalTensor bias_v,
    bool add_zero_attn, double dropout_p, const Tensor& out_proj_weight, OptionalTensor out_proj_bias,
    bool training = true, OptionalTensor key_padding_mask = std::nullopt, bool need_weights = true,
    OptionalTensor attn_mask = std::nullopt, bool use_separate_proj_weight = false,
    OptionalTensor q_proj_weight = std::nullopt, OptionalTensor k_proj_weight = std::nullopt,
    OptionalTensor v_proj_weight = std::nullopt, OptionalTensor static_k = std::nullopt,
    OptionalTensor static_v = std::nullopt, bool average_attn_weights = true, bool is_causal = false);

}  // namespace taut
