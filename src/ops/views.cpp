// Views: the same memory under another shape. Each op says how sizes and strides change, and where gradients go.
#include <algorithm>
#include <numeric>

#include "ops/registry.h"
#include "ops/sparse.h"
#include "ops/view_ops.h"

namespace taut {

namespace {

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
[[gnu::noinline]] Dims infer_unknown(IntArrayRef shape, int64_t numel, const char* op) {
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
  check(fits, "shape '", shape, "' is invalid for input of size ", numel, " in ", op);
  return result;
}

/// The same; a shape that says everything, and fits, is most common.
Dims infer_shape(IntArrayRef shape, int64_t numel, const char* op) {
  int64_t product = 1;
  bool plain = shape.size() <= kMaxDims;
  for (int64_t s : shape) plain = plain && s > 0 && !__builtin_mul_overflow(product, s, &product);
  return plain && product == numel ? Dims(shape) : infer_unknown(shape, numel, op);
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
    if (x.impl()->contiguous) {
      ImplPtr y = make_alias(*x.impl());
      y->sizes = sizes;
      set_contiguous_strides(*y);
      return Tensor::adopt(y.detach());
    }
    if (auto strides = view_strides(x.sizes(), x.strides(), sizes, x.numel())) return alias(x, sizes, *strides);
    RawScope raw;
    const Tensor dense = x.contiguous();  // a tangent that is laid out in another way than its primal
    return alias(dense, sizes, contiguous_strides(sizes));
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const { return g.reshape(s.sizes(0)); }
};

/// The second half of a reshape that had to copy; nobody else sees the copy, so this is no view.
struct UnsafeView {
  Tensor batch(const Batch& b, const Tensor& x) const { return apply(UnsafeView{with_batch(b.size, sizes), label}, x); }
  static constexpr bool limited = true;
  static constexpr bool complex = true;
  static constexpr const char* name = "reshape";
  static constexpr bool linear = true;
  Dims sizes;
  const char* label = "UnsafeViewBackward0";
  const char* node_name() const { return label; }
  Tensor forward(const Tensor& x) const { return alias(x.contiguous(), sizes, contiguous_strides(sizes)); }
  Tensor vjp(int, const Tensor& g, const Saved& s) const { return g.reshape(s.sizes(0)); }
};

/// The bits of one dtype read as another; not differentiable.
struct ViewDtype {
  static constexpr bool limited = true;
  static constexpr bool complex = true;
  static constexpr const char* name = "view";
  static constexpr bool sees_levels = true;
  ScalarType dtype;
  Dims sizes, strides;
  Tensor forward(const Tensor& x) const {
    Tensor y = alias(x, sizes, strides);
    batching::rescale(*y.impl(), element_size(x.scalar_type()), element_size(dtype));
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
  Tensor forward_sparse(const Tensor& x) const {
    Tensor y = x;
    for (int64_t d = x.dim(); d-- > 0;)
      if (drop >> d & 1) y = sparse::selected(y, d, 0);
    return y;
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const { return g.reshape(s.sizes(0)); }
};

struct Unsqueeze {
  static constexpr const char* name = "unsqueeze";
  static constexpr const char *node = "UnsqueezeBackward0", *in_place_node = "UnsqueezeBackward1";
  static constexpr bool linear = true, view = true;
  int64_t dim;
  Tensor forward(const Tensor& x) const {
    return alias(x, [d = ix(dim)](Dims& sizes, Dims& strides) {
      strides.insert(d, d < sizes.size() ? multiply(sizes[d], strides[d]) : 1);
      sizes.insert(d, 1);
      return 0;
    });
  }
  Tensor forward_sparse(const Tensor& x) const { return sparse::unsqueezed(x, dim); }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return g.squeeze(dim); }
};

struct Transpose {
  static constexpr const char* name = "transpose";
  static constexpr const char *node = "TransposeBackward0", *in_place_node = "TransposeBackward1";
  static constexpr bool linear = true, view = true;
  int64_t dim0, dim1;
  Tensor forward(const Tensor& x) const {
    return alias(x, [this](Dims& sizes, Dims& strides) {
      if (dim0 != dim1) {
        std::swap(sizes[ix(dim0)], sizes[ix(dim1)]);
        std::swap(strides[ix(dim0)], strides[ix(dim1)]);
      }
      return 0;
    });
  }
  Tensor forward_sparse(const Tensor& x) const {
    Dims dims(x.sizes().size());
    std::iota(dims.begin(), dims.end(), 0);
    if (!dims.empty()) std::swap(dims[ix(dim0)], dims[ix(dim1)]);
    return sparse::permuted(x, dims);
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return g.transpose(dim0, dim1); }
};

/// The transpose of a matrix; a vector or a number stays as it is.
struct T {
  static constexpr const char* name = "t";
  static constexpr const char *node = "TBackward0", *in_place_node = "TBackward1";
  static constexpr bool linear = true, view = true;
  Tensor forward(const Tensor& x) const {
    return alias(x, [](Dims& sizes, Dims& strides) {
      if (sizes.size() == 2) {
        std::swap(sizes[0], sizes[1]);
        std::swap(strides[0], strides[1]);
      }
      return 0;
    });
  }
  Tensor forward_sparse(const Tensor& x) const {
    check(x.dense_dim() == 0 && x.dim() <= 2, "t() expects a tensor with <= 2 sparse and 0 dense dimensions, but got ",
          x.sparse_dim(), " sparse and ", x.dense_dim(), " dense dimensions");
    return sparse::permuted(x, x.dim() == 2 ? Dims{1, 0} : Dims(x.sizes().size()));
  }
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
      sizes[d] = x.sizes()[ix(dims[d])];
      strides[d] = x.strides()[ix(dims[d])];
    }
    return alias(x, sizes, strides);
  }
  Tensor forward_sparse(const Tensor& x) const { return sparse::permuted(x, dims); }
  Tensor vjp(int, const Tensor& g, const Saved&) const {
    Dims back(dims.size());
    for (size_t d = 0; d < dims.size(); ++d) back[ix(dims[d])] = static_cast<int64_t>(d);
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
      const int64_t stride = d >= fresh             ? x.strides()[d - fresh]
                             : d + 1 < sizes.size() ? multiply(sizes[d + 1], strides[d + 1])
                                                    : 1;
      strides[d] = size == sizes[d] ? stride : 0;
    }
    return alias(x, sizes, strides);
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return g; }  // the engine sums
};

struct Alias {
  static constexpr const char* name = "alias";
  static constexpr const char* node = "AliasBackward0";
  static constexpr bool linear = true, view = true;
  Tensor forward(const Tensor& x) const { return Tensor::adopt(make_alias(*x.impl()).detach()); }
  Tensor forward_sparse(const Tensor& x) const { return forward(x); }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return g; }
};

// ---- Arguments, checked.

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
  return {wrap_dim(dim, x.impl()->sizes.size() + 1, op)};
}

Transpose make_transpose(const Tensor& x, int64_t dim0, int64_t dim1, const char* op) {
  check_defined(x, op);
  return {wrap_dim(dim0, x.dim(), op), wrap_dim(dim1, x.dim(), op)};
}

void check_t(const Tensor& x, const char* op) {
  check_defined(x, op);
  if (x.impl()->sizes.size() > 2) [[unlikely]]
    throw Error(str(op, ": t() expects a tensor with <= 2 dimensions, but self is ", x.dim(), "D of shape ", x.sizes(),
                    ". Use transpose(-2, -1) for batches of matrices."));
}

void check_matrix(const Tensor& x, const char* op) {
  check_defined(x, op);
  check(x.dim() != 1, "tensor.", op, "() is only supported on matrices or batches of matrices. Got 1-D tensor.");
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
  if (is_sparse(self)) {
    check(sparse::is_coo(self), "torch.", op, ": in-place transposition is not supported for ", self.layout(),
          " layout");
    sparse::impl(self).indices = sparse::impl(y).indices, sparse::impl(self).values = sparse::impl(y).values;
    sparse::impl(self).coalesced = sparse::impl(y).coalesced;
  }
  autograd::leave_copies(*t.storage);
  t.sizes = v.sizes;
  t.strides = v.strides;
  t.data = is_sparse(self) ? t.data : v.data;
  t.refresh();
  t.contiguous &= !is_sparse(self);
  t.storage->bump(op, thread_state.step);
  if (v.grad_fn) {
    const Ref<Node> node = Ref<Node>::share(static_cast<Node*>(v.grad_fn.get()));
    if (t.base) {
      autograd::set_history(&t, node, 0);
      t.attr_version = t.storage->version();
    } else {
      autograd::rebase_history(&t, node, 0);
    }
  }
  if (autograd::AutogradMeta* m = autograd::find_meta(&t); m && m->accumulator)
    autograd::set_output(*m->accumulator.get(), 0, &t);
  if (const Tensor tangent = autograd::tangent_of(y); tangent.defined()) autograd::set_tangent(self, tangent);
  return const_cast<Tensor&>(self);
}

// ---- Another shape.

Tensor view(const Tensor& self, IntArrayRef size) {
  check_defined(self, "view");
  const TensorImpl& t = *self.impl();
  const Viewed op{infer_shape(size, t.numel, "view")};
  if (!t.contiguous && !view_strides(t.sizes, t.strides, op.sizes, t.numel))
    throw Error(
        str("view: view size is not compatible with input tensor's size and stride (at least one dimension spans "
            "across two contiguous subspaces). Use .reshape(...) instead. The tensor has shape ",
            self.sizes(), " and strides ", self.strides(), ", wanted was ", size));
  return apply(op, self);
}

Tensor view(const Tensor& self, ScalarType dtype) {
  check_defined(self, "view");
  check<TypeError>(dtype != ScalarType::Undefined, "view: the dtype is undefined");
  check(!self.is_conj(),
        "view: torch.Tensor.view is not supported for conjugate view tensors when converting to a "
        "different dtype. Use resolve_conj() first.");
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
    if (!batching::divides(*self.impl(), ratio)) return view(self.clone(MemoryFormat::Contiguous), dtype);
  }
  return apply(op, self);
}

Tensor view_as(const Tensor& self, const Tensor& other) {
  check_defined(other, "view_as", "other");
  return view(self, other.sizes());
}

Tensor alias_of(const Tensor& t) {
  if (t.layout() != kStrided) return t.detach().requires_grad_(t.requires_grad());
  return apply(Viewed{t.sizes(), "AliasBackward0"}, t);
}

Tensor reshape(const Tensor& self, IntArrayRef shape) {
  check_defined(self, "reshape");
  Dims sizes = infer_shape(shape, self.numel(), "reshape");
  if (self.is_contiguous()) return apply(Viewed{std::move(sizes)}, self);
  if (view_strides(self.sizes(), self.strides(), sizes, self.numel()))
    return apply(Viewed{std::move(sizes), "ReshapeAliasBackward0"}, self);
  return apply(UnsafeView{std::move(sizes)}, self.contiguous());
}
Tensor unsafe_view(const Tensor& self, IntArrayRef shape, const char* node) {
  return apply(UnsafeView{Dims(shape), node}, self);
}
Tensor reshape_as(const Tensor& self, const Tensor& other) {
  check_defined(other, "reshape_as", "other");
  return reshape(self, other.sizes());
}
Tensor ravel(const Tensor& self) {
  check_defined(self, "ravel");
  return self.contiguous().view({-1});
}

Tensor flatten(const Tensor& self, int64_t start_dim, int64_t end_dim) {
  check_defined(self, "flatten");
  const int64_t start = wrap_dim(start_dim, self.dim(), "flatten"), end = wrap_dim(end_dim, self.dim(), "flatten");
  check(start <= end, "flatten() has invalid args: start_dim cannot come after end_dim: got ", start_dim, " and ",
        end_dim, " for shape ", self.sizes());
  if (self.dim() == 0) return reshape(self, {1});
  if (start == end) return self;
  Dims shape;
  int64_t merged = 1;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (d < start || d > end) shape.push_back(self.sizes()[ix(d)]);
    else merged *= self.sizes()[ix(d)];
    if (d == end) shape.push_back(merged);
  }
  return reshape(self, shape);
}

Tensor unflatten(const Tensor& self, int64_t dim, IntArrayRef sizes) {
  check_defined(self, "unflatten");
  check<IndexError>(self.dim() > 0, "unflatten() cannot be applied to a 0-dim tensor.");
  dim = wrap_dim(dim, self.dim(), "unflatten");
  check(!sizes.empty(), "unflatten: sizes must be non-empty");
  const int64_t n = self.sizes()[ix(dim)];
  const int64_t unknown = std::count(sizes.begin(), sizes.end(), -1);
  int64_t product = 1;
  bool fits = unknown <= 1;
  for (int64_t s : sizes)
    if (s != -1) fits = fits && s >= 0 && !__builtin_mul_overflow(product, s, &product);
  fits = fits && (unknown ? product != 0 && n % product == 0 : product == n);
  check(fits, "unflatten: Provided sizes ", sizes, " don't multiply up to the size of dim ", dim, " (", n,
        ") in the input tensor of shape ", self.sizes());
  Dims shape;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (d != dim) shape.push_back(self.sizes()[ix(d)]);
    else
      for (int64_t s : sizes) shape.push_back(s == -1 ? n / product : s);
  }
  return view(self, shape);
}

Tensor squeeze(const Tensor& self) {
  return apply(make_squeeze(self, std::nullopt, "squeeze", "SqueezeBackward0"), self);
}
Tensor squeeze(const Tensor& self, int64_t dim) {
  return apply(make_squeeze(self, dim, "squeeze", "SqueezeBackward1"), self);
}
Tensor squeeze(const Tensor& self, IntArrayRef dim) {
  return apply(make_squeeze(self, dim, "squeeze", "SqueezeBackward2"), self);
}
Tensor& squeeze_(Tensor& self) {
  return change_shape("squeeze_", self, make_squeeze(self, std::nullopt, "squeeze_", "SqueezeBackward3"));
}
Tensor& squeeze_(Tensor& self, int64_t dim) {
  return change_shape("squeeze_", self, make_squeeze(self, dim, "squeeze_", "SqueezeBackward4"));
}
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

Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1) {
  return apply(make_transpose(self, dim0, dim1, "transpose"), self);
}
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
  return self.dim() == 0 ? self : transpose(self, -2, -1).conj();
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
        "permute: number of dimensions in the tensor input does not match the length of the desired ordering of "
        "dimensions i.e. input.dim() = ",
        self.dim(), " is not equal to len(dims) = ", dims.size(), ": the shape is ", self.sizes(), " and the dims are ",
        dims);
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
    check(source.size() <= 1, "movedim: repeated dim in `source` (", source, ")");
    return self;
  }
  Dims order(ix(self.dim()), -1);
  uint64_t moved = 0;
  for (size_t i = 0; i < source.size(); ++i) {
    const int64_t from = wrap_dim(source[i], self.dim(), "movedim"),
                  to = wrap_dim(destination[i], self.dim(), "movedim");
    check(!(moved >> from & 1), "movedim: repeated dim in `source` (", source, ")");
    check(order[ix(to)] == -1, "movedim: repeated dim in `destination` (", destination, ")");
    moved |= uint64_t{1} << from;
    order[ix(to)] = from;
  }
  int64_t next = 0;
  for (int64_t& d : order) {
    if (d != -1) continue;
    while (moved >> next & 1) ++next;
    d = next++;
  }
  return permute(self, order);
}
Tensor movedim(const Tensor& self, int64_t source, int64_t destination) {
  return movedim(self, IntArrayRef(source), IntArrayRef(destination));
}
Tensor moveaxis(const Tensor& self, IntArrayRef source, IntArrayRef destination) {
  return movedim(self, source, destination);
}
Tensor moveaxis(const Tensor& self, int64_t source, int64_t destination) { return movedim(self, source, destination); }

// ---- Repetition without copies.

Tensor expand(const Tensor& self, IntArrayRef size, bool) {
  check_defined(self, "expand");
  check(size.size() >= self.sizes().size(), "expand: the number of sizes provided (", size.size(),
        ") must be greater or equal to the number of dimensions in the tensor (", self.dim(), "): wanted is ", size,
        ", the tensor has shape ", self.sizes());
  Expand op{size};
  const size_t fresh = size.size() - self.sizes().size();
  for (size_t d = 0; d < size.size(); ++d) {
    if (d < fresh) {
      check(size[d] >= 0, "The expanded size of the tensor (", size[d],
            ") isn't allowed in a leading, non-existing dimension ", d);
      continue;
    }
    const int64_t have = self.sizes()[d - fresh];
    if (size[d] == -1) op.sizes[d] = have;
    check(op.sizes[d] == have || (have == 1 && op.sizes[d] >= 0), "The expanded size of the tensor (", size[d],
          ") must match the existing size (", have, ") at non-singleton dimension ", d, ".  Target sizes: ", size,
          ".  Tensor sizes: ", self.sizes());
  }
  checked_numel(op.sizes, "expand");
  check(!is_sparse(self), "expand is unsupported for ", self.layout(), " tensors. Use .to_dense() first.");
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

// ---- Out of the graph.

Tensor Tensor::detach() const {
  check_defined(*this, "detach", "self");
  ImplPtr y = make_alias(*impl_);
  if (!thread_state.raw) ++thread_state.step;
  y->cut = impl_->cut;
  y->cut_by = impl_->cut_by;
  y->cut_step = impl_->cut_step;
  if (tracked(impl_)) {
    y->cut = Cut::Detach;
    y->cut_by = "detach";
    y->cut_step = thread_state.step;
    if (autograd::AutogradMeta* m = autograd::find_meta(impl_)) m->note_cut(Cut::Detach, "detach");
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
    if (!thread_state.raw) ++thread_state.step;
    if (autograd::AutogradMeta* m = autograd::find_meta(impl_)) m->note_cut(Cut::Detach, "detach_");
    impl_->cut = Cut::Detach;
    impl_->cut_by = "detach_";
    impl_->cut_step = thread_state.step;
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
    doc("The same elements in another shape, sharing memory.",
        op("view(Tensor self, int[] size) -> Tensor",
           "z(2, 3), [6]\nt(2, 3), [3, 2]\nt(2, 3, 4), [-1]\nt(2, 3), [1, 2, 1, 3, 1]\nt(), []\nt(), [1, 1]\nt(0, 3), "
           "[3, 0]\nt(2, "
           "3), "
           "[4, -1]",
           [](const Tensor& x, IntArrayRef size) { return view(x, size); })),
    op("view.dtype(Tensor self, ScalarType dtype) -> Tensor",
       "i(0, 100, 2, 3), int32\ni(0, 100, 2, 4), int16\nc([1, 2, 3]), uint8\nb(2, 4), uint8\ni(0, 9), int64",
       [](const Tensor& x, ScalarType dtype) { return view(x, dtype); }),
    doc("The same elements in the shape of other, sharing memory.",
        op<view_as>("view_as(Tensor self, Tensor other) -> Tensor", "t(2, 3), t(3, 2)\nt(6), b(2, 3)\nt(), t(1)")),
    doc("The same elements in another shape, sharing memory where that can be.",
        op<reshape>("reshape(Tensor self, int[] shape) -> Tensor",
                    "z(2, 3), [3, 2]\nt(2, 3), [3, 2]\nt(2, 3, 4), [-1, 2]\nt(2, 3), [6]\nt(), [1]\nt(1, 1), []\nt(0, "
                    "3), [0, 7]\nt(2, "
                    "3), [-1]")),
    doc("The same elements in the shape of other, sharing memory where that can be.",
        op<reshape_as>("reshape_as(Tensor self, Tensor other) -> Tensor",
                       "t(2, 3), t(3, 2)\nt(6), b(1, 6)\nt(), t(1)")),
    doc("Dimensions start_dim to end_dim as one.",
        op<flatten>("flatten.using_ints(Tensor self, int start_dim=0, int end_dim=-1) -> Tensor",
                    "t(2, 3, 4)\nt(2, 3, 4), 1\nt(2, 3, 4), 0, 1\nt(2, 3, 4), -2, -2\nt()\nt(0, 3)")),
    doc("One dimension as several.",
        op<unflatten>("unflatten.int(Tensor self, int dim, int[] sizes) -> Tensor",
                      "t(6), 0, [2, 3]\nt(2, 6), -1, [3, -1]\nt(2, 4), 1, [2, 1, 2]\nt(2, 0), 1, [0, 3]")),
    doc("All dimensions as one.", op<ravel>("ravel(Tensor self) -> Tensor", "t(2, 3)\nt()\nt(0, 3)")),
    doc("Without dimensions of size 1: all of them, or those named.",
        op(
            "squeeze(Tensor self) -> Tensor", "z(1, 3)\nt(1, 3, 1)\nt(2, 3)\nt()\nt(1)\nt(1, 0)",
            [](const Tensor& x) { return squeeze(x); }, [](Tensor& x) -> Tensor& { return squeeze_(x); })),
    op(
        "squeeze.dim(Tensor self, int dim) -> Tensor", "t(1, 3, 1), 0\nt(1, 3, 1), -1\nt(2, 3), 0\nt(), 0",
        [](const Tensor& x, int64_t dim) { return squeeze(x, dim); },
        [](Tensor& x, int64_t dim) -> Tensor& { return squeeze_(x, dim); }),
    op(
        "squeeze.dims(Tensor self, int[] dim) -> Tensor",
        "t(1, 3, 1), [0, 2]\nt(1, 3, 1), [-1]\nt(1, 3), [0, 1]\nt(1, 3), []",
        [](const Tensor& x, IntArrayRef dim) { return squeeze(x, dim); },
        [](Tensor& x, IntArrayRef dim) -> Tensor& { return squeeze_(x, dim); }),
    doc("With a new dimension of size 1.",
        op<unsqueeze, unsqueeze_>("unsqueeze(Tensor self, int dim) -> Tensor",
                                  "z(3), 0\nt(2, 3), 0\nt(2, 3), 1\nt(2, 3), -1\nt(), 0\nt(0), 1")),
    doc("With two dimensions exchanged.",
        op<transpose, transpose_>(
            "transpose.int(Tensor self, int dim0, int dim1) -> Tensor",
            "z(2, 3), 0, 1\nt(2, 3), 0, 1\nt(2, 3, 4), -1, 0\nt(2, 3), 1, 1\nt(), 0, -1\nt(0, 3), 0, 1")),
    doc("With two dimensions exchanged.",
        op<swapaxes, swapaxes_>("swapaxes(Tensor self, int axis0, int axis1) -> Tensor",
                                "t(2, 3), 0, 1\nt(2, 3, 4), -1, 0\nt(), 0, 0")),
    doc("With two dimensions exchanged.", op<swapdims, swapdims_>("swapdims(Tensor self, int dim0, int dim1) -> Tensor",
                                                                  "t(2, 3), 0, 1\nt(2, 3, 4), -1, 0\nt(), 0, 0")),
    doc("The transpose of a matrix.", op<t, t_>("t(Tensor self) -> Tensor", "t(2, 3)\nt(3)\nt()\nt(0, 3)")),
    doc("The last two dimensions exchanged, of complex numbers the conjugate.",
        op<adjoint>("adjoint(Tensor self) -> Tensor", "z(2, 3)\nt(2, 3)\nt(2, 3, 4)")),
    doc("The last two dimensions exchanged.",
        op("mT(Tensor self) -> Tensor", "t(2, 3)\nt(2, 3, 4)", [](const Tensor& x) { return x.mT(); })),
    doc("All dimensions in reverse order.", function(op("numpy_T(Tensor self) -> Tensor", "t(2, 3)\nt(3)\nt()",
                                                        [](const Tensor& x) { return x.numpy_T(); }))),
    doc("The dimensions in another order.",
        op<permute>(
            "permute(Tensor self, int[] dims) -> Tensor",
            "z(2, 3), [1, 0]\nt(2, 3, 4), [2, 0, 1]\nt(2, 3), [-1, 0]\nt(2, 3), [0, 1]\nt(), []\nt(0, 3), [1, 0]")),
    doc("Dimensions moved to other places, the rest in order.",
        op("movedim.intlist(Tensor self, int[] source, int[] destination) -> Tensor",
           "t(2, 3, 4), [0, 1], [-1, 0]\nt(2, 3, 4), [2], [0]\nt(2, 3), [], []",
           [](const Tensor& x, IntArrayRef source, IntArrayRef destination) {
             return movedim(x, source, destination);
           })),
    op("movedim.int(Tensor self, int source, int destination) -> Tensor",
       "z(2, 3), 0, 1\nt(2, 3, 4), 0, -1\nt(2, 3, 4), 2, 0\nt(2, 3), 1, 1",
       [](const Tensor& x, int64_t source, int64_t destination) { return movedim(x, source, destination); }),
    doc("Dimensions moved to other places, the rest in order.",
        op("moveaxis.intlist(Tensor self, int[] source, int[] destination) -> Tensor",
           "t(2, 3, 4), [0, 1], [-1, 0]\nt(2, 3, 4), [2], [0]\nt(2, 3), [], []",
           [](const Tensor& x, IntArrayRef source, IntArrayRef destination) {
             return moveaxis(x, source, destination);
           })),
    op("moveaxis.int(Tensor self, int source, int destination) -> Tensor",
       "z(2, 3), 0, 1\nt(2, 3, 4), 0, -1\nt(2, 3, 4), 2, 0\nt(2, 3), 1, 1",
       [](const Tensor& x, int64_t source, int64_t destination) { return moveaxis(x, source, destination); }),
    doc("Dimensions of size 1 repeated to these sizes, without copying.",
        op<expand>("expand(Tensor self, int[] size, *, bool implicit=False) -> Tensor",
                   "z(2, 1), [2, 3]\nt(3), [2, 3]\nt(2, 1), [2, 4]\nt(2, 1), [5, -1, 3]\nt(), [2, 2]\nt(1), [0]\nt(2, "
                   "3), [2, 3]\nt(1, 3), "
                   "[2, 1, 3]")),
    doc("Expanded to the shape of other.",
        op<expand_as>("expand_as(Tensor self, Tensor other) -> Tensor", "t(3), t(2, 3)\nt(2, 1), b(2, 4)\nt(), t(3)")),
    doc("Expanded to these sizes.", op<broadcast_to>("broadcast_to(Tensor self, int[] size) -> Tensor",
                                                     "z(2, 1), [2, 3]\nt(3), [2, 3]\nt(2, 1), [2, 4]\nt(), [3]")),
    doc("All expanded to their common shape.",
        op<broadcast_tensors>("broadcast_tensors(Tensor[] tensors) -> Tensor[]",
                              "[t(3), t(2, 1)]\n[t(2, 3), t()]\n[t(2, 1, 3), t(4, 1), i(0, 5, 1)]\n[t(0, 1), t(3)]")),
    doc("With at least one dimension.",
        function(op<atleast_1d>("atleast_1d(Tensor self) -> Tensor", "t()\nt(2)\nt(2, 3)"))),
    doc("With at least two dimensions.",
        function(op<atleast_2d>("atleast_2d(Tensor self) -> Tensor", "t()\nt(2)\nt(2, 3)"))),
    doc("With at least three dimensions.",
        function(op<atleast_3d>("atleast_3d(Tensor self) -> Tensor", "t()\nt(2)\nt(2, 3)\nt(2, 3, 2)"))),
    doc("The same values, outside of the graph.",
        op("detach(Tensor self) -> Tensor", "t(2, 3)\nt()\ni(0, 5, 2)", [](const Tensor& x) { return x.detach(); })),
};
const size_t view_ops_count = std::size(view_ops);

}  // namespace taut
