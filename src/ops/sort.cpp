// Sorting, selecting by rank, searching and counting.
#include "kernels/sort.h"
#include "ops/autocast.h"

#include <algorithm>
#include <cmath>

#include "ops/batch_rules.h"
#include "ops/op.h"
#include "ops/promotion.h"
#include "ops/registry.h"
#include "ops/view_ops.h"

namespace taut {

namespace {

/// Values that were picked along a dimension: the gradient goes back to where they came from.
Tensor put_back(const Tensor& g, const Tensor& index, int64_t dim, IntArrayRef sizes) {
  if (sizes.empty()) return g;
  return zeros_for(sizes, g.scalar_type(), g, index).scatter_add_(dim, index, g);
}

struct Sort {
  static constexpr const char* name = "sort";
  static constexpr const char* node = "SortBackward0";
  static constexpr unsigned reads[] = {kResult(1)};
  int64_t dim;
  bool descending;
  Sort moved(int64_t) const { return {dim + 1, descending}; }
  std::array<Tensor, 2> forward(const Tensor& x) const {
    Tensor values = make(x.sizes(), x.scalar_type(), name), indices = make(x.sizes(), kLong, name);
    kernels::sort(view_of(values), view_of(indices), view_of(x), static_cast<int>(dim), descending);
    return {values, indices};
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const { return put_back(g, s.result(1), dim, s.sizes(0)); }
};

struct Argsort {
  static constexpr const char* name = "argsort";
  int64_t dim;
  bool descending;
  Argsort moved(int64_t) const { return {dim + 1, descending}; }
  Tensor forward(const Tensor& x) const { return Sort{dim, descending}.forward(x)[1]; }
};

struct Topk {
  static constexpr const char* name = "topk";
  static constexpr const char* node = "TopkBackward0";
  static constexpr unsigned reads[] = {kResult(1)};
  int64_t k, dim;
  bool largest, sorted;
  Topk moved(int64_t) const { return {k, dim + 1, largest, sorted}; }
  std::array<Tensor, 2> forward(const Tensor& x) const {
    Dims shape(x.sizes());
    if (x.dim() > 0) shape[static_cast<size_t>(dim)] = k;
    Tensor values = make(shape, x.scalar_type(), name), indices = make(shape, kLong, name);
    if (x.dim() == 0) return {values.copy_(x), indices.zero_()};
    kernels::topk(view_of(values), view_of(indices), view_of(x), k, static_cast<int>(dim), largest, sorted);
    return {values, indices};
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const { return put_back(g, s.result(1), dim, s.sizes(0)); }
};

/// One element per slice: the k-th, the median, the most frequent.
struct Pick {
  enum class What { Kth, Median, NanMedian, Mode };
  static constexpr const char* name = "kthvalue";
  static constexpr unsigned reads[] = {kResult(1)};
  What what;
  int64_t k, dim;
  const char* op_name() const {
    return what == What::Kth ? "kthvalue" : what == What::Mode ? "mode" : what == What::Median ? "median" : "nanmedian";
  }
  const char* node_name() const {
    switch (what) {
      case What::Kth: return "KthvalueBackward0";
      case What::Median: return "MedianBackward1";
      case What::NanMedian: return "NanmedianBackward1";
      default: return "ModeBackward0";
    }
  }
  Pick moved(int64_t) const { return {what, k, dim + 1}; }
  std::array<Tensor, 2> forward(const Tensor& x) const {
    Dims shape(x.sizes());
    if (x.dim() > 0) shape.erase(static_cast<size_t>(dim));
    Tensor values = make(shape, x.scalar_type(), name), indices = make(shape, kLong, name);
    if (x.dim() == 0) return {values.copy_(x), indices.zero_()};
    const View v = view_of(values), i = view_of(indices), in = view_of(x);
    const auto d = static_cast<int>(dim);
    if (what == What::Kth) kernels::kthvalue(v, i, in, k, d);
    else if (what == What::Mode) kernels::mode(v, i, in, d);
    else kernels::median(v, i, in, d, what == What::NanMedian);
    return {values, indices};
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    if (s.sizes(0).empty()) return g;
    return put_back(g.unsqueeze(dim), s.result(1).unsqueeze(dim), dim, s.sizes(0));
  }
};

std::tuple<Tensor, Tensor> pick(const Tensor& self, Pick::What what, int64_t k, int64_t dim, bool keepdim,
                                const char* op) {
  check_defined(self, op);
  const int64_t d = wrap_dim(dim, self.dim(), op);
  check<IndexError>(self.dim() == 0 || self.size(d) > 0, op, "(): Expected reduction dim ", d,
                    " to have non-zero size, the input has shape ", self.sizes());
  auto [values, indices] = apply(Pick{what, k, d}, self);
  if (keepdim && self.dim() > 0) return {own_result(values.unsqueeze(d), self), own_result(indices.unsqueeze(d), self)};
  return {values, indices};
}

/// The median of everything; equal values share the gradient, as PyTorch has it.
struct WholeMedian {
  static constexpr const char* name = "median";
  static constexpr unsigned reads[] = {kInput(0) | kResult()};
  bool ignore_nan;
  const char* node_name() const { return ignore_nan ? "NanmedianBackward0" : "MedianBackward0"; }
  Tensor batch(const Batch& b, const Tensor& x) const {
    const Tensor rows = x.reshape({b.size, b.size > 0 ? x.numel() / b.size : 1});
    if (rows.size(1) == 0)
      return full({b.size}, x.is_floating_point() ? Scalar(NAN) : Scalar(INT64_MIN), x.scalar_type());
    return apply(Pick{ignore_nan ? Pick::What::NanMedian : Pick::What::Median, 0, 1}, rows)[0];
  }
  Tensor forward(const Tensor& x) const {
    if (x.numel() == 0) return full({}, x.is_floating_point() ? Scalar(NAN) : Scalar(INT64_MIN), x.scalar_type());
    return Pick{ignore_nan ? Pick::What::NanMedian : Pick::What::Median, 0, 0}.forward(x.reshape({-1}))[0];
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    const Tensor x = s.input(0).detach(), y = s.result().detach();
    const Tensor hits = ((x == y) | (x.isnan() & y.isnan())).to(g.scalar_type());
    return g * (hits / hits.sum());
  }
};

struct Search {
  static constexpr const char* name = "searchsorted";
  bool int32, right;
  Tensor batch(const Batch& b, const Tensor& boundaries, const Tensor& values, const Tensor& sorter) const {
    const bool row = b.dim(0, boundaries) == 1;
    if (row && !b.has(0) && !b.has(2)) return apply(*this, boundaries, values, sorter);
    const Tensor edges = b.all(0, boundaries), of = b.all(1, values), order = b.all(2, sorter);
    if (!row) return apply(*this, edges, of, order);
    return apply(*this, edges, of.reshape({b.size, b.size > 0 ? of.numel() / b.size : 1}), order).view(of.sizes());
  }
  Tensor forward(const Tensor& boundaries, const Tensor& values, const Tensor& sorter) const {
    Tensor y = make(values.sizes(), int32 ? kInt : kLong, name);
    const View order = sorter.defined() ? view_of(sorter) : View();
    kernels::searchsorted(view_of(y), view_of(boundaries), view_of(values), right, sorter.defined() ? &order : nullptr);
    return y;
  }
};

}  // namespace

std::tuple<Tensor, Tensor> sort(const Tensor& self, int64_t dim, bool descending) {
  check_defined(self, "sort");
  auto [values, indices] = apply(Sort{wrap_dim(dim, self.dim(), "sort"), descending}, as_ordered(self));
  return {from_ordered(values, self.scalar_type()), indices};
}
std::tuple<Tensor, Tensor> sort(const Tensor& self, std::optional<bool>, int64_t dim, bool descending) {
  return sort(self, dim, descending);
}
Tensor argsort(const Tensor& self, int64_t dim, bool descending) {
  check_defined(self, "argsort");
  return apply(Argsort{wrap_dim(dim, self.dim(), "argsort"), descending}, as_ordered(self));
}
Tensor argsort(const Tensor& self, bool, int64_t dim, bool descending) { return argsort(self, dim, descending); }
Tensor msort(const Tensor& self) { return std::get<0>(sort(self, 0, false)); }
std::tuple<Tensor, Tensor> topk(const Tensor& self, int64_t k, int64_t dim, bool largest, bool sorted) {
  check_defined(self, "topk");
  const int64_t d = wrap_dim(dim, self.dim(), "topk");
  check(k >= 0 && k <= (self.dim() == 0 ? 1 : self.size(d)), "topk(): selected index k out of range: k is ", k,
        " and dimension ", d, " of ", self.sizes(), " has not as many elements");
  auto [values, indices] = apply(Topk{k, d, largest, sorted}, self);
  return {values, indices};
}
std::tuple<Tensor, Tensor> kthvalue(const Tensor& self, int64_t k, int64_t dim, bool keepdim) {
  check_defined(self, "kthvalue");
  const int64_t d = wrap_dim(dim, self.dim(), "kthvalue");
  check(k >= 1 && k <= (self.dim() == 0 ? 1 : self.size(d)),
        "kthvalue(): selected number k out of range for dimension ", d, ": k is ", k, ", the input has shape ",
        self.sizes());
  return pick(self, Pick::What::Kth, k, dim, keepdim, "kthvalue");
}
std::tuple<Tensor, Tensor> mode(const Tensor& self, int64_t dim, bool keepdim) {
  return pick(self, Pick::What::Mode, 0, dim, keepdim, "mode");
}
std::tuple<Tensor, Tensor> median(const Tensor& self, int64_t dim, bool keepdim) {
  return pick(self, Pick::What::Median, 0, dim, keepdim, "median");
}
std::tuple<Tensor, Tensor> nanmedian(const Tensor& self, int64_t dim, bool keepdim) {
  return pick(self, Pick::What::NanMedian, 0, dim, keepdim, "nanmedian");
}
Tensor median(const Tensor& self) {
  check_defined(self, "median");
  return apply(WholeMedian{false}, self);
}
Tensor nanmedian(const Tensor& self) {
  check_defined(self, "nanmedian");
  return apply(WholeMedian{true}, self);
}

static Tensor quantile_of(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                          std::string_view how, bool ignore_nan) {
  const char* op = ignore_nan ? "nanquantile" : "quantile";
  check_defined(self, op);
  check_defined(q, op, "q");
  check<TypeError>(self.scalar_type() == kFloat || self.scalar_type() == kDouble, op,
                   "() input tensor must be either float or double dtype, got ", self.scalar_type());
  check(q.dim() <= 1, op, "() q must be a scalar or 1D tensor, got shape ", q.sizes());
  check<TypeError>(q.scalar_type() == self.scalar_type(), op,
                   "() q tensor must be same dtype as the input tensor, got ", q.scalar_type(), " and ",
                   self.scalar_type());
  check(how == "linear" || how == "lower" || how == "higher" || how == "midpoint" || how == "nearest", op,
        "() interpolation must be one of linear, lower, higher, midpoint or nearest, but got ", how);
  check(self.numel() > 0, op, "() input tensor must be non-empty");
  {
    NoGradGuard guard;
    check(q.numel() == 0 || no_data(q) || batching::whole(q.ge(0) & q.le(1)).all().item<bool>(), op,
          "() q values must be in the range [0, 1]");
  }
  const int64_t d = dim ? wrap_dim(*dim, self.dim(), op) : 0;
  Tensor x = !dim ? self.reshape({-1}) : self.dim() == 0 ? self.unsqueeze(0) : self.movedim(d, -1);
  x = std::get<0>(sort(x, -1, false));
  const int64_t n = x.size(-1);
  // The place of each quantile in the sorted rows: rows x quantiles.
  Tensor last = full({1}, n - 1, x.scalar_type());
  if (ignore_nan) last = (x.detach().isnan().logical_not().sum(-1, true) - 1).clamp_min(0).to(x.scalar_type());
  Tensor rank = q.reshape({-1}) * last;
  Dims shape(x.sizes());
  shape.back() = q.numel();
  rank = rank.expand(shape);
  if (!ignore_nan) rank = where(x.detach().isnan().any(-1, true), full({}, n - 1, x.scalar_type()), rank);
  if (how == "lower") rank = rank.floor();
  if (how == "higher") rank = rank.ceil();
  if (how == "nearest") rank = rank.round();
  const Tensor below = rank.detach().to(kLong);
  Tensor y = x.gather(-1, below);
  if (how == "linear" || how == "midpoint") {
    const Tensor above = rank.detach().ceil().to(kLong);
    const Tensor weight = how == "midpoint" ? full({}, 0.5, x.scalar_type()) : rank - below;
    y = lerp(y, x.gather(-1, above), weight);
  }
  // Quantiles first, then the other dimensions.
  if (keepdim) {
    if (dim && self.dim() > 0) y = y.unsqueeze(d);
    if (!dim) {
      std::vector<int64_t> ones(static_cast<size_t>(self.dim()), 1);
      ones.push_back(q.numel());
      y = y.reshape(ones);
    }
  }
  return own_result(q.dim() == 0 ? y.squeeze(-1) : y.movedim(-1, 0), self);
}
Tensor quantile(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                std::string_view interpolation) {
  AUTOCAST(quantile, as_wide(self), as_wide(q), dim, keepdim, interpolation);
  const AsDry as(self);
  return quantile_of(self, q, dim, keepdim, interpolation, false);
}
Tensor nanquantile(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                   std::string_view interpolation) {
  AUTOCAST(nanquantile, as_wide(self), as_wide(q), dim, keepdim, interpolation);
  const AsDry as(self);
  return quantile_of(self, q, dim, keepdim, interpolation, true);
}
static Tensor quantile_number(const Tensor& self, double q) {
  check_defined(self, "quantile");
  check(q >= 0 && q <= 1, "quantile() q must be in the range [0, 1] but got ", q);
  return full({}, q, self.scalar_type());
}
Tensor quantile(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim,
                std::string_view interpolation) {
  AUTOCAST(quantile, as_wide(self), q, dim, keepdim, interpolation);
  const AsDry as(self);
  return quantile(self, quantile_number(self, q), dim, keepdim, interpolation);
}
Tensor nanquantile(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim,
                   std::string_view interpolation) {
  AUTOCAST(nanquantile, as_wide(self), q, dim, keepdim, interpolation);
  const AsDry as(self);
  return nanquantile(self, quantile_number(self, q), dim, keepdim, interpolation);
}

Tensor searchsorted(const Tensor& sorted_sequence, const Tensor& self, bool out_int32, bool right,
                    std::optional<std::string_view> side, OptionalTensor sorter) {
  check_defined(sorted_sequence, "searchsorted", "sorted_sequence");
  check_defined(self, "searchsorted");
  if (side)
    check(*side == "left" || *side == "right", "searchsorted(): side can only be 'left' or 'right' but got ", *side);
  check(!side || *side == "right" || !right,
        "searchsorted(): side and right can't be set to opposites, got side of left while right was True");
  check(sorted_sequence.dim() > 0,
        "searchsorted(): the boundaries tensor should have positive dimension, but got 0 dimension");
  check(sorted_sequence.dim() == 1 || self.dim() == sorted_sequence.dim(),
        "searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and "
        "input value tensor must match, but we got boundaries tensor ",
        sorted_sequence.sizes(), " and input value tensor ", self.sizes());
  for (int64_t d = 0; d + 1 < sorted_sequence.dim(); ++d)
    check(sorted_sequence.size(d) == self.size(d),
          "searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor "
          "and input value tensor must match, but we got boundaries tensor ",
          sorted_sequence.sizes(), " and input value tensor ", self.sizes());
  if (sorter) {
    check(sorter->sizes() == sorted_sequence.sizes(),
          "searchsorted(): boundary and sorter must have the same size, but got boundary tensor ",
          sorted_sequence.sizes(), " and got sorter tensor ", sorter->sizes());
    check(sorter->scalar_type() == kLong, "searchsorted(): sorter must be a tensor of long dtype but got dtype ",
          sorter->scalar_type());
    NoGradGuard guard;
    check<IndexError>(sorter->numel() == 0 || no_data(*sorter) ||
                          batching::whole(sorter->ge(0) & sorter->lt(sorted_sequence.size(-1))).all().item<bool>(),
                      "searchsorted(): sorter index out of range");
  }
  const ScalarType common = result_type(sorted_sequence, self);
  return apply(Search{out_int32, right || (side && *side == "right")}, sorted_sequence.to(common), self.to(common),
               sorter ? *sorter : Tensor());
}
Tensor searchsorted(const Tensor& sorted_sequence, const Scalar& self, bool out_int32, bool right,
                    std::optional<std::string_view> side, OptionalTensor sorter) {
  check_defined(sorted_sequence, "searchsorted", "sorted_sequence");
  return searchsorted(sorted_sequence, number_tensor(self), out_int32, right, side, sorter);
}
Tensor bucketize(const Tensor& self, const Tensor& boundaries, bool out_int32, bool right) {
  check_defined(boundaries, "bucketize", "boundaries");
  check(boundaries.dim() == 1, "bucketize(): boundaries tensor must be 1 dimension, but got dim(", boundaries.dim(),
        ")");
  return searchsorted(boundaries, self, out_int32, right);
}
Tensor bucketize(const Scalar& self, const Tensor& boundaries, bool out_int32, bool right) {
  return bucketize(number_tensor(self), boundaries, out_int32, right);
}

Tensor histc(const Tensor& self, int64_t bins, const Scalar& min, const Scalar& max) {
  check_defined(self, "histc");
  for (const Scalar* bound : {&min, &max}) check_converts(*bound, self.scalar_type(), "histc");
  if (self.scalar_type() == kHalf || self.scalar_type() == kBFloat16)
    return histc(self.to(kFloat), bins, min, max).to(self.scalar_type());
  check<TypeError>(self.scalar_type() == kFloat || self.scalar_type() == kDouble, "histc: not implemented for '",
                   self.scalar_type(), "'. Convert first: x.to(taut::kFloat).");
  check(bins > 0, "histc: bins must be > 0, but got ", bins);
  if (is_batched(self))
    return by_items("histc", {self.detach()},
                    [&](const std::vector<Tensor>& x) { return std::vector<Tensor>{histc(x[0], bins, min, max)}; })[0];
  double low = min.toDouble(), high = max.toDouble();
  NoGradGuard guard;
  if (no_data(self)) return make_dry({bins}, self.scalar_type());
  if (low == high && self.numel() > 0) low = self.min().item<double>(), high = self.max().item<double>();
  check(std::isfinite(low) && std::isfinite(high), "histc: range of [", low, ", ", high, "] is not finite");
  check(low <= high, "histc: max must be larger than min, got [", low, ", ", high, "]");
  if (low == high) low -= 1, high += 1;
  if (self.scalar_type() == kFloat ? static_cast<float>(low) == static_cast<float>(high) : low == high) {
    // A number so large that one more makes no difference: the middle.
    Tensor y = zeros({bins}, self.scalar_type());
    y.select(0, bins / 2).fill_(self.numel());
    return y;
  }
  Tensor y = make({bins}, self.scalar_type(), "histc");
  kernels::histc(view_of(y), view_of(self), low, high);
  return y;
}
Tensor bincount(const Tensor& self, OptionalTensor weights, int64_t minlength) {
  check_defined(self, "bincount");
  check(self.dim() == 1 && !self.is_floating_point() && self.scalar_type() != kBool,
        "bincount only supports 1-d non-negative integral inputs, got ", self.sizes(), " of ", self.scalar_type());
  check(minlength >= 0, "bincount: minlength should be >= 0, got ", minlength);
  if (weights)
    check(weights->sizes() == self.sizes(), "bincount: weights should be 1-d and have the same length as input, got ",
          weights->sizes(), " and ", self.sizes());
  if (no_data(self)) throw_no_data();
  NoGradGuard guard;
  if (const Tensor given = weights ? *weights : Tensor(); is_batched(self) || is_batched(given))
    return by_items("bincount", {self, given}, [&](const std::vector<Tensor>& in) {
      return std::vector<Tensor>{
          bincount(in[0], in[1].defined() ? OptionalTensor(in[1]) : OptionalTensor(), minlength)};
    })[0];
  const Tensor x = self.to(kLong);
  int64_t n = minlength;
  if (x.numel() > 0) {
    check(x.min().item<int64_t>() >= 0, "bincount only supports 1-d non-negative integral inputs, got ",
          x.min().item<int64_t>());
    const int64_t top = x.max().item<int64_t>();
    check(top < (int64_t{1} << 40), "bincount: the largest value, ", top, ", would need too many bins");
    n = std::max(n, top + 1);
  }
  if (!weights) {
    Tensor y = make({n}, kLong, "bincount");
    kernels::bincount(view_of(y), view_of(x));
    return y;
  }
  const Tensor w = (weights->scalar_type() == kFloat ? *weights : weights->to(kDouble)).detach();
  Tensor y = make({n}, w.scalar_type(), "bincount");
  const View wv = view_of(w);
  kernels::bincount(view_of(y), view_of(x), &wv);
  return y;
}

namespace {
using UniqueKernel = int64_t (*)(View, const View*, const View*, View);
std::tuple<Tensor, Tensor, Tensor> unique_of(const Tensor& x, IntArrayRef inverse_shape, bool inverse, bool counts,
                                             UniqueKernel kernel, int64_t n, Tensor& positions) {
  NoGradGuard guard;
  check(!is_batched(x),
        "vmap: We do not support batching operators that can output dynamic shape. Attempted to vmap over "
        "aten::_unique2. Please file an issue at https://github.com/pytorch/pytorch/issues if you need this feature.");
  const Tensor keys = as_ordered(x);
  positions = make({n}, kLong, "unique");
  Tensor where_each = inverse ? make(inverse_shape, kLong, "unique") : Tensor(),
         how_often = counts ? make({n}, kLong, "unique") : Tensor();
  const View iv = inverse ? view_of(where_each) : View(), cv = counts ? view_of(how_often) : View();
  const int64_t found = kernel(view_of(positions), inverse ? &iv : nullptr, counts ? &cv : nullptr, view_of(keys));
  positions = positions.narrow(0, 0, found).clone();
  const Tensor none = empty({0}, kLong);
  return {Tensor(), inverse ? where_each : none, counts ? how_often.narrow(0, 0, found).clone() : none};
}
std::tuple<Tensor, Tensor, Tensor> unique_flat(const Tensor& self, bool inverse, bool counts, UniqueKernel kernel) {
  Tensor positions;
  auto r = unique_of(self.detach(), self.sizes(), inverse, counts, kernel, self.numel(), positions);
  std::get<0>(r) = self.reshape({-1}).index_select(0, positions);
  return r;
}
std::tuple<Tensor, Tensor, Tensor> unique_slices(const Tensor& self, int64_t dim, bool inverse, bool counts,
                                                 UniqueKernel kernel) {
  const int64_t d = wrap_dim(dim, self.dim(), "unique_dim");
  check(self.dim() > 0, "unique_dim: the input must have at least one dimension");
  const int64_t n = self.size(d);
  for (int64_t k = 0; k < self.dim(); ++k)
    check(self.size(k) > 0 || n == 0,
          "unique_dim: There are 0 sized dimensions, and they aren't selected, so unique cannot be applied: shape ",
          self.sizes());
  const Tensor rows = self.detach().movedim(d, 0).reshape({n, n == 0 ? 0 : self.numel() / n});
  Tensor positions;
  auto r = unique_of(rows, {n}, inverse, counts, kernel, n, positions);
  std::get<0>(r) = self.index_select(d, positions);
  return r;
}
}  // namespace
std::tuple<Tensor, Tensor, Tensor> _unique2(const Tensor& self, bool, bool return_inverse, bool return_counts) {
  check_defined(self, "unique");
  return unique_flat(self, return_inverse, return_counts, kernels::unique);
}
std::tuple<Tensor, Tensor> unique(const Tensor& self, bool sorted, bool return_inverse) {
  auto [values, inverse, counts] = _unique2(self, sorted, return_inverse, false);
  return {values, inverse};
}
std::tuple<Tensor, Tensor, Tensor> unique_consecutive(const Tensor& self, bool return_inverse, bool return_counts,
                                                      std::optional<int64_t> dim) {
  check_defined(self, "unique_consecutive");
  if (dim && self.dim() != 1)
    return unique_slices(self, *dim, return_inverse, return_counts, kernels::unique_consecutive_rows);
  if (dim) wrap_dim(*dim, self.dim(), "unique_consecutive");
  return unique_flat(self, return_inverse, return_counts, kernels::unique_consecutive);
}
std::tuple<Tensor, Tensor, Tensor> unique_dim(const Tensor& self, int64_t dim, bool, bool return_inverse,
                                              bool return_counts) {
  check_defined(self, "unique_dim");
  return unique_slices(self, dim, return_inverse, return_counts, kernels::unique_rows);
}

Tensor renorm(const Tensor& self, const Scalar& p, int64_t dim, const Scalar& maxnorm) {
  check_defined(self, "renorm");
  check(p.toDouble() > 0, "renorm: non-positive-norm not supported, got p = ", p);
  check(maxnorm.toDouble() >= 0, "renorm: expected maxnorm to be >= 0 but got ", maxnorm);
  check(self.dim() > 1, "renorm: input needs at least 2 dimensions, got ", self.dim(), " dimensions");
  const int64_t d = wrap_dim(dim, self.dim(), "renorm");
  std::vector<int64_t> others;
  for (int64_t k = 0; k < self.dim(); ++k)
    if (k != d) others.push_back(k);
  const Tensor sizes = self.is_complex() ? self.abs() : self;
  const ScalarType t = sizes.scalar_type(), wide = wide_type(t);
  const Tensor size = sizes.to(wide).norm(std::optional<Scalar>(p), others, true), limit = wrapped(maxnorm, sizes);
  // Limited before too, so that what is left as it is, a nan for one, has no part in the gradient of the factor.
  const Tensor large = size > limit, divisor = where(large, size, ones({}, wide)) + 1e-7;
  return self * where(large, limit / divisor, ones({}, wide)).to(t);
}
Tensor& renorm_(Tensor& self, const Scalar& p, int64_t dim, const Scalar& maxnorm) {
  return in_place("renorm_", self, [&](const Tensor& x) { return renorm(x, p, dim, maxnorm); });
}

extern const OpEntry sort_ops[];
extern const size_t sort_ops_count;
const OpEntry sort_ops[] = {
    doc("The elements in order along dim, and where each of them stood.",
        op("sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
           "z(3)\nt(5)\nt(2, 4), 0\nt(2, 4), 1, True\nt()\nt(0, 3), 0\ni(0, 100, 6)\nc([3.0, float('nan'), 1.0])",
           [](const Tensor& x, int64_t d, bool r) { return sort(x, d, r); })),
    doc("The indices that would sort the elements along dim.",
        no_out(op("argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor",
                  "t(5)\nt(2, 4), 0\nt(2, 4), 1, True\nt()",
                  [](const Tensor& x, int64_t d, bool r) { return argsort(x, d, r); }))),
    op("sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor values, Tensor "
       "indices)",
       "t(5), stable=True\ni(0, 3, 6), stable=True, descending=True\nt(2, 4), stable=True, dim=0",
       [](const Tensor& x, std::optional<bool> s, int64_t d, bool r) { return sort(x, s, d, r); }),
    op("argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor",
       "t(5), stable=True\ni(0, 3, 6), stable=True, descending=True",
       [](const Tensor& x, bool s, int64_t d, bool r) { return argsort(x, s, d, r); }),
    doc("The elements in order along the first dimension.", op<msort>("msort(Tensor self) -> Tensor", "t(4)\nt(3, 2)")),
    doc("The k largest (or smallest) elements along dim, and where they stand.",
        out_apart(op<topk>(
            "topk(Tensor self, int k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor "
            "indices)",
            "t(6), 3\nt(2, 5), 2, 1\nt(4, 3), 2, 0, False\nt(), 1\nt(5), 0\nt(5), 5"))),
    doc("The k-th smallest element along dim, and where it stands.",
        out_apart(op<kthvalue>(
            "kthvalue(Tensor self, int k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)",
            "t(5), 2\nt(2, 4), 3, 1, True\nt(4, 2), 1, 0\nt(), 1"))),
    doc("The element that is there most often along dim, the smallest of several, and where it stands last.",
        out_apart(op<mode>("mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)",
                           "c([1.0, 2.0, 2.0, 3.0])\nt(2, 3), 1, True\ni(0, 3, 2, 7), 1\nt()"))),
    doc("The middle element, the lower of two; nan if there is a nan.",
        no_out(op("median(Tensor self) -> Tensor",
                  "t(5)\nt(2, 3)\nt()\nc([1.0, float('nan')])\nc([2.0, 2.0, 1.0])\ni(0, 9, 5)",
                  [](const Tensor& x) { return median(x); }))),
    out_apart(op("median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
                 "t(5), 0\nt(2, 3), 1, True\nt(4, 2), 0\nt(), 0\nc([[1.0, float('nan'), 2.0]]), 1",
                 [](const Tensor& x, int64_t d, bool k) { return median(x, d, k); })),
    doc("The middle element of those that are not nan.",
        no_out(op("nanmedian(Tensor self) -> Tensor", "t(5)\nc([1.0, float('nan'), 3.0])",
                  [](const Tensor& x) { return nanmedian(x); }))),
    out_apart(op("nanmedian.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
                 "t(5), 0\nc([[1.0, float('nan'), 2.0]]), 1, True",
                 [](const Tensor& x, int64_t d, bool k) { return nanmedian(x, d, k); })),
    doc("The value below which the share q of the elements lies.",
        op("quantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> "
           "Tensor",
           "t(5), c([0.25, 0.6])\nt(2, 4), c([0.1, 0.5, 0.9]), 1\nt(4, 2), c([0.3]), 0, True",
           [](const Tensor& x, const Tensor& q, std::optional<int64_t> d, bool k, std::string_view s) {
             return quantile(x, q, d, k, s);
           })),
    op("quantile.scalar(Tensor self, float q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> "
       "Tensor",
       "t(5), 0.4\nt(2, 4), 0.3, 1, True\nt(5), 0.3, interpolation='lower'\nt(5), 0.3, interpolation='higher'\nt(5), "
       "0.3, interpolation='midpoint'\nt(5), 0.3, interpolation='nearest'\nt(2, 3), 0.5, None, True\nc([1.0, "
       "float('nan')]), 0.5",
       [](const Tensor& x, double q, std::optional<int64_t> d, bool k, std::string_view s) {
         return quantile(x, q, d, k, s);
       }),
    doc("The same as quantile, leaving out nan.", op("nanquantile.scalar(Tensor self, float q, int? dim=None, bool "
                                                     "keepdim=False, *, str interpolation='linear') -> "
                                                     "Tensor",
                                                     "t(5), 0.4\nc([[1.0, float('nan'), 2.0, 5.0]]), 0.3, 1",
                                                     [](const Tensor& x, double q, std::optional<int64_t> d, bool k,
                                                        std::string_view s) { return nanquantile(x, q, d, k, s); })),
    op("nanquantile(Tensor self, Tensor q, int? dim=None, bool keepdim=False, *, str interpolation='linear') -> Tensor",
       "t(5), c([0.25, 0.6])",
       [](const Tensor& x, const Tensor& q, std::optional<int64_t> d, bool k, std::string_view s) {
         return nanquantile(x, q, d, k, s);
       }),
    doc("Where each value would have to be inserted to keep the sequence sorted.",
        op("searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool right=False, str? "
           "side=None, Tensor? sorter=None) -> Tensor",
           "c([1.0, 3.0, 5.0, 7.0]), t(2, 3)\nc([1, 3, 5]), c([3, 6, 0])\nc([1, 3, 5]), c([3, 6, 0]), "
           "right=True\nc([[1, "
           "3], [2, 4]]), c([[2, 3], [3, 4]]), side='right'\nc([5, 1, 3]), c([2, 3]), sorter=c([1, 2, 0])",
           [](const Tensor& b, const Tensor& x, bool i, bool r, std::optional<std::string_view> s, OptionalTensor o) {
             return searchsorted(b, x, i, r, s, o);
           })),
    doc("Which interval between the boundaries each element lies in.",
        function(
            op("bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor",
               "t(2, 3), c([-1.0, 0.0, 1.0])\nc([1, 3]), c([1, 2, 3]), right=True",
               [](const Tensor& x, const Tensor& b, bool i, bool r) { return bucketize(x, b, i, r); }))),
    op("searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool right=False, str? "
       "side=None, Tensor? sorter=None) -> Tensor",
       "c([1.0, 3.0, 5.0]), 3.0\nc([1, 3, 5]), 3, right=True",
       [](const Tensor& b, const Scalar& x, bool i, bool r, std::optional<std::string_view> s, OptionalTensor o) {
         return searchsorted(b, x, i, r, s, o);
       }),
    function(no_out(
        op("bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False) -> Tensor",
           "2, c([1, 2, 3])\n2, c([1, 2, 3]), right=True",
           [](const Scalar& x, const Tensor& b, bool i, bool r) { return bucketize(x, b, i, r); }))),
    doc("How many elements lie in each of `bins` equal intervals between min and max.",
        op<histc>("histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor",
                  "t(10), 4\nt(10), 5, -1, 1\nt(3, 4), 3, 0, 2")),
    doc("How often each whole number occurs, or the sum of its weights.",
        no_out(op<bincount>("bincount(Tensor self, Tensor? weights=None, int minlength=0) -> Tensor",
                            "i(0, 5, 10)\ni(0, 3, 4), minlength=6\nc([0, 1, 1]), c([0.5, 1.0, 2.0])\ni(0, 2, 0)"))),
    doc("The different elements, where each element went, and how often each occurs.",
        function(no_out(op<_unique2>(
            "_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> "
            "(Tensor, Tensor, Tensor)",
            "i(0, 4, 8), True, True, True\nt(5), True, True, True\nb(4), True, True, True\ni(0, 3, 2, 3), True, "
            "True, True\nt(0), True, True, True")))),
    doc("The elements without repetitions of their predecessor, where each went, and how long each run is.",
        no_out(op<unique_consecutive>(
            "unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? "
            "dim=None) -> (Tensor, Tensor, Tensor)",
            "c([1, 1, 2, 2, 1]), True, True\nc([[1, 2], [1, 2], [3, 4]]), True, True, 0"))),
    doc("The different slices along dim, where each slice went, and how often each occurs.",
        function(no_out(op<unique_dim>(
            "unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool "
            "return_counts=False) -> (Tensor, Tensor, Tensor)",
            "c([[1, 2], [0, 5], [1, 2]]), 0, True, True, True\nc([[1, 2, 1], [0, 5, 0]]), 1, True, True, True")))),
    doc("Shortens slices along dim whose p-norm exceeds maxnorm.",
        op<renorm, renorm_>("renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor",
                            "t(3, 4), 2, 0, 1.0\nt(3, 4), 1, 1, 5.0\nz(3, 2), 2, 0, 1.0")),
};
const size_t sort_ops_count = std::size(sort_ops);

}  // namespace taut
