// Options of multi-head attention.
#pragma once
#include "taut/nn/arg.h"
#include "taut/tensor.h"

namespace taut::nn {

struct MultiheadAttentionOptions {
  MultiheadAttentionOptions(int64_t embed_dim, int64_t num_heads)
      : embed_dim_(embed_dim), num_heads_(num_heads), kdim_(embed_dim), vdim_(embed_dim) {}
  TAUT_ARG(int64_t, embed_dim);
  TAUT_ARG(int64_t, num_heads);
  TAUT_ARG(double, dropout) = 0;  // of the attention weights
  TAUT_ARG(bool, bias) = true;
  TAUT_ARG(bool, add_bias_kv) = false;    // a learned key and value at the end
  TAUT_ARG(bool, add_zero_attn) = false;  // a key and value of zeros at the end
  TAUT_ARG(int64_t, kdim);                // features of the key; embed_dim unless set
  TAUT_ARG(int64_t, vdim);
  TAUT_ARG(bool, batch_first) = false;
};

namespace functional {

struct MultiheadAttentionForwardFuncOptions {
  MultiheadAttentionForwardFuncOptions(int64_t embed_dim_to_check, int64_t num_heads, Tensor in_proj_weight,
                                       Tensor in_proj_bias, Tensor bias_k, Tensor bias_v, bool add_zero_attn,
                                       double dropout_p, Tensor out_proj_weight, Tensor out_proj_bias)
      : embed_dim_to_check_(embed_dim_to_check),
        num_heads_(num_heads),
        in_proj_weight_(std::move(in_proj_weight)),
        in_proj_bias_(std::move(in_proj_bias)),
        bias_k_(std::move(bias_k)),
        bias_v_(std::move(bias_v)),
        add_zero_attn_(add_zero_attn),
        dropout_p_(dropout_p),
        out_proj_weight_(std::move(out_proj_weight)),
        out_proj_bias_(std::move(out_proj_bias)) {}
  TAUT_ARG(int64_t, embed_dim_to_check);
  TAUT_ARG(int64_t, num_heads);
  TAUT_ARG(Tensor, in_proj_weight);
  TAUT_ARG(Tensor, in_proj_bias);
  TAUT_ARG(Tensor, bias_k);
  TAUT_ARG(Tensor, bias_v);
  TAUT_ARG(bool, add_zero_attn);
  TAUT_ARG(double, dropout_p);
  TAUT_ARG(Tensor, out_proj_weight);
  TAUT_ARG(Tensor, out_proj_bias);
  TAUT_ARG(bool, training) = true;
  TAUT_ARG(Tensor, key_padding_mask);
  TAUT_ARG(bool, need_weights) = true;
  TAUT_ARG(Tensor, attn_mask);
  TAUT_ARG(bool, use_separate_proj_weight) = false;
  TAUT_ARG(Tensor, q_proj_weight);
  TAUT_ARG(Tensor, k_proj_weight);
  TAUT_ARG(Tensor, v_proj_weight);
  TAUT_ARG(Tensor, static_k);
  TAUT_ARG(Tensor, static_v);
  TAUT_ARG(bool, average_attn_weights) = true;
  TAUT_ARG(bool, is_causal) = false;  // a hint that attn_mask is the causal one
};

}  // namespace functional
}  // namespace taut::nn
