// Views: the same memory under another shape. Each op says how sizes and strides change, and where gradients go.
#include <algorithm>

#include "ops/registry.h"
#include "ops/view_ops.h"

namespace taut {

namespace {

constexpr int64_t kMaxPieces = int64_t{1} << 24;  // more pieces than this are a mistake, and would fill the memory

size_t index(int64_t d) { return static_cast<size_t>(d); }

/// For the stride of a dimension with one element, which may be anything: a huge step must not be undefined behaviour.
int64_t multiply(int64_t a, int64_t b) { return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b)); }

/// The strides with which memory laid out as (sizes, strides) can be seen as `shape`, when that is possible.
std::optional<Dims> view_strides(IntArrayRef sizes, IntArrayRef strides, IntArrayRef shape, int64_t numel) {
  if (numel == 0) return sizes == shape ? Dims(strides) : contiguous_strides(shape);
  Dims result(shape.size(), 1);
  size_t d = sizes.size(), k = shape.size();  // dimensions still to go, from the right
  while (d > 0) {
    const int64_t step = strides[--d];
    int64_t block = sizes[d], seen = 1;
    if (block == 1) continue;
    while (d > 0 && (sizes[d - 1] == 1 || strides[d - 1] == block * step)) block *= sizes[--d];
    while (k > 0 && (seen < block || shape[k - 1] == 1)) {
      result[--k] = seen * step;
      seen *= shape[k];
    }
    if (seen != block) return std::nullopt;
  }
  return result;
}

/// `shape` with its -1 worked out.
Dims infer_shape(IntArrayRef shape, int64_t numel, const char* op) {
  Dims result(shape);
  int64_t product = 1;
  std::optional<size_t> unknown;
  bool fits = shape.size() <= kMaxDims;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == -1) {
      check(!unknown, op, ": only one dimension can be inferred, got shape ", shape);
      unknown = d;
      continue;
    }
    check(shape[d] >= 0, op, ": invalid shape dimension ", shape[d], " at index ", d, " of shape ", shape);
    if (__builtin_mul_overflow(product, shape[d], &product)) fits = false, product = 1;
  }
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) fits = shape.size() <= kMaxDims, product = 0;
  if (unknown && fits) {
    check(product != 0 || numel != 0, op, ": cannot reshape tensor of 0 elements into shape ", shape,
          " because the unspecified dimension size -1 can be any value and is ambiguous");
    fits = product != 0 && numel % product == 0;
    if (fits) result[*unknown] = numel / product;
  } else {
    fits = fits && product == numel;
  }
  check(fits, op, ": shape '", shape, "' is invalid for input of size ", numel);
  return result;
}

// ---- The ops.

/// view and reshape: the gradient has the shape of the input again.
struct Viewed {
  static constexpr const char* name = "view";
  static constexpr bool linear = true, view = true;
  Dims sizes;
  const char* label = "ViewBackward0";
  const char* node_name() const { return label; }
  Tensor forward(const Tensor& x) const {
    if (x.is_contiguous()) return alias(x, sizes, contiguous_strides(sizes));
    if (auto strides = view_strides(x.sizes(), x.strides(), sizes, x.numel())) return alias(x, sizes, *strides);
    const Tensor dense = x.contiguous();  // a tangent that is laid out in another way than its primal
    return alias(dense, sizes, contiguous_strides(sizes));
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const { return g.reshape(s.sizes(0)); }
};

/// The second half of a reshape that had to copy; nobody else sees the copy, so this is no view.
struct UnsafeView {
  static constexpr const char* name = "reshape";
  static constexpr const char* node = "UnsafeViewBackward0";
  static constexpr bool linear = true;
  Dims sizes;
  Tensor forward(const Tensor& x) const { return alias(x.contiguous(), sizes, contiguous_strides(sizes)); }
  Tensor vjp(int, const Tensor& g, const Saved& s) const { return g.reshape(s.sizes(0)); }
};

/// The bits of one dtype read as another; not differentiable.
struct ViewDtype {
  static constexpr const char* name = "view";
  ScalarType dtype;
  Dims sizes, strides;
  Tensor forward(const Tensor& x) const {
    Tensor y = alias(x, sizes, strides);
    y.impl()->dtype = dtype;
    return y;
  }
};

struct Squeeze {
  static constexpr const char* name = "squeeze";
  static constexpr bool linear = true, view = true;
  uint64_t drop;  // one bit for each dimension that goes
  const char* label;
  const char* node_name() const { return label; }
  Tensor forward(const Tensor& x) const {
    Dims sizes, strides;
    for (size_t d = 0; d < x.sizes().size(); ++d) {
      if (drop >> d & 1) continue;
      sizes.push_back(x.sizes()[d]);
      strides.push_back(x.strides()[d]);
    }
    return alias(x, sizes, strides);
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const { return g.reshape(s.sizes(0)); }
};

struct Unsqueeze {
  static constexpr const char* name = "unsqueeze";
  static constexpr const char *node = "UnsqueezeBackward0", *in_place_node = "UnsqueezeBackward1";
  static constexpr bool linear = true, view = true;
  int64_t dim;
  Tensor forward(const Tensor& x) const {
    Dims sizes(x.sizes()), strides(x.strides());
    strides.insert(index(dim), dim < x.dim() ? multiply(sizes[index(dim)], strides[index(dim)]) : 1);
    sizes.insert(index(dim), 1);
    return alias(x, sizes, strides);
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return g.squeeze(dim); }
};

struct Transpose {
  static constexpr const char* name = "transpose";
  static constexpr const char *node = "TransposeBackward0", *in_place_node = "TransposeBackward1";
  static constexpr bool linear = true, view = true;
  int64_t dim0, dim1;
  Tensor forward(const Tensor& x) const {
    Dims sizes(x.sizes()), strides(x.strides());
    if (dim0 != dim1) {
      std::swap(sizes[index(dim0)], sizes[index(dim1)]);
      std::swap(strides[index(dim0)], strides[index(dim1)]);
    }
    return alias(x, sizes, strides);
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return g.transpose(dim0, dim1); }
};

/// The transpose of a matrix; a vector or a number stays as it is.
struct T {
  static constexpr const char* name = "t";
  static constexpr const char *node = "TBackward0", *in_place_node = "TBackward1";
  static constexpr bool linear = true, view = true;
  Tensor forward(const Tensor& x) const { return Transpose{0, x.dim() < 2 ? 0 : 1}.forward(x); }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return g.t(); }
};

struct Permute {
  static constexpr const char* name = "permute";
  static constexpr const char* node = "PermuteBackward0";
  static constexpr bool linear = true, view = true;
  Dims dims;
  Tensor forward(const Tensor& x) const {
    Dims sizes(dims.size()), strides(dims.size());
    for (size_t d = 0; d < dims.size(); ++d) {
      sizes[d] = x.sizes()[index(dims[d])];
      strides[d] = x.strides()[index(dims[d])];
    }
    return alias(x, sizes, strides);
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const {
    Dims back(dims.size());
    for (size_t d = 0; d < dims.size(); ++d) back[index(dims[d])] = static_cast<int64_t>(d);
    return g.permute(back);
  }
};

struct Expand {
  static constexpr const char* name = "expand";
  static constexpr const char* node = "ExpandBackward0";
  static constexpr bool linear = true, view = true;
  Dims sizes;
  Tensor forward(const Tensor& x) const {
    Dims strides(sizes.size());
    const size_t fresh = sizes.size() - x.sizes().size();
    for (size_t d = sizes.size(); d-- > 0;) {
      const int64_t size = d < fresh ? 1 : x.sizes()[d - fresh];
      const int64_t stride = d >= fresh ? x.strides()[d - fresh] : d + 1 < sizes.size() ? multiply(sizes[d + 1], strides[d + 1]) : 1;
      strides[d] = size == sizes[d] ? stride : 0;
    }
    return alias(x, sizes, strides);
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return g; }  // the engine sums
};

struct Select {
  static constexpr const char *name = "select", *scatter_name = "select_scatter";
  static constexpr const char *node = "SelectBackward0", *embed_node = "SelectBackwardBackward0", *scatter_node = "SelectScatterBackward0";
  static constexpr bool linear = true, view = true;
  int64_t dim, at;
  Tensor forward(const Tensor& x) const {
    Dims sizes(x.sizes()), strides(x.strides());
    const int64_t offset = at * strides[index(dim)];
    sizes.erase(index(dim));
    strides.erase(index(dim));
    return alias(x, sizes, strides, offset);
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const { return apply(Embed<Select>{*this, s.sizes(0)}, g); }
};

struct Slice {
  static constexpr const char *name = "slice", *scatter_name = "slice_scatter";
  static constexpr const char *node = "SliceBackward0", *embed_node = "SliceBackwardBackward0", *scatter_node = "SliceScatterBackward0";
  static constexpr bool linear = true, view = true;
  int64_t dim, start, length, step;
  Tensor forward(const Tensor& x) const {
    Dims sizes(x.sizes()), strides(x.strides());
    const int64_t offset = start * strides[index(dim)];
    sizes[index(dim)] = length;
    strides[index(dim)] = multiply(strides[index(dim)], step);
    return alias(x, sizes, strides, offset);
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const { return apply(Embed<Slice>{*this, s.sizes(0)}, g); }
};

/// Consecutive pieces along a dimension, all from one node.
struct Split {
  static constexpr const char* name = "split";
  static constexpr bool linear = true, view = true, many = true;
  int64_t dim;
  Dims lengths;
  const char* label;
  const char* node_name() const { return label; }
  std::vector<Tensor> forward(const Tensor& x) const {
    std::vector<Tensor> pieces;
    pieces.reserve(lengths.size());
    int64_t start = 0;
    for (int64_t length : lengths) {
      pieces.push_back(Slice{dim, start, length, 1}.forward(x));
      start += length;
    }
    return pieces;
  }
  Tensor vjp(int, const Tensor* g, const Saved& s) const {
    std::vector<Tensor> pieces;
    for (size_t k = 0; k < lengths.size(); ++k)
      pieces.push_back(g[k].defined() ? g[k] : zeros(s.result_sizes(static_cast<int>(k)), s.dtype(0)));
    return cat(pieces, dim);
  }
};

struct Unbind {
  static constexpr const char* name = "unbind";
  static constexpr const char* node = "UnbindBackward0";
  static constexpr bool linear = true, view = true, many = true;
  int64_t dim;
  std::vector<Tensor> forward(const Tensor& x) const {
    std::vector<Tensor> slices;
    const int64_t n = x.sizes()[index(dim)];
    slices.reserve(index(n));
    for (int64_t i = 0; i < n; ++i) slices.push_back(Select{dim, i}.forward(x));
    return slices;
  }
  Tensor vjp(int, const Tensor* g, const Saved& s) const {
    std::vector<Tensor> slices;
    for (int64_t i = 0; i < s.sizes(0)[index(dim)]; ++i)
      slices.push_back(g[i].defined() ? g[i] : zeros(s.result_sizes(static_cast<int>(i)), s.dtype(0)));
    return stack(slices, dim);
  }
};

struct Diagonal {
  static constexpr const char *name = "diagonal", *scatter_name = "diagonal_scatter";
  static constexpr const char *node = "DiagonalBackward0", *embed_node = "DiagonalBackwardBackward0",
                              *scatter_node = "DiagonalScatterBackward0";
  static constexpr bool linear = true, view = true;
  int64_t offset, dim1, dim2;
  Tensor forward(const Tensor& x) const {
    Dims sizes(x.sizes()), strides(x.strides());
    const int64_t rows = sizes[index(dim1)], columns = sizes[index(dim2)];
    const int64_t down = strides[index(dim1)], right = strides[index(dim2)];
    const int64_t n = std::max<int64_t>(offset >= 0 ? std::min(rows, columns - offset) : std::min(rows + offset, columns), 0);
    for (int64_t d : {std::max(dim1, dim2), std::min(dim1, dim2)}) {
      sizes.erase(index(d));
      strides.erase(index(d));
    }
    sizes.push_back(n);
    strides.push_back(down + right);
    return alias(x, sizes, strides, n == 0 ? 0 : offset >= 0 ? offset * right : -offset * down);
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const { return apply(Embed<Diagonal>{*this, s.sizes(0)}, g); }
};

/// The diagonal of a matrix as a tensor of its own.
struct DiagonalCopy {
  static constexpr const char* name = "diag";
  static constexpr const char* node = "DiagonalBackward0_copy";
  static constexpr bool linear = true;
  Diagonal of;
  Tensor forward(const Tensor& x) const { return of.forward(x).clone(); }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const { return of.vjp(i, g, s); }
};

struct DiagEmbed : Embed<Diagonal> {
  static constexpr const char* name = "diag_embed";
  static constexpr const char* node = "DiagEmbedBackward0";
};

/// Windows of `size` along a dimension, one every `step`; the elements of a window are the last dimension.
struct Unfold {
  static constexpr const char* name = "unfold";
  static constexpr const char *node = "UnfoldBackward0", *embed_node = "UnfoldBackwardBackward0";
  static constexpr bool linear = true, view = true;
  int64_t dim, size, step;
  Tensor forward(const Tensor& x) const {
    Dims sizes(x.sizes()), strides(x.strides());
    const int64_t stride = x.dim() == 0 ? 1 : strides[index(dim)];
    if (x.dim() > 0) {
      sizes[index(dim)] = (sizes[index(dim)] - size) / step + 1;
      strides[index(dim)] = multiply(stride, step);
    }
    sizes.push_back(size);
    strides.push_back(stride);
    return alias(x, sizes, strides);
  }
  /// Windows overlap, so their gradients are added: one element of every window at a time, or one window at a time,
  /// whichever takes fewer rounds; within a round no two of them meet.
  void put(const Tensor& y, const Tensor& g) const {
    const Tensor windows = forward(y);
    if (step >= size) return kernels::copy(view_of(windows), view_of(g));
    const int64_t last = windows.dim() - 1, along = size <= windows.sizes()[index(dim)] ? last : dim;
    for (int64_t i = 0; i < windows.sizes()[index(along)]; ++i) Select{along, i}.forward(windows).add_(Select{along, i}.forward(g));
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const { return apply(Embed<Unfold>{*this, s.sizes(0)}, g); }
};

struct Alias {
  static constexpr const char* name = "alias";
  static constexpr const char* node = "AliasBackward0";
  static constexpr bool linear = true, view = true;
  Tensor forward(const Tensor& x) const { return alias(x, x.sizes(), x.strides()); }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return g; }
};

// ---- Arguments, checked.

void check_nonempty_shape(const Tensor& x, const char* op) {
  check<IndexError>(x.dim() > 0, op, "() cannot be applied to a 0-dim tensor.");
}
void check_room_for_dim(const Tensor& x, const char* op) {
  check(x.dim() < kMaxDims, op, ": a tensor has at most ", kMaxDims, " dimensions, and this one has as many already");
}

Squeeze make_squeeze(const Tensor& x, OptionalIntArrayRef dims, const char* op, const char* label) {
  check_defined(x, op);
  uint64_t drop = 0, named = 0;
  if (dims) {
    for (int64_t d : *dims) {
      const int64_t wrapped = wrap_dim(d, x.dim(), op);
      check(!(named >> wrapped & 1), op, ": dim ", wrapped, " appears multiple times in the list of dims");
      named |= uint64_t{1} << wrapped;
    }
  } else {
    named = ~uint64_t{0};
  }
  for (size_t d = 0; d < x.sizes().size(); ++d)
    if (x.sizes()[d] == 1) drop |= uint64_t{1} << d;
  return {drop & named, label};
}

Unsqueeze make_unsqueeze(const Tensor& x, int64_t dim, const char* op) {
  check_defined(x, op);
  check_room_for_dim(x, op);
  return {wrap_dim(dim, x.dim() + 1, op)};
}

Transpose make_transpose(const Tensor& x, int64_t dim0, int64_t dim1, const char* op) {
  check_defined(x, op);
  return {wrap_dim(dim0, x.dim(), op), wrap_dim(dim1, x.dim(), op)};
}

void check_t(const Tensor& x, const char* op) {
  check_defined(x, op);
  check(x.dim() <= 2, op, ": t() expects a tensor with <= 2 dimensions, but self is ", x.dim(), "D of shape ", x.sizes(),
        ". Use transpose(-2, -1) for batches of matrices.");
}

Select make_select(const Tensor& x, int64_t dim, int64_t at, const char* op) {
  check_defined(x, op);
  check_nonempty_shape(x, op);
  dim = wrap_dim(dim, x.dim(), op);
  const int64_t n = x.sizes()[index(dim)];
  check<IndexError>(at >= -n && at < n, op, "(): index ", at, " out of range for tensor of size ", x.sizes(), " at dimension ", dim);
  return {dim, at < 0 ? at + n : at};
}

/// Python's rules for x[start:end:step].
Slice make_slice(const Tensor& x, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end, int64_t step, const char* op) {
  check_defined(x, op);
  check_nonempty_shape(x, op);
  dim = wrap_dim(dim, x.dim(), op);
  check<ValueError>(step > 0, op, ": slice step must be positive, got ", step);
  const int64_t n = x.sizes()[index(dim)];
  const auto clamp = [n](int64_t i) { return std::clamp<int64_t>(i < 0 ? i + n : i, 0, n); };
  const int64_t from = clamp(start.value_or(0)), to = std::max(clamp(end.value_or(n)), from);
  return {dim, from, to == from ? 0 : (to - from - 1) / step + 1, step};
}

Diagonal make_diagonal(const Tensor& x, int64_t offset, int64_t dim1, int64_t dim2, const char* op) {
  check_defined(x, op);
  const Diagonal d{offset, wrap_dim(dim1, x.dim(), op), wrap_dim(dim2, x.dim(), op)};
  check(d.dim1 != d.dim2, op, ": diagonal dimensions cannot be identical ", dim1, ", ", dim2);
  return d;
}

void check_matrix(const Tensor& x, const char* op) {
  check_defined(x, op);
  check(x.dim() != 1, "tensor.", op, "() is only supported on matrices or batches of matrices. Got 1-D tensor.");
}

std::vector<Tensor> split_even(const char* name, const Tensor& x, int64_t sections, int64_t dim) {
  const int64_t n = x.sizes()[index(dim)];
  check(sections > 0 && n % sections == 0, "torch.", name, " attempted to split along dimension ", dim, ", but the size of the dimension ", n,
        " is not divisible by the split_size ", sections, "!");
  return tensor_split(x, sections, dim);
}
int64_t hsplit_dim(const Tensor& x) {
  check_defined(x, "hsplit");
  check(x.dim() >= 1, "torch.hsplit requires a tensor with at least 1 dimension, but got a tensor with 0 dimensions!");
  return x.dim() == 1 ? 0 : 1;
}
void check_vsplit(const Tensor& x) {
  check_defined(x, "vsplit");
  check(x.dim() >= 2, "torch.vsplit requires a tensor with at least 2 dimension, but got a tensor with ", x.dim(), " dimensions!");
}

}  // namespace

bool may_overlap(IntArrayRef sizes, IntArrayRef strides) {
  std::vector<std::pair<int64_t, int64_t>> dims;  // stride, size
  for (size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0) return false;
    if (sizes[d] > 1) dims.emplace_back(strides[d], sizes[d]);
  }
  std::sort(dims.begin(), dims.end());
  int64_t last = 0;  // the farthest element that the smaller strides reach
  for (auto [stride, size] : dims) {
    if (stride <= last) return true;
    last += stride * (size - 1);
  }
  return false;
}

Tensor& take_shape(const char* op, const Tensor& self, const Tensor& y) {
  TensorImpl& t = *self.impl();
  const TensorImpl& v = *y.impl();
  t.sizes = v.sizes;
  t.strides = v.strides;
  t.data = v.data;
  t.refresh();
  t.storage->bump(op, thread_state.step);
  if (v.grad_fn) {
    const Ref<Node> node = Ref<Node>::share(static_cast<Node*>(v.grad_fn.get()));
    if (t.base) {
      autograd::set_history(&t, node, 0);
      t.attr_version = t.storage->version();
    } else {
      autograd::rebase_history(&t, node, 0, op);
    }
  }
  if (autograd::AutogradMeta* m = autograd::find_meta(&t); m && m->accumulator) m->accumulator->set_output_info(0, t.sizes, t.dtype);
  if (const Tensor tangent = autograd::tangent_of(y); tangent.defined()) autograd::set_tangent(self, tangent);
  return const_cast<Tensor&>(self);
}

// ---- Another shape.

Tensor view(const Tensor& self, IntArrayRef size) {
  check_defined(self, "view");
  Viewed op{infer_shape(size, self.numel(), "view")};
  check(self.is_contiguous() || view_strides(self.sizes(), self.strides(), op.sizes, self.numel()),
        "view: view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous "
        "subspaces). Use .reshape(...) instead. The tensor has shape ", self.sizes(), " and strides ", self.strides(), ", wanted was ", size);
  return apply(op, self);
}

Tensor view(const Tensor& self, ScalarType dtype) {
  check_defined(self, "view");
  check<TypeError>(dtype != ScalarType::Undefined, "view: the dtype is undefined");
  const ScalarType from = self.scalar_type();
  if (dtype == from) return self;
  ViewDtype op{dtype, self.sizes(), self.strides()};
  const int64_t have = element_size(from), want = element_size(dtype);
  if (have != want) {
    const auto why = [&] { return str(" to view ", from, " as ", dtype, " (different element sizes), but got "); };
    check(self.dim() > 0, "view: self.dim() cannot be 0", why(), "0");
    check(self.stride(-1) == 1, "view: self.stride(-1) must be 1", why(), self.stride(-1));
  }
  if (have > want) {
    const int64_t ratio = have / want;
    checked_numel(op.sizes, "view");
    check(!__builtin_mul_overflow(op.sizes.back(), ratio, &op.sizes.back()), "view: the size of the result overflows");
    for (size_t d = 0; d + 1 < op.strides.size(); ++d) op.strides[d] = multiply(op.strides[d], ratio);
  } else if (have < want) {
    const int64_t ratio = want / have;
    const auto divide = [&](int64_t& n, auto... what) {
      check(n % ratio == 0, "view: self.", what..., " must be divisible by ", ratio, " to view ", from, " as ", dtype,
            " (different element sizes), but got ", n);
      n /= ratio;
    };
    int64_t offset = self.storage_offset();
    divide(op.sizes.back(), "size(-1)");
    divide(offset, "storage_offset()");
    for (size_t d = 0; d + 1 < op.strides.size(); ++d) divide(op.strides[d], "stride(", d, ")");
  }
  return apply(op, self);
}

Tensor view_as(const Tensor& self, const Tensor& other) {
  check_defined(other, "view_as", "other");
  return view(self, other.sizes());
}

Tensor reshape(const Tensor& self, IntArrayRef shape) {
  check_defined(self, "reshape");
  Dims sizes = infer_shape(shape, self.numel(), "reshape");
  if (self.is_contiguous()) return apply(Viewed{std::move(sizes)}, self);
  if (view_strides(self.sizes(), self.strides(), sizes, self.numel())) return apply(Viewed{std::move(sizes), "ReshapeAliasBackward0"}, self);
  return apply(UnsafeView{std::move(sizes)}, self.contiguous());
}
Tensor reshape_as(const Tensor& self, const Tensor& other) {
  check_defined(other, "reshape_as", "other");
  return reshape(self, other.sizes());
}
Tensor ravel(const Tensor& self) { return reshape(self, {-1}); }

Tensor flatten(const Tensor& self, int64_t start_dim, int64_t end_dim) {
  check_defined(self, "flatten");
  const int64_t start = wrap_dim(start_dim, self.dim(), "flatten"), end = wrap_dim(end_dim, self.dim(), "flatten");
  check(start <= end, "flatten() has invalid args: start_dim cannot come after end_dim: got ", start_dim, " and ", end_dim, " for shape ",
        self.sizes());
  if (self.dim() == 0) return reshape(self, {1});
  if (start == end) return self;
  Dims shape;
  int64_t merged = 1;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (d < start || d > end) shape.push_back(self.sizes()[index(d)]);
    else merged *= self.sizes()[index(d)];
    if (d == end) shape.push_back(merged);
  }
  return reshape(self, shape);
}

Tensor unflatten(const Tensor& self, int64_t dim, IntArrayRef sizes) {
  check_defined(self, "unflatten");
  check_nonempty_shape(self, "unflatten");
  dim = wrap_dim(dim, self.dim(), "unflatten");
  check(!sizes.empty(), "unflatten: sizes must be non-empty");
  const int64_t n = self.sizes()[index(dim)];
  const int64_t unknown = std::count(sizes.begin(), sizes.end(), -1);
  int64_t product = 1;
  bool fits = unknown <= 1;
  for (int64_t s : sizes)
    if (s != -1) fits = fits && s >= 0 && !__builtin_mul_overflow(product, s, &product);
  fits = fits && (unknown ? product != 0 && n % product == 0 : product == n);
  check(fits, "unflatten: Provided sizes ", sizes, " don't multiply up to the size of dim ", dim, " (", n, ") in the input tensor of shape ",
        self.sizes());
  Dims shape;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (d != dim) shape.push_back(self.sizes()[index(d)]);
    else for (int64_t s : sizes) shape.push_back(s == -1 ? n / product : s);
  }
  return view(self, shape);
}

Tensor squeeze(const Tensor& self) { return apply(make_squeeze(self, std::nullopt, "squeeze", "SqueezeBackward0"), self); }
Tensor squeeze(const Tensor& self, int64_t dim) { return apply(make_squeeze(self, dim, "squeeze", "SqueezeBackward1"), self); }
Tensor squeeze(const Tensor& self, IntArrayRef dim) { return apply(make_squeeze(self, dim, "squeeze", "SqueezeBackward2"), self); }
Tensor& squeeze_(Tensor& self) { return change_shape("squeeze_", self, make_squeeze(self, std::nullopt, "squeeze_", "SqueezeBackward3")); }
Tensor& squeeze_(Tensor& self, int64_t dim) { return change_shape("squeeze_", self, make_squeeze(self, dim, "squeeze_", "SqueezeBackward4")); }
Tensor& squeeze_(Tensor& self, IntArrayRef dim) {
  return change_shape("squeeze_", self, make_squeeze(self, dim, "squeeze_", "SqueezeBackward5"));
}
Tensor unsqueeze(const Tensor& self, int64_t dim) { return apply(make_unsqueeze(self, dim, "unsqueeze"), self); }
Tensor& unsqueeze_(Tensor& self, int64_t dim) {
  return change_shape("unsqueeze_", self, InPlace<Unsqueeze>{make_unsqueeze(self, dim, "unsqueeze_")});
}

Tensor atleast_1d(const Tensor& self) {
  check_defined(self, "atleast_1d");
  return self.dim() == 0 ? reshape(self, {1}) : self;
}
Tensor atleast_2d(const Tensor& self) {
  check_defined(self, "atleast_2d");
  return self.dim() == 0 ? reshape(self, {1, 1}) : self.dim() == 1 ? unsqueeze(self, 0) : self;
}
Tensor atleast_3d(const Tensor& self) {
  check_defined(self, "atleast_3d");
  switch (self.dim()) {
    case 0: return reshape(self, {1, 1, 1});
    case 1: return unsqueeze(unsqueeze(self, 0), -1);
    case 2: return unsqueeze(self, -1);
    default: return self;
  }
}

// ---- The order of dimensions.

Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1) { return apply(make_transpose(self, dim0, dim1, "transpose"), self); }
Tensor& transpose_(Tensor& self, int64_t dim0, int64_t dim1) {
  return change_shape("transpose_", self, InPlace<Transpose>{make_transpose(self, dim0, dim1, "transpose_")});
}
Tensor swapaxes(const Tensor& self, int64_t axis0, int64_t axis1) { return transpose(self, axis0, axis1); }
Tensor& swapaxes_(Tensor& self, int64_t axis0, int64_t axis1) { return transpose_(self, axis0, axis1); }
Tensor swapdims(const Tensor& self, int64_t dim0, int64_t dim1) { return transpose(self, dim0, dim1); }
Tensor& swapdims_(Tensor& self, int64_t dim0, int64_t dim1) { return transpose_(self, dim0, dim1); }
Tensor t(const Tensor& self) {
  check_t(self, "t");
  return apply(T{}, self);
}
Tensor& t_(Tensor& self) {
  check_t(self, "t_");
  return change_shape("t_", self, InPlace<T>{});
}
Tensor adjoint(const Tensor& self) {
  check_matrix(self, "adjoint");
  return self.dim() == 0 ? self : transpose(self, -2, -1);
}
Tensor Tensor::mT() const {
  check_matrix(*this, "mT");
  return dim() == 0 ? *this : transpose(-2, -1);
}
Tensor Tensor::numpy_T() const {
  check_defined(*this, "numpy_T", "self");
  Dims dims;
  for (int64_t d = dim(); d-- > 0;) dims.push_back(d);
  return permute(dims);
}

Tensor permute(const Tensor& self, IntArrayRef dims) {
  check_defined(self, "permute");
  check(static_cast<int64_t>(dims.size()) == self.dim(),
        "permute: number of dimensions in the tensor input does not match the length of the desired ordering of dimensions i.e. input.dim() = ",
        self.dim(), " is not equal to len(dims) = ", dims.size(), ": the shape is ", self.sizes(), " and the dims are ", dims);
  Permute op;
  uint64_t seen = 0;
  for (int64_t d : dims) {
    op.dims.push_back(wrap_dim(d, self.dim(), "permute"));
    check(!(seen >> op.dims.back() & 1), "permute(): duplicate dims are not allowed, got ", dims);
    seen |= uint64_t{1} << op.dims.back();
  }
  return apply(op, self);
}

Tensor movedim(const Tensor& self, IntArrayRef source, IntArrayRef destination) {
  check_defined(self, "movedim");
  check(source.size() == destination.size(), "movedim: Invalid source or destination dims: source (", source,
        " dims) should contain the same number of dims as destination (", destination, " dims)");
  if (self.dim() == 0) {
    for (IntArrayRef list : {source, destination})
      for (int64_t d : list) wrap_dim(d, 0, "movedim");
    return self;
  }
  Dims order(index(self.dim()), -1);
  uint64_t moved = 0;
  for (size_t i = 0; i < source.size(); ++i) {
    const int64_t from = wrap_dim(source[i], self.dim(), "movedim"), to = wrap_dim(destination[i], self.dim(), "movedim");
    check(!(moved >> from & 1), "movedim: repeated dim in `source` (", source, ")");
    check(order[index(to)] == -1, "movedim: repeated dim in `destination` (", destination, ")");
    moved |= uint64_t{1} << from;
    order[index(to)] = from;
  }
  int64_t next = 0;
  for (int64_t& d : order) {
    if (d != -1) continue;
    while (moved >> next & 1) ++next;
    d = next++;
  }
  return permute(self, order);
}
Tensor movedim(const Tensor& self, int64_t source, int64_t destination) { return movedim(self, IntArrayRef(source), IntArrayRef(destination)); }
Tensor moveaxis(const Tensor& self, IntArrayRef source, IntArrayRef destination) { return movedim(self, source, destination); }
Tensor moveaxis(const Tensor& self, int64_t source, int64_t destination) { return movedim(self, source, destination); }

// ---- Repetition without copies.

Tensor expand(const Tensor& self, IntArrayRef size, bool) {
  check_defined(self, "expand");
  check(size.size() >= self.sizes().size(), "expand: the number of sizes provided (", size.size(),
        ") must be greater or equal to the number of dimensions in the tensor (", self.dim(), "): wanted is ", size, ", the tensor has shape ",
        self.sizes());
  Expand op{size};
  const size_t fresh = size.size() - self.sizes().size();
  for (size_t d = 0; d < size.size(); ++d) {
    if (d < fresh) {
      check(size[d] >= 0, "expand: The expanded size of the tensor (", size[d], ") isn't allowed in a leading, non-existing dimension ", d);
      continue;
    }
    const int64_t have = self.sizes()[d - fresh];
    if (size[d] == -1) op.sizes[d] = have;
    check(op.sizes[d] == have || (have == 1 && op.sizes[d] >= 0), "expand: The expanded size of the tensor (", size[d],
          ") must match the existing size (", have, ") at non-singleton dimension ", d, ".  Target sizes: ", size, ".  Tensor sizes: ",
          self.sizes());
  }
  checked_numel(op.sizes, "expand");
  return apply(op, self);
}
Tensor expand_as(const Tensor& self, const Tensor& other) {
  check_defined(other, "expand_as", "other");
  return expand(self, other.sizes());
}
Tensor broadcast_to(const Tensor& self, IntArrayRef size) { return expand(self, size); }
std::vector<Tensor> broadcast_tensors(TensorList tensors) {
  Dims shape;
  for (const Tensor& x : tensors) {
    check_defined(x, "broadcast_tensors", "tensors");
    shape = broadcast_shapes(shape, x.sizes(), "broadcast_tensors");
  }
  std::vector<Tensor> result;
  for (const Tensor& x : tensors) result.push_back(x.sizes() == IntArrayRef(shape) ? x : expand(x, shape));
  return result;
}

// ---- Parts.

Tensor select(const Tensor& self, int64_t dim, int64_t at) { return apply(make_select(self, dim, at, "select"), self); }
Tensor Tensor::operator[](int64_t at) const {
  check_defined(*this, "operator[]", "self");
  check<IndexError>(dim() > 0, "invalid index of a 0-dim tensor. Use `tensor.item<T>()` to convert a 0-dim tensor to a number");
  const int64_t n = impl_->sizes[0];
  check<IndexError>(at >= -n && at < n, "index ", at, " is out of bounds for dimension 0 with size ", n);
  return apply(Select{0, at < 0 ? at + n : at}, *this);
}
Tensor slice(const Tensor& self, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end, int64_t step) {
  return apply(make_slice(self, dim, start, end, step, "slice"), self);
}

Tensor narrow(const Tensor& self, int64_t dim, int64_t start, int64_t length) {
  check_defined(self, "narrow");
  check(self.dim() > 0, "narrow() cannot be applied to a 0-dim tensor.");
  check(length >= 0, "narrow(): length must be non-negative, got ", length);
  dim = wrap_dim(dim, self.dim(), "narrow");
  const int64_t n = self.sizes()[index(dim)];
  check<IndexError>(start >= -n && start <= n, "narrow: start out of range (expected to be in range of [", -n, ", ", n, "], but got ", start, ")");
  if (start < 0) start += n;
  check(length <= n - start, "narrow: start (", start, ") + length (", length, ") exceeds dimension size (", n, ").");
  return apply(Slice{dim, start, length, 1}, self);
}
Tensor narrow(const Tensor& self, int64_t dim, const Tensor& start, int64_t length) {
  check_defined(start, "narrow", "start");
  check(start.dim() == 0 && is_integral(start.scalar_type()), "narrow: start must be an 0-dim integral Tensor, got ", start.scalar_type(), " ",
        start.sizes());
  return narrow(self, dim, start.item<int64_t>(), length);
}

std::vector<Tensor> split(const Tensor& self, int64_t split_size, int64_t dim) {
  check_defined(self, "split");
  check(self.dim() > 0, "split expects at least a 1-dimensional tensor");
  check(split_size >= 0, "split expects split_size be non-negative, but got split_size=", split_size);
  dim = wrap_dim(dim, self.dim(), "split");
  const int64_t n = self.sizes()[index(dim)];
  check(split_size > 0 || n == 0, "split_size can only be 0 if dimension size is 0, but got dimension size of ", n);
  Split op{dim, {}, "SplitBackward0"};
  int64_t left = n;
  do {
    op.lengths.push_back(std::min(split_size, left));
    left -= op.lengths.back();
  } while (left > 0);
  return apply(op, self);
}
std::vector<Tensor> split_with_sizes(const Tensor& self, IntArrayRef split_sizes, int64_t dim) {
  check_defined(self, "split_with_sizes");
  check(self.dim() > 0, "split_with_sizes: split expects at least a 1-dimensional tensor");
  dim = wrap_dim(dim, self.dim(), "split_with_sizes");
  const int64_t n = self.sizes()[index(dim)];
  int64_t left = n;
  for (int64_t s : split_sizes) {
    check(s >= 0, "split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes=", split_sizes);
    if (s > left) left = -1;
    if (left >= 0) left -= s;
  }
  check(left == 0, "split_with_sizes expects split_sizes to sum exactly to ", n, " (input tensor's size at dimension ", dim,
        "), but got split_sizes=", split_sizes);
  return apply(Split{dim, split_sizes, "SplitWithSizesBackward0"}, self);
}
std::vector<Tensor> split(const Tensor& self, IntArrayRef split_size, int64_t dim) { return split_with_sizes(self, split_size, dim); }

std::vector<Tensor> chunk(const Tensor& self, int64_t chunks, int64_t dim) {
  check_defined(self, "chunk");
  check(self.dim() > 0, "chunk expects at least a 1-dimensional tensor");
  check(chunks > 0, "chunk expects `chunks` to be greater than 0, got: ", chunks);
  dim = wrap_dim(dim, self.dim(), "chunk");
  const int64_t n = self.sizes()[index(dim)];
  if (n > 0) return split(self, (n - 1) / chunks + 1, dim);
  check<ValueError>(chunks <= kMaxPieces, "chunk: ", chunks, " chunks are too many");
  return split_with_sizes(self, Dims(index(chunks)), dim);
}

std::vector<Tensor> tensor_split(const Tensor& self, int64_t sections, int64_t dim) {
  check_defined(self, "tensor_split");
  check(self.dim() > 0, "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims");
  check(sections > 0, "tensor_split: number of sections must be larger than 0, got ", sections);
  check<ValueError>(sections <= kMaxPieces, "tensor_split: ", sections, " sections are too many");
  dim = wrap_dim(dim, self.dim(), "tensor_split");
  const int64_t n = self.sizes()[index(dim)];
  std::vector<Tensor> pieces;
  int64_t start = 0;
  for (int64_t i = 0; i < sections; ++i) {
    const int64_t length = n / sections + (i < n % sections);
    pieces.push_back(apply(Slice{dim, start, length, 1}, self));
    start += length;
  }
  return pieces;
}
std::vector<Tensor> tensor_split(const Tensor& self, IntArrayRef indices, int64_t dim) {
  check_defined(self, "tensor_split");
  check(self.dim() > 0, "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims");
  std::vector<Tensor> pieces;
  int64_t start = 0;
  for (int64_t end : indices) {
    pieces.push_back(slice(self, dim, start, end));
    start = end;
  }
  pieces.push_back(slice(self, dim, start));
  return pieces;
}
std::vector<Tensor> tensor_split(const Tensor& self, const Tensor& indices_or_sections, int64_t dim) {
  check_defined(self, "tensor_split");
  check_defined(indices_or_sections, "tensor_split", "tensor_indices_or_sections");
  check<TypeError>(indices_or_sections.scalar_type() == kLong, "tensor_split expected tensor_indices_or_sections to have dtype of long, but got ",
                   indices_or_sections.scalar_type());
  check(indices_or_sections.dim() <= 1,
        "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, but got a tensor with ",
        indices_or_sections.dim(), " dims");
  if (indices_or_sections.dim() == 0) return tensor_split(self, indices_or_sections.item<int64_t>(), dim);
  const Tensor dense = indices_or_sections.contiguous();
  return tensor_split(self, IntArrayRef(dense.data_ptr<int64_t>(), index(dense.numel())), dim);
}
std::vector<Tensor> hsplit(const Tensor& self, int64_t sections) { return split_even("hsplit", self, sections, hsplit_dim(self)); }
std::vector<Tensor> hsplit(const Tensor& self, IntArrayRef indices) { return tensor_split(self, indices, hsplit_dim(self)); }
std::vector<Tensor> vsplit(const Tensor& self, int64_t sections) {
  check_vsplit(self);
  return split_even("vsplit", self, sections, 0);
}
std::vector<Tensor> vsplit(const Tensor& self, IntArrayRef indices) {
  check_vsplit(self);
  return tensor_split(self, indices, 0);
}

std::vector<Tensor> unbind(const Tensor& self, int64_t dim) {
  check_defined(self, "unbind");
  check<IndexError>(self.dim() > 0, "unbind: Dimension specified as ", dim, " but tensor has no dimensions");
  const Unbind op{wrap_dim(dim, self.dim(), "unbind")};
  if (self.sizes()[index(op.dim)] == 0) return {};
  return apply(op, self);
}

Tensor unfold(const Tensor& self, int64_t dimension, int64_t size, int64_t step) {
  check_defined(self, "unfold");
  check_room_for_dim(self, "unfold");
  const Unfold op{wrap_dim(dimension, self.dim(), "unfold"), size, step};
  const int64_t n = self.dim() == 0 ? 1 : self.sizes()[index(op.dim)];
  check(size >= 0, "unfold: size is ", size, " but must be >= 0");
  check(size <= n, "unfold: maximum size for tensor at dimension ", op.dim, " is ", n, " but size is ", size);
  check(step > 0, "unfold: step is ", step, " but must be > 0");
  return apply(op, self);
}

// ---- Diagonals.

Tensor diagonal(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
  return apply(make_diagonal(self, offset, dim1, dim2, "diagonal"), self);
}
Tensor diag(const Tensor& self, int64_t diagonal) {
  check_defined(self, "diag");
  check(self.dim() == 1 || self.dim() == 2, "diag(): Supports 1D or 2D tensors. Got ", self.dim(), "D of shape ", self.sizes());
  if (self.dim() == 1) return diag_embed(self, diagonal);
  return apply(DiagonalCopy{make_diagonal(self, diagonal, 0, 1, "diag")}, self);
}
Tensor diag_embed(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2) {
  check_defined(self, "diag_embed");
  check_room_for_dim(self, "diag_embed");
  const int64_t dims = self.dim() + 1;
  const int64_t first = wrap_dim(dim1, dims, "diag_embed"), second = wrap_dim(dim2, dims, "diag_embed");
  check(first != second, "diag_embed: diagonal dimensions cannot be identical ", dim1, ", ", dim2);
  constexpr int64_t kFar = int64_t{1} << 60;
  check(offset > -kFar && offset < kFar, "diag_embed: a matrix with a diagonal at offset ", offset, " overflows");
  const int64_t n = self.sizes().back() + (offset < 0 ? -offset : offset);
  DiagEmbed op{{{offset, first, second}, {}}};
  for (int64_t d = 0, from = 0; d < dims; ++d) op.sizes.push_back(d == first || d == second ? n : self.sizes()[index(from++)]);
  checked_numel(op.sizes, "diag_embed");
  return apply(op, self);
}

// ---- Copies with one part replaced.

Tensor select_scatter(const Tensor& self, const Tensor& src, int64_t dim, int64_t at) {
  check_defined(src, "select_scatter", "src");
  return scatter_through(make_select(self, dim, at, "select_scatter"), self, src);
}
Tensor slice_scatter(const Tensor& self, const Tensor& src, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end, int64_t step) {
  check_defined(src, "slice_scatter", "src");
  return scatter_through(make_slice(self, dim, start, end, step, "slice_scatter"), self, src);
}
Tensor diagonal_scatter(const Tensor& self, const Tensor& src, int64_t offset, int64_t dim1, int64_t dim2) {
  check_defined(src, "diagonal_scatter", "src");
  return scatter_through(make_diagonal(self, offset, dim1, dim2, "diagonal_scatter"), self, src);
}

// ---- Out of the graph.

Tensor Tensor::detach() const {
  check_defined(*this, "detach", "self");
  ImplPtr y = make_alias(*impl_, impl_->sizes, impl_->strides, impl_->data);
  y->cut = impl_->cut;
  y->cut_by = impl_->cut_by;
  if (tracked(impl_)) {
    y->cut = Cut::Detach;
    y->cut_by = "detach";
    if (autograd::AutogradMeta* m = autograd::find_meta(impl_)) m->cut.store("detach", std::memory_order_relaxed);
  }
  return Tensor::adopt(y.detach());
}
Tensor Tensor::data() const {
  const Tensor y = detach();
  y.impl()->storage = Storage::alias(impl_->storage);
  return y;
}
Tensor& Tensor::detach_() const {
  check_defined(*this, "detach_", "self");
  check(!impl_->base, "Can't detach views in-place. Use detach() instead.");
  if (tracked(impl_)) {
    if (autograd::AutogradMeta* m = autograd::find_meta(impl_)) m->cut.store("detach_", std::memory_order_relaxed);
    impl_->cut = Cut::Detach;
    impl_->cut_by = "detach_";
  }
  impl_->grad_fn = {};
  impl_->output_nr = 0;
  impl_->requires_grad = false;
  if (autograd::forward_mode() && autograd::tangent_of(*this).defined()) autograd::set_tangent(*this, {});
  return self();
}

Tensor autograd::provided::detach(const Tensor& t) { return t.detach(); }
Tensor autograd::provided::alias(const Tensor& t) {
  check_defined(t, "alias");
  return apply(Alias{}, t);
}

extern const OpEntry view_ops[];
extern const size_t view_ops_count;
const OpEntry view_ops[] = {
    op("view(Tensor self, int[] size) -> Tensor",
       "t(2, 3), [3, 2]\nt(2, 3, 4), [-1]\nt(2, 3), [1, 2, 1, 3, 1]\nt(), []\nt(), [1, 1]\nt(0, 3), [3, 0]\nt(2, 3), [4, -1]",
       [](const Tensor& x, IntArrayRef size) { return view(x, size); }),
    op("view.dtype(Tensor self, ScalarType dtype) -> Tensor",
       "i(0, 100, 2, 3), int32\ni(0, 100, 2, 4), int16\nc([1, 2, 3]), uint8\nb(2, 4), uint8\ni(0, 9), int64",
       [](const Tensor& x, ScalarType dtype) { return view(x, dtype); }),
    op<view_as>("view_as(Tensor self, Tensor other) -> Tensor",
       "t(2, 3), t(3, 2)\nt(6), b(2, 3)\nt(), t(1)"),
    op<reshape>("reshape(Tensor self, int[] shape) -> Tensor",
       "t(2, 3), [3, 2]\nt(2, 3, 4), [-1, 2]\nt(2, 3), [6]\nt(), [1]\nt(1, 1), []\nt(0, 3), [0, 7]\nt(2, 3), [-1]"),
    op<reshape_as>("reshape_as(Tensor self, Tensor other) -> Tensor",
       "t(2, 3), t(3, 2)\nt(6), b(1, 6)\nt(), t(1)"),
    op<flatten>("flatten.using_ints(Tensor self, int start_dim=0, int end_dim=-1) -> Tensor",
       "t(2, 3, 4)\nt(2, 3, 4), 1\nt(2, 3, 4), 0, 1\nt(2, 3, 4), -2, -2\nt()\nt(0, 3)"),
    op<unflatten>("unflatten.int(Tensor self, int dim, int[] sizes) -> Tensor",
       "t(6), 0, [2, 3]\nt(2, 6), -1, [3, -1]\nt(2, 4), 1, [2, 1, 2]\nt(2, 0), 1, [0, 3]"),
    op<ravel>("ravel(Tensor self) -> Tensor",
       "t(2, 3)\nt()\nt(0, 3)"),
    op("squeeze(Tensor self) -> Tensor",
       "t(1, 3, 1)\nt(2, 3)\nt()\nt(1)\nt(1, 0)",
       [](const Tensor& x) { return squeeze(x); }),
    op("squeeze.dim(Tensor self, int dim) -> Tensor",
       "t(1, 3, 1), 0\nt(1, 3, 1), -1\nt(2, 3), 0\nt(), 0",
       [](const Tensor& x, int64_t dim) { return squeeze(x, dim); }),
    op("squeeze.dims(Tensor self, int[] dim) -> Tensor",
       "t(1, 3, 1), [0, 2]\nt(1, 3, 1), [-1]\nt(1, 3), [0, 1]\nt(1, 3), []",
       [](const Tensor& x, IntArrayRef dim) { return squeeze(x, dim); }),
    op<unsqueeze>("unsqueeze(Tensor self, int dim) -> Tensor",
       "t(2, 3), 0\nt(2, 3), 1\nt(2, 3), -1\nt(), 0\nt(0), 1"),
    op<transpose>("transpose.int(Tensor self, int dim0, int dim1) -> Tensor",
       "t(2, 3), 0, 1\nt(2, 3, 4), -1, 0\nt(2, 3), 1, 1\nt(), 0, -1\nt(0, 3), 0, 1"),
    op<swapaxes>("swapaxes(Tensor self, int axis0, int axis1) -> Tensor",
       "t(2, 3), 0, 1\nt(2, 3, 4), -1, 0\nt(), 0, 0"),
    op<swapdims>("swapdims(Tensor self, int dim0, int dim1) -> Tensor",
       "t(2, 3), 0, 1\nt(2, 3, 4), -1, 0\nt(), 0, 0"),
    op<t>("t(Tensor self) -> Tensor",
       "t(2, 3)\nt(3)\nt()\nt(0, 3)"),
    op<adjoint>("adjoint(Tensor self) -> Tensor",
       "t(2, 3)\nt(2, 3, 4)"),
    op("mT(Tensor self) -> Tensor",
       "t(2, 3)\nt(2, 3, 4)",
       [](const Tensor& x) { return x.mT(); }),
    op("numpy_T(Tensor self) -> Tensor",
       "t(2, 3)\nt(3)\nt()",
       [](const Tensor& x) { return x.numpy_T(); }),
    op<permute>("permute(Tensor self, int[] dims) -> Tensor",
       "t(2, 3, 4), [2, 0, 1]\nt(2, 3), [-1, 0]\nt(2, 3), [0, 1]\nt(), []\nt(0, 3), [1, 0]"),
    op("movedim.intlist(Tensor self, int[] source, int[] destination) -> Tensor",
       "t(2, 3, 4), [0, 1], [-1, 0]\nt(2, 3, 4), [2], [0]\nt(2, 3), [], []",
       [](const Tensor& x, IntArrayRef source, IntArrayRef destination) { return movedim(x, source, destination); }),
    op("movedim.int(Tensor self, int source, int destination) -> Tensor",
       "t(2, 3, 4), 0, -1\nt(2, 3, 4), 2, 0\nt(2, 3), 1, 1",
       [](const Tensor& x, int64_t source, int64_t destination) { return movedim(x, source, destination); }),
    op("moveaxis.intlist(Tensor self, int[] source, int[] destination) -> Tensor",
       "t(2, 3, 4), [0, 1], [-1, 0]\nt(2, 3, 4), [2], [0]\nt(2, 3), [], []",
       [](const Tensor& x, IntArrayRef source, IntArrayRef destination) { return moveaxis(x, source, destination); }),
    op("moveaxis.int(Tensor self, int source, int destination) -> Tensor",
       "t(2, 3, 4), 0, -1\nt(2, 3, 4), 2, 0\nt(2, 3), 1, 1",
       [](const Tensor& x, int64_t source, int64_t destination) { return moveaxis(x, source, destination); }),
    op<expand>("expand(Tensor self, int[] size, *, bool implicit=False) -> Tensor",
       "t(3), [2, 3]\nt(2, 1), [2, 4]\nt(2, 1), [5, -1, 3]\nt(), [2, 2]\nt(1), [0]\nt(2, 3), [2, 3]\nt(1, 3), [2, 1, 3]"),
    op<expand_as>("expand_as(Tensor self, Tensor other) -> Tensor",
       "t(3), t(2, 3)\nt(2, 1), b(2, 4)\nt(), t(3)"),
    op<broadcast_to>("broadcast_to(Tensor self, int[] size) -> Tensor",
       "t(3), [2, 3]\nt(2, 1), [2, 4]\nt(), [3]"),
    op<broadcast_tensors>("broadcast_tensors(Tensor[] tensors) -> Tensor[]",
       "[t(3), t(2, 1)]\n[t(2, 3), t()]\n[t(2, 1, 3), t(4, 1), i(0, 5, 1)]\n[t(0, 1), t(3)]"),
    op("narrow(Tensor self, int dim, int start, int length) -> Tensor",
       "t(4, 3), 0, 1, 2\nt(4, 3), -1, -2, 1\nt(4), 0, 4, 0\nt(2, 3), 1, 0, 3",
       [](const Tensor& x, int64_t dim, int64_t start, int64_t length) { return narrow(x, dim, start, length); }),
    op("narrow.Tensor(Tensor self, int dim, Tensor start, int length) -> Tensor",
       "t(4, 3), 0, c(1), 2\nt(4, 3), 1, c(-1), 1",
       [](const Tensor& x, int64_t dim, const Tensor& start, int64_t length) { return narrow(x, dim, start, length); }),
    op<select>("select.int(Tensor self, int dim, int index) -> Tensor",
       "t(2, 3), 0, 1\nt(2, 3), -1, -2\nt(3), 0, 2\nt(2, 3, 4), 1, 0\nt(2, 0), 0, 1"),
    op<slice>("slice.Tensor(Tensor self, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor",
       "t(5, 3)\nt(5, 3), 0, 1, 4\nt(5, 3), 0, 1, None, 2\nt(2, 7), -1, -6, -1, 3\nt(5), 0, 3, 2\nt(5), 0, -9, 99\nt(0, 3), 1, 0, 2"),
    op("split.Tensor(Tensor self, int split_size, int dim=0) -> Tensor[]",
       "t(5, 3), 2\nt(2, 4), 2, -1\nt(3), 7\nt(0), 0\nt(0, 2), 3",
       [](const Tensor& x, int64_t size, int64_t dim) { return split(x, size, dim); }),
    op("split.sizes(Tensor self, int[] split_size, int dim=0) -> Tensor[]",
       "t(5, 3), [2, 3]\nt(2, 4), [1, 0, 3], -1\nt(0), [0, 0]",
       [](const Tensor& x, IntArrayRef sizes, int64_t dim) { return split(x, sizes, dim); }),
    op<split_with_sizes>("split_with_sizes(Tensor self, int[] split_sizes, int dim=0) -> Tensor[]",
       "t(5, 3), [2, 3]\nt(2, 4), [1, 0, 3], -1\nt(3), [3]"),
    op<chunk>("chunk(Tensor self, int chunks, int dim=0) -> Tensor[]",
       "t(5, 3), 2\nt(2, 4), 3, -1\nt(2), 5\nt(0), 3"),
    op("tensor_split.sections(Tensor self, int sections, int dim=0) -> Tensor[]",
       "t(5, 3), 2\nt(2, 4), 3, -1\nt(2), 4",
       [](const Tensor& x, int64_t sections, int64_t dim) { return tensor_split(x, sections, dim); }),
    op("tensor_split.indices(Tensor self, int[] indices, int dim=0) -> Tensor[]",
       "t(5, 3), [1, 3]\nt(2, 4), [1, 10, -1], -1\nt(3), []\nt(5), [3, 1]",
       [](const Tensor& x, IntArrayRef indices, int64_t dim) { return tensor_split(x, indices, dim); }),
    op("tensor_split.tensor_indices_or_sections(Tensor self, Tensor tensor_indices_or_sections, int dim=0) -> Tensor[]",
       "t(5, 3), c(2)\nt(2, 4), c([1, 3]), 1",
       [](const Tensor& x, const Tensor& indices, int64_t dim) { return tensor_split(x, indices, dim); }),
    op("hsplit.int(Tensor self, int sections) -> Tensor[]",
       "t(2, 4), 2\nt(4), 2",
       [](const Tensor& x, int64_t sections) { return hsplit(x, sections); }),
    op("hsplit.array(Tensor self, int[] indices) -> Tensor[]",
       "t(2, 4), [1, 3]\nt(4), [1]",
       [](const Tensor& x, IntArrayRef indices) { return hsplit(x, indices); }),
    op("vsplit.int(Tensor self, int sections) -> Tensor[]",
       "t(4, 2), 2",
       [](const Tensor& x, int64_t sections) { return vsplit(x, sections); }),
    op("vsplit.array(Tensor self, int[] indices) -> Tensor[]",
       "t(4, 2), [1, 3]",
       [](const Tensor& x, IntArrayRef indices) { return vsplit(x, indices); }),
    op<unbind>("unbind.int(Tensor self, int dim=0) -> Tensor[]",
       "t(3, 2)\nt(2, 3), -1\nt(3)\nt(2, 0)\nt(0, 2)"),
    op<unfold>("unfold(Tensor self, int dimension, int size, int step) -> Tensor",
       "t(7), 0, 3, 2\nt(7), 0, 3, 1\nt(2, 5), -1, 4, 1\nt(5, 2), 0, 2, 3\nt(6), 0, 5, 1\nt(), 0, 1, 1\nt(2, 3), 1, 0, 1"),
    op<diagonal>("diagonal(Tensor self, int offset=0, int dim1=0, int dim2=1) -> Tensor",
       "t(3, 4)\nt(3, 4), 1\nt(3, 4), -2\nt(2, 3, 4), 0, 2, 0\nt(2, 3, 4), 1, -1, 1\nt(2, 2), 7\nt(0, 3)"),
    op<diag>("diag(Tensor self, int diagonal=0) -> Tensor",
       "t(3)\nt(3), 1\nt(2), -2\nt(3, 4)\nt(3, 4), -1\nt(2, 2), 5\nt(0)"),
    op<diag_embed>("diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor",
       "t(3)\nt(2, 3)\nt(2, 3), 1\nt(2, 3), -1, 0, 2\nt(0)"),
    op<select_scatter>("select_scatter(Tensor self, Tensor src, int dim, int index) -> Tensor",
       "t(2, 3), t(3), 0, 1\nt(2, 3), t(2), -1, -3\nt(3), t(), 0, 1"),
    op<slice_scatter>("slice_scatter(Tensor self, Tensor src, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor",
       "t(4, 3), t(4, 3)\nt(4, 3), t(2, 3), 0, 1, 3\nt(2, 5), t(2, 2), 1, 0, -1, 2\nt(3), t(0), 0, 2, 1"),
    op<diagonal_scatter>("diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int dim2=1) -> Tensor",
       "t(3, 3), t(3)\nt(3, 4), t(3), 1\nt(2, 3, 2), t(3, 1), -1, 0, 2"),
    op<atleast_1d>("atleast_1d(Tensor self) -> Tensor",
       "t()\nt(2)\nt(2, 3)"),
    op<atleast_2d>("atleast_2d(Tensor self) -> Tensor",
       "t()\nt(2)\nt(2, 3)"),
    op<atleast_3d>("atleast_3d(Tensor self) -> Tensor",
       "t()\nt(2)\nt(2, 3)\nt(2, 3, 2)"),
    op("detach(Tensor self) -> Tensor",
       "t(2, 3)\nt()\ni(0, 5, 2)",
       [](const Tensor& x) { return x.detach(); }),
};
const size_t view_ops_count = std::size(view_ops);

}  // namespace taut
