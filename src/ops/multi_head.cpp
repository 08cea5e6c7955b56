// Multi-head attention: projections, masks, and scaled_dot_product_attention, or the formula itself when the weights
// are wanted. Messages are PyTorch's.
#include <cmath>
#include <limits>

#include "ops/op.h"
#include "ops/registry.h"
#include "ops/wording.h"
#include "taut/core/runtime.h"
#include "taut/factories.h"
#include "taut/ops/attention.h"
#include "taut/ops/dropout.h"
#include "taut/tensor.h"

namespace taut {

namespace {

constexpr const char* kName = "multi_head_attention_forward";

Tensor given(OptionalTensor t) { return t ? *t : Tensor(); }

void check_shapes(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& padding, const Tensor& mask,
                  int64_t heads) {
  check_defined(q, kName, "query");
  check_defined(k, kName, "key");
  check_defined(v, kName, "value");
  assert_that(q.dim() == 2 || q.dim() == 3, "query should be unbatched 2D or batched 3D tensor but received ", q.dim(),
              "-D query tensor");
  const bool batched = q.dim() == 3;
  const char* which = batched ? "batched (3-D)" : "unbatched (2-D)";
  assert_that(k.dim() == q.dim() && v.dim() == q.dim(), "For ", which, " `query`, expected `key` and `value` to be ",
              q.dim(), "-D but found ", k.dim(), "-D and ", v.dim(), "-D tensors respectively");
  if (padding.defined())
    assert_that(padding.dim() == q.dim() - 1, "For ", which, " `query`, expected `key_padding_mask` to be `None` or ",
                q.dim() - 1, "-D but found ", padding.dim(), "-D tensor instead");
  if (!mask.defined()) return;
  assert_that(mask.dim() == 2 || mask.dim() == 3, "For ", which,
              " `query`, expected `attn_mask` to be `None`, 2-D or 3-D but found ", mask.dim(), "-D tensor instead");
  if (!batched && mask.dim() == 3)
    assert_that(mask.sizes() == IntArrayRef({heads, q.size(0), k.size(0)}), "Expected `attn_mask` shape to be ",
                tuple({heads, q.size(0), k.size(0)}), " but got ", shown(mask.sizes()));
}

/// A linear layer on [length, batch, features]; what lies batch by batch is not copied, and its result lies so too.
Tensor linear_rows(const Tensor& x, const Tensor& w, const Tensor& b) {
  if (x.is_contiguous() || !x.transpose(0, 1).is_contiguous()) return linear(x, w, b);
  return linear(x.transpose(0, 1), w, b).transpose(0, 1);
}

struct Projected {
  Tensor q, k, v;
};

/// The rows of the first weights, or elements of their biases, that belong to `count` of query, key and value.
Tensor part(const Tensor& t, int64_t first, int64_t count, int64_t embed) {
  return t.defined() ? t.narrow(0, first * embed, count * embed) : t;
}

/// One product for all three where they are the same tensor, one for key and value where those are.
Projected project(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& w, const Tensor& b, int64_t embed) {
  assert_that(k.sizes() == v.sizes(), "key shape ", shown(k.sizes()), " does not match value shape ", shown(v.sizes()));
  assert_that(w.defined(), "use_separate_proj_weight is False but in_proj_weight is None");
  check<ValueError>(w.sizes() == IntArrayRef({3 * embed, embed}), kName, ": in_proj_weight must have shape [",
                    3 * embed, ", ", embed, "], got ", w.sizes());
  check<ValueError>(k.size(2) == embed, kName, ": key and value must have ", embed, " features, got ", k.sizes(),
                    ". Set kdim and vdim for others");
  if (q.is_same(k) && k.is_same(v)) {
    const std::vector<Tensor> p = linear_rows(q, w, b).chunk(3, -1);
    return {p[0], p[1], p[2]};
  }
  const auto one = [&](const Tensor& x, int64_t first, int64_t count) {
    return linear_rows(x, part(w, first, count, embed), part(b, first, count, embed));
  };
  const Tensor query = one(q, 0, 1);
  if (!k.is_same(v)) return {query, one(k, 1, 1), one(v, 2, 1)};
  const std::vector<Tensor> p = one(k, 1, 2).chunk(2, -1);
  return {query, p[0], p[1]};
}

/// Weights of their own for query, key and value, which may have other numbers of features.
Projected project_apart(const Tensor (&x)[3], const Tensor (&w)[3], const Tensor& b, int64_t embed) {
  static constexpr const char* names[] = {"query", "key", "value"};
  const auto outer = [](const Tensor& t) { return t.sizes().slice(0, 2); };
  assert_that(outer(x[1]) == outer(x[2]), "key's sequence and batch dims ", shown(outer(x[1])),
              " do not match value's ", shown(outer(x[2])));
  for (int i = 0; i < 3; ++i)
    assert_that(w[i].defined(), "use_separate_proj_weight is True but ", names[i][0], "_proj_weight is None");
  for (int i = 0; i < 3; ++i)
    assert_that(w[i].sizes() == IntArrayRef({embed, x[i].size(2)}), "expecting ", names[i], " weights shape of ",
                tuple({embed, x[i].size(2)}), ", but got ", shown(w[i].sizes()));
  if (b.defined())
    assert_that(b.sizes() == IntArrayRef({3 * embed}), "expecting query, key and value bias shapes of ", tuple({embed}),
                ", but got ", shown(b.sizes()), " for all three");
  return {linear_rows(x[0], w[0], part(b, 0, 1, embed)), linear_rows(x[1], w[1], part(b, 1, 1, embed)),
          linear_rows(x[2], w[2], part(b, 2, 1, embed))};
}

/// Masks that grow with the keys: what is added at the end is never masked.
struct Masks {
  Tensor of_scores, of_keys;
  void grow() {
    for (Tensor* m : {&of_scores, &of_keys})
      if (m->defined()) *m = pad(*m, {0, 1});
  }
  /// Both as numbers to add to the scores. Returns whether the kernel is to mask what is later by itself.
  bool to_numbers(ScalarType dtype, bool is_causal, bool need_weights) {
    of_keys = _canonical_mask(of_keys, "key_padding_mask",
                              of_scores.defined() ? std::optional(of_scores.scalar_type()) : std::nullopt, "attn_mask",
                              dtype);
    check(!is_causal || of_scores.defined(),
          "Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
          "`generate_square_subsequent_mask` to create this mask.");
    if (is_causal && !of_keys.defined() && !need_weights) {
      of_scores.reset();
      return true;
    }
    of_scores = _canonical_mask(of_scores, "attn_mask", std::nullopt, "", dtype, false);
    return false;
  }
  /// That of the scores for each sample and head.
  void by_head(int64_t batch, int64_t heads, int64_t length, int64_t source) {
    Tensor& m = of_scores;
    if (!m.defined()) return;
    const int64_t all = batch * heads;
    check(m.dim() == 3 || m.sizes() == IntArrayRef({length, source}), "The shape of the 2D attn_mask is ",
          shown(m.sizes()), ", but should be ", tuple({length, source}), ".");
    check(m.dim() == 2 || m.sizes() == IntArrayRef({all, length, source}), "The shape of the 3D attn_mask is ",
          shown(m.sizes()), ", but should be ", tuple({all, length, source}), ".");
    m = m.dim() == 2 ? m.unsqueeze(0).unsqueeze(0) : m.view({batch, heads, length, source});
  }
  /// Both in one.
  Tensor joined(int64_t batch, int64_t source) const {
    if (!of_keys.defined()) return of_scores;
    const int64_t wanted[] = {batch, source};
    for (int64_t d = 0; d < 2; ++d)
      assert_that(of_keys.size(d) == wanted[d], "Expected key_padded_mask.shape[", d, "] to be ", wanted[d],
                  ", but got ", of_keys.size(d));
    const Tensor keys = of_keys.view({batch, 1, 1, source});
    return of_scores.defined() ? of_scores + keys : keys;
  }
};

/// Keys or values that are not projected, for each sample and head.
Tensor fixed(const Tensor& t, const char* what, int64_t batch, int64_t heads, int64_t features) {
  check<ValueError>(t.dim() == 3, kName, ": expecting ", what, " of 3 dimensions, but got ", t.sizes());
  assert_that(t.size(0) == batch * heads, "expecting ", what, ".size(0) of ", batch * heads, ", but got ", t.size(0));
  assert_that(t.size(2) == features, "expecting ", what, ".size(2) of ", features, ", but got ", t.size(2));
  return t.view({batch, heads, t.size(1), features});
}

/// The attention, and its weights.
std::pair<Tensor, Tensor> with_weights(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask,
                                       double dropout_p) {
  const Tensor scores = matmul(q * std::sqrt(1.0 / static_cast<double>(q.size(-1))), k.mT());
  Tensor weights = softmax(mask.defined() ? scores + mask : scores, -1);
  if (dropout_p > 0) weights = dropout(weights, dropout_p, true);
  return {matmul(weights, v), weights};
}

}  // namespace

Tensor _canonical_mask(OptionalTensor mask, std::string_view mask_name, std::optional<ScalarType> other_type,
                       std::string_view other_name, ScalarType target_type, bool check_other) {
  const AsDry as(mask ? *mask : Tensor());
  if (!mask) return {};
  assert_that(mask->scalar_type() == kBool || mask->is_floating_point(), "only bool and floating types of ", mask_name,
              " are supported");
  if (check_other && other_type && *other_type != mask->scalar_type())
    warn(str("Support for mismatched ", mask_name, " and ", other_name,
             " is deprecated. Use same type for both instead."));
  if (mask->scalar_type() != kBool) return *mask;
  return zeros(mask->sizes(), target_type).masked_fill(*mask, -std::numeric_limits<double>::infinity());
}

std::tuple<Tensor, Tensor> _multi_head_attention_forward(
    const Tensor& query, const Tensor& key, const Tensor& value, int64_t embed_dim_to_check, int64_t num_heads,
    OptionalTensor in_proj_weight, OptionalTensor in_proj_bias, OptionalTensor bias_k, OptionalTensor bias_v,
    bool add_zero_attn, double dropout_p, const Tensor& out_proj_weight, OptionalTensor out_proj_bias, bool training,
    OptionalTensor key_padding_mask, bool need_weights, OptionalTensor attn_mask, bool use_separate_proj_weight,
    OptionalTensor q_proj_weight, OptionalTensor k_proj_weight, OptionalTensor v_proj_weight, OptionalTensor static_k,
    OptionalTensor static_v, bool average_attn_weights, bool is_causal) {
  const AsDry as(query);
  Masks masks{given(attn_mask), given(key_padding_mask)};
  check<ValueError>(num_heads > 0, kName, ": num_heads must be greater than 0, got ", num_heads);
  check_shapes(query, key, value, masks.of_keys, masks.of_scores, num_heads);
  check_defined(out_proj_weight, kName, "out_proj_weight");
  const bool batched = query.dim() == 3;
  const auto with_batch = [&](const Tensor& t) { return batched ? t : t.unsqueeze(1); };
  // The same tensor stays the same: its projections are then one product.
  const Tensor q_in = with_batch(query), k_in = key.is_same(query) ? q_in : with_batch(key);
  const Tensor v_in = value.is_same(key) ? k_in : with_batch(value);
  if (!batched && masks.of_keys.defined()) masks.of_keys = masks.of_keys.unsqueeze(0);
  const int64_t length = q_in.size(0), batch = q_in.size(1), embed = q_in.size(2), head = embed / num_heads;
  is_causal = masks.to_numbers(query.scalar_type(), is_causal, need_weights);

  assert_that(embed == embed_dim_to_check, "was expecting embedding dimension of ", embed_dim_to_check, ", but got ",
              embed);
  assert_that(head * num_heads == embed, "embed_dim ", embed, " not divisible by num_heads ", num_heads);
  check<ValueError>(k_in.size(1) == batch && v_in.size(1) == batch, kName, ": query, key and value must have the same ",
                    "batch, got ", query.sizes(), ", ", key.sizes(), " and ", value.sizes());
  Projected p =
      use_separate_proj_weight
          ? project_apart({q_in, k_in, v_in}, {given(q_proj_weight), given(k_proj_weight), given(v_proj_weight)},
                          given(in_proj_bias), embed)
          : project(q_in, k_in, v_in, given(in_proj_weight), given(in_proj_bias), embed);

  masks.by_head(batch, num_heads, length, k_in.size(0));
  if (bias_k && bias_v) {
    assert_that(!static_k, "bias cannot be added to static key.");
    assert_that(!static_v, "bias cannot be added to static value.");
    p.k = cat({p.k, bias_k->expand({1, batch, embed})});
    p.v = cat({p.v, bias_v->expand({1, batch, embed})});
    masks.grow();
  }
  const auto by_head = [&](const Tensor& x) {
    return x.view({x.size(0), batch, num_heads, head}).permute({1, 2, 0, 3});
  };
  const Tensor q = by_head(p.q);
  Tensor k = static_k ? fixed(*static_k, "static_k", batch, num_heads, head) : by_head(p.k);
  Tensor v = static_v ? fixed(*static_v, "static_v", batch, num_heads, head) : by_head(p.v);
  if (add_zero_attn) {
    k = cat({k, zeros({batch, num_heads, 1, head}, k.scalar_type())}, 2);
    v = cat({v, zeros({batch, num_heads, 1, head}, v.scalar_type())}, 2);
    masks.grow();
  }
  const Tensor mask = masks.joined(batch, k.size(2));
  if (!training) dropout_p = 0;
  check<ValueError>(dropout_p >= 0 && dropout_p <= 1, "dropout probability has to be between 0 and 1, but got ",
                    dropout_p);
  Tensor y, weights;
  if (need_weights) {
    std::tie(y, weights) = with_weights(q, k, v, mask, dropout_p);
    if (average_attn_weights) weights = weights.mean(1);
    if (!batched) weights = weights.squeeze(0);
  } else {
    y = scaled_dot_product_attention(q, k, v, mask, dropout_p, is_causal);
  }
  // The result lies step by step as PyTorch's does: the numbers a dropout draws for it follow its memory.
  y = linear_rows(y.permute({2, 0, 1, 3}).reshape({length, batch, embed}), out_proj_weight, given(out_proj_bias))
          .contiguous();
  return {batched ? y : y.squeeze(1), weights};
}

extern const OpEntry multi_head_ops[];
extern const size_t multi_head_ops_count;
const OpEntry multi_head_ops[] = {
    doc("A mask as something to add to scores: minus infinity where a bool mask is true.",
        op<_canonical_mask>("_canonical_mask(Tensor? mask, str mask_name, ScalarType? other_type, str other_name, "
                            "ScalarType target_type, bool check_other=True) -> Tensor",
                            "b(2, 3), 'mask', None, '', torch.float64\nt(2, 3), 'mask', None, '', torch.float32, "
                            "False\ni(0, 2, 3), 'mask', None, '', torch.float64")),
    doc("What nn.MultiheadAttention computes: [length, batch, features] attends to key and value.",
        op<_multi_head_attention_forward>(
            "_multi_head_attention_forward(Tensor query, Tensor key, Tensor value, int embed_dim_to_check, int "
            "num_heads, Tensor? in_proj_weight, Tensor? in_proj_bias, Tensor? bias_k, Tensor? bias_v, bool "
            "add_zero_attn, float dropout_p, Tensor out_proj_weight, Tensor? out_proj_bias, bool training=True, "
            "Tensor? key_padding_mask=None, bool need_weights=True, Tensor? attn_mask=None, bool "
            "use_separate_proj_weight=False, Tensor? q_proj_weight=None, Tensor? k_proj_weight=None, Tensor? "
            "v_proj_weight=None, Tensor? static_k=None, Tensor? static_v=None, bool average_attn_weights=True, bool "
            "is_causal=False) -> (Tensor, Tensor)",
            "t(3, 2, 4), t(2, 2, 4), t(2, 2, 4), 4, 2, t(12, 4), t(12), None, None, False, 0.0, t(4, 4), t(4)\n"
            "t(3, 4), t(2, 4), t(2, 4), 4, 2, t(12, 4), None, t(1, 1, 4), t(1, 1, 4), True, 0.0, t(4, 4), None, "
            "attn_mask=t(3, 2), average_attn_weights=False\n"
            "t(2, 1, 4), t(3, 1, 2), t(3, 1, 3), 4, 1, None, t(12), None, None, False, 0.0, t(4, 4), t(4), "
            "key_padding_mask=c([[False, True, False]]), use_separate_proj_weight=True, q_proj_weight=t(4, 4), "
            "k_proj_weight=t(4, 2), v_proj_weight=t(4, 3)\n"
            "t(2, 1, 4), t(2, 1, 4), t(2, 1, 4), 4, 3, t(12, 4), t(12), None, None, False, 0.0, t(4, 4), t(4)")),
};
const size_t multi_head_ops_count = std::size(multi_head_ops);

}  // namespace taut
