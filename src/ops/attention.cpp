// Scaled dot product attention: tiles that never store the scores, and the same in public ops for masks, dropout and
// higher derivatives.
#include "taut/ops/attention.h"
#include "ops/autocast.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/attention.h"
#include "ops/batch_rules.h"
#include "ops/linalg.h"
#include "ops/op.h"
#include "ops/registry.h"
#include "ops/view_ops.h"

namespace taut {

namespace {

constexpr const char* kName = "scaled_dot_product_attention";

/// The formula as it stands. The mask is bool (kept where true) or added.
Tensor plain_attention(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask, double dropout_p,
                       bool causal, double scale, bool gqa) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto heads = [&](const Tensor& x) {  // each key head serves several query heads
    return gqa && x.dim() >= 3 && x.size(-3) != q.size(-3) ? x.repeat_interleave(q.size(-3) / x.size(-3), -3) : x;
  };
  Tensor scores = matmul_keeping(q * scale, heads(k).mT());
  if (causal) {
    const Tensor seen = ones({q.size(-2), k.size(-2)}, kBool).tril();
    scores = scores.masked_fill(seen.logical_not(), -infinity);
  }
  if (mask.defined())
    scores = mask.scalar_type() == kBool ? scores.masked_fill(mask.logical_not(), -infinity) : scores + mask;
  Tensor weights = scores.softmax(-1);
  // A query that may see nothing gets zeros, not the NaN of an empty softmax.
  if (mask.defined() && k.size(-2) > 0) weights = weights.masked_fill((scores.detach() == -infinity).all(-1, true), 0);
  if (dropout_p > 0) weights = dropout(weights, dropout_p, true);
  return matmul_keeping(weights.to(v.scalar_type()), heads(v));
}

/// Uninitialised, with batch, heads and lengths in the order in which they lie in the memory of `like`.
Tensor make_like(const Tensor& like, int64_t length, int64_t features) {
  const Dims sizes{like.size(0), like.size(1), length, features};
  size_t order[] = {0, 1, 2};
  const auto far = [&](size_t d) {
    return like.strides()[d] == 0 ? std::numeric_limits<int64_t>::max() : like.strides()[d];
  };
  std::stable_sort(order, order + 3, [&](size_t a, size_t b) { return far(a) > far(b); });
  Dims strides{0, 0, 0, 1};
  int64_t step = features;
  for (size_t i = 3; i-- > 0; step *= sizes[order[i]]) strides[order[i]] = step;
  return empty_strided(sizes, strides, like.scalar_type());
}
/// Places for the gradients of query, key and value. If these are parts of one tensor, as a projection for all three
/// makes them, so are the gradients: they need not be joined.
std::array<Tensor, 3> make_gradients(const Tensor& q, const Tensor& k, const Tensor& v) {
  const int64_t first = q.impl()->offset(), step = k.impl()->offset() - first;
  const IntArrayRef sizes = q.sizes(), strides = q.strides();
  bool together = q.impl()->storage == k.impl()->storage && q.impl()->storage == v.impl()->storage && step > 0 &&
                  v.impl()->offset() == first + 2 * step && k.sizes() == sizes && v.sizes() == sizes &&
                  k.strides() == strides && v.strides() == strides;
  // Do all three fill what they lie in?
  std::array<std::pair<int64_t, int64_t>, 5> dims = {{{step, 3}}};
  for (size_t d = 0; d < 4; ++d) dims[d + 1] = {strides[d], sizes[d]};
  std::sort(dims.begin(), dims.end());
  int64_t dense = 1;
  for (const auto& [stride, size] : dims) {
    together = together && (size == 1 || stride == dense);
    dense *= size;
  }
  if (!together)
    return {make_like(q, q.size(2), q.size(3)), make_like(k, k.size(2), k.size(3)), make_like(v, v.size(2), v.size(3))};
  const Tensor all = make({dense}, q.scalar_type(), kName);
  return {alias(all, sizes, strides), alias(all, sizes, strides, step), alias(all, sizes, strides, 2 * step)};
}
Tensor contiguous_features(const Tensor& x) { return x.stride(3) == 1 || x.size(3) <= 1 ? x : x.contiguous(); }

/// On [batch, heads, length, features] tensors; the mask (which may be undefined) is added to the scores, and has no
/// gradient.
struct TiledAttention {
  static constexpr const char* name = kName;
  static constexpr const char* node = "ScaledDotProductFlashAttentionForCpuBackward0";
  static constexpr unsigned reads[] = {kInput(0) | kInput(1) | kInput(2) | kInput(3) | kResult(0) | kResult(1)},
                            keeps = kInput(0) | kInput(1) | kInput(2) | kInput(3) | kResult(0);
  double scale;
  bool causal, masked;

  std::array<Tensor, 2> batch(const Batch& b, const Tensor& query, const Tensor& key, const Tensor& value,
                              const Tensor& mask) const {
    const Tensor q = b.all(0, query), k = b.all(1, key), v = b.all(2, value);
    Tensor added = mask;
    if (masked && (b.has(3) || mask.size(0) != 1)) {
      added = b.all(3, mask);
      added = fold_items(added.expand({b.size, q.size(1), added.size(2), added.size(3), added.size(4)}));
    }
    auto r = apply(*this, fold_items(q), fold_items(k), fold_items(v), added);
    for (Tensor& t : r) t = unfold_items(t, b.size, q.size(1));
    return r;
  }
  std::array<Tensor, 2> forward(const Tensor& query, const Tensor& key, const Tensor& value, const Tensor& mask) const {
    const Tensor q = contiguous_features(query), k = contiguous_features(key), v = contiguous_features(value);
    Tensor y = make_like(query, query.size(2), value.size(3));
    Tensor lse = make({query.size(0), query.size(1), query.size(2)}, query.scalar_type(), name);
    kernels::attention({view_of(q), view_of(k), view_of(v), masked ? view_of(mask) : View(), scale, causal}, view_of(y),
                       view_of(lse));
    return {y, lse};
  }
  void vjps(const Tensor* grads, const Saved& s, Tensor* out) const {
    const Tensor mask = masked ? s.input(3) : Tensor();
    if (must_record())
      return vjps_of(
          [&](const std::vector<Tensor>& in) {
            return std::vector<Tensor>{plain_attention(in[0], in[1], in[2], mask, 0, causal, scale, true)};
          },
          {s.input(0), s.input(1), s.input(2)}, grads, s, out);
    const Tensor query = s.input(0), key = s.input(1), value = s.input(2), y = s.result(0), lse = s.result(1);
    const Tensor q = contiguous_features(query), k = contiguous_features(key), v = contiguous_features(value);
    const Tensor g = contiguous_features(grads[0]);
    const auto [dq, dk, dv] = make_gradients(query, key, value);
    kernels::attention_backward({view_of(q), view_of(k), view_of(v), masked ? view_of(mask) : View(), scale, causal},
                                view_of(y), view_of(lse), view_of(g), view_of(dq), view_of(dk), view_of(dv));
    if (s.wants(0)) out[0] = dq;
    if (s.wants(1)) out[1] = dk;
    if (s.wants(2)) out[2] = dv;
  }
};

void check_arguments(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask, double dropout_p,
                     bool causal, std::optional<double> scale, bool gqa) {
  check_defined(q, kName, "query");
  check_defined(k, kName, "key");
  check_defined(v, kName, "value");
  check(q.dim() >= 2 && k.dim() >= 2 && v.dim() >= 2, kName,
        ": Expected query, key, and value to all be at least 2 dimensional, but got query.dim: ", q.dim(),
        " key.dim: ", k.dim(), " and value.dim: ", v.dim(), ": their last two dimensions are length and features");
  check<TypeError>(q.scalar_type() == k.scalar_type() && q.scalar_type() == v.scalar_type(), kName,
                   ": Expected query, key, and value to have the same dtype, but got query.dtype: ", q.scalar_type(),
                   " key.dtype: ", k.scalar_type(), " and value.dtype: ", v.scalar_type(), ". Convert with .to()");
  check<TypeError>(q.is_floating_point(), kName, ": expected floating point tensors, got ", q.scalar_type(),
                   ". Convert them: x.to(taut::kFloat)");
  check(q.size(-1) == k.size(-1), kName, ": query and key must have the same number of features, got query ", q.sizes(),
        " and key ", k.sizes());
  check(k.size(-2) == v.size(-2), kName, ": key and value must have the same length, got key ", k.sizes(),
        " and value ", v.sizes());
  check<ValueError>(dropout_p >= 0 && dropout_p <= 1, kName,
                    ": dropout probability has to be between 0 and 1, but got ", dropout_p);
  check<ValueError>(!scale || std::isfinite(*scale), kName, ": scale must be finite, got ", scale.value_or(0));
  if (gqa) {
    check(q.dim() >= 3 && k.dim() >= 3 && v.dim() >= 3, kName,
          ": with enable_gqa query, key and value need a dimension of heads (-3), got ", q.sizes(), ", ", k.sizes(),
          " and ", v.sizes());
    check(k.size(-3) > 0 && v.size(-3) > 0 && q.size(-3) % k.size(-3) == 0 && q.size(-3) % v.size(-3) == 0, kName,
          ": Number of heads in key and value must divide the number of heads in query, got ", k.size(-3), ", ",
          v.size(-3), " and ", q.size(-3));
  }
  if (!mask.defined()) return;
  check(!causal, kName, ": Explicit attn_mask should not be set when is_causal=True: put both into one mask");
  check<TypeError>(mask.scalar_type() == kBool || mask.scalar_type() == kFloat || mask.scalar_type() == q.scalar_type(),
                   kName,
                   ": Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: ",
                   mask.scalar_type(), " and query.dtype: ", q.scalar_type());
}

/// The shape of the scores: the broadcast batch, then lengths.
Dims scores_shape(const Tensor& q, const Tensor& k, const Tensor& v, bool gqa) {
  const auto batch = [&](const Tensor& x) {
    Dims d(x.sizes().slice(0, x.sizes().size() - 2));
    if (gqa) d.back() = q.size(-3);
    return d;
  };
  Dims shape = broadcast_shapes(broadcast_shapes(batch(q), batch(k), kName), batch(v), kName);
  shape.push_back(q.size(-2));
  shape.push_back(k.size(-2));
  return shape;
}

}  // namespace

Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                    OptionalTensor attn_mask, double dropout_p, bool is_causal,
                                    std::optional<double> scale, bool enable_gqa) {
  AUTOCAST(scaled_dot_product_attention, as_short(query), as_short(key), as_short(value), as_short(attn_mask),
           dropout_p, is_causal, scale, enable_gqa);
  const AsDry as(query);
  const Tensor mask = attn_mask ? *attn_mask : Tensor();
  check_arguments(query, key, value, mask, dropout_p, is_causal, scale, enable_gqa);
  if (enable_gqa && key.size(-3) != value.size(-3)) {  // each its own share of the query's heads
    const auto all = [&](const Tensor& x) { return x.repeat_interleave(query.size(-3) / x.size(-3), -3); };
    return scaled_dot_product_attention(query, all(key), all(value), attn_mask, dropout_p, is_causal, scale, false);
  }
  const Dims scores = scores_shape(query, key, value, enable_gqa);
  if (mask.defined())
    check(broadcast_shapes(scores, mask.sizes(), kName) == scores, kName, ": attn_mask ", mask.sizes(),
          " must broadcast to the scores ", scores);
  const ScalarType dtype = query.scalar_type();
  if (dtype != kFloat && dtype != kDouble)  // once rounded, at the end
    return scaled_dot_product_attention(query.to(kFloat), key.to(kFloat), value.to(kFloat),
                                        mask.defined() && mask.scalar_type() != kBool ? mask.to(kFloat) : mask,
                                        dropout_p, is_causal, scale, enable_gqa)
        .to(dtype);
  const int64_t features = query.size(-1);
  const double factor = scale.value_or(features == 0 ? 1 : 1 / std::sqrt(static_cast<double>(features)));
  // A tile is as wide as a few vectors of queries: for less than one, as in decoding, the formula is faster.
  const bool few = query.size(-2) < 16 && key.size(-2) >= 16;
  if (few || dropout_p > 0 || (mask.defined() && (mask.requires_grad() || autograd::forward_mode())) ||
      key.size(-2) == 0 || query.numel() == 0 || value.numel() == 0)
    return plain_attention(query, key, value, mask.defined() && mask.scalar_type() != kBool ? mask.to(dtype) : mask,
                           dropout_p, is_causal, factor, enable_gqa);

  // Brought to [batch, heads, length, features] as views where possible.
  const size_t dims = scores.size();
  const auto four = [&](const Tensor& x) {
    Dims full(scores);
    if (enable_gqa) full[dims - 3] = x.size(-3);
    full[dims - 2] = x.size(-2);
    full[dims - 1] = x.size(-1);
    Tensor y = x.sizes() == IntArrayRef(full) ? x : x.expand(full);
    for (size_t d = dims; d < 4; ++d) y = y.unsqueeze(0);
    return dims > 4 ? y.flatten(0, static_cast<int64_t>(dims) - 4) : y;
  };
  Tensor added;
  if (mask.defined()) {
    added = mask.scalar_type() == kBool
                ? zeros(mask.sizes(), dtype).masked_fill(mask.logical_not(), -std::numeric_limits<double>::infinity())
                : mask.to(dtype);
    added = added.expand(scores);
    for (size_t d = dims; d < 4; ++d) added = added.unsqueeze(0);
    if (dims > 4) added = added.flatten(0, static_cast<int64_t>(dims) - 4);
  }
  const Tensor y =
      apply(TiledAttention{factor, is_causal, mask.defined()}, four(query), four(key), four(value), added)[0];
  if (dims == 4) return y;
  Dims shape(scores);
  shape[dims - 1] = value.size(-1);
  return own_result(y.reshape(shape), query, key, value);
}

extern const OpEntry attention_ops[];
extern const size_t attention_ops_count;
const OpEntry attention_ops[] = {
    doc("softmax(query @ key.T * scale + mask) @ value.",
        op<scaled_dot_product_attention>(
            "scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float "
            "dropout_p=0.0, bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor",
            "t(1, 2, 3, 4), t(1, 2, 3, 4), t(1, 2, 3, 4)\nt(1, 2, 4, 3), t(1, 2, 4, 3), t(1, 2, 4, 2), "
            "is_causal=True\nt(2, 5, 2), t(2, 3, 2), t(2, 3, 4), is_causal=True\nt(3, 2), t(4, 2), t(4, 3)\nt(2, 3, "
            "2), "
            "t(2, "
            "3, 2), t(2, 3, 2), scale=0.5\nt(1, 4, 2, 3), t(1, 2, 3, 3), t(1, 2, 3, 2), enable_gqa=True\nt(1, 4, 3, "
            "2), "
            "t(1, "
            "2, 3, 2), t(1, 2, 3, 2), is_causal=True, enable_gqa=True\nt(2, 2, 3), t(2, 4, 3), t(2, 4, 2), b(2, "
            "4)\nt(1, "
            "2, "
            "2, 3), t(1, 2, 4, 3), t(1, 2, 4, 2), t(2, 4)\nt(2, 3, 2), t(1, 3, 2), t(2, 3, 2)\nt(2, 0, 3), t(2, 2, 3), "
            "t(2, "
            "2, 3)\nt(1, 2, 3), t(1, 0, 3), t(1, 0, 3)\nt(2, 2, 1, 3, 2), t(2, 2, 1, 3, 2), t(2, 2, 1, 3, 2)")),
};
const size_t attention_ops_count = std::size(attention_ops);

}  // namespace taut
