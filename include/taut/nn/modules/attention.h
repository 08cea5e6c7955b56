// Multi-head attention.
#pragma once
#include "taut/nn/modules/common.h"
#include "taut/nn/modules/linear.h"
#include "taut/nn/options/attention.h"

namespace taut::nn {

/// Several heads attend to the key and value at once; their results are joined by a linear layer. Inputs are [length,
/// batch, features] ([batch, length, features] with batch_first), or without the batch.
class MultiheadAttentionImpl : public Cloneable<MultiheadAttentionImpl> {
 public:
  MultiheadAttentionImpl(int64_t embed_dim, int64_t num_heads)
      : MultiheadAttentionImpl(MultiheadAttentionOptions(embed_dim, num_heads)) {}
  explicit MultiheadAttentionImpl(const MultiheadAttentionOptions& options_);
  void reset() override;
  void _reset_parameters();

  /// The output and, with need_weights, the weights [batch, length, source length]. key_padding_mask [batch, source
  /// length] and attn_mask [length, source length] or [batch * heads, length, source length] leave out where they are
  /// true; float masks are added. `is_causal` says that attn_mask is the causal mask, which is then not looked at.
  std::tuple<Tensor, Tensor> forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                     const Tensor& key_padding_mask = {}, bool need_weights = true,
                                     const Tensor& attn_mask = {}, bool average_attn_weights = true,
                                     bool is_causal = false);

  MultiheadAttentionOptions options;
  bool _qkv_same_embed_dim = true;
  Tensor in_proj_weight, in_proj_bias, bias_k, bias_v;
  Linear out_proj = nullptr;
  Tensor q_proj_weight, k_proj_weight, v_proj_weight;
  int64_t head_dim = 0;

 protected:
  FORWARD_HAS_DEFAULT_ARGS({3, AnyValue(Tensor())}, {4, AnyValue(true)}, {5, AnyValue(Tensor())}, {6, AnyValue(true)},
                           {7, AnyValue(false)})
};
TAUT_MODULE(MultiheadAttention);

}  // namespace taut::nn
