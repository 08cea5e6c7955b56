// Written by tools/op_headers.py from the rows of src/ops; do not edit. Second names.
#pragma once
#include "taut/tensor.h"

namespace taut {

inline Tensor arcsin(const Tensor& self) { return asin(self); }
inline Tensor& arcsin_(Tensor& self) { return asin_(self); }
inline Tensor arccos(const Tensor& self) { return acos(self); }
inline Tensor& arccos_(Tensor& self) { return acos_(self); }
inline Tensor arctan(const Tensor& self) { return atan(self); }
inline Tensor& arctan_(Tensor& self) { return atan_(self); }
inline Tensor arcsinh(const Tensor& self) { return asinh(self); }
inline Tensor& arcsinh_(Tensor& self) { return asinh_(self); }
inline Tensor arccosh(const Tensor& self) { return acosh(self); }
inline Tensor& arccosh_(Tensor& self) { return acosh_(self); }
inline Tensor arctanh(const Tensor& self) { return atanh(self); }
inline Tensor& arctanh_(Tensor& self) { return atanh_(self); }
inline Tensor arctan2(const Tensor& self, const Tensor& other) { return atan2(self, other); }
inline Tensor& arctan2_(Tensor& self, const Tensor& other) { return atan2_(self, other); }
inline Tensor subtract(const Tensor& self, const Tensor& other, const Scalar& alpha = 1) {
  return sub(self, other, alpha);
}
inline Tensor& subtract_(Tensor& self, const Tensor& other, const Scalar& alpha = 1) {
  return sub_(self, other, alpha);
}
inline Tensor subtract(const Tensor& self, const Scalar& other, const Scalar& alpha = 1) {
  return sub(self, other, alpha);
}
inline Tensor& subtract_(Tensor& self, const Scalar& other, const Scalar& alpha = 1) {
  return sub_(self, other, alpha);
}
inline Tensor multiply(const Tensor& self, const Tensor& other) { return mul(self, other); }
inline Tensor& multiply_(Tensor& self, const Tensor& other) { return mul_(self, other); }
inline Tensor multiply(const Tensor& self, const Scalar& other) { return mul(self, other); }
inline Tensor& multiply_(Tensor& self, const Scalar& other) { return mul_(self, other); }
inline Tensor divide(const Tensor& self, const Tensor& other) { return div(self, other); }
inline Tensor& divide_(Tensor& self, const Tensor& other) { return div_(self, other); }
inline Tensor divide(const Tensor& self, const Scalar& other) { return div(self, other); }
inline Tensor& divide_(Tensor& self, const Scalar& other) { return div_(self, other); }
inline Tensor divide(const Tensor& self, const Tensor& other, std::optional<std::string_view> rounding_mode) {
  return div(self, other, rounding_mode);
}
inline Tensor& divide_(Tensor& self, const Tensor& other, std::optional<std::string_view> rounding_mode) {
  return div_(self, other, rounding_mode);
}
inline Tensor divide(const Tensor& self, const Scalar& other, std::optional<std::string_view> rounding_mode) {
  return div(self, other, rounding_mode);
}
inline Tensor& divide_(Tensor& self, const Scalar& other, std::optional<std::string_view> rounding_mode) {
  return div_(self, other, rounding_mode);
}
inline Tensor negative(const Tensor& self) { return neg(self); }
inline Tensor& negative_(Tensor& self) { return neg_(self); }
inline Tensor absolute(const Tensor& self) { return abs(self); }
inline Tensor& absolute_(Tensor& self) { return abs_(self); }
inline Tensor fix(const Tensor& self) { return trunc(self); }
inline Tensor& fix_(Tensor& self) { return trunc_(self); }
inline Tensor clip(const Tensor& self, const std::optional<Scalar>& min = std::nullopt,
                   const std::optional<Scalar>& max = std::nullopt) {
  return clamp(self, min, max);
}
inline Tensor& clip_(Tensor& self, const std::optional<Scalar>& min = std::nullopt,
                     const std::optional<Scalar>& max = std::nullopt) {
  return clamp_(self, min, max);
}
inline Tensor clip(const Tensor& self, OptionalTensor min, OptionalTensor max = std::nullopt) {
  return clamp(self, min, max);
}
inline Tensor& clip_(Tensor& self, OptionalTensor min, OptionalTensor max = std::nullopt) {
  return clamp_(self, min, max);
}
inline Tensor not_equal(const Tensor& self, const Scalar& other) { return ne(self, other); }
inline Tensor& not_equal_(Tensor& self, const Scalar& other) { return ne_(self, other); }
inline Tensor not_equal(const Tensor& self, const Tensor& other) { return ne(self, other); }
inline Tensor& not_equal_(Tensor& self, const Tensor& other) { return ne_(self, other); }
inline Tensor less(const Tensor& self, const Scalar& other) { return lt(self, other); }
inline Tensor& less_(Tensor& self, const Scalar& other) { return lt_(self, other); }
inline Tensor less(const Tensor& self, const Tensor& other) { return lt(self, other); }
inline Tensor& less_(Tensor& self, const Tensor& other) { return lt_(self, other); }
inline Tensor less_equal(const Tensor& self, const Scalar& other) { return le(self, other); }
inline Tensor& less_equal_(Tensor& self, const Scalar& other) { return le_(self, other); }
inline Tensor less_equal(const Tensor& self, const Tensor& other) { return le(self, other); }
inline Tensor& less_equal_(Tensor& self, const Tensor& other) { return le_(self, other); }
inline Tensor greater(const Tensor& self, const Scalar& other) { return gt(self, other); }
inline Tensor& greater_(Tensor& self, const Scalar& other) { return gt_(self, other); }
inline Tensor greater(const Tensor& self, const Tensor& other) { return gt(self, other); }
inline Tensor& greater_(Tensor& self, const Tensor& other) { return gt_(self, other); }
inline Tensor greater_equal(const Tensor& self, const Scalar& other) { return ge(self, other); }
inline Tensor& greater_equal_(Tensor& self, const Scalar& other) { return ge_(self, other); }
inline Tensor greater_equal(const Tensor& self, const Tensor& other) { return ge(self, other); }
inline Tensor& greater_equal_(Tensor& self, const Tensor& other) { return ge_(self, other); }
inline std::vector<Tensor> unsafe_split(const Tensor& self, int64_t split_size, int64_t dim = 0) {
  return split(self, split_size, dim);
}
inline std::vector<Tensor> unsafe_split(const Tensor& self, IntArrayRef split_size, int64_t dim = 0) {
  return split(self, split_size, dim);
}
inline std::vector<Tensor> unsafe_split_with_sizes(const Tensor& self, IntArrayRef split_sizes, int64_t dim = 0) {
  return split_with_sizes(self, split_sizes, dim);
}
inline std::vector<Tensor> unsafe_chunk(const Tensor& self, int64_t chunks, int64_t dim = 0) {
  return chunk(self, chunks, dim);
}
inline Tensor concatenate(TensorList tensors, int64_t dim = 0) { return cat(tensors, dim); }
inline Tensor row_stack(TensorList tensors) { return vstack(tensors); }

}  // namespace taut
