// What a tensor says of itself: shape, memory, values.
#include "taut/tensor.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "ops/channels_last.h"
#include "ops/op.h"
#include "ops/promotion.h"
#include "ops/sparse.h"

namespace taut {

uint32_t Tensor::use_count() const { return impl_ ? impl_->refs.count() : 0; }

static const TensorImpl& shape_of(const Tensor& t, const char* what) {
  check(t.defined(), what, ": the tensor is undefined");
  return *t.impl();
}
int64_t Tensor::dim() const { return static_cast<int64_t>(shape_of(*this, "dim").sizes.size()); }
IntArrayRef Tensor::sizes() const { return shape_of(*this, "sizes").sizes; }
IntArrayRef Tensor::strides() const { return shape_of(*this, "strides").strides; }
int64_t Tensor::size(int64_t d) const {
  check<IndexError>(dim() > 0, "size: Dimension specified as ", d, " but tensor has no dimensions");
  return impl_->sizes[static_cast<size_t>(wrap_dim(d, dim(), "size"))];
}
int64_t Tensor::stride(int64_t d) const {
  check<IndexError>(dim() > 0, "stride: Dimension specified as ", d, " but tensor has no dimensions");
  return impl_->strides[static_cast<size_t>(wrap_dim(d, dim(), "stride"))];
}
Layout Tensor::layout() const {
  const Layout layout = shape_of(*this, "layout").layout;
  return layout == kBatched ? kStrided : layout;
}
int64_t Tensor::numel() const { return shape_of(*this, "numel").numel; }
int64_t Tensor::storage_offset() const { return shape_of(*this, "storage_offset").offset(); }
/// The first item.
static Tensor without_levels(const Tensor& t) {
  const TensorImpl& i = *t.impl();
  return Tensor::adopt(make_alias(i, HiddenDims(), i.sizes, i.strides, i.data).detach());
}
bool Tensor::is_contiguous(MemoryFormat format) const {
  const TensorImpl& t = shape_of(*this, "is_contiguous");
  if (format == MemoryFormat::Contiguous || format == MemoryFormat::Preserve)
    return is_batched(&t) ? without_levels(*this).impl()->contiguous : t.contiguous;
  return t.sizes.size() == channels_last_dims(format) && channels_moved_last(*this).is_contiguous();
}
MemoryFormat Tensor::suggest_memory_format(bool) const {
  if (is_contiguous()) return MemoryFormat::Contiguous;
  for (const MemoryFormat format : {MemoryFormat::ChannelsLast, MemoryFormat::ChannelsLast3d})
    if (is_contiguous(format)) return format;
  return MemoryFormat::Contiguous;
}
bool Tensor::is_non_overlapping_and_dense() const {
  std::vector<std::pair<int64_t, int64_t>> steps;  // strides and sizes, from the innermost dimension on
  for (int64_t d = 0; d < dim(); ++d)
    if (size(d) != 1) steps.emplace_back(stride(d), size(d));
  if (numel() == 0) return true;
  std::sort(steps.begin(), steps.end());
  int64_t expected = 1;
  for (const auto& [step, count] : steps)
    if (std::exchange(expected, expected * count) != step) return false;
  return true;
}
const std::string& Tensor::name() const {
  static const std::string none;
  return none;
}
bool Tensor::is_meta() const { return shape_of(*this, "device").is_meta(); }
static const Storage& storage_of(const Tensor& t) {
  const TensorImpl& impl = shape_of(t, "storage");
  check<NotImplementedError>(!is_sparse(&impl), "Cannot access storage of ",
                             t.is_sparse() ? "SparseTensorImpl" : "SparseCsrTensorImpl",
                             ". Use the storages of its indices and values.");
  return *impl.storage;
}
const void* TensorStorage::data() const {
  const Storage& s = storage_of(tensor_);
  return s.is_meta() ? nullptr : s.data();
}
size_t TensorStorage::nbytes() const { return storage_of(tensor_).nbytes(); }
size_t Tensor::nbytes() const { return static_cast<size_t>(numel() * element_size()); }
int64_t Tensor::element_size() const { return taut::element_size(scalar_type()); }
ScalarType Tensor::scalar_type() const { return shape_of(*this, "scalar_type").dtype; }
TensorOptions Tensor::options() const { return TensorOptions(scalar_type()).device(device()).layout(layout()); }
bool Tensor::is_signed() const {
  return scalar_type() != kBool && !is_unsigned(scalar_type()) && scalar_type() != kFloat8_e8m0fnu;
}
bool Tensor::is_alias_of(const Tensor& o) const { return impl_->storage->data() == o.impl_->storage->data(); }
void* Tensor::data_ptr() const {
  void* const data = shape_of(*this, "data_ptr").view().data;
  return impl_->is_meta() && !dry ? nullptr : data;
}
void* Tensor::checked_data(ScalarType t) const {
  check(scalar_type() == t, "data_ptr: expected scalar type ", t, " but found ", scalar_type(),
        ". Convert first: x.to(...).");
  if (impl_->is_meta()) throw_no_data();
  return impl_->view().data;
}

/// Numbers that differ from item to item cannot be read.
static void check_same_items(const Tensor& t, const char* message) {
  for (const HiddenDim& h : hidden_of(*t.impl())) check(!h.varies(), message);
}
Scalar Tensor::item() const {
  if (numel() != 1)
    throw Error(str("a Tensor with ", numel(), " elements cannot be converted to Scalar: item() of shape ", sizes()));
  check(!is_meta() && !dry, "Tensor.item() cannot be called on meta tensors");
  if (is_batched(impl_)) [[unlikely]] {
    check_same_items(*this,
                     "vmap: It looks like you're calling .item() on a Tensor. We don't support vmap over calling "
                     ".item() on a Tensor, please try to rewrite what you're doing with other operations. If error is "
                     "occurring somewhere inside PyTorch internals, please file a bug report.");
    return without_levels(*this).item();
  }
  if (taut::is_sparse(impl_)) return sparse::dense(*this).item();
  if (is_complex()) {
    RawScope raw;
    const Tensor z = resolve_conj().to(kComplexDouble);
    return *static_cast<const Complex<double>*>(z.impl_->data);
  }
  if (is_float8(impl_->dtype)) return float8_to_float(*static_cast<uint8_t*>(impl_->data), impl_->dtype);
  if (is_limited(impl_->dtype))
    return visit_dtype(bits_type(impl_->dtype), [&]<class T>(T) {
      if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
        return Scalar(*static_cast<std::make_unsigned_t<T>*>(impl_->data));
      else return Scalar();
    });
  return visit_dtype(impl_->dtype, [&](auto e) { return Scalar(*static_cast<decltype(e)*>(impl_->data)); });
}
bool Tensor::is_nonzero() const {
  check(numel() != 0, "Boolean value of Tensor with no values is ambiguous");
  check(numel() == 1, "Boolean value of Tensor with more than one value is ambiguous: its shape is ", sizes(),
        ". Use any() or all().");
  check_same_items(
      *this,
      "vmap: It looks like you're attempting to use a Tensor in some data-dependent control flow. We don't "
      "support that yet, please file an issue at https://github.com/pytorch/pytorch/issues .");
  return item().toBool();
}
bool is_nonzero(const Tensor& self) { return self.is_nonzero(); }

bool equal(const Tensor& self, const Tensor& other) {
  check<NotImplementedError>(
      !self.is_meta() && !other.is_meta(),
      "aten::equal: attempted to run this operator with Meta tensors, but there was no fake impl "
      "or Meta kernel registered");
  if (!(self.sizes() == other.sizes())) return false;
  RawScope raw;
  return self.eq(other).all().item<bool>();
}
bool allclose(const Tensor& self, const Tensor& other, double rtol, double atol, bool equal_nan) {
  RawScope raw;
  return isclose(self, other, rtol, atol, equal_nan).all().item<bool>();
}
bool Tensor::equal(const Tensor& other) const { return taut::equal(*this, other); }
bool Tensor::allclose(const Tensor& other, double rtol, double atol, bool equal_nan) const {
  return taut::allclose(*this, other, rtol, atol, equal_nan);
}

}  // namespace taut
