// Indexing with numbers, slices, masks and tensors: x[...] and x[...] = v.
#include "taut/indexing.h"

#include <algorithm>

#include "kernels/index.h"
#include "ops/indexing.h"
#include "ops/registry.h"
#include "taut/core/runtime.h"

namespace taut {

namespace {

constexpr unsigned kIndexInputs = 0xfffe;

std::vector<View> index_views(TensorList indices) {
  std::vector<View> views;
  views.reserve(indices.size());
  for (const Tensor& t : indices) {
    View v;
    v.dtype = ScalarType::Undefined;
    // Of an item only the shape can be asked for.
    if (is_batched(t)) views.push_back({nullptr, t.scalar_type(), t.sizes(), t.strides()});
    else views.push_back(t.defined() ? view_of(t) : v);
  }
  while (!views.empty() && views.back().dtype == ScalarType::Undefined) views.pop_back();
  return views;
}

/// Index tensors of items as those of what holds all items, and how the result of one lies in that of the other.
struct IndexOfAll {
  std::vector<Tensor> list;
  Dims order;  // the dimensions of the result with the items in front
  /// Index i is input i + from; do the items of the indexed tensor differ?
  IndexOfAll(const Batch& b, TensorList indices, size_t from, bool indexed, int64_t item_dims);
  Tensor item_order(const Tensor& result) const { return result.permute(order); }
  /// The other way.
  Tensor kernel_order(const Tensor& values) const {
    Dims back(order.size());
    for (size_t d = 0; d < order.size(); ++d) back[static_cast<size_t>(order[d])] = static_cast<int64_t>(d);
    return values.permute(back);
  }
};
/// All items of x with `values` put in.
Tensor write_items(const Batch& b, const Tensor& x, size_t value, const Tensor& values, TensorList indices, size_t from,
                   bool accumulate);
Tensor read_items(const Batch& b, const Tensor& x, TensorList indices);

struct IndexRead {
  static constexpr bool moves = true;
  static constexpr Parts parts = Parts::Last;
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
  Tensor batch(const Batch& b, TensorList in) const { return read_items(b, in[0], {in.begin() + 1, in.size() - 1}); }
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
  static constexpr bool moves = true;
  static constexpr Parts parts = Parts::Last;
  static constexpr const char* name = "index_put_";
  static constexpr const char* node = "IndexPutBackward0";
  static constexpr unsigned reads[] = {0xfffc, 0xfffc};
  unsigned present;
  int count;
  bool accumulate;
  Tensor batch(const Batch& b, TensorList in) const {
    return write_items(b, b.all(0, in[0]), 1, in[1], {in.begin() + 2, in.size() - 2}, 2, accumulate);
  }
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
  static constexpr Parts parts = Parts::Last;
  static constexpr const char* name = "index_put_";
  static constexpr const char* node = "IndexPutBackward0";
  static constexpr unsigned reads[] = {kIndexInputs};
  IndexRead read;
  Dims sizes;
  bool pairs;  // of complex numbers
  Tensor batch(const Batch& b, TensorList in) const {
    return write_items(b, zeros(with_batch(b.size, sizes), in[0].scalar_type()), 0, in[0],
                       {in.begin() + 1, in.size() - 1}, 1, true);
  }
  Tensor forward(TensorList in) const {
    const std::vector<View> views = index_views({in.begin() + 1, in.size() - 1});
    Dims shape = sizes;
    if (pairs) shape.push_back(2);
    Tensor y = zeros(shape, in[0].scalar_type());
    kernels::index_put(view_of(y), views, view_of(in[0]), true);
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const;
};

IndexOfAll::IndexOfAll(const Batch& b, TensorList indices, size_t from, bool indexed, int64_t item_dims) {
  int64_t dims = 0, count = 0, first = -1, last = 0;  // of the indices as they broadcast; how many, and where
  bool any = false;
  for (size_t i = 0; i < indices.size(); ++i) {
    if (!indices[i].defined()) continue;
    dims = std::max(dims, b.dim(i + from, indices[i]));
    any |= b.has(i + from);
    if (first < 0) first = static_cast<int64_t>(i);
    last = static_cast<int64_t>(i);
    ++count;
  }
  const bool together = last - first + 1 == count;
  if (indexed && any) {
    Dims along(static_cast<size_t>(dims) + 1, 1);
    along[0] = b.size;
    list.push_back(arange(b.size, kLong).view(along));
  } else if (indexed) {
    list.emplace_back();
  }
  for (size_t i = 0; i < indices.size(); ++i)
    list.push_back(indices[i].defined() ? b.raised(i + from, indices[i], dims) : Tensor());
  Dims shape;  // kernels take indices of one shape
  for (const Tensor& t : list)
    if (t.defined()) shape = broadcast_shapes(shape, t.sizes(), "index");
  for (Tensor& t : list)
    if (t.defined()) t = t.expand(shape);
  // What stands where: [items], [dims of the index], [first dimensions before it].
  const int64_t all = item_dims - count + dims + 1;
  const auto add = [&](int64_t begin, int64_t end) {
    for (int64_t d = begin; d < end; ++d) order.push_back(d);
  };
  if (indexed && !any && !together) add(dims, dims + 1), add(0, dims), add(dims + 1, all);
  else if (indexed && any && together)
    add(0, 1), add(dims + 1, dims + 1 + first), add(1, dims + 1), add(dims + 1 + first, all);
  else if (!indexed && together) add(first, first + 1), add(0, first), add(first + 1, all);
  else add(0, all);
}

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

Tensor read_items(const Batch& b, const Tensor& x, TensorList indices) {
  const IndexOfAll all(b, indices, 1, b.has(0), b.dim(0, x));
  return all.item_order(index_read(x, all.list));
}
Tensor write_items(const Batch& b, const Tensor& x, size_t value, const Tensor& values, TensorList indices, size_t from,
                   bool accumulate) {
  const IndexOfAll all(b, indices, from, true, x.dim() - 1);
  const std::vector<int64_t> shape = kernels::index_shape(x.sizes(), index_views(all.list));
  Dims item;
  for (int64_t d : all.order) item.push_back(shape[static_cast<size_t>(d)]);
  const Tensor full = b.raised(value, values, static_cast<int64_t>(item.size()) - 1).expand(item);
  return index_write(x, all.list, all.kernel_order(full), accumulate);
}

Tensor index_read_grad(const Tensor& g, const std::vector<Tensor>& indices, IntArrayRef sizes) {
  std::vector<Tensor> in{g};
  in.insert(in.end(), indices.begin(), indices.end());
  return apply_list(
      IndexReadGrad{{present_mask(indices), static_cast<int>(indices.size())}, Dims(sizes), g.is_complex()}, in);
}

/// The common case x[index]: one tensor of int64 for the first dimension.
struct IndexRows {
  static constexpr bool moves = true;
  static constexpr Parts parts = Parts::Last;
  static constexpr const char* name = "index";
  static constexpr const char* node = "IndexBackward0";
  static constexpr unsigned reads[] = {kInput(1)};
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& index) const { return read_items(b, x, {&index, 1}); }
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
        check<IndexError>(at < self.dim() && t.size(d) == self.size(at), "The shape of the mask ", t.sizes(),
                          " at index ", d, " does not match the shape of the indexed tensor ", self.sizes(),
                          " at index ", at);
      }
      NoGradGuard guard;
      check(!is_batched(t) || batching::varying(t).empty(),
            "vmap: We do not support batching operators that can support dynamic shape. Attempting to batch over "
            "indexing with a boolean mask.");
      if (t.dim() == 0) throw IndexError(str(op, ": a 0-d mask is given as True or False, not as a tensor"));
      for (const Tensor& column : t.nonzero().unbind(1)) indices.push_back(column);
      continue;
    }
    check<IndexError>(
        t.scalar_type() == kLong || t.scalar_type() == kInt || t.scalar_type() == kChar || t.scalar_type() == kShort,
        "tensors used as indices must be long, int, byte or bool tensors, got ", t.scalar_type());
    indices.push_back(t.scalar_type() == kLong ? t : t.to(kLong));
  }
  check<IndexError>(static_cast<int64_t>(indices.size()) <= self.dim(), "too many indices for tensor of dimension ",
                    self.dim(), " (got ", indices.size(), ")");
  for (const Tensor& t : indices) {
    if (!t.defined()) continue;
    try {
      shape = broadcast_shapes(shape, t.sizes(), op);
    } catch (const Error&) {
      throw IndexError(str("shape mismatch: indexing tensors could not be broadcast together with shapes ",
                           IntArrayRef(shape), ", ", t.sizes()));
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
  if (i.kind() != TensorIndex::Kind::Tensor) return i;
  check_defined(i.tensor(), "index");
  if (i.tensor().dim() > 0 || !is_integral(i.tensor().scalar_type(), true)) return i;
  if (is_batched(i.tensor()) && !is_mask(i.tensor())) return i;  // another number for each item
  if (is_mask(i.tensor())) return i.tensor().item<bool>();
  return i.tensor().item<int64_t>();
}

/// The part of an index that is views (numbers, slices, None, ...), applied; the tensors that remain.
Tensor apply_views(const Tensor& self, ArrayRef<TensorIndex> list, std::vector<Tensor>& tensors) {
  std::vector<TensorIndex> indices;
  indices.reserve(list.size());
  int64_t consumed = 0;
  for (const TensorIndex& given : list) {
    const TensorIndex& i = indices.emplace_back(simple(given));
    if (i.kind() == TensorIndex::Kind::Integer || i.kind() == TensorIndex::Kind::Slice) ++consumed;
    else if (i.kind() == TensorIndex::Kind::Tensor) consumed += is_mask(i.tensor()) ? i.tensor().dim() : 1;
    if (i.is_tensor() && i.tensor().scalar_type() == kByte)
      warn("indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.");
  }
  check<IndexError>(consumed <= self.dim(), "too many indices for tensor of dimension ", self.dim(), " (got ", consumed,
                    ")");
  Tensor x = self;
  int64_t dim = 0;
  const auto put = [&](Tensor t) {
    tensors.resize(std::max(tensors.size(), static_cast<size_t>(dim)));
    tensors.push_back(std::move(t));
  };
  for (const TensorIndex& i : indices) {
    if (i.kind() == TensorIndex::Kind::Integer || i.kind() == TensorIndex::Kind::Slice)
      check<IndexError>(dim < x.dim(), "index: too many dimensions before index ", &i - indices.data(),
                        "; give one ellipsis ('...') only");
    switch (i.kind()) {
      case TensorIndex::Kind::Integer: {
        const int64_t n = x.size(dim);
        check<IndexError>(i.integer() >= -n && i.integer() < n, "index ", i.integer(),
                          " is out of bounds for dimension ", &i - indices.data(), " with size ", n,
                          ". The tensor has shape ", self.sizes(), "; an index runs from -size to size - 1.");
        x = x.select(dim, i.integer());
        break;
      }
      case TensorIndex::Kind::Slice: {
        const int64_t step = i.slice().step();
        check<ValueError>(step > 0, "step must be greater than zero, got ", step);
        x = x.slice(dim++, i.slice().from, i.slice().to, step);
        break;
      }
      case TensorIndex::Kind::None: x = x.unsqueeze(dim++); break;
      case TensorIndex::Kind::Ellipsis: dim += self.dim() - consumed; break;
      case TensorIndex::Kind::Boolean:
        x = x.unsqueeze(dim);
        put(i.integer() ? zeros({1}, kLong) : empty({0}, kLong));
        ++dim;
        break;
      case TensorIndex::Kind::Tensor:
        put(i.tensor());
        dim += is_mask(i.tensor()) ? i.tensor().dim() : 1;
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
    if (i.kind() == TensorIndex::Kind::Tensor && i.tensor().defined() && i.tensor().impl()->dtype == kLong &&
        !i.tensor().impl()->sizes.empty())
      return apply(IndexRows{}, self, i.tensor());
    if (i.kind() == TensorIndex::Kind::Slice && i.slice().step() > 0)
      return slice(self, 0, i.slice().from, i.slice().to, i.slice().step());
  }
  std::vector<Tensor> tensors;
  const Tensor x = apply_views(self, list, tensors);
  if (tensors.empty()) return x.is_same(self) ? autograd::provided::alias(x) : x;
  return index_read(x, prepare_indices(x, compact(std::move(tensors)), "index"));
}

/// One number at the places of one mask: a filling, which takes it of any dtype.
bool fills_mask(const std::vector<Tensor>& indices, const Tensor& value, bool accumulate) {
  const auto given = [](const Tensor& t) { return t.defined(); };
  return !accumulate && value.numel() == 1 && std::count_if(indices.begin(), indices.end(), given) == 1 &&
         is_mask(*std::find_if(indices.begin(), indices.end(), given));
}

Tensor& put_tensor(const Tensor& self, ArrayRef<TensorIndex> list, const Tensor& values, bool accumulate) {
  check_defined(self, "index_put_", "self");
  check_defined(values, "index_put_", "values");
  autograd::check_inplace(self.impl(), "index_put_");
  if (list.size() == 1 && list[0].kind() == TensorIndex::Kind::Boolean) {  // x[True] = v, x[False] = v
    const TensorIndex all = indexing::Ellipsis;
    return list[0].integer() ? put_tensor(self, {&all, 1}, values, accumulate) : const_cast<Tensor&>(self);
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
  check(v.scalar_type() == self.scalar_type() || fills_mask(tensors, v, accumulate),
        "Index put requires the source and destination dtypes match, got ", self.scalar_type(),
        " for the destination and ", v.scalar_type(), " for the source.");
  if (v.scalar_type() != self.scalar_type()) v = v.to(self.scalar_type());
  if (fills_mask(tensors, v, accumulate) && is_batched(tensors.back()) && is_mask(tensors.back())) {
    Tensor mask = tensors.back();
    while (mask.dim() + static_cast<int64_t>(tensors.size()) - 1 < x.dim()) mask = mask.unsqueeze(-1);
    Tensor part = x;
    part.masked_fill_(mask, v.reshape({}));
    return const_cast<Tensor&>(self);
  }
  const std::vector<Tensor> indices = prepare_indices(x, compact(std::move(tensors)), "index_put_");
  const std::vector<int64_t> shape = kernels::index_shape(x.sizes(), index_views(indices));
  while (v.dim() > static_cast<int64_t>(shape.size()) && v.size(0) == 1) v = v.squeeze(0);
  check(IntArrayRef(broadcast_shapes(v.sizes(), shape, "index_put_")) == IntArrayRef(shape),
        "shape mismatch: value tensor of shape ", v.sizes(), " cannot be broadcast to indexing result of shape ",
        IntArrayRef(shape));
  bool per_item = false;
  for (const Tensor& index : indices)
    if (index.defined()) {
      check_apart(x, {&index}, "index_put_");
      per_item |= is_batched(index);
    }
  const auto op = [&](const Tensor& y) { return index_write(y, indices, v, accumulate); };
  if (per_item) {
    in_place("index_put_", x, op);
    return const_cast<Tensor&>(self);
  }
  write_(
      "index_put_", x, {&v},
      [&](const Tensor& y) {
        kernels::index_put(view_of(y), index_views(indices), view_of(v.expand(shape)), accumulate);
      },
      op, true);
  return const_cast<Tensor&>(self);
}

}  // namespace

void check_apart(const Tensor& written, std::initializer_list<const Tensor*> read, const char* op) {
  const auto range = [](const Tensor& t) {
    int64_t last = 0;
    for (int64_t d = 0; d < t.dim(); ++d) last += (t.size(d) - 1) * t.stride(d);
    const auto* const first = static_cast<const char*>(t.data_ptr());
    return std::pair{first, first + (last + 1) * t.element_size()};
  };
  const auto dense = [](const Tensor& t, auto r) { return r.second - r.first == t.numel() * t.element_size(); };
  for (const Tensor* t : read) {
    if (!t->defined() || !written.defined() || t->impl()->storage->data() != written.impl()->storage->data()) continue;
    if (t->numel() == 0 || written.numel() == 0 || is_batched(*t) || is_batched(written)) continue;
    const auto a = range(written), b = range(*t);
    check(t->impl() != written.impl() &&
              (a.second <= b.first || b.second <= a.first || !dense(written, a) || !dense(*t, b)),
          op,
          ": unsupported operation: some elements of the input tensor and the written-to tensor refer to a single "
          "memory location. Please clone() the tensor before performing the operation.");
  }
}

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
Tensor Tensor::index_put(ArrayRef<TensorIndex> indices, const Tensor& values, bool accumulate) const {
  std::vector<const Tensor*> all{this, &values};
  for (const TensorIndex& i : indices)
    if (i.is_tensor()) all.push_back(&i.tensor());
  if (!any_batched(all.data(), all.size())) return clone().index_put_(indices, values, accumulate);
  const Tensor copy = batching::fresh(batching::varying(all.data(), all.size()), sizes(), scalar_type(), "index_put");
  return copy.copy_(*this).index_put_(indices, values, accumulate);
}
Tensor Tensor::index_put(std::initializer_list<TensorIndex> indices, const Tensor& values, bool accumulate) const {
  return index_put({indices.begin(), indices.size()}, values, accumulate);
}
Tensor Tensor::operator[](const Tensor& i) const { return index({TensorIndex(i)}); }

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
        no_out(op(
            "index(Tensor self, Index[] indices) -> Tensor",
            "z(3, 4), [i(0, 3, 2)]\nz(3, 4), [c([0, 2]), c([1, 3])]\nt(3, 4), [1]\nt(3, 4), [slice(0, 3, 2)]\nt(3, 4), "
            "[None, slice(1, None, None)]\nt(3, 4), [..., 2]\nt(3, "
            "4), "
            "[c([0, 2, 2])]\nt(3, 4), [c([0, 2]), c([1, 1])]\nt(3, 4), [slice(None, None, None), c([[0, 3], [-1, "
            "0]])]\n"
            "t(2, 3, 4), [c([0, 1]), slice(None, None, None), c([2, 2])]\nt(2, 3, 4), [slice(None, None, None), c([0, "
            "2]), "
            "c([1, 3])]\nt(3), [c([True, False, True])]\nt(2, 3), [c([[True, False, True], [False, False, "
            "True]])]\nt(3, "
            "4), [c([0, 1]), None, slice(0, 2, None)]",
            [](const Tensor& x, const std::vector<Value>& i) { return x.index(unbox_indices(i)); }))),
    doc("self with values at the places that a list of indices names; added there with accumulate.",
        no_out(op("index_put(Tensor self, Index[] indices, Tensor values, bool accumulate=False) -> Tensor",
                  "t(3, 4), [c([0, 2])], t(2, 4)\nt(3, 4), [c([0, 0, 2])], t(3, 4), True\nt(5), [c([1, 1, 3])], t(), "
                  "True\nt(2, "
                  "3, 4), [slice(None, None, None), c([0, 2])], t(4)\nt(3), [c([True, False, True])], t(2)",
                  [](const Tensor& x, const std::vector<Value>& i, const Tensor& v, bool a) {
                    return x.index_put(unbox_indices(i), v, a);
                  }))),
};
const size_t indexing_ops_count = std::size(indexing_ops);

}  // namespace taut
