// Histograms of one and several dimensions.
#include <algorithm>
#include <cmath>

#include "ops/batch_rules.h"
#include "ops/float_list.h"
#include "ops/op.h"
#include "ops/registry.h"

namespace taut {

namespace {

/// Samples as rows of d numbers, and a weight for each if there are any.
void check_samples(const Tensor& x, const Tensor& weight, const char* op) {
  check_defined(x, op);
  check<TypeError>(x.is_floating_point(), op, ": not implemented for '", x.scalar_type(),
                   "'. Convert first: x.to(taut::kFloat).");
  check(x.dim() >= 1, op, ": input tensor should have at least 1 dimension");
  if (!weight.defined()) return;
  check<TypeError>(
      weight.scalar_type() == x.scalar_type(), op,
      ": if weight tensor is provided, input tensor and weight tensor should have the same dtype, but got ",
      x.scalar_type(), " and ", weight.scalar_type());
  check(weight.sizes() == x.sizes().slice(0, x.sizes().size() - 1), op,
        ": if weight tensor is provided it should have the same shape as the input tensor without its innermost "
        "dimension, "
        "but got ",
        weight.sizes(), " and ", x.sizes());
}

/// Where the bins of one column begin and end if nobody says: at its least and greatest number, or around the only one.
std::pair<double, double> outer_edges(const Tensor& column, const char* op) {
  if (column.numel() == 0) return {0, 1};
  const double low = column.min().item<double>(), high = column.max().item<double>();
  check(std::isfinite(low) && std::isfinite(high), op, ": range [", low, ", ", high, "] is not finite");
  return {low, high};
}

/// Counts, or sums of weights; in one fixed order, so that the bits are always the same.
template <class T>
void count(const Tensor& x, const std::vector<Tensor>& edges, const Tensor& weight, const Tensor& hist) {
  const auto d = static_cast<int64_t>(edges.size());
  const T *row = static_cast<const T*>(x.data_ptr()),
          *by = weight.defined() ? static_cast<const T*>(weight.data_ptr()) : nullptr;
  T* sums = static_cast<T*>(hist.data_ptr());
  for (int64_t i = 0, n = d ? x.numel() / d : 0; i < n; ++i, row += d) {
    int64_t at = 0;
    for (int64_t k = 0; k < d && at >= 0; ++k) {
      const Tensor& edge = edges[static_cast<size_t>(k)];
      const T *first = static_cast<const T*>(edge.data_ptr()), *last = first + edge.numel() - 1;
      if (!(row[k] >= *first && row[k] <= *last)) {  // outside, or not a number
        at = -1;
        break;
      }
      const int64_t bin = row[k] == *last ? edge.numel() - 2 : std::upper_bound(first, last, row[k]) - first - 1;
      at = at * (edge.numel() - 1) + bin;
    }
    if (at >= 0) sums[at] += by ? by[i] : T(1);
  }
}

Tensor histogram_of(const Tensor& x, const std::vector<Tensor>& bins, const Tensor& weight, bool density,
                    const char* op) {
  check_samples(x, weight, op);
  check(x.size(-1) == static_cast<int64_t>(bins.size()), op, ": expected ", x.size(-1),
        " sequences of bin edges for a ", x.size(-1), "-dimensional histogram but got ", bins.size());
  std::vector<Tensor> all{x, weight};
  all.insert(all.end(), bins.begin(), bins.end());
  if (std::any_of(all.begin(), all.end(), [](const Tensor& t) { return is_batched(t); }))
    return by_items(op, all,
                    [&](const std::vector<Tensor>& in) {
                      return std::vector<Tensor>{histogram_of(in[0], {in.begin() + 2, in.end()}, in[1], density, op)};
                    })[0]
        .detach();
  RawScope raw;
  Dims sizes;
  std::vector<Tensor> edges;
  for (const Tensor& b : bins) {
    check_defined(b, op, "bins");
    check<TypeError>(b.scalar_type() == x.scalar_type(), op,
                     ": input tensor and bins tensors should have the same dtype, but got ", x.scalar_type(), " and ",
                     b.scalar_type());
    check(b.dim() == 1 && b.numel() >= 2, op,
          ": bins tensor should have one dimension with at least 2 edges, but got shape ", b.sizes());
    sizes.push_back(b.numel() - 1);
    edges.push_back(b.to(wide_type(b.scalar_type())).contiguous());
  }
  const ScalarType wide = wide_type(x.scalar_type());
  const Tensor hist = zeros(sizes, wide), rows = x.to(wide).contiguous(),
               weights = weight.defined() ? weight.to(wide).contiguous() : weight;
  if (!dry && !rows.is_meta()) (wide == kFloat ? count<float> : count<double>)(rows, edges, weights, hist);
  if (!density) return hist.to(x.scalar_type());
  Tensor shares = hist / hist.sum();
  for (size_t k = 0; k < edges.size(); ++k) {
    Dims shape(edges.size(), 1);
    shape[k] = edges[k].numel() - 1;
    shares = shares / edges[k].diff().view(shape);
  }
  return shares.to(x.scalar_type());
}

std::vector<Tensor> edges_of(const Tensor& x, IntArrayRef bins, std::optional<ArrayRef<double>> range, const char* op) {
  check_samples(x, {}, op);
  const int64_t d = x.size(-1);
  check(d == static_cast<int64_t>(bins.size()), op, ": expected ", d,
        " sequences of bin edges, or their numbers, for a ", d, "-dimensional histogram but got ", bins.size());
  check(!range || range->size() == 2 * bins.size(), op, ": for a ", d, "-dimensional histogram range should have ",
        2 * d, " elements, but got ", range ? range->size() : 0);
  RawScope raw;
  const Tensor rows = x.reshape({-1, d});
  std::vector<Tensor> edges;
  for (size_t k = 0; k < bins.size(); ++k) {
    check(bins[k] > 0, op, ": number of bins must be positive, but got ", bins[k]);
    auto [low, high] = range ? std::pair((*range)[2 * k], (*range)[2 * k + 1])
                             : outer_edges(rows.select(1, static_cast<int64_t>(k)), op);
    check(std::isfinite(low) && std::isfinite(high), op, ": range [", low, ", ", high, "] is not finite");
    check(low <= high, op, ": min should not exceed max, but got min ", low, " max ", high);
    if (low == high) low -= 0.5, high += 0.5;
    edges.push_back(linspace(low, high, bins[k] + 1, x.scalar_type()));
  }
  return edges;
}

}  // namespace

std::vector<Tensor> _histogramdd_bin_edges(const Tensor& self, IntArrayRef bins, std::optional<ArrayRef<double>> range,
                                           OptionalTensor weight, bool) {
  const AsDry as(self);
  if (is_batched(self))
    return by_items("_histogramdd_bin_edges", {self.detach()}, [&](const std::vector<Tensor>& in) {
      return _histogramdd_bin_edges(in[0], bins, range, {}, false);
    });
  check_samples(self, weight ? *weight : Tensor(), "_histogramdd_bin_edges");
  return edges_of(self, bins, range, "_histogramdd_bin_edges");
}
Tensor _histogramdd_from_bin_tensors(const Tensor& self, TensorList bins, OptionalTensor weight, bool density) {
  const AsDry as(self);
  return histogram_of(self, bins.vec(), weight ? *weight : Tensor(), density, "_histogramdd_from_bin_tensors");
}

std::tuple<Tensor, Tensor> histogram(const Tensor& self, const Tensor& bins, OptionalTensor weight, bool density) {
  const AsDry as(self);
  check_defined(self, "histogram");
  check(!weight || weight->sizes() == self.sizes(), "histogram: the weight has the shape ",
        weight ? weight->sizes() : IntArrayRef(), " and the input ", self.sizes(), "; they must be equal");
  const Tensor column = self.reshape({-1, 1}), by = weight ? weight->reshape({-1}) : Tensor();
  return {histogram_of(column, {bins}, by, density, "histogram"), bins.clone()};
}
std::tuple<Tensor, Tensor> histogram(const Tensor& self, int64_t bins, std::optional<ArrayRef<double>> range,
                                     OptionalTensor weight, bool density) {
  const AsDry as(self);
  check_defined(self, "histogram");
  const Tensor given = weight ? *weight : Tensor();
  if (is_batched(self)) {
    const auto r = by_items("histogram", {self.detach(), given}, [&](const std::vector<Tensor>& in) {
      const auto [hist, at] =
          histogram(in[0], bins, range, in[1].defined() ? OptionalTensor(in[1]) : OptionalTensor(), density);
      return std::vector<Tensor>{hist, at};
    });
    return {r[0], r[1]};
  }
  const Tensor edges = edges_of(self.reshape({-1, 1}), {bins}, range, "histogram")[0];
  return {std::get<0>(histogram(self, edges, weight, density)), edges};
}

using HistogramDD = std::tuple<Tensor, std::vector<Tensor>>;
HistogramDD histogramdd(const Tensor& self, TensorList bins, std::optional<ArrayRef<double>>, OptionalTensor weight,
                        bool density) {
  std::vector<Tensor> edges;
  for (const Tensor& b : bins) edges.push_back(b.clone());
  return {_histogramdd_from_bin_tensors(self, bins, weight, density), edges};
}
HistogramDD histogramdd(const Tensor& self, IntArrayRef bins, std::optional<ArrayRef<double>> range,
                        OptionalTensor weight, bool density) {
  const std::vector<Tensor> edges = _histogramdd_bin_edges(self, bins, range, weight, density);
  return {_histogramdd_from_bin_tensors(self, edges, weight, density), edges};
}
HistogramDD histogramdd(const Tensor& self, int64_t bins, std::optional<ArrayRef<double>> range, OptionalTensor weight,
                        bool density) {
  check_defined(self, "histogramdd");
  check(self.dim() >= 1, "histogramdd: input tensor should have at least 1 dimension");
  return histogramdd(self, std::vector<int64_t>(static_cast<size_t>(self.size(-1)), bins), range, weight, density);
}

extern const OpEntry histogram_ops[];
extern const size_t histogram_ops_count;
const OpEntry histogram_ops[] = {
    doc("How many elements, or what weight of them, fall into each bin; and the edges of the bins.",
        op("histogram.bins_tensor(Tensor self, Tensor bins, *, Tensor? weight=None, bool density=False) -> (Tensor "
           "hist, "
           "Tensor bin_edges)",
           "t(4, 5), c([-2.0, -0.5, 0.0, 1.0])\nt(6), c([-1.0, 0.25, 1.0]), weight=p(6)\nt(9), c([-2.0, 0.0, 2.0]), "
           "density=True\nc([0.0, 1.0, 2.0, nan, inf]), c([0.0, 1.0, 2.0])\nt(0), c([0.0, 1.0])",
           [](const Tensor& self, const Tensor& bins, OptionalTensor weight, bool density) {
             return histogram(self, bins, weight, density);
           })),
    op("histogram.bin_ct(Tensor self, int bins=100, *, float[]? range=None, Tensor? weight=None, bool density=False) "
       "-> "
       "(Tensor hist, Tensor bin_edges)",
       "t(4, 5), 4\nt(9), 3, range=[-1.0, 1.5]\nt(6), 5, weight=p(6), density=True\nc([2.0, 2.0]), 3\nt(0), 2\nt(3), "
       "0\nt(3), 2, range=[1.0, 0.0]\nc([nan]), 2",
       [](const Tensor& self, int64_t bins, std::optional<ArrayRef<double>> range, OptionalTensor weight,
          bool density) { return histogram(self, bins, range, weight, density); }),
    doc("The edges of the bins of histogramdd.",
        function(op<_histogramdd_bin_edges>("_histogramdd_bin_edges(Tensor self, int[] bins, *, float[]? range=None, "
                                            "Tensor? weight=None, bool density=False) -> Tensor[]",
                                            "c([[0.5, 1.0], [2.0, -1.0], [0.0, 0.25]]), [2, 3]\nc([[0.5, 1.0]]), [2, "
                                            "3], range=[-1.0, 1.0, 0.0, 2.0]\nt(4, 3), [2, 2]"))),
    doc("How many rows, or what weight of them, fall into each cell between these edges.",
        function(op<_histogramdd_from_bin_tensors>(
            "_histogramdd_from_bin_tensors(Tensor self, Tensor[] bins, *, Tensor? weight=None, bool density=False) -> "
            "Tensor",
            "t(9, 2), [c([-2.0, 0.0, 2.0]), c([-1.0, -0.5, 0.5, 1.0])]\nt(3, 3, 2), [c([-2.0, 0.0, 2.0]), c([-1.0, "
            "0.5, 1.0])], weight=p(3, 3), density=True"))),
};
const size_t histogram_ops_count = std::size(histogram_ops);

}  // namespace taut
