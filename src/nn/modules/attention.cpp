// Multi-head attention.
#include "taut/nn/modules/attention.h"

#include "taut/factories.h"
#include "taut/nn/functional/attention.h"
#include "taut/nn/init.h"

namespace taut::nn {

namespace {

/// A linear layer that prints under PyTorch's name for this one.
struct OutputProjection : LinearImpl {
  using LinearImpl::LinearImpl;
  void pretty_print(std::ostream& stream) const override {
    stream << "NonDynamicallyQuantizableLinear(in_features=" << options.in_features()
           << ", out_features=" << options.out_features() << ", bias=" << (options.bias() ? "True" : "False") << ')';
  }
};

}  // namespace

MultiheadAttentionImpl::MultiheadAttentionImpl(const MultiheadAttentionOptions& options_) : options(options_) {
  const MultiheadAttentionOptions& o = options;
  check<ValueError>(o.embed_dim() > 0 && o.num_heads() > 0,
                    "MultiheadAttention: embed_dim and num_heads must be greater than 0, got embed_dim=", o.embed_dim(),
                    " and num_heads=", o.num_heads(), " instead");
  check<ValueError>(o.embed_dim() % o.num_heads() == 0, "embed_dim must be divisible by num_heads, got ", o.embed_dim(),
                    " and ", o.num_heads());
  check<ValueError>(o.kdim() > 0 && o.vdim() > 0, "MultiheadAttention: kdim and vdim must be greater than 0, got ",
                    o.kdim(), " and ", o.vdim());
  check<ValueError>(o.dropout() >= 0 && o.dropout() <= 1,
                    "MultiheadAttention: dropout probability has to be between 0 and 1, but got ", o.dropout());
  reset();
}

void MultiheadAttentionImpl::reset() {
  const int64_t e = options.embed_dim();
  _qkv_same_embed_dim = options.kdim() == e && options.vdim() == e;
  head_dim = e / options.num_heads();
  if (_qkv_same_embed_dim) {
    in_proj_weight = register_parameter("in_proj_weight", empty({3 * e, e}));
  } else {
    q_proj_weight = register_parameter("q_proj_weight", empty({e, e}));
    k_proj_weight = register_parameter("k_proj_weight", empty({e, options.kdim()}));
    v_proj_weight = register_parameter("v_proj_weight", empty({e, options.vdim()}));
  }
  in_proj_bias = options.bias() ? register_parameter("in_proj_bias", empty({3 * e})) : Tensor();
  const std::shared_ptr<LinearImpl> projection =
      std::make_shared<OutputProjection>(LinearOptions(e, e).bias(options.bias()));
  out_proj = register_module("out_proj", projection);
  if (options.add_bias_kv()) {
    bias_k = register_parameter("bias_k", empty({1, 1, e}));
    bias_v = register_parameter("bias_v", empty({1, 1, e}));
  } else {
    bias_k = bias_v = Tensor();
  }
  _reset_parameters();
}

void MultiheadAttentionImpl::_reset_parameters() {
  if (_qkv_same_embed_dim) {
    init::xavier_uniform_(in_proj_weight);
  } else {
    init::xavier_uniform_(q_proj_weight);
    init::xavier_uniform_(k_proj_weight);
    init::xavier_uniform_(v_proj_weight);
  }
  if (in_proj_bias.defined()) {
    init::zeros_(in_proj_bias);
    init::zeros_(out_proj->bias);
  }
  if (bias_k.defined()) init::xavier_normal_(bias_k);
  if (bias_v.defined()) init::xavier_normal_(bias_v);
}

std::tuple<Tensor, Tensor> MultiheadAttentionImpl::forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                                           const Tensor& key_padding_mask, bool need_weights,
                                                           const Tensor& attn_mask, bool average_attn_weights,
                                                           bool is_causal) {
  const bool turn = options.batch_first() && query.defined() && query.dim() == 3;
  const auto turned = [&](const Tensor& t) { return turn && t.defined() && t.dim() == 3 ? t.transpose(0, 1) : t; };
  // The same tensor stays the same: its projections are then one product.
  const Tensor q = turned(query), k = key.is_same(query) ? q : turned(key), v = value.is_same(key) ? k : turned(value);
  auto [y, weights] = functional::multi_head_attention_forward(
      q, k, v,
      functional::MultiheadAttentionForwardFuncOptions(options.embed_dim(), options.num_heads(), in_proj_weight,
                                                       in_proj_bias, bias_k, bias_v, options.add_zero_attn(),
                                                       options.dropout(), out_proj->weight, out_proj->bias)
          .training(is_training())
          .key_padding_mask(key_padding_mask)
          .need_weights(need_weights)
          .attn_mask(attn_mask)
          .use_separate_proj_weight(!_qkv_same_embed_dim)
          .q_proj_weight(q_proj_weight)
          .k_proj_weight(k_proj_weight)
          .v_proj_weight(v_proj_weight)
          .average_attn_weights(average_attn_weights)
          .is_causal(is_causal));
  return {turned(y), weights};
}

}  // namespace taut::nn
