// Sparse tensors: making them, their parts, and from one layout to another.
#include "ops/sparse.h"

#include <algorithm>

#include "kernels/sparse.h"
#include "ops/registry.h"
#include "ops/view_ops.h"
#include "taut/sparse.h"

namespace taut {
namespace sparse {

static Tensor handle(const ImplPtr& p) { return p ? Tensor::adopt(ImplPtr::share(p.get()).detach()) : Tensor(); }
Tensor index_part(const Tensor& x) { return handle(impl(x).indices); }
Tensor other_part(const Tensor& x) { return handle(impl(x).others); }
Tensor value_part(const Tensor& x) { return handle(impl(x).values); }

Pattern Pattern::of(const Tensor& x) {
  return {impl(x).layout, sparse::index_part(x), sparse::other_part(x), x.sizes(), impl(x).coalesced};
}
Tensor Pattern::with(const Tensor& values) const {
  const auto share = [](const Tensor& t) { return t.defined() ? ImplPtr::share(t.impl()) : ImplPtr(); };
  RawScope raw;
  check<NotImplementedError>(!is_batched(indices) && !is_batched(others) && !is_batched(values),
                             "vmap: there are no batches of sparse tensors");
  auto* t = new SparseImpl;
  const ImplPtr made = ImplPtr::adopt(t);
  t->layout = layout;
  t->dtype = values.scalar_type();
  t->indices = share(indices), t->others = share(others);
  t->values = ImplPtr::adopt(values.resolve_conj().detach().take());
  t->coalesced = coalesced;
  t->storage = Storage::create(0);
  t->data = t->storage->data();
  t->sizes = sizes;
  t->strides = contiguous_strides(sizes);
  t->numel = checked_numel(sizes, "sparse tensor");
  t->contiguous = false;
  return Tensor::adopt(ImplPtr(made).detach());
}

Tensor nothing(IntArrayRef sizes, ScalarType dtype, int64_t sparse_dim) {
  Dims shape{0};
  for (size_t d = ix(sparse_dim); d < sizes.size(); ++d) shape.push_back(sizes[d]);
  return Pattern{Layout::Sparse, make({sparse_dim, 0}, kLong), {}, sizes, true}.with(make(shape, dtype));
}
Tensor nothing(IntArrayRef sizes, ScalarType dtype, Layout layout, const char* op) {
  checked_numel(sizes, op);
  if (layout == Layout::Sparse) return nothing(sizes, dtype, static_cast<int64_t>(sizes.size()));
  check(sizes.size() == 2, op, ": Only batched sparse compressed (non-block) tensors are supported, but got size ",
        sizes, ". Taut's are matrices.");
  const int64_t lines = sizes[layout == Layout::SparseCsr ? 0 : 1];
  return Pattern{layout, zeros({lines + 1}, kLong), make({0}, kLong), sizes}.with(make({0}, dtype));
}

/// 0 0 1 1 1 3 ... from the places where 0, 1, 2, ... begin.
static Tensor expanded(const Tensor& begins) {
  const Tensor wide = begins.to(kLong);
  return repeat_interleave(wide.slice(0, 1) - wide.slice(0, 0, -1));
}
Tensor coordinates(const Pattern& at) {
  RawScope raw;
  if (at.layout == Layout::Sparse) return at.indices;
  const Tensor lines = expanded(at.indices), across = at.others.to(kLong);
  return at.layout == Layout::SparseCsr ? stack({lines, across}) : stack({across, lines});
}

Tensor keys(const Pattern& at) {
  RawScope raw;
  const Tensor places = coordinates(at);
  if (at.dims() == 0) return zeros({places.size(1)}, kLong);
  Tensor key = places.select(0, 0);
  for (int64_t d = 1; d < at.dims(); ++d) key = key * at.sizes[ix(d)] + places.select(0, d);
  return key.contiguous();
}

static int64_t product_of(IntArrayRef sizes) {
  int64_t n = 1;
  for (const int64_t s : sizes) n *= s;
  return n;
}
/// The shape of t with the first `dims` dimensions as one.
static Tensor joined_front(const Tensor& t, int64_t dims) {
  Dims shape{product_of(t.sizes().slice(0, ix(dims)))};
  for (size_t d = ix(dims); d < t.sizes().size(); ++d) shape.push_back(t.sizes()[d]);
  return t.reshape(shape);
}

Tensor coalesced(const Tensor& x) {
  RawScope raw;
  if (!is_coo(x) || impl(x).coalesced) return x;
  Pattern at = Pattern::of(x);
  at.coalesced = true;
  const Tensor value = value_part(x);
  if (value.size(0) < 2) return at.with(value);
  const auto [sorted, order] = taut::sort(keys(at), std::optional<bool>(true), 0);
  const Tensor fresh = sorted.slice(0, 1) != sorted.slice(0, 0, -1);  // another key than the one before?
  if (fresh.all().item<bool>()) {
    at.indices = at.indices.index_select(1, order);
    return at.with(value.index_select(0, order));
  }
  const Tensor group = cat({zeros({1}, kLong), fresh.cumsum(0)}), first = cat({ones({1}, kBool), fresh});
  at.indices = at.indices.index_select(1, order.masked_select(first));
  Dims shape = value.impl()->sizes;
  shape[0] = at.indices.size(1);
  const bool truth = value.scalar_type() == kBool;
  const Tensor parts = value.index_select(0, order).to(truth ? kByte : value.scalar_type());
  return at.with(zeros(shape, parts.scalar_type()).index_add_(0, group, parts).to(value.scalar_type()));
}

Pattern distinct(const Pattern& at) {
  if (at.layout != Layout::Sparse || at.coalesced) return at;
  return Pattern::of(coalesced(at.with(zeros({at.indices.size(1)}))));
}

Tensor dense(const Tensor& x) {
  RawScope raw;
  const Tensor from = x.scalar_type() == kBool ? coalesced(x) : x;
  const Pattern at = Pattern::of(from);
  const Tensor y = zeros(at.sizes, x.scalar_type()), flat = joined_front(y, at.dims());
  if (is_coo(from) && !at.coalesced) flat.index_add_(0, keys(at), value_part(from));
  else if (x.scalar_type() == kBool || is_coo(from)) flat.index_copy_(0, keys(at), value_part(from));
  else flat.index_add_(0, keys(at), value_part(from));
  return y;
}

static Tensor compressed(const Tensor& x, Layout to) {
  const Tensor from = coalesced(x), places = coordinates(Pattern::of(from));
  const int64_t along = to == Layout::SparseCsr ? 0 : 1, lines = x.size(along), n = places.size(1);
  const Tensor line = places.select(0, along).contiguous(), begins = make({lines + 1}, kLong), order = make({n}, kLong);
  kernels::bucket(line.data_ptr<int64_t>(), n, lines, begins.data_ptr<int64_t>(), order.data_ptr<int64_t>());
  return Pattern{to, begins, places.select(0, 1 - along).index_select(0, order), x.sizes()}.with(
      value_part(from).index_select(0, order));
}

Tensor converted(const Tensor& x, Layout to, std::optional<int64_t> sparse_dim, const char* op) {
  RawScope raw;
  if (x.layout() == to && (!is_sparse(x) || !sparse_dim || *sparse_dim == x.sparse_dim())) return x;
  if (to == Layout::Strided) return dense(x);
  if (to != Layout::Sparse) {
    check(x.dim() == 2, op, ": Only tensors with two sparse dimensions can be converted to the ", to,
          " layout: the shape is ", x.sizes(), ". Taut's are matrices, without batches.");
    const Tensor coo = is_sparse(x) ? x : converted(x, Layout::Sparse, std::nullopt, op);
    check(coo.sparse_dim() == 2, op, ": conversion from Sparse to ", to,
          " for input tensors with sparse_dim()!=2 is not supported");
    return compressed(coo, to);
  }
  if (is_compressed(x)) {
    check(!sparse_dim || *sparse_dim == 2, op, ": conversion from ", x.layout(), " to Sparse with sparse_dim ",
          sparse_dim.value_or(2), " is not supported");
    const Tensor y =
        Pattern{to, coordinates(Pattern::of(x)), {}, x.sizes(), x.layout() == Layout::SparseCsr}.with(value_part(x));
    return y;
  }
  check(!is_sparse(x),
        "to_sparse: conversion from Sparse to Sparse with sparse_dim argument !=self.sparse_dim() is not "
        "supported");
  const int64_t dims = sparse_dim.value_or(x.dim());
  check(dims >= 0 && dims <= x.dim() && (dims > 0 || x.dim() == 0), "dense_to_sparse: sparse_dim argument must be in [",
        x.dim() > 0 ? 1 : 0, ",", x.dim(), "] range, but ", dims, " is given");
  Tensor there = x != 0;
  for (int64_t d = x.dim(); d-- > dims;) there = there.any(d);
  const Tensor places = there.nonzero().t().contiguous();
  const Pattern at{to, places, {}, x.sizes(), true};
  return at.with(joined_front(x, dims).index_select(0, keys(at)));
}

Tensor values_at(const Tensor& t, const Pattern& at) {
  RawScope raw;
  if (!is_sparse(t)) {
    const Tensor whole = t.sizes() == IntArrayRef(at.sizes) ? t : t.expand(at.sizes);
    return joined_front(whole, at.dims()).index_select(0, keys(at));
  }
  const Pattern own = Pattern::of(t);
  const auto same = [](const Tensor& a, const Tensor& b) {
    return (!a.defined() && !b.defined()) || (a.defined() && b.defined() && (a.is_same(b) || taut::equal(a, b)));
  };
  const bool unique = at.layout != Layout::Sparse || own.coalesced;
  if (own.layout == at.layout && unique && same(own.indices, at.indices) && same(own.others, at.others))
    return value_part(t);
  const Tensor from = coalesced(converted(t, Layout::Sparse, std::nullopt, "sparse_mask"));
  const Tensor wanted = keys(at), found = keys(Pattern::of(from)), value = value_part(from);
  Dims shape = value.impl()->sizes;
  shape[0] = wanted.numel();
  if (found.numel() == 0) return zeros(shape, value.scalar_type());
  const Tensor place = searchsorted(found, wanted).clamp_max(found.numel() - 1);
  Tensor hit = found.index_select(0, place) == wanted;
  for (int64_t d = 1; d < value.dim(); ++d) hit = hit.unsqueeze(-1);
  return where(hit, value.index_select(0, place), zeros({}, value.scalar_type()));
}

void assign(const Tensor& self, const Tensor& from) {
  RawScope raw;
  if (!is_sparse(self)) {
    self.copy_(from);
    return;
  }
  SparseImpl &to = impl(self), &x = impl(from);
  const Tensor value = value_part(from).to(self.scalar_type());
  if (to.indices == x.indices && to.others == x.others && to.values->sizes == x.values->sizes) {
    value_part(self).copy_(value);
  } else {
    const Tensor own = value.is_same(value_part(from)) ? value.clone() : value;
    to.indices = x.indices, to.others = x.others, to.values = ImplPtr::share(own.impl());
  }
  to.coalesced = x.coalesced;
}

// ---- In the graph.

namespace {

/// Values at the places of a pattern.
struct Make {
  static constexpr bool complex = true, linear = true;
  static constexpr const char* name = "sparse_coo_tensor";
  Pattern at;
  const char* node_name() const {
    return at.layout == Layout::Sparse ? "SparseCooTensorWithDimsAndTensorsBackward0"
                                       : "SparseCompressedTensorBackward0";
  }
  Tensor forward(const Tensor& values) const { return at.with(values); }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return values_of(masked(g, at)); }
};

struct ValuesOf {
  static constexpr bool linear = true;
  static constexpr const char* name = "values";
  static constexpr const char* node = "ValuesBackward0";
  Pattern at;
  Tensor forward(const Tensor& x) const { return forward_sparse(x); }
  Tensor forward_sparse(const Tensor& x) const { return value_part(x).detach(); }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return made(at, g); }
};

struct Masked {
  static constexpr bool complex = true, linear = true;
  static constexpr const char* name = "sparse_mask";
  static constexpr const char* node = "SparseMaskBackward0";
  Pattern at;
  bool dense;
  Tensor forward(const Tensor& t) const { return at.with(values_at(t, at)); }
  Tensor forward_sparse(const Tensor& t) const { return forward(t); }
  Tensor vjp(int, const Tensor& g, const Saved&) const {
    // Of what is named more than once, each has its part in a sparse gradient already.
    const bool apart = is_sparse(g) && at.layout == Layout::Sparse && !at.coalesced;
    const Tensor there = apart ? g : masked(g, at);
    return dense ? to_dense(there) : there;
  }
};

struct Coalesce {
  static constexpr bool linear = true;
  static constexpr const char* name = "coalesce";
  static constexpr const char* node = "CoalesceBackward0";
  Tensor forward(const Tensor& x) const { return x; }
  Tensor forward_sparse(const Tensor& x) const {
    return x.impl() == coalesced(x).impl() ? Tensor::adopt(make_alias(*x.impl()).detach()) : coalesced(x);
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return g; }
};

/// Another layout. The gradient has that of the input: of all elements, or `masked` of those that are there.
struct Convert {
  static constexpr bool complex = true, linear = true;
  Layout to;
  std::optional<int64_t> sparse_dim;
  const char* op;
  Pattern from;
  bool masked;
  const char* op_name() const { return op; }
  const char* node_name() const {
    return to == Layout::Strided     ? "ToDenseBackward0"
           : to == Layout::SparseCsr ? "ToSparseCsrBackward0"
           : to == Layout::SparseCsc ? "ToSparseCscBackward0"
                                     : "ToSparseBackward0";
  }
  Tensor forward(const Tensor& x) const { return converted(x, to, sparse_dim, op); }
  Tensor forward_sparse(const Tensor& x) const { return forward(x); }
  Tensor vjp(int, const Tensor& g, const Saved&) const {
    if (masked) return sparse::masked(g, distinct(from));
    if (g.layout() == from.layout) return g;
    const std::optional<int64_t> dims = from.layout == Layout::Sparse ? std::optional(from.dims()) : std::nullopt;
    return apply(Convert{from.layout, dims, op, pattern(g), false}, g);
  }
  static Pattern pattern(const Tensor& x) {
    return is_sparse(x) ? Pattern::of(x) : Pattern{Layout::Strided, {}, {}, x.sizes()};
  }
};

Tensor convert(const Tensor& x, Layout to, std::optional<int64_t> sparse_dim, const char* op, bool masked = false) {
  check_defined(x, op);
  if (x.layout() == to && (!is_coo(x) || !sparse_dim || *sparse_dim == x.sparse_dim())) return x;
  return apply(Convert{to, sparse_dim, op, Convert::pattern(x), masked && is_sparse(x)}, x);
}

}  // namespace

Tensor made(const Pattern& at, const Tensor& values) { return apply(Make{at}, values); }
Tensor values_of(const Tensor& x) { return apply(ValuesOf{Pattern::of(x)}, x); }
Tensor masked(const Tensor& t, const Pattern& at) { return apply(Masked{at, !is_sparse(t)}, t); }

}  // namespace sparse

// ---- What a tensor says of itself.

using sparse::is_compressed;
using sparse::is_coo;

static void expect(bool right, const char* what, const char* expected, const Tensor& x) {
  check_defined(x, what, "self");
  check(right, what, " expected ", expected, " tensor layout but got ", x.layout());
}
static void expect_coo(const Tensor& x, const char* what) {
  check_defined(x, what, "self");
  expect(is_coo(x), what, "sparse coordinate", x);
}

int64_t Tensor::sparse_dim() const {
  check_defined(*this, "sparse_dim", "self");
  return !taut::is_sparse(impl_) ? 0 : is_coo(*this) ? static_cast<int64_t>(sparse::impl(*this).indices->sizes[0]) : 2;
}
int64_t Tensor::dense_dim() const { return dim() - sparse_dim(); }
int64_t Tensor::_nnz() const {
  check_defined(*this, "_nnz", "self");
  check<NotImplementedError>(taut::is_sparse(impl_),
                             "Could not run 'aten::_nnz' with arguments from the 'CPU' backend: the "
                             "tensor is not sparse. Count with count_nonzero().");
  return sparse::impl(*this).values->sizes[0];
}
Tensor Tensor::indices() const { return sparse_indices(*this); }
Tensor Tensor::values() const { return sparse_values(*this); }
bool Tensor::is_coalesced() const {
  expect_coo(*this, "is_coalesced");
  return sparse::impl(*this).coalesced;
}
Tensor& Tensor::_coalesced_(bool coalesced) const {
  expect_coo(*this, "_coalesced_");
  sparse::impl(*this).coalesced = coalesced;
  return self();
}
static const Tensor& resized(const Tensor& x, IntArrayRef size, int64_t sparse_dim, int64_t dense_dim, bool clear,
                             const char* op) {
  expect_coo(x, op);
  check(sparse_dim >= 0 && dense_dim >= 0 && sparse_dim + dense_dim == static_cast<int64_t>(size.size()),
        "number of dimensions must be sparse_dim (", sparse_dim, ") + dense_dim (", dense_dim, "), but got ",
        size.size());
  checked_numel(size, op);
  const bool empty = clear || x._nnz() == 0;
  SparseImpl& t = sparse::impl(x);
  if (!empty) {
    check(sparse_dim == x.sparse_dim() && dense_dim == x.dense_dim(), "changing the number of ",
          sparse_dim == x.sparse_dim() ? "dense" : "sparse",
          " dimensions on a non-empty tensor is not supported. Use sparse_resize_and_clear_.");
    for (size_t d = 0; d < size.size(); ++d)
      check(size[d] >= t.sizes[d] && (d < ix(sparse_dim) || size[d] == t.sizes[d]), "shrinking the size of ",
            d < ix(sparse_dim) ? "sparse" : "dense", " dimensions (from ", x.sizes(), " to ", size,
            ") on a non-empty tensor is not supported. Use sparse_resize_and_clear_.");
  } else {
    sparse::assign(x, sparse::nothing(size, t.dtype, sparse_dim));
  }
  t.sizes.assign(size);
  t.strides = contiguous_strides(size);
  t.numel = checked_numel(size, op);
  t.storage->bump(op, thread_state.step);
  return x;
}
const Tensor& Tensor::sparse_resize_(IntArrayRef size, int64_t sparse_dim, int64_t dense_dim) const {
  return resized(*this, size, sparse_dim, dense_dim, false, "sparse_resize_");
}
const Tensor& Tensor::sparse_resize_and_clear_(IntArrayRef size, int64_t sparse_dim, int64_t dense_dim) const {
  return resized(*this, size, sparse_dim, dense_dim, true, "sparse_resize_and_clear_");
}

// ---- Making them.

namespace {

/// The least and the greatest of whole numbers.
std::pair<int64_t, int64_t> range_of(const Tensor& t) {
  const auto [low, high] = t.aminmax();
  return {low.item().toLong(), high.item().toLong()};
}
void check_sorted(const Tensor& indices, const Tensor& values, IntArrayRef size) {
  const Tensor key = sparse::keys({Layout::Sparse, indices, {}, size});
  check(values.size(0) < 2 || (key.slice(0, 1) > key.slice(0, 0, -1)).all().item<bool>(),
        "cannot set is_coalesced to true if indices correspond to uncoalesced COO tensor");
}
void check_coo(const Tensor& indices, const Tensor& values) {
  check_defined(indices, "sparse_coo_tensor", "indices");
  check_defined(values, "sparse_coo_tensor", "values");
  check(!is_sparse(indices) && !is_sparse(values), "sparse_coo_tensor: expected dense indices and values");
  check(indices.dim() == 2, "indices must be sparse_dim x nnz, but got: ", indices.sizes());
  const int64_t n = values.dim() == 0 ? 1 : values.size(0);
  check(values.dim() > 0 && n == indices.size(1),
        "indices and values must have same nnz, but got nnz from indices: ", indices.size(1), ", nnz from values: ", n);
}
void check_coo_range(const Tensor& indices, IntArrayRef size) {
  if (indices.numel() == 0) return;
  const auto [low, high] = aminmax(indices, 1);
  for (int64_t d = 0; d < indices.size(0); ++d) {
    const int64_t least = low.select(0, d).item().toLong(), most = high.select(0, d).item().toLong();
    check(least >= 0, "found negative index ", least, " for dim ", d);
    check(most < size[ix(d)], "size is inconsistent with indices: for dim ", d, ", size is ", size[ix(d)],
          " but found index ", most);
  }
}
Tensor finish(const sparse::Pattern& at, const Tensor& values, const TensorOptions& options) {
  options.device().require();
  const Tensor y = sparse::made(at, options.has_dtype() ? values.to(options.dtype()) : values);
  return options.requires_grad() ? y.detach().set_requires_grad(true) : y;
}
Tensor coo(const Tensor& indices, const Tensor& values, OptionalIntArrayRef size, const TensorOptions& options,
           std::optional<bool> coalesced, bool trusted) {
  check_coo(indices, values);
  const Tensor places = indices.detach().to(kLong);
  Dims sizes;
  if (size) {
    sizes.assign(*size);
    check(static_cast<int64_t>(sizes.size()) == places.size(0) + values.dim() - 1,
          "'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = ", sizes.size(),
          ", sparse_dim = ", places.size(0), ", dense_dim = ", values.dim() - 1);
  } else {
    const bool any = places.size(1) > 0;
    for (int64_t d = 0; d < places.size(0); ++d) {
      const auto [least, most] = any ? range_of(places.select(0, d)) : std::pair<int64_t, int64_t>(0, -1);
      check(least >= 0, "found negative index ", least, " for dim ", d);
      sizes.push_back(most + 1);
    }
    for (const int64_t s : values.sizes().slice(1)) sizes.push_back(s);
  }
  checked_numel(sizes, "sparse_coo_tensor");
  for (int64_t d = 1; d < values.dim(); ++d)
    check(values.size(d) == sizes[ix(places.size(0) + d - 1)],
          "values has incorrect size, expected dense dimensions of ", IntArrayRef(sizes), ", got values of ",
          values.sizes());
  if (!trusted) check_coo_range(places, sizes);
  const bool sorted = coalesced.value_or(places.size(1) < 2);
  if (coalesced.value_or(false) && !trusted) check_sorted(places, values, sizes);
  return finish({Layout::Sparse, places, {}, sizes, sorted}, values, options);
}

/// What indices of a compressed layout are called.
struct Words {
  const char *begins, *others, *lines, *across;
};
Words words_of(Layout layout) {
  check(layout == Layout::SparseCsr || layout == Layout::SparseCsc,
        "sparse_compressed_tensor expected sparse compressed (non-block) tensor layout but got ", layout);
  if (layout == Layout::SparseCsr) return {"crow_indices", "col_indices", "nrows", "ncols"};
  return {"ccol_indices", "row_indices", "ncols", "nrows"};
}
void check_compressed(const Tensor& begins, const Tensor& across, const Tensor& values, IntArrayRef size, Layout layout,
                      bool strict) {
  const Words w = words_of(layout);
  for (const Tensor* t : {&begins, &across, &values}) {
    check_defined(*t, "sparse_compressed_tensor", t == &values ? "values" : t == &begins ? w.begins : w.others);
    check(!is_sparse(*t), "sparse_compressed_tensor: expected dense indices and values");
  }
  check(begins.dim() >= 1, w.begins, " must have dimensionality >= 1 but got ", begins.dim());
  check(across.dim() >= 1 && values.dim() >= 1, "values must have dimensionality >= 1 but got ", values.dim());
  check<NotImplementedError>(begins.dim() == 1 && across.dim() == 1, w.begins, " of shape ", begins.sizes(),
                             ": batches of compressed matrices are not supported. Make one tensor of each.");
  check(static_cast<int64_t>(size.size()) == 2 + values.dim() - 1,
        "tensor dimensionality must be sum of batch, base, and dense dimensionalities (=0 + 2 + ", values.dim() - 1,
        ") but got ", size.size());
  check(values.dim() == 1, "sparse_compressed_tensor: dense dimensions are not supported: values have shape ",
        values.sizes());
  checked_numel(size, "sparse_compressed_tensor");
  const bool rows = layout == Layout::SparseCsr;
  const int64_t lines = size[rows ? 0 : 1], width = size[rows ? 1 : 0], n = values.size(0);
  check(begins.numel() == lines + 1, w.begins, ".shape[-1] must be equal to the number of ", rows ? "rows" : "columns",
        " + 1 (=", lines + 1, "), but got ", begins.numel());
  check(across.numel() == n, w.others, ".shape[-1] must be equal to nnz (=", n,
        ") as defined by values.shape[0], but got ", across.numel());
  const ScalarType type = begins.scalar_type();
  check(!strict || type == across.scalar_type(), w.begins, " and ", w.others, " must have the same dtype, bot got ",
        toString(type), " and ", toString(across.scalar_type()), ", respectively");
  check(type == kInt || type == kLong, w.begins, " and ", w.others, " dtype must be Int or Long, but got ",
        toString(type));
  RawScope raw;
  check(begins.select(0, 0).item().toLong() == 0, "`", w.begins, "[..., 0] == 0` is not satisfied.");
  check(begins.select(0, -1).item().toLong() == n, "`", w.begins, "[..., -1] == nnz` is not satisfied.");
  if (lines > 0) {
    const auto [least, most] = range_of(begins.slice(0, 1) - begins.slice(0, 0, -1));
    check(least >= 0 && (most <= width || !strict), "`0 <= ", w.begins, "[..., 1:] - ", w.begins,
          "[..., :-1] <= ", w.across, "` is not satisfied.");
  }
  if (n == 0) return;
  const auto [least, most] = range_of(across);
  check(least >= 0 && most < width, "`0 <= ", w.others, " < ", w.across, "` is not satisfied.");
  if (!strict) return;
  const Tensor line = sparse::expanded(begins), key = line * width + across.to(kLong);
  check(n < 2 || (key.slice(0, 1) > key.slice(0, 0, -1)).all().item<bool>(), "`", w.others, "[..., ", w.begins,
        "[..., i - 1]:", w.begins, "[..., i]] for all i = 1, ..., ", w.lines,
        " are sorted and distinct along the last dimension values` is not satisfied.");
}
Tensor compressed(const Tensor& begins, const Tensor& across, const Tensor& values, OptionalIntArrayRef size,
                  Layout layout, const TensorOptions& options) {
  Dims sizes;
  if (size) {
    sizes.assign(*size);
  } else {
    words_of(layout);
    const int64_t lines = std::max<int64_t>(begins.numel() - 1, 0);
    const int64_t width = across.numel() > 0 ? range_of(across).second + 1 : 0;
    if (layout == Layout::SparseCsr) sizes = {lines, width};
    else sizes = {width, lines};
  }
  check_compressed(begins, across, values, sizes, layout, false);
  return finish({layout, begins.detach(), across.detach(), sizes}, values, options);
}

}  // namespace

Tensor sparse_coo_tensor(const Tensor& indices, const Tensor& values, const TensorOptions& options,
                         std::optional<bool> is_coalesced) {
  return coo(indices, values, {}, options, is_coalesced, false);
}
Tensor sparse_coo_tensor(const Tensor& indices, const Tensor& values, IntArrayRef size, const TensorOptions& options,
                         std::optional<bool> is_coalesced) {
  return coo(indices, values, size, options, is_coalesced, false);
}
Tensor sparse_coo_tensor(IntArrayRef size, const TensorOptions& options) {
  options.device().require();
  const Tensor y = sparse::nothing(size, options.dtype(), Layout::Sparse, "sparse_coo_tensor");
  return options.requires_grad() ? y.set_requires_grad(true) : y;
}
Tensor _sparse_coo_tensor_unsafe(const Tensor& indices, const Tensor& values, IntArrayRef size,
                                 const TensorOptions& options, std::optional<bool> is_coalesced) {
  return coo(indices, values, size, options, is_coalesced, false);
}
Tensor sparse_csr_tensor(const Tensor& crow, const Tensor& col, const Tensor& values, const TensorOptions& options) {
  return compressed(crow, col, values, {}, Layout::SparseCsr, options);
}
Tensor sparse_csr_tensor(const Tensor& crow, const Tensor& col, const Tensor& values, IntArrayRef size,
                         const TensorOptions& options) {
  return compressed(crow, col, values, size, Layout::SparseCsr, options);
}
Tensor sparse_csc_tensor(const Tensor& ccol, const Tensor& row, const Tensor& values, const TensorOptions& options) {
  return compressed(ccol, row, values, {}, Layout::SparseCsc, options);
}
Tensor sparse_csc_tensor(const Tensor& ccol, const Tensor& row, const Tensor& values, IntArrayRef size,
                         const TensorOptions& options) {
  return compressed(ccol, row, values, size, Layout::SparseCsc, options);
}
Tensor sparse_compressed_tensor(const Tensor& begins, const Tensor& plain, const Tensor& values,
                                const TensorOptions& options) {
  return compressed(begins, plain, values, {}, options.layout(), options);
}
Tensor sparse_compressed_tensor(const Tensor& begins, const Tensor& plain, const Tensor& values, IntArrayRef size,
                                const TensorOptions& options) {
  return compressed(begins, plain, values, size, options.layout(), options);
}
void _validate_sparse_coo_tensor_args(const Tensor& indices, const Tensor& values, IntArrayRef size,
                                      std::optional<bool> is_coalesced) {
  RawScope raw;
  coo(indices, values, size, {}, is_coalesced, false);
}
void _validate_sparse_compressed_tensor_args(const Tensor& begins, const Tensor& plain, const Tensor& values,
                                             IntArrayRef size, Layout layout) {
  check_compressed(begins, plain, values, size, layout, true);
}

// ---- Their parts, and other layouts.

Tensor coalesce(const Tensor& self) {
  expect_coo(self, "coalesce");
  return sparse::impl(self).coalesced ? self : apply(sparse::Coalesce{}, self);
}
Tensor _indices(const Tensor& self) {
  expect_coo(self, "_indices");
  return sparse::index_part(self).detach();
}
Tensor _values(const Tensor& self) {
  check_defined(self, "_values", "self");
  expect(is_sparse(self), "_values", "sparse", self);
  return sparse::value_part(self).detach();
}
Tensor sparse_indices(const Tensor& self) {
  expect_coo(self, "indices");
  check(self.is_coalesced(), "Cannot get indices on an uncoalesced tensor, please call .coalesce() first");
  return sparse::index_part(self).detach();
}
Tensor sparse_values(const Tensor& self) {
  check_defined(self, "values", "self");
  expect(is_sparse(self), "values", "sparse", self);
  check(!is_coo(self) || self.is_coalesced(),
        "Cannot get values on an uncoalesced tensor, please call .coalesce() first");
  return sparse::values_of(self);
}
static Tensor part(const Tensor& self, Layout layout, bool begins, const char* what) {
  check_defined(self, what, "self");
  expect(self.layout() == layout, what,
         layout == Layout::SparseCsr ? "sparse row compressed" : "sparse column compressed", self);
  return (begins ? sparse::index_part(self) : sparse::other_part(self)).detach();
}
Tensor crow_indices(const Tensor& self) { return part(self, Layout::SparseCsr, true, "crow_indices"); }
Tensor col_indices(const Tensor& self) { return part(self, Layout::SparseCsr, false, "col_indices"); }
Tensor ccol_indices(const Tensor& self) { return part(self, Layout::SparseCsc, true, "ccol_indices"); }
Tensor row_indices(const Tensor& self) { return part(self, Layout::SparseCsc, false, "row_indices"); }

Tensor to_dense(const Tensor& self, std::optional<ScalarType> dtype, std::optional<bool> masked_grad) {
  check_defined(self, "to_dense", "self");
  check(!dtype || !is_coo(self), "dtype argument is not supported by sparse_to_dense");
  const Tensor y = sparse::convert(self, Layout::Strided, std::nullopt, "to_dense", masked_grad.value_or(true));
  return dtype ? y.to(*dtype) : y;
}
Tensor to_sparse(const Tensor& self, int64_t sparse_dim) {
  return sparse::convert(self, Layout::Sparse, sparse_dim, "to_sparse");
}
Tensor to_sparse(const Tensor& self) { return sparse::convert(self, Layout::Sparse, std::nullopt, "to_sparse"); }
Tensor to_sparse_csr(const Tensor& self, std::optional<int64_t>) {
  return sparse::convert(self, Layout::SparseCsr, std::nullopt, "to_sparse_csr");
}
Tensor to_sparse_csc(const Tensor& self, std::optional<int64_t>) {
  return sparse::convert(self, Layout::SparseCsc, std::nullopt, "to_sparse_csc");
}
Tensor sparse_mask(const Tensor& self, const Tensor& mask) {
  check_defined(self, "sparse_mask", "self");
  check_defined(mask, "sparse_mask", "mask");
  check<NotImplementedError>(is_sparse(mask),
                             "Could not run 'aten::sparse_mask' with arguments from the 'CPU' backend: "
                             "the mask must be sparse");
  check(self.sizes() == mask.sizes(), "sparse_mask(): operands have incompatible sizes; self has size ", self.sizes(),
        " but mask has size ", mask.sizes());
  return sparse::masked(self, sparse::Pattern::of(sparse::coalesced(mask)));
}

// ---- The registry.

Tensor _sparse_coo_tensor(const Tensor& indices, const Tensor& values, OptionalIntArrayRef size,
                          std::optional<bool> is_coalesced) {
  return coo(indices, values, size, {}, is_coalesced, false);
}
static Layout layout_named(std::string_view name) {
  for (const Layout layout : {Layout::Strided, Layout::Sparse, Layout::SparseCsr, Layout::SparseCsc})
    if (str(layout) == name) return layout;
  throw ValueError(str("layout '", std::string(name),
                       "' is not supported. There are strided, sparse_coo, sparse_csr and "
                       "sparse_csc."));
}
Tensor _sparse_compressed_tensor(const Tensor& begins, const Tensor& others, const Tensor& values,
                                 OptionalIntArrayRef size, std::string_view layout, bool check_invariants) {
  const Tensor made = compressed(begins, others, values, size, layout_named(layout), {});
  if (check_invariants) check_compressed(begins, others, values, made.sizes(), made.layout(), true);
  return made;
}
Tensor _empty_sparse(IntArrayRef size, std::string_view layout, std::optional<ScalarType> dtype) {
  return sparse::nothing(size, dtype.value_or(get_default_dtype()), layout_named(layout), "empty");
}

extern const OpEntry sparse_ops[];
extern const size_t sparse_ops_count;
const OpEntry sparse_ops[] = {
    doc("A sparse tensor of these values at these places.",
        function(op<_sparse_coo_tensor>(
            "_sparse_coo_tensor(Tensor indices, Tensor values, int[]? size=None, bool? is_coalesced=None) -> Tensor",
            "c([[0, 1, 1], [2, 0, 2]]), t(3), [2, 3]"))),
    doc("A sparse matrix row by row or column by column.",
        function(op<_sparse_compressed_tensor>(
            "_sparse_compressed_tensor(Tensor compressed_indices, Tensor plain_indices, Tensor "
            "values, int[]? size=None, str layout='SparseCsr', bool check_invariants=False) -> Tensor",
            "c([0, 1, 3]), c([2, 0, 2]), t(3), [2, 3]"))),
    doc("A tensor of another layout that has no elements yet.",
        function(op<_empty_sparse>("_empty_sparse(int[] size, str layout, ScalarType? dtype=None) -> Tensor",
                                   "[2, 3], 'Sparse'\n[2, 3], 'Sparse', dtype=float64"))),
    doc("The elements of a sparse tensor sorted, those of one place added up.",
        op<coalesce>("coalesce(Tensor self) -> Tensor", "sp(3, 4)\nsp(2, 0)")),
    doc("Where the elements of a sparse tensor are, sorted or not.",
        op<_indices>("_indices(Tensor self) -> Tensor", "sp(3, 4)")),
    doc("The elements of a sparse tensor, outside the graph.",
        op<_values>("_values(Tensor self) -> Tensor", "sp(3, 4)")),
    doc("Where the elements of a coalesced sparse tensor are.",
        op<sparse_indices>("indices(Tensor self) -> Tensor", "sp(3, 4)")),
    doc("The elements of a coalesced sparse tensor.",
        op<sparse_values>("values(Tensor self) -> Tensor", "sp(3, 4)\ncsr(3, 4)")),
    doc("Where each row of a CSR matrix begins.", op<crow_indices>("crow_indices(Tensor self) -> Tensor", "csr(3, 4)")),
    doc("The columns of the elements of a CSR matrix.",
        op<col_indices>("col_indices(Tensor self) -> Tensor", "csr(3, 4)")),
    doc("Where each column of a CSC matrix begins.",
        op<ccol_indices>("ccol_indices(Tensor self) -> Tensor", "csc(3, 4)")),
    doc("The rows of the elements of a CSC matrix.",
        op<row_indices>("row_indices(Tensor self) -> Tensor", "csc(3, 4)")),
    doc("All elements of a sparse tensor, zeros too.",
        op<to_dense>("to_dense(Tensor self, ScalarType? dtype=None, *, bool? masked_grad=None) -> Tensor",
                     "sp(3, 4)\ncsr(3, 4)\ncsc(3, 4)\nt(2, 3)\nsp(2, 2, 3)\nsp(4)")),
    doc("The elements that are not zero, by coordinates.",
        op("to_sparse(Tensor self) -> Tensor", "t(3, 4)\ncsr(3, 4)\nsp(3, 4)\nt(0, 2)",
           [](const Tensor& self) { return to_sparse(self); })),
    op("to_sparse.sparse_dim(Tensor self, int sparse_dim) -> Tensor", "t(3, 4), 1",
       [](const Tensor& self, int64_t sparse_dim) { return to_sparse(self, sparse_dim); }),
    doc("The elements that are not zero, row by row.",
        op<to_sparse_csr>("to_sparse_csr(Tensor self, int? dense_dim=None) -> Tensor", "t(3, 4)\nsp(3, 4)\ncsc(3, 4)")),
    doc("The elements that are not zero, column by column.",
        op<to_sparse_csc>("to_sparse_csc(Tensor self, int? dense_dim=None) -> Tensor", "t(3, 4)\nsp(3, 4)\ncsr(3, 4)")),
    doc("The elements at the places where mask has some.",
        op<sparse_mask>("sparse_mask(Tensor self, Tensor mask) -> Tensor",
                        "t(3, 4), sp(3, 4)\nt(3, 4), csr(3, 4)\nsp(3, 4), sp(3, 4)")),
};
const size_t sparse_ops_count = std::size(sparse_ops);

}  // namespace taut
