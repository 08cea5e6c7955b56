// Transformers.
#include "taut/nn/modules/transformer.h"

#include <cmath>
#include <limits>

#include "taut/autograd.h"
#include "taut/factories.h"
#include "taut/nn/init.h"

namespace taut::nn {

namespace {

Tensor activate(const activation_t& a, const Tensor& x) {
  if (const auto* f = std::get_if<std::function<Tensor(const Tensor&)>>(&a)) return (*f)(x);
  return std::get<Keyword>(a) == kReLU ? relu(x) : gelu(x);
}

template <class O>
void check_layer(const O& o, const char* name) {
  check<ValueError>(o.d_model() > 0 && o.nhead() > 0 && o.d_model() % o.nhead() == 0, name,
                    ": d_model must be positive and divisible by nhead, got ", o.d_model(), " and ", o.nhead());
  check<ValueError>(o.dim_feedforward() > 0, name, ": dim_feedforward must be positive, got ", o.dim_feedforward());
  check<ValueError>(o.dropout() >= 0 && o.dropout() <= 1, name,
                    ": dropout probability has to be between 0 and 1, but got ", o.dropout());
  check<ValueError>(std::isfinite(o.layer_norm_eps()), name, ": layer_norm_eps must be finite, got ",
                    o.layer_norm_eps());
  if (const auto* f = std::get_if<std::function<Tensor(const Tensor&)>>(&o.activation())) {
    check<ValueError>(static_cast<bool>(*f), name, ": activation is an empty function");
  } else {
    const Keyword k = std::get<Keyword>(o.activation());
    check<ValueError>(k == kReLU || k == kGELU, name, ": activation should be relu/gelu, not ", k);
  }
}

template <class O>
MultiheadAttention attention_of(const O& o) {
  return MultiheadAttention(MultiheadAttentionOptions(o.d_model(), o.nhead())
                                .dropout(o.dropout())
                                .bias(o.bias())
                                .batch_first(o.batch_first()));
}
template <class O>
LayerNorm norm_of(const O& o) {
  return LayerNorm(LayerNormOptions({o.d_model()}).eps(o.layer_norm_eps()).bias(o.bias()));
}
template <class O, class L>
L options_of(const O& o, L layer) {
  return layer.dim_feedforward(o.dim_feedforward())
      .dropout(o.dropout())
      .activation(o.activation())
      .layer_norm_eps(o.layer_norm_eps())
      .batch_first(o.batch_first())
      .norm_first(o.norm_first())
      .bias(o.bias());
}

Tensor attend(MultiheadAttention& attention, const Tensor& x, const Tensor& to, const Tensor& mask,
              const Tensor& padding, bool causal) {
  return std::get<0>(attention(x, to, to, padding, false, mask, true, causal));
}

/// Is this the mask of generate_square_subsequent_mask (or its bool twin)?
bool is_causal_mask(const Tensor& mask, std::optional<bool> told) {
  if (told) return *told;
  if (!mask.defined() || mask.dim() != 2 || mask.size(0) != mask.size(1)) return false;
  const NoGradGuard no_grad;
  const int64_t n = mask.size(0);
  if (mask.scalar_type() == kBool) return equal(mask, ones({n, n}, kBool).triu(1));
  return equal(mask, TransformerImpl::generate_square_subsequent_mask(n).to(mask.scalar_type()));
}

template <class M>
void clone_layers(ModuleList& layers, const M& layer, int64_t count, const char* name) {
  check<ValueError>(count > 0, name, ": num_layers must be positive, got ", count);
  check<ValueError>(!layer.is_empty(), name, ": the layer is empty");
  empty({count, 4096}, kByte);  // is there room for so many layers?
  for (int64_t i = 0; i < count; ++i) layers->push_back(layer->clone());
}

/// Matrices anew, each drawn by xavier_uniform_.
void xavier(const Module& m) {
  for (const Tensor& p : m.parameters())
    if (p.dim() > 1) init::xavier_uniform_(p);
}

}  // namespace

// ---- layers

TransformerEncoderLayerImpl::TransformerEncoderLayerImpl(TransformerEncoderLayerOptions options_)
    : options(std::move(options_)) {
  check_layer(options, "TransformerEncoderLayer");
  reset();
}

void TransformerEncoderLayerImpl::reset() {
  const auto& o = options;
  self_attn = register_module("self_attn", attention_of(o));
  linear1 = register_module("linear1", Linear(LinearOptions(o.d_model(), o.dim_feedforward()).bias(o.bias())));
  dropout = register_module("dropout", Dropout(o.dropout()));
  linear2 = register_module("linear2", Linear(LinearOptions(o.dim_feedforward(), o.d_model()).bias(o.bias())));
  norm1 = register_module("norm1", norm_of(o));
  norm2 = register_module("norm2", norm_of(o));
  dropout1 = register_module("dropout1", Dropout(o.dropout()));
  dropout2 = register_module("dropout2", Dropout(o.dropout()));
}

void TransformerEncoderLayerImpl::reset_parameters() {
  self_attn->_reset_parameters();
  linear1->reset_parameters();
  linear2->reset_parameters();
  norm1->reset_parameters();
  norm2->reset_parameters();
}

Tensor TransformerEncoderLayerImpl::forward(const Tensor& src, const Tensor& src_mask,
                                            const Tensor& src_key_padding_mask, bool is_causal) {
  const auto self_attention = [&](const Tensor& x) {
    return dropout1(attend(self_attn, x, x, src_mask, src_key_padding_mask, is_causal));
  };
  const auto feed_forward = [&](const Tensor& x) {
    return dropout2(linear2(dropout(activate(options.activation(), linear1(x)))));
  };
  if (options.norm_first()) {
    const Tensor x = src + self_attention(norm1(src));
    return x + feed_forward(norm2(x));
  }
  const Tensor x = norm1(src + self_attention(src));
  return norm2(x + feed_forward(x));
}

TransformerDecoderLayerImpl::TransformerDecoderLayerImpl(TransformerDecoderLayerOptions options_)
    : options(std::move(options_)) {
  check_layer(options, "TransformerDecoderLayer");
  reset();
}

void TransformerDecoderLayerImpl::reset() {
  const auto& o = options;
  self_attn = register_module("self_attn", attention_of(o));
  multihead_attn = register_module("multihead_attn", attention_of(o));
  linear1 = register_module("linear1", Linear(LinearOptions(o.d_model(), o.dim_feedforward()).bias(o.bias())));
  dropout = register_module("dropout", Dropout(o.dropout()));
  linear2 = register_module("linear2", Linear(LinearOptions(o.dim_feedforward(), o.d_model()).bias(o.bias())));
  norm1 = register_module("norm1", norm_of(o));
  norm2 = register_module("norm2", norm_of(o));
  norm3 = register_module("norm3", norm_of(o));
  dropout1 = register_module("dropout1", Dropout(o.dropout()));
  dropout2 = register_module("dropout2", Dropout(o.dropout()));
  dropout3 = register_module("dropout3", Dropout(o.dropout()));
}

void TransformerDecoderLayerImpl::reset_parameters() {
  self_attn->_reset_parameters();
  multihead_attn->_reset_parameters();
  linear1->reset_parameters();
  linear2->reset_parameters();
  norm1->reset_parameters();
  norm2->reset_parameters();
  norm3->reset_parameters();
}

Tensor TransformerDecoderLayerImpl::forward(Tensor tgt, const Tensor& memory, const Tensor& tgt_mask,
                                            const Tensor& memory_mask, const Tensor& tgt_key_padding_mask,
                                            const Tensor& memory_key_padding_mask, bool tgt_is_causal,
                                            bool memory_is_causal) {
  const auto self_attention = [&](const Tensor& x) {
    return dropout1(attend(self_attn, x, x, tgt_mask, tgt_key_padding_mask, tgt_is_causal));
  };
  const auto cross_attention = [&](const Tensor& x) {
    return dropout2(attend(multihead_attn, x, memory, memory_mask, memory_key_padding_mask, memory_is_causal));
  };
  const auto feed_forward = [&](const Tensor& x) {
    return dropout3(linear2(dropout(activate(options.activation(), linear1(x)))));
  };
  if (options.norm_first()) {
    tgt = tgt + self_attention(norm1(tgt));
    tgt = tgt + cross_attention(norm2(tgt));
    return tgt + feed_forward(norm3(tgt));
  }
  tgt = norm1(tgt + self_attention(tgt));
  tgt = norm2(tgt + cross_attention(tgt));
  return norm3(tgt + feed_forward(tgt));
}

// ---- stacks

TransformerEncoderImpl::TransformerEncoderImpl(TransformerEncoderOptions options_) : options(std::move(options_)) {
  reset();
}

void TransformerEncoderImpl::reset() {
  layers = register_module("layers", ModuleList());
  clone_layers(layers, options.encoder_layer(), options.num_layers(), "TransformerEncoder");
  if (!options.norm().is_empty()) {
    norm = options.norm().clone();
    register_module("norm", norm.ptr());
  }
}

void TransformerEncoderImpl::reset_parameters() {
  for (const auto& layer : *layers) layer->as<TransformerEncoderLayer>()->reset_parameters();
}

Tensor TransformerEncoderImpl::forward(const Tensor& src, const Tensor& src_mask, const Tensor& src_key_padding_mask,
                                       std::optional<bool> is_causal) {
  const bool causal = is_causal_mask(src_mask, is_causal);
  Tensor x = src;
  for (const auto& layer : *layers)
    x = detail::call(*layer->as<TransformerEncoderLayer>(), x, src_mask, src_key_padding_mask, causal);
  return norm.is_empty() ? x : norm.forward<Tensor>(x);
}

TransformerDecoderImpl::TransformerDecoderImpl(TransformerDecoderOptions options_) : options(std::move(options_)) {
  reset();
}

void TransformerDecoderImpl::reset() {
  layers = register_module("layers", ModuleList());
  clone_layers(layers, options.decoder_layer(), options.num_layers(), "TransformerDecoder");
  if (!options.norm().is_empty()) {
    norm = options.norm().clone();
    register_module("norm", norm.ptr());
  }
}

void TransformerDecoderImpl::reset_parameters() {
  for (const auto& layer : *layers) layer->as<TransformerDecoderLayer>()->reset_parameters();
}

Tensor TransformerDecoderImpl::forward(const Tensor& tgt, const Tensor& memory, const Tensor& tgt_mask,
                                       const Tensor& memory_mask, const Tensor& tgt_key_padding_mask,
                                       const Tensor& memory_key_padding_mask, std::optional<bool> tgt_is_causal,
                                       bool memory_is_causal) {
  const bool causal = is_causal_mask(tgt_mask, tgt_is_causal);
  Tensor x = tgt;
  for (const auto& layer : *layers)
    x = detail::call(*layer->as<TransformerDecoderLayer>(), x, memory, tgt_mask, memory_mask, tgt_key_padding_mask,
                     memory_key_padding_mask, causal, memory_is_causal);
  return norm.is_empty() ? x : norm.forward<Tensor>(x);
}

// ---- both

TransformerImpl::TransformerImpl(TransformerOptions options_) : options(std::move(options_)) {
  check_layer(options, "Transformer");
  reset();
}

void TransformerImpl::reset() {
  const auto& o = options;
  if (o.custom_encoder().is_empty()) {
    const TransformerEncoderLayer layer(options_of(o, TransformerEncoderLayerOptions(o.d_model(), o.nhead())));
    encoder = AnyModule(
        TransformerEncoder(TransformerEncoderOptions(layer, o.num_encoder_layers()).norm(AnyModule(norm_of(o)))));
  } else {
    encoder = o.custom_encoder().clone();
  }
  register_module("encoder", encoder.ptr());
  if (o.custom_decoder().is_empty()) {
    const TransformerDecoderLayer layer(options_of(o, TransformerDecoderLayerOptions(o.d_model(), o.nhead())));
    decoder = AnyModule(
        TransformerDecoder(TransformerDecoderOptions(layer, o.num_decoder_layers()).norm(AnyModule(norm_of(o)))));
  } else {
    decoder = o.custom_decoder().clone();
  }
  register_module("decoder", decoder.ptr());
  reset_parameters();
}

void TransformerImpl::reset_parameters() { xavier(*this); }

Tensor TransformerImpl::forward(const Tensor& src, const Tensor& tgt, const Tensor& src_mask, const Tensor& tgt_mask,
                                const Tensor& memory_mask, const Tensor& src_key_padding_mask,
                                const Tensor& tgt_key_padding_mask, const Tensor& memory_key_padding_mask) {
  check<ValueError>(src.defined() && tgt.defined(), "Transformer: src or tgt is undefined");
  check<ValueError>(src.dim() == tgt.dim() && (src.dim() == 2 || src.dim() == 3),
                    "Transformer: src and tgt must both be 3D, or 2D without a batch, got ", src.sizes(), " and ",
                    tgt.sizes());
  const int64_t batch = options.batch_first() ? 0 : 1;
  check<ValueError>(src.dim() == 2 || src.size(batch) == tgt.size(batch),
                    "Transformer: the batch number of src and tgt must be equal, got ", src.sizes(), " and ",
                    tgt.sizes());
  check<ValueError>(src.size(-1) == options.d_model() && tgt.size(-1) == options.d_model(),
                    "Transformer: the feature number of src and tgt must be equal to d_model (", options.d_model(),
                    "), got ", src.sizes(), " and ", tgt.sizes());
  const Tensor memory = encoder.forward<Tensor>(src, src_mask, src_key_padding_mask);
  return decoder.forward<Tensor>(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask);
}

Tensor TransformerImpl::generate_square_subsequent_mask(int64_t sz) {
  check<ValueError>(sz >= 0, "generate_square_subsequent_mask: the size must not be negative, got ", sz);
  return full({sz, sz}, -std::numeric_limits<double>::infinity(), kFloat).triu(1);
}

}  // namespace taut::nn
