// Multi-head attention: projections, masks, and scaled_dot_product_attention, or the formula itself when the weights
// are wanted.
#include "taut/nn/functional/attention.h"

#include <cmath>
#include <limits>

#include "taut/factories.h"

namespace taut::nn::functional {

namespace {

constexpr const char* kName = "multi_head_attention_forward";

OptionalTensor optional(const Tensor& t) { return t.defined() ? OptionalTensor(t) : OptionalTensor(); }

/// A mask as something to add: minus infinity where a bool mask is true.
Tensor additive(const Tensor& mask, ScalarType dtype, const char* what) {
  if (!mask.defined()) return mask;
  check<TypeError>(mask.scalar_type() == kBool || mask.is_floating_point(), kName, ": only bool and floating types of ",
                   what, " are supported, got ", mask.scalar_type());
  if (mask.scalar_type() != kBool) return mask;
  return zeros(mask.sizes(), dtype).masked_fill(mask, -std::numeric_limits<double>::infinity());
}

void check_shapes(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& padding, const Tensor& mask,
                  int64_t heads) {
  for (const Tensor* t : {&q, &k, &v}) check<ValueError>(t->defined(), kName, ": query, key or value is undefined");
  check<ValueError>(q.dim() == 2 || q.dim() == 3, kName,
                    ": query should be unbatched 2D or batched 3D tensor but received ", q.dim(), "-D query tensor");
  const bool batched = q.dim() == 3;
  const std::string which = batched ? "batched (3-D)" : "unbatched (2-D)";
  check<ValueError>(k.dim() == q.dim() && v.dim() == q.dim(), kName, ": For ", which,
                    " `query`, expected `key` and `value` to be ", q.dim(), "-D but found ", k.dim(), "-D and ",
                    v.dim(), "-D tensors respectively");
  check<ValueError>(!padding.defined() || padding.dim() == q.dim() - 1, kName, ": For ", which,
                    " `query`, expected `key_padding_mask` to be undefined or ", q.dim() - 1, "-D but found ",
                    padding.defined() ? padding.dim() : 0, "-D tensor instead");
  if (!mask.defined()) return;
  check<ValueError>(mask.dim() == 2 || mask.dim() == 3, kName, ": For ", which,
                    " `query`, expected `attn_mask` to be undefined, 2-D or 3-D but found ", mask.dim(),
                    "-D tensor instead");
  if (!batched && mask.dim() == 3)
    check<ValueError>(mask.sizes() == IntArrayRef({heads, q.size(0), k.size(0)}), kName,
                      ": Expected `attn_mask` shape to be [", heads, ", ", q.size(0), ", ", k.size(0), "] but got ",
                      mask.sizes());
}

struct Projected {
  Tensor q, k, v;
};

/// A linear layer on [length, batch, features]; what lies batch by batch is not copied, and its result lies so too.
Tensor linear_rows(const Tensor& x, const Tensor& w, const Tensor& b) {
  if (x.is_contiguous() || !x.transpose(0, 1).is_contiguous()) return linear(x, w, optional(b));
  return linear(x.transpose(0, 1), w, optional(b)).transpose(0, 1);
}

/// One product for all three where they are the same tensor, one for key and value where those are.
Projected project(const Tensor& query, const Tensor& key, const Tensor& value,
                  const MultiheadAttentionForwardFuncOptions& o, int64_t embed) {
  const Tensor& b = o.in_proj_bias();
  const auto bias = [&](int64_t first, int64_t count) {
    return b.defined() ? b.narrow(0, first * embed, count * embed) : Tensor();
  };
  if (o.use_separate_proj_weight()) {
    const Tensor &wq = o.q_proj_weight(), &wk = o.k_proj_weight(), &wv = o.v_proj_weight();
    check<ValueError>(wq.defined() && wk.defined() && wv.defined(), kName,
                      ": use_separate_proj_weight needs q_proj_weight, k_proj_weight and v_proj_weight");
    check<ValueError>(
        wq.sizes() == IntArrayRef({embed, query.size(2)}) && wk.sizes() == IntArrayRef({embed, key.size(2)}) &&
            wv.sizes() == IntArrayRef({embed, value.size(2)}),
        kName, ": expecting projection weights of shapes [", embed, ", features] for features of ", query.size(2), ", ",
        key.size(2), " and ", value.size(2), ", but got ", wq.sizes(), ", ", wk.sizes(), " and ", wv.sizes());
    return {linear_rows(query, wq, bias(0, 1)), linear_rows(key, wk, bias(1, 1)), linear_rows(value, wv, bias(2, 1))};
  }
  const Tensor& w = o.in_proj_weight();
  check<ValueError>(w.defined() && w.sizes() == IntArrayRef({3 * embed, embed}), kName,
                    ": in_proj_weight must have shape [", 3 * embed, ", ", embed, "], got ",
                    w.defined() ? str(w.sizes()) : "an undefined tensor");
  check<ValueError>(key.size(2) == embed && value.size(2) == embed, kName, ": key and value must have ", embed,
                    " features, got ", key.sizes(), " and ", value.sizes(), ". Set kdim and vdim for others");
  if (query.is_same(key) && key.is_same(value)) {
    const std::vector<Tensor> p = linear_rows(query, w, b).chunk(3, -1);
    return {p[0], p[1], p[2]};
  }
  const Tensor q = linear_rows(query, w.narrow(0, 0, embed), bias(0, 1));
  if (key.is_same(value)) {
    const std::vector<Tensor> p = linear_rows(key, w.narrow(0, embed, 2 * embed), bias(1, 2)).chunk(2, -1);
    return {q, p[0], p[1]};
  }
  return {q, linear_rows(key, w.narrow(0, embed, embed), bias(1, 1)),
          linear_rows(value, w.narrow(0, 2 * embed, embed), bias(2, 1))};
}

}  // namespace

std::tuple<Tensor, Tensor> multi_head_attention_forward(const Tensor& query_in, const Tensor& key_in,
                                                        const Tensor& value_in,
                                                        const MultiheadAttentionForwardFuncOptions& o) {
  Tensor padding = o.key_padding_mask(), mask = o.attn_mask();
  const int64_t heads = o.num_heads(), embed = o.embed_dim_to_check();
  check<ValueError>(heads > 0, kName, ": num_heads must be greater than 0, got ", heads);
  check_shapes(query_in, key_in, value_in, padding, mask, heads);
  const bool batched = query_in.dim() == 3;
  const auto with_batch = [&](const Tensor& t) { return batched ? t : t.unsqueeze(1); };
  const Tensor query = with_batch(query_in), key = key_in.is_same(query_in) ? query : with_batch(key_in);
  const Tensor value = value_in.is_same(key_in) ? key : with_batch(value_in);
  if (!batched && padding.defined()) padding = padding.unsqueeze(0);
  const int64_t length = query.size(0), batch = query.size(1), head = embed / heads;
  const ScalarType dtype = query.scalar_type();
  check<ValueError>(query.size(2) == embed, kName, ": was expecting embedding dimension of ", embed, ", but got ",
                    query.size(2));
  check<ValueError>(head * heads == embed, kName, ": embed_dim ", embed, " not divisible by num_heads ", heads);
  check<ValueError>(key.size(0) == value.size(0) && key.size(1) == batch && value.size(1) == batch &&
                        (o.use_separate_proj_weight() || key.sizes() == value.sizes()),
                    kName, ": key shape ", key.sizes(), " does not match value shape ", value.sizes(),
                    " or the batch of the query ", query.sizes());
  check<ValueError>(!o.is_causal() || mask.defined(), kName,
                    ": Need attn_mask if specifying the is_causal hint. Transformer's generate_square_subsequent_mask "
                    "makes it");
  bool causal = o.is_causal();
  padding = additive(padding, dtype, "key_padding_mask");
  if (causal && !padding.defined() && !o.need_weights()) {
    mask.reset();  // the kernel knows it without being told
  } else {
    mask = additive(mask, dtype, "attn_mask");
    causal = false;
  }
  if (mask.defined()) {
    const int64_t source = key.size(0);
    check<ValueError>(mask.dim() == 3 || mask.sizes() == IntArrayRef({length, source}), kName,
                      ": The shape of the 2D attn_mask is ", mask.sizes(), ", but should be (", length, ", ", source,
                      ").");
    check<ValueError>(mask.dim() == 2 || mask.sizes() == IntArrayRef({batch * heads, length, source}), kName,
                      ": The shape of the 3D attn_mask is ", mask.sizes(), ", but should be (", batch * heads, ", ",
                      length, ", ", source, ").");
    mask = mask.dim() == 2 ? mask.unsqueeze(0).unsqueeze(0) : mask.view({batch, heads, length, source});
  }
  Projected p = project(query, key, value, o, embed);

  const auto grow = [&](const Tensor& m) { return m.defined() ? pad(m, {0, 1}) : m; };  // one more key, never masked
  if (o.bias_k().defined() && o.bias_v().defined()) {
    check<ValueError>(!o.static_k().defined() && !o.static_v().defined(), kName,
                      ": bias cannot be added to a static key or value");
    p.k = cat({p.k, o.bias_k().expand({1, batch, embed})});
    p.v = cat({p.v, o.bias_v().expand({1, batch, embed})});
    mask = grow(mask), padding = grow(padding);
  }
  const auto by_head = [&](const Tensor& x) {
    return x.view({x.size(0), batch, heads, x.size(2) / heads}).permute({1, 2, 0, 3});
  };
  const auto given = [&](const Tensor& t, const char* what) {
    check<ValueError>(t.dim() == 3 && t.size(0) == batch * heads && t.size(2) == head, kName, ": expecting ", what,
                      " of shape [", batch * heads, ", length, ", head, "], but got ", t.sizes());
    return t.view({batch, heads, t.size(1), head});
  };
  const Tensor q = by_head(p.q);
  Tensor k = o.static_k().defined() ? given(o.static_k(), "static_k") : by_head(p.k);
  Tensor v = o.static_v().defined() ? given(o.static_v(), "static_v") : by_head(p.v);
  if (o.add_zero_attn()) {
    const Tensor none = zeros({batch, heads, 1, head}, k.scalar_type());
    k = cat({k, none}, 2), v = cat({v, none}, 2);
    mask = grow(mask), padding = grow(padding);
  }
  const int64_t source = k.size(2);
  if (padding.defined()) {
    check<ValueError>(padding.size(0) == batch && padding.size(1) == source, kName,
                      ": expecting key_padding_mask shape of (", batch, ", ", source, "), but got ", padding.sizes());
    const Tensor keys = padding.view({batch, 1, 1, source});
    mask = mask.defined() ? mask + keys : keys;
  }
  const double dropout_p = o.training() ? o.dropout_p() : 0;
  check<ValueError>(dropout_p >= 0 && dropout_p <= 1, kName,
                    ": dropout probability has to be between 0 and 1, but got ", dropout_p);
  Tensor y, weights;
  if (o.need_weights()) {
    Tensor scores = matmul(q * std::sqrt(1.0 / static_cast<double>(head)), k.mT());
    if (mask.defined()) scores = scores + mask;
    weights = softmax(scores, -1);
    if (dropout_p > 0) weights = dropout(weights, dropout_p, true);
    y = matmul(weights, v);
    if (o.average_attn_weights()) weights = weights.mean(1);
    if (!batched) weights = weights.squeeze(0);
  } else {
    y = scaled_dot_product_attention(q, k, v, optional(mask), dropout_p, causal);
  }
  y = linear_rows(y.permute({2, 0, 1, 3}).reshape({length, batch, embed}), o.out_proj_weight(), o.out_proj_bias());
  // The result lies step by step as PyTorch's does: the numbers a dropout draws for it follow its memory.
  y = y.contiguous();
  return {batched ? y : y.squeeze(1), weights};
}

}  // namespace taut::nn::functional
