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

std::string short_name(Layout layout) {
  static constexpr const char* names[] = {"strided", "coo", "csr", "csc", "bsr", "bsc"};
  return names[static_cast<int>(layout)];
}

static void append(Dims& to, IntArrayRef more) {
  for (const int64_t n : more) to.push_back(n);
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

Pattern Pattern::of(const Tensor& x) {
  Pattern at{impl(x).layout, sparse::index_part(x), sparse::other_part(x), x.sizes(), impl(x).coalesced};
  if (of_blocks(at.layout)) at.block.assign(IntArrayRef(impl(x).values->sizes).slice(ix(at.batch()) + 1, 2));
  return at;
}
Tensor Pattern::shaped(const Tensor& numbers) const {
  if (batch() == 0 && block.empty()) return numbers;
  Dims shape(others.sizes());
  append(shape, block), append(shape, numbers.sizes().slice(1));
  return numbers.reshape(shape);
}
Tensor numbers_of(const Tensor& x) {
  const Tensor value = value_part(x);
  if (is_coo(x)) return value;
  const Pattern at = Pattern::of(x);
  const int64_t joined = at.batch() + 1 + static_cast<int64_t>(at.block.size());
  return joined == 1 ? value : joined_front(value, joined);
}
Tensor Pattern::with(const Tensor& values) const {
  const auto share = [](const Tensor& t) { return t.defined() ? ImplPtr::share(t.impl()) : ImplPtr(); };
  RawScope raw;
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
  check(!of_blocks(layout), op, "_sparse_compressed expected sparse compressed (non-block) tensor layout but got ",
        layout);
  check(sizes.size() >= 2, op, ": Only batched sparse compressed (non-block) tensors are supported, but got size ",
        sizes);
  Dims begins(sizes.slice(0, sizes.size() - 2)), none = begins;
  begins.push_back(sizes[sizes.size() - (by_rows(layout) ? 2 : 1)] + 1), none.push_back(0);
  return Pattern{layout, zeros(begins, kLong), make(none, kLong), sizes}.with(make(none, dtype));
}
Tensor nothing(const Pattern& like, ScalarType dtype) {
  if (like.layout == Layout::Sparse) return nothing(like.sizes, dtype, like.dims());
  Pattern at = like;
  Dims none(like.others.sizes());
  none.back() = 0;
  at.indices = zeros(like.indices.sizes(), like.indices.scalar_type());
  at.others = make(none, like.others.scalar_type());
  append(none, like.block), append(none, IntArrayRef(like.sizes).slice(ix(like.dims())));
  return at.with(make(none, dtype));
}

/// 0 0 1 1 1 3 ... from the places where 0, 1, 2, ... begin; one batch after the other.
static Tensor expanded(const Tensor& begins) {
  const Tensor wide = begins.to(kLong);
  return repeat_interleave((wide.slice(-1, 1) - wide.slice(-1, 0, -1)).reshape({-1}));
}
Tensor coordinates(const Pattern& at) {
  RawScope raw;
  if (at.layout == Layout::Sparse) return at.indices;
  Tensor line = expanded(at.indices), across = at.others.to(kLong).reshape({-1});
  if (at.batch() == 0 && at.block.empty()) return by_rows(at.layout) ? stack({line, across}) : stack({across, line});
  const int64_t lines = std::max<int64_t>(at.indices.size(-1) - 1, 1);
  Tensor batch = floor_divide(line, lines);
  line = line - batch * lines;
  std::vector<Tensor> places;
  for (int64_t d = at.batch(); d-- > 0; batch = floor_divide(batch, at.sizes[ix(d)]))
    places.insert(places.begin(), batch.remainder(at.sizes[ix(d)]));
  places.push_back(by_rows(at.layout) ? line : across);
  places.push_back(by_rows(at.layout) ? across : line);
  if (!at.block.empty()) {  // those of the numbers of each block
    const int64_t rows = at.block[0], columns = at.block[1], n = line.numel(), matrix = at.batch();
    for (int64_t d = 0; d < matrix + 2; ++d) {
      Tensor& p = places[ix(d)];
      p = p.view({n, 1, 1});
      if (d == matrix) p = p * rows + arange(rows, kLong).unsqueeze(1);
      if (d > matrix) p = p * columns + arange(columns, kLong);
      p = p.expand({n, rows, columns}).reshape({-1});
    }
  }
  return stack(places);
}

Tensor keys(const Pattern& at) {
  RawScope raw;
  const Tensor places = coordinates(at);
  if (at.dims() == 0) return zeros({places.size(1)}, kLong);
  Tensor key = places.select(0, 0);
  for (int64_t d = 1; d < at.dims(); ++d) key = key * at.sizes[ix(d)] + places.select(0, d);
  return key.contiguous();
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
  else if (x.scalar_type() == kBool || is_coo(from)) flat.index_copy_(0, keys(at), numbers_of(from));
  else flat.index_add_(0, keys(at), numbers_of(from));
  return y;
}

/// COO of batch + 2 sparse dimensions, compressed.
static Tensor compressed(const Tensor& x, Layout to, const Dims& block, int64_t batch) {
  const Tensor from = coalesced(x), places = index_part(from);
  const int64_t tall = block.empty() ? 1 : block[0], wide = block.empty() ? 1 : block[1];
  const int64_t rows = x.size(batch) / tall, columns = x.size(batch + 1) / wide;
  const int64_t lines = by_rows(to) ? rows : columns, width = by_rows(to) ? columns : rows;
  Tensor row = places.select(0, batch), column = places.select(0, batch + 1), value = value_part(from), inner;
  if (!block.empty()) {
    const Tensor down = floor_divide(row, tall), right = floor_divide(column, wide);
    inner = (row - down * tall) * wide + (column - right * wide);
    row = down, column = right;
  }
  Tensor line = by_rows(to) ? row : column, across = by_rows(to) ? column : row;
  int64_t matrices = 1;
  for (int64_t d = batch; d-- > 0; matrices *= x.size(d)) line = line + places.select(0, d) * (matrices * lines);
  if (!block.empty()) {
    const auto [found, which] = unique(line * width + across, true, true);
    line = floor_divide(found, std::max<int64_t>(width, 1)), across = found - line * width;
    Dims shape(value.sizes());
    shape[0] = found.numel() * tall * wide;
    value = zeros(shape, value.scalar_type()).index_copy_(0, which * (tall * wide) + inner, value);
  }
  const int64_t n = line.numel();
  line = line.contiguous();
  Tensor begins = make({matrices * lines + 1}, kLong);
  const Tensor order = make({n}, kLong);
  kernels::bucket(line.data_ptr<int64_t>(), n, matrices * lines, begins.data_ptr<int64_t>(), order.data_ptr<int64_t>());
  if (block.empty()) across = across.index_select(0, order), value = value.index_select(0, order);
  if (batch > 0) {
    const int64_t each = n / std::max<int64_t>(matrices, 1);
    const Tensor count = arange(matrices + 1, kLong);
    check(taut::equal(begins.index_select(0, count * lines), count * each),
          "Expect the same number of specified elements per batch.");
    Dims shape(x.sizes().slice(0, ix(batch)));
    shape.push_back(lines + 1);
    const Tensor first = begins.slice(0, 0, -1).view({matrices, lines}) - count.slice(0, 0, -1).unsqueeze(1) * each;
    begins = cat({first, full({matrices, 1}, each, kLong)}, 1).view(shape);
    shape.back() = each;
    across = across.reshape(shape);
  }
  return Pattern{to, begins, across, x.sizes(), false, block}.with_numbers(value);
}
/// How many dimensions of a batch x has, and whether blocks fit.
static int64_t check_compressible(const Tensor& x, Layout to, const char* op, const Shape& shape) {
  const std::string what = str(!is_sparse(x) ? "dense"
                               : is_coo(x)   ? "coo"
                                             : "sparse_compressed",
                               "_to_sparse_", short_name(to));
  check(!is_sparse(x) || !shape.dense_dim, op, ": conversion from ", x.layout(), " to ", to,
        " with dense_dim argument given is not supported");
  const int64_t dense_dim = is_sparse(x) ? x.dense_dim() : shape.dense_dim.value_or(0);
  check(x.dim() >= 2, op, ": Only tensors with two sparse dimensions can be converted to the ", to,
        " layout: the shape is ", x.sizes(), ".");
  check(dense_dim >= 0 && dense_dim <= x.dim() - 2, what, ": dense_dim argument must be in [0,", x.dim() - 2,
        "] range, but ", dense_dim, " is given");
  check(!is_coo(x) || x.sparse_dim() == 2, what, ": conversion from Sparse to ", to,
        " for input tensors with sparse_dim()!=2 is not supported");
  const int64_t batch = x.dim() - 2 - dense_dim;
  if (of_blocks(to)) {
    check(shape.block.size() == 2, what, ": blocksize needs to be a tuple of size 2, but got ", shape.block.size());
    check(shape.block[0] > 0 && shape.block[1] > 0, what, ": blocksize needs to be positive, but got ",
          IntArrayRef(shape.block));
    check(x.size(batch) % shape.block[0] == 0 && x.size(batch + 1) % shape.block[1] == 0, what,
          ": tensor sparse size (", x.size(batch), ",", x.size(batch + 1), ") must be divisible by given blocksize (",
          shape.block[0], ",", shape.block[1], ")");
  }
  return batch;
}

Tensor converted_like(const Tensor& x, const Pattern& like, const char* op) {
  RawScope raw;
  const Tensor coo = converted(x, Layout::Sparse, std::nullopt, op);
  return like.layout == Layout::Sparse ? coo : compressed(coo, like.layout, like.block, like.batch());
}

Tensor converted(const Tensor& x, Layout to, std::optional<int64_t> sparse_dim, const char* op, const Shape& shape) {
  RawScope raw;
  const bool same_places = !is_coo(x) || !sparse_dim || *sparse_dim == x.sparse_dim();
  if (x.layout() == to && same_places && !shape.dense_dim && (!of_blocks(to) || Pattern::of(x).block == shape.block))
    return x;
  if (to == Layout::Strided) return dense(x);
  if (to != Layout::Sparse) {
    const int64_t batch = check_compressible(x, to, op, shape);
    return compressed(converted(x, Layout::Sparse, is_sparse(x) ? std::nullopt : std::optional(batch + 2), op), to,
                      shape.block, batch);
  }
  if (is_compressed(x)) {
    check(!sparse_dim || *sparse_dim == 2, op, ": conversion from ", x.layout(), " to Sparse with sparse_dim ",
          sparse_dim.value_or(2), " is not supported");
    return Pattern{to, coordinates(Pattern::of(x)), {}, x.sizes(), x.layout() == Layout::SparseCsr}.with(numbers_of(x));
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
  if (own.layout == at.layout && own.block == at.block && unique && same(own.indices, at.indices) &&
      same(own.others, at.others))
    return numbers_of(t);
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
  Tensor forward(const Tensor& t) const { return at.with_numbers(values_at(t, at)); }
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
  Shape shape;
  const char* op_name() const { return op; }
  const char* node_name() const {
    static constexpr const char* names[] = {"ToDenseBackward0",     "ToSparseBackward0",    "ToSparseCsrBackward0",
                                            "ToSparseCscBackward0", "ToSparseBsrBackward0", "ToSparseBscBackward0"};
    return names[static_cast<int>(to)];
  }
  Tensor forward(const Tensor& x) const { return converted(x, to, sparse_dim, op, shape); }
  Tensor forward_sparse(const Tensor& x) const { return forward(x); }
  Tensor vjp(int, const Tensor& g, const Saved&) const {
    if (masked || from.batch() > 0 || of_blocks(from.layout)) return sparse::masked(g, distinct(from));
    if (g.layout() == from.layout) return g;
    const bool coo = from.layout == Layout::Sparse, dense = from.layout == Layout::Strided;
    const std::optional<int64_t> dims = coo ? std::optional(from.dims()) : std::nullopt;
    Shape wanted;
    if (!coo && !dense && !is_sparse(g)) wanted.dense_dim = static_cast<int64_t>(from.sizes.size()) - 2;
    return apply(Convert{from.layout, dims, op, pattern(g), false, wanted}, g);
  }
  static Pattern pattern(const Tensor& x) {
    return is_sparse(x) ? Pattern::of(x) : Pattern{Layout::Strided, {}, {}, x.sizes()};
  }
};

Tensor convert(const Tensor& x, Layout to, std::optional<int64_t> sparse_dim, const char* op, bool masked = false,
               const Shape& shape = {}) {
  check_defined(x, op);
  const bool same = x.layout() == to && (!is_coo(x) || !sparse_dim || *sparse_dim == x.sparse_dim());
  if (same && !shape.dense_dim && (!of_blocks(to) || Pattern::of(x).block == shape.block)) return x;
  return apply(Convert{to, sparse_dim, op, Convert::pattern(x), masked && is_sparse(x), shape}, x);
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
int64_t Tensor::dense_dim() const {
  const int64_t rest = dim() - sparse_dim();
  return taut::is_sparse(impl_) && is_compressed(*this) ? rest - sparse::Pattern::of(*this).batch() : rest;
}
int64_t Tensor::_nnz() const {
  check_defined(*this, "_nnz", "self");
  check<NotImplementedError>(taut::is_sparse(impl_),
                             "Could not run 'aten::_nnz' with arguments from the 'CPU' backend: the "
                             "tensor is not sparse. Count with count_nonzero().");
  const SparseImpl& t = sparse::impl(*this);
  return t.others ? t.others->sizes.back() : t.values->sizes[0];
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
  const Tensor places = indices.detach().to(kLong, false, true);  // a copy: what is checked stays as it is
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
  check(layout != Layout::Strided && layout != Layout::Sparse,
        "sparse_compressed_tensor expected sparse compressed tensor layout but got ", layout);
  if (sparse::by_rows(layout)) return {"crow_indices", "col_indices", "nrows", "ncols"};
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
  check(across.dim() == begins.dim(), w.begins, " and ", w.others, " dimensionalities must be equal but got ",
        begins.dim(), " and ", across.dim(), ", respectively");
  const int64_t batch = begins.dim() - 1, inner = sparse::of_blocks(layout) ? 2 : 0;
  check(values.dim() > batch + inner,
        "values must have dimensionality > sum of batch and block dimensionalities (=", batch, " + ", inner,
        ") but got ", values.dim());
  const int64_t dense_dim = values.dim() - batch - 1 - inner;
  check(static_cast<int64_t>(size.size()) == batch + 2 + dense_dim,
        "tensor dimensionality must be sum of batch, base, and dense dimensionalities (=", batch, " + 2 + ", dense_dim,
        ") but got ", size.size());
  checked_numel(size, "sparse_compressed_tensor");
  const auto front = [&](IntArrayRef sizes) { return sizes.slice(0, ix(batch)); };
  check(front(size) == front(begins.sizes()) && front(size) == front(across.sizes()) &&
            front(size) == front(values.sizes()),
        "all batch dimensions of ", w.begins, " (=", front(begins.sizes()), "), ", w.others,
        " (=", front(across.sizes()), "), and values (=", front(values.sizes()),
        ") must be equal to tensor batch dimensions (=", front(size), ")");
  check(size.slice(ix(batch) + 2) == values.sizes().slice(ix(batch + 1 + inner)),
        "dense dimensions of values (=", values.sizes().slice(ix(batch + 1 + inner)),
        ") must be equal to those of the tensor (=", size.slice(ix(batch) + 2), ")");
  int64_t matrix[2] = {size[ix(batch)], size[ix(batch) + 1]};
  for (int64_t d = 0; d < inner; ++d) {
    const int64_t block = values.size(batch + 1 + d);
    check(block > 0 && matrix[d] % block == 0, "tensor shape[", batch + d, "] (=", matrix[d],
          ") must be divisible with blocksize[", d, "] (=", block, ") as defined by values shape");
    matrix[d] /= block;
  }
  const bool rows = sparse::by_rows(layout);
  const int64_t lines = matrix[rows ? 0 : 1], width = matrix[rows ? 1 : 0], n = values.size(batch);
  check(begins.size(-1) == lines + 1, w.begins, ".shape[-1] must be equal to the number of ", rows ? "rows" : "columns",
        " + 1 (=", lines + 1, "), but got ", begins.size(-1));
  check(across.size(-1) == n, w.others, ".shape[-1] must be equal to nnz (=", n, ") as defined by values.shape[", batch,
        "], but got ", across.size(-1));
  const ScalarType type = begins.scalar_type();
  check(!strict || type == across.scalar_type(), w.begins, " and ", w.others, " must have the same dtype, bot got ",
        toString(type), " and ", toString(across.scalar_type()), ", respectively");
  check(type == kInt || type == kLong, w.begins, " and ", w.others, " dtype must be Int or Long, but got ",
        toString(type));
  RawScope raw;
  check(!begins.select(-1, 0).ne(0).any().item<bool>(), "`", w.begins, "[..., 0] == 0` is not satisfied.");
  check(!begins.select(-1, -1).ne(n).any().item<bool>(), "`", w.begins, "[..., -1] == nnz` is not satisfied.");
  if (lines > 0 && begins.numel() > 0) {
    const auto [least, most] = range_of(begins.slice(-1, 1) - begins.slice(-1, 0, -1));
    check(least >= 0 && (most <= width || !strict), "`0 <= ", w.begins, "[..., 1:] - ", w.begins,
          "[..., :-1] <= ", w.across, "` is not satisfied.");
  }
  if (across.numel() == 0) return;
  const auto [least, most] = range_of(across);
  check(least >= 0 && most < width, "`0 <= ", w.others, " < ", w.across, "` is not satisfied.");
  if (!strict) return;
  const Tensor line = sparse::expanded(begins), key = line * width + across.to(kLong).reshape({-1});
  check(key.numel() < 2 || (key.slice(0, 1) > key.slice(0, 0, -1)).all().item<bool>(), "`", w.others, "[..., ",
        w.begins, "[..., i - 1]:", w.begins, "[..., i]] for all i = 1, ..., ", w.lines,
        " are sorted and distinct along the last dimension values` is not satisfied.");
}
/// The least size that has room for all elements.
Dims size_of(const Tensor& begins, const Tensor& across, const Tensor& values, Layout layout) {
  const Words w = words_of(layout);
  check(begins.defined() && begins.dim() >= 1, w.begins, " must have dimensionality >= 1");
  const int64_t batch = begins.dim() - 1, inner = sparse::of_blocks(layout) ? 2 : 0;
  check(values.defined() && values.dim() > batch + inner,
        "values must have dimensionality > sum of batch and block dimensionalities (=", batch, " + ", inner,
        ") but got ", values.defined() ? values.dim() : 0);
  int64_t lines = std::max<int64_t>(begins.size(-1) - 1, 0);
  int64_t width = across.numel() > 0 ? range_of(across).second + 1 : 0;
  if (!sparse::by_rows(layout)) std::swap(lines, width);
  Dims sizes(begins.sizes().slice(0, ix(batch)));
  sizes.push_back(inner ? lines * values.size(batch + 1) : lines);
  sizes.push_back(inner ? width * values.size(batch + 2) : width);
  sparse::append(sizes, values.sizes().slice(ix(batch + 1 + inner)));
  return sizes;
}
Tensor compressed(const Tensor& begins, const Tensor& across, const Tensor& values, OptionalIntArrayRef size,
                  Layout layout, const TensorOptions& options) {
  const Dims sizes = size ? Dims(*size) : size_of(begins, across, values, layout);
  check_compressed(begins, across, values, sizes, layout, false);
  sparse::Pattern at{layout, begins.detach().clone(), across.detach().clone(), sizes};
  if (sparse::of_blocks(layout)) at.block.assign(values.sizes().slice(ix(at.batch()) + 1, 2));
  return finish(at, values, options);
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
Tensor sparse_bsr_tensor(const Tensor& crow, const Tensor& col, const Tensor& values, const TensorOptions& options) {
  return compressed(crow, col, values, {}, Layout::SparseBsr, options);
}
Tensor sparse_bsr_tensor(const Tensor& crow, const Tensor& col, const Tensor& values, IntArrayRef size,
                         const TensorOptions& options) {
  return compressed(crow, col, values, size, Layout::SparseBsr, options);
}
Tensor sparse_bsc_tensor(const Tensor& ccol, const Tensor& row, const Tensor& values, const TensorOptions& options) {
  return compressed(ccol, row, values, {}, Layout::SparseBsc, options);
}
Tensor sparse_bsc_tensor(const Tensor& ccol, const Tensor& row, const Tensor& values, IntArrayRef size,
                         const TensorOptions& options) {
  return compressed(ccol, row, values, size, Layout::SparseBsc, options);
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
static Tensor part(const Tensor& self, bool rows, bool begins, const char* what) {
  check_defined(self, what, "self");
  expect(is_sparse(self) && is_compressed(self) && sparse::by_rows(self.layout()) == rows, what,
         rows ? "sparse row compressed" : "sparse column compressed", self);
  return (begins ? sparse::index_part(self) : sparse::other_part(self)).detach();
}
Tensor crow_indices(const Tensor& self) { return part(self, true, true, "crow_indices"); }
Tensor col_indices(const Tensor& self) { return part(self, true, false, "col_indices"); }
Tensor ccol_indices(const Tensor& self) { return part(self, false, true, "ccol_indices"); }
Tensor row_indices(const Tensor& self) { return part(self, false, false, "row_indices"); }
Tensor crow_indices_copy(const Tensor& self) { return crow_indices(self).clone(); }
Tensor col_indices_copy(const Tensor& self) { return col_indices(self).clone(); }
Tensor ccol_indices_copy(const Tensor& self) { return ccol_indices(self).clone(); }
Tensor row_indices_copy(const Tensor& self) { return row_indices(self).clone(); }
Tensor indices_copy(const Tensor& self) { return sparse_indices(self).clone(); }
Tensor values_copy(const Tensor& self) { return sparse_values(self).clone(); }

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
Tensor to_sparse_csr(const Tensor& self, std::optional<int64_t> dense_dim) {
  return sparse::convert(self, Layout::SparseCsr, std::nullopt, "to_sparse_csr", false, {{}, dense_dim});
}
Tensor to_sparse_csc(const Tensor& self, std::optional<int64_t> dense_dim) {
  return sparse::convert(self, Layout::SparseCsc, std::nullopt, "to_sparse_csc", false, {{}, dense_dim});
}
/// One number for both.
static Dims block_of(IntArrayRef size) { return size.size() == 1 ? Dims{size[0], size[0]} : Dims(size); }
Tensor to_sparse_bsr(const Tensor& self, IntArrayRef blocksize, std::optional<int64_t> dense_dim) {
  return sparse::convert(self, Layout::SparseBsr, std::nullopt, "to_sparse_bsr", false,
                         {block_of(blocksize), dense_dim});
}
Tensor to_sparse_bsc(const Tensor& self, IntArrayRef blocksize, std::optional<int64_t> dense_dim) {
  return sparse::convert(self, Layout::SparseBsc, std::nullopt, "to_sparse_bsc", false,
                         {block_of(blocksize), dense_dim});
}
const Tensor& resize_as_sparse_(const Tensor& self, const Tensor& the_template) {
  expect_coo(self, "resize_as_sparse_");
  expect_coo(the_template, "resize_as_sparse_");
  return self.sparse_resize_(the_template.sizes(), the_template.sparse_dim(), the_template.dense_dim());
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
  for (const Layout layout :
       {Layout::Strided, Layout::Sparse, Layout::SparseCsr, Layout::SparseCsc, Layout::SparseBsr, Layout::SparseBsc})
    if (str(layout) == name) return layout;
  throw ValueError(str("layout '", std::string(name), "' is not known"));
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
            "c([0, 1, 3]), c([2, 0, 2]), t(3), [2, 3]\nc([0, 1, 3]), c([2, 0, 2]), t(3, 2), [2, 3, 2]\n"
            "c([[0, 1, 2], [0, 2, 2]]), c([[0, 1], [1, 2]]), t(2, 2), [2, 2, 3]"))),
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
        op<sparse_values>("values(Tensor self) -> Tensor", "sp(3, 4)\ncsr(3, 4)\nbsr(4, 6)")),
    doc("Where each row of a CSR matrix begins.",
        op<crow_indices>("crow_indices(Tensor self) -> Tensor", "csr(3, 4)\nbsr(4, 6)")),
    doc("The columns of the elements of a CSR matrix.",
        op<col_indices>("col_indices(Tensor self) -> Tensor", "csr(3, 4)")),
    doc("Where each column of a CSC matrix begins.",
        op<ccol_indices>("ccol_indices(Tensor self) -> Tensor", "csc(3, 4)\nbsc(4, 6)")),
    doc("The rows of the elements of a CSC matrix.",
        op<row_indices>("row_indices(Tensor self) -> Tensor", "csc(3, 4)")),
    doc("A copy of where each row of a matrix begins.",
        function(op<crow_indices_copy>("crow_indices_copy(Tensor self) -> Tensor", "csr(3, 4)"))),
    doc("A copy of the columns of the elements.",
        function(op<col_indices_copy>("col_indices_copy(Tensor self) -> Tensor", "csr(3, 4)\nbsr(4, 6)"))),
    doc("A copy of where each column of a matrix begins.",
        function(op<ccol_indices_copy>("ccol_indices_copy(Tensor self) -> Tensor", "csc(3, 4)"))),
    doc("A copy of the rows of the elements.",
        function(op<row_indices_copy>("row_indices_copy(Tensor self) -> Tensor", "csc(3, 4)\nbsc(4, 6)"))),
    doc("A copy of where the elements of a coalesced sparse tensor are.",
        function(op<indices_copy>("indices_copy(Tensor self) -> Tensor", "sp(3, 4)"))),
    doc("A copy of the elements of a coalesced sparse tensor.",
        function(op<values_copy>("values_copy(Tensor self) -> Tensor", "sp(3, 4)\ncsr(3, 4)"))),
    doc("All elements of a sparse tensor, zeros too.",
        op<to_dense>("to_dense(Tensor self, ScalarType? dtype=None, *, bool? masked_grad=None) -> Tensor",
                     "sp(3, 4)\ncsr(3, 4)\ncsc(3, 4)\nt(2, 3)\nsp(2, 2, 3)\nsp(4)\nbsr(4, 6)\nbsc(4, 6)")),
    doc("The elements that are not zero, by coordinates.",
        op("to_sparse(Tensor self) -> Tensor", "t(3, 4)\ncsr(3, 4)\nsp(3, 4)\nt(0, 2)",
           [](const Tensor& self) { return to_sparse(self); })),
    op("to_sparse.sparse_dim(Tensor self, int sparse_dim) -> Tensor", "t(3, 4), 1",
       [](const Tensor& self, int64_t sparse_dim) { return to_sparse(self, sparse_dim); }),
    doc("The elements that are not zero, row by row.",
        op<to_sparse_csr>("to_sparse_csr(Tensor self, int? dense_dim=None) -> Tensor",
                          "t(3, 4)\nsp(3, 4)\ncsc(3, 4)\nt(2, 3, 4)\nt(3, 4, 2), 1")),
    doc("The elements that are not zero, column by column.",
        op<to_sparse_csc>("to_sparse_csc(Tensor self, int? dense_dim=None) -> Tensor",
                          "t(3, 4)\nsp(3, 4)\ncsr(3, 4)\nt(2, 3, 4)")),
    doc("The blocks that are not all zero, row by row.",
        op<to_sparse_bsr>(
            "to_sparse_bsr(Tensor self, int[2] blocksize, int? dense_dim=None) -> Tensor",
            "t(4, 6), [2, 3]\nsp(4, 6), [2, 2]\ncsr(4, 6), [1, 3]\nbsc(4, 6), [2, 3]\nt(2, 4, 6), [2, 3]\n"
            "t(4, 6, 2), [2, 3], 1\nt(4, 0), [2, 3]")),
    doc("The blocks that are not all zero, column by column.",
        op<to_sparse_bsc>("to_sparse_bsc(Tensor self, int[2] blocksize, int? dense_dim=None) -> Tensor",
                          "t(4, 6), [2, 3]\nsp(4, 6), [2, 2]\ncsc(4, 6), [1, 3]\nbsr(4, 6), [2, 3]")),
    doc("The elements at the places where mask has some.",
        op<sparse_mask>("sparse_mask(Tensor self, Tensor mask) -> Tensor",
                        "t(3, 4), sp(3, 4)\nt(3, 4), csr(3, 4)\nsp(3, 4), sp(3, 4)")),
};
const size_t sparse_ops_count = std::size(sparse_ops);

}  // namespace taut
