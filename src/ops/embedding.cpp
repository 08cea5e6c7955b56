// Embeddings: rows of a table, gathered and, for the gradient, added up.
#include "taut/ops/embedding.h"

#include <cmath>
#include <memory>

#include "kernels/embedding.h"
#include "kernels/index.h"
#include "ops/batch_rules.h"
#include "ops/op.h"
#include "ops/registry.h"
#include "ops/sparse.h"
#include "taut/ops/complex.h"

namespace taut {

namespace {

Tensor lookup(const Tensor& table, const Tensor& indices) {
  Dims shape(indices.sizes());
  shape.push_back(table.size(1));
  const Tensor rows = table.contiguous(), at = indices.to(kLong).contiguous();
  kernels::check_rows(static_cast<int64_t*>(at.data_ptr()), at.numel(), table.size(0));
  const Tensor y = make(shape, table.scalar_type(), "embedding");
  kernels::copy_rows(y.data_ptr(), rows.data_ptr(), static_cast<int64_t*>(at.data_ptr()), at.numel(),
                     table.size(1) * table.element_size());
  return y;
}
/// For each index, how often it occurs among all of them.
Tensor frequencies(const Tensor& indices, int64_t rows, ScalarType dtype) {
  if (no_data(indices)) {
    Dims sizes(indices.sizes());
    sizes.push_back(1);
    return make_dry(sizes, dtype);
  }
  const Tensor flat = indices.reshape({-1}).to(kLong);
  return flat.bincount(std::nullopt, rows).index_select(0, flat).view(indices.sizes()).to(dtype).unsqueeze(-1);
}

/// The gradient of a table: all its rows, or those that were looked up.
Tensor table_gradient(const Tensor& g, const Tensor& indices, IntArrayRef sizes, int64_t padding, bool by_frequency,
                      bool sparse) {
  if (!sparse || thread_state.batched) return embedding_dense_backward(g, indices, sizes[0], padding, by_frequency);
  check(!by_frequency, "embedding_backward: scale_grad_by_freq not supported with sparse gradients");
  Tensor at = indices.reshape({-1}).to(kLong), rows = g.reshape({-1, sizes[1]});
  if (padding >= 0) {
    const Tensor kept = (at != padding).nonzero().select(1, 0);
    at = at.index_select(0, kept), rows = rows.index_select(0, kept);
  }
  return sparse::made({Layout::Sparse, at.unsqueeze(0), {}, sizes, at.numel() < 2}, rows);
}

/// Indices of each item into tables one after the other.
Tensor index_of_all(const Batch& b, const Tensor& indices, int64_t rows) {
  check_items(indices, rows);
  Dims along(indices.sizes().size(), 1);
  along[0] = b.size;
  return indices.to(kLong) + arange(b.size, kLong).view(along) * rows;
}

struct Embedding {
  static constexpr const char* name = "embedding";
  static constexpr const char* node = "EmbeddingBackward0";
  static constexpr bool linear = true;
  static constexpr unsigned reads[] = {kInput(1)};
  int64_t padding;
  bool by_frequency, sparse;
  Tensor batch(const Batch& b, const Tensor& weight, const Tensor& indices) const {
    if (!b.has(0)) return apply(*this, weight, indices);
    return apply(*this, fold_items(weight), index_of_all(b, b.all(1, indices), weight.size(1)));
  }
  Tensor forward(const Tensor& weight, const Tensor& indices) const { return lookup(weight, indices); }
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    return table_gradient(g, s.input(1), s.sizes(0), padding, by_frequency, sparse);
  }
};

struct EmbeddingBackward {
  static constexpr const char* name = "embedding_dense_backward";
  static constexpr const char* node = "EmbeddingDenseBackwardBackward0";
  static constexpr bool linear = true;
  static constexpr unsigned reads[] = {kInput(1)};
  int64_t rows, padding;
  bool by_frequency;
  Tensor batch(const Batch& b, const Tensor& g, const Tensor& indices) const {
    const EmbeddingBackward all{rows * b.size, -1, by_frequency};
    const Tensor sum = apply(all, b.all(0, g), index_of_all(b, b.all(1, indices), rows));
    const Tensor tables = unfold_items(sum, b.size, rows);
    if (padding >= 0 && padding < rows) tables.select(1, padding).zero_();
    return tables;
  }
  Tensor forward(const Tensor& g, const Tensor& indices) const {
    const bool half = element_size(g.scalar_type()) == 2;  // rounded once, after the sum
    const Tensor sum = zeros({rows, g.size(-1)}, half ? kFloat : g.scalar_type());
    Tensor parts = g.to(sum.scalar_type());
    if (by_frequency && g.numel() > 0) parts = parts / frequencies(indices, rows, parts.scalar_type());
    if (g.numel() > 0)
      kernels::index_add(view_of(sum), 0, view_of(indices.reshape({-1})), view_of(parts.reshape({-1, g.size(-1)})));
    if (padding >= 0 && padding < rows) sum.select(0, padding).zero_();
    return sum.to(g.scalar_type());
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    const Tensor indices = s.input(1);
    Tensor r = embedding(g, indices);
    if (by_frequency) r = r / frequencies(indices, rows, r.scalar_type());
    return padding >= 0 ? r.masked_fill(indices.eq(padding).unsqueeze(-1), 0) : r;
  }
};

/// The rows of each bag summed, each times `scale` (if there is one): float32 or float64.
struct BagSum {
  static constexpr const char* name = "embedding_bag";
  static constexpr const char* node = "EmbeddingBagBackward0";
  static constexpr bool linear = true;
  static constexpr unsigned reads[] = {kInput(1) | kInput(2) | kInput(3), 0, 0, kInput(0) | kInput(1) | kInput(2)};
  std::shared_ptr<const std::vector<int64_t>> bounds;
  bool scaled, by_frequency, sparse;
  /// The tables of all items side by side.
  Tensor batch(const Batch& b, const Tensor& weight, const Tensor& indices, const Tensor& bags,
               const Tensor& scale) const {
    if (b.has(1) || b.has(2) || b.has(3)) return each_item(*this, b, weight, indices, bags, scale);
    const int64_t width = weight.size(2), count = static_cast<int64_t>(bounds->size()) - 1;
    const Tensor wide = weight.movedim(0, 1).reshape({weight.size(1), b.size * width});
    return apply(*this, wide, indices, bags, scale).view({count, b.size, width}).movedim(1, 0);
  }
  Tensor forward(const Tensor& weight, const Tensor& indices, const Tensor& bags, const Tensor& scale) const {
    const auto count = static_cast<int64_t>(bounds->size()) - 1;
    const Tensor y = make({count, weight.size(1)}, weight.scalar_type(), name), table = weight.contiguous(),
                 factor = scaled ? scale.contiguous() : Tensor();
    check(bags.numel() == indices.numel(), "embedding_bag: an index without a bag");
    kernels::sum_rows(weight.scalar_type(), y.data_ptr(), table.data_ptr(), static_cast<int64_t*>(indices.data_ptr()),
                      scaled ? factor.data_ptr() : nullptr, bounds->data(), count, weight.size(1));
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    const Tensor indices = s.input(1), each = g.index_select(0, s.input(2));  // the gradient of each index's row
    if (i == 3) return (each * embedding(s.input(0), indices)).sum(1);
    return table_gradient(scaled ? each * s.input(3).unsqueeze(1) : each, indices, s.sizes(0), -1, by_frequency,
                          sparse);
  }
};

void check_indices(const Tensor& indices, const char* op) {
  check_defined(indices, op, "indices");
  check<TypeError>(indices.scalar_type() == kLong || indices.scalar_type() == kInt, op,
                   ": Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; "
                   "but got ",
                   indices.scalar_type(), " instead. Convert it: indices.to(taut::kLong).");
}
void check_table(const Tensor& weight, const char* op) {
  check_defined(weight, op, "weight");
  check(weight.dim() == 2, op, ": 'weight' must be 2-D, got shape ", weight.sizes());
}
void check_range(const Tensor& indices, int64_t rows, const char* op) {
  RawScope raw;
  if (indices.numel() == 0 || no_data(indices)) return;
  const auto [low, high] = batching::whole(indices).aminmax();
  if (low.numel() == 0) return;
  check<IndexError>(low.item<int64_t>() >= 0 && high.item<int64_t>() < rows, op,
                    ": index out of range in self: the indices go from ", low.item<int64_t>(), " to ",
                    high.item<int64_t>(), " but the table has ", rows, " rows");
}
/// Where each bag begins; one more than there are bags, so that it also says where the last one ends.
std::vector<int64_t> bag_bounds(const Tensor& offsets, int64_t n, bool include_last) {
  const Tensor flat = offsets.to(kLong).contiguous();
  if (no_data(offsets)) return std::vector<int64_t>(static_cast<size_t>(flat.numel() + (include_last ? 0 : 1)));
  const int64_t* const p = flat.data_ptr<int64_t>();
  std::vector<int64_t> bounds(p, p + flat.numel());
  check<ValueError>(!include_last || !bounds.empty(),
                    "embedding_bag: include_last_offset: number of offsets should be at least 1");
  if (!bounds.empty()) {
    check<ValueError>(bounds[0] == 0,
                      "embedding_bag: offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start "
                      "from position 0. However, got ",
                      bounds[0]);
    check<ValueError>(bounds.back() <= n, "embedding_bag: offsets[-1] can not be greater than input's length ", n,
                      " but got offsets[-1] of ", bounds.back());
    for (size_t i = 1; i < bounds.size(); ++i)
      check<ValueError>(bounds[i] >= bounds[i - 1], "embedding_bag: offsets must not decrease, but offsets[", i,
                        "] is ", bounds[i], " after ", bounds[i - 1]);
  }
  if (!include_last) bounds.push_back(n);
  return bounds;
}

constexpr int64_t kMeanMode = 1, kMaxMode = 2;

void check_bag_arguments(const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool scale_grad_by_freq,
                         int64_t mode, OptionalTensor per_sample_weights) {
  check<ValueError>(mode >= 0 && mode <= kMaxMode, "embedding_bag: mode has to be 0 (sum), 1 (mean) or 2 (max), got ",
                    mode);
  check<ValueError>(indices.dim() == 1, "embedding_bag: input has to be a 1D Tensor, got shape ", indices.sizes());
  check<ValueError>(offsets.dim() == 1, "embedding_bag: offsets has to be a 1D Tensor, got shape ", offsets.sizes());
  check<ValueError>(mode != kMaxMode || !scale_grad_by_freq,
                    "embedding_bag: max mode does not support scaling the gradient by the frequency");
  if (!per_sample_weights) return;
  check<NotImplementedError>(mode == 0, "embedding_bag: per_sample_weights is only supported for mode='sum'");
  check<ValueError>(per_sample_weights->sizes() == indices.sizes(), "embedding_bag: If per_sample_weights (",
                    per_sample_weights->sizes(), ") is not None, then it must have the same shape as the input (",
                    indices.sizes(), ")");
  check<TypeError>(per_sample_weights->scalar_type() == weight.scalar_type(),
                   "embedding_bag: per_sample_weights must have the dtype of weight, ", weight.scalar_type(),
                   ", but is ", per_sample_weights->scalar_type());
}
/// The row that is left out, or -1.
int64_t padding_row(std::optional<int64_t> padding_idx, int64_t rows) {
  if (!padding_idx) return -1;
  check<ValueError>(*padding_idx >= -rows && *padding_idx < rows,
                    "embedding_bag: padding_idx must be within the number of embeddings, -", rows, " through ",
                    rows - 1, " but got ", *padding_idx);
  return *padding_idx < 0 ? *padding_idx + rows : *padding_idx;
}

/// The indices of all bags, without the padding.
struct Bags {
  int64_t count;
  bool all;                // no index is padding
  Tensor bag, size;        // which bag an index belongs to, and how many are in a bag
  Tensor places, indices;  // where they were given, and the indices

  /// Of numbers that belong to the indices given, those of the indices kept.
  Tensor of_kept(const Tensor& given) const { return all ? given : given.index_select(0, places); }
};
Bags sort_into_bags(const Tensor& indices, const std::vector<int64_t>& bounds, int64_t padding) {
  const size_t count = bounds.size() - 1;
  if (no_data(indices)) {
    const Tensor places = make_dry({indices.numel()}, kLong);
    return {static_cast<int64_t>(count),
            true,
            places,
            make_dry({static_cast<int64_t>(count)}, kLong),
            places,
            indices.to(kLong)};
  }
  std::vector<int64_t> bag, kept, sizes(count);
  const Tensor given = indices.to(kLong).contiguous();
  for (size_t b = 0; b < count; ++b)
    for (int64_t i = bounds[b]; i < bounds[b + 1]; ++i) {
      if (given.data_ptr<int64_t>()[i] == padding) continue;
      bag.push_back(static_cast<int64_t>(b));
      kept.push_back(i);
      ++sizes[b];
    }
  const bool all = static_cast<int64_t>(kept.size()) == indices.numel();
  Bags bags{static_cast<int64_t>(count),  all, from_vector(std::move(bag)), from_vector(std::move(sizes)),
            from_vector(std::move(kept)), {}};
  bags.indices = bags.of_kept(given);
  return bags;
}

/// The same in public ops, for indices that differ from item to item while the bags do not.
std::tuple<Tensor, Tensor, Tensor, Tensor> items_in_bags(const Tensor& weight, const Tensor& indices,
                                                         const std::vector<int64_t>& bounds, int64_t mode,
                                                         bool by_frequency, const Tensor& scale) {
  const auto count = static_cast<int64_t>(bounds.size()) - 1;
  std::vector<int64_t> bag, sizes;
  for (int64_t b = 0; b < count; ++b) {
    const int64_t n = bounds[static_cast<size_t>(b) + 1] - bounds[static_cast<size_t>(b)];
    sizes.push_back(n);
    bag.insert(bag.end(), static_cast<size_t>(n), b);
  }
  const Tensor which = from_vector(std::move(bag)), size = from_vector(std::vector<int64_t>(sizes));
  Tensor rows = embedding(weight, indices, -1, by_frequency, false);
  if (scale.defined()) rows = rows * scale.unsqueeze(1);
  Tensor y;
  if (mode == kMaxMode) {
    std::vector<Tensor> each;
    for (size_t b = 0; b < sizes.size(); ++b)
      each.push_back(sizes[b] ? rows.narrow(0, bounds[b], sizes[b]).amax(0)
                              : zeros({weight.size(1)}, weight.scalar_type()));
    y = each.empty() ? zeros({0, weight.size(1)}, weight.scalar_type()) : stack(each);
  } else {
    y = zeros({count, weight.size(1)}, weight.scalar_type()).index_add(0, which, rows);
    if (mode == kMeanMode) y = y / size.clamp_min(1).to(y.scalar_type()).unsqueeze(1);
  }
  return {y, which, size, size};
}

/// For each bag and column the row (of `rows`) that holds the maximum; -1 in empty bags.
Tensor greatest(const Tensor& rows, const Tensor& bags, int64_t count) {
  if (is_batched(rows) || is_batched(bags))
    return by_items("embedding_bag", {rows.detach(), bags}, [&](const std::vector<Tensor>& in) -> std::vector<Tensor> {
      return {greatest(in[0], in[1], count)};
    })[0];
  RawScope raw;
  const int64_t n = rows.size(0), width = rows.size(1);
  const Tensor x = rows.detach().to(rows.scalar_type() == kDouble ? kDouble : kFloat).contiguous(),
               at = full({count, width}, -1, kLong);
  if (dry || x.is_meta()) return at;
  const int64_t* const bag = bags.data_ptr<int64_t>();
  int64_t* const best = at.data_ptr<int64_t>();
  const auto search = [&](const auto* p) {
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < width; ++j) {
        int64_t& b = best[bag[i] * width + j];
        if (b < 0 || p[i * width + j] > p[b * width + j]) b = i;
      }
  };
  if (x.scalar_type() == kDouble) search(x.data_ptr<double>());
  else search(x.data_ptr<float>());
  return at;
}

}  // namespace

Tensor embedding(const Tensor& weight, const Tensor& indices, int64_t padding_idx, bool scale_grad_by_freq,
                 bool sparse) {
  check_table(weight, "embedding");
  check_indices(indices, "embedding");
  if (weight.is_complex() && !sparse)
    return complex(embedding(real(weight), indices, padding_idx, scale_grad_by_freq),
                   embedding(imag(weight), indices, padding_idx, scale_grad_by_freq));
  return apply(Embedding{padding_idx, scale_grad_by_freq, sparse}, weight, indices);
}
Tensor embedding_dense_backward(const Tensor& grad_output, const Tensor& indices, int64_t num_weights,
                                int64_t padding_idx, bool scale_grad_by_freq) {
  check_defined(grad_output, "embedding_dense_backward", "grad_output");
  check_indices(indices, "embedding_dense_backward");
  check<ValueError>(num_weights >= 0, "embedding_dense_backward: num_weights must not be negative, got ", num_weights);
  Dims shape(indices.sizes());
  shape.push_back(grad_output.dim() > 0 ? grad_output.size(-1) : 0);
  check(grad_output.sizes() == IntArrayRef(shape), "embedding_dense_backward: a gradient of shape ",
        grad_output.sizes(), " does not belong to indices of shape ", indices.sizes());
  return apply(EmbeddingBackward{num_weights, padding_idx, scale_grad_by_freq}, grad_output, indices);
}
Tensor& embedding_renorm_(Tensor& self, const Tensor& indices, double max_norm, double norm_type) {
  check_table(self, "embedding_renorm_");
  check_indices(indices, "embedding_renorm_");
  check<ValueError>(std::isfinite(max_norm) && !std::isnan(norm_type),
                    "embedding_renorm_: max_norm and norm_type must be numbers, got ", max_norm, " and ", norm_type);
  check_range(indices, self.size(0), "embedding_renorm_");
  const Tensor named = std::get<0>(unique(indices.reshape({-1}).to(kLong)));
  NoForwardScope scope;  // as in PyTorch, the tangent stays as it is
  return in_place("embedding_renorm_", self, [&](const Tensor& x) {
    const Tensor rows = x.index_select(0, named), norm = rows.norm(Scalar(norm_type), IntArrayRef(1), true);
    const Tensor scale = where(norm > max_norm, max_norm / (norm + 1e-7), ones_like(norm));
    return x.index_copy(0, named, rows * scale);
  });
}

std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag(const Tensor& weight, const Tensor& indices,
                                                         const Tensor& offsets, bool scale_grad_by_freq, int64_t mode,
                                                         bool sparse, OptionalTensor per_sample_weights,
                                                         bool include_last_offset) {
  const AsDry as(weight);
  return embedding_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights,
                       include_last_offset, std::nullopt);
}
std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag(const Tensor& weight, const Tensor& given_indices,
                                                         const Tensor& given_offsets, bool scale_grad_by_freq,
                                                         int64_t mode, bool sparse, OptionalTensor per_sample_weights,
                                                         bool include_last_offset, std::optional<int64_t> padding_idx) {
  const AsDry as(weight);
  check_table(weight, "embedding_bag");
  check<TypeError>(weight.is_floating_point(), "embedding_bag: expected a floating-point weight, got ",
                   weight.scalar_type());
  check_defined(given_indices, "embedding_bag", "indices");
  check_defined(given_offsets, "embedding_bag", "offsets");
  const ScalarType both = promote_types(given_indices.scalar_type(), given_offsets.scalar_type());
  const Tensor indices = given_indices.to(both), offsets = given_offsets.to(both);
  check_indices(indices, "embedding_bag");
  check_indices(offsets, "embedding_bag");
  check_bag_arguments(weight, indices, offsets, scale_grad_by_freq, mode, per_sample_weights);
  const int64_t padding = padding_row(padding_idx, weight.size(0));
  check_range(indices, weight.size(0), "embedding_bag");

  if (is_batched(offsets) || (is_batched(indices) && padding >= 0)) {
    const Tensor scale = per_sample_weights ? *per_sample_weights : Tensor();
    const auto r = by_items("embedding_bag", {weight, indices, offsets, scale}, [&](const std::vector<Tensor>& in) {
      const auto [y, bag, size, most] =
          embedding_bag(in[0], in[1], in[2], scale_grad_by_freq, mode, sparse,
                        in[3].defined() ? OptionalTensor(in[3]) : OptionalTensor(), include_last_offset, padding_idx);
      return std::vector<Tensor>{y, bag, size, most};
    });
    return {r[0], r[1], r[2], r[3]};
  }
  if (is_batched(indices))
    return items_in_bags(weight, indices, bag_bounds(offsets, indices.numel(), include_last_offset), mode,
                         scale_grad_by_freq, per_sample_weights ? *per_sample_weights : Tensor());

  const Bags bags = sort_into_bags(indices, bag_bounds(offsets, indices.numel(), include_last_offset), padding);
  const ScalarType dtype = weight.scalar_type();
  const bool half = element_size(dtype) == 2;
  if (mode != kMaxMode && !half) {
    Tensor scale;
    if (per_sample_weights) scale = bags.of_kept(*per_sample_weights);
    if (mode == kMeanMode) scale = bags.size.to(dtype).reciprocal().index_select(0, bags.bag);
    auto ends = std::make_shared<std::vector<int64_t>>(1, 0);
    for (int64_t b = 0; b < bags.count; ++b)
      ends->push_back(bags.size.is_meta() ? 0 : ends->back() + bags.size.data_ptr<int64_t>()[b]);
    return {apply(BagSum{ends, scale.defined(), scale_grad_by_freq, sparse}, weight, bags.indices, bags.bag, scale),
            bags.bag, bags.size, bags.size};
  }
  Tensor picked = embedding(weight, bags.indices, -1, scale_grad_by_freq, sparse);
  if (half) picked = picked.to(kFloat);
  if (per_sample_weights) picked = picked * bags.of_kept(*per_sample_weights).unsqueeze(1);
  if (mode == kMaxMode) {
    const Tensor at = greatest(picked, bags.bag, bags.count), empty_bag = at < 0, safe = at.clamp_min(0);
    if (bags.bag.numel() == 0)  // a sum of nothing, so that it is part of the graph
      return {zeros({bags.count, weight.size(1)}, dtype).index_add(0, bags.bag, picked.to(dtype)), bags.bag, bags.size,
              safe};
    const Tensor y = picked.gather(0, safe).masked_fill(empty_bag, 0).to(dtype);
    return {y, bags.bag, bags.size,
            bags.indices.index_select(0, safe.view({-1})).view(at.sizes()).masked_fill(empty_bag, 0)};
  }
  Tensor y = zeros({bags.count, weight.size(1)}, picked.scalar_type()).index_add(0, bags.bag, picked);
  if (mode == kMeanMode) y = y / bags.size.clamp_min(1).to(y.scalar_type()).unsqueeze(1);
  return {y.to(dtype), bags.bag, bags.size, bags.size};
}

// ---- The registry.

extern const OpEntry embedding_ops[];
extern const size_t embedding_ops_count;
const OpEntry embedding_ops[] = {
    doc("The rows of weight that indices name.",
        op<embedding>(
            "embedding(Tensor weight, Tensor indices, int padding_idx=-1, bool scale_grad_by_freq=False, bool "
            "sparse=False) -> Tensor",
            // Padding and scaling make the gradient another one than the derivative: literals are compared with
            // PyTorch only.
            "t(5, 3), c([1, 0, 4, 1])\nc([[0.5, -1.5], [1.25, 0.75], [-2.0, 1.0]]), c([[1, 2], [2, 2]]), 2\n"
            "c([[0.5, -1.5], [1.25, 0.75], [-2.0, 1.0]]), c([0, 2, 2, 0, 2]), -1, True\nc([[0.5, -1.5], [1.25, "
            "0.75], [-2.0, 1.0]]), c([0, 2, 2, 1]), 2, True\nt(5, 3), c(2)\nt(5, 3), i(0, 5, 0)\nt(5, 3), i(0, 5, "
            "2, 3)")),
    doc("The gradient of embedding for its weight.",
        op<embedding_dense_backward>(
            "embedding_dense_backward(Tensor grad_output, Tensor indices, int num_weights, int "
            "padding_idx, bool scale_grad_by_freq) -> Tensor",
            "t(4, 3), c([1, 0, 4, 1]), 5, -1, False\nt(4, 2), c([0, 3, 3, 1]), 4, 3, "
            "False\nc([[0.5, -1.5], [1.25, 0.75], [-2.0, 1.0]]), c([0, 3, 3]), 4, 0, False")),
    doc("Shortens the rows that indices name to a norm of at most max_norm.",
        op<embedding_renorm_>(
            "embedding_renorm_(Tensor self, Tensor indices, float max_norm, float norm_type) -> Tensor",
            "c([[3.0, 4.0], [0.3, 0.4], [-6.0, 8.0]]), c([0, 1, 0]), 1.0, 2.0\nc([[3.0, 4.0], [0.3, "
            "0.4]]), c([1, 0]), 0.5, 1.0")),
    doc("The sum, mean or maximum (mode 0, 1, 2) of the rows that each bag of indices names.",
        op("embedding_bag(Tensor weight, Tensor indices, Tensor offsets, bool scale_grad_by_freq, int mode, bool "
           "sparse, "
           "Tensor? per_sample_weights, bool include_last_offset, int? padding_idx) -> Tensor",
           "t(5, 3), c([1, 0, 4, 1]), c([0, 2]), False, 0, False, None, False, None\nt(5, 3), c([1, 0, 4, 1]), c([0, "
           "2, "
           "2]), "
           "False, 1, False, None, False, None\nt(5, 3), c([1, 0, 4, 1, 3]), c([0, 3, 3]), False, 2, False, None, "
           "False, "
           "None\nt(5, 3), c([1, 0, 4, 1]), c([0, 2]), False, 0, False, t(4), False, None\nt(5, 3), c([1, 0, 4, 1]), "
           "c([0, "
           "2, 4]), False, 1, False, None, True, 1\nt(5, 3), c([1, 0, 4, 1]), c([0, 2]), False, 2, False, None, False, "
           "-1",
           [](const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool scale, int64_t mode, bool sparse,
              OptionalTensor per_sample, bool last, std::optional<int64_t> padding) {
             return std::get<0>(
                 embedding_bag(weight, indices, offsets, scale, mode, sparse, per_sample, last, padding));
           })),
};
const size_t embedding_ops_count = std::size(embedding_ops);

}  // namespace taut
