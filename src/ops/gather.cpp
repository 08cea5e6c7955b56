// Single elements that an index names: gather and scatter along a dimension, take and put in the flattened tensor.
#include <limits>

#include "kernels/copy.h"
#include "kernels/index.h"
#include "ops/indexing.h"
#include "ops/registry.h"
#include "ops/sparse.h"

namespace taut {

namespace {

/// All items of an input, which have one dimension at least.
Tensor items(const Batch& b, size_t i, const Tensor& t) {
  const Tensor all = b.all(i, t);
  return all.dim() == 1 ? all.unsqueeze(1) : all;
}
/// A result whose items are to have this many dimensions.
Tensor items_of(const Tensor& t, int64_t dims) { return dims == 0 ? t.squeeze(1) : t; }
/// The elements of each item as one row.
Tensor rows_of(const Batch& b, const Tensor& all) {
  return all.reshape({b.size, b.size > 0 ? all.numel() / b.size : 0});
}
/// An index into such a row, counted from its start.
Tensor counted(const Tensor& index, int64_t n) { return where(index < Scalar(0), index + n, index); }

/// Zeros, and g added where the index points: the gradient of Gather.
struct GatherGrad {
  static constexpr Parts parts = Parts::Aligned;
  static constexpr const char* name = "scatter_add";
  static constexpr const char* node = "ScatterAddBackward0";
  static constexpr unsigned reads[] = {kInput(1)};
  int64_t dim;
  Dims sizes;
  bool pairs;  // of complex numbers
  Dims whole() const {
    Dims r = sizes;
    if (pairs && r.empty()) r.push_back(1);
    if (pairs) r.push_back(2);
    return r;
  }
  Tensor batch(const Batch& b, const Tensor& g, const Tensor& index) const {
    Dims all = with_batch(b.size, sizes);
    if (sizes.empty()) all.push_back(1);
    return items_of(apply(GatherGrad{dim + 1, all, pairs}, items(b, 0, g), items(b, 1, index)),
                    static_cast<int64_t>(sizes.size()));
  }
  Tensor forward(const Tensor& g, const Tensor& index) const {
    Tensor y = zeros(whole(), g.scalar_type());
    kernels::scatter(view_1d(y), static_cast<int>(dim), view_1d(index), view_1d(g), kernels::ScatterMode::Add, true);
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const { return i == 0 ? g.gather(dim, s.input(1)) : Tensor(); }
};

/// The same as a sparse tensor: every element of g with the place it came from.
Tensor sparse_gather_grad(const Tensor& g, int64_t dim, const Tensor& index, IntArrayRef sizes) {
  std::vector<Tensor> places;
  for (int64_t d = 0; d < index.dim(); ++d) {
    Dims along(static_cast<size_t>(index.dim()), 1);
    along[static_cast<size_t>(d)] = index.size(d);
    const Tensor own = d == dim ? index.to(kLong) : arange(index.size(d), kLong).view(along).expand(index.sizes());
    places.push_back(own.reshape({-1}));
  }
  return sparse::made({Layout::Sparse, stack(places), {}, sizes, index.numel() < 2}, g.reshape({-1}));
}

struct Gather {
  static constexpr Parts parts = Parts::Aligned;
  static constexpr const char* name = "gather";
  static constexpr const char* node = "GatherBackward0";
  static constexpr unsigned reads[] = {kInput(1)};
  int64_t dim;
  bool sparse = false;
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& index) const {
    return items_of(apply(Gather{dim + 1, sparse}, items(b, 0, x), items(b, 1, index)), b.dim(1, index));
  }
  Tensor forward(const Tensor& x, const Tensor& index) const {
    Tensor y = make(index.sizes(), x.scalar_type(), name);
    kernels::gather(view_1d(y), view_1d(x), static_cast<int>(dim), view_1d(index));
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    if (i != 0) return {};
    if (sparse && !s.sizes(0).empty()) return sparse_gather_grad(g, dim, s.input(1), s.sizes(0));
    return apply(GatherGrad{dim, Dims(s.sizes(0)), g.is_complex()}, g, s.input(1));
  }
};

/// Assign or add; the others are scatter_reduce's.
struct Scatter {
  static constexpr Parts parts = Parts::Aligned;
  static constexpr unsigned reads[] = {kInput(1), 0, kInput(1)};
  int64_t dim;
  bool add;
  const char* op_name() const { return add ? "scatter_add" : "scatter"; }
  const char* node_name() const { return add ? "ScatterAddBackward0" : "ScatterBackward0"; }
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& index, const Tensor& src) const {
    return items_of(apply(Scatter{dim + 1, add}, items(b, 0, x), items(b, 1, index), items(b, 2, src)), b.dim(0, x));
  }
  Tensor forward(const Tensor& x, const Tensor& index, const Tensor& src) const {
    Tensor y = x.clone(MemoryFormat::Contiguous);
    run(y, index, src, true);
    return y;
  }
  void run(const Tensor& y, const Tensor& index, const Tensor& src, bool fresh) const {
    const Tensor from = at_least_1d(src);
    if (const ScalarType wide = wide_type(y.scalar_type()); add && wide != y.scalar_type()) {
      const Tensor sum = y.to(wide);  // half precision loses what is added to a large sum
      run(sum, index, from.to(wide), true);
      return kernels::copy(view_of(y), view_of(sum));
    }
    kernels::scatter(view_1d(y), static_cast<int>(dim), view_1d(index), view_of(from),
                     add ? kernels::ScatterMode::Add : kernels::ScatterMode::Assign, fresh);
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    if (i == 0) return add ? g : g.scatter(dim, s.input(1), Scalar(0));
    if (i == 1) return {};
    const Tensor index = s.input(1), part = g.gather(dim, index);
    // src may be larger than index: the rest of it went nowhere.
    const IntArrayRef want = s.sizes(2);
    if (part.sizes() == want || want.empty()) return part;
    if (part.numel() == 0) return zeros(want, g.scalar_type());  // of any shape
    std::vector<int64_t> pad_sizes;
    for (size_t d = want.size(); d-- > 0;) pad_sizes.push_back(0), pad_sizes.push_back(want[d] - part.sizes()[d]);
    return pad(part, pad_sizes);
  }
};

enum class Reduce { Sum, Prod, Mean, Amax, Amin };
Reduce reduce_mode(std::string_view reduce, const char* op) {
  if (reduce == "sum") return Reduce::Sum;
  if (reduce == "prod") return Reduce::Prod;
  if (reduce == "mean") return Reduce::Mean;
  if (reduce == "amax") return Reduce::Amax;
  check(reduce == "amin", op, ": reduce argument must be either sum, prod, mean, amax or amin, got ", reduce);
  return Reduce::Amin;
}

struct ScatterReduce {
  static constexpr const char* name = "scatter_reduce";
  static constexpr const char* node = "ScatterReduceBackward0";
  static constexpr unsigned reads[] = {kInput(0) | kInput(1) | kInput(2) | kResult(), 0,
                                       kInput(0) | kInput(1) | kInput(2) | kResult()};
  int64_t dim;
  Reduce mode;
  bool include_self;
  /// What changes nothing.
  Tensor neutral(ScalarType type) const {
    const DryScope computed(false);
    Tensor start = make({}, type);
    const auto limit = [&](bool low) {
      visit_dtype(type, [&](auto e) {
        using T = decltype(e);
        if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
          *start.data_ptr<T>() = low ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
        else if constexpr (std::is_floating_point_v<T>)
          *start.data_ptr<T>() = low ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
        else *start.data_ptr<T>() = low ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
      });
    };
    if (mode == Reduce::Amax) limit(true);
    else if (mode == Reduce::Amin) limit(false);
    else start.fill_(mode == Reduce::Prod ? 1 : 0);
    return start;
  }
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& index, const Tensor& src) const {
    return items_of(
        apply(ScatterReduce{dim + 1, mode, include_self}, items(b, 0, x), items(b, 1, index), items(b, 2, src)),
        b.dim(0, x));
  }
  Tensor forward(const Tensor& x, const Tensor& index, const Tensor& src) const {
    Tensor y = x.clone(MemoryFormat::Contiguous);
    const auto d = static_cast<int>(dim);
    if (!include_self) {
      const Tensor start = neutral(x.scalar_type());
      kernels::scatter(view_1d(y), d, view_1d(index), view_1d(index.dim() == 0 ? start : start.expand(index.sizes())),
                       kernels::ScatterMode::Assign);
    }
    using M = kernels::ScatterMode;
    kernels::scatter(view_1d(y), d, view_1d(index), view_1d(src),
                     mode == Reduce::Prod   ? M::Multiply
                     : mode == Reduce::Amax ? M::Amax
                     : mode == Reduce::Amin ? M::Amin
                                            : M::Add);
    if (mode == Reduce::Mean) {
      const Tensor n = counts(index, y.sizes(), x.scalar_type());
      if (x.is_floating_point()) y.div_(n);
      else y.div_(n, "floor");
    }
    return y;
  }
  /// How many values went into each element.
  Tensor counts(const Tensor& index, IntArrayRef sizes, ScalarType t) const {
    Tensor n = include_self ? ones(sizes, t) : zeros(sizes, t);
    n = n.scatter_add(dim, index, ones(index.sizes(), t));
    return n.masked_fill(n == 0, 1);
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    if (i == 1) return {};
    const Tensor x = s.input(0), index = s.input(1), y = s.result();
    Tensor src = s.input(2);
    const auto with_self = [&](const Tensor& d) { return include_self ? d : d.scatter(dim, index, Scalar(0)); };
    switch (mode) {
      case Reduce::Sum: return i == 0 ? with_self(g) : g.gather(dim, index);
      case Reduce::Mean: {
        const Tensor n = counts(index, x.sizes(), g.scalar_type());
        return i == 0 ? with_self(g / n) : (g / n).gather(dim, index);
      }
      case Reduce::Prod: {
        // A zero cannot be divided out: the product is taken again without it, so that it follows from the others.
        const Tensor part = src.sizes() == index.sizes() ? src : narrow_to(src, index.sizes());
        const Tensor base = include_self ? x : x.scatter(dim, index, Scalar(1));
        if (i == 0) {
          const Tensor safe = base.masked_fill(base == 0, 1);
          return with_self(g * (product(safe, dim, index, part) / safe));
        }
        const Tensor zero = part == 0,
                     n = zeros(x.sizes(), kLong).scatter_add(dim, index, zero.to(kLong)).gather(dim, index);
        check(!must_record() || is_batched(n) || !(n > 1).any().item<bool>(),
              "scatter_reduce(): Double backward is unsupported for src when >1 zeros in src are scattered to the same "
              "position in self");
        const Tensor alone = zero & (n == 1);
        const Tensor without = product(base, dim, index, part.masked_fill(alone, 1)).gather(dim, index);
        const Tensor divided = product(base, dim, index, part).gather(dim, index) / part.masked_fill(zero, 1);
        return g.gather(dim, index) * where(alone, without, divided);
      }
      default: {
        const Tensor part = src.sizes() == index.sizes() ? src : narrow_to(src, index.sizes());
        const Tensor self_hits = with_self((x == y).to(g.scalar_type()));
        const Tensor src_hits = (part == y.gather(dim, index)).to(g.scalar_type());
        const Tensor n = self_hits.scatter_add(dim, index, src_hits);
        const Tensor share = g / n;  // a nan has no hits, and gives nans
        if (i == 0) return include_self ? self_hits * share : with_self(g);
        return src_hits * share.gather(dim, index);
      }
    }
  }
  static Tensor product(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& src);
  static Tensor narrow_to(Tensor t, IntArrayRef sizes) {
    if (t.dim() == 0) return t.reshape(sizes);
    for (size_t d = 0; d < sizes.size(); ++d) t = t.narrow(static_cast<int64_t>(d), 0, sizes[d]);
    return t;
  }
};
Tensor ScatterReduce::product(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& src) {
  return apply(ScatterReduce{dim, Reduce::Prod, true}, x, index, src);
}

struct Take {
  static constexpr const char* name = "take";
  static constexpr const char* node = "TakeBackward0";
  static constexpr unsigned reads[] = {kInput(1)};
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& index) const {
    if (!b.has(0)) return apply(*this, x, index);
    const Tensor rows = rows_of(b, x), at = b.all(1, index);
    return rows.gather(1, counted(rows_of(b, at), rows.size(1))).view(at.sizes());
  }
  Tensor forward(const Tensor& x, const Tensor& index) const {
    Tensor y = make(index.sizes(), x.scalar_type(), name);
    kernels::take(view_of(y), view_of(x), view_of(index));
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    return i == 0 ? zeros(s.sizes(0), g.scalar_type()).put(s.input(1), g, true) : Tensor();
  }
};

struct Put {
  static constexpr const char* name = "put";
  static constexpr const char* node = "PutBackward0";
  static constexpr unsigned reads[] = {kInput(1), 0, kInput(1)};
  bool accumulate;
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& index, const Tensor& source) const {
    const Tensor all = b.all(0, x), rows = rows_of(b, all), from = rows_of(b, b.all(2, source)),
                 at = counted(rows_of(b, b.all(1, index)), rows.size(1));
    return (accumulate ? rows.scatter_add(1, at, from) : rows.scatter(1, at, from)).view(all.sizes());
  }
  Tensor forward(const Tensor& x, const Tensor& index, const Tensor& source) const {
    Tensor y = x.clone();
    kernels::put(view_of(y), view_of(index), view_of(source.reshape(index.sizes())), accumulate);
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    const Tensor index = s.input(1);
    if (i == 0) return accumulate ? g : g.put(index, zeros(index.sizes(), g.scalar_type()), false);
    return i == 1 ? Tensor() : g.take(index).reshape(s.sizes(2));
  }
};

/// index has as many dimensions as self, and is nowhere larger except along dim; or it is empty, of any shape and
/// dtype.
void check_gather(const Tensor& self, int64_t dim, const Tensor& index, const char* op) {
  check_defined(self, op, "self");
  if (index.defined() && index.numel() == 0) return;
  check_index(index, op);
  const int64_t n = std::max<int64_t>(self.dim(), 1), m = std::max<int64_t>(index.dim(), 1);
  check(n == m, op, "(): Index tensor must have the same number of dimensions as input tensor, got ", index.sizes(),
        " and ", self.sizes());
  for (int64_t d = 0; d < index.dim() && self.dim() > 0; ++d)
    check(d == dim || index.size(d) <= self.size(d), op, "(): Size does not match at dimension ", d, " expected index ",
          index.sizes(), " to be no larger than self ", self.sizes(), " apart from dimension ", dim);
}
void check_scatter(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, const char* op) {
  check_gather(self, dim, index, op);
  check_dtypes(self, src, op);
  if (index.numel() == 0) return;
  check(std::max<int64_t>(src.dim(), 1) == std::max<int64_t>(index.dim(), 1), op,
        "(): Index tensor must have the same number of dimensions as src tensor, got ", index.sizes(), " and ",
        src.sizes());
  for (int64_t d = 0; d < index.dim(); ++d)
    check(index.size(d) <= (src.dim() == 0 ? 1 : src.size(d)), op, "(): Expected index ", index.sizes(),
          " to be no larger than src ", src.sizes());
}

}  // namespace

Tensor gather(const Tensor& self, int64_t dim, const Tensor& index, bool sparse_grad) {
  check_defined(self, "gather", "self");
  const int64_t d = wrap_dim(dim, self.dim(), "gather");
  check_gather(self, d, index, "gather");
  return apply(Gather{d, sparse_grad}, self, index);
}

/// A complex number for all places; a real one the op spreads itself.
static Tensor spread(const Tensor& src, const Tensor& index) {
  return src.is_complex() && src.dim() == 0 && index.dim() > 0 ? src.expand(index.sizes()) : src;
}
static Tensor scatter_of(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, bool add,
                         const char* op) {
  check_defined(self, op, "self");
  check_defined(src, op, "src");
  const int64_t d = wrap_dim(dim, self.dim(), op);
  check_scatter(self, d, index, src, op);
  return apply(Scatter{d, add}, self, index, spread(src, index));
}
static Tensor& scatter_into(const char* op, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                            bool add) {
  check_defined(self, op, "self");
  check_defined(src, op, "src");
  const int64_t d = wrap_dim(dim, self.dim(), op);
  check_scatter(self, d, index, src, op);
  return write_(
      op, self, {&src, &index},
      [&](const Tensor& y) {
        Scatter{d, add}.run(y, index, src, false);
      },
      [&](const Tensor& x) {
        return apply(Scatter{d, add}, x, index, spread(src, index));
      });
}
/// One number for every place of index.
static Tensor number_at(const Tensor& index, const char* op, const Tensor& self, const Scalar& value) {
  check_defined(index, op, "index");
  return number_for(op, self, value).expand(index.sizes());
}

Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  const AsDry as(self);
  return scatter_of(self, dim, index, src, false, "scatter");
}
Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value) {
  const AsDry as(self);
  return scatter_of(self, dim, index, number_at(index, "scatter", self, value), false, "scatter");
}
Tensor& scatter_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  return scatter_into("scatter_", self, dim, index, src, false);
}
Tensor& scatter_(Tensor& self, int64_t dim, const Tensor& index, const Scalar& value) {
  return scatter_into("scatter_", self, dim, index, number_at(index, "scatter_", self, value), false);
}
Tensor scatter_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  return scatter_of(self, dim, index, src, true, "scatter_add");
}
Tensor& scatter_add_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  return scatter_into("scatter_add_", self, dim, index, src, true);
}
Tensor scatter_reduce(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce,
                      bool include_self) {
  check_defined(self, "scatter_reduce", "self");
  const int64_t d = wrap_dim(dim, self.dim(), "scatter_reduce");
  const Reduce mode = reduce_mode(reduce, "scatter_reduce");
  check_scatter(self, d, index, src, "scatter_reduce");
  if (index.numel() == 0) return apply(Scatter{d, true}, self, index, src);
  const ScatterReduce op{d, mode, include_self};
  if (!self.is_complex() || (mode != Reduce::Sum && mode != Reduce::Mean)) return apply(op, self, index, src);
  const Tensor base = include_self ? self : scatter(self, d, index, Scalar(0)), sum = scatter_add(base, d, index, src);
  return mode == Reduce::Sum ? sum : sum / op.counts(index, self.sizes(), value_type(self.scalar_type()));
}
Tensor& scatter_reduce_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce,
                        bool include_self) {
  check_apart(self, {&index, &src}, "scatter_reduce_");
  return in_place("scatter_reduce_", self,
                  [&](const Tensor& x) { return scatter_reduce(x, dim, index, src, reduce, include_self); });
}
Tensor index_reduce(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce,
                    bool include_self) {
  check_defined(self, "index_reduce", "self");
  check_defined(index, "index_reduce", "index");
  check_defined(source, "index_reduce", "source");
  const int64_t d = wrap_dim(dim, self.dim(), "index_reduce");
  check(index.dim() <= 1, "index_reduce: Index is supposed to be a vector, but got dim: ", index.dim());
  check<TypeError>(index.scalar_type() == kLong || index.scalar_type() == kInt,
                   "index_reduce: Expected dtype int32/int64 for index, got ", index.scalar_type());
  check<TypeError>(source.scalar_type() == self.scalar_type(),
                   "index_reduce: self and source expected to have the same dtype, but got (self) ", self.scalar_type(),
                   " and (source) ", source.scalar_type());
  check(reduce == "prod" || reduce == "mean" || reduce == "amax" || reduce == "amin",
        "index_reduce: Expected reduce to be one of prod, mean, amax or amin but got ", reduce, ".");
  Dims sizes(self.sizes());
  if (!sizes.empty()) sizes[static_cast<size_t>(d)] = index.numel();
  check(source.sizes() == IntArrayRef(sizes), "index_reduce: the source must have the shape of self, but for ",
        index.numel(), " along dimension ", d, ": got ", source.sizes(), " and self ", self.sizes());
  // Along dim each row of source goes where index says: a scatter whose places are the same in all other dimensions.
  Dims shape(sizes.size(), 1);
  if (!shape.empty()) shape[static_cast<size_t>(d)] = index.numel();
  const Tensor places = index.to(kLong).reshape(shape).expand(sizes);
  return scatter_reduce(self, d, places, source, reduce, include_self);
}
Tensor& index_reduce_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, std::string_view reduce,
                      bool include_self) {
  return in_place("index_reduce_", self,
                  [&](const Tensor& x) { return index_reduce(x, dim, index, source, reduce, include_self); });
}
/// The older names of the modes.
static std::string_view new_name(std::string_view reduce) {
  check(reduce == "add" || reduce == "multiply", "scatter: reduce argument must be either add or multiply, got ",
        reduce);
  return reduce == "add" ? "sum" : "prod";
}
Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce) {
  const AsDry as(self);
  return scatter_reduce(self, dim, index, src, new_name(reduce), true);
}
Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value, std::string_view reduce) {
  const AsDry as(self);
  return scatter_reduce(self, dim, index, number_at(index, "scatter", self, value), new_name(reduce), true);
}
Tensor& scatter_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce) {
  return scatter_reduce_(self, dim, index, src, new_name(reduce), true);
}
Tensor& scatter_(Tensor& self, int64_t dim, const Tensor& index, const Scalar& value, std::string_view reduce) {
  return scatter_reduce_(self, dim, index, number_at(index, "scatter_", self, value), new_name(reduce), true);
}

static void check_long(const Tensor& index, const char* op) {
  check_index(index, op);
  check<TypeError>(index.scalar_type() == kLong, op, "(): Expected a long tensor for index, but got ",
                   toString(index.scalar_type()));
}
Tensor take(const Tensor& self, const Tensor& index) {
  check_defined(self, "take", "self");
  check_long(index, "take");
  check<IndexError>(index.numel() == 0 || self.numel() > 0, "take(): tried to take from an empty tensor");
  if (self.is_complex()) return self.reshape({-1}).index({index});
  return apply(Take{}, self, index);
}
Tensor put(const Tensor& self, const Tensor& index, const Tensor& source, bool accumulate) {
  check_long(index, "put_");
  check_dtypes(self, source, "put");
  check(index.numel() == source.numel(),
        "put_(): Expected source and index to have the same number of elements, but got source.numel() = ",
        source.numel(), ", index.numel() = ", index.numel());
  if (self.is_complex()) {
    const indexing::TensorIndex at[] = {index};
    return self.reshape({-1}).index_put(at, source.reshape(index.sizes()), accumulate).reshape(self.sizes());
  }
  return apply(Put{accumulate}, self, index, source);
}
Tensor& put_(Tensor& self, const Tensor& index, const Tensor& source, bool accumulate) {
  check_apart(self, {&index, &source}, "put_");
  return in_place("put_", self, [&](const Tensor& x) { return put(x, index, source, accumulate); });
}
Tensor take_along_dim(const Tensor& self, const Tensor& indices, std::optional<int64_t> dim) {
  check_defined(self, "take_along_dim", "self");
  check_defined(indices, "take_along_dim", "indices");
  check(indices.scalar_type() == kLong, "take_along_dim(): dtype of indices should be Long but got ",
        indices.scalar_type());
  if (!dim) return self.reshape({-1}).gather(0, indices.reshape({-1}));
  check(self.dim() == indices.dim(),
        "take_along_dim(): input and indices should have the same number of dimensions, but got ", self.dim(),
        " dimensions for input, and ", indices.dim(), " dimensions for indices");
  const int64_t d = wrap_dim(*dim, self.dim(), "take_along_dim");
  Dims a(self.sizes()), b(indices.sizes());
  if (self.dim() > 0) a[static_cast<size_t>(d)] = b[static_cast<size_t>(d)] = 1;
  Dims shape = broadcast_shapes(a, b, "take_along_dim"), sizes_self(shape), sizes_index(shape);
  if (self.dim() > 0)
    sizes_self[static_cast<size_t>(d)] = self.size(d), sizes_index[static_cast<size_t>(d)] = indices.size(d);
  const Tensor places = where(indices < 0, indices + (self.dim() > 0 ? self.size(d) : 1), indices);
  return self.expand(sizes_self).gather(d, places.expand(sizes_index).clone());
}

extern const OpEntry gather_ops[];
extern const size_t gather_ops_count;
const OpEntry gather_ops[] = {
    doc("The element at index along dim, for each place of index.",
        out_apart(op<gather>("gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor",
                             "z(2, 3), 1, i(0, 3, 2, 2)\nt(3, 4), 0, i(0, 3, 2, 4)\nt(3, 4), 1, i(0, 4, 3, 2)\nt(5), "
                             "0, c([1, 1, 4])\nt(), 0, c(0)\nt(3, 2), 1, "
                             "i(0, 2, 2, 3)"))),
    doc("self with src written to the places along dim that index names.",
        out_apart_but_first(op(
            "scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
            "z(2, 3), 1, i(0, 1, 2, 1), z(2, 3)\nt(3, 4), 0, c([[0, 1, 2, 0]]), t(1, 4)\nt(3, 4), 1, c([[0, 1], [2, "
            "3], [1, 0]]), t(3, 2)\nt(3, 4), 1, "
            "c([[0, "
            "1]]), t(3, 2)",
            [](const Tensor& x, int64_t d, const Tensor& i, const Tensor& s) { return scatter(x, d, i, s); },
            [](Tensor& x, int64_t d, const Tensor& i, const Tensor& s) -> Tensor& { return scatter_(x, d, i, s); }))),
    out_apart_but_first(op(
        "scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
        "z(2, 3), 1, i(0, 3, 2, 1), 2.5\nt(3, 4), 0, c([[0, 1, 2, 0]]), 2.5\nt(3, 4), 1, c([[0, 0], [2, 3]]), 0",
        [](const Tensor& x, int64_t d, const Tensor& i, const Scalar& s) { return scatter(x, d, i, s); },
        [](Tensor& x, int64_t d, const Tensor& i, const Scalar& s) -> Tensor& { return scatter_(x, d, i, s); })),
    in_place_too(out_apart_but_first(
        op("scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor",
           "i(0, 9, 4), 0, c([0, 1, 1, 3]), i(1, 5, 4), reduce='add'\ni(1, 9, 4), 0, c([0, 1, 1, 3]), i(1, 5, 4), "
           "reduce='multiply'",
           [](const Tensor& x, int64_t d, const Tensor& i, const Tensor& s, std::string_view r) {
             return scatter(x, d, i, s, r);
           }))),
    in_place_too(out_apart_but_first(
        op("scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor",
           "i(0, 9, 4), 0, c([0, 1, 1, 3]), 2, reduce='add'\ni(1, 9, 4), 0, c([0, 1, 1, 3]), 3, reduce='multiply'",
           [](const Tensor& x, int64_t d, const Tensor& i, const Scalar& s, std::string_view r) {
             return scatter(x, d, i, s, r);
           }))),
    doc("self with src added at the places along dim that index names.",
        out_apart_but_first(
            op<scatter_add, scatter_add_>("scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
                                          "z(2, 3), 1, i(0, 3, 2, 3), z(2, 3)\nt(3, 4), 0, c([[0, 0, 2, 0], [0, 1, 2, "
                                          "0]]), t(2, 4)\nt(3, 4), 1, i(0, 4, 3, 5), t(3, 5)\nt(3), "
                                          "0, c([1, 1, 1]), t(3)\nt(3, 4), 0, i(0, 3, 0, 4), t(2, 4)"))),
    doc("self with src combined at the places along dim that index names: sum, prod, mean, amax or amin.",
        out_apart_but_first(op<scatter_reduce, scatter_reduce_>(
            "scatter_reduce(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool "
            "include_self=True) -> Tensor",
            "t(4), 0, c([0, 1, 1, 3]), t(4), 'sum'\nt(4), 0, c([0, 1, 1, 3]), t(4), 'prod'\nt(4), 0, c([0, "
            "1, 1, 3]), t(4), 'mean'\nt(4), 0, c([0, 1, 1, 3]), t(4), 'amax'\nt(4), 0, c([0, 1, 1, 3]), "
            "t(4), 'amin'\nt(4), 0, c([0, 1, 1, 3]), t(4), 'sum', include_self=False\n"
            "t(4), 0, c([0, 1, 1, 3]), t(4), 'prod', include_self=False\nt(4), 0, c([0, 1, 1, 3]), t(4), "
            "'mean', include_self=False\nt(4), 0, c([0, 1, 1, 3]), t(4), 'amax', "
            "include_self=False\nc([1.0, 0.0, 2.0]), 0, c([0, 0, 1, 2]), c([0.0, 3.0, 0.0, 0.0]), 'prod'"))),
    doc("Rows of source, joined to the rows of self at index along dim by their product, mean or an extreme.",
        op<index_reduce, index_reduce_>(
            "index_reduce(Tensor self, int dim, Tensor index, Tensor source, str reduce, *, bool include_self=True) -> "
            "Tensor",
            "t(4), 0, c([0, 1, 1]), t(3), 'prod'\nt(4, 2), 0, c([0, 3, 3]), t(3, 2), 'mean'\nt(2, 4), 1, c([2, 0, "
            "2]), t(2, 3), 'amax'\nt(2, 4), -1, c([2, 0, 2]), t(2, 3), 'amin'\nt(4), 0, c([0, 1, 1]), t(3), 'prod', "
            "include_self=False\nt(4), 0, c([0, 1, 1]), t(3), 'mean', include_self=False\nt(4), 0, c([0, 1, 1]), t(3), "
            "'amax', include_self=False\nt(4), 0, c([0, 1, 1]), t(3), 'sum'\nt(4), 0, c([0, 1]), t(3), 'mean'")),
    doc("The elements at these places of the flattened tensor.",
        out_apart(op<take>("take(Tensor self, Tensor index) -> Tensor",
                           "z(2, 3), i(0, 6, 4)\nt(3, 4), c([0, 11, -1, 5])\nt(3), c([[0, 0], [2, 1]])"))),
    doc("The elements at indices along dim, broadcasting; or of the flattened tensor.",
        out_apart(op<take_along_dim>("take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor",
                                     "t(3, 4), i(0, 4, 3, 2), 1\nt(3, 4), c([[1, 2]]), 1\nt(2, 3), c([0, 5])\n"
                                     "t(3, 4), c([[-1, 2]]), 1"))),
    doc("self with source written to these places of the flattened tensor; added there with accumulate.",
        no_out(op<put, put_>("put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor",
                             "z(2, 3), c([0, 5]), z(2)\nt(3, 4), c([0, 11, 5]), t(3)\nt(3), c([1, 1]), t(2), True"))),
};
const size_t gather_ops_count = std::size(gather_ops);

}  // namespace taut
