// Reading and writing the elements that other tensors point to.
#include "taut/indexing.h"

#include <limits>

#include "kernels/copy.h"
#include "kernels/index.h"
#include "kernels/masked.h"
#include "ops/expanded.h"
#include "ops/op.h"
#include "ops/registry.h"

namespace taut {

namespace {

/// Kernels want a dimension to index along: a 0-d tensor is seen as one of one element.
Tensor at_least_1d(const Tensor& t) { return t.dim() == 0 ? alias(t, {1}, {1}) : t; }
View view_1d(const Tensor& t) {
  static constexpr int64_t kOne[] = {1};
  View v = view_of(t);
  if (t.dim() == 0) v.sizes = v.strides = kOne;
  return v;
}

void check_index(const Tensor& index, const char* op) {
  check_defined(index, op, "index");
  check<IndexError>(index.scalar_type() == kLong || index.scalar_type() == kInt, op,
                    ": Expected dtype int32/int64 for index, got ", index.scalar_type());
}
void check_dtypes(const Tensor& self, const Tensor& other, const char* op) {
  check_defined(self, op, "self");
  check_defined(other, op, "src");
  check(self.scalar_type() == other.scalar_type(), op, "(): Expected self.dtype to be equal to src.dtype, got ",
        self.scalar_type(), " and ", other.scalar_type());
}
bool untracked(const Tensor& t) { return !t.defined() || !thread_state.grad_mode || !tracked(t.impl()); }

/// Write through a kernel in the memory of self where autograd need not know; else through the out-of-place op.
template <class Kernel, class Op>
Tensor& write_(const char* name, const Tensor& self, std::initializer_list<const Tensor*> others, Kernel kernel, Op op,
               bool expanded_too = false) {
  bool plain = untracked(self) && !autograd::forward_mode();
  for (const Tensor* t : others) plain = plain && untracked(*t);
  const std::vector<const Tensor*> list(others);
  if (!plain || shares_memory(self, list.data(), list.size(), name)) return in_place(name, self, op);
  if (expanded_too) autograd::check_inplace(self.impl(), name);
  else check_writable(self, name);
  ++thread_state.step;
  RawScope raw;
  kernel(self);
  self.impl()->storage->bump(name, thread_state.step);
  return const_cast<Tensor&>(self);
}

// ---- Advanced indexing: input 0 is the tensor, the index tensors follow, undefined where the index is `:`.

constexpr unsigned kIndexInputs = 0xfffe;

std::vector<View> index_views(TensorList indices) {
  std::vector<View> views;
  views.reserve(indices.size());
  for (const Tensor& t : indices) {
    View v;
    v.dtype = ScalarType::Undefined;
    views.push_back(t.defined() ? view_of(t) : v);
  }
  while (!views.empty() && views.back().dtype == ScalarType::Undefined) views.pop_back();
  return views;
}

struct IndexRead {
  static constexpr const char* name = "index";
  static constexpr const char* node = "IndexBackward0";
  static constexpr unsigned reads[] = {kIndexInputs};
  unsigned present;  // bit i: index i is a tensor
  int count;
  std::vector<Tensor> saved_indices(const Saved& s, int from) const {
    std::vector<Tensor> r;
    for (int i = 0; i < count; ++i) r.push_back(present >> i & 1 ? s.input(i + from) : Tensor());
    return r;
  }
  Tensor forward(TensorList in) const {
    const std::vector<View> views = index_views({in.begin() + 1, in.size() - 1});
    Tensor y = make(kernels::index_shape(in[0].sizes(), views), in[0].scalar_type(), name);
    kernels::index(view_of(y), view_of(in[0]), views);
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const;
};

/// self with values put in: inputs are self, values, then the indices.
struct IndexWrite {
  static constexpr const char* name = "index_put_";
  static constexpr const char* node = "IndexPutBackward0";
  static constexpr unsigned reads[] = {0xfffc, 0xfffc};
  unsigned present;
  int count;
  bool accumulate;
  Tensor forward(TensorList in) const {
    Tensor y = in[0].clone(MemoryFormat::Contiguous);
    const std::vector<View> views = index_views({in.begin() + 2, in.size() - 2});
    kernels::index_put(view_of(y), views, view_of(in[1].expand(kernels::index_shape(y.sizes(), views))), accumulate);
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const;
};

/// Zeros, and g added where the indices point: the gradient of IndexRead. Inputs are g, then the indices.
struct IndexReadGrad {
  static constexpr const char* name = "index_put_";
  static constexpr const char* node = "IndexPutBackward0";
  static constexpr unsigned reads[] = {kIndexInputs};
  IndexRead read;
  Dims sizes;
  Tensor forward(TensorList in) const {
    Tensor y = zeros(sizes, in[0].scalar_type());
    kernels::index_put(view_of(y), index_views({in.begin() + 1, in.size() - 1}), view_of(in[0]), true);
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const;
};

unsigned present_mask(const std::vector<Tensor>& indices) {
  check<IndexError>(indices.size() <= 14, "index: more than 14 index tensors are not supported");
  unsigned mask = 0;
  for (size_t i = 0; i < indices.size(); ++i) mask |= (indices[i].defined() ? 1u : 0u) << i;
  return mask;
}

Tensor index_read(const Tensor& self, const std::vector<Tensor>& indices) {
  std::vector<Tensor> in;
  in.reserve(indices.size() + 1);
  in.push_back(self);
  in.insert(in.end(), indices.begin(), indices.end());
  return apply_list(IndexRead{present_mask(indices), static_cast<int>(indices.size())}, in);
}
Tensor index_write(const Tensor& self, const std::vector<Tensor>& indices, const Tensor& values, bool accumulate) {
  std::vector<Tensor> in{self, values};
  in.insert(in.end(), indices.begin(), indices.end());
  return apply_list(IndexWrite{present_mask(indices), static_cast<int>(indices.size()), accumulate}, in);
}

Tensor index_read_grad(const Tensor& g, const std::vector<Tensor>& indices, IntArrayRef sizes) {
  std::vector<Tensor> in{g};
  in.insert(in.end(), indices.begin(), indices.end());
  return apply_list(IndexReadGrad{{present_mask(indices), static_cast<int>(indices.size())}, Dims(sizes)}, in);
}

/// The common case x[index]: one tensor of int64 for the first dimension.
struct IndexRows {
  static constexpr const char* name = "index";
  static constexpr const char* node = "IndexBackward0";
  static constexpr unsigned reads[] = {kInput(1)};
  Tensor forward(const Tensor& x, const Tensor& index) const {
    const TensorImpl &from = *x.impl(), &at = *index.impl();
    Dims shape = at.sizes;
    for (size_t d = 1; d < from.sizes.size(); ++d) shape.push_back(from.sizes[d]);
    Tensor y = make(shape, from.dtype, name);
    constexpr int64_t kSmall = 1 << 14;
    const int64_t n = y.impl()->numel;
    if (n > 0 && n <= kSmall && from.contiguous && at.contiguous)
      kernels::index_rows(view_of(y), from.view(), at.view());
    else kernels::index(view_of(y), from.view(), at.view());
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    return i == 0 ? index_read_grad(g, {s.input(1)}, s.sizes(0)) : Tensor();
  }
};

Tensor IndexRead::vjp(int i, const Tensor& g, const Saved& s) const {
  return i == 0 ? index_read_grad(g, saved_indices(s, 1), s.sizes(0)) : Tensor();
}
Tensor IndexReadGrad::vjp(int i, const Tensor& g, const Saved& s) const {
  return i == 0 ? index_read(g, read.saved_indices(s, 1)) : Tensor();
}
Tensor IndexWrite::vjp(int i, const Tensor& g, const Saved& s) const {
  const std::vector<Tensor> indices = IndexRead{present, count}.saved_indices(s, 2);
  if (i == 1) return index_read(g, indices);
  if (i != 0) return {};
  return accumulate ? g : index_write(g, indices, zeros({}, g.scalar_type()), false);
}

/// Masks become index tensors, and all index tensors are broadcast to one shape.
std::vector<Tensor> prepare_indices(const Tensor& self, const std::vector<Tensor>& given, const char* op) {
  std::vector<Tensor> indices;
  indices.reserve(given.size());
  Dims shape;
  for (const Tensor& t : given) {
    if (!t.defined()) {
      indices.emplace_back();
      continue;
    }
    if (t.scalar_type() == kBool || t.scalar_type() == kByte) {
      for (int64_t d = 0; d < t.dim(); ++d) {
        const auto at = static_cast<int64_t>(indices.size()) + d;
        check<IndexError>(at < self.dim() && t.size(d) == self.size(at), op, ": The shape of the mask ", t.sizes(),
                          " at index ", d, " does not match the shape of the indexed tensor ", self.sizes(),
                          " at index ", at);
      }
      NoGradGuard guard;
      if (t.dim() == 0) throw IndexError(str(op, ": a 0-d mask is given as True or False, not as a tensor"));
      for (const Tensor& column : t.nonzero().unbind(1)) indices.push_back(column);
      continue;
    }
    check<IndexError>(
        t.scalar_type() == kLong || t.scalar_type() == kInt || t.scalar_type() == kChar || t.scalar_type() == kShort,
        op, ": tensors used as indices must be long, int, byte or bool tensors, got ", t.scalar_type());
    indices.push_back(t.scalar_type() == kLong ? t : t.to(kLong));
  }
  check<IndexError>(static_cast<int64_t>(indices.size()) <= self.dim(), op,
                    ": too many indices for tensor of dimension ", self.dim(), " (got ", indices.size(), ")");
  for (const Tensor& t : indices) {
    if (!t.defined()) continue;
    try {
      shape = broadcast_shapes(shape, t.sizes(), op);
    } catch (const Error&) {
      throw IndexError(str(op, ": shape mismatch: indexing tensors could not be broadcast together: ",
                           IntArrayRef(shape), " and ", t.sizes()));
    }
  }
  RawScope raw;
  for (Tensor& t : indices)
    if (t.defined() && !(t.sizes() == IntArrayRef(shape))) t = t.expand(shape);
  return indices;
}

using indexing::TensorIndex;

bool is_mask(const Tensor& t) { return t.scalar_type() == kBool || t.scalar_type() == kByte; }

/// A 0-d tensor counts as the number or the bool it holds.
TensorIndex simple(const TensorIndex& i) {
  if (i.kind != TensorIndex::Kind::Tensor) return i;
  check_defined(i.tensor, "index");
  if (i.tensor.dim() > 0 || !is_integral(i.tensor.scalar_type(), true)) return i;
  if (is_mask(i.tensor)) return i.tensor.item<bool>();
  return i.tensor.item<int64_t>();
}

/// The part of an index that is views (numbers, slices, None, ...), applied; the tensors that remain.
Tensor apply_views(const Tensor& self, ArrayRef<TensorIndex> list, std::vector<Tensor>& tensors) {
  std::vector<TensorIndex> indices;
  indices.reserve(list.size());
  int64_t consumed = 0;
  for (const TensorIndex& given : list) {
    const TensorIndex& i = indices.emplace_back(simple(given));
    if (i.kind == TensorIndex::Kind::Integer || i.kind == TensorIndex::Kind::Slice) ++consumed;
    else if (i.kind == TensorIndex::Kind::Tensor) consumed += is_mask(i.tensor) ? i.tensor.dim() : 1;
  }
  check<IndexError>(consumed <= self.dim(), "index: too many indices for tensor of dimension ", self.dim(), " (got ",
                    consumed, ")");
  Tensor x = self;
  int64_t dim = 0;
  const auto put = [&](Tensor t) {
    tensors.resize(std::max(tensors.size(), static_cast<size_t>(dim)));
    tensors.push_back(std::move(t));
  };
  for (const TensorIndex& i : indices) {
    if (i.kind == TensorIndex::Kind::Integer || i.kind == TensorIndex::Kind::Slice)
      check<IndexError>(dim < x.dim(), "index: too many dimensions before index ", &i - indices.data(),
                        "; give one ellipsis ('...') only");
    switch (i.kind) {
      case TensorIndex::Kind::Integer: {
        const int64_t n = x.size(dim);
        check<IndexError>(i.integer >= -n && i.integer < n, "index ", i.integer, " is out of bounds for dimension ",
                          dim, " with size ", n, ". The tensor has shape ", x.sizes(),
                          "; an index runs from -size to size - 1.");
        x = x.select(dim, i.integer);
        break;
      }
      case TensorIndex::Kind::Slice: {
        const int64_t step = i.slice.step.value_or(1);
        check<ValueError>(step > 0, "index: slice step must be positive, got ", step);
        x = x.slice(dim++, i.slice.start, i.slice.stop, step);
        break;
      }
      case TensorIndex::Kind::None: x = x.unsqueeze(dim++); break;
      case TensorIndex::Kind::Ellipsis: dim += self.dim() - consumed; break;
      case TensorIndex::Kind::Boolean:
        x = x.unsqueeze(dim);
        put(i.integer ? zeros({1}, kLong) : empty({0}, kLong));
        ++dim;
        break;
      case TensorIndex::Kind::Tensor:
        put(i.tensor);
        dim += is_mask(i.tensor) ? i.tensor.dim() : 1;
        break;
    }
  }
  return x;
}
/// A mask takes several dimensions, but stands in one place of the list that prepare_indices reads: drop the gaps.
std::vector<Tensor> compact(std::vector<Tensor> at_dims) {
  if (at_dims.size() == 1) return at_dims;
  std::vector<Tensor> r;
  r.reserve(at_dims.size());
  for (size_t d = 0; d < at_dims.size(); ++d) {
    r.push_back(at_dims[d]);
    if (at_dims[d].defined() && is_mask(at_dims[d])) d += static_cast<size_t>(at_dims[d].dim()) - 1;
  }
  return r;
}

Tensor index_tensor(const Tensor& self, ArrayRef<TensorIndex> list) {
  check_defined(self, "index", "self");
  if (list.size() == 1 && !self.impl()->sizes.empty()) {  // the two most common at once
    const TensorIndex& i = list[0];
    if (i.kind == TensorIndex::Kind::Tensor && i.tensor.defined() && i.tensor.impl()->dtype == kLong &&
        !i.tensor.impl()->sizes.empty())
      return apply(IndexRows{}, self, i.tensor);
    if (i.kind == TensorIndex::Kind::Slice && i.slice.step.value_or(1) > 0)
      return slice(self, 0, i.slice.start, i.slice.stop, i.slice.step.value_or(1));
  }
  std::vector<Tensor> tensors;
  const Tensor x = apply_views(self, list, tensors);
  if (tensors.empty()) return x.is_same(self) ? autograd::provided::alias(x) : x;
  return index_read(x, prepare_indices(x, compact(std::move(tensors)), "index"));
}

Tensor& put_tensor(const Tensor& self, ArrayRef<TensorIndex> list, const Tensor& values, bool accumulate) {
  check_defined(self, "index_put_", "self");
  check_defined(values, "index_put_", "values");
  autograd::check_inplace(self.impl(), "index_put_");
  if (list.size() == 1 && list[0].kind == TensorIndex::Kind::Boolean) {  // x[True] = v, x[False] = v
    const TensorIndex all = indexing::Ellipsis;
    return list[0].integer ? put_tensor(self, {&all, 1}, values, accumulate) : const_cast<Tensor&>(self);
  }
  std::vector<Tensor> tensors;
  const Tensor x = apply_views(self, list, tensors);
  Tensor v = values;
  if (tensors.empty()) {
    while (v.dim() > x.dim() && v.size(0) == 1) v = v.squeeze(0);
    // A value that is part of x itself may be copied to the whole of it: expanded first, it is not taken for a mistake.
    if (v.dim() < x.dim()) v = v.expand(x.sizes());
    if (accumulate) x.add_(v);
    else x.copy_(v);
    return const_cast<Tensor&>(self);
  }
  check(v.scalar_type() == self.scalar_type() || v.numel() == 1,
        "Index put requires the source and destination dtypes match, got ", self.scalar_type(),
        " for the destination and ", v.scalar_type(), " for the source.");
  if (v.scalar_type() != self.scalar_type()) v = v.to(self.scalar_type());
  const std::vector<Tensor> indices = prepare_indices(x, compact(std::move(tensors)), "index_put_");
  const std::vector<int64_t> shape = kernels::index_shape(x.sizes(), index_views(indices));
  while (v.dim() > static_cast<int64_t>(shape.size()) && v.size(0) == 1) v = v.squeeze(0);
  check(IntArrayRef(broadcast_shapes(v.sizes(), shape, "index_put_")) == IntArrayRef(shape),
        "shape mismatch: value tensor of shape ", v.sizes(), " cannot be broadcast to indexing result of shape ",
        IntArrayRef(shape));
  write_(
      "index_put_", x, {&v},
      [&](const Tensor& y) {
        kernels::index_put(view_of(y), index_views(indices), view_of(v.expand(shape)), accumulate);
      },
      [&](const Tensor& y) { return index_write(y, indices, v, accumulate); }, true);
  return const_cast<Tensor&>(self);
}

// ---- Gather and scatter.

/// Zeros, and g added where the index points: the gradient of Gather.
struct GatherGrad {
  static constexpr const char* name = "scatter_add";
  static constexpr const char* node = "ScatterAddBackward0";
  static constexpr unsigned reads[] = {kInput(1)};
  int64_t dim;
  Dims sizes;
  Tensor forward(const Tensor& g, const Tensor& index) const {
    Tensor y = zeros(sizes, g.scalar_type());
    kernels::scatter(view_1d(y), static_cast<int>(dim), view_1d(index), view_1d(g), kernels::ScatterMode::Add, true);
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const { return i == 0 ? g.gather(dim, s.input(1)) : Tensor(); }
};

struct Gather {
  static constexpr const char* name = "gather";
  static constexpr const char* node = "GatherBackward0";
  static constexpr unsigned reads[] = {kInput(1)};
  int64_t dim;
  Tensor forward(const Tensor& x, const Tensor& index) const {
    Tensor y = make(index.sizes(), x.scalar_type(), name);
    kernels::gather(view_1d(y), view_1d(x), static_cast<int>(dim), view_1d(index));
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    return i == 0 ? apply(GatherGrad{dim, Dims(s.sizes(0))}, g, s.input(1)) : Tensor();
  }
};

/// Assign or add; the others are scatter_reduce's.
struct Scatter {
  static constexpr unsigned reads[] = {kInput(1), 0, kInput(1)};
  int64_t dim;
  bool add;
  const char* op_name() const { return add ? "scatter_add" : "scatter"; }
  const char* node_name() const { return add ? "ScatterAddBackward0" : "ScatterBackward0"; }
  Tensor forward(const Tensor& x, const Tensor& index, const Tensor& src) const {
    Tensor y = x.clone(MemoryFormat::Contiguous);
    run(y, index, src, true);
    return y;
  }
  void run(const Tensor& y, const Tensor& index, const Tensor& src, bool fresh) const {
    Tensor from = at_least_1d(src);
    if (src.dim() == 0 && index.dim() > 0) from = src.expand(index.sizes());
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
  Tensor forward(const Tensor& x, const Tensor& index, const Tensor& src) const {
    Tensor y = x.clone(MemoryFormat::Contiguous);
    const auto d = static_cast<int>(dim);
    if (!include_self) {
      Tensor start = make({}, x.scalar_type());
      const auto limit = [&](bool low) {
        visit_dtype(x.scalar_type(), [&](auto e) {
          using T = decltype(e);
          if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
            *start.data_ptr<T>() =
                low ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
          else if constexpr (std::is_floating_point_v<T>)
            *start.data_ptr<T>() = low ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::infinity();
          else *start.data_ptr<T>() = low ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max();
        });
      };
      if (mode == Reduce::Amax) limit(true);
      else if (mode == Reduce::Amin) limit(false);
      else start.fill_(mode == Reduce::Prod ? 1 : 0);
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
        // Where a factor is zero it cannot be divided out: count zeros, and multiply the others.
        const Tensor part = src.sizes() == index.sizes() ? src : narrow_to(src, index.sizes());
        const Tensor zero_src = (part == 0).to(g.scalar_type()), safe_src = part.masked_fill(part == 0, 1);
        const Tensor base = include_self ? x : x.scatter(dim, index, Scalar(1));
        const Tensor zero_self = (base == 0).to(g.scalar_type()), safe_self = base.masked_fill(base == 0, 1);
        const Tensor zeros_in = zero_self.scatter_add(dim, index, zero_src);
        const Tensor nonzero = ScatterReduce::product(safe_self, dim, index, safe_src);
        if (i == 0) {
          const Tensor others =
              where(base == 0, (zeros_in == 1).to(g.scalar_type()), (zeros_in == 0).to(g.scalar_type()));
          return with_self(g * others * (nonzero / safe_self));
        }
        const Tensor z = zeros_in.gather(dim, index);
        const Tensor others = where(part == 0, (z == 1).to(g.scalar_type()), (z == 0).to(g.scalar_type()));
        return g.gather(dim, index) * others * (nonzero.gather(dim, index) / safe_src);
      }
      default: {
        const Tensor part = src.sizes() == index.sizes() ? src : narrow_to(src, index.sizes());
        const Tensor self_hits = with_self((x == y).to(g.scalar_type()));
        const Tensor src_hits = (part == y.gather(dim, index)).to(g.scalar_type());
        const Tensor n = self_hits.scatter_add(dim, index, src_hits);
        const Tensor share = g / n;  // a nan has no hits, and gives nans
        if (i == 1) return {};
        if (i == 0) return include_self ? self_hits * share : with_self(g);
        return src_hits * share.gather(dim, index);
      }
    }
  }
  static Tensor product(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& src);
  static Tensor narrow_to(Tensor t, IntArrayRef sizes) {
    for (size_t d = 0; d < sizes.size(); ++d) t = t.narrow(static_cast<int64_t>(d), 0, sizes[d]);
    return t;
  }
};
Tensor ScatterReduce::product(const Tensor& x, int64_t dim, const Tensor& index, const Tensor& src) {
  return apply(ScatterReduce{dim, Reduce::Prod, true}, x, index, src);
}

struct IndexSelect {
  static constexpr const char* name = "index_select";
  static constexpr const char* node = "IndexSelectBackward0";
  static constexpr unsigned reads[] = {kInput(1)};
  int64_t dim;
  Tensor forward(const Tensor& x, const Tensor& index) const {
    Dims shape(x.sizes());
    if (x.dim() > 0) shape[static_cast<size_t>(dim)] = index.numel();
    Tensor y = make(shape, x.scalar_type(), name);
    kernels::index_select(view_1d(y), view_1d(x), static_cast<int>(dim), view_1d(index));
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    return i == 0 ? zeros(s.sizes(0), g.scalar_type()).index_add_(dim, s.input(1), g) : Tensor();
  }
};

struct IndexAdd {
  static constexpr const char* name = "index_add";
  static constexpr const char* node = "IndexAddBackward0";
  static constexpr unsigned reads[] = {0, 0, kInput(1)};
  int64_t dim;
  Scalar alpha;
  Tensor forward(const Tensor& x, const Tensor& index, const Tensor& source) const {
    Tensor y = x.clone(MemoryFormat::Contiguous);
    kernels::index_add(view_1d(y), static_cast<int>(dim), view_1d(index), view_1d(source), alpha);
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    if (i == 0) return g;
    if (i == 1) return {};
    const Tensor part = g.index_select(dim, s.input(1)).reshape(s.sizes(2));
    return alpha.equal(1) ? part : part * alpha;
  }
};

struct IndexCopy {
  static constexpr const char* name = "index_copy";
  static constexpr const char* node = "IndexCopyBackward0";
  static constexpr unsigned reads[] = {kInput(1), 0, kInput(1)};
  int64_t dim;
  Tensor forward(const Tensor& x, const Tensor& index, const Tensor& source) const {
    Tensor y = x.clone(MemoryFormat::Contiguous);
    kernels::index_copy(view_1d(y), static_cast<int>(dim), view_1d(index), view_1d(source));
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    if (i == 0) return g.index_fill(dim, s.input(1), Scalar(0));
    return i == 1 ? Tensor() : g.index_select(dim, s.input(1)).reshape(s.sizes(2));
  }
};

struct IndexFill {
  static constexpr const char* name = "index_fill";
  static constexpr const char* node = "IndexFillBackward0";
  static constexpr unsigned reads[] = {kInput(1), 0, kInput(1)};
  int64_t dim;
  Tensor forward(const Tensor& x, const Tensor& index, const Tensor& value) const {
    Tensor y = x.clone(MemoryFormat::Contiguous);
    kernels::index_fill(view_1d(y), static_cast<int>(dim), view_1d(index), view_of(value));
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    if (i == 0) return g.index_fill(dim, s.input(1), Scalar(0));
    return i == 1 ? Tensor() : (g - g.index_fill(dim, s.input(1), Scalar(0))).sum();  // an index may come twice
  }
};

struct MaskedSelect {
  static constexpr const char* name = "masked_select";
  static constexpr const char* node = "MaskedSelectBackward0";
  static constexpr unsigned reads[] = {kInput(1)};
  Tensor forward(const Tensor& x, const Tensor& mask) const {
    Tensor y = make({kernels::count_nonzero(view_of(mask))}, x.scalar_type(), name);
    kernels::masked_select(view_of(y), view_of(x), view_of(mask));
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    return i == 0 ? zeros(s.sizes(0), g.scalar_type()).masked_scatter_(s.input(1), g) : Tensor();
  }
};

struct MaskedScatter {
  static constexpr const char* name = "masked_scatter";
  static constexpr const char* node = "MaskedScatterBackward0";
  static constexpr unsigned reads[] = {kInput(1), 0, kInput(1)};
  Tensor forward(const Tensor& x, const Tensor& mask, const Tensor& source) const {
    Tensor y = x.clone(MemoryFormat::Contiguous);
    const int64_t n = kernels::count_nonzero(view_of(mask));
    check(source.numel() >= n,
          "masked_scatter: expected the source to have at least as many elements as the mask has ones (", n, "), got ",
          source.numel());
    kernels::masked_scatter(view_of(y), view_of(mask), view_of(source.contiguous()));
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    const Tensor mask = s.input(1);
    if (i == 0) return g.masked_fill(mask, Scalar(0));
    if (i == 1) return {};
    Tensor part = g.masked_select(mask);
    const int64_t n = checked_numel(s.sizes(2), name);
    if (part.numel() < n) part = cat({part, zeros({n - part.numel()}, g.scalar_type())});
    return part.view(s.sizes(2));
  }
};

struct Nonzero {
  static constexpr const char* name = "nonzero";
  Tensor forward(const Tensor& x) const {
    Tensor y = make({kernels::count_nonzero(view_of(x)), x.dim()}, kLong, name);
    kernels::nonzero(view_of(y), view_of(x));
    return y;
  }
};

struct Take {
  static constexpr const char* name = "take";
  static constexpr const char* node = "TakeBackward0";
  static constexpr unsigned reads[] = {kInput(1)};
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
  Tensor forward(const Tensor& x, const Tensor& index, const Tensor& source) const {
    Tensor y = x.clone(MemoryFormat::Contiguous);
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
  if (index.numel() == 0) return;
  check_dtypes(self, src, op);
  check(std::max<int64_t>(src.dim(), 1) == std::max<int64_t>(index.dim(), 1), op,
        "(): Index tensor must have the same number of dimensions as src tensor, got ", index.sizes(), " and ",
        src.sizes());
  for (int64_t d = 0; d < index.dim() && src.dim() > 0; ++d)
    check(index.size(d) <= src.size(d), op, "(): Expected index ", index.sizes(), " to be no larger than src ",
          src.sizes());
}
void check_slices(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, const char* op) {
  check_defined(self, op, "self");
  check_index(index, op);
  check_dtypes(self, source, op);
  check<IndexError>(index.dim() <= 1, op, "(): Index is supposed to be a vector, but got dim: ", index.dim());
  check(source.dim() == self.dim() || source.dim() == 0 || self.dim() == 0, op, "(): Source has shape ", source.sizes(),
        " and self ", self.sizes(), ": they must have as many dimensions");
  const int64_t n = source.dim() == 0 ? 1 : source.size(std::min(dim, source.dim() - 1));
  check<IndexError>(index.numel() == n, op, "(): Number of indices (", index.numel(),
                    ") should be equal to source.size(dim) (", n, ")");
  for (int64_t d = 0; d < self.dim() && source.dim() == self.dim(); ++d)
    check(d == dim || self.size(d) == source.size(d), op,
          "(): source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = ",
          self.sizes(), " source.shape = ", source.sizes());
}

}  // namespace

Tensor Tensor::index(ArrayRef<TensorIndex> indices) const { return index_tensor(*this, indices); }
Tensor Tensor::index(std::initializer_list<TensorIndex> indices) const {
  check(indices.size() > 0, "Passing an empty index list to Tensor::index() is not valid syntax: use alias()");
  return index_tensor(*this, {indices.begin(), indices.size()});
}
Tensor& Tensor::index_put_(ArrayRef<TensorIndex> indices, const Tensor& values, bool accumulate) const {
  return put_tensor(*this, indices, values, accumulate);
}
Tensor& Tensor::index_put_(ArrayRef<TensorIndex> indices, const Scalar& value) const {
  return put_tensor(*this, indices, full({}, value, scalar_type()), false);
}
Tensor& Tensor::index_put_(std::initializer_list<TensorIndex> indices, const Tensor& values) const {
  return put_tensor(*this, {indices.begin(), indices.size()}, values, false);
}
Tensor& Tensor::index_put_(std::initializer_list<TensorIndex> indices, const Scalar& value) const {
  return put_tensor(*this, {indices.begin(), indices.size()}, full({}, value, scalar_type()), false);
}
Tensor Tensor::operator[](const Tensor& i) const { return index({TensorIndex(i)}); }

Tensor gather(const Tensor& self, int64_t dim, const Tensor& index, bool) {
  check_defined(self, "gather", "self");
  const int64_t d = wrap_dim(dim, self.dim(), "gather");
  check_gather(self, d, index, "gather");
  return apply(Gather{d}, self, index);
}

static Tensor scatter_of(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, bool add,
                         const char* op) {
  check_defined(self, op, "self");
  check_defined(src, op, "src");
  const int64_t d = wrap_dim(dim, self.dim(), op);
  check_scatter(self, d, index, src.dim() == 0 && index.defined() && index.dim() > 0 ? src.expand(index.sizes()) : src,
                op);
  return apply(Scatter{d, add}, self, index, src);
}
static Tensor& scatter_into(const char* op, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                            bool add) {
  check_defined(self, op, "self");
  check_defined(src, op, "src");
  const int64_t d = wrap_dim(dim, self.dim(), op);
  check_scatter(self, d, index, src.dim() == 0 && index.defined() && index.dim() > 0 ? src.expand(index.sizes()) : src,
                op);
  return write_(
      op, self, {&src},
      [&](const Tensor& y) {
        Scatter{d, add}.run(y, index, src, false);
      },
      [&](const Tensor& x) {
        return apply(Scatter{d, add}, x, index, src);
      });
}
static Tensor number_for(const char* op, const Tensor& self, const Scalar& value) {
  check_defined(self, op, "self");
  check_converts(value, self.scalar_type(), op);
  return full({}, value, self.scalar_type());
}
Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  return scatter_of(self, dim, index, src, false, "scatter");
}
Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value) {
  return scatter_of(self, dim, index, number_for("scatter", self, value), false, "scatter");
}
Tensor& scatter_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& src) {
  return scatter_into("scatter_", self, dim, index, src, false);
}
Tensor& scatter_(Tensor& self, int64_t dim, const Tensor& index, const Scalar& value) {
  return scatter_into("scatter_", self, dim, index, number_for("scatter_", self, value), false);
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
  return apply(ScatterReduce{d, mode, include_self}, self, index, src);
}
Tensor& scatter_reduce_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce,
                        bool include_self) {
  return in_place("scatter_reduce_", self,
                  [&](const Tensor& x) { return scatter_reduce(x, dim, index, src, reduce, include_self); });
}
/// The older names of the modes.
static std::string_view new_name(std::string_view reduce) {
  check(reduce == "add" || reduce == "multiply", "scatter: reduce argument must be either add or multiply, got ",
        reduce);
  return reduce == "add" ? "sum" : "prod";
}
Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce) {
  return scatter_reduce(self, dim, index, src, new_name(reduce), true);
}
Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value, std::string_view reduce) {
  check_defined(index, "scatter", "index");
  return scatter_reduce(self, dim, index, number_for("scatter", self, value).expand(index.sizes()), new_name(reduce),
                        true);
}
Tensor& scatter_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce) {
  return scatter_reduce_(self, dim, index, src, new_name(reduce), true);
}
Tensor& scatter_(Tensor& self, int64_t dim, const Tensor& index, const Scalar& value, std::string_view reduce) {
  check_defined(index, "scatter_", "index");
  return scatter_reduce_(self, dim, index, number_for("scatter_", self, value).expand(index.sizes()), new_name(reduce),
                         true);
}

Tensor index_select(const Tensor& self, int64_t dim, const Tensor& index) {
  check_defined(self, "index_select", "self");
  check_index(index, "index_select");
  check<IndexError>(index.dim() <= 1, "index_select(): Index is supposed to be a vector, got shape ", index.sizes());
  check(self.dim() > 0 || index.numel() == 1, "index_select(): Index to scalar can have only 1 value, got ",
        index.numel(), " value(s)");
  return apply(IndexSelect{wrap_dim(dim, self.dim(), "index_select")}, self, index);
}
Tensor index_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha) {
  check_defined(self, "index_add", "self");
  const int64_t d = wrap_dim(dim, self.dim(), "index_add");
  check_slices(self, d, index, source, "index_add");
  check_converts(alpha, self.scalar_type(), "index_add");
  return apply(IndexAdd{d, alpha}, self, index, source);
}
Tensor& index_add_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha) {
  check_defined(self, "index_add_", "self");
  const int64_t d = wrap_dim(dim, self.dim(), "index_add_");
  check_slices(self, d, index, source, "index_add_");
  check_converts(alpha, self.scalar_type(), "index_add_");
  return write_(
      "index_add_", self, {&source},
      [&](const Tensor& y) {
        kernels::index_add(view_1d(y), static_cast<int>(d), view_1d(index), view_1d(source), alpha);
      },
      [&](const Tensor& x) { return index_add(x, d, index, source, alpha); });
}
Tensor index_copy(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source) {
  check_defined(self, "index_copy", "self");
  const int64_t d = wrap_dim(dim, self.dim(), "index_copy");
  check_slices(self, d, index, source, "index_copy");
  return apply(IndexCopy{d}, self, index, source);
}
Tensor& index_copy_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& source) {
  check_defined(self, "index_copy_", "self");
  const int64_t d = wrap_dim(dim, self.dim(), "index_copy_");
  check_slices(self, d, index, source, "index_copy_");
  return write_(
      "index_copy_", self, {&source},
      [&](const Tensor& y) { kernels::index_copy(view_1d(y), static_cast<int>(d), view_1d(index), view_1d(source)); },
      [&](const Tensor& x) { return index_copy(x, d, index, source); });
}
Tensor index_fill(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& value) {
  check_defined(self, "index_fill", "self");
  check_defined(value, "index_fill", "value");
  check_index(index, "index_fill");
  check<IndexError>(index.dim() <= 1, "index_fill(): Index has to be a vector/scalar, got shape ", index.sizes());
  check(value.dim() == 0, "index_fill(): Only supports 0-dimensional value tensor, but got tensor with ", value.dim(),
        " dimension(s).");
  if (!value.requires_grad()) check_converts(value.item(), self.scalar_type(), "index_fill");
  return apply(IndexFill{wrap_dim(dim, self.dim(), "index_fill")}, self, index, value.to(self.scalar_type()));
}
Tensor index_fill(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value) {
  return index_fill(self, dim, index, number_for("index_fill", self, value));
}
Tensor& index_fill_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& value) {
  if (is_expanded(self)) {
    const Tensor picked = index_fill(zeros(self.sizes(), kBool), dim, index, true);
    return fill_expanded_(self, picked, value);
  }
  return in_place("index_fill_", self, [&](const Tensor& x) { return index_fill(x, dim, index, value); });
}
Tensor& index_fill_(Tensor& self, int64_t dim, const Tensor& index, const Scalar& value) {
  return index_fill_(self, dim, index, number_for("index_fill_", self, value));
}

static void check_mask(const Tensor& self, const Tensor& mask, const char* op) {
  check_defined(self, op, "self");
  check_defined(mask, op, "mask");
  check(mask.scalar_type() == kBool, op, ": expected BoolTensor for mask, got ", mask.scalar_type());
}
Tensor masked_select(const Tensor& self, const Tensor& mask) {
  check_mask(self, mask, "masked_select");
  const Dims shape = broadcast_shapes(self.sizes(), mask.sizes(), "masked_select");
  return apply(MaskedSelect{}, self.expand(shape), mask.expand(shape));
}
Tensor masked_scatter(const Tensor& self, const Tensor& mask, const Tensor& source) {
  check_mask(self, mask, "masked_scatter");
  check_dtypes(self, source, "masked_scatter");
  const Dims shape = broadcast_shapes(self.sizes(), mask.sizes(), "masked_scatter");
  return apply(MaskedScatter{}, self.expand(shape), mask.expand(shape), source);
}
Tensor& masked_scatter_(Tensor& self, const Tensor& mask, const Tensor& source) {
  return in_place("masked_scatter_", self, [&](const Tensor& x) { return masked_scatter(x, mask, source); });
}
Tensor nonzero(const Tensor& self) {
  check_defined(self, "nonzero", "self");
  return apply(Nonzero{}, self);
}
std::vector<Tensor> where(const Tensor& condition) {
  check_defined(condition, "where", "condition");
  return (condition.dim() == 0 ? condition.unsqueeze(0) : condition).nonzero().unbind(1);
}
Tensor take(const Tensor& self, const Tensor& index) {
  check_defined(self, "take", "self");
  check_index(index, "take");
  check<IndexError>(index.numel() == 0 || self.numel() > 0, "take(): tried to take from an empty tensor");
  return apply(Take{}, self, index);
}
Tensor put(const Tensor& self, const Tensor& index, const Tensor& source, bool accumulate) {
  check_index(index, "put");
  check_dtypes(self, source, "put");
  check(index.numel() == source.numel(),
        "put_(): Expected source and index to have the same number of elements, but got source.numel() = ",
        source.numel(), ", index.numel() = ", index.numel());
  return apply(Put{accumulate}, self, index, source);
}
Tensor& put_(Tensor& self, const Tensor& index, const Tensor& source, bool accumulate) {
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
  return self.expand(sizes_self).gather(d, indices.expand(sizes_index).clone());
}

/// A list of boxed indices, as bindings and tests give it: None, ints, bools, tensors, "...", or [start, stop, step].
static std::vector<TensorIndex> unbox_indices(const std::vector<Value>& list) {
  std::vector<TensorIndex> r;
  for (const Value& v : list) {
    if (v.is_none()) r.emplace_back(std::nullopt);
    else if (auto* t = v.get<Tensor>()) r.emplace_back(*t);
    else if (auto* b = v.get<bool>()) r.emplace_back(*b);
    else if (auto* s = v.get<std::string>()) r.emplace_back(s->c_str());
    else if (auto* l = v.get<Value::List>()) {
      check<IndexError>(l->size() == 3, "index: a slice has start, stop and step");
      const auto part = [&](size_t k) { return (*l)[k].is_none() ? std::optional<int64_t>() : (*l)[k].to_int(); };
      r.emplace_back(indexing::Slice(part(0), part(1), part(2)));
    } else r.emplace_back(v.to_int());
  }
  return r;
}

extern const OpEntry indexing_ops[];
extern const size_t indexing_ops_count;
const OpEntry indexing_ops[] = {
    doc("The elements that a list of indices, slices, masks and tensors names.",
        op("index(Tensor self, Index[] indices) -> Tensor",
           "t(3, 4), [1]\nt(3, 4), [slice(0, 3, 2)]\nt(3, 4), [None, slice(1, None, None)]\nt(3, 4), [..., 2]\nt(3, "
           "4), "
           "[c([0, 2, 2])]\nt(3, 4), [c([0, 2]), c([1, 1])]\nt(3, 4), [slice(None, None, None), c([[0, 3], [-1, 0]])]\n"
           "t(2, 3, 4), [c([0, 1]), slice(None, None, None), c([2, 2])]\nt(2, 3, 4), [slice(None, None, None), c([0, "
           "2]), "
           "c([1, 3])]\nt(3), [c([True, False, True])]\nt(2, 3), [c([[True, False, True], [False, False, "
           "True]])]\nt(3, "
           "4), [c([0, 1]), None, slice(0, 2, None)]",
           [](const Tensor& x, const std::vector<Value>& i) { return x.index(unbox_indices(i)); })),
    doc("self with values at the places that a list of indices names; added there with accumulate.",
        op("index_put(Tensor self, Index[] indices, Tensor values, bool accumulate=False) -> Tensor",
           "t(3, 4), [c([0, 2])], t(2, 4)\nt(3, 4), [c([0, 0, 2])], t(3, 4), True\nt(5), [c([1, 1, 3])], t(), "
           "True\nt(2, "
           "3, 4), [slice(None, None, None), c([0, 2])], t(4)\nt(3), [c([True, False, True])], t(2)",
           [](const Tensor& x, const std::vector<Value>& i, const Tensor& v, bool a) {
             return Tensor(x.clone().index_put_(unbox_indices(i), v, a));
           })),
    doc("The slices along dim that index names.",
        op<index_select>("index_select(Tensor self, int dim, Tensor index) -> Tensor",
                         "t(3, 4), 0, c([0, 2, 2])\nt(3, 4), 1, c([1])\nt(3, 4), -1, i(0, 4, 5)\nt(), 0, c([0])\nt(0, "
                         "3), 1, c([0, 1])")),
    doc("The element at index along dim, for each place of index.",
        op<gather>(
            "gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor",
            "t(3, 4), 0, i(0, 3, 2, 4)\nt(3, 4), 1, i(0, 4, 3, 2)\nt(5), 0, c([1, 1, 4])\nt(), 0, c(0)\nt(3, 2), 1, "
            "i(0, 2, 2, 3)")),
    doc("self with src written to the places along dim that index names.",
        op(
            "scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
            "t(3, 4), 0, c([[0, 1, 2, 0]]), t(1, 4)\nt(3, 4), 1, c([[0, 1], [2, 3], [1, 0]]), t(3, 2)\nt(3, 4), 1, "
            "c([[0, "
            "1]]), t(3, 2)",
            [](const Tensor& x, int64_t d, const Tensor& i, const Tensor& s) { return scatter(x, d, i, s); },
            [](Tensor& x, int64_t d, const Tensor& i, const Tensor& s) -> Tensor& { return scatter_(x, d, i, s); })),
    op(
        "scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
        "t(3, 4), 0, c([[0, 1, 2, 0]]), 2.5\nt(3, 4), 1, c([[0, 0], [2, 3]]), 0",
        [](const Tensor& x, int64_t d, const Tensor& i, const Scalar& s) { return scatter(x, d, i, s); },
        [](Tensor& x, int64_t d, const Tensor& i, const Scalar& s) -> Tensor& { return scatter_(x, d, i, s); }),
    in_place_too(
        op("scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor",
           "i(0, 9, 4), 0, c([0, 1, 1, 3]), i(1, 5, 4), reduce='add'\ni(1, 9, 4), 0, c([0, 1, 1, 3]), i(1, 5, 4), "
           "reduce='multiply'",
           [](const Tensor& x, int64_t d, const Tensor& i, const Tensor& s, std::string_view r) {
             return scatter(x, d, i, s, r);
           })),
    in_place_too(
        op("scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor",
           "i(0, 9, 4), 0, c([0, 1, 1, 3]), 2, reduce='add'\ni(1, 9, 4), 0, c([0, 1, 1, 3]), 3, reduce='multiply'",
           [](const Tensor& x, int64_t d, const Tensor& i, const Scalar& s, std::string_view r) {
             return scatter(x, d, i, s, r);
           })),
    doc("self with src added at the places along dim that index names.",
        op<scatter_add, scatter_add_>(
            "scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
            "t(3, 4), 0, c([[0, 0, 2, 0], [0, 1, 2, 0]]), t(2, 4)\nt(3, 4), 1, i(0, 4, 3, 5), t(3, 5)\nt(3), "
            "0, c([1, 1, 1]), t(3)\nt(3, 4), 0, i(0, 3, 0, 4), t(2, 4)")),
    doc("self with src combined at the places along dim that index names: sum, prod, mean, amax or amin.",
        op<scatter_reduce, scatter_reduce_>(
            "scatter_reduce(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, bool "
            "include_self=True) -> Tensor",
            "t(4), 0, c([0, 1, 1, 3]), t(4), 'sum'\nt(4), 0, c([0, 1, 1, 3]), t(4), 'prod'\nt(4), 0, c([0, "
            "1, 1, 3]), t(4), 'mean'\nt(4), 0, c([0, 1, 1, 3]), t(4), 'amax'\nt(4), 0, c([0, 1, 1, 3]), "
            "t(4), 'amin'\nt(4), 0, c([0, 1, 1, 3]), t(4), 'sum', include_self=False\n"
            "t(4), 0, c([0, 1, 1, 3]), t(4), 'prod', include_self=False\nt(4), 0, c([0, 1, 1, 3]), t(4), "
            "'mean', include_self=False\nt(4), 0, c([0, 1, 1, 3]), t(4), 'amax', "
            "include_self=False\nc([1.0, 0.0, 2.0]), 0, c([0, 0, 1, 2]), c([0.0, 3.0, 0.0, 0.0]), 'prod'")),
    doc("self with alpha * source added to the slices along dim that index names.",
        op<index_add, index_add_>(
            "index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor",
            "t(3, 4), 0, c([0, 0]), t(2, 4)\nt(3, 4), 1, c([1, 3, 1]), t(3, 3), alpha=2.0\nt(3), 0, c([2]), t(1)")),
    doc("self with the slices along dim that index names replaced by those of source.",
        op<index_copy, index_copy_>("index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor",
                                    "t(3, 4), 0, c([0, 2]), t(2, 4)\nt(3, 4), 1, c([3]), t(3, 1)")),
    doc("self with the slices along dim that index names filled with value.",
        op(
            "index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
            "t(3, 4), 0, c([0, 2]), 1.5\nt(3, 4), -1, c([-1, 0]), 0",
            [](const Tensor& x, int64_t d, const Tensor& i, const Scalar& s) { return index_fill(x, d, i, s); },
            [](Tensor& x, int64_t d, const Tensor& i, const Scalar& s) -> Tensor& { return index_fill_(x, d, i, s); })),
    op(
        "index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor",
        "t(3, 4), 0, c([0, 2]), t()",
        [](const Tensor& x, int64_t d, const Tensor& i, const Tensor& s) { return index_fill(x, d, i, s); },
        [](Tensor& x, int64_t d, const Tensor& i, const Tensor& s) -> Tensor& { return index_fill_(x, d, i, s); }),
    doc("The elements where mask is true, in one dimension.",
        op<masked_select>("masked_select(Tensor self, Tensor mask) -> Tensor",
                          "t(2, 3), b(2, 3)\nt(2, 3), b(3)\nt(3), b(2, 3)\nt(0), b(0)\nt(), c(True)")),
    doc("self with the elements of source, in their order, wherever mask is true.",
        op<masked_scatter, masked_scatter_>(
            "masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor",
            "t(2, 3), b(2, 3), t(6)\nt(2, 3), b(3), t(2, 4)\nt(3), c([False, False, False]), t(2)")),
    doc("The indices of all elements that are not 0, one row each.",
        op<nonzero>("nonzero(Tensor self) -> Tensor", "i(0, 2, 3, 4)\nb(5)\nt(0, 3)\nc(1)\nc(0)")),
    doc("The elements at these places of the flattened tensor.",
        op<take>("take(Tensor self, Tensor index) -> Tensor", "t(3, 4), c([0, 11, -1, 5])\nt(3), c([[0, 0], [2, 1]])")),
    doc("The elements at indices along dim, broadcasting; or of the flattened tensor.",
        op<take_along_dim>("take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor",
                           "t(3, 4), i(0, 4, 3, 2), 1\nt(3, 4), c([[1, 2]]), 1\nt(2, 3), c([0, 5])")),
    doc("self with source written to these places of the flattened tensor; added there with accumulate.",
        op<put, put_>("put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> Tensor",
                      "t(3, 4), c([0, 11, 5]), t(3)\nt(3), c([1, 1]), t(2), True")),
};
const size_t indexing_ops_count = std::size(indexing_ops);

}  // namespace taut
