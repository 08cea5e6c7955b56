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
  uint32_t use_count() const;

  // Shape and memory.
  int64_t dim() const;
  int64_t ndimension() const { return dim(); }
  IntArrayRef sizes() const;
  IntArrayRef strides() const;
  int64_t size(int64_t dim) const;
  int64_t stride(int64_t dim) const;
  int64_t numel() const;
  int64_t storage_offset() const;
  bool is_contiguous(MemoryFormat = MemoryFormat::Contiguous) const;
  size_t nbytes() const;
  int64_t element_size() const;
  int64_t itemsize() const { return element_size(); }
  ScalarType scalar_type() const;
  ScalarType dtype() const { return scalar_type(); }
  Device device() const { return {}; }
  Layout layout() const { return kStrided; }
  bool is_cpu() const { return true; }
  bool is_cuda() const { return false; }
  TensorOptions options() const;
  bool is_floating_point() const { return taut::is_floating_point(scalar_type()); }
  bool is_complex() const { return false; }
  bool is_signed() const;
  bool has_storage() const { return defined(); }
  bool is_alias_of(const Tensor& o) const;
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
  Tensor to(ScalarType dtype, bool non_blocking = false, bool copy = false) const;
  Tensor to(Device device, ScalarType dtype, bool non_blocking = false, bool copy = false) const;
  Tensor to(Device device, bool non_blocking = false, bool copy = false) const;
  Tensor to(const TensorOptions& options, bool non_blocking = false, bool copy = false) const;
  Tensor to(const Tensor& other, bool non_blocking = false, bool copy = false) const;
  Tensor type_as(const Tensor& other) const { return to(other.scalar_type()); }
  Tensor toType(ScalarType t) const { return to(t); }
  Tensor cpu() const { return *this; }
  Tensor& copy_(const Tensor& src, bool non_blocking = false) const;
  Tensor& fill_(const Scalar& value) const;
  Tensor& fill_(const Tensor& value) const;
  Tensor& zero_() const;
  Tensor& fill_diagonal_(const Scalar& value, bool wrap = false) const;
  Tensor& set_data(const Tensor& other) const;
  Tensor& resize_(IntArrayRef size) const;
  Tensor new_empty(IntArrayRef size, TensorOptions options = {}) const;
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
  Tensor mH() const { return mT(); }
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

  // Arithmetic.
  Tensor add(const Tensor& other, const Scalar& alpha = 1) const { return taut::add(*this, other, alpha); }
  Tensor add(const Scalar& other, const Scalar& alpha = 1) const { return taut::add(*this, other, alpha); }
  Tensor& add_(const Tensor& other, const Scalar& alpha = 1) const { return taut::add_(self(), other, alpha); }
  Tensor& add_(const Scalar& other, const Scalar& alpha = 1) const { return taut::add_(self(), other, alpha); }
  Tensor sub(const Tensor& other, const Scalar& alpha = 1) const { return taut::sub(*this, other, alpha); }
  Tensor sub(const Scalar& other, const Scalar& alpha = 1) const { return taut::sub(*this, other, alpha); }
  Tensor& sub_(const Tensor& other, const Scalar& alpha = 1) const { return taut::sub_(self(), other, alpha); }
  Tensor& sub_(const Scalar& other, const Scalar& alpha = 1) const { return taut::sub_(self(), other, alpha); }
  Tensor mul(const Tensor& other) const { return taut::mul(*this, other); }
  Tensor mul(const Scalar& other) const { return taut::mul(*this, other); }
  Tensor& mul_(const Tensor& other) const { return taut::mul_(self(), other); }
  Tensor& mul_(const Scalar& other) const { return taut::mul_(self(), other); }
  Tensor div(const Tensor& other) const { return taut::div(*this, other); }
  Tensor div(const Tensor& other, std::optional<std::string_view> rounding_mode) const {
    return taut::div(*this, other, rounding_mode);
  }
  Tensor div(const Scalar& other) const { return taut::div(*this, other); }
  Tensor div(const Scalar& other, std::optional<std::string_view> rounding_mode) const {
    return taut::div(*this, other, rounding_mode);
  }
  Tensor& div_(const Tensor& other) const { return taut::div_(self(), other); }
  Tensor& div_(const Tensor& other, std::optional<std::string_view> rounding_mode) const {
    return taut::div_(self(), other, rounding_mode);
  }
  Tensor& div_(const Scalar& other) const { return taut::div_(self(), other); }
  Tensor& div_(const Scalar& other, std::optional<std::string_view> rounding_mode) const {
    return taut::div_(self(), other, rounding_mode);
  }
  Tensor neg() const { return taut::neg(*this); }
  Tensor& neg_() const { return taut::neg_(self()); }
  Tensor abs() const { return taut::abs(*this); }
  Tensor& abs_() const { return taut::abs_(self()); }
  Tensor sign() const { return taut::sign(*this); }
  Tensor& sign_() const { return taut::sign_(self()); }
  Tensor sgn() const { return taut::sgn(*this); }
  Tensor& sgn_() const { return taut::sgn_(self()); }
  Tensor positive() const { return taut::positive(*this); }
  Tensor pow(const Tensor& exponent) const { return taut::pow(*this, exponent); }
  Tensor pow(const Scalar& exponent) const { return taut::pow(*this, exponent); }
  Tensor& pow_(const Scalar& exponent) const { return taut::pow_(self(), exponent); }
  Tensor& pow_(const Tensor& exponent) const { return taut::pow_(self(), exponent); }
  Tensor float_power(const Tensor& exponent) const { return taut::float_power(*this, exponent); }
  Tensor float_power(const Scalar& exponent) const { return taut::float_power(*this, exponent); }
  Tensor& float_power_(const Scalar& exponent) const { return taut::float_power_(self(), exponent); }
  Tensor& float_power_(const Tensor& exponent) const { return taut::float_power_(self(), exponent); }
  Tensor square() const { return taut::square(*this); }
  Tensor& square_() const { return taut::square_(self()); }
  Tensor sqrt() const { return taut::sqrt(*this); }
  Tensor& sqrt_() const { return taut::sqrt_(self()); }
  Tensor rsqrt() const { return taut::rsqrt(*this); }
  Tensor& rsqrt_() const { return taut::rsqrt_(self()); }
  Tensor reciprocal() const { return taut::reciprocal(*this); }
  Tensor& reciprocal_() const { return taut::reciprocal_(self()); }
  Tensor floor_divide(const Tensor& other) const { return taut::floor_divide(*this, other); }
  Tensor floor_divide(const Scalar& other) const { return taut::floor_divide(*this, other); }
  Tensor& floor_divide_(const Tensor& other) const { return taut::floor_divide_(self(), other); }
  Tensor& floor_divide_(const Scalar& other) const { return taut::floor_divide_(self(), other); }
  Tensor fmod(const Scalar& other) const { return taut::fmod(*this, other); }
  Tensor fmod(const Tensor& other) const { return taut::fmod(*this, other); }
  Tensor& fmod_(const Scalar& other) const { return taut::fmod_(self(), other); }
  Tensor& fmod_(const Tensor& other) const { return taut::fmod_(self(), other); }
  Tensor remainder(const Scalar& other) const { return taut::remainder(*this, other); }
  Tensor remainder(const Tensor& other) const { return taut::remainder(*this, other); }
  Tensor& remainder_(const Scalar& other) const { return taut::remainder_(self(), other); }
  Tensor& remainder_(const Tensor& other) const { return taut::remainder_(self(), other); }
  Tensor true_divide(const Tensor& other) const { return taut::true_divide(*this, other); }
  Tensor true_divide(const Scalar& other) const { return taut::true_divide(*this, other); }
  Tensor& true_divide_(const Tensor& other) const { return taut::true_divide_(self(), other); }
  Tensor& true_divide_(const Scalar& other) const { return taut::true_divide_(self(), other); }
  Tensor lerp(const Tensor& end, const Scalar& weight) const { return taut::lerp(*this, end, weight); }
  Tensor lerp(const Tensor& end, const Tensor& weight) const { return taut::lerp(*this, end, weight); }
  Tensor& lerp_(const Tensor& end, const Scalar& weight) const { return taut::lerp_(self(), end, weight); }
  Tensor& lerp_(const Tensor& end, const Tensor& weight) const { return taut::lerp_(self(), end, weight); }
  Tensor addcmul(const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1) const {
    return taut::addcmul(*this, tensor1, tensor2, value);
  }
  Tensor& addcmul_(const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1) const {
    return taut::addcmul_(self(), tensor1, tensor2, value);
  }
  Tensor addcdiv(const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1) const {
    return taut::addcdiv(*this, tensor1, tensor2, value);
  }
  Tensor& addcdiv_(const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1) const {
    return taut::addcdiv_(self(), tensor1, tensor2, value);
  }
  Tensor floor() const { return taut::floor(*this); }
  Tensor& floor_() const { return taut::floor_(self()); }
  Tensor ceil() const { return taut::ceil(*this); }
  Tensor& ceil_() const { return taut::ceil_(self()); }
  Tensor round() const { return taut::round(*this); }
  Tensor round(int64_t decimals) const { return taut::round(*this, decimals); }
  Tensor& round_() const { return taut::round_(self()); }
  Tensor& round_(int64_t decimals) const { return taut::round_(self(), decimals); }
  Tensor trunc() const { return taut::trunc(*this); }
  Tensor& trunc_() const { return taut::trunc_(self()); }
  Tensor frac() const { return taut::frac(*this); }
  Tensor& frac_() const { return taut::frac_(self()); }
  Tensor maximum(const Tensor& other) const { return taut::maximum(*this, other); }
  Tensor minimum(const Tensor& other) const { return taut::minimum(*this, other); }
  Tensor fmax(const Tensor& other) const { return taut::fmax(*this, other); }
  Tensor fmin(const Tensor& other) const { return taut::fmin(*this, other); }
  Tensor clamp(const std::optional<Scalar>& min = std::nullopt, const std::optional<Scalar>& max = std::nullopt) const {
    return taut::clamp(*this, min, max);
  }
  Tensor clamp(OptionalTensor min = std::nullopt, OptionalTensor max = std::nullopt) const {
    return taut::clamp(*this, min, max);
  }
  Tensor& clamp_(const std::optional<Scalar>& min = std::nullopt,
                 const std::optional<Scalar>& max = std::nullopt) const {
    return taut::clamp_(self(), min, max);
  }
  Tensor& clamp_(OptionalTensor min = std::nullopt, OptionalTensor max = std::nullopt) const {
    return taut::clamp_(self(), min, max);
  }
  Tensor clamp_min(const Scalar& min) const { return taut::clamp_min(*this, min); }
  Tensor clamp_min(const Tensor& min) const { return taut::clamp_min(*this, min); }
  Tensor& clamp_min_(const Scalar& min) const { return taut::clamp_min_(self(), min); }
  Tensor& clamp_min_(const Tensor& min) const { return taut::clamp_min_(self(), min); }
  Tensor clamp_max(const Scalar& max) const { return taut::clamp_max(*this, max); }
  Tensor clamp_max(const Tensor& max) const { return taut::clamp_max(*this, max); }
  Tensor& clamp_max_(const Scalar& max) const { return taut::clamp_max_(self(), max); }
  Tensor& clamp_max_(const Tensor& max) const { return taut::clamp_max_(self(), max); }

  // Exponentials, trigonometry, special functions.
  Tensor exp() const { return taut::exp(*this); }
  Tensor& exp_() const { return taut::exp_(self()); }
  Tensor exp2() const { return taut::exp2(*this); }
  Tensor& exp2_() const { return taut::exp2_(self()); }
  Tensor expm1() const { return taut::expm1(*this); }
  Tensor& expm1_() const { return taut::expm1_(self()); }
  Tensor log() const { return taut::log(*this); }
  Tensor& log_() const { return taut::log_(self()); }
  Tensor log2() const { return taut::log2(*this); }
  Tensor& log2_() const { return taut::log2_(self()); }
  Tensor log10() const { return taut::log10(*this); }
  Tensor& log10_() const { return taut::log10_(self()); }
  Tensor log1p() const { return taut::log1p(*this); }
  Tensor& log1p_() const { return taut::log1p_(self()); }
  Tensor sin() const { return taut::sin(*this); }
  Tensor& sin_() const { return taut::sin_(self()); }
  Tensor cos() const { return taut::cos(*this); }
  Tensor& cos_() const { return taut::cos_(self()); }
  Tensor tan() const { return taut::tan(*this); }
  Tensor& tan_() const { return taut::tan_(self()); }
  Tensor asin() const { return taut::asin(*this); }
  Tensor& asin_() const { return taut::asin_(self()); }
  Tensor acos() const { return taut::acos(*this); }
  Tensor& acos_() const { return taut::acos_(self()); }
  Tensor atan() const { return taut::atan(*this); }
  Tensor& atan_() const { return taut::atan_(self()); }
  Tensor atan2(const Tensor& other) const { return taut::atan2(*this, other); }
  Tensor& atan2_(const Tensor& other) const { return taut::atan2_(self(), other); }
  Tensor sinh() const { return taut::sinh(*this); }
  Tensor& sinh_() const { return taut::sinh_(self()); }
  Tensor cosh() const { return taut::cosh(*this); }
  Tensor& cosh_() const { return taut::cosh_(self()); }
  Tensor tanh() const { return taut::tanh(*this); }
  Tensor& tanh_() const { return taut::tanh_(self()); }
  Tensor asinh() const { return taut::asinh(*this); }
  Tensor& asinh_() const { return taut::asinh_(self()); }
  Tensor acosh() const { return taut::acosh(*this); }
  Tensor& acosh_() const { return taut::acosh_(self()); }
  Tensor atanh() const { return taut::atanh(*this); }
  Tensor& atanh_() const { return taut::atanh_(self()); }
  Tensor sigmoid() const { return taut::sigmoid(*this); }
  Tensor& sigmoid_() const { return taut::sigmoid_(self()); }
  Tensor erf() const { return taut::erf(*this); }
  Tensor& erf_() const { return taut::erf_(self()); }
  Tensor erfc() const { return taut::erfc(*this); }
  Tensor& erfc_() const { return taut::erfc_(self()); }
  Tensor erfinv() const { return taut::erfinv(*this); }
  Tensor& erfinv_() const { return taut::erfinv_(self()); }
  Tensor lgamma() const { return taut::lgamma(*this); }
  Tensor& lgamma_() const { return taut::lgamma_(self()); }
  Tensor digamma() const { return taut::digamma(*this); }
  Tensor& digamma_() const { return taut::digamma_(self()); }
  Tensor polygamma(int64_t n) const { return taut::polygamma(n, *this); }
  Tensor logit(std::optional<double> eps = std::nullopt) const { return taut::logit(*this, eps); }
  Tensor& logit_(std::optional<double> eps = std::nullopt) const { return taut::logit_(self(), eps); }
  Tensor xlogy(const Tensor& other) const { return taut::xlogy(*this, other); }
  Tensor xlogy(const Scalar& other) const { return taut::xlogy(*this, other); }
  Tensor& xlogy_(const Tensor& other) const { return taut::xlogy_(self(), other); }
  Tensor& xlogy_(const Scalar& other) const { return taut::xlogy_(self(), other); }
  Tensor logaddexp(const Tensor& other) const { return taut::logaddexp(*this, other); }
  Tensor logaddexp2(const Tensor& other) const { return taut::logaddexp2(*this, other); }
  Tensor hypot(const Tensor& other) const { return taut::hypot(*this, other); }
  Tensor& hypot_(const Tensor& other) const { return taut::hypot_(self(), other); }
  Tensor copysign(const Tensor& other) const { return taut::copysign(*this, other); }
  Tensor copysign(const Scalar& other) const { return taut::copysign(*this, other); }
  Tensor& copysign_(const Tensor& other) const { return taut::copysign_(self(), other); }
  Tensor& copysign_(const Scalar& other) const { return taut::copysign_(self(), other); }
  Tensor sinc() const { return taut::sinc(*this); }
  Tensor& sinc_() const { return taut::sinc_(self()); }
  Tensor nan_to_num(std::optional<double> nan = std::nullopt, std::optional<double> posinf = std::nullopt,
                    std::optional<double> neginf = std::nullopt) const {
    return taut::nan_to_num(*this, nan, posinf, neginf);
  }
  Tensor& nan_to_num_(std::optional<double> nan = std::nullopt, std::optional<double> posinf = std::nullopt,
                      std::optional<double> neginf = std::nullopt) const {
    return taut::nan_to_num_(self(), nan, posinf, neginf);
  }
  Tensor deg2rad() const { return taut::deg2rad(*this); }
  Tensor& deg2rad_() const { return taut::deg2rad_(self()); }
  Tensor rad2deg() const { return taut::rad2deg(*this); }
  Tensor& rad2deg_() const { return taut::rad2deg_(self()); }
  Tensor heaviside(const Tensor& values) const { return taut::heaviside(*this, values); }
  Tensor& heaviside_(const Tensor& values) const { return taut::heaviside_(self(), values); }

  // Comparison, logic, bits.
  Tensor eq(const Scalar& other) const { return taut::eq(*this, other); }
  Tensor eq(const Tensor& other) const { return taut::eq(*this, other); }
  Tensor& eq_(const Scalar& other) const { return taut::eq_(self(), other); }
  Tensor& eq_(const Tensor& other) const { return taut::eq_(self(), other); }
  Tensor ne(const Scalar& other) const { return taut::ne(*this, other); }
  Tensor ne(const Tensor& other) const { return taut::ne(*this, other); }
  Tensor& ne_(const Scalar& other) const { return taut::ne_(self(), other); }
  Tensor& ne_(const Tensor& other) const { return taut::ne_(self(), other); }
  Tensor lt(const Scalar& other) const { return taut::lt(*this, other); }
  Tensor lt(const Tensor& other) const { return taut::lt(*this, other); }
  Tensor& lt_(const Scalar& other) const { return taut::lt_(self(), other); }
  Tensor& lt_(const Tensor& other) const { return taut::lt_(self(), other); }
  Tensor le(const Scalar& other) const { return taut::le(*this, other); }
  Tensor le(const Tensor& other) const { return taut::le(*this, other); }
  Tensor& le_(const Scalar& other) const { return taut::le_(self(), other); }
  Tensor& le_(const Tensor& other) const { return taut::le_(self(), other); }
  Tensor gt(const Scalar& other) const { return taut::gt(*this, other); }
  Tensor gt(const Tensor& other) const { return taut::gt(*this, other); }
  Tensor& gt_(const Scalar& other) const { return taut::gt_(self(), other); }
  Tensor& gt_(const Tensor& other) const { return taut::gt_(self(), other); }
  Tensor ge(const Scalar& other) const { return taut::ge(*this, other); }
  Tensor ge(const Tensor& other) const { return taut::ge(*this, other); }
  Tensor& ge_(const Scalar& other) const { return taut::ge_(self(), other); }
  Tensor& ge_(const Tensor& other) const { return taut::ge_(self(), other); }
  Tensor isnan() const { return taut::isnan(*this); }
  Tensor isinf() const { return taut::isinf(*this); }
  Tensor isfinite() const { return taut::isfinite(*this); }
  Tensor isposinf() const { return taut::isposinf(*this); }
  Tensor isneginf() const { return taut::isneginf(*this); }
  Tensor signbit() const { return taut::signbit(*this); }
  Tensor isclose(const Tensor& other, double rtol = 1e-05, double atol = 1e-08, bool equal_nan = false) const {
    return taut::isclose(*this, other, rtol, atol, equal_nan);
  }
  Tensor logical_and(const Tensor& other) const { return taut::logical_and(*this, other); }
  Tensor& logical_and_(const Tensor& other) const { return taut::logical_and_(self(), other); }
  Tensor logical_or(const Tensor& other) const { return taut::logical_or(*this, other); }
  Tensor& logical_or_(const Tensor& other) const { return taut::logical_or_(self(), other); }
  Tensor logical_xor(const Tensor& other) const { return taut::logical_xor(*this, other); }
  Tensor& logical_xor_(const Tensor& other) const { return taut::logical_xor_(self(), other); }
  Tensor logical_not() const { return taut::logical_not(*this); }
  Tensor& logical_not_() const { return taut::logical_not_(self()); }
  Tensor bitwise_and(const Scalar& other) const { return taut::bitwise_and(*this, other); }
  Tensor bitwise_and(const Tensor& other) const { return taut::bitwise_and(*this, other); }
  Tensor& bitwise_and_(const Scalar& other) const { return taut::bitwise_and_(self(), other); }
  Tensor& bitwise_and_(const Tensor& other) const { return taut::bitwise_and_(self(), other); }
  Tensor bitwise_or(const Scalar& other) const { return taut::bitwise_or(*this, other); }
  Tensor bitwise_or(const Tensor& other) const { return taut::bitwise_or(*this, other); }
  Tensor& bitwise_or_(const Scalar& other) const { return taut::bitwise_or_(self(), other); }
  Tensor& bitwise_or_(const Tensor& other) const { return taut::bitwise_or_(self(), other); }
  Tensor bitwise_xor(const Scalar& other) const { return taut::bitwise_xor(*this, other); }
  Tensor bitwise_xor(const Tensor& other) const { return taut::bitwise_xor(*this, other); }
  Tensor& bitwise_xor_(const Scalar& other) const { return taut::bitwise_xor_(self(), other); }
  Tensor& bitwise_xor_(const Tensor& other) const { return taut::bitwise_xor_(self(), other); }
  Tensor bitwise_not() const { return taut::bitwise_not(*this); }
  Tensor& bitwise_not_() const { return taut::bitwise_not_(self()); }
  Tensor bitwise_left_shift(const Tensor& other) const { return taut::bitwise_left_shift(*this, other); }
  Tensor bitwise_left_shift(const Scalar& other) const { return taut::bitwise_left_shift(*this, other); }
  Tensor& bitwise_left_shift_(const Tensor& other) const { return taut::bitwise_left_shift_(self(), other); }
  Tensor& bitwise_left_shift_(const Scalar& other) const { return taut::bitwise_left_shift_(self(), other); }
  Tensor bitwise_right_shift(const Tensor& other) const { return taut::bitwise_right_shift(*this, other); }
  Tensor bitwise_right_shift(const Scalar& other) const { return taut::bitwise_right_shift(*this, other); }
  Tensor& bitwise_right_shift_(const Tensor& other) const { return taut::bitwise_right_shift_(self(), other); }
  Tensor& bitwise_right_shift_(const Scalar& other) const { return taut::bitwise_right_shift_(self(), other); }
  Tensor where(const Tensor& condition, const Tensor& other) const { return taut::where(condition, *this, other); }
  Tensor where(const Tensor& condition, const Scalar& other) const { return taut::where(condition, *this, other); }
  Tensor masked_fill(const Tensor& mask, const Scalar& value) const { return taut::masked_fill(*this, mask, value); }
  Tensor masked_fill(const Tensor& mask, const Tensor& value) const { return taut::masked_fill(*this, mask, value); }
  Tensor& masked_fill_(const Tensor& mask, const Scalar& value) const {
    return taut::masked_fill_(self(), mask, value);
  }
  Tensor& masked_fill_(const Tensor& mask, const Tensor& value) const {
    return taut::masked_fill_(self(), mask, value);
  }

  // Activations.
  Tensor relu() const { return taut::relu(*this); }
  Tensor& relu_() const { return taut::relu_(self()); }
  Tensor prelu(const Tensor& weight) const { return taut::prelu(*this, weight); }
  Tensor hardshrink(const Scalar& lambd = 0.5) const { return taut::hardshrink(*this, lambd); }

  // Reductions.
  Tensor sum(std::optional<ScalarType> dtype = std::nullopt) const { return taut::sum(*this, dtype); }
  Tensor sum(OptionalIntArrayRef dim, bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt) const {
    return taut::sum(*this, dim, keepdim, dtype);
  }
  Tensor nansum(OptionalIntArrayRef dim = std::nullopt, bool keepdim = false,
                std::optional<ScalarType> dtype = std::nullopt) const {
    return taut::nansum(*this, dim, keepdim, dtype);
  }
  Tensor mean(std::optional<ScalarType> dtype = std::nullopt) const { return taut::mean(*this, dtype); }
  Tensor mean(OptionalIntArrayRef dim, bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt) const {
    return taut::mean(*this, dim, keepdim, dtype);
  }
  Tensor nanmean(OptionalIntArrayRef dim = std::nullopt, bool keepdim = false,
                 std::optional<ScalarType> dtype = std::nullopt) const {
    return taut::nanmean(*this, dim, keepdim, dtype);
  }
  Tensor prod(std::optional<ScalarType> dtype = std::nullopt) const { return taut::prod(*this, dtype); }
  Tensor prod(int64_t dim, bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt) const {
    return taut::prod(*this, dim, keepdim, dtype);
  }
  Tensor var(std::same_as<bool> auto unbiased) const {
    return taut::var(*this, std::nullopt, static_cast<bool>(unbiased));
  }
  Tensor var(OptionalIntArrayRef dim, bool unbiased, bool keepdim = false) const {
    return taut::var(*this, dim, unbiased, keepdim);
  }
  Tensor var(OptionalIntArrayRef dim = std::nullopt, const std::optional<Scalar>& correction = std::nullopt,
             bool keepdim = false) const {
    return taut::var(*this, dim, correction, keepdim);
  }
  Tensor std(std::same_as<bool> auto unbiased) const {
    return taut::std(*this, std::nullopt, static_cast<bool>(unbiased));
  }
  Tensor std(OptionalIntArrayRef dim, bool unbiased, bool keepdim = false) const {
    return taut::std(*this, dim, unbiased, keepdim);
  }
  Tensor std(OptionalIntArrayRef dim = std::nullopt, const std::optional<Scalar>& correction = std::nullopt,
             bool keepdim = false) const {
    return taut::std(*this, dim, correction, keepdim);
  }
  std::tuple<Tensor, Tensor> max(int64_t dim, bool keepdim = false) const { return taut::max(*this, dim, keepdim); }
  Tensor max() const { return taut::max(*this); }
  Tensor max(const Tensor& other) const { return taut::max(*this, other); }
  std::tuple<Tensor, Tensor> min(int64_t dim, bool keepdim = false) const { return taut::min(*this, dim, keepdim); }
  Tensor min() const { return taut::min(*this); }
  Tensor min(const Tensor& other) const { return taut::min(*this, other); }
  Tensor amax(IntArrayRef dim = IntArrayRef{}, bool keepdim = false) const { return taut::amax(*this, dim, keepdim); }
  Tensor amin(IntArrayRef dim = IntArrayRef{}, bool keepdim = false) const { return taut::amin(*this, dim, keepdim); }
  std::tuple<Tensor, Tensor> aminmax(std::optional<int64_t> dim = std::nullopt, bool keepdim = false) const {
    return taut::aminmax(*this, dim, keepdim);
  }
  Tensor argmax(std::optional<int64_t> dim = std::nullopt, bool keepdim = false) const {
    return taut::argmax(*this, dim, keepdim);
  }
  Tensor argmin(std::optional<int64_t> dim = std::nullopt, bool keepdim = false) const {
    return taut::argmin(*this, dim, keepdim);
  }
  Tensor norm(const std::optional<Scalar>& p, ScalarType dtype) const { return taut::norm(*this, p, dtype); }
  Tensor norm(const Scalar& p = 2) const { return taut::norm(*this, p); }
  Tensor norm(const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim, ScalarType dtype) const {
    return taut::norm(*this, p, dim, keepdim, dtype);
  }
  Tensor norm(const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim = false) const {
    return taut::norm(*this, p, dim, keepdim);
  }
  Tensor any(int64_t dim, bool keepdim = false) const { return taut::any(*this, dim, keepdim); }
  Tensor any(OptionalIntArrayRef dim, bool keepdim = false) const { return taut::any(*this, dim, keepdim); }
  Tensor any() const { return taut::any(*this); }
  Tensor all(int64_t dim, bool keepdim = false) const { return taut::all(*this, dim, keepdim); }
  Tensor all(OptionalIntArrayRef dim, bool keepdim = false) const { return taut::all(*this, dim, keepdim); }
  Tensor all() const { return taut::all(*this); }
  Tensor logsumexp(IntArrayRef dim, bool keepdim = false) const { return taut::logsumexp(*this, dim, keepdim); }
  Tensor count_nonzero(OptionalIntArrayRef dim = std::nullopt) const { return taut::count_nonzero(*this, dim); }
  Tensor median() const { return taut::median(*this); }
  std::tuple<Tensor, Tensor> median(int64_t dim, bool keepdim = false) const {
    return taut::median(*this, dim, keepdim);
  }
  Tensor nanmedian() const { return taut::nanmedian(*this); }
  std::tuple<Tensor, Tensor> nanmedian(int64_t dim, bool keepdim = false) const {
    return taut::nanmedian(*this, dim, keepdim);
  }
  std::tuple<Tensor, Tensor> kthvalue(int64_t k, int64_t dim = -1, bool keepdim = false) const {
    return taut::kthvalue(*this, k, dim, keepdim);
  }
  std::tuple<Tensor, Tensor> mode(int64_t dim = -1, bool keepdim = false) const {
    return taut::mode(*this, dim, keepdim);
  }
  Tensor quantile(const Tensor& q, std::optional<int64_t> dim = std::nullopt, bool keepdim = false,
                  std::string_view interpolation = "linear") const {
    return taut::quantile(*this, q, dim, keepdim, interpolation);
  }
  Tensor quantile(double q, std::optional<int64_t> dim = std::nullopt, bool keepdim = false,
                  std::string_view interpolation = "linear") const {
    return taut::quantile(*this, q, dim, keepdim, interpolation);
  }
  Tensor nanquantile(const Tensor& q, std::optional<int64_t> dim = std::nullopt, bool keepdim = false,
                     std::string_view interpolation = "linear") const {
    return taut::nanquantile(*this, q, dim, keepdim, interpolation);
  }
  Tensor nanquantile(double q, std::optional<int64_t> dim = std::nullopt, bool keepdim = false,
                     std::string_view interpolation = "linear") const {
    return taut::nanquantile(*this, q, dim, keepdim, interpolation);
  }
  Tensor softmax(int64_t dim, std::optional<ScalarType> dtype = std::nullopt) const {
    return taut::softmax(*this, dim, dtype);
  }
  Tensor log_softmax(int64_t dim, std::optional<ScalarType> dtype = std::nullopt) const {
    return taut::log_softmax(*this, dim, dtype);
  }
  Tensor trace() const { return taut::trace(*this); }
  Tensor dist(const Tensor& other, const Scalar& p = 2) const { return taut::dist(*this, other, p); }

  // Scans, sorting, searching.
  Tensor cumsum(int64_t dim, std::optional<ScalarType> dtype = std::nullopt) const {
    return taut::cumsum(*this, dim, dtype);
  }
  Tensor& cumsum_(int64_t dim, std::optional<ScalarType> dtype = std::nullopt) const {
    return taut::cumsum_(self(), dim, dtype);
  }
  Tensor cumprod(int64_t dim, std::optional<ScalarType> dtype = std::nullopt) const {
    return taut::cumprod(*this, dim, dtype);
  }
  Tensor& cumprod_(int64_t dim, std::optional<ScalarType> dtype = std::nullopt) const {
    return taut::cumprod_(self(), dim, dtype);
  }
  std::tuple<Tensor, Tensor> cummax(int64_t dim) const { return taut::cummax(*this, dim); }
  std::tuple<Tensor, Tensor> cummin(int64_t dim) const { return taut::cummin(*this, dim); }
  Tensor logcumsumexp(int64_t dim) const { return taut::logcumsumexp(*this, dim); }
  Tensor diff(int64_t n = 1, int64_t dim = -1, OptionalTensor prepend = std::nullopt,
              OptionalTensor append = std::nullopt) const {
    return taut::diff(*this, n, dim, prepend, append);
  }
  std::tuple<Tensor, Tensor> sort(int64_t dim = -1, bool descending = false) const {
    return taut::sort(*this, dim, descending);
  }
  std::tuple<Tensor, Tensor> sort(std::optional<bool> stable, int64_t dim = -1, bool descending = false) const {
    return taut::sort(*this, stable, dim, descending);
  }
  Tensor argsort(int64_t dim = -1, bool descending = false) const { return taut::argsort(*this, dim, descending); }
  Tensor argsort(bool stable, int64_t dim, bool descending = false) const {
    return taut::argsort(*this, stable, dim, descending);
  }
  Tensor msort() const { return taut::msort(*this); }
  std::tuple<Tensor, Tensor> topk(int64_t k, int64_t dim = -1, bool largest = true, bool sorted = true) const {
    return taut::topk(*this, k, dim, largest, sorted);
  }
  Tensor histc(int64_t bins = 100, const Scalar& min = 0, const Scalar& max = 0) const {
    return taut::histc(*this, bins, min, max);
  }
  Tensor bincount(OptionalTensor weights = std::nullopt, int64_t minlength = 0) const {
    return taut::bincount(*this, weights, minlength);
  }
  Tensor renorm(const Scalar& p, int64_t dim, const Scalar& maxnorm) const {
    return taut::renorm(*this, p, dim, maxnorm);
  }
  Tensor& renorm_(const Scalar& p, int64_t dim, const Scalar& maxnorm) const {
    return taut::renorm_(self(), p, dim, maxnorm);
  }

  // Shapes and views.
  Tensor view(IntArrayRef size) const { return taut::view(*this, size); }
  Tensor view(ScalarType dtype) const { return taut::view(*this, dtype); }
  Tensor view_as(const Tensor& other) const { return taut::view_as(*this, other); }
  Tensor reshape(IntArrayRef shape) const { return taut::reshape(*this, shape); }
  Tensor reshape_as(const Tensor& other) const { return taut::reshape_as(*this, other); }
  Tensor flatten(int64_t start_dim = 0, int64_t end_dim = -1) const { return taut::flatten(*this, start_dim, end_dim); }
  Tensor unflatten(int64_t dim, IntArrayRef sizes) const { return taut::unflatten(*this, dim, sizes); }
  Tensor ravel() const { return taut::ravel(*this); }
  Tensor squeeze() const { return taut::squeeze(*this); }
  Tensor squeeze(int64_t dim) const { return taut::squeeze(*this, dim); }
  Tensor squeeze(IntArrayRef dim) const { return taut::squeeze(*this, dim); }
  Tensor& squeeze_() const { return taut::squeeze_(self()); }
  Tensor& squeeze_(int64_t dim) const { return taut::squeeze_(self(), dim); }
  Tensor& squeeze_(IntArrayRef dim) const { return taut::squeeze_(self(), dim); }
  Tensor unsqueeze(int64_t dim) const { return taut::unsqueeze(*this, dim); }
  Tensor& unsqueeze_(int64_t dim) const { return taut::unsqueeze_(self(), dim); }
  Tensor transpose(int64_t dim0, int64_t dim1) const { return taut::transpose(*this, dim0, dim1); }
  Tensor& transpose_(int64_t dim0, int64_t dim1) const { return taut::transpose_(self(), dim0, dim1); }
  Tensor swapaxes(int64_t axis0, int64_t axis1) const { return taut::swapaxes(*this, axis0, axis1); }
  Tensor& swapaxes_(int64_t axis0, int64_t axis1) const { return taut::swapaxes_(self(), axis0, axis1); }
  Tensor swapdims(int64_t dim0, int64_t dim1) const { return taut::swapdims(*this, dim0, dim1); }
  Tensor& swapdims_(int64_t dim0, int64_t dim1) const { return taut::swapdims_(self(), dim0, dim1); }
  Tensor t() const { return taut::t(*this); }
  Tensor& t_() const { return taut::t_(self()); }
  Tensor adjoint() const { return taut::adjoint(*this); }
  Tensor permute(IntArrayRef dims) const { return taut::permute(*this, dims); }
  Tensor movedim(IntArrayRef source, IntArrayRef destination) const {
    return taut::movedim(*this, source, destination);
  }
  Tensor movedim(int64_t source, int64_t destination) const { return taut::movedim(*this, source, destination); }
  Tensor moveaxis(IntArrayRef source, IntArrayRef destination) const {
    return taut::moveaxis(*this, source, destination);
  }
  Tensor moveaxis(int64_t source, int64_t destination) const { return taut::moveaxis(*this, source, destination); }
  Tensor expand(IntArrayRef size, bool implicit = false) const { return taut::expand(*this, size, implicit); }
  Tensor expand_as(const Tensor& other) const { return taut::expand_as(*this, other); }
  Tensor broadcast_to(IntArrayRef size) const { return taut::broadcast_to(*this, size); }
  Tensor narrow(int64_t dim, int64_t start, int64_t length) const { return taut::narrow(*this, dim, start, length); }
  Tensor narrow(int64_t dim, const Tensor& start, int64_t length) const {
    return taut::narrow(*this, dim, start, length);
  }
  Tensor select(int64_t dim, int64_t index) const { return taut::select(*this, dim, index); }
  Tensor slice(int64_t dim = 0, std::optional<int64_t> start = std::nullopt, std::optional<int64_t> end = std::nullopt,
               int64_t step = 1) const {
    return taut::slice(*this, dim, start, end, step);
  }
  std::vector<Tensor> split(int64_t split_size, int64_t dim = 0) const { return taut::split(*this, split_size, dim); }
  std::vector<Tensor> split(IntArrayRef split_size, int64_t dim = 0) const {
    return taut::split(*this, split_size, dim);
  }
  std::vector<Tensor> split_with_sizes(IntArrayRef split_sizes, int64_t dim = 0) const {
    return taut::split_with_sizes(*this, split_sizes, dim);
  }
  std::vector<Tensor> chunk(int64_t chunks, int64_t dim = 0) const { return taut::chunk(*this, chunks, dim); }
  std::vector<Tensor> tensor_split(int64_t sections, int64_t dim = 0) const {
    return taut::tensor_split(*this, sections, dim);
  }
  std::vector<Tensor> tensor_split(IntArrayRef indices, int64_t dim = 0) const {
    return taut::tensor_split(*this, indices, dim);
  }
  std::vector<Tensor> tensor_split(const Tensor& tensor_indices_or_sections, int64_t dim = 0) const {
    return taut::tensor_split(*this, tensor_indices_or_sections, dim);
  }
  std::vector<Tensor> hsplit(int64_t sections) const { return taut::hsplit(*this, sections); }
  std::vector<Tensor> hsplit(IntArrayRef indices) const { return taut::hsplit(*this, indices); }
  std::vector<Tensor> vsplit(int64_t sections) const { return taut::vsplit(*this, sections); }
  std::vector<Tensor> vsplit(IntArrayRef indices) const { return taut::vsplit(*this, indices); }
  std::vector<Tensor> unbind(int64_t dim = 0) const { return taut::unbind(*this, dim); }
  Tensor diagonal(int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1) const {
    return taut::diagonal(*this, offset, dim1, dim2);
  }
  Tensor as_strided(IntArrayRef size, IntArrayRef stride, std::optional<int64_t> storage_offset = std::nullopt) const {
    return taut::as_strided(*this, size, stride, storage_offset);
  }
  Tensor& as_strided_(IntArrayRef size, IntArrayRef stride,
                      std::optional<int64_t> storage_offset = std::nullopt) const {
    return taut::as_strided_(self(), size, stride, storage_offset);
  }
  Tensor unfold(int64_t dimension, int64_t size, int64_t step) const {
    return taut::unfold(*this, dimension, size, step);
  }
  Tensor select_scatter(const Tensor& src, int64_t dim, int64_t index) const {
    return taut::select_scatter(*this, src, dim, index);
  }
  Tensor slice_scatter(const Tensor& src, int64_t dim = 0, std::optional<int64_t> start = std::nullopt,
                       std::optional<int64_t> end = std::nullopt, int64_t step = 1) const {
    return taut::slice_scatter(*this, src, dim, start, end, step);
  }
  Tensor diagonal_scatter(const Tensor& src, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1) const {
    return taut::diagonal_scatter(*this, src, offset, dim1, dim2);
  }
  Tensor as_strided_scatter(const Tensor& src, IntArrayRef size, IntArrayRef stride,
                            std::optional<int64_t> storage_offset = std::nullopt) const {
    return taut::as_strided_scatter(*this, src, size, stride, storage_offset);
  }

  // Joining, repeating, rearranging.
  Tensor repeat(IntArrayRef repeats) const { return taut::repeat(*this, repeats); }
  Tensor tile(IntArrayRef dims) const { return taut::tile(*this, dims); }
  Tensor repeat_interleave(const Tensor& repeats, std::optional<int64_t> dim = std::nullopt,
                           std::optional<int64_t> output_size = std::nullopt) const {
    return taut::repeat_interleave(*this, repeats, dim, output_size);
  }
  Tensor repeat_interleave(int64_t repeats, std::optional<int64_t> dim = std::nullopt,
                           std::optional<int64_t> output_size = std::nullopt) const {
    return taut::repeat_interleave(*this, repeats, dim, output_size);
  }
  Tensor flip(IntArrayRef dims) const { return taut::flip(*this, dims); }
  Tensor fliplr() const { return taut::fliplr(*this); }
  Tensor flipud() const { return taut::flipud(*this); }
  Tensor roll(IntArrayRef shifts, IntArrayRef dims = IntArrayRef{}) const { return taut::roll(*this, shifts, dims); }
  Tensor rot90(int64_t k = 1, IntArrayRef dims = {0, 1}) const { return taut::rot90(*this, k, dims); }
  Tensor tril(int64_t diagonal = 0) const { return taut::tril(*this, diagonal); }
  Tensor& tril_(int64_t diagonal = 0) const { return taut::tril_(self(), diagonal); }
  Tensor triu(int64_t diagonal = 0) const { return taut::triu(*this, diagonal); }
  Tensor& triu_(int64_t diagonal = 0) const { return taut::triu_(self(), diagonal); }
  Tensor diag(int64_t diagonal = 0) const { return taut::diag(*this, diagonal); }
  Tensor diag_embed(int64_t offset = 0, int64_t dim1 = -2, int64_t dim2 = -1) const {
    return taut::diag_embed(*this, offset, dim1, dim2);
  }

  // Indexing.
  Tensor index_select(int64_t dim, const Tensor& index) const { return taut::index_select(*this, dim, index); }
  Tensor gather(int64_t dim, const Tensor& index, bool sparse_grad = false) const {
    return taut::gather(*this, dim, index, sparse_grad);
  }
  Tensor scatter(int64_t dim, const Tensor& index, const Tensor& src) const {
    return taut::scatter(*this, dim, index, src);
  }
  Tensor scatter(int64_t dim, const Tensor& index, const Scalar& value) const {
    return taut::scatter(*this, dim, index, value);
  }
  Tensor scatter(int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce) const {
    return taut::scatter(*this, dim, index, src, reduce);
  }
  Tensor scatter(int64_t dim, const Tensor& index, const Scalar& value, std::string_view reduce) const {
    return taut::scatter(*this, dim, index, value, reduce);
  }
  Tensor& scatter_(int64_t dim, const Tensor& index, const Tensor& src) const {
    return taut::scatter_(self(), dim, index, src);
  }
  Tensor& scatter_(int64_t dim, const Tensor& index, const Scalar& value) const {
    return taut::scatter_(self(), dim, index, value);
  }
  Tensor& scatter_(int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce) const {
    return taut::scatter_(self(), dim, index, src, reduce);
  }
  Tensor& scatter_(int64_t dim, const Tensor& index, const Scalar& value, std::string_view reduce) const {
    return taut::scatter_(self(), dim, index, value, reduce);
  }
  Tensor scatter_add(int64_t dim, const Tensor& index, const Tensor& src) const {
    return taut::scatter_add(*this, dim, index, src);
  }
  Tensor& scatter_add_(int64_t dim, const Tensor& index, const Tensor& src) const {
    return taut::scatter_add_(self(), dim, index, src);
  }
  Tensor scatter_reduce(int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce,
                        bool include_self = true) const {
    return taut::scatter_reduce(*this, dim, index, src, reduce, include_self);
  }
  Tensor& scatter_reduce_(int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce,
                          bool include_self = true) const {
    return taut::scatter_reduce_(self(), dim, index, src, reduce, include_self);
  }
  Tensor index_add(int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha = 1) const {
    return taut::index_add(*this, dim, index, source, alpha);
  }
  Tensor& index_add_(int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha = 1) const {
    return taut::index_add_(self(), dim, index, source, alpha);
  }
  Tensor index_copy(int64_t dim, const Tensor& index, const Tensor& source) const {
    return taut::index_copy(*this, dim, index, source);
  }
  Tensor& index_copy_(int64_t dim, const Tensor& index, const Tensor& source) const {
    return taut::index_copy_(self(), dim, index, source);
  }
  Tensor index_fill(int64_t dim, const Tensor& index, const Scalar& value) const {
    return taut::index_fill(*this, dim, index, value);
  }
  Tensor index_fill(int64_t dim, const Tensor& index, const Tensor& value) const {
    return taut::index_fill(*this, dim, index, value);
  }
  Tensor& index_fill_(int64_t dim, const Tensor& index, const Scalar& value) const {
    return taut::index_fill_(self(), dim, index, value);
  }
  Tensor& index_fill_(int64_t dim, const Tensor& index, const Tensor& value) const {
    return taut::index_fill_(self(), dim, index, value);
  }
  Tensor masked_select(const Tensor& mask) const { return taut::masked_select(*this, mask); }
  Tensor masked_scatter(const Tensor& mask, const Tensor& source) const {
    return taut::masked_scatter(*this, mask, source);
  }
  Tensor& masked_scatter_(const Tensor& mask, const Tensor& source) const {
    return taut::masked_scatter_(self(), mask, source);
  }
  Tensor nonzero() const { return taut::nonzero(*this); }
  Tensor take(const Tensor& index) const { return taut::take(*this, index); }
  Tensor take_along_dim(const Tensor& indices, std::optional<int64_t> dim = std::nullopt) const {
    return taut::take_along_dim(*this, indices, dim);
  }
  Tensor put(const Tensor& index, const Tensor& source, bool accumulate = false) const {
    return taut::put(*this, index, source, accumulate);
  }
  Tensor& put_(const Tensor& index, const Tensor& source, bool accumulate = false) const {
    return taut::put_(self(), index, source, accumulate);
  }

  // Linear algebra.
  Tensor matmul(const Tensor& other) const { return taut::matmul(*this, other); }
  Tensor mm(const Tensor& mat2) const { return taut::mm(*this, mat2); }
  Tensor bmm(const Tensor& mat2) const { return taut::bmm(*this, mat2); }
  Tensor mv(const Tensor& vec) const { return taut::mv(*this, vec); }
  Tensor dot(const Tensor& tensor) const { return taut::dot(*this, tensor); }
  Tensor vdot(const Tensor& other) const { return taut::vdot(*this, other); }
  Tensor inner(const Tensor& other) const { return taut::inner(*this, other); }
  Tensor outer(const Tensor& vec2) const { return taut::outer(*this, vec2); }
  Tensor ger(const Tensor& vec2) const { return taut::ger(*this, vec2); }
  Tensor addmm(const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1, const Scalar& alpha = 1) const {
    return taut::addmm(*this, mat1, mat2, beta, alpha);
  }
  Tensor& addmm_(const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1, const Scalar& alpha = 1) const {
    return taut::addmm_(self(), mat1, mat2, beta, alpha);
  }
  Tensor addmv(const Tensor& mat, const Tensor& vec, const Scalar& beta = 1, const Scalar& alpha = 1) const {
    return taut::addmv(*this, mat, vec, beta, alpha);
  }
  Tensor& addmv_(const Tensor& mat, const Tensor& vec, const Scalar& beta = 1, const Scalar& alpha = 1) const {
    return taut::addmv_(self(), mat, vec, beta, alpha);
  }
  Tensor addr(const Tensor& vec1, const Tensor& vec2, const Scalar& beta = 1, const Scalar& alpha = 1) const {
    return taut::addr(*this, vec1, vec2, beta, alpha);
  }
  Tensor& addr_(const Tensor& vec1, const Tensor& vec2, const Scalar& beta = 1, const Scalar& alpha = 1) const {
    return taut::addr_(self(), vec1, vec2, beta, alpha);
  }
  Tensor addbmm(const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1, const Scalar& alpha = 1) const {
    return taut::addbmm(*this, batch1, batch2, beta, alpha);
  }
  Tensor& addbmm_(const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1, const Scalar& alpha = 1) const {
    return taut::addbmm_(self(), batch1, batch2, beta, alpha);
  }
  Tensor baddbmm(const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1, const Scalar& alpha = 1) const {
    return taut::baddbmm(*this, batch1, batch2, beta, alpha);
  }
  Tensor& baddbmm_(const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1, const Scalar& alpha = 1) const {
    return taut::baddbmm_(self(), batch1, batch2, beta, alpha);
  }
  Tensor kron(const Tensor& other) const { return taut::kron(*this, other); }

  // Other names for the above.
  Tensor multiply(const Tensor& other) const { return taut::mul(*this, other); }
  Tensor multiply(const Scalar& other) const { return taut::mul(*this, other); }
  Tensor& multiply_(const Tensor& other) const { return taut::mul_(self(), other); }
  Tensor& multiply_(const Scalar& other) const { return taut::mul_(self(), other); }
  Tensor subtract(const Tensor& other, const Scalar& alpha = 1) const { return taut::sub(*this, other, alpha); }
  Tensor subtract(const Scalar& other, const Scalar& alpha = 1) const { return taut::sub(*this, other, alpha); }
  Tensor& subtract_(const Tensor& other, const Scalar& alpha = 1) const { return taut::sub_(self(), other, alpha); }
  Tensor& subtract_(const Scalar& other, const Scalar& alpha = 1) const { return taut::sub_(self(), other, alpha); }
  Tensor divide(const Tensor& other) const { return taut::div(*this, other); }
  Tensor divide(const Tensor& other, std::optional<std::string_view> rounding_mode) const {
    return taut::div(*this, other, rounding_mode);
  }
  Tensor divide(const Scalar& other) const { return taut::div(*this, other); }
  Tensor divide(const Scalar& other, std::optional<std::string_view> rounding_mode) const {
    return taut::div(*this, other, rounding_mode);
  }
  Tensor& divide_(const Tensor& other) const { return taut::div_(self(), other); }
  Tensor& divide_(const Tensor& other, std::optional<std::string_view> rounding_mode) const {
    return taut::div_(self(), other, rounding_mode);
  }
  Tensor& divide_(const Scalar& other) const { return taut::div_(self(), other); }
  Tensor& divide_(const Scalar& other, std::optional<std::string_view> rounding_mode) const {
    return taut::div_(self(), other, rounding_mode);
  }
  Tensor negative() const { return taut::neg(*this); }
  Tensor& negative_() const { return taut::neg_(self()); }
  Tensor absolute() const { return taut::abs(*this); }
  Tensor& absolute_() const { return taut::abs_(self()); }
  Tensor clip(const std::optional<Scalar>& min = std::nullopt, const std::optional<Scalar>& max = std::nullopt) const {
    return taut::clamp(*this, min, max);
  }
  Tensor clip(OptionalTensor min = std::nullopt, OptionalTensor max = std::nullopt) const {
    return taut::clamp(*this, min, max);
  }
  Tensor& clip_(const std::optional<Scalar>& min = std::nullopt,
                const std::optional<Scalar>& max = std::nullopt) const {
    return taut::clamp_(self(), min, max);
  }
  Tensor& clip_(OptionalTensor min = std::nullopt, OptionalTensor max = std::nullopt) const {
    return taut::clamp_(self(), min, max);
  }
  Tensor arcsin() const { return taut::asin(*this); }
  Tensor& arcsin_() const { return taut::asin_(self()); }
  Tensor arccos() const { return taut::acos(*this); }
  Tensor& arccos_() const { return taut::acos_(self()); }
  Tensor arctan() const { return taut::atan(*this); }
  Tensor& arctan_() const { return taut::atan_(self()); }
  Tensor arcsinh() const { return taut::asinh(*this); }
  Tensor& arcsinh_() const { return taut::asinh_(self()); }
  Tensor arccosh() const { return taut::acosh(*this); }
  Tensor& arccosh_() const { return taut::acosh_(self()); }
  Tensor arctanh() const { return taut::atanh(*this); }
  Tensor& arctanh_() const { return taut::atanh_(self()); }
  Tensor arctan2(const Tensor& other) const { return taut::atan2(*this, other); }
  Tensor& arctan2_(const Tensor& other) const { return taut::atan2_(self(), other); }
  Tensor greater(const Scalar& other) const { return taut::gt(*this, other); }
  Tensor greater(const Tensor& other) const { return taut::gt(*this, other); }
  Tensor& greater_(const Scalar& other) const { return taut::gt_(self(), other); }
  Tensor& greater_(const Tensor& other) const { return taut::gt_(self(), other); }
  Tensor less(const Scalar& other) const { return taut::lt(*this, other); }
  Tensor less(const Tensor& other) const { return taut::lt(*this, other); }
  Tensor& less_(const Scalar& other) const { return taut::lt_(self(), other); }
  Tensor& less_(const Tensor& other) const { return taut::lt_(self(), other); }
  Tensor greater_equal(const Scalar& other) const { return taut::ge(*this, other); }
  Tensor greater_equal(const Tensor& other) const { return taut::ge(*this, other); }
  Tensor& greater_equal_(const Scalar& other) const { return taut::ge_(self(), other); }
  Tensor& greater_equal_(const Tensor& other) const { return taut::ge_(self(), other); }
  Tensor less_equal(const Scalar& other) const { return taut::le(*this, other); }
  Tensor less_equal(const Tensor& other) const { return taut::le(*this, other); }
  Tensor& less_equal_(const Scalar& other) const { return taut::le_(self(), other); }
  Tensor& less_equal_(const Tensor& other) const { return taut::le_(self(), other); }
  Tensor not_equal(const Scalar& other) const { return taut::ne(*this, other); }
  Tensor not_equal(const Tensor& other) const { return taut::ne(*this, other); }
  Tensor& not_equal_(const Scalar& other) const { return taut::ne_(self(), other); }
  Tensor& not_equal_(const Tensor& other) const { return taut::ne_(self(), other); }
  Tensor fix() const { return taut::trunc(*this); }
  Tensor& fix_() const { return taut::trunc_(self()); }

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

}  // namespace taut
