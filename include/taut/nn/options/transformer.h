// Options of transformers, their layers and stacks of those.
#pragma once
#include <functional>
#include <variant>

#include "taut/nn/any.h"
#include "taut/nn/arg.h"
#include "taut/nn/enums.h"

namespace taut::nn {

/// kReLU, kGELU, or a function.
using activation_t = std::variant<Keyword, std::function<Tensor(const Tensor&)>>;

struct TransformerEncoderLayerOptions {
  TransformerEncoderLayerOptions(int64_t d_model, int64_t nhead) : d_model_(d_model), nhead_(nhead) {}
  TAUT_ARG(int64_t, d_model);
  TAUT_ARG(int64_t, nhead);
  TAUT_ARG(int64_t, dim_feedforward) = 2048;
  TAUT_ARG(double, dropout) = 0.1;
  TAUT_ARG(activation_t, activation) = kReLU;
  TAUT_ARG(double, layer_norm_eps) = 1e-5;
  TAUT_ARG(bool, batch_first) = false;
  TAUT_ARG(bool, norm_first) = false;  // normalise what goes into a block, not what comes out
  TAUT_ARG(bool, bias) = true;
};

struct TransformerDecoderLayerOptions {
  TransformerDecoderLayerOptions(int64_t d_model, int64_t nhead) : d_model_(d_model), nhead_(nhead) {}
  TAUT_ARG(int64_t, d_model);
  TAUT_ARG(int64_t, nhead);
  TAUT_ARG(int64_t, dim_feedforward) = 2048;
  TAUT_ARG(double, dropout) = 0.1;
  TAUT_ARG(activation_t, activation) = kReLU;
  TAUT_ARG(double, layer_norm_eps) = 1e-5;
  TAUT_ARG(bool, batch_first) = false;
  TAUT_ARG(bool, norm_first) = false;
  TAUT_ARG(bool, bias) = true;
};

struct TransformerOptions {
  TransformerOptions() = default;
  TransformerOptions(int64_t d_model, int64_t nhead) : d_model_(d_model), nhead_(nhead) {}
  TransformerOptions(int64_t d_model, int64_t nhead, int64_t num_encoder_layers, int64_t num_decoder_layers)
      : d_model_(d_model),
        nhead_(nhead),
        num_encoder_layers_(num_encoder_layers),
        num_decoder_layers_(num_decoder_layers) {}
  TAUT_ARG(int64_t, d_model) = 512;
  TAUT_ARG(int64_t, nhead) = 8;
  TAUT_ARG(int64_t, num_encoder_layers) = 6;
  TAUT_ARG(int64_t, num_decoder_layers) = 6;
  TAUT_ARG(int64_t, dim_feedforward) = 2048;
  TAUT_ARG(double, dropout) = 0.1;
  TAUT_ARG(activation_t, activation) = kReLU;
  TAUT_ARG(AnyModule, custom_encoder);  // forward(src, src_mask, src_key_padding_mask)
  TAUT_ARG(AnyModule, custom_decoder);  // forward(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_...)
  TAUT_ARG(double, layer_norm_eps) = 1e-5;
  TAUT_ARG(bool, batch_first) = false;
  TAUT_ARG(bool, norm_first) = false;
  TAUT_ARG(bool, bias) = true;
};

}  // namespace taut::nn
