// The Tensor: a handle to a strided array that autograd can follow. Copies share the array.
#pragma once
#include <concepts>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "taut/core/array_ref.h"
#include "taut/core/dtype.h"
#include "taut/core/error.h"
#include "taut/core/ref.h"
#include "taut/core/scalar.h"
#include "taut/ops.h"
#include "taut/options.h"

namespace taut {

struct TensorImpl;
namespace autograd {
class Node;
}
namespace indexing {
class TensorIndex;
}
class TensorStorage;

/// What Tensor::type() gives: a dtype by its old name, "CPUFloatType".
class DeprecatedTypeProperties {
 public:
  explicit DeprecatedTypeProperties(ScalarType t) : type_(t) {}
  ScalarType scalarType() const { return type_; }
  operator ScalarType() const { return type_; }
  bool is_cuda() const { return false; }
  std::string toString() const;
  friend bool operator==(DeprecatedTypeProperties a, DeprecatedTypeProperties b) { return a.type_ == b.type_; }

 private:
  ScalarType type_;
};
std::ostream& operator<<(std::ostream& out, const DeprecatedTypeProperties& type);

/// Element access without checks, for loops: `auto a = x.accessor<float, 2>(); a[i][j]`.
template <class T, size_t N>
class TensorAccessor {
 public:
  TensorAccessor(T* data, const int64_t* sizes, const int64_t* strides)
      : data_(data), sizes_(sizes), strides_(strides) {}
  decltype(auto) operator[](int64_t i) const {
    if constexpr (N == 1) return (data_[i * strides_[0]]);
    else return TensorAccessor<T, N - 1>(data_ + i * strides_[0], sizes_ + 1, strides_ + 1);
  }
  int64_t size(int64_t d) const { return sizes_[d]; }
  int64_t stride(int64_t d) const { return strides_[d]; }
  IntArrayRef sizes() const { return {sizes_, N}; }
  IntArrayRef strides() const { return {strides_, N}; }
  T* data() const { return data_; }

 private:
  T* data_;
  const int64_t *sizes_, *strides_;
};

/// What kind of pointer an accessor holds: a plain one, whatever is asked for.
template <class T>
struct DefaultPtrTraits {
  using PtrType = T*;
};
template <class T>
struct RestrictPtrTraits {
  using PtrType = T*;
};
template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
using PackedTensorAccessor32 = TensorAccessor<T, N>;
template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
using PackedTensorAccessor64 = TensorAccessor<T, N>;

class Tensor {
 public:
  /// An undefined tensor: no array at all.
  Tensor() = default;
  Tensor(const Tensor& o) : impl_(o.impl_) {
    if (impl_) retain(impl_);
  }
  Tensor(Tensor&& o) noexcept : impl_(std::exchange(o.impl_, nullptr)) {}
  Tensor& operator=(const Tensor& o) & {
    Tensor(o).swap(*this);
    return *this;
  }
  Tensor& operator=(Tensor&& o) & noexcept {
    Tensor(std::move(o)).swap(*this);
    return *this;
  }
  ~Tensor() {
    if (impl_) release(impl_);
  }
  void swap(Tensor& o) noexcept { std::swap(impl_, o.impl_); }
  /// `x[0] = y` writes y into x, as libtorch does.
  Tensor& operator=(const Tensor& o) &&;
  Tensor& operator=(const Scalar& s) &&;

  bool defined() const { return impl_ != nullptr; }
  bool is_same(const Tensor& o) const { return impl_ == o.impl_; }
  void reset() { Tensor().swap(*this); }
  /// Which tensor this is: the key of an optimiser's state.
  TensorImpl* unsafeGetTensorImpl() const { return impl_; }
  uint32_t use_count() const;
  uint32_t weak_use_count() const { return defined() ? 1 : 0; }
  bool is_uniquely_owned() const { return use_count() == 1; }

  // Shape and memory.
  int64_t dim() const;
  int64_t ndimension() const { return dim(); }
  IntArrayRef sizes() const;
  IntArrayRef strides() const;
  // Sizes are numbers, never symbols.
  IntArrayRef sym_sizes() const { return sizes(); }
  IntArrayRef sym_strides() const { return strides(); }
  int64_t sym_size(int64_t dim) const { return size(dim); }
  int64_t sym_numel() const { return numel(); }
  int64_t sym_storage_offset() const { return storage_offset(); }
  int64_t size(int64_t dim) const;
  int64_t stride(int64_t dim) const;
  int64_t numel() const;
  int64_t storage_offset() const;
  bool is_contiguous(MemoryFormat = MemoryFormat::Contiguous) const;
  bool is_contiguous_or_false(MemoryFormat format = MemoryFormat::Contiguous) const { return is_contiguous(format); }
  /// Are the elements a block of memory, in whatever order of dimensions?
  bool is_non_overlapping_and_dense() const;
  bool is_same_size(const Tensor& o) const { return sizes() == o.sizes(); }
  size_t nbytes() const;
  int64_t element_size() const;
  int64_t itemsize() const { return element_size(); }
  ScalarType scalar_type() const;
  TypeMeta dtype() const { return scalar_type(); }
  DeprecatedTypeProperties type() const { return DeprecatedTypeProperties(scalar_type()); }
  Device device() const { return is_meta() ? kMeta : kCPU; }
  int64_t get_device() const { return -1; }
  /// A tensor has no name of its own.
  const std::string& name() const;
  Layout layout() const;
  bool is_cpu() const { return !is_meta(); }
  bool is_cuda() const { return false; }
  bool is_mps() const { return false; }
  bool is_xpu() const { return false; }
  bool is_hip() const { return false; }
  bool is_lazy() const { return false; }
  bool is_metal() const { return false; }
  bool is_fake() const { return false; }
  bool is_distributed() const { return false; }
  bool is_variable() const { return defined(); }
  bool is_xla() const { return false; }
  bool is_vulkan() const { return false; }
  /// Has it a shape and a type but no memory?
  bool is_meta() const;
  bool is_mkldnn() const { return false; }
  bool is_sparse() const { return layout() == kSparse; }
  bool is_sparse_csr() const { return layout() == kSparseCsr; }
  // Of sparse tensors (taut/sparse.h): the dimensions that have indices, those of a value, and how many values there
  // are.
  int64_t sparse_dim() const;
  int64_t dense_dim() const;
  int64_t _nnz() const;
  int64_t _dimI() const { return sparse_dim(); }
  int64_t _dimV() const { return dense_dim(); }
  bool is_coalesced() const;
  Tensor indices() const;
  Tensor values() const;
  Tensor& _coalesced_(bool coalesced) const;
  const Tensor& sparse_resize_(IntArrayRef size, int64_t sparse_dim, int64_t dense_dim) const;
  const Tensor& sparse_resize_and_clear_(IntArrayRef size, int64_t sparse_dim, int64_t dense_dim) const;
  bool is_quantized() const { return false; }
  bool is_nested() const { return false; }
  bool is_pinned(std::optional<Device> = std::nullopt) const { return false; }
  /// The tensor itself: there is no other memory.
  Tensor pin_memory(std::optional<Device> = std::nullopt) const { return *this; }
  Tensor& share_memory_() const { return self(); }
  /// ChannelsLast where the strides are those, Contiguous otherwise.
  MemoryFormat suggest_memory_format(bool channels_last_strides_exact_match = false) const;
  TensorOptions options() const;
  bool is_floating_point() const { return taut::is_floating_point(scalar_type()); }
  bool is_complex() const { return taut::is_complex(scalar_type()); }
  /// Are its numbers the conjugates of those in memory?
  bool is_conj() const;
  bool is_neg() const { return false; }
  bool is_signed() const;
  bool has_storage() const { return defined() && layout() == kStrided; }
  TensorStorage storage() const;
  bool is_alias_of(const Tensor& o) const;
  bool is_set_to(const Tensor& o) const {
    return is_alias_of(o) && storage_offset() == o.storage_offset() && sizes() == o.sizes() && strides() == o.strides();
  }
  /// Where the first element is; null for a meta tensor.
  void* data_ptr() const;
  template <class T>
  T* data_ptr() const {
    return static_cast<T*>(checked_data(dtype_of<std::remove_const_t<T>>));
  }
  template <class T>
  T* mutable_data_ptr() const {
    return data_ptr<T>();
  }
  template <class T>
  const T* const_data_ptr() const {
    return data_ptr<T>();
  }
  template <class T>
  T* data() const {
    return data_ptr<T>();
  }
  const void* const_data_ptr() const { return data_ptr(); }
  void* mutable_data_ptr() const { return data_ptr(); }
  template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
  TensorAccessor<T, N> packed_accessor32() const {
    return accessor<T, N>();
  }
  template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
  TensorAccessor<T, N> packed_accessor64() const {
    return accessor<T, N>();
  }
  template <class T, size_t N>
  TensorAccessor<T, N> accessor() const {
    check(dim() == static_cast<int64_t>(N), "accessor: expected ", N, " dims but the tensor has ", dim());
    return {data_ptr<T>(), sizes().data(), strides().data()};
  }
  /// The value of a tensor with one element.
  Scalar item() const;
  template <class T>
  T item() const {
    return item().to<T>();
  }
  bool is_nonzero() const;
  bool equal(const Tensor& other) const;
  bool allclose(const Tensor& other, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false) const;
  std::string toString() const;
  void print() const;

  // Copies and conversions.
  Tensor contiguous(MemoryFormat = MemoryFormat::Contiguous) const;
  Tensor clone(std::optional<MemoryFormat> = std::nullopt) const;
  Tensor to(ScalarType dtype, bool non_blocking = false, bool copy = false,
            std::optional<MemoryFormat> format = std::nullopt) const;
  Tensor to(TypeMeta dtype, bool non_blocking = false, bool copy = false,
            std::optional<MemoryFormat> format = std::nullopt) const {
    return to(static_cast<ScalarType>(dtype), non_blocking, copy, format);
  }
  Tensor to(Device device, ScalarType dtype, bool non_blocking = false, bool copy = false,
            std::optional<MemoryFormat> format = std::nullopt) const;
  Tensor to(Device device, bool non_blocking = false, bool copy = false,
            std::optional<MemoryFormat> format = std::nullopt) const;
  Tensor to(DeviceType device, bool non_blocking = false, bool copy = false,
            std::optional<MemoryFormat> format = std::nullopt) const {
    return to(Device(device), non_blocking, copy, format);
  }
  Tensor to(const TensorOptions& options, bool non_blocking = false, bool copy = false,
            std::optional<MemoryFormat> format = std::nullopt) const;
  Tensor to(const Tensor& other, bool non_blocking = false, bool copy = false,
            std::optional<MemoryFormat> format = std::nullopt) const;
  Tensor type_as(const Tensor& other) const { return to(other.scalar_type()); }
  Tensor toType(ScalarType t) const { return to(t); }
  Tensor cpu() const { return to(Device()); }
  /// Throws: there is no such device.
  Tensor cuda() const { return to(Device(kCUDA)); }
  Tensor& copy_(const Tensor& src, bool non_blocking = false) const;
  Tensor& fill_(const Scalar& value) const;
  Tensor& fill_(const Tensor& value) const;
  Tensor& zero_() const;
  Tensor& fill_diagonal_(const Scalar& value, bool wrap = false) const;
  Tensor& set_data(const Tensor& other) const;
  Tensor& set_(const Tensor& source) const { return set_data(source); }
  /// Looks at memory from its first element on, or at a part of it.
  Tensor& set_(const TensorStorage& source) const;
  Tensor& set_(const TensorStorage& source, int64_t storage_offset, IntArrayRef size, IntArrayRef stride = {}) const;
  Tensor& resize_(IntArrayRef size, std::optional<MemoryFormat> format = std::nullopt) const;
  Tensor& resize_as_(const Tensor& other, std::optional<MemoryFormat> format = std::nullopt) const {
    return resize_(other.sizes(), format);
  }
  Tensor new_empty(IntArrayRef size, TensorOptions options = {}) const;
  Tensor new_empty_strided(IntArrayRef size, IntArrayRef stride, TensorOptions options = {}) const;
  Tensor new_zeros(IntArrayRef size, TensorOptions options = {}) const;
  Tensor new_ones(IntArrayRef size, TensorOptions options = {}) const;
  Tensor new_full(IntArrayRef size, const Scalar& value, TensorOptions options = {}) const;
  Tensor new_tensor(const Tensor& data, TensorOptions options = {}) const;

  // Random numbers, in place.
  Tensor& uniform_(double from = 0, double to = 1, std::optional<Generator> generator = std::nullopt) const;
  Tensor& normal_(double mean = 0, double std = 1, std::optional<Generator> generator = std::nullopt) const;
  Tensor& random_(std::optional<Generator> generator = std::nullopt) const;
  Tensor& random_(int64_t to, std::optional<Generator> generator = std::nullopt) const;
  Tensor& random_(int64_t from, std::optional<int64_t> to, std::optional<Generator> generator = std::nullopt) const;
  Tensor& bernoulli_(double p = 0.5, std::optional<Generator> generator = std::nullopt) const;
  Tensor& bernoulli_(const Tensor& p, std::optional<Generator> generator = std::nullopt) const;
  Tensor& exponential_(double lambd = 1, std::optional<Generator> generator = std::nullopt) const;
  Tensor& geometric_(double p, std::optional<Generator> generator = std::nullopt) const;
  Tensor& log_normal_(double mean = 1, double std = 2, std::optional<Generator> generator = std::nullopt) const;
  Tensor& cauchy_(double median = 0, double sigma = 1, std::optional<Generator> generator = std::nullopt) const;
  Tensor multinomial(int64_t num_samples, bool replacement = false,
                     std::optional<Generator> generator = std::nullopt) const;
  Tensor bernoulli(std::optional<Generator> generator = std::nullopt) const;
  Tensor bernoulli(double p, std::optional<Generator> generator = std::nullopt) const;

  // Indexing.
  Tensor operator[](int64_t index) const;
  Tensor operator[](const Scalar& index) const { return (*this)[index.toLong()]; }
  Tensor operator[](const Tensor& index) const;
  Tensor index(ArrayRef<indexing::TensorIndex> indices) const;
  Tensor index(std::initializer_list<indexing::TensorIndex> indices) const;
  Tensor& index_put_(ArrayRef<indexing::TensorIndex> indices, const Tensor& values, bool accumulate = false) const;
  Tensor& index_put_(ArrayRef<indexing::TensorIndex> indices, const Scalar& value) const;
  Tensor& index_put_(std::initializer_list<indexing::TensorIndex> indices, const Tensor& values) const;
  Tensor& index_put_(std::initializer_list<indexing::TensorIndex> indices, const Scalar& value) const;
  Tensor index_put(ArrayRef<indexing::TensorIndex> indices, const Tensor& values, bool accumulate = false) const;
  Tensor index_put(std::initializer_list<indexing::TensorIndex> indices, const Tensor& values,
                   bool accumulate = false) const;

  // Autograd.
  bool requires_grad() const;
  const Tensor& requires_grad_(bool requires_grad = true) const;
  Tensor& set_requires_grad(bool requires_grad) const;
  bool is_leaf() const;
  /// The node that made this tensor; null for a leaf.
  Ref<autograd::Node> grad_fn() const;
  int64_t output_nr() const;
  /// The accumulated gradient; undefined when there is none.
  const Tensor& grad() const;
  Tensor& mutable_grad() const;
  void backward(OptionalTensor gradient = std::nullopt, std::optional<bool> retain_graph = std::nullopt,
                bool create_graph = false, std::optional<TensorList> inputs = std::nullopt) const;
  Tensor detach() const;
  Tensor& detach_() const;
  /// The same memory outside autograd: writes through it are not noticed.
  Tensor data() const;
  Tensor variable_data() const { return data(); }
  Tensor tensor_data() const { return data(); }
  void retain_grad() const;
  bool retains_grad() const;
  /// Calls `hook` with the gradient whenever it is computed; a returned tensor replaces it. The result is a handle for
  /// remove_hook.
  template <class F>
  unsigned register_hook(F&& hook) const {
    if constexpr (std::is_void_v<std::invoke_result_t<F&, Tensor>>)
      return add_hook([f = std::forward<F>(hook)](const Tensor& g) mutable { return f(g), Tensor(); });
    else return add_hook([f = std::forward<F>(hook)](const Tensor& g) mutable { return Tensor(f(g)); });
  }
  /// Calls `hook` with this leaf after its .grad has been accumulated into.
  unsigned register_post_accumulate_grad_hook(std::function<void(const Tensor&)> hook) const;
  void remove_hook(unsigned handle) const;
  bool is_view() const;
  Tensor _base() const;
  uint32_t _version() const;
  bool is_inference() const;

  // Matrix transposes.
  Tensor mT() const;
  Tensor mH() const;
  Tensor H() const;
  Tensor matrix_H() const { return H(); }
  Tensor T() const { return numpy_T(); }
  Tensor numpy_T() const;

  Tensor operator-() const { return neg(); }
  Tensor operator~() const { return bitwise_not(); }
  Tensor& operator+=(const Tensor& o) { return add_(o); }
  Tensor& operator+=(const Scalar& o) { return add_(o); }
  Tensor& operator-=(const Tensor& o) { return sub_(o); }
  Tensor& operator-=(const Scalar& o) { return sub_(o); }
  Tensor& operator*=(const Tensor& o) { return mul_(o); }
  Tensor& operator*=(const Scalar& o) { return mul_(o); }
  Tensor& operator/=(const Tensor& o) { return div_(o); }
  Tensor& operator/=(const Scalar& o) { return div_(o); }
  Tensor& operator&=(const Tensor& o) { return bitwise_and_(o); }
  Tensor& operator&=(const Scalar& o) { return bitwise_and_(o); }
  Tensor& operator|=(const Tensor& o) { return bitwise_or_(o); }
  Tensor& operator|=(const Scalar& o) { return bitwise_or_(o); }
  Tensor& operator^=(const Tensor& o) { return bitwise_xor_(o); }
  Tensor& operator^=(const Scalar& o) { return bitwise_xor_(o); }

  // Every op that libtorch has as a method: those that are spelt otherwise than their functions, then all others.
  Tensor polygamma(int64_t n) const { return taut::polygamma(n, *this); }
  Tensor& polygamma_(int64_t n) const { return copy_(taut::polygamma(n, *this)); }
  Tensor alias() const { return view(sizes()); }
  Tensor where(const Tensor& condition, const Tensor& other) const { return taut::where(condition, *this, other); }
  Tensor where(const Tensor& condition, const Scalar& other) const { return taut::where(condition, *this, other); }
  Tensor var(std::same_as<bool> auto unbiased) const {
    return taut::var(*this, std::nullopt, static_cast<bool>(unbiased));
  }
  Tensor std(std::same_as<bool> auto unbiased) const {
    return taut::std(*this, std::nullopt, static_cast<bool>(unbiased));
  }
  Tensor stft(int64_t n_fft, std::optional<int64_t> hop_length, std::optional<int64_t> win_length,
              OptionalTensor window, bool normalized, std::optional<bool> onesided,
              std::optional<bool> return_complex = std::nullopt,
              std::optional<bool> align_to_window = std::nullopt) const {
    return taut::stft(*this, n_fft, hop_length, win_length, window, normalized, onesided, return_complex,
                      align_to_window);
  }
  Tensor norm(const std::optional<Scalar>& p, ScalarType dtype) const { return taut::norm(*this, p, dtype); }
  Tensor norm(const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim, ScalarType dtype) const {
    return taut::norm(*this, p, dim, keepdim, dtype);
  }
  Tensor slice(int64_t dim = 0, std::optional<int64_t> start = std::nullopt, std::optional<int64_t> end = std::nullopt,
               int64_t step = 1) const {
    return taut::slice(*this, dim, start, end, step);
  }
#include "taut/ops/methods.inc"

  /// For the library itself.
  TensorImpl* impl() const { return impl_; }
  static Tensor adopt(TensorImpl* impl) {
    Tensor t;
    t.impl_ = impl;
    return t;
  }
  TensorImpl* take() { return std::exchange(impl_, nullptr); }

 private:
  Tensor& self() const { return const_cast<Tensor&>(*this); }
  static void retain(TensorImpl* p);
  static void release(TensorImpl* p);
  void* checked_data(ScalarType t) const;
  unsigned add_hook(std::function<Tensor(const Tensor&)> hook) const;
  TensorImpl* impl_ = nullptr;
};

// A plain bool only: a number would be a dimension.
#define TAUT_UNBIASED(name)                                                \
  inline auto name(const Tensor& self, std::same_as<bool> auto unbiased) { \
    return name(self, std::nullopt, static_cast<bool>(unbiased), false);   \
  }
TAUT_UNBIASED(var)
TAUT_UNBIASED(std)
TAUT_UNBIASED(var_mean)
TAUT_UNBIASED(std_mean)
#undef TAUT_UNBIASED

#define TAUT_OPERATOR(op, name)                                                      \
  inline Tensor operator op(const Tensor& a, const Tensor& b) { return name(a, b); } \
  inline Tensor operator op(const Tensor& a, const Scalar& b) { return name(a, b); } \
  Tensor operator op(const Scalar& a, const Tensor& b);
TAUT_OPERATOR(+, add)
TAUT_OPERATOR(-, sub)
TAUT_OPERATOR(*, mul)
TAUT_OPERATOR(/, div)
TAUT_OPERATOR(%, remainder)
TAUT_OPERATOR(&, bitwise_and)
TAUT_OPERATOR(|, bitwise_or)
TAUT_OPERATOR(^, bitwise_xor)
TAUT_OPERATOR(==, eq)
TAUT_OPERATOR(!=, ne)
TAUT_OPERATOR(<, lt)
TAUT_OPERATOR(<=, le)
TAUT_OPERATOR(>, gt)
TAUT_OPERATOR(>=, ge)
#undef TAUT_OPERATOR

std::ostream& operator<<(std::ostream& out, const Tensor& t);

/// The address of memory.
class DataPtr {
 public:
  explicit DataPtr(void* p, Device device = {}) : p_(p), device_(device) {}
  void* get() const { return p_; }
  void* mutable_get() const { return p_; }
  void* operator->() const { return p_; }
  operator void*() const { return p_; }
  Device device() const { return device_; }

 private:
  void* p_;
  Device device_;
};

/// The memory behind a tensor and its views, from its first byte on.
class TensorStorage {
 public:
  explicit TensorStorage(Tensor t) : tensor_(std::move(t)) {}
  const void* data() const;
  void* mutable_data() const { return const_cast<void*>(data()); }
  DataPtr data_ptr() const { return DataPtr(mutable_data(), device()); }
  size_t nbytes() const;
  Device device() const { return tensor_.device(); }
  bool is_alias_of(const TensorStorage& o) const { return tensor_.is_alias_of(o.tensor_); }
  explicit operator bool() const { return tensor_.defined(); }

 private:
  friend class Tensor;
  Tensor tensor_;
};
inline TensorStorage Tensor::storage() const { return TensorStorage(*this); }

}  // namespace taut
