// Making tensors.
#pragma once
#include <functional>
#include <initializer_list>
#include <vector>

#include "taut/tensor.h"

namespace taut {

/// A number or a nested list of numbers: the argument of `tensor({{1.0, 2.0}, {3.0, 4.0}})`.
class TensorData {
 public:
  template <class T>
  requires std::is_arithmetic_v<T> TensorData(T v) : value_(v) {}
  template <is_complex_number C>
  TensorData(const C& v) : value_(v) {}
  TensorData(std::initializer_list<TensorData> list) : list_(list), is_list_(true) {}
  template <class T>
  requires(std::is_arithmetic_v<T> || is_complex_number<T>) TensorData(const std::vector<T>& v) : is_list_(true) {
    list_.reserve(v.size());
    for (T x : v) list_.emplace_back(x);
    type_ = Scalar(T{}).type();
  }
  bool is_list() const { return is_list_; }
  const Scalar& value() const { return value_; }
  const std::vector<TensorData>& list() const { return list_; }
  ScalarType type() const { return is_list_ ? type_ : value_.type(); }

 private:
  Scalar value_;
  std::vector<TensorData> list_;
  ScalarType type_ = ScalarType::Undefined;  // of an empty list made from a vector
  bool is_list_ = false;
};

/// A tensor from a literal: whole numbers become int64, others the default dtype.
Tensor tensor(const TensorData& data, const TensorOptions& options = {});
Tensor tensor(std::initializer_list<TensorData> data, const TensorOptions& options = {});
template <class T>
Tensor tensor(ArrayRef<T> data, const TensorOptions& options = {}) {
  return tensor(TensorData(data.vec()), options);
}
Tensor scalar_tensor(const Scalar& value, const TensorOptions& options = {});

Tensor empty(IntArrayRef size, const TensorOptions& options = {}, std::optional<MemoryFormat> = std::nullopt);
Tensor empty_strided(IntArrayRef size, IntArrayRef stride, const TensorOptions& options = {});
Tensor empty_permuted(IntArrayRef size, IntArrayRef physical_layout, const TensorOptions& options = {});
Tensor zeros(IntArrayRef size, const TensorOptions& options = {});
Tensor ones(IntArrayRef size, const TensorOptions& options = {});
Tensor full(IntArrayRef size, const Scalar& value, const TensorOptions& options = {});
Tensor eye(int64_t n, const TensorOptions& options = {});
Tensor eye(int64_t n, int64_t m, const TensorOptions& options = {});
Tensor arange(const Scalar& end, const TensorOptions& options = {});
Tensor arange(const Scalar& start, const Scalar& end, const TensorOptions& options = {});
Tensor arange(const Scalar& start, const Scalar& end, const Scalar& step, const TensorOptions& options = {});
Tensor range(const Scalar& start, const Scalar& end, const TensorOptions& options = {});
Tensor range(const Scalar& start, const Scalar& end, const Scalar& step, const TensorOptions& options = {});
Tensor linspace(const Scalar& start, const Scalar& end, int64_t steps, const TensorOptions& options = {});
Tensor logspace(const Scalar& start, const Scalar& end, int64_t steps, double base = 10,
                const TensorOptions& options = {});
Tensor tril_indices(int64_t row, int64_t col, int64_t offset = 0, const TensorOptions& options = kLong);
Tensor triu_indices(int64_t row, int64_t col, int64_t offset = 0, const TensorOptions& options = kLong);

Tensor empty_like(const Tensor& self, const TensorOptions& options = {}, std::optional<MemoryFormat> = std::nullopt);
Tensor zeros_like(const Tensor& self, const TensorOptions& options = {}, std::optional<MemoryFormat> = std::nullopt);
Tensor ones_like(const Tensor& self, const TensorOptions& options = {}, std::optional<MemoryFormat> = std::nullopt);
Tensor full_like(const Tensor& self, const Scalar& value, const TensorOptions& options = {},
                 std::optional<MemoryFormat> = std::nullopt);
Tensor rand_like(const Tensor& self, const TensorOptions& options = {}, std::optional<MemoryFormat> = std::nullopt);
Tensor randn_like(const Tensor& self, const TensorOptions& options = {}, std::optional<MemoryFormat> = std::nullopt);
Tensor randint_like(const Tensor& self, int64_t high, const TensorOptions& options = {},
                    std::optional<MemoryFormat> = std::nullopt);
Tensor randint_like(const Tensor& self, int64_t low, int64_t high, const TensorOptions& options = {},
                    std::optional<MemoryFormat> = std::nullopt);

Tensor rand(IntArrayRef size, const TensorOptions& options = {});
Tensor rand(IntArrayRef size, std::optional<Generator> generator, const TensorOptions& options = {});
Tensor randn(IntArrayRef size, const TensorOptions& options = {});
Tensor randn(IntArrayRef size, std::optional<Generator> generator, const TensorOptions& options = {});
Tensor randint(int64_t high, IntArrayRef size, const TensorOptions& options = kLong);
Tensor randint(int64_t high, IntArrayRef size, std::optional<Generator> generator,
               const TensorOptions& options = kLong);
Tensor randint(int64_t low, int64_t high, IntArrayRef size, const TensorOptions& options = kLong);
Tensor randint(int64_t low, int64_t high, IntArrayRef size, std::optional<Generator> generator,
               const TensorOptions& options = kLong);
Tensor randperm(int64_t n, const TensorOptions& options = kLong);
Tensor randperm(int64_t n, std::optional<Generator> generator, const TensorOptions& options = kLong);
Tensor bernoulli(const Tensor& p, std::optional<Generator> generator = std::nullopt);
Tensor bernoulli(const Tensor& self, double p, std::optional<Generator> generator = std::nullopt);
Tensor multinomial(const Tensor& self, int64_t num_samples, bool replacement = false,
                   std::optional<Generator> generator = std::nullopt);
Tensor normal(const Tensor& mean, double std = 1, std::optional<Generator> generator = std::nullopt);
Tensor normal(double mean, const Tensor& std, std::optional<Generator> generator = std::nullopt);
Tensor normal(const Tensor& mean, const Tensor& std, std::optional<Generator> generator = std::nullopt);
Tensor normal(double mean, double std, IntArrayRef size, std::optional<Generator> generator = std::nullopt,
              const TensorOptions& options = {});
Tensor poisson(const Tensor& self, std::optional<Generator> generator = std::nullopt);
Tensor binomial(const Tensor& count, const Tensor& prob, std::optional<Generator> generator = std::nullopt);
Tensor dropout(const Tensor& input, double p, bool train);
std::tuple<Tensor, Tensor> native_dropout(const Tensor& input, double p, std::optional<bool> train);

// Windows. A periodic one of n samples is the first n of a symmetric one of n + 1.
Tensor hann_window(int64_t window_length, const TensorOptions& options = {});
Tensor hann_window(int64_t window_length, bool periodic, const TensorOptions& options = {});
Tensor hamming_window(int64_t window_length, const TensorOptions& options = {});
Tensor hamming_window(int64_t window_length, bool periodic, const TensorOptions& options = {});
Tensor hamming_window(int64_t window_length, bool periodic, double alpha, const TensorOptions& options = {});
Tensor hamming_window(int64_t window_length, bool periodic, double alpha, double beta,
                      const TensorOptions& options = {});
Tensor blackman_window(int64_t window_length, const TensorOptions& options = {});
Tensor blackman_window(int64_t window_length, bool periodic, const TensorOptions& options = {});
Tensor bartlett_window(int64_t window_length, const TensorOptions& options = {});
Tensor bartlett_window(int64_t window_length, bool periodic, const TensorOptions& options = {});
Tensor kaiser_window(int64_t window_length, const TensorOptions& options = {});
Tensor kaiser_window(int64_t window_length, bool periodic, const TensorOptions& options = {});
Tensor kaiser_window(int64_t window_length, bool periodic, double beta, const TensorOptions& options = {});

/// The frequencies of a Fourier transform of n numbers that are d apart in time; and those of its first half.
Tensor fft_fftfreq(int64_t n, double d = 1, const TensorOptions& options = {});
Tensor fft_fftfreq(int64_t n, const TensorOptions& options);
Tensor fft_rfftfreq(int64_t n, double d = 1, const TensorOptions& options = {});
Tensor fft_rfftfreq(int64_t n, const TensorOptions& options);

/// A tensor over memory of the caller, who keeps it alive (or passes a deleter).
Tensor from_blob(void* data, IntArrayRef sizes, const TensorOptions& options = {});
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options = {});
Tensor from_blob(void* data, IntArrayRef sizes, std::function<void(void*)> deleter, const TensorOptions& options = {});
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, std::function<void(void*)> deleter,
                 const TensorOptions& options = {});
/// A one-dimensional tensor that takes the vector over without copying.
template <class T>
Tensor from_vector(std::vector<T> v) {
  auto* owner = new std::vector<T>(std::move(v));
  return from_blob(
      owner->data(), {static_cast<int64_t>(owner->size())}, [owner](void*) { delete owner; }, dtype_of<T>);
}

/// The dtype an op over these would give.
ScalarType result_type(const Tensor& a, const Tensor& b);
ScalarType result_type(const Tensor& a, const Scalar& b);

bool equal(const Tensor& self, const Tensor& other);
bool allclose(const Tensor& self, const Tensor& other, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false);
bool is_nonzero(const Tensor& self);
std::vector<Tensor> where(const Tensor& condition);
/// sorted unique values, where each element of the input is among them, and how often each occurs.
std::tuple<Tensor, Tensor, Tensor> _unique2(const Tensor& self, bool sorted = true, bool return_inverse = false,
                                            bool return_counts = false);
std::tuple<Tensor, Tensor> unique(const Tensor& self, bool sorted = true, bool return_inverse = false);

}  // namespace taut
