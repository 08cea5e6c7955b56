// Type promotion: tensors with dimensions decide; 0-d tensors and then plain numbers only when of a higher category.
#pragma once
#include "core/tensor_impl.h"
#include "taut/tensor.h"

namespace taut {

class Promotion {
 public:
  void add(const Tensor& t) {
    const TensorImpl& i = *t.impl();
    ScalarType type = i.dtype;
    if (i.wrapped_number && is_floating_point(type)) type = get_default_dtype();
    if (i.wrapped_number && is_complex(type)) type = complex_type(get_default_dtype());
    ScalarType& into = !i.sizes.empty() ? dims_ : i.wrapped_number ? number_ : zero_;
    into = join(into, type);
  }
  ScalarType result() const { return combine(dims_, combine(zero_, number_)); }

 private:
  static ScalarType join(ScalarType a, ScalarType b) {
    return a == ScalarType::Undefined ? b : b == ScalarType::Undefined ? a : promote_types(a, b);
  }
  static ScalarType combine(ScalarType higher, ScalarType lower) {
    if (is_complex(lower) && is_floating_point(higher)) return complex_type(higher);
    if (is_differentiable(higher)) return higher;
    if (higher == kBool || is_differentiable(lower)) return join(higher, lower);
    return higher != ScalarType::Undefined ? higher : lower;
  }
  ScalarType dims_ = ScalarType::Undefined, zero_ = ScalarType::Undefined, number_ = ScalarType::Undefined;
};

/// A fresh result of that shape, with the memory order of the first input of that shape, as PyTorch's elementwise ops
/// do.
ImplPtr make_result(const Tensor* const* in, int n, IntArrayRef sizes, ScalarType dtype, const char* op);

/// uint16, uint32 and uint64, which few ops compute with, as int64: Note [Limited dtypes].
inline Tensor as_signed(const Tensor& x) {
  return is_limited(x.scalar_type()) && is_unsigned(x.scalar_type()) ? x.to(kLong) : x;
}

/// The same in their order, for ops that compare: the greater half of uint64 would else be negative. And back.
inline Tensor as_ordered(const Tensor& x) {
  if (x.scalar_type() != kUInt64) return as_signed(x);
  return as_signed(x).bitwise_xor(Scalar(INT64_MIN));
}
inline Tensor from_ordered(const Tensor& x, ScalarType type) {
  return x.scalar_type() == type ? x : (type == kUInt64 ? x.bitwise_xor(Scalar(INT64_MIN)) : x).to(type);
}

/// A result of whole numbers has no gradient: throws where one is wanted.
void check_whole_result(const Tensor& self, std::optional<ScalarType> dtype, const char* op);

}  // namespace taut
