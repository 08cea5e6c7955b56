// Copies, conversions and fills.
#include "kernels/copy.h"

#include "ops/channels_last.h"
#include "ops/complex.h"
#include "ops/op.h"
#include "ops/promotion.h"
#include "ops/sparse.h"

namespace taut {

namespace {

/// The memory order a copy keeps: that of the source when it is dense, else row-major.
Tensor like(const Tensor& x, ScalarType dtype, const char* op) {
  const Tensor* const in[] = {&x};
  return Tensor::adopt(make_result(in, 1, x.sizes(), dtype, op).detach());
}

struct Clone {
  static constexpr bool complex = true, knows_conj = true, limited = true;
  static constexpr const char* name = "clone";
  static constexpr const char* node = "CloneBackward0";
  static constexpr bool linear = true;
  static constexpr bool leading = true;
  bool row_major = false;
  Tensor forward(const Tensor& x) const {
    Tensor y = row_major ? make(x.sizes(), x.scalar_type(), name) : like(x, x.scalar_type(), name);
    write(y, x);
    return y;
  }
  Tensor forward_sparse(const Tensor& x) const {
    check(!row_major, "unsupported memory format option Contiguous: the tensor is sparse");
    sparse::Pattern at = sparse::Pattern::of(x);
    at.indices = at.indices.clone();
    if (at.others.defined()) at.others = at.others.clone();
    return at.with(sparse::value_part(x).clone());
  }
  Tensor vjp(int, const Tensor& g, const Saved&) const { return g; }
};

/// Another dtype. The engine gives the gradient the input's dtype.
struct ToCopy {
  static constexpr bool complex = true, knows_conj = true, limited = true;
  static constexpr const char* name = "to";
  static constexpr const char* node = "ToCopyBackward0";
  static constexpr bool linear = true;
  static constexpr bool leading = true;
  ScalarType dtype;
  Tensor forward(const Tensor& x) const {
    Tensor y = like(x, dtype, name);
    write(y, x);
    return y;
  }
  Tensor forward_sparse(const Tensor& x) const { return sparse::with_values(x, sparse::value_part(x).to(dtype)); }
  Tensor vjp(int, const Tensor& g, const Saved& s) const { return autograd::provided::cast(g, s.dtype(0)); }
};

/// What self becomes when src is copied into it: nothing of self is left.
struct CopyInto {
  static constexpr bool complex = true, knows_conj = true, limited = true;
  static constexpr const char* name = "copy_";
  static constexpr const char* node = "CopyBackwards";
  Tensor batch(const Batch& b, const Tensor& self, const Tensor& src) const {
    return apply(*this, b.all(0, self), b.raised(1, src, b.dim(0, self)));
  }
  Tensor forward(const Tensor& self, const Tensor& src) const {
    Tensor y = make(self.sizes(), self.scalar_type(), name);
    write(y, src.expand(self.sizes()));
    return y;
  }
  Tensor forward_sparse(const Tensor&, const Tensor& src) const { return src.clone(); }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const { return i == 0 ? zeros(s.sizes(0), s.dtype(0)) : g; }
};

/// What self becomes when it is filled: the value decides, self does not.
struct Fill {
  static constexpr bool complex = true, knows_conj = true, limited = true;
  static constexpr const char* name = "fill_";
  bool zero = false;  // written as zero_()
  const char* node_name() const { return zero ? "ZeroBackward0" : "FillBackward0"; }
  Tensor batch(const Batch& b, const Tensor& self, const Tensor& value) const {
    return apply(*this, b.all(0, self), b.raised(1, value, b.dim(0, self)));
  }
  Tensor forward(const Tensor& self, const Tensor& value) const {
    Tensor y = make(self.sizes(), self.scalar_type(), name);
    write(y, value.expand(self.sizes()));
    return y;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const { return i == 0 ? zeros(s.sizes(0), s.dtype(0)) : g.sum(); }
};

/// Must a write to `self` be seen by autograd?
bool plain_write(const Tensor& self) {
  return (!thread_state.grad_mode || !tracked(self.impl())) && !autograd::forward_mode();
}

/// Compressed: the values that are there. COO can only be emptied.
Tensor& fill_sparse(const char* op, const Tensor& self, const Scalar& value, bool zero) {
  const Tensor* const in[] = {&self};
  check(plain_write(self), op, ": a sparse tensor that requires grad cannot be filled");
  if (!sparse::is_coo(self)) sparse::value_part(self).fill_(value);
  else if (zero) sparse::assign(self, sparse::nothing(self.sizes(), self.scalar_type(), self.sparse_dim()));
  else throw_no_sparse(op, in, 1);
  self.impl()->storage->bump(op, thread_state.step);
  return const_cast<Tensor&>(self);
}

Tensor& fill_value(const char* op, const Tensor& self, const Scalar& value, bool zero = false) {
  check_defined(self, op, "self");
  const AsDry as(self);
  ++thread_state.step;
  autograd::check_inplace(self.impl(), op);  // elements may share memory: all get the same value
  if (is_sparse(self)) [[unlikely]]
    return fill_sparse(op, self, value, zero);
  const Tensor y = plain_write(self) ? Tensor() : apply(Fill{zero}, self, full({}, value, self.scalar_type()));
  kernels::fill(view_of(is_batched(self) ? batching::whole(self) : self), self.is_conj() ? value.conj() : value);
  self.impl()->storage->bump(op, thread_state.step);
  if (y.defined()) take_history(self, y);
  return const_cast<Tensor&>(self);
}

}  // namespace

Tensor Tensor::clone(std::optional<MemoryFormat> format) const {
  check_defined(*this, "clone", "self");
  if (format && is_channels_last(*format)) {
    check_channels_last(sizes(), *format);
    return channels_moved_back(channels_moved_last(*this).clone(MemoryFormat::Contiguous));
  }
  return apply(Clone{format == MemoryFormat::Contiguous}, *this);
}
Tensor Tensor::contiguous(MemoryFormat format) const {
  check_defined(*this, "contiguous", "self");
  check(format != MemoryFormat::Preserve, "contiguous: the preserve memory format is not supported by contiguous()");
  if (is_channels_last(format)) return is_contiguous(format) ? *this : clone(format);
  return impl_->contiguous || (is_batched(impl_) && is_contiguous()) ? *this : apply(Clone{true}, *this);
}

Tensor Tensor::to(ScalarType dtype, bool, bool copy, std::optional<MemoryFormat> format) const {
  check_defined(*this, "to", "self");
  const bool ordered = !format || *format == MemoryFormat::Preserve || is_contiguous(*format);
  if (dtype == scalar_type()) return copy || !ordered ? clone(format) : *this;
  if (is_complex() && !taut::is_complex(dtype) && dtype != kBool && !thread_state.raw)
    warn("Casting complex values to real discards the imaginary part");
  const Tensor converted = apply(ToCopy{dtype}, *this);
  return ordered ? converted : converted.contiguous(*format);
}
Tensor Tensor::to(Device device, ScalarType dtype, bool non_blocking, bool copy,
                  std::optional<MemoryFormat> format) const {
  device.require();
  check_defined(*this, "to", "self");
  check<NotImplementedError>(device.is_meta() || !is_meta(), "Cannot copy out of meta tensor; no data!");
  if (device.is_meta() == is_meta()) return to(dtype, non_blocking, copy, format);
  const DryScope there;
  const Tensor moved = apply(ToCopy{dtype}, *this);
  return format && *format != MemoryFormat::Preserve ? moved.contiguous(*format) : moved;
}
Tensor Tensor::to(Device device, bool non_blocking, bool copy, std::optional<MemoryFormat> format) const {
  return to(device, scalar_type(), non_blocking, copy, format);
}
Tensor Tensor::to(const TensorOptions& options, bool non_blocking, bool copy,
                  std::optional<MemoryFormat> format) const {
  check(!format || !options.memory_format_opt(),
        "Cannot set memory_format both in TensorOptions and explicit argument; please delete the redundant setter.");
  check(!options.requires_grad(),
        "to(options) expects unset requires_grad flag, but got options.requires_grad set as "
        "true. Call requires_grad_() on the result.");
  return to(options.device_opt().value_or(device()), options.dtype_opt().value_or(scalar_type()), non_blocking, copy,
            format ? format : options.memory_format_opt());
}
Tensor Tensor::to(const Tensor& other, bool non_blocking, bool copy, std::optional<MemoryFormat> format) const {
  return to(other.device(), other.scalar_type(), non_blocking, copy, format);
}

Tensor& Tensor::copy_(const Tensor& src, bool) const {
  check_defined(*this, "copy_", "self");
  check_defined(src, "copy_", "src");
  check<NotImplementedError>(is_meta() || !src.is_meta(), "Cannot copy out of meta tensor; no data!");
  if (is_meta() && !src.is_meta()) return copy_(src.to(kMeta));
  const AsDry as(*this);
  ++thread_state.step;
  check_writable(*this, "copy_");
  if (taut::is_sparse(*this) || taut::is_sparse(src)) [[unlikely]]
    check(layout() == src.layout(),
          "copy_() between dense and sparse Tensors is not implemented! Found self type = ", layout(),
          " and src type = ", src.layout(), ". Use .to_dense() or .to_sparse() first.");
  const Dims shape = broadcast_shapes(sizes(), src.sizes(), "copy_");
  check(IntArrayRef(shape) == sizes(), "copy_: output with shape ", sizes(), " doesn't match the broadcast shape ",
        IntArrayRef(shape));
  const Tensor* others[] = {&src};
  const bool shared = shares_memory(*this, others, 1, "copy_");
  if (is_same(src)) {
    impl_->storage->bump("copy_", thread_state.step);  // a write like any other
    return self();
  }
  if (!plain_write(*this) || (thread_state.grad_mode && tracked(src.impl()) && is_differentiable(scalar_type())))
    return assign_("copy_", *this, apply(CopyInto{}, *this, src));
  RawScope raw;
  Tensor from = src.sizes() == sizes() ? src : src.expand(sizes());
  if (shared) from = from.clone();
  write(*this, from);
  impl_->storage->bump("copy_", thread_state.step);
  return self();
}

Tensor& Tensor::fill_(const Scalar& value) const { return fill_value("fill_", *this, value); }
Tensor& Tensor::zero_() const { return fill_value("zero_", *this, 0, true); }
Tensor& Tensor::fill_(const Tensor& value) const {
  check_defined(*this, "fill_", "self");
  check_defined(value, "fill_", "value");
  check(value.dim() == 0, "fill_: only supports 0-dimension value tensor but got tensor with ", value.dim(),
        " dimensions.");
  if (no_data(*this) && !tracked(value.impl())) return fill_value("fill_", *this, 0);
  if (is_batched(value)) {
    const Tensor* const in[] = {&value};
    batching::check_holds("fill_", *this, batching::varying(in, 1));
    if (!thread_state.grad_mode || !tracked(value.impl())) return copy_(value);
  }
  if (!thread_state.grad_mode || !tracked(value.impl()))
    return fill_value("fill_", *this,
                      autograd::provided::cast(value, scalar_type()).item());  // where a number must fit
  check_writable(*this, "fill_");
  return assign_("fill_", *this, apply(Fill{}, *this, value.to(scalar_type())));
}

Tensor& Tensor::operator=(const Tensor& o) && { return copy_(o); }
Tensor& Tensor::operator=(const Scalar& s) && { return fill_(s); }

Tensor& Tensor::fill_diagonal_(const Scalar& value, bool wrap) const {
  check_defined(*this, "fill_diagonal_", "self");
  check(dim() >= 2, "fill_diagonal_: dimensions must larger than 1, got shape ", sizes());
  int64_t n = size(0), step = 0;
  for (int64_t d = 0; d < dim(); ++d) {
    check(dim() == 2 || size(d) == size(0), "fill_diagonal_: all dimensions of input must be of equal length, got ",
          sizes());
    n = std::min(n, size(d));
    step += stride(d);
  }
  as_strided({n}, {step}, storage_offset()).fill_(value);
  if (wrap && dim() == 2 && size(0) > size(1) + 1)
    for (int64_t row = size(1) + 1; row < size(0); row += size(1) + 1)
      narrow(0, row, std::min(size(0) - row, size(1))).fill_diagonal_(value);
  return self();
}

Tensor& Tensor::set_data(const Tensor& other) const {
  check_defined(*this, "set_data", "self");
  check_defined(other, "set_data", "other");
  check(!requires_grad() || is_differentiable(other.scalar_type()),
        "set_data: data set to a tensor that requires gradients must be floating point dtype, got ",
        other.scalar_type());
  check(layout() == other.layout(),
        "Attempted to call `variable.set_data(tensor)`, but `variable` and `tensor` have incompatible tensor type: ",
        layout(), " and ", other.layout());
  check(!is_batched(impl_) && !is_batched(other), "set_data: tensors that are batched by vmap keep their data");
  if (taut::is_sparse(*this)) {
    SparseImpl& own = sparse::impl(*this);
    const SparseImpl& theirs = sparse::impl(other);
    own.indices = theirs.indices, own.others = theirs.others, own.values = theirs.values;
    own.coalesced = theirs.coalesced;
  }
  impl_->storage = other.impl_->storage;
  impl_->data = other.impl_->data;
  impl_->dtype = other.impl_->dtype;
  impl_->conj = other.impl_->conj;
  impl_->sizes = other.impl_->sizes;
  impl_->strides = other.impl_->strides;
  impl_->refresh();
  impl_->contiguous &= !taut::is_sparse(*this);
  if (autograd::AutogradMeta* m = autograd::find_meta(impl_); m && m->accumulator)
    m->accumulator->set_output_info(0, sizes(), scalar_type());
  return self();
}

Tensor& Tensor::set_(const TensorStorage& source) const {
  const auto room = static_cast<int64_t>(source.nbytes()) / element_size();
  return set_(source, 0, {room});
}
Tensor& Tensor::set_(const TensorStorage& source, int64_t storage_offset, IntArrayRef size, IntArrayRef stride) const {
  check_defined(*this, "set_", "self");
  const Tensor& behind = source.tensor_;
  const auto room = static_cast<int64_t>(source.nbytes()) / behind.element_size();
  const Tensor whole = behind.detach().as_strided({room}, {1}, 0).view(scalar_type());
  return set_data(
      whole.as_strided(size, stride.empty() ? IntArrayRef(contiguous_strides(size)) : stride, storage_offset));
}

Tensor& Tensor::resize_(IntArrayRef size, std::optional<MemoryFormat> format) const {
  check_defined(*this, "resize_", "self");
  if (format && *format != MemoryFormat::Contiguous && *format != MemoryFormat::Preserve) {
    check(size.size() == channels_last_dims(*format), "resize_: a tensor of ", size.size(),
          " dimensions cannot have its channels last");
    resize_(size);
    impl_->strides = channels_last_strides(size);
    impl_->refresh();
    return self();
  }
  check(!requires_grad(), "resize_: cannot resize variables that require grad");
  if (taut::is_sparse(*this)) impl_->throw_no_memory();
  if (sizes() != size && is_batched(impl_)) impl_->throw_no_memory();
  const int64_t n = checked_numel(size, "resize_");
  const int64_t need = (impl_->offset() + n) * element_size();
  if (sizes() == size) return self();
  autograd::leave_copies(*impl_->storage);
  const uint32_t version = impl_->storage->version();
  if (need > static_cast<int64_t>(impl_->storage->nbytes())) {
    const AsDry as(*this);
    Tensor grown = make(size, scalar_type(), "resize_");
    const Tensor flat = taut::alias(grown, {std::min(numel(), n)}, {1});
    RawScope raw;
    kernels::copy(view_of(flat), view_of(contiguous().view({-1}).narrow(0, 0, std::min(numel(), n))));
    impl_->storage = grown.impl_->storage;
    impl_->data = grown.impl_->data;
    impl_->storage->set_version(version);
  }
  impl_->storage->bump("resize_", thread_state.step);
  impl_->sizes.assign(size);
  impl_->strides = contiguous_strides(size);
  impl_->refresh();
  return self();
}

namespace autograd::provided {
Tensor cast(const Tensor& t, ScalarType dtype) {
  if (is_sparse(t) && t.is_complex() && !is_complex(dtype))
    return sparse::with_values(t, cast(sparse::value_part(t), dtype));
  return t.is_complex() && !is_complex(dtype) ? real(t).to(dtype) : t.to(dtype);  // a gradient of what is real is, too
}
Tensor dense_copy(const Tensor& t, const Tensor& wish) {
  if (thread_state.grad_mode || is_sparse(t) || is_sparse(wish) || is_batched(t) || is_batched(wish)) return t.clone();
  RawScope raw;
  const Tensor* const in[] = {&wish};
  Tensor y = Tensor::adopt(make_result(in, 1, t.sizes(), t.scalar_type(), "clone").detach());
  write(y, t);
  return y;
}
Tensor add(const Tensor& a, const Tensor& b) { return taut::add(a, b); }
void add_into(const Tensor& a, const Tensor& b) {
  RawScope raw;
  taut::add_(const_cast<Tensor&>(a), b);
}
Tensor ones_like(const Tensor& t) {
  const AsDry as(t);
  if (is_batched(t)) return taut::ones_like(t);
  return full(t.sizes(), 1, t.scalar_type());
}
Tensor zeros(IntArrayRef sizes, ScalarType dtype) { return taut::zeros(sizes, dtype); }
Tensor sum_to(const Tensor& t, IntArrayRef sizes) {
  if (is_sparse(t)) return sizes.empty() ? t.sum() : sum_to(to_dense(t), sizes);
  const auto extra = static_cast<size_t>(t.dim()) - sizes.size();
  Dims dims;
  for (size_t d = 0; d < extra; ++d) dims.push_back(static_cast<int64_t>(d));
  for (size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] == 1 && t.sizes()[extra + d] != 1) dims.push_back(static_cast<int64_t>(extra + d));
  Tensor r = dims.empty() ? t : t.sum(IntArrayRef(dims), true);
  return extra ? r.view(sizes) : r;
}
}  // namespace autograd::provided

}  // namespace taut
