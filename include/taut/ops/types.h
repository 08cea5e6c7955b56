// The types that ops take besides tensors and numbers.
#pragma once
#include <concepts>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "taut/core/array_ref.h"
#include "taut/core/scalar.h"
#include "taut/options.h"
#include "taut/random.h"

namespace taut {

class Tensor;
using TensorList = ArrayRef<Tensor>;

/// A tensor argument that may be absent; borrows the tensor.
class OptionalTensor {
 public:
  OptionalTensor() = default;
  OptionalTensor(std::nullopt_t) {}
  OptionalTensor(const Tensor& t) : tensor_(&t) {}
  template <class T>
  requires std::is_same_v<T, Tensor> OptionalTensor(const std::optional<T>& t) : tensor_(t ? &*t : nullptr) {}
  /// False for an undefined tensor too.
  bool has_value() const;
  explicit operator bool() const { return has_value(); }
  const Tensor& operator*() const { return *tensor_; }
  const Tensor* operator->() const { return tensor_; }
  const Tensor& value() const { return *tensor_; }

 private:
  const Tensor* tensor_ = nullptr;
};

/// "same" or "valid" as the padding of a convolution.
class PaddingName {
 public:
  template <std::convertible_to<std::string_view> S>
  requires(!std::is_arithmetic_v<S>) PaddingName(const S& name) : name_(name) {}
  std::string_view name() const { return name_; }

 private:
  std::string_view name_;
};

namespace Reduction {
enum Reduction { None, Mean, Sum };
}

}  // namespace taut
