#include "taut/nn/functional/attention.h"

#include "taut/ops/attention.h"

namespace taut::nn::functional {

std::tuple<Tensor, Tensor> multi_head_attention_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                                        const MultiheadAttentionForwardFuncOptions& o) {
  return _multi_head_attention_forward(
      query, key, value, o.embed_dim_to_check(), o.num_heads(), o.in_proj_weight(), o.in_proj_bias(), o.bias_k(),
      o.bias_v(), o.add_zero_attn(), o.dropout_p(), o.out_proj_weight(), o.out_proj_bias(), o.training(),
      o.key_padding_mask(), o.need_weights(), o.attn_mask(), o.use_separate_proj_weight(), o.q_proj_weight(),
      o.k_proj_weight(), o.v_proj_weight(), o.static_k(), o.static_v(), o.average_attn_weights(), o.is_causal());
}

}  // namespace taut::nn::functional
