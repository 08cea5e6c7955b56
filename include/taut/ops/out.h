// Written by tools/op_headers.py from the rows of src/ops; do not edit.
// `add_out(out, a, b)`: the result goes where it is told, as by `add(a, b, out=out)` in Python.
// add_outf has the destination last, and no defaults.
#pragma once
#include "taut/ops/types.h"

namespace taut {

Tensor& exp_out(Tensor& out, const Tensor& self);
inline Tensor& exp_outf(const Tensor& self, Tensor& out) { return exp_out(out, self); }
Tensor& exp2_out(Tensor& out, const Tensor& self);
inline Tensor& exp2_outf(const Tensor& self, Tensor& out) { return exp2_out(out, self); }
Tensor& expm1_out(Tensor& out, const Tensor& self);
inline Tensor& expm1_outf(const Tensor& self, Tensor& out) { return expm1_out(out, self); }
Tensor& log_out(Tensor& out, const Tensor& self);
inline Tensor& log_outf(const Tensor& self, Tensor& out) { return log_out(out, self); }
Tensor& log2_out(Tensor& out, const Tensor& self);
inline Tensor& log2_outf(const Tensor& self, Tensor& out) { return log2_out(out, self); }
Tensor& log10_out(Tensor& out, const Tensor& self);
inline Tensor& log10_outf(const Tensor& self, Tensor& out) { return log10_out(out, self); }
Tensor& log1p_out(Tensor& out, const Tensor& self);
inline Tensor& log1p_outf(const Tensor& self, Tensor& out) { return log1p_out(out, self); }
Tensor& sin_out(Tensor& out, const Tensor& self);
inline Tensor& sin_outf(const Tensor& self, Tensor& out) { return sin_out(out, self); }
Tensor& cos_out(Tensor& out, const Tensor& self);
inline Tensor& cos_outf(const Tensor& self, Tensor& out) { return cos_out(out, self); }
Tensor& tan_out(Tensor& out, const Tensor& self);
inline Tensor& tan_outf(const Tensor& self, Tensor& out) { return tan_out(out, self); }
Tensor& asin_out(Tensor& out, const Tensor& self);
inline Tensor& asin_outf(const Tensor& self, Tensor& out) { return asin_out(out, self); }
inline Tensor& arcsin_out(Tensor& out, const Tensor& self) { return asin_out(out, self); }
inline Tensor& arcsin_outf(const Tensor& self, Tensor& out) { return asin_out(out, self); }
Tensor& acos_out(Tensor& out, const Tensor& self);
inline Tensor& acos_outf(const Tensor& self, Tensor& out) { return acos_out(out, self); }
inline Tensor& arccos_out(Tensor& out, const Tensor& self) { return acos_out(out, self); }
inline Tensor& arccos_outf(const Tensor& self, Tensor& out) { return acos_out(out, self); }
Tensor& atan_out(Tensor& out, const Tensor& self);
inline Tensor& atan_outf(const Tensor& self, Tensor& out) { return atan_out(out, self); }
inline Tensor& arctan_out(Tensor& out, const Tensor& self) { return atan_out(out, self); }
inline Tensor& arctan_outf(const Tensor& self, Tensor& out) { return atan_out(out, self); }
Tensor& sinh_out(Tensor& out, const Tensor& self);
inline Tensor& sinh_outf(const Tensor& self, Tensor& out) { return sinh_out(out, self); }
Tensor& cosh_out(Tensor& out, const Tensor& self);
inline Tensor& cosh_outf(const Tensor& self, Tensor& out) { return cosh_out(out, self); }
Tensor& tanh_out(Tensor& out, const Tensor& self);
inline Tensor& tanh_outf(const Tensor& self, Tensor& out) { return tanh_out(out, self); }
Tensor& asinh_out(Tensor& out, const Tensor& self);
inline Tensor& asinh_outf(const Tensor& self, Tensor& out) { return asinh_out(out, self); }
inline Tensor& arcsinh_out(Tensor& out, const Tensor& self) { return asinh_out(out, self); }
inline Tensor& arcsinh_outf(const Tensor& self, Tensor& out) { return asinh_out(out, self); }
Tensor& acosh_out(Tensor& out, const Tensor& self);
inline Tensor& acosh_outf(const Tensor& self, Tensor& out) { return acosh_out(out, self); }
inline Tensor& arccosh_out(Tensor& out, const Tensor& self) { return acosh_out(out, self); }
inline Tensor& arccosh_outf(const Tensor& self, Tensor& out) { return acosh_out(out, self); }
Tensor& atanh_out(Tensor& out, const Tensor& self);
inline Tensor& atanh_outf(const Tensor& self, Tensor& out) { return atanh_out(out, self); }
inline Tensor& arctanh_out(Tensor& out, const Tensor& self) { return atanh_out(out, self); }
inline Tensor& arctanh_outf(const Tensor& self, Tensor& out) { return atanh_out(out, self); }
Tensor& sigmoid_out(Tensor& out, const Tensor& self);
inline Tensor& sigmoid_outf(const Tensor& self, Tensor& out) { return sigmoid_out(out, self); }
Tensor& erf_out(Tensor& out, const Tensor& self);
inline Tensor& erf_outf(const Tensor& self, Tensor& out) { return erf_out(out, self); }
Tensor& erfc_out(Tensor& out, const Tensor& self);
inline Tensor& erfc_outf(const Tensor& self, Tensor& out) { return erfc_out(out, self); }
Tensor& erfinv_out(Tensor& out, const Tensor& self);
inline Tensor& erfinv_outf(const Tensor& self, Tensor& out) { return erfinv_out(out, self); }
Tensor& lgamma_out(Tensor& out, const Tensor& self);
inline Tensor& lgamma_outf(const Tensor& self, Tensor& out) { return lgamma_out(out, self); }
Tensor& digamma_out(Tensor& out, const Tensor& self);
inline Tensor& digamma_outf(const Tensor& self, Tensor& out) { return digamma_out(out, self); }
Tensor& sinc_out(Tensor& out, const Tensor& self);
inline Tensor& sinc_outf(const Tensor& self, Tensor& out) { return sinc_out(out, self); }
Tensor& polygamma_out(Tensor& out, int64_t n, const Tensor& self);
inline Tensor& polygamma_outf(int64_t n, const Tensor& self, Tensor& out) { return polygamma_out(out, n, self); }
Tensor& logit_out(Tensor& out, const Tensor& self, std::optional<double> eps = std::nullopt);
inline Tensor& logit_outf(const Tensor& self, std::optional<double> eps, Tensor& out) {
  return logit_out(out, self, eps);
}
Tensor& xlogy_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& xlogy_outf(const Tensor& self, const Tensor& other, Tensor& out) { return xlogy_out(out, self, other); }
Tensor& xlogy_out(Tensor& out, const Scalar& self, const Tensor& other);
inline Tensor& xlogy_outf(const Scalar& self, const Tensor& other, Tensor& out) { return xlogy_out(out, self, other); }
Tensor& xlogy_out(Tensor& out, const Tensor& self, const Scalar& other);
inline Tensor& xlogy_outf(const Tensor& self, const Scalar& other, Tensor& out) { return xlogy_out(out, self, other); }
Tensor& logaddexp_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& logaddexp_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return logaddexp_out(out, self, other);
}
Tensor& logaddexp2_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& logaddexp2_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return logaddexp2_out(out, self, other);
}
Tensor& hypot_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& hypot_outf(const Tensor& self, const Tensor& other, Tensor& out) { return hypot_out(out, self, other); }
Tensor& atan2_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& atan2_outf(const Tensor& self, const Tensor& other, Tensor& out) { return atan2_out(out, self, other); }
inline Tensor& arctan2_out(Tensor& out, const Tensor& self, const Tensor& other) { return atan2_out(out, self, other); }
inline Tensor& arctan2_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return atan2_out(out, self, other);
}
Tensor& copysign_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& copysign_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return copysign_out(out, self, other);
}
Tensor& copysign_out(Tensor& out, const Tensor& self, const Scalar& other);
inline Tensor& copysign_outf(const Tensor& self, const Scalar& other, Tensor& out) {
  return copysign_out(out, self, other);
}
Tensor& nan_to_num_out(Tensor& out, const Tensor& self, std::optional<double> nan = std::nullopt,
                       std::optional<double> posinf = std::nullopt, std::optional<double> neginf = std::nullopt);
inline Tensor& nan_to_num_outf(const Tensor& self, std::optional<double> nan, std::optional<double> posinf,
                               std::optional<double> neginf, Tensor& out) {
  return nan_to_num_out(out, self, nan, posinf, neginf);
}
Tensor& deg2rad_out(Tensor& out, const Tensor& self);
inline Tensor& deg2rad_outf(const Tensor& self, Tensor& out) { return deg2rad_out(out, self); }
Tensor& rad2deg_out(Tensor& out, const Tensor& self);
inline Tensor& rad2deg_outf(const Tensor& self, Tensor& out) { return rad2deg_out(out, self); }
Tensor& heaviside_out(Tensor& out, const Tensor& self, const Tensor& values);
inline Tensor& heaviside_outf(const Tensor& self, const Tensor& values, Tensor& out) {
  return heaviside_out(out, self, values);
}
Tensor& add_out(Tensor& out, const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
inline Tensor& add_outf(const Tensor& self, const Tensor& other, const Scalar& alpha, Tensor& out) {
  return add_out(out, self, other, alpha);
}
Tensor& add_out(Tensor& out, const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
inline Tensor& add_outf(const Tensor& self, const Scalar& other, const Scalar& alpha, Tensor& out) {
  return add_out(out, self, other, alpha);
}
Tensor& sub_out(Tensor& out, const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
inline Tensor& sub_outf(const Tensor& self, const Tensor& other, const Scalar& alpha, Tensor& out) {
  return sub_out(out, self, other, alpha);
}
inline Tensor& subtract_out(Tensor& out, const Tensor& self, const Tensor& other, const Scalar& alpha = 1) {
  return sub_out(out, self, other, alpha);
}
inline Tensor& subtract_outf(const Tensor& self, const Tensor& other, const Scalar& alpha, Tensor& out) {
  return sub_out(out, self, other, alpha);
}
Tensor& sub_out(Tensor& out, const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
inline Tensor& sub_outf(const Tensor& self, const Scalar& other, const Scalar& alpha, Tensor& out) {
  return sub_out(out, self, other, alpha);
}
inline Tensor& subtract_out(Tensor& out, const Tensor& self, const Scalar& other, const Scalar& alpha = 1) {
  return sub_out(out, self, other, alpha);
}
inline Tensor& subtract_outf(const Tensor& self, const Scalar& other, const Scalar& alpha, Tensor& out) {
  return sub_out(out, self, other, alpha);
}
Tensor& mul_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& mul_outf(const Tensor& self, const Tensor& other, Tensor& out) { return mul_out(out, self, other); }
inline Tensor& multiply_out(Tensor& out, const Tensor& self, const Tensor& other) { return mul_out(out, self, other); }
inline Tensor& multiply_outf(const Tensor& self, const Tensor& other, Tensor& out) { return mul_out(out, self, other); }
Tensor& mul_out(Tensor& out, const Tensor& self, const Scalar& other);
inline Tensor& mul_outf(const Tensor& self, const Scalar& other, Tensor& out) { return mul_out(out, self, other); }
inline Tensor& multiply_out(Tensor& out, const Tensor& self, const Scalar& other) { return mul_out(out, self, other); }
inline Tensor& multiply_outf(const Tensor& self, const Scalar& other, Tensor& out) { return mul_out(out, self, other); }
Tensor& div_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& div_outf(const Tensor& self, const Tensor& other, Tensor& out) { return div_out(out, self, other); }
inline Tensor& divide_out(Tensor& out, const Tensor& self, const Tensor& other) { return div_out(out, self, other); }
inline Tensor& divide_outf(const Tensor& self, const Tensor& other, Tensor& out) { return div_out(out, self, other); }
Tensor& div_out(Tensor& out, const Tensor& self, const Scalar& other);
inline Tensor& div_outf(const Tensor& self, const Scalar& other, Tensor& out) { return div_out(out, self, other); }
inline Tensor& divide_out(Tensor& out, const Tensor& self, const Scalar& other) { return div_out(out, self, other); }
inline Tensor& divide_outf(const Tensor& self, const Scalar& other, Tensor& out) { return div_out(out, self, other); }
Tensor& div_out(Tensor& out, const Tensor& self, const Tensor& other, std::optional<std::string_view> rounding_mode);
inline Tensor& div_outf(const Tensor& self, const Tensor& other, std::optional<std::string_view> rounding_mode,
                        Tensor& out) {
  return div_out(out, self, other, rounding_mode);
}
inline Tensor& divide_out(Tensor& out, const Tensor& self, const Tensor& other,
                          std::optional<std::string_view> rounding_mode) {
  return div_out(out, self, other, rounding_mode);
}
inline Tensor& divide_outf(const Tensor& self, const Tensor& other, std::optional<std::string_view> rounding_mode,
                           Tensor& out) {
  return div_out(out, self, other, rounding_mode);
}
Tensor& div_out(Tensor& out, const Tensor& self, const Scalar& other, std::optional<std::string_view> rounding_mode);
inline Tensor& div_outf(const Tensor& self, const Scalar& other, std::optional<std::string_view> rounding_mode,
                        Tensor& out) {
  return div_out(out, self, other, rounding_mode);
}
inline Tensor& divide_out(Tensor& out, const Tensor& self, const Scalar& other,
                          std::optional<std::string_view> rounding_mode) {
  return div_out(out, self, other, rounding_mode);
}
inline Tensor& divide_outf(const Tensor& self, const Scalar& other, std::optional<std::string_view> rounding_mode,
                           Tensor& out) {
  return div_out(out, self, other, rounding_mode);
}
Tensor& true_divide_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& true_divide_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return true_divide_out(out, self, other);
}
Tensor& true_divide_out(Tensor& out, const Tensor& self, const Scalar& other);
inline Tensor& true_divide_outf(const Tensor& self, const Scalar& other, Tensor& out) {
  return true_divide_out(out, self, other);
}
Tensor& floor_divide_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& floor_divide_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return floor_divide_out(out, self, other);
}
Tensor& floor_divide_out(Tensor& out, const Tensor& self, const Scalar& other);
inline Tensor& floor_divide_outf(const Tensor& self, const Scalar& other, Tensor& out) {
  return floor_divide_out(out, self, other);
}
Tensor& fmod_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& fmod_outf(const Tensor& self, const Tensor& other, Tensor& out) { return fmod_out(out, self, other); }
Tensor& fmod_out(Tensor& out, const Tensor& self, const Scalar& other);
inline Tensor& fmod_outf(const Tensor& self, const Scalar& other, Tensor& out) { return fmod_out(out, self, other); }
Tensor& remainder_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& remainder_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return remainder_out(out, self, other);
}
Tensor& remainder_out(Tensor& out, const Tensor& self, const Scalar& other);
inline Tensor& remainder_outf(const Tensor& self, const Scalar& other, Tensor& out) {
  return remainder_out(out, self, other);
}
Tensor& neg_out(Tensor& out, const Tensor& self);
inline Tensor& neg_outf(const Tensor& self, Tensor& out) { return neg_out(out, self); }
inline Tensor& negative_out(Tensor& out, const Tensor& self) { return neg_out(out, self); }
inline Tensor& negative_outf(const Tensor& self, Tensor& out) { return neg_out(out, self); }
Tensor& abs_out(Tensor& out, const Tensor& self);
inline Tensor& abs_outf(const Tensor& self, Tensor& out) { return abs_out(out, self); }
inline Tensor& absolute_out(Tensor& out, const Tensor& self) { return abs_out(out, self); }
inline Tensor& absolute_outf(const Tensor& self, Tensor& out) { return abs_out(out, self); }
Tensor& sign_out(Tensor& out, const Tensor& self);
inline Tensor& sign_outf(const Tensor& self, Tensor& out) { return sign_out(out, self); }
Tensor& sgn_out(Tensor& out, const Tensor& self);
inline Tensor& sgn_outf(const Tensor& self, Tensor& out) { return sgn_out(out, self); }
Tensor& square_out(Tensor& out, const Tensor& self);
inline Tensor& square_outf(const Tensor& self, Tensor& out) { return square_out(out, self); }
Tensor& sqrt_out(Tensor& out, const Tensor& self);
inline Tensor& sqrt_outf(const Tensor& self, Tensor& out) { return sqrt_out(out, self); }
Tensor& rsqrt_out(Tensor& out, const Tensor& self);
inline Tensor& rsqrt_outf(const Tensor& self, Tensor& out) { return rsqrt_out(out, self); }
Tensor& reciprocal_out(Tensor& out, const Tensor& self);
inline Tensor& reciprocal_outf(const Tensor& self, Tensor& out) { return reciprocal_out(out, self); }
Tensor& pow_out(Tensor& out, const Tensor& self, const Tensor& exponent);
inline Tensor& pow_outf(const Tensor& self, const Tensor& exponent, Tensor& out) {
  return pow_out(out, self, exponent);
}
Tensor& pow_out(Tensor& out, const Scalar& self, const Tensor& exponent);
inline Tensor& pow_outf(const Scalar& self, const Tensor& exponent, Tensor& out) {
  return pow_out(out, self, exponent);
}
Tensor& pow_out(Tensor& out, const Tensor& self, const Scalar& exponent);
inline Tensor& pow_outf(const Tensor& self, const Scalar& exponent, Tensor& out) {
  return pow_out(out, self, exponent);
}
Tensor& float_power_out(Tensor& out, const Tensor& self, const Tensor& exponent);
inline Tensor& float_power_outf(const Tensor& self, const Tensor& exponent, Tensor& out) {
  return float_power_out(out, self, exponent);
}
Tensor& float_power_out(Tensor& out, const Scalar& self, const Tensor& exponent);
inline Tensor& float_power_outf(const Scalar& self, const Tensor& exponent, Tensor& out) {
  return float_power_out(out, self, exponent);
}
Tensor& float_power_out(Tensor& out, const Tensor& self, const Scalar& exponent);
inline Tensor& float_power_outf(const Tensor& self, const Scalar& exponent, Tensor& out) {
  return float_power_out(out, self, exponent);
}
Tensor& lerp_out(Tensor& out, const Tensor& self, const Tensor& end, const Scalar& weight);
inline Tensor& lerp_outf(const Tensor& self, const Tensor& end, const Scalar& weight, Tensor& out) {
  return lerp_out(out, self, end, weight);
}
Tensor& lerp_out(Tensor& out, const Tensor& self, const Tensor& end, const Tensor& weight);
inline Tensor& lerp_outf(const Tensor& self, const Tensor& end, const Tensor& weight, Tensor& out) {
  return lerp_out(out, self, end, weight);
}
Tensor& addcmul_out(Tensor& out, const Tensor& self, const Tensor& tensor1, const Tensor& tensor2,
                    const Scalar& value = 1);
inline Tensor& addcmul_outf(const Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value,
                            Tensor& out) {
  return addcmul_out(out, self, tensor1, tensor2, value);
}
Tensor& addcdiv_out(Tensor& out, const Tensor& self, const Tensor& tensor1, const Tensor& tensor2,
                    const Scalar& value = 1);
inline Tensor& addcdiv_outf(const Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value,
                            Tensor& out) {
  return addcdiv_out(out, self, tensor1, tensor2, value);
}
Tensor& floor_out(Tensor& out, const Tensor& self);
inline Tensor& floor_outf(const Tensor& self, Tensor& out) { return floor_out(out, self); }
Tensor& ceil_out(Tensor& out, const Tensor& self);
inline Tensor& ceil_outf(const Tensor& self, Tensor& out) { return ceil_out(out, self); }
Tensor& round_out(Tensor& out, const Tensor& self);
inline Tensor& round_outf(const Tensor& self, Tensor& out) { return round_out(out, self); }
Tensor& round_out(Tensor& out, const Tensor& self, int64_t decimals);
inline Tensor& round_outf(const Tensor& self, int64_t decimals, Tensor& out) { return round_out(out, self, decimals); }
Tensor& trunc_out(Tensor& out, const Tensor& self);
inline Tensor& trunc_outf(const Tensor& self, Tensor& out) { return trunc_out(out, self); }
inline Tensor& fix_out(Tensor& out, const Tensor& self) { return trunc_out(out, self); }
inline Tensor& fix_outf(const Tensor& self, Tensor& out) { return trunc_out(out, self); }
Tensor& frac_out(Tensor& out, const Tensor& self);
inline Tensor& frac_outf(const Tensor& self, Tensor& out) { return frac_out(out, self); }
Tensor& maximum_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& maximum_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return maximum_out(out, self, other);
}
Tensor& minimum_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& minimum_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return minimum_out(out, self, other);
}
Tensor& fmax_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& fmax_outf(const Tensor& self, const Tensor& other, Tensor& out) { return fmax_out(out, self, other); }
Tensor& fmin_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& fmin_outf(const Tensor& self, const Tensor& other, Tensor& out) { return fmin_out(out, self, other); }
Tensor& clamp_out(Tensor& out, const Tensor& self, const std::optional<Scalar>& min = std::nullopt,
                  const std::optional<Scalar>& max = std::nullopt);
inline Tensor& clamp_outf(const Tensor& self, const std::optional<Scalar>& min, const std::optional<Scalar>& max,
                          Tensor& out) {
  return clamp_out(out, self, min, max);
}
inline Tensor& clip_out(Tensor& out, const Tensor& self, const std::optional<Scalar>& min = std::nullopt,
                        const std::optional<Scalar>& max = std::nullopt) {
  return clamp_out(out, self, min, max);
}
inline Tensor& clip_outf(const Tensor& self, const std::optional<Scalar>& min, const std::optional<Scalar>& max,
                         Tensor& out) {
  return clamp_out(out, self, min, max);
}
Tensor& clamp_out(Tensor& out, const Tensor& self, OptionalTensor min, OptionalTensor max = std::nullopt);
inline Tensor& clamp_outf(const Tensor& self, OptionalTensor min, OptionalTensor max, Tensor& out) {
  return clamp_out(out, self, min, max);
}
inline Tensor& clip_out(Tensor& out, const Tensor& self, OptionalTensor min, OptionalTensor max = std::nullopt) {
  return clamp_out(out, self, min, max);
}
inline Tensor& clip_outf(const Tensor& self, OptionalTensor min, OptionalTensor max, Tensor& out) {
  return clamp_out(out, self, min, max);
}
Tensor& clamp_min_out(Tensor& out, const Tensor& self, const Scalar& min);
inline Tensor& clamp_min_outf(const Tensor& self, const Scalar& min, Tensor& out) {
  return clamp_min_out(out, self, min);
}
Tensor& clamp_min_out(Tensor& out, const Tensor& self, const Tensor& min);
inline Tensor& clamp_min_outf(const Tensor& self, const Tensor& min, Tensor& out) {
  return clamp_min_out(out, self, min);
}
Tensor& clamp_max_out(Tensor& out, const Tensor& self, const Scalar& max);
inline Tensor& clamp_max_outf(const Tensor& self, const Scalar& max, Tensor& out) {
  return clamp_max_out(out, self, max);
}
Tensor& clamp_max_out(Tensor& out, const Tensor& self, const Tensor& max);
inline Tensor& clamp_max_outf(const Tensor& self, const Tensor& max, Tensor& out) {
  return clamp_max_out(out, self, max);
}
Tensor& eq_out(Tensor& out, const Tensor& self, const Scalar& other);
inline Tensor& eq_outf(const Tensor& self, const Scalar& other, Tensor& out) { return eq_out(out, self, other); }
Tensor& eq_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& eq_outf(const Tensor& self, const Tensor& other, Tensor& out) { return eq_out(out, self, other); }
Tensor& ne_out(Tensor& out, const Tensor& self, const Scalar& other);
inline Tensor& ne_outf(const Tensor& self, const Scalar& other, Tensor& out) { return ne_out(out, self, other); }
inline Tensor& not_equal_out(Tensor& out, const Tensor& self, const Scalar& other) { return ne_out(out, self, other); }
inline Tensor& not_equal_outf(const Tensor& self, const Scalar& other, Tensor& out) { return ne_out(out, self, other); }
Tensor& ne_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& ne_outf(const Tensor& self, const Tensor& other, Tensor& out) { return ne_out(out, self, other); }
inline Tensor& not_equal_out(Tensor& out, const Tensor& self, const Tensor& other) { return ne_out(out, self, other); }
inline Tensor& not_equal_outf(const Tensor& self, const Tensor& other, Tensor& out) { return ne_out(out, self, other); }
Tensor& lt_out(Tensor& out, const Tensor& self, const Scalar& other);
inline Tensor& lt_outf(const Tensor& self, const Scalar& other, Tensor& out) { return lt_out(out, self, other); }
inline Tensor& less_out(Tensor& out, const Tensor& self, const Scalar& other) { return lt_out(out, self, other); }
inline Tensor& less_outf(const Tensor& self, const Scalar& other, Tensor& out) { return lt_out(out, self, other); }
Tensor& lt_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& lt_outf(const Tensor& self, const Tensor& other, Tensor& out) { return lt_out(out, self, other); }
inline Tensor& less_out(Tensor& out, const Tensor& self, const Tensor& other) { return lt_out(out, self, other); }
inline Tensor& less_outf(const Tensor& self, const Tensor& other, Tensor& out) { return lt_out(out, self, other); }
Tensor& le_out(Tensor& out, const Tensor& self, const Scalar& other);
inline Tensor& le_outf(const Tensor& self, const Scalar& other, Tensor& out) { return le_out(out, self, other); }
inline Tensor& less_equal_out(Tensor& out, const Tensor& self, const Scalar& other) { return le_out(out, self, other); }
inline Tensor& less_equal_outf(const Tensor& self, const Scalar& other, Tensor& out) {
  return le_out(out, self, other);
}
Tensor& le_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& le_outf(const Tensor& self, const Tensor& other, Tensor& out) { return le_out(out, self, other); }
inline Tensor& less_equal_out(Tensor& out, const Tensor& self, const Tensor& other) { return le_out(out, self, other); }
inline Tensor& less_equal_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return le_out(out, self, other);
}
Tensor& gt_out(Tensor& out, const Tensor& self, const Scalar& other);
inline Tensor& gt_outf(const Tensor& self, const Scalar& other, Tensor& out) { return gt_out(out, self, other); }
inline Tensor& greater_out(Tensor& out, const Tensor& self, const Scalar& other) { return gt_out(out, self, other); }
inline Tensor& greater_outf(const Tensor& self, const Scalar& other, Tensor& out) { return gt_out(out, self, other); }
Tensor& gt_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& gt_outf(const Tensor& self, const Tensor& other, Tensor& out) { return gt_out(out, self, other); }
inline Tensor& greater_out(Tensor& out, const Tensor& self, const Tensor& other) { return gt_out(out, self, other); }
inline Tensor& greater_outf(const Tensor& self, const Tensor& other, Tensor& out) { return gt_out(out, self, other); }
Tensor& ge_out(Tensor& out, const Tensor& self, const Scalar& other);
inline Tensor& ge_outf(const Tensor& self, const Scalar& other, Tensor& out) { return ge_out(out, self, other); }
inline Tensor& greater_equal_out(Tensor& out, const Tensor& self, const Scalar& other) {
  return ge_out(out, self, other);
}
inline Tensor& greater_equal_outf(const Tensor& self, const Scalar& other, Tensor& out) {
  return ge_out(out, self, other);
}
Tensor& ge_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& ge_outf(const Tensor& self, const Tensor& other, Tensor& out) { return ge_out(out, self, other); }
inline Tensor& greater_equal_out(Tensor& out, const Tensor& self, const Tensor& other) {
  return ge_out(out, self, other);
}
inline Tensor& greater_equal_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return ge_out(out, self, other);
}
Tensor& isposinf_out(Tensor& out, const Tensor& self);
inline Tensor& isposinf_outf(const Tensor& self, Tensor& out) { return isposinf_out(out, self); }
Tensor& isneginf_out(Tensor& out, const Tensor& self);
inline Tensor& isneginf_outf(const Tensor& self, Tensor& out) { return isneginf_out(out, self); }
Tensor& signbit_out(Tensor& out, const Tensor& self);
inline Tensor& signbit_outf(const Tensor& self, Tensor& out) { return signbit_out(out, self); }
Tensor& logical_and_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& logical_and_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return logical_and_out(out, self, other);
}
Tensor& logical_or_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& logical_or_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return logical_or_out(out, self, other);
}
Tensor& logical_xor_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& logical_xor_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return logical_xor_out(out, self, other);
}
Tensor& logical_not_out(Tensor& out, const Tensor& self);
inline Tensor& logical_not_outf(const Tensor& self, Tensor& out) { return logical_not_out(out, self); }
Tensor& bitwise_and_out(Tensor& out, const Tensor& self, const Scalar& other);
inline Tensor& bitwise_and_outf(const Tensor& self, const Scalar& other, Tensor& out) {
  return bitwise_and_out(out, self, other);
}
Tensor& bitwise_and_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& bitwise_and_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return bitwise_and_out(out, self, other);
}
Tensor& bitwise_or_out(Tensor& out, const Tensor& self, const Scalar& other);
inline Tensor& bitwise_or_outf(const Tensor& self, const Scalar& other, Tensor& out) {
  return bitwise_or_out(out, self, other);
}
Tensor& bitwise_or_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& bitwise_or_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return bitwise_or_out(out, self, other);
}
Tensor& bitwise_xor_out(Tensor& out, const Tensor& self, const Scalar& other);
inline Tensor& bitwise_xor_outf(const Tensor& self, const Scalar& other, Tensor& out) {
  return bitwise_xor_out(out, self, other);
}
Tensor& bitwise_xor_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& bitwise_xor_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return bitwise_xor_out(out, self, other);
}
Tensor& bitwise_not_out(Tensor& out, const Tensor& self);
inline Tensor& bitwise_not_outf(const Tensor& self, Tensor& out) { return bitwise_not_out(out, self); }
Tensor& bitwise_left_shift_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& bitwise_left_shift_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return bitwise_left_shift_out(out, self, other);
}
Tensor& bitwise_left_shift_out(Tensor& out, const Tensor& self, const Scalar& other);
inline Tensor& bitwise_left_shift_outf(const Tensor& self, const Scalar& other, Tensor& out) {
  return bitwise_left_shift_out(out, self, other);
}
Tensor& bitwise_right_shift_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& bitwise_right_shift_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return bitwise_right_shift_out(out, self, other);
}
Tensor& bitwise_right_shift_out(Tensor& out, const Tensor& self, const Scalar& other);
inline Tensor& bitwise_right_shift_outf(const Tensor& self, const Scalar& other, Tensor& out) {
  return bitwise_right_shift_out(out, self, other);
}
Tensor& where_out(Tensor& out, const Tensor& condition, const Tensor& self, const Tensor& other);
inline Tensor& where_outf(const Tensor& condition, const Tensor& self, const Tensor& other, Tensor& out) {
  return where_out(out, condition, self, other);
}
std::tuple<Tensor&, Tensor&> sort_out(Tensor& out0, Tensor& out1, const Tensor& self, int64_t dim = -1,
                                      bool descending = false);
inline std::tuple<Tensor&, Tensor&> sort_outf(const Tensor& self, int64_t dim, bool descending, Tensor& out0,
                                              Tensor& out1) {
  return sort_out(out0, out1, self, dim, descending);
}
std::tuple<Tensor&, Tensor&> sort_out(Tensor& out0, Tensor& out1, const Tensor& self, std::optional<bool> stable,
                                      int64_t dim = -1, bool descending = false);
inline std::tuple<Tensor&, Tensor&> sort_outf(const Tensor& self, std::optional<bool> stable, int64_t dim,
                                              bool descending, Tensor& out0, Tensor& out1) {
  return sort_out(out0, out1, self, stable, dim, descending);
}
Tensor& argsort_out(Tensor& out, const Tensor& self, bool stable, int64_t dim, bool descending = false);
inline Tensor& argsort_outf(const Tensor& self, bool stable, int64_t dim, bool descending, Tensor& out) {
  return argsort_out(out, self, stable, dim, descending);
}
Tensor& msort_out(Tensor& out, const Tensor& self);
inline Tensor& msort_outf(const Tensor& self, Tensor& out) { return msort_out(out, self); }
std::tuple<Tensor&, Tensor&> topk_out(Tensor& out0, Tensor& out1, const Tensor& self, int64_t k, int64_t dim = -1,
                                      bool largest = true, bool sorted = true);
inline std::tuple<Tensor&, Tensor&> topk_outf(const Tensor& self, int64_t k, int64_t dim, bool largest, bool sorted,
                                              Tensor& out0, Tensor& out1) {
  return topk_out(out0, out1, self, k, dim, largest, sorted);
}
std::tuple<Tensor&, Tensor&> kthvalue_out(Tensor& out0, Tensor& out1, const Tensor& self, int64_t k, int64_t dim = -1,
                                          bool keepdim = false);
inline std::tuple<Tensor&, Tensor&> kthvalue_outf(const Tensor& self, int64_t k, int64_t dim, bool keepdim,
                                                  Tensor& out0, Tensor& out1) {
  return kthvalue_out(out0, out1, self, k, dim, keepdim);
}
std::tuple<Tensor&, Tensor&> mode_out(Tensor& out0, Tensor& out1, const Tensor& self, int64_t dim = -1,
                                      bool keepdim = false);
inline std::tuple<Tensor&, Tensor&> mode_outf(const Tensor& self, int64_t dim, bool keepdim, Tensor& out0,
                                              Tensor& out1) {
  return mode_out(out0, out1, self, dim, keepdim);
}
std::tuple<Tensor&, Tensor&> median_out(Tensor& out0, Tensor& out1, const Tensor& self, int64_t dim,
                                        bool keepdim = false);
inline std::tuple<Tensor&, Tensor&> median_outf(const Tensor& self, int64_t dim, bool keepdim, Tensor& out0,
                                                Tensor& out1) {
  return median_out(out0, out1, self, dim, keepdim);
}
std::tuple<Tensor&, Tensor&> nanmedian_out(Tensor& out0, Tensor& out1, const Tensor& self, int64_t dim,
                                           bool keepdim = false);
inline std::tuple<Tensor&, Tensor&> nanmedian_outf(const Tensor& self, int64_t dim, bool keepdim, Tensor& out0,
                                                   Tensor& out1) {
  return nanmedian_out(out0, out1, self, dim, keepdim);
}
Tensor& quantile_out(Tensor& out, const Tensor& self, const Tensor& q, std::optional<int64_t> dim = std::nullopt,
                     bool keepdim = false, std::string_view interpolation = "linear");
inline Tensor& quantile_outf(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                             std::string_view interpolation, Tensor& out) {
  return quantile_out(out, self, q, dim, keepdim, interpolation);
}
Tensor& quantile_out(Tensor& out, const Tensor& self, double q, std::optional<int64_t> dim = std::nullopt,
                     bool keepdim = false, std::string_view interpolation = "linear");
inline Tensor& quantile_outf(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim,
                             std::string_view interpolation, Tensor& out) {
  return quantile_out(out, self, q, dim, keepdim, interpolation);
}
Tensor& nanquantile_out(Tensor& out, const Tensor& self, const Tensor& q, std::optional<int64_t> dim = std::nullopt,
                        bool keepdim = false, std::string_view interpolation = "linear");
inline Tensor& nanquantile_outf(const Tensor& self, const Tensor& q, std::optional<int64_t> dim, bool keepdim,
                                std::string_view interpolation, Tensor& out) {
  return nanquantile_out(out, self, q, dim, keepdim, interpolation);
}
Tensor& nanquantile_out(Tensor& out, const Tensor& self, double q, std::optional<int64_t> dim = std::nullopt,
                        bool keepdim = false, std::string_view interpolation = "linear");
inline Tensor& nanquantile_outf(const Tensor& self, double q, std::optional<int64_t> dim, bool keepdim,
                                std::string_view interpolation, Tensor& out) {
  return nanquantile_out(out, self, q, dim, keepdim, interpolation);
}
Tensor& searchsorted_out(Tensor& out, const Tensor& sorted_sequence, const Tensor& self, bool out_int32 = false,
                         bool right = false, std::optional<std::string_view> side = std::nullopt,
                         OptionalTensor sorter = std::nullopt);
inline Tensor& searchsorted_outf(const Tensor& sorted_sequence, const Tensor& self, bool out_int32, bool right,
                                 std::optional<std::string_view> side, OptionalTensor sorter, Tensor& out) {
  return searchsorted_out(out, sorted_sequence, self, out_int32, right, side, sorter);
}
Tensor& searchsorted_out(Tensor& out, const Tensor& sorted_sequence, const Scalar& self, bool out_int32 = false,
                         bool right = false, std::optional<std::string_view> side = std::nullopt,
                         OptionalTensor sorter = std::nullopt);
inline Tensor& searchsorted_outf(const Tensor& sorted_sequence, const Scalar& self, bool out_int32, bool right,
                                 std::optional<std::string_view> side, OptionalTensor sorter, Tensor& out) {
  return searchsorted_out(out, sorted_sequence, self, out_int32, right, side, sorter);
}
Tensor& bucketize_out(Tensor& out, const Tensor& self, const Tensor& boundaries, bool out_int32 = false,
                      bool right = false);
inline Tensor& bucketize_outf(const Tensor& self, const Tensor& boundaries, bool out_int32, bool right, Tensor& out) {
  return bucketize_out(out, self, boundaries, out_int32, right);
}
Tensor& histc_out(Tensor& out, const Tensor& self, int64_t bins = 100, const Scalar& min = 0, const Scalar& max = 0);
inline Tensor& histc_outf(const Tensor& self, int64_t bins, const Scalar& min, const Scalar& max, Tensor& out) {
  return histc_out(out, self, bins, min, max);
}
Tensor& renorm_out(Tensor& out, const Tensor& self, const Scalar& p, int64_t dim, const Scalar& maxnorm);
inline Tensor& renorm_outf(const Tensor& self, const Scalar& p, int64_t dim, const Scalar& maxnorm, Tensor& out) {
  return renorm_out(out, self, p, dim, maxnorm);
}
Tensor& index_select_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index);
inline Tensor& index_select_outf(const Tensor& self, int64_t dim, const Tensor& index, Tensor& out) {
  return index_select_out(out, self, dim, index);
}
Tensor& index_add_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                      const Scalar& alpha = 1);
inline Tensor& index_add_outf(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                              const Scalar& alpha, Tensor& out) {
  return index_add_out(out, self, dim, index, source, alpha);
}
Tensor& index_copy_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source);
inline Tensor& index_copy_outf(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                               Tensor& out) {
  return index_copy_out(out, self, dim, index, source);
}
Tensor& gather_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, bool sparse_grad = false);
inline Tensor& gather_outf(const Tensor& self, int64_t dim, const Tensor& index, bool sparse_grad, Tensor& out) {
  return gather_out(out, self, dim, index, sparse_grad);
}
Tensor& scatter_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src);
inline Tensor& scatter_outf(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, Tensor& out) {
  return scatter_out(out, self, dim, index, src);
}
Tensor& scatter_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value);
inline Tensor& scatter_outf(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value, Tensor& out) {
  return scatter_out(out, self, dim, index, value);
}
Tensor& scatter_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                    std::string_view reduce);
inline Tensor& scatter_outf(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                            std::string_view reduce, Tensor& out) {
  return scatter_out(out, self, dim, index, src, reduce);
}
Tensor& scatter_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value,
                    std::string_view reduce);
inline Tensor& scatter_outf(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value,
                            std::string_view reduce, Tensor& out) {
  return scatter_out(out, self, dim, index, value, reduce);
}
Tensor& scatter_add_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src);
inline Tensor& scatter_add_outf(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, Tensor& out) {
  return scatter_add_out(out, self, dim, index, src);
}
Tensor& scatter_reduce_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                           std::string_view reduce, bool include_self = true);
inline Tensor& scatter_reduce_outf(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                                   std::string_view reduce, bool include_self, Tensor& out) {
  return scatter_reduce_out(out, self, dim, index, src, reduce, include_self);
}
Tensor& index_reduce_out(Tensor& out, const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                         std::string_view reduce, bool include_self = true);
inline Tensor& index_reduce_outf(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                                 std::string_view reduce, bool include_self, Tensor& out) {
  return index_reduce_out(out, self, dim, index, source, reduce, include_self);
}
Tensor& take_out(Tensor& out, const Tensor& self, const Tensor& index);
inline Tensor& take_outf(const Tensor& self, const Tensor& index, Tensor& out) { return take_out(out, self, index); }
Tensor& take_along_dim_out(Tensor& out, const Tensor& self, const Tensor& indices,
                           std::optional<int64_t> dim = std::nullopt);
inline Tensor& take_along_dim_outf(const Tensor& self, const Tensor& indices, std::optional<int64_t> dim, Tensor& out) {
  return take_along_dim_out(out, self, indices, dim);
}
Tensor& masked_select_out(Tensor& out, const Tensor& self, const Tensor& mask);
inline Tensor& masked_select_outf(const Tensor& self, const Tensor& mask, Tensor& out) {
  return masked_select_out(out, self, mask);
}
Tensor& nonzero_out(Tensor& out, const Tensor& self);
inline Tensor& nonzero_outf(const Tensor& self, Tensor& out) { return nonzero_out(out, self); }
Tensor& nonzero_static_out(Tensor& out, const Tensor& self, int64_t size, int64_t fill_value = -1);
inline Tensor& nonzero_static_outf(const Tensor& self, int64_t size, int64_t fill_value, Tensor& out) {
  return nonzero_static_out(out, self, size, fill_value);
}
Tensor& zeros_out(Tensor& out, IntArrayRef size);
inline Tensor& zeros_outf(IntArrayRef size, Tensor& out) { return zeros_out(out, size); }
Tensor& ones_out(Tensor& out, IntArrayRef size);
inline Tensor& ones_outf(IntArrayRef size, Tensor& out) { return ones_out(out, size); }
Tensor& full_out(Tensor& out, IntArrayRef size, const Scalar& fill_value);
inline Tensor& full_outf(IntArrayRef size, const Scalar& fill_value, Tensor& out) {
  return full_out(out, size, fill_value);
}
Tensor& empty_out(Tensor& out, IntArrayRef size);
inline Tensor& empty_outf(IntArrayRef size, Tensor& out) { return empty_out(out, size); }
Tensor& eye_out(Tensor& out, int64_t n);
inline Tensor& eye_outf(int64_t n, Tensor& out) { return eye_out(out, n); }
Tensor& eye_out(Tensor& out, int64_t n, int64_t m);
inline Tensor& eye_outf(int64_t n, int64_t m, Tensor& out) { return eye_out(out, n, m); }
Tensor& arange_out(Tensor& out, const Scalar& end);
inline Tensor& arange_outf(const Scalar& end, Tensor& out) { return arange_out(out, end); }
Tensor& arange_out(Tensor& out, const Scalar& start, const Scalar& end);
inline Tensor& arange_outf(const Scalar& start, const Scalar& end, Tensor& out) { return arange_out(out, start, end); }
Tensor& arange_out(Tensor& out, const Scalar& start, const Scalar& end, const Scalar& step = 1);
inline Tensor& arange_outf(const Scalar& start, const Scalar& end, const Scalar& step, Tensor& out) {
  return arange_out(out, start, end, step);
}
Tensor& range_out(Tensor& out, const Scalar& start, const Scalar& end);
inline Tensor& range_outf(const Scalar& start, const Scalar& end, Tensor& out) { return range_out(out, start, end); }
Tensor& range_out(Tensor& out, const Scalar& start, const Scalar& end, const Scalar& step = 1);
inline Tensor& range_outf(const Scalar& start, const Scalar& end, const Scalar& step, Tensor& out) {
  return range_out(out, start, end, step);
}
Tensor& linspace_out(Tensor& out, const Scalar& start, const Scalar& end, int64_t steps);
inline Tensor& linspace_outf(const Scalar& start, const Scalar& end, int64_t steps, Tensor& out) {
  return linspace_out(out, start, end, steps);
}
Tensor& logspace_out(Tensor& out, const Scalar& start, const Scalar& end, int64_t steps, double base = 10);
inline Tensor& logspace_outf(const Scalar& start, const Scalar& end, int64_t steps, double base, Tensor& out) {
  return logspace_out(out, start, end, steps, base);
}
Tensor& rand_out(Tensor& out, IntArrayRef size, std::optional<Generator> generator = std::nullopt);
inline Tensor& rand_outf(IntArrayRef size, std::optional<Generator> generator, Tensor& out) {
  return rand_out(out, size, generator);
}
Tensor& randn_out(Tensor& out, IntArrayRef size, std::optional<Generator> generator = std::nullopt);
inline Tensor& randn_outf(IntArrayRef size, std::optional<Generator> generator, Tensor& out) {
  return randn_out(out, size, generator);
}
Tensor& randint_out(Tensor& out, int64_t high, IntArrayRef size, std::optional<Generator> generator = std::nullopt);
inline Tensor& randint_outf(int64_t high, IntArrayRef size, std::optional<Generator> generator, Tensor& out) {
  return randint_out(out, high, size, generator);
}
Tensor& randint_out(Tensor& out, int64_t low, int64_t high, IntArrayRef size,
                    std::optional<Generator> generator = std::nullopt);
inline Tensor& randint_outf(int64_t low, int64_t high, IntArrayRef size, std::optional<Generator> generator,
                            Tensor& out) {
  return randint_out(out, low, high, size, generator);
}
Tensor& randperm_out(Tensor& out, int64_t n, std::optional<Generator> generator = std::nullopt);
inline Tensor& randperm_outf(int64_t n, std::optional<Generator> generator, Tensor& out) {
  return randperm_out(out, n, generator);
}
Tensor& bernoulli_out(Tensor& out, const Tensor& self, std::optional<Generator> generator = std::nullopt);
inline Tensor& bernoulli_outf(const Tensor& self, std::optional<Generator> generator, Tensor& out) {
  return bernoulli_out(out, self, generator);
}
Tensor& multinomial_out(Tensor& out, const Tensor& self, int64_t num_samples, bool replacement = false,
                        std::optional<Generator> generator = std::nullopt);
inline Tensor& multinomial_outf(const Tensor& self, int64_t num_samples, bool replacement,
                                std::optional<Generator> generator, Tensor& out) {
  return multinomial_out(out, self, num_samples, replacement, generator);
}
Tensor& normal_out(Tensor& out, const Tensor& mean, double std = 1, std::optional<Generator> generator = std::nullopt);
inline Tensor& normal_outf(const Tensor& mean, double std, std::optional<Generator> generator, Tensor& out) {
  return normal_out(out, mean, std, generator);
}
Tensor& normal_out(Tensor& out, double mean, const Tensor& std, std::optional<Generator> generator = std::nullopt);
inline Tensor& normal_outf(double mean, const Tensor& std, std::optional<Generator> generator, Tensor& out) {
  return normal_out(out, mean, std, generator);
}
Tensor& normal_out(Tensor& out, const Tensor& mean, const Tensor& std,
                   std::optional<Generator> generator = std::nullopt);
inline Tensor& normal_outf(const Tensor& mean, const Tensor& std, std::optional<Generator> generator, Tensor& out) {
  return normal_out(out, mean, std, generator);
}
Tensor& normal_out(Tensor& out, double mean, double std, IntArrayRef size,
                   std::optional<Generator> generator = std::nullopt);
inline Tensor& normal_outf(double mean, double std, IntArrayRef size, std::optional<Generator> generator, Tensor& out) {
  return normal_out(out, mean, std, size, generator);
}
Tensor& gelu_out(Tensor& out, const Tensor& self, std::string_view approximate = "none");
inline Tensor& gelu_outf(const Tensor& self, std::string_view approximate, Tensor& out) {
  return gelu_out(out, self, approximate);
}
Tensor& silu_out(Tensor& out, const Tensor& self);
inline Tensor& silu_outf(const Tensor& self, Tensor& out) { return silu_out(out, self); }
Tensor& mish_out(Tensor& out, const Tensor& self);
inline Tensor& mish_outf(const Tensor& self, Tensor& out) { return mish_out(out, self); }
Tensor& elu_out(Tensor& out, const Tensor& self, const Scalar& alpha = 1, const Scalar& scale = 1,
                const Scalar& input_scale = 1);
inline Tensor& elu_outf(const Tensor& self, const Scalar& alpha, const Scalar& scale, const Scalar& input_scale,
                        Tensor& out) {
  return elu_out(out, self, alpha, scale, input_scale);
}
Tensor& leaky_relu_out(Tensor& out, const Tensor& self, const Scalar& negative_slope = 0.01);
inline Tensor& leaky_relu_outf(const Tensor& self, const Scalar& negative_slope, Tensor& out) {
  return leaky_relu_out(out, self, negative_slope);
}
Tensor& hardtanh_out(Tensor& out, const Tensor& self, const Scalar& min_val = -1, const Scalar& max_val = 1);
inline Tensor& hardtanh_outf(const Tensor& self, const Scalar& min_val, const Scalar& max_val, Tensor& out) {
  return hardtanh_out(out, self, min_val, max_val);
}
Tensor& hardsigmoid_out(Tensor& out, const Tensor& self);
inline Tensor& hardsigmoid_outf(const Tensor& self, Tensor& out) { return hardsigmoid_out(out, self); }
Tensor& hardswish_out(Tensor& out, const Tensor& self);
inline Tensor& hardswish_outf(const Tensor& self, Tensor& out) { return hardswish_out(out, self); }
Tensor& hardshrink_out(Tensor& out, const Tensor& self, const Scalar& lambd = 0.5);
inline Tensor& hardshrink_outf(const Tensor& self, const Scalar& lambd, Tensor& out) {
  return hardshrink_out(out, self, lambd);
}
Tensor& softshrink_out(Tensor& out, const Tensor& self, const Scalar& lambd = 0.5);
inline Tensor& softshrink_outf(const Tensor& self, const Scalar& lambd, Tensor& out) {
  return softshrink_out(out, self, lambd);
}
Tensor& softplus_out(Tensor& out, const Tensor& self, const Scalar& beta = 1, const Scalar& threshold = 20);
inline Tensor& softplus_outf(const Tensor& self, const Scalar& beta, const Scalar& threshold, Tensor& out) {
  return softplus_out(out, self, beta, threshold);
}
Tensor& threshold_out(Tensor& out, const Tensor& self, const Scalar& threshold, const Scalar& value);
inline Tensor& threshold_outf(const Tensor& self, const Scalar& threshold, const Scalar& value, Tensor& out) {
  return threshold_out(out, self, threshold, value);
}
Tensor& log_sigmoid_out(Tensor& out, const Tensor& self);
inline Tensor& log_sigmoid_outf(const Tensor& self, Tensor& out) { return log_sigmoid_out(out, self); }
Tensor& glu_out(Tensor& out, const Tensor& self, int64_t dim = -1);
inline Tensor& glu_outf(const Tensor& self, int64_t dim, Tensor& out) { return glu_out(out, self, dim); }
Tensor& mse_loss_out(Tensor& out, const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean);
inline Tensor& mse_loss_outf(const Tensor& self, const Tensor& target, int64_t reduction, Tensor& out) {
  return mse_loss_out(out, self, target, reduction);
}
Tensor& smooth_l1_loss_out(Tensor& out, const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean,
                           double beta = 1);
inline Tensor& smooth_l1_loss_outf(const Tensor& self, const Tensor& target, int64_t reduction, double beta,
                                   Tensor& out) {
  return smooth_l1_loss_out(out, self, target, reduction, beta);
}
Tensor& huber_loss_out(Tensor& out, const Tensor& self, const Tensor& target, int64_t reduction = Reduction::Mean,
                       double delta = 1);
inline Tensor& huber_loss_outf(const Tensor& self, const Tensor& target, int64_t reduction, double delta, Tensor& out) {
  return huber_loss_out(out, self, target, reduction, delta);
}
Tensor& binary_cross_entropy_out(Tensor& out, const Tensor& self, const Tensor& target,
                                 OptionalTensor weight = std::nullopt, int64_t reduction = Reduction::Mean);
inline Tensor& binary_cross_entropy_outf(const Tensor& self, const Tensor& target, OptionalTensor weight,
                                         int64_t reduction, Tensor& out) {
  return binary_cross_entropy_out(out, self, target, weight, reduction);
}
Tensor& soft_margin_loss_out(Tensor& out, const Tensor& self, const Tensor& target,
                             int64_t reduction = Reduction::Mean);
inline Tensor& soft_margin_loss_outf(const Tensor& self, const Tensor& target, int64_t reduction, Tensor& out) {
  return soft_margin_loss_out(out, self, target, reduction);
}
Tensor& nll_loss_out(Tensor& out, const Tensor& self, const Tensor& target, OptionalTensor weight = std::nullopt,
                     int64_t reduction = Reduction::Mean, int64_t ignore_index = -100);
inline Tensor& nll_loss_outf(const Tensor& self, const Tensor& target, OptionalTensor weight, int64_t reduction,
                             int64_t ignore_index, Tensor& out) {
  return nll_loss_out(out, self, target, weight, reduction, ignore_index);
}
Tensor& nll_loss2d_out(Tensor& out, const Tensor& self, const Tensor& target, OptionalTensor weight = std::nullopt,
                       int64_t reduction = Reduction::Mean, int64_t ignore_index = -100);
inline Tensor& nll_loss2d_outf(const Tensor& self, const Tensor& target, OptionalTensor weight, int64_t reduction,
                               int64_t ignore_index, Tensor& out) {
  return nll_loss2d_out(out, self, target, weight, reduction, ignore_index);
}
Tensor& multi_margin_loss_out(Tensor& out, const Tensor& self, const Tensor& target, const Scalar& p = 1,
                              const Scalar& margin = 1, OptionalTensor weight = std::nullopt,
                              int64_t reduction = Reduction::Mean);
inline Tensor& multi_margin_loss_outf(const Tensor& self, const Tensor& target, const Scalar& p, const Scalar& margin,
                                      OptionalTensor weight, int64_t reduction, Tensor& out) {
  return multi_margin_loss_out(out, self, target, p, margin, weight, reduction);
}
Tensor& multilabel_margin_loss_out(Tensor& out, const Tensor& self, const Tensor& target,
                                   int64_t reduction = Reduction::Mean);
inline Tensor& multilabel_margin_loss_outf(const Tensor& self, const Tensor& target, int64_t reduction, Tensor& out) {
  return multilabel_margin_loss_out(out, self, target, reduction);
}
Tensor& i0_out(Tensor& out, const Tensor& self);
inline Tensor& i0_outf(const Tensor& self, Tensor& out) { return i0_out(out, self); }
Tensor& special_i0e_out(Tensor& out, const Tensor& self);
inline Tensor& special_i0e_outf(const Tensor& self, Tensor& out) { return special_i0e_out(out, self); }
Tensor& special_i1_out(Tensor& out, const Tensor& self);
inline Tensor& special_i1_outf(const Tensor& self, Tensor& out) { return special_i1_out(out, self); }
Tensor& special_i1e_out(Tensor& out, const Tensor& self);
inline Tensor& special_i1e_outf(const Tensor& self, Tensor& out) { return special_i1e_out(out, self); }
Tensor& special_bessel_j0_out(Tensor& out, const Tensor& self);
inline Tensor& special_bessel_j0_outf(const Tensor& self, Tensor& out) { return special_bessel_j0_out(out, self); }
Tensor& special_bessel_j1_out(Tensor& out, const Tensor& self);
inline Tensor& special_bessel_j1_outf(const Tensor& self, Tensor& out) { return special_bessel_j1_out(out, self); }
Tensor& special_bessel_y0_out(Tensor& out, const Tensor& self);
inline Tensor& special_bessel_y0_outf(const Tensor& self, Tensor& out) { return special_bessel_y0_out(out, self); }
Tensor& special_bessel_y1_out(Tensor& out, const Tensor& self);
inline Tensor& special_bessel_y1_outf(const Tensor& self, Tensor& out) { return special_bessel_y1_out(out, self); }
Tensor& special_modified_bessel_i0_out(Tensor& out, const Tensor& self);
inline Tensor& special_modified_bessel_i0_outf(const Tensor& self, Tensor& out) {
  return special_modified_bessel_i0_out(out, self);
}
Tensor& special_modified_bessel_i1_out(Tensor& out, const Tensor& self);
inline Tensor& special_modified_bessel_i1_outf(const Tensor& self, Tensor& out) {
  return special_modified_bessel_i1_out(out, self);
}
Tensor& special_modified_bessel_k0_out(Tensor& out, const Tensor& self);
inline Tensor& special_modified_bessel_k0_outf(const Tensor& self, Tensor& out) {
  return special_modified_bessel_k0_out(out, self);
}
Tensor& special_modified_bessel_k1_out(Tensor& out, const Tensor& self);
inline Tensor& special_modified_bessel_k1_outf(const Tensor& self, Tensor& out) {
  return special_modified_bessel_k1_out(out, self);
}
Tensor& special_scaled_modified_bessel_k0_out(Tensor& out, const Tensor& self);
inline Tensor& special_scaled_modified_bessel_k0_outf(const Tensor& self, Tensor& out) {
  return special_scaled_modified_bessel_k0_out(out, self);
}
Tensor& special_scaled_modified_bessel_k1_out(Tensor& out, const Tensor& self);
inline Tensor& special_scaled_modified_bessel_k1_outf(const Tensor& self, Tensor& out) {
  return special_scaled_modified_bessel_k1_out(out, self);
}
Tensor& special_spherical_bessel_j0_out(Tensor& out, const Tensor& self);
inline Tensor& special_spherical_bessel_j0_outf(const Tensor& self, Tensor& out) {
  return special_spherical_bessel_j0_out(out, self);
}
Tensor& special_airy_ai_out(Tensor& out, const Tensor& self);
inline Tensor& special_airy_ai_outf(const Tensor& self, Tensor& out) { return special_airy_ai_out(out, self); }
Tensor& special_entr_out(Tensor& out, const Tensor& self);
inline Tensor& special_entr_outf(const Tensor& self, Tensor& out) { return special_entr_out(out, self); }
Tensor& special_erfcx_out(Tensor& out, const Tensor& self);
inline Tensor& special_erfcx_outf(const Tensor& self, Tensor& out) { return special_erfcx_out(out, self); }
Tensor& special_ndtr_out(Tensor& out, const Tensor& self);
inline Tensor& special_ndtr_outf(const Tensor& self, Tensor& out) { return special_ndtr_out(out, self); }
Tensor& special_log_ndtr_out(Tensor& out, const Tensor& self);
inline Tensor& special_log_ndtr_outf(const Tensor& self, Tensor& out) { return special_log_ndtr_out(out, self); }
Tensor& special_ndtri_out(Tensor& out, const Tensor& self);
inline Tensor& special_ndtri_outf(const Tensor& self, Tensor& out) { return special_ndtri_out(out, self); }
Tensor& special_chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Tensor& n);
inline Tensor& special_chebyshev_polynomial_t_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_chebyshev_polynomial_t_out(out, x, n);
}
Tensor& special_chebyshev_polynomial_t_out(Tensor& out, const Scalar& x, const Tensor& n);
inline Tensor& special_chebyshev_polynomial_t_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_chebyshev_polynomial_t_out(out, x, n);
}
Tensor& special_chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Scalar& n);
inline Tensor& special_chebyshev_polynomial_t_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_chebyshev_polynomial_t_out(out, x, n);
}
Tensor& special_chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Tensor& n);
inline Tensor& special_chebyshev_polynomial_u_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_chebyshev_polynomial_u_out(out, x, n);
}
Tensor& special_chebyshev_polynomial_u_out(Tensor& out, const Scalar& x, const Tensor& n);
inline Tensor& special_chebyshev_polynomial_u_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_chebyshev_polynomial_u_out(out, x, n);
}
Tensor& special_chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Scalar& n);
inline Tensor& special_chebyshev_polynomial_u_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_chebyshev_polynomial_u_out(out, x, n);
}
Tensor& special_chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Tensor& n);
inline Tensor& special_chebyshev_polynomial_v_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_chebyshev_polynomial_v_out(out, x, n);
}
Tensor& special_chebyshev_polynomial_v_out(Tensor& out, const Scalar& x, const Tensor& n);
inline Tensor& special_chebyshev_polynomial_v_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_chebyshev_polynomial_v_out(out, x, n);
}
Tensor& special_chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Scalar& n);
inline Tensor& special_chebyshev_polynomial_v_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_chebyshev_polynomial_v_out(out, x, n);
}
Tensor& special_chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Tensor& n);
inline Tensor& special_chebyshev_polynomial_w_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_chebyshev_polynomial_w_out(out, x, n);
}
Tensor& special_chebyshev_polynomial_w_out(Tensor& out, const Scalar& x, const Tensor& n);
inline Tensor& special_chebyshev_polynomial_w_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_chebyshev_polynomial_w_out(out, x, n);
}
Tensor& special_chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Scalar& n);
inline Tensor& special_chebyshev_polynomial_w_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_chebyshev_polynomial_w_out(out, x, n);
}
Tensor& special_shifted_chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Tensor& n);
inline Tensor& special_shifted_chebyshev_polynomial_t_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_t_out(out, x, n);
}
Tensor& special_shifted_chebyshev_polynomial_t_out(Tensor& out, const Scalar& x, const Tensor& n);
inline Tensor& special_shifted_chebyshev_polynomial_t_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_t_out(out, x, n);
}
Tensor& special_shifted_chebyshev_polynomial_t_out(Tensor& out, const Tensor& x, const Scalar& n);
inline Tensor& special_shifted_chebyshev_polynomial_t_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_t_out(out, x, n);
}
Tensor& special_shifted_chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Tensor& n);
inline Tensor& special_shifted_chebyshev_polynomial_u_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_u_out(out, x, n);
}
Tensor& special_shifted_chebyshev_polynomial_u_out(Tensor& out, const Scalar& x, const Tensor& n);
inline Tensor& special_shifted_chebyshev_polynomial_u_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_u_out(out, x, n);
}
Tensor& special_shifted_chebyshev_polynomial_u_out(Tensor& out, const Tensor& x, const Scalar& n);
inline Tensor& special_shifted_chebyshev_polynomial_u_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_u_out(out, x, n);
}
Tensor& special_shifted_chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Tensor& n);
inline Tensor& special_shifted_chebyshev_polynomial_v_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_v_out(out, x, n);
}
Tensor& special_shifted_chebyshev_polynomial_v_out(Tensor& out, const Scalar& x, const Tensor& n);
inline Tensor& special_shifted_chebyshev_polynomial_v_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_v_out(out, x, n);
}
Tensor& special_shifted_chebyshev_polynomial_v_out(Tensor& out, const Tensor& x, const Scalar& n);
inline Tensor& special_shifted_chebyshev_polynomial_v_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_v_out(out, x, n);
}
Tensor& special_shifted_chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Tensor& n);
inline Tensor& special_shifted_chebyshev_polynomial_w_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_w_out(out, x, n);
}
Tensor& special_shifted_chebyshev_polynomial_w_out(Tensor& out, const Scalar& x, const Tensor& n);
inline Tensor& special_shifted_chebyshev_polynomial_w_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_w_out(out, x, n);
}
Tensor& special_shifted_chebyshev_polynomial_w_out(Tensor& out, const Tensor& x, const Scalar& n);
inline Tensor& special_shifted_chebyshev_polynomial_w_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_shifted_chebyshev_polynomial_w_out(out, x, n);
}
Tensor& special_hermite_polynomial_h_out(Tensor& out, const Tensor& x, const Tensor& n);
inline Tensor& special_hermite_polynomial_h_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_hermite_polynomial_h_out(out, x, n);
}
Tensor& special_hermite_polynomial_h_out(Tensor& out, const Scalar& x, const Tensor& n);
inline Tensor& special_hermite_polynomial_h_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_hermite_polynomial_h_out(out, x, n);
}
Tensor& special_hermite_polynomial_h_out(Tensor& out, const Tensor& x, const Scalar& n);
inline Tensor& special_hermite_polynomial_h_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_hermite_polynomial_h_out(out, x, n);
}
Tensor& special_hermite_polynomial_he_out(Tensor& out, const Tensor& x, const Tensor& n);
inline Tensor& special_hermite_polynomial_he_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_hermite_polynomial_he_out(out, x, n);
}
Tensor& special_hermite_polynomial_he_out(Tensor& out, const Scalar& x, const Tensor& n);
inline Tensor& special_hermite_polynomial_he_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_hermite_polynomial_he_out(out, x, n);
}
Tensor& special_hermite_polynomial_he_out(Tensor& out, const Tensor& x, const Scalar& n);
inline Tensor& special_hermite_polynomial_he_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_hermite_polynomial_he_out(out, x, n);
}
Tensor& special_laguerre_polynomial_l_out(Tensor& out, const Tensor& x, const Tensor& n);
inline Tensor& special_laguerre_polynomial_l_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_laguerre_polynomial_l_out(out, x, n);
}
Tensor& special_laguerre_polynomial_l_out(Tensor& out, const Scalar& x, const Tensor& n);
inline Tensor& special_laguerre_polynomial_l_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_laguerre_polynomial_l_out(out, x, n);
}
Tensor& special_laguerre_polynomial_l_out(Tensor& out, const Tensor& x, const Scalar& n);
inline Tensor& special_laguerre_polynomial_l_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_laguerre_polynomial_l_out(out, x, n);
}
Tensor& special_legendre_polynomial_p_out(Tensor& out, const Tensor& x, const Tensor& n);
inline Tensor& special_legendre_polynomial_p_outf(const Tensor& x, const Tensor& n, Tensor& out) {
  return special_legendre_polynomial_p_out(out, x, n);
}
Tensor& special_legendre_polynomial_p_out(Tensor& out, const Scalar& x, const Tensor& n);
inline Tensor& special_legendre_polynomial_p_outf(const Scalar& x, const Tensor& n, Tensor& out) {
  return special_legendre_polynomial_p_out(out, x, n);
}
Tensor& special_legendre_polynomial_p_out(Tensor& out, const Tensor& x, const Scalar& n);
inline Tensor& special_legendre_polynomial_p_outf(const Tensor& x, const Scalar& n, Tensor& out) {
  return special_legendre_polynomial_p_out(out, x, n);
}
Tensor& special_zeta_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& special_zeta_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return special_zeta_out(out, self, other);
}
Tensor& special_zeta_out(Tensor& out, const Scalar& self, const Tensor& other);
inline Tensor& special_zeta_outf(const Scalar& self, const Tensor& other, Tensor& out) {
  return special_zeta_out(out, self, other);
}
Tensor& special_zeta_out(Tensor& out, const Tensor& self, const Scalar& other);
inline Tensor& special_zeta_outf(const Tensor& self, const Scalar& other, Tensor& out) {
  return special_zeta_out(out, self, other);
}
Tensor& special_xlog1py_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& special_xlog1py_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return special_xlog1py_out(out, self, other);
}
Tensor& special_xlog1py_out(Tensor& out, const Scalar& self, const Tensor& other);
inline Tensor& special_xlog1py_outf(const Scalar& self, const Tensor& other, Tensor& out) {
  return special_xlog1py_out(out, self, other);
}
Tensor& special_xlog1py_out(Tensor& out, const Tensor& self, const Scalar& other);
inline Tensor& special_xlog1py_outf(const Tensor& self, const Scalar& other, Tensor& out) {
  return special_xlog1py_out(out, self, other);
}
Tensor& igamma_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& igamma_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return igamma_out(out, self, other);
}
Tensor& igammac_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& igammac_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return igammac_out(out, self, other);
}
Tensor& mvlgamma_out(Tensor& out, const Tensor& self, int64_t p);
inline Tensor& mvlgamma_outf(const Tensor& self, int64_t p, Tensor& out) { return mvlgamma_out(out, self, p); }
Tensor& gcd_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& gcd_outf(const Tensor& self, const Tensor& other, Tensor& out) { return gcd_out(out, self, other); }
Tensor& lcm_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& lcm_outf(const Tensor& self, const Tensor& other, Tensor& out) { return lcm_out(out, self, other); }
Tensor& nextafter_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& nextafter_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return nextafter_out(out, self, other);
}
std::tuple<Tensor&, Tensor&> frexp_out(Tensor& out0, Tensor& out1, const Tensor& self);
inline std::tuple<Tensor&, Tensor&> frexp_outf(const Tensor& self, Tensor& out0, Tensor& out1) {
  return frexp_out(out0, out1, self);
}
Tensor& ldexp_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& ldexp_outf(const Tensor& self, const Tensor& other, Tensor& out) { return ldexp_out(out, self, other); }
Tensor& isin_out(Tensor& out, const Tensor& elements, const Tensor& test_elements, bool assume_unique = false,
                 bool invert = false);
inline Tensor& isin_outf(const Tensor& elements, const Tensor& test_elements, bool assume_unique, bool invert,
                         Tensor& out) {
  return isin_out(out, elements, test_elements, assume_unique, invert);
}
Tensor& isin_out(Tensor& out, const Tensor& elements, const Scalar& test_element, bool assume_unique = false,
                 bool invert = false);
inline Tensor& isin_outf(const Tensor& elements, const Scalar& test_element, bool assume_unique, bool invert,
                         Tensor& out) {
  return isin_out(out, elements, test_element, assume_unique, invert);
}
Tensor& isin_out(Tensor& out, const Scalar& element, const Tensor& test_elements, bool assume_unique = false,
                 bool invert = false);
inline Tensor& isin_outf(const Scalar& element, const Tensor& test_elements, bool assume_unique, bool invert,
                         Tensor& out) {
  return isin_out(out, element, test_elements, assume_unique, invert);
}
Tensor& column_stack_out(Tensor& out, TensorList tensors);
inline Tensor& column_stack_outf(TensorList tensors, Tensor& out) { return column_stack_out(out, tensors); }
std::tuple<Tensor&, Tensor&> histogram_out(Tensor& out0, Tensor& out1, const Tensor& self, const Tensor& bins,
                                           OptionalTensor weight = std::nullopt, bool density = false);
inline std::tuple<Tensor&, Tensor&> histogram_outf(const Tensor& self, const Tensor& bins, OptionalTensor weight,
                                                   bool density, Tensor& out0, Tensor& out1) {
  return histogram_out(out0, out1, self, bins, weight, density);
}
std::tuple<Tensor&, Tensor&> histogram_out(Tensor& out0, Tensor& out1, const Tensor& self, int64_t bins = 100,
                                           std::optional<ArrayRef<double>> range = std::nullopt,
                                           OptionalTensor weight = std::nullopt, bool density = false);
inline std::tuple<Tensor&, Tensor&> histogram_outf(const Tensor& self, int64_t bins,
                                                   std::optional<ArrayRef<double>> range, OptionalTensor weight,
                                                   bool density, Tensor& out0, Tensor& out1) {
  return histogram_out(out0, out1, self, bins, range, weight, density);
}
Tensor& _histogramdd_from_bin_tensors_out(Tensor& out, const Tensor& self, TensorList bins,
                                          OptionalTensor weight = std::nullopt, bool density = false);
inline Tensor& _histogramdd_from_bin_tensors_outf(const Tensor& self, TensorList bins, OptionalTensor weight,
                                                  bool density, Tensor& out) {
  return _histogramdd_from_bin_tensors_out(out, self, bins, weight, density);
}
Tensor& alias_copy_out(Tensor& out, const Tensor& self);
inline Tensor& alias_copy_outf(const Tensor& self, Tensor& out) { return alias_copy_out(out, self); }
Tensor& detach_copy_out(Tensor& out, const Tensor& self);
inline Tensor& detach_copy_outf(const Tensor& self, Tensor& out) { return detach_copy_out(out, self); }
Tensor& as_strided_copy_out(Tensor& out, const Tensor& self, IntArrayRef size, IntArrayRef stride,
                            std::optional<int64_t> storage_offset = std::nullopt);
inline Tensor& as_strided_copy_outf(const Tensor& self, IntArrayRef size, IntArrayRef stride,
                                    std::optional<int64_t> storage_offset, Tensor& out) {
  return as_strided_copy_out(out, self, size, stride, storage_offset);
}
Tensor& diagonal_copy_out(Tensor& out, const Tensor& self, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1);
inline Tensor& diagonal_copy_outf(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2, Tensor& out) {
  return diagonal_copy_out(out, self, offset, dim1, dim2);
}
Tensor& expand_copy_out(Tensor& out, const Tensor& self, IntArrayRef size, bool implicit = false);
inline Tensor& expand_copy_outf(const Tensor& self, IntArrayRef size, bool implicit, Tensor& out) {
  return expand_copy_out(out, self, size, implicit);
}
Tensor& narrow_copy_out(Tensor& out, const Tensor& self, int64_t dim, int64_t start, int64_t length);
inline Tensor& narrow_copy_outf(const Tensor& self, int64_t dim, int64_t start, int64_t length, Tensor& out) {
  return narrow_copy_out(out, self, dim, start, length);
}
Tensor& permute_copy_out(Tensor& out, const Tensor& self, IntArrayRef dims);
inline Tensor& permute_copy_outf(const Tensor& self, IntArrayRef dims, Tensor& out) {
  return permute_copy_out(out, self, dims);
}
Tensor& select_copy_out(Tensor& out, const Tensor& self, int64_t dim, int64_t index);
inline Tensor& select_copy_outf(const Tensor& self, int64_t dim, int64_t index, Tensor& out) {
  return select_copy_out(out, self, dim, index);
}
Tensor& slice_copy_out(Tensor& out, const Tensor& self, int64_t dim = 0, std::optional<int64_t> start = std::nullopt,
                       std::optional<int64_t> end = std::nullopt, int64_t step = 1);
inline Tensor& slice_copy_outf(const Tensor& self, int64_t dim, std::optional<int64_t> start,
                               std::optional<int64_t> end, int64_t step, Tensor& out) {
  return slice_copy_out(out, self, dim, start, end, step);
}
Tensor& squeeze_copy_out(Tensor& out, const Tensor& self);
inline Tensor& squeeze_copy_outf(const Tensor& self, Tensor& out) { return squeeze_copy_out(out, self); }
Tensor& squeeze_copy_out(Tensor& out, const Tensor& self, int64_t dim);
inline Tensor& squeeze_copy_outf(const Tensor& self, int64_t dim, Tensor& out) {
  return squeeze_copy_out(out, self, dim);
}
Tensor& squeeze_copy_out(Tensor& out, const Tensor& self, IntArrayRef dim);
inline Tensor& squeeze_copy_outf(const Tensor& self, IntArrayRef dim, Tensor& out) {
  return squeeze_copy_out(out, self, dim);
}
Tensor& t_copy_out(Tensor& out, const Tensor& self);
inline Tensor& t_copy_outf(const Tensor& self, Tensor& out) { return t_copy_out(out, self); }
Tensor& transpose_copy_out(Tensor& out, const Tensor& self, int64_t dim0, int64_t dim1);
inline Tensor& transpose_copy_outf(const Tensor& self, int64_t dim0, int64_t dim1, Tensor& out) {
  return transpose_copy_out(out, self, dim0, dim1);
}
Tensor& unfold_copy_out(Tensor& out, const Tensor& self, int64_t dimension, int64_t size, int64_t step);
inline Tensor& unfold_copy_outf(const Tensor& self, int64_t dimension, int64_t size, int64_t step, Tensor& out) {
  return unfold_copy_out(out, self, dimension, size, step);
}
Tensor& unsqueeze_copy_out(Tensor& out, const Tensor& self, int64_t dim);
inline Tensor& unsqueeze_copy_outf(const Tensor& self, int64_t dim, Tensor& out) {
  return unsqueeze_copy_out(out, self, dim);
}
Tensor& view_copy_out(Tensor& out, const Tensor& self, IntArrayRef size);
inline Tensor& view_copy_outf(const Tensor& self, IntArrayRef size, Tensor& out) {
  return view_copy_out(out, self, size);
}
Tensor& view_copy_out(Tensor& out, const Tensor& self, ScalarType dtype);
inline Tensor& view_copy_outf(const Tensor& self, ScalarType dtype, Tensor& out) {
  return view_copy_out(out, self, dtype);
}
Tensor& view_as_real_copy_out(Tensor& out, const Tensor& self);
inline Tensor& view_as_real_copy_outf(const Tensor& self, Tensor& out) { return view_as_real_copy_out(out, self); }
Tensor& view_as_complex_copy_out(Tensor& out, const Tensor& self);
inline Tensor& view_as_complex_copy_outf(const Tensor& self, Tensor& out) {
  return view_as_complex_copy_out(out, self);
}
Tensor& hann_window_out(Tensor& out, int64_t window_length);
inline Tensor& hann_window_outf(int64_t window_length, Tensor& out) { return hann_window_out(out, window_length); }
Tensor& hann_window_out(Tensor& out, int64_t window_length, bool periodic);
inline Tensor& hann_window_outf(int64_t window_length, bool periodic, Tensor& out) {
  return hann_window_out(out, window_length, periodic);
}
Tensor& hamming_window_out(Tensor& out, int64_t window_length);
inline Tensor& hamming_window_outf(int64_t window_length, Tensor& out) {
  return hamming_window_out(out, window_length);
}
Tensor& hamming_window_out(Tensor& out, int64_t window_length, bool periodic);
inline Tensor& hamming_window_outf(int64_t window_length, bool periodic, Tensor& out) {
  return hamming_window_out(out, window_length, periodic);
}
Tensor& hamming_window_out(Tensor& out, int64_t window_length, bool periodic, double alpha);
inline Tensor& hamming_window_outf(int64_t window_length, bool periodic, double alpha, Tensor& out) {
  return hamming_window_out(out, window_length, periodic, alpha);
}
Tensor& hamming_window_out(Tensor& out, int64_t window_length, bool periodic, double alpha, double beta);
inline Tensor& hamming_window_outf(int64_t window_length, bool periodic, double alpha, double beta, Tensor& out) {
  return hamming_window_out(out, window_length, periodic, alpha, beta);
}
Tensor& blackman_window_out(Tensor& out, int64_t window_length);
inline Tensor& blackman_window_outf(int64_t window_length, Tensor& out) {
  return blackman_window_out(out, window_length);
}
Tensor& blackman_window_out(Tensor& out, int64_t window_length, bool periodic);
inline Tensor& blackman_window_outf(int64_t window_length, bool periodic, Tensor& out) {
  return blackman_window_out(out, window_length, periodic);
}
Tensor& bartlett_window_out(Tensor& out, int64_t window_length);
inline Tensor& bartlett_window_outf(int64_t window_length, Tensor& out) {
  return bartlett_window_out(out, window_length);
}
Tensor& bartlett_window_out(Tensor& out, int64_t window_length, bool periodic);
inline Tensor& bartlett_window_outf(int64_t window_length, bool periodic, Tensor& out) {
  return bartlett_window_out(out, window_length, periodic);
}
Tensor& kaiser_window_out(Tensor& out, int64_t window_length);
inline Tensor& kaiser_window_outf(int64_t window_length, Tensor& out) { return kaiser_window_out(out, window_length); }
Tensor& kaiser_window_out(Tensor& out, int64_t window_length, bool periodic);
inline Tensor& kaiser_window_outf(int64_t window_length, bool periodic, Tensor& out) {
  return kaiser_window_out(out, window_length, periodic);
}
Tensor& kaiser_window_out(Tensor& out, int64_t window_length, bool periodic, double beta);
inline Tensor& kaiser_window_outf(int64_t window_length, bool periodic, double beta, Tensor& out) {
  return kaiser_window_out(out, window_length, periodic, beta);
}
Tensor& fft_fft_out(Tensor& out, const Tensor& self, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                    std::optional<std::string_view> norm = std::nullopt);
inline Tensor& fft_fft_outf(const Tensor& self, std::optional<int64_t> n, int64_t dim,
                            std::optional<std::string_view> norm, Tensor& out) {
  return fft_fft_out(out, self, n, dim, norm);
}
Tensor& fft_ifft_out(Tensor& out, const Tensor& self, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                     std::optional<std::string_view> norm = std::nullopt);
inline Tensor& fft_ifft_outf(const Tensor& self, std::optional<int64_t> n, int64_t dim,
                             std::optional<std::string_view> norm, Tensor& out) {
  return fft_ifft_out(out, self, n, dim, norm);
}
Tensor& fft_rfft_out(Tensor& out, const Tensor& self, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                     std::optional<std::string_view> norm = std::nullopt);
inline Tensor& fft_rfft_outf(const Tensor& self, std::optional<int64_t> n, int64_t dim,
                             std::optional<std::string_view> norm, Tensor& out) {
  return fft_rfft_out(out, self, n, dim, norm);
}
Tensor& fft_irfft_out(Tensor& out, const Tensor& self, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                      std::optional<std::string_view> norm = std::nullopt);
inline Tensor& fft_irfft_outf(const Tensor& self, std::optional<int64_t> n, int64_t dim,
                              std::optional<std::string_view> norm, Tensor& out) {
  return fft_irfft_out(out, self, n, dim, norm);
}
Tensor& fft_hfft_out(Tensor& out, const Tensor& self, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                     std::optional<std::string_view> norm = std::nullopt);
inline Tensor& fft_hfft_outf(const Tensor& self, std::optional<int64_t> n, int64_t dim,
                             std::optional<std::string_view> norm, Tensor& out) {
  return fft_hfft_out(out, self, n, dim, norm);
}
Tensor& fft_ihfft_out(Tensor& out, const Tensor& self, std::optional<int64_t> n = std::nullopt, int64_t dim = -1,
                      std::optional<std::string_view> norm = std::nullopt);
inline Tensor& fft_ihfft_outf(const Tensor& self, std::optional<int64_t> n, int64_t dim,
                              std::optional<std::string_view> norm, Tensor& out) {
  return fft_ihfft_out(out, self, n, dim, norm);
}
Tensor& fft_fftn_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = std::nullopt,
                     OptionalIntArrayRef dim = std::nullopt, std::optional<std::string_view> norm = std::nullopt);
inline Tensor& fft_fftn_outf(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim,
                             std::optional<std::string_view> norm, Tensor& out) {
  return fft_fftn_out(out, self, s, dim, norm);
}
Tensor& fft_ifftn_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = std::nullopt,
                      OptionalIntArrayRef dim = std::nullopt, std::optional<std::string_view> norm = std::nullopt);
inline Tensor& fft_ifftn_outf(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim,
                              std::optional<std::string_view> norm, Tensor& out) {
  return fft_ifftn_out(out, self, s, dim, norm);
}
Tensor& fft_rfftn_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = std::nullopt,
                      OptionalIntArrayRef dim = std::nullopt, std::optional<std::string_view> norm = std::nullopt);
inline Tensor& fft_rfftn_outf(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim,
                              std::optional<std::string_view> norm, Tensor& out) {
  return fft_rfftn_out(out, self, s, dim, norm);
}
Tensor& fft_irfftn_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = std::nullopt,
                       OptionalIntArrayRef dim = std::nullopt, std::optional<std::string_view> norm = std::nullopt);
inline Tensor& fft_irfftn_outf(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim,
                               std::optional<std::string_view> norm, Tensor& out) {
  return fft_irfftn_out(out, self, s, dim, norm);
}
Tensor& fft_hfftn_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = std::nullopt,
                      OptionalIntArrayRef dim = std::nullopt, std::optional<std::string_view> norm = std::nullopt);
inline Tensor& fft_hfftn_outf(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim,
                              std::optional<std::string_view> norm, Tensor& out) {
  return fft_hfftn_out(out, self, s, dim, norm);
}
Tensor& fft_ihfftn_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = std::nullopt,
                       OptionalIntArrayRef dim = std::nullopt, std::optional<std::string_view> norm = std::nullopt);
inline Tensor& fft_ihfftn_outf(const Tensor& self, OptionalIntArrayRef s, OptionalIntArrayRef dim,
                               std::optional<std::string_view> norm, Tensor& out) {
  return fft_ihfftn_out(out, self, s, dim, norm);
}
Tensor& fft_fft2_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},
                     std::optional<std::string_view> norm = std::nullopt);
inline Tensor& fft_fft2_outf(const Tensor& self, OptionalIntArrayRef s, IntArrayRef dim,
                             std::optional<std::string_view> norm, Tensor& out) {
  return fft_fft2_out(out, self, s, dim, norm);
}
Tensor& fft_ifft2_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},
                      std::optional<std::string_view> norm = std::nullopt);
inline Tensor& fft_ifft2_outf(const Tensor& self, OptionalIntArrayRef s, IntArrayRef dim,
                              std::optional<std::string_view> norm, Tensor& out) {
  return fft_ifft2_out(out, self, s, dim, norm);
}
Tensor& fft_rfft2_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},
                      std::optional<std::string_view> norm = std::nullopt);
inline Tensor& fft_rfft2_outf(const Tensor& self, OptionalIntArrayRef s, IntArrayRef dim,
                              std::optional<std::string_view> norm, Tensor& out) {
  return fft_rfft2_out(out, self, s, dim, norm);
}
Tensor& fft_irfft2_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = std::nullopt,
                       IntArrayRef dim = {-2, -1}, std::optional<std::string_view> norm = std::nullopt);
inline Tensor& fft_irfft2_outf(const Tensor& self, OptionalIntArrayRef s, IntArrayRef dim,
                               std::optional<std::string_view> norm, Tensor& out) {
  return fft_irfft2_out(out, self, s, dim, norm);
}
Tensor& fft_hfft2_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = std::nullopt, IntArrayRef dim = {-2, -1},
                      std::optional<std::string_view> norm = std::nullopt);
inline Tensor& fft_hfft2_outf(const Tensor& self, OptionalIntArrayRef s, IntArrayRef dim,
                              std::optional<std::string_view> norm, Tensor& out) {
  return fft_hfft2_out(out, self, s, dim, norm);
}
Tensor& fft_ihfft2_out(Tensor& out, const Tensor& self, OptionalIntArrayRef s = std::nullopt,
                       IntArrayRef dim = {-2, -1}, std::optional<std::string_view> norm = std::nullopt);
inline Tensor& fft_ihfft2_outf(const Tensor& self, OptionalIntArrayRef s, IntArrayRef dim,
                               std::optional<std::string_view> norm, Tensor& out) {
  return fft_ihfft2_out(out, self, s, dim, norm);
}
Tensor& fft_fftfreq_out(Tensor& out, int64_t n, double d = 1);
inline Tensor& fft_fftfreq_outf(int64_t n, double d, Tensor& out) { return fft_fftfreq_out(out, n, d); }
Tensor& fft_rfftfreq_out(Tensor& out, int64_t n, double d = 1);
inline Tensor& fft_rfftfreq_outf(int64_t n, double d, Tensor& out) { return fft_rfftfreq_out(out, n, d); }
Tensor& sum_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim, bool keepdim = false,
                std::optional<ScalarType> dtype = std::nullopt);
inline Tensor& sum_outf(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype,
                        Tensor& out) {
  return sum_out(out, self, dim, keepdim, dtype);
}
Tensor& nansum_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim = std::nullopt, bool keepdim = false,
                   std::optional<ScalarType> dtype = std::nullopt);
inline Tensor& nansum_outf(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype,
                           Tensor& out) {
  return nansum_out(out, self, dim, keepdim, dtype);
}
Tensor& mean_out(Tensor& out, const Tensor& self, std::optional<ScalarType> dtype = std::nullopt);
inline Tensor& mean_outf(const Tensor& self, std::optional<ScalarType> dtype, Tensor& out) {
  return mean_out(out, self, dtype);
}
Tensor& mean_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim, bool keepdim = false,
                 std::optional<ScalarType> dtype = std::nullopt);
inline Tensor& mean_outf(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype,
                         Tensor& out) {
  return mean_out(out, self, dim, keepdim, dtype);
}
Tensor& nanmean_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim = std::nullopt, bool keepdim = false,
                    std::optional<ScalarType> dtype = std::nullopt);
inline Tensor& nanmean_outf(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, std::optional<ScalarType> dtype,
                            Tensor& out) {
  return nanmean_out(out, self, dim, keepdim, dtype);
}
Tensor& prod_out(Tensor& out, const Tensor& self, int64_t dim, bool keepdim = false,
                 std::optional<ScalarType> dtype = std::nullopt);
inline Tensor& prod_outf(const Tensor& self, int64_t dim, bool keepdim, std::optional<ScalarType> dtype, Tensor& out) {
  return prod_out(out, self, dim, keepdim, dtype);
}
Tensor& var_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim = std::nullopt,
                const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false);
inline Tensor& var_outf(const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction,
                        bool keepdim, Tensor& out) {
  return var_out(out, self, dim, correction, keepdim);
}
Tensor& var_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim = false);
inline Tensor& var_outf(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim, Tensor& out) {
  return var_out(out, self, dim, unbiased, keepdim);
}
Tensor& std_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim = std::nullopt,
                const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false);
inline Tensor& std_outf(const Tensor& self, OptionalIntArrayRef dim, const std::optional<Scalar>& correction,
                        bool keepdim, Tensor& out) {
  return std_out(out, self, dim, correction, keepdim);
}
Tensor& std_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim = false);
inline Tensor& std_outf(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim, Tensor& out) {
  return std_out(out, self, dim, unbiased, keepdim);
}
Tensor& max_out(Tensor& out, const Tensor& self);
inline Tensor& max_outf(const Tensor& self, Tensor& out) { return max_out(out, self); }
Tensor& max_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& max_outf(const Tensor& self, const Tensor& other, Tensor& out) { return max_out(out, self, other); }
std::tuple<Tensor&, Tensor&> max_out(Tensor& out0, Tensor& out1, const Tensor& self, int64_t dim, bool keepdim = false);
inline std::tuple<Tensor&, Tensor&> max_outf(const Tensor& self, int64_t dim, bool keepdim, Tensor& out0,
                                             Tensor& out1) {
  return max_out(out0, out1, self, dim, keepdim);
}
Tensor& min_out(Tensor& out, const Tensor& self);
inline Tensor& min_outf(const Tensor& self, Tensor& out) { return min_out(out, self); }
Tensor& min_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& min_outf(const Tensor& self, const Tensor& other, Tensor& out) { return min_out(out, self, other); }
std::tuple<Tensor&, Tensor&> min_out(Tensor& out0, Tensor& out1, const Tensor& self, int64_t dim, bool keepdim = false);
inline std::tuple<Tensor&, Tensor&> min_outf(const Tensor& self, int64_t dim, bool keepdim, Tensor& out0,
                                             Tensor& out1) {
  return min_out(out0, out1, self, dim, keepdim);
}
Tensor& amax_out(Tensor& out, const Tensor& self, IntArrayRef dim = IntArrayRef{}, bool keepdim = false);
inline Tensor& amax_outf(const Tensor& self, IntArrayRef dim, bool keepdim, Tensor& out) {
  return amax_out(out, self, dim, keepdim);
}
Tensor& amin_out(Tensor& out, const Tensor& self, IntArrayRef dim = IntArrayRef{}, bool keepdim = false);
inline Tensor& amin_outf(const Tensor& self, IntArrayRef dim, bool keepdim, Tensor& out) {
  return amin_out(out, self, dim, keepdim);
}
std::tuple<Tensor&, Tensor&> aminmax_out(Tensor& out0, Tensor& out1, const Tensor& self,
                                         std::optional<int64_t> dim = std::nullopt, bool keepdim = false);
inline std::tuple<Tensor&, Tensor&> aminmax_outf(const Tensor& self, std::optional<int64_t> dim, bool keepdim,
                                                 Tensor& out0, Tensor& out1) {
  return aminmax_out(out0, out1, self, dim, keepdim);
}
Tensor& argmax_out(Tensor& out, const Tensor& self, std::optional<int64_t> dim = std::nullopt, bool keepdim = false);
inline Tensor& argmax_outf(const Tensor& self, std::optional<int64_t> dim, bool keepdim, Tensor& out) {
  return argmax_out(out, self, dim, keepdim);
}
Tensor& argmin_out(Tensor& out, const Tensor& self, std::optional<int64_t> dim = std::nullopt, bool keepdim = false);
inline Tensor& argmin_outf(const Tensor& self, std::optional<int64_t> dim, bool keepdim, Tensor& out) {
  return argmin_out(out, self, dim, keepdim);
}
Tensor& norm_out(Tensor& out, const Tensor& self, const Scalar& p = 2);
inline Tensor& norm_outf(const Tensor& self, const Scalar& p, Tensor& out) { return norm_out(out, self, p); }
Tensor& norm_out(Tensor& out, const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim,
                 bool keepdim = false);
inline Tensor& norm_outf(const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim,
                         Tensor& out) {
  return norm_out(out, self, p, dim, keepdim);
}
Tensor& any_out(Tensor& out, const Tensor& self);
inline Tensor& any_outf(const Tensor& self, Tensor& out) { return any_out(out, self); }
Tensor& any_out(Tensor& out, const Tensor& self, int64_t dim, bool keepdim = false);
inline Tensor& any_outf(const Tensor& self, int64_t dim, bool keepdim, Tensor& out) {
  return any_out(out, self, dim, keepdim);
}
Tensor& any_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim, bool keepdim = false);
inline Tensor& any_outf(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, Tensor& out) {
  return any_out(out, self, dim, keepdim);
}
Tensor& all_out(Tensor& out, const Tensor& self);
inline Tensor& all_outf(const Tensor& self, Tensor& out) { return all_out(out, self); }
Tensor& all_out(Tensor& out, const Tensor& self, int64_t dim, bool keepdim = false);
inline Tensor& all_outf(const Tensor& self, int64_t dim, bool keepdim, Tensor& out) {
  return all_out(out, self, dim, keepdim);
}
Tensor& all_out(Tensor& out, const Tensor& self, OptionalIntArrayRef dim, bool keepdim = false);
inline Tensor& all_outf(const Tensor& self, OptionalIntArrayRef dim, bool keepdim, Tensor& out) {
  return all_out(out, self, dim, keepdim);
}
Tensor& logsumexp_out(Tensor& out, const Tensor& self, IntArrayRef dim, bool keepdim = false);
inline Tensor& logsumexp_outf(const Tensor& self, IntArrayRef dim, bool keepdim, Tensor& out) {
  return logsumexp_out(out, self, dim, keepdim);
}
Tensor& softmax_out(Tensor& out, const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt);
inline Tensor& softmax_outf(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype, Tensor& out) {
  return softmax_out(out, self, dim, dtype);
}
Tensor& log_softmax_out(Tensor& out, const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt);
inline Tensor& log_softmax_outf(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype, Tensor& out) {
  return log_softmax_out(out, self, dim, dtype);
}
Tensor& cumsum_out(Tensor& out, const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt);
inline Tensor& cumsum_outf(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype, Tensor& out) {
  return cumsum_out(out, self, dim, dtype);
}
Tensor& cumprod_out(Tensor& out, const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt);
inline Tensor& cumprod_outf(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype, Tensor& out) {
  return cumprod_out(out, self, dim, dtype);
}
Tensor& logcumsumexp_out(Tensor& out, const Tensor& self, int64_t dim);
inline Tensor& logcumsumexp_outf(const Tensor& self, int64_t dim, Tensor& out) {
  return logcumsumexp_out(out, self, dim);
}
std::tuple<Tensor&, Tensor&> cummax_out(Tensor& out0, Tensor& out1, const Tensor& self, int64_t dim);
inline std::tuple<Tensor&, Tensor&> cummax_outf(const Tensor& self, int64_t dim, Tensor& out0, Tensor& out1) {
  return cummax_out(out0, out1, self, dim);
}
std::tuple<Tensor&, Tensor&> cummin_out(Tensor& out0, Tensor& out1, const Tensor& self, int64_t dim);
inline std::tuple<Tensor&, Tensor&> cummin_outf(const Tensor& self, int64_t dim, Tensor& out0, Tensor& out1) {
  return cummin_out(out0, out1, self, dim);
}
Tensor& diff_out(Tensor& out, const Tensor& self, int64_t n = 1, int64_t dim = -1,
                 OptionalTensor prepend = std::nullopt, OptionalTensor append = std::nullopt);
inline Tensor& diff_outf(const Tensor& self, int64_t n, int64_t dim, OptionalTensor prepend, OptionalTensor append,
                         Tensor& out) {
  return diff_out(out, self, n, dim, prepend, append);
}
Tensor& matmul_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& matmul_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return matmul_out(out, self, other);
}
Tensor& mm_out(Tensor& out, const Tensor& self, const Tensor& mat2);
inline Tensor& mm_outf(const Tensor& self, const Tensor& mat2, Tensor& out) { return mm_out(out, self, mat2); }
Tensor& bmm_out(Tensor& out, const Tensor& self, const Tensor& mat2);
inline Tensor& bmm_outf(const Tensor& self, const Tensor& mat2, Tensor& out) { return bmm_out(out, self, mat2); }
Tensor& mv_out(Tensor& out, const Tensor& self, const Tensor& vec);
inline Tensor& mv_outf(const Tensor& self, const Tensor& vec, Tensor& out) { return mv_out(out, self, vec); }
Tensor& dot_out(Tensor& out, const Tensor& self, const Tensor& tensor);
inline Tensor& dot_outf(const Tensor& self, const Tensor& tensor, Tensor& out) { return dot_out(out, self, tensor); }
Tensor& vdot_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& vdot_outf(const Tensor& self, const Tensor& other, Tensor& out) { return vdot_out(out, self, other); }
Tensor& inner_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& inner_outf(const Tensor& self, const Tensor& other, Tensor& out) { return inner_out(out, self, other); }
Tensor& outer_out(Tensor& out, const Tensor& self, const Tensor& vec2);
inline Tensor& outer_outf(const Tensor& self, const Tensor& vec2, Tensor& out) { return outer_out(out, self, vec2); }
Tensor& ger_out(Tensor& out, const Tensor& self, const Tensor& vec2);
inline Tensor& ger_outf(const Tensor& self, const Tensor& vec2, Tensor& out) { return ger_out(out, self, vec2); }
Tensor& addmm_out(Tensor& out, const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1,
                  const Scalar& alpha = 1);
inline Tensor& addmm_outf(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
                          const Scalar& alpha, Tensor& out) {
  return addmm_out(out, self, mat1, mat2, beta, alpha);
}
Tensor& addmv_out(Tensor& out, const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta = 1,
                  const Scalar& alpha = 1);
inline Tensor& addmv_outf(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta,
                          const Scalar& alpha, Tensor& out) {
  return addmv_out(out, self, mat, vec, beta, alpha);
}
Tensor& addr_out(Tensor& out, const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta = 1,
                 const Scalar& alpha = 1);
inline Tensor& addr_outf(const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta,
                         const Scalar& alpha, Tensor& out) {
  return addr_out(out, self, vec1, vec2, beta, alpha);
}
Tensor& addbmm_out(Tensor& out, const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1,
                   const Scalar& alpha = 1);
inline Tensor& addbmm_outf(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                           const Scalar& alpha, Tensor& out) {
  return addbmm_out(out, self, batch1, batch2, beta, alpha);
}
Tensor& baddbmm_out(Tensor& out, const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1,
                    const Scalar& alpha = 1);
inline Tensor& baddbmm_outf(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta,
                            const Scalar& alpha, Tensor& out) {
  return baddbmm_out(out, self, batch1, batch2, beta, alpha);
}
Tensor& tensordot_out(Tensor& out, const Tensor& self, const Tensor& other, IntArrayRef dims_self,
                      IntArrayRef dims_other);
inline Tensor& tensordot_outf(const Tensor& self, const Tensor& other, IntArrayRef dims_self, IntArrayRef dims_other,
                              Tensor& out) {
  return tensordot_out(out, self, other, dims_self, dims_other);
}
Tensor& kron_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& kron_outf(const Tensor& self, const Tensor& other, Tensor& out) { return kron_out(out, self, other); }
Tensor& linear_out(Tensor& out, const Tensor& input, const Tensor& weight, OptionalTensor bias = std::nullopt);
inline Tensor& linear_outf(const Tensor& input, const Tensor& weight, OptionalTensor bias, Tensor& out) {
  return linear_out(out, input, weight, bias);
}
Tensor& linalg_solve_triangular_out(Tensor& out, const Tensor& self, const Tensor& B, bool upper, bool left = true,
                                    bool unitriangular = false);
inline Tensor& linalg_solve_triangular_outf(const Tensor& self, const Tensor& B, bool upper, bool left,
                                            bool unitriangular, Tensor& out) {
  return linalg_solve_triangular_out(out, self, B, upper, left, unitriangular);
}
std::tuple<Tensor&, Tensor&> triangular_solve_out(Tensor& out0, Tensor& out1, const Tensor& self, const Tensor& A,
                                                  bool upper = true, bool transpose = false,
                                                  bool unitriangular = false);
inline std::tuple<Tensor&, Tensor&> triangular_solve_outf(const Tensor& self, const Tensor& A, bool upper,
                                                          bool transpose, bool unitriangular, Tensor& out0,
                                                          Tensor& out1) {
  return triangular_solve_out(out0, out1, self, A, upper, transpose, unitriangular);
}
std::tuple<Tensor&, Tensor&> linalg_cholesky_ex_out(Tensor& out0, Tensor& out1, const Tensor& self, bool upper = false,
                                                    bool check_errors = false);
inline std::tuple<Tensor&, Tensor&> linalg_cholesky_ex_outf(const Tensor& self, bool upper, bool check_errors,
                                                            Tensor& out0, Tensor& out1) {
  return linalg_cholesky_ex_out(out0, out1, self, upper, check_errors);
}
Tensor& linalg_cholesky_out(Tensor& out, const Tensor& self, bool upper = false);
inline Tensor& linalg_cholesky_outf(const Tensor& self, bool upper, Tensor& out) {
  return linalg_cholesky_out(out, self, upper);
}
Tensor& cholesky_out(Tensor& out, const Tensor& self, bool upper = false);
inline Tensor& cholesky_outf(const Tensor& self, bool upper, Tensor& out) { return cholesky_out(out, self, upper); }
Tensor& cholesky_solve_out(Tensor& out, const Tensor& self, const Tensor& input2, bool upper = false);
inline Tensor& cholesky_solve_outf(const Tensor& self, const Tensor& input2, bool upper, Tensor& out) {
  return cholesky_solve_out(out, self, input2, upper);
}
Tensor& cholesky_inverse_out(Tensor& out, const Tensor& self, bool upper = false);
inline Tensor& cholesky_inverse_outf(const Tensor& self, bool upper, Tensor& out) {
  return cholesky_inverse_out(out, self, upper);
}
std::tuple<Tensor&, Tensor&, Tensor&> linalg_lu_factor_ex_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& A,
                                                              bool pivot = true, bool check_errors = false);
inline std::tuple<Tensor&, Tensor&, Tensor&> linalg_lu_factor_ex_outf(const Tensor& A, bool pivot, bool check_errors,
                                                                      Tensor& out0, Tensor& out1, Tensor& out2) {
  return linalg_lu_factor_ex_out(out0, out1, out2, A, pivot, check_errors);
}
std::tuple<Tensor&, Tensor&> linalg_lu_factor_out(Tensor& out0, Tensor& out1, const Tensor& A, bool pivot = true);
inline std::tuple<Tensor&, Tensor&> linalg_lu_factor_outf(const Tensor& A, bool pivot, Tensor& out0, Tensor& out1) {
  return linalg_lu_factor_out(out0, out1, A, pivot);
}
std::tuple<Tensor&, Tensor&, Tensor&> lu_unpack_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& LU_data,
                                                    const Tensor& LU_pivots, bool unpack_data = true,
                                                    bool unpack_pivots = true);
inline std::tuple<Tensor&, Tensor&, Tensor&> lu_unpack_outf(const Tensor& LU_data, const Tensor& LU_pivots,
                                                            bool unpack_data, bool unpack_pivots, Tensor& out0,
                                                            Tensor& out1, Tensor& out2) {
  return lu_unpack_out(out0, out1, out2, LU_data, LU_pivots, unpack_data, unpack_pivots);
}
std::tuple<Tensor&, Tensor&, Tensor&> linalg_lu_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& A,
                                                    bool pivot = true);
inline std::tuple<Tensor&, Tensor&, Tensor&> linalg_lu_outf(const Tensor& A, bool pivot, Tensor& out0, Tensor& out1,
                                                            Tensor& out2) {
  return linalg_lu_out(out0, out1, out2, A, pivot);
}
Tensor& linalg_lu_solve_out(Tensor& out, const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left = true,
                            bool adjoint = false);
inline Tensor& linalg_lu_solve_outf(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left, bool adjoint,
                                    Tensor& out) {
  return linalg_lu_solve_out(out, LU, pivots, B, left, adjoint);
}
Tensor& lu_solve_out(Tensor& out, const Tensor& self, const Tensor& LU_data, const Tensor& LU_pivots);
inline Tensor& lu_solve_outf(const Tensor& self, const Tensor& LU_data, const Tensor& LU_pivots, Tensor& out) {
  return lu_solve_out(out, self, LU_data, LU_pivots);
}
std::tuple<Tensor&, Tensor&> linalg_solve_ex_out(Tensor& out0, Tensor& out1, const Tensor& A, const Tensor& B,
                                                 bool left = true, bool check_errors = false);
inline std::tuple<Tensor&, Tensor&> linalg_solve_ex_outf(const Tensor& A, const Tensor& B, bool left, bool check_errors,
                                                         Tensor& out0, Tensor& out1) {
  return linalg_solve_ex_out(out0, out1, A, B, left, check_errors);
}
Tensor& linalg_solve_out(Tensor& out, const Tensor& A, const Tensor& B, bool left = true);
inline Tensor& linalg_solve_outf(const Tensor& A, const Tensor& B, bool left, Tensor& out) {
  return linalg_solve_out(out, A, B, left);
}
std::tuple<Tensor&, Tensor&> linalg_inv_ex_out(Tensor& out0, Tensor& out1, const Tensor& A, bool check_errors = false);
inline std::tuple<Tensor&, Tensor&> linalg_inv_ex_outf(const Tensor& A, bool check_errors, Tensor& out0, Tensor& out1) {
  return linalg_inv_ex_out(out0, out1, A, check_errors);
}
Tensor& linalg_inv_out(Tensor& out, const Tensor& A);
inline Tensor& linalg_inv_outf(const Tensor& A, Tensor& out) { return linalg_inv_out(out, A); }
Tensor& inverse_out(Tensor& out, const Tensor& self);
inline Tensor& inverse_outf(const Tensor& self, Tensor& out) { return inverse_out(out, self); }
Tensor& linalg_det_out(Tensor& out, const Tensor& A);
inline Tensor& linalg_det_outf(const Tensor& A, Tensor& out) { return linalg_det_out(out, A); }
std::tuple<Tensor&, Tensor&> linalg_slogdet_out(Tensor& out0, Tensor& out1, const Tensor& A);
inline std::tuple<Tensor&, Tensor&> linalg_slogdet_outf(const Tensor& A, Tensor& out0, Tensor& out1) {
  return linalg_slogdet_out(out0, out1, A);
}
std::tuple<Tensor&, Tensor&> slogdet_out(Tensor& out0, Tensor& out1, const Tensor& self);
inline std::tuple<Tensor&, Tensor&> slogdet_outf(const Tensor& self, Tensor& out0, Tensor& out1) {
  return slogdet_out(out0, out1, self);
}
std::tuple<Tensor&, Tensor&> linalg_qr_out(Tensor& out0, Tensor& out1, const Tensor& A,
                                           std::string_view mode = "reduced");
inline std::tuple<Tensor&, Tensor&> linalg_qr_outf(const Tensor& A, std::string_view mode, Tensor& out0, Tensor& out1) {
  return linalg_qr_out(out0, out1, A, mode);
}
std::tuple<Tensor&, Tensor&> qr_out(Tensor& out0, Tensor& out1, const Tensor& self, bool some = true);
inline std::tuple<Tensor&, Tensor&> qr_outf(const Tensor& self, bool some, Tensor& out0, Tensor& out1) {
  return qr_out(out0, out1, self, some);
}
std::tuple<Tensor&, Tensor&> geqrf_out(Tensor& out0, Tensor& out1, const Tensor& self);
inline std::tuple<Tensor&, Tensor&> geqrf_outf(const Tensor& self, Tensor& out0, Tensor& out1) {
  return geqrf_out(out0, out1, self);
}
Tensor& linalg_householder_product_out(Tensor& out, const Tensor& input, const Tensor& tau);
inline Tensor& linalg_householder_product_outf(const Tensor& input, const Tensor& tau, Tensor& out) {
  return linalg_householder_product_out(out, input, tau);
}
Tensor& orgqr_out(Tensor& out, const Tensor& self, const Tensor& input2);
inline Tensor& orgqr_outf(const Tensor& self, const Tensor& input2, Tensor& out) {
  return orgqr_out(out, self, input2);
}
Tensor& ormqr_out(Tensor& out, const Tensor& self, const Tensor& input2, const Tensor& input3, bool left = true,
                  bool transpose = false);
inline Tensor& ormqr_outf(const Tensor& self, const Tensor& input2, const Tensor& input3, bool left, bool transpose,
                          Tensor& out) {
  return ormqr_out(out, self, input2, input3, left, transpose);
}
std::tuple<Tensor&, Tensor&> linalg_eigh_out(Tensor& out0, Tensor& out1, const Tensor& self,
                                             std::string_view UPLO = "L");
inline std::tuple<Tensor&, Tensor&> linalg_eigh_outf(const Tensor& self, std::string_view UPLO, Tensor& out0,
                                                     Tensor& out1) {
  return linalg_eigh_out(out0, out1, self, UPLO);
}
Tensor& linalg_eigvalsh_out(Tensor& out, const Tensor& self, std::string_view UPLO = "L");
inline Tensor& linalg_eigvalsh_outf(const Tensor& self, std::string_view UPLO, Tensor& out) {
  return linalg_eigvalsh_out(out, self, UPLO);
}
std::tuple<Tensor&, Tensor&> linalg_eig_out(Tensor& out0, Tensor& out1, const Tensor& self);
inline std::tuple<Tensor&, Tensor&> linalg_eig_outf(const Tensor& self, Tensor& out0, Tensor& out1) {
  return linalg_eig_out(out0, out1, self);
}
Tensor& linalg_eigvals_out(Tensor& out, const Tensor& self);
inline Tensor& linalg_eigvals_outf(const Tensor& self, Tensor& out) { return linalg_eigvals_out(out, self); }
std::tuple<Tensor&, Tensor&, Tensor&> linalg_svd_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& A,
                                                     bool full_matrices = true,
                                                     std::optional<std::string_view> driver = std::nullopt);
inline std::tuple<Tensor&, Tensor&, Tensor&> linalg_svd_outf(const Tensor& A, bool full_matrices,
                                                             std::optional<std::string_view> driver, Tensor& out0,
                                                             Tensor& out1, Tensor& out2) {
  return linalg_svd_out(out0, out1, out2, A, full_matrices, driver);
}
Tensor& linalg_svdvals_out(Tensor& out, const Tensor& A, std::optional<std::string_view> driver = std::nullopt);
inline Tensor& linalg_svdvals_outf(const Tensor& A, std::optional<std::string_view> driver, Tensor& out) {
  return linalg_svdvals_out(out, A, driver);
}
std::tuple<Tensor&, Tensor&, Tensor&> svd_out(Tensor& out0, Tensor& out1, Tensor& out2, const Tensor& self,
                                              bool some = true, bool compute_uv = true);
inline std::tuple<Tensor&, Tensor&, Tensor&> svd_outf(const Tensor& self, bool some, bool compute_uv, Tensor& out0,
                                                      Tensor& out1, Tensor& out2) {
  return svd_out(out0, out1, out2, self, some, compute_uv);
}
Tensor& linalg_pinv_out(Tensor& out, const Tensor& self, double rcond, bool hermitian = false);
inline Tensor& linalg_pinv_outf(const Tensor& self, double rcond, bool hermitian, Tensor& out) {
  return linalg_pinv_out(out, self, rcond, hermitian);
}
Tensor& linalg_pinv_out(Tensor& out, const Tensor& self, std::optional<double> atol = std::nullopt,
                        std::optional<double> rtol = std::nullopt, bool hermitian = false);
inline Tensor& linalg_pinv_outf(const Tensor& self, std::optional<double> atol, std::optional<double> rtol,
                                bool hermitian, Tensor& out) {
  return linalg_pinv_out(out, self, atol, rtol, hermitian);
}
Tensor& linalg_pinv_out(Tensor& out, const Tensor& self, OptionalTensor atol, OptionalTensor rtol = std::nullopt,
                        bool hermitian = false);
inline Tensor& linalg_pinv_outf(const Tensor& self, OptionalTensor atol, OptionalTensor rtol, bool hermitian,
                                Tensor& out) {
  return linalg_pinv_out(out, self, atol, rtol, hermitian);
}
Tensor& linalg_pinv_out(Tensor& out, const Tensor& self, const Tensor& rcond, bool hermitian = false);
inline Tensor& linalg_pinv_outf(const Tensor& self, const Tensor& rcond, bool hermitian, Tensor& out) {
  return linalg_pinv_out(out, self, rcond, hermitian);
}
Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& self, double tol, bool hermitian = false);
inline Tensor& linalg_matrix_rank_outf(const Tensor& self, double tol, bool hermitian, Tensor& out) {
  return linalg_matrix_rank_out(out, self, tol, hermitian);
}
Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& self, std::optional<double> atol = std::nullopt,
                               std::optional<double> rtol = std::nullopt, bool hermitian = false);
inline Tensor& linalg_matrix_rank_outf(const Tensor& self, std::optional<double> atol, std::optional<double> rtol,
                                       bool hermitian, Tensor& out) {
  return linalg_matrix_rank_out(out, self, atol, rtol, hermitian);
}
Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& input, OptionalTensor atol,
                               OptionalTensor rtol = std::nullopt, bool hermitian = false);
inline Tensor& linalg_matrix_rank_outf(const Tensor& input, OptionalTensor atol, OptionalTensor rtol, bool hermitian,
                                       Tensor& out) {
  return linalg_matrix_rank_out(out, input, atol, rtol, hermitian);
}
Tensor& linalg_matrix_rank_out(Tensor& out, const Tensor& input, const Tensor& tol, bool hermitian = false);
inline Tensor& linalg_matrix_rank_outf(const Tensor& input, const Tensor& tol, bool hermitian, Tensor& out) {
  return linalg_matrix_rank_out(out, input, tol, hermitian);
}
std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> linalg_lstsq_out(Tensor& out0, Tensor& out1, Tensor& out2, Tensor& out3,
                                                                const Tensor& self, const Tensor& b,
                                                                std::optional<double> rcond = std::nullopt,
                                                                std::optional<std::string_view> driver = std::nullopt);
inline std::tuple<Tensor&, Tensor&, Tensor&, Tensor&> linalg_lstsq_outf(const Tensor& self, const Tensor& b,
                                                                        std::optional<double> rcond,
                                                                        std::optional<std::string_view> driver,
                                                                        Tensor& out0, Tensor& out1, Tensor& out2,
                                                                        Tensor& out3) {
  return linalg_lstsq_out(out0, out1, out2, out3, self, b, rcond, driver);
}
std::tuple<Tensor&, Tensor&, Tensor&> linalg_ldl_factor_ex_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                               const Tensor& self, bool hermitian = false,
                                                               bool check_errors = false);
inline std::tuple<Tensor&, Tensor&, Tensor&> linalg_ldl_factor_ex_outf(const Tensor& self, bool hermitian,
                                                                       bool check_errors, Tensor& out0, Tensor& out1,
                                                                       Tensor& out2) {
  return linalg_ldl_factor_ex_out(out0, out1, out2, self, hermitian, check_errors);
}
std::tuple<Tensor&, Tensor&> linalg_ldl_factor_out(Tensor& out0, Tensor& out1, const Tensor& self,
                                                   bool hermitian = false);
inline std::tuple<Tensor&, Tensor&> linalg_ldl_factor_outf(const Tensor& self, bool hermitian, Tensor& out0,
                                                           Tensor& out1) {
  return linalg_ldl_factor_out(out0, out1, self, hermitian);
}
Tensor& linalg_ldl_solve_out(Tensor& out, const Tensor& LD, const Tensor& pivots, const Tensor& B,
                             bool hermitian = false);
inline Tensor& linalg_ldl_solve_outf(const Tensor& LD, const Tensor& pivots, const Tensor& B, bool hermitian,
                                     Tensor& out) {
  return linalg_ldl_solve_out(out, LD, pivots, B, hermitian);
}
Tensor& linalg_vector_norm_out(Tensor& out, const Tensor& self, const Scalar& ord = 2,
                               OptionalIntArrayRef dim = std::nullopt, bool keepdim = false,
                               std::optional<ScalarType> dtype = std::nullopt);
inline Tensor& linalg_vector_norm_outf(const Tensor& self, const Scalar& ord, OptionalIntArrayRef dim, bool keepdim,
                                       std::optional<ScalarType> dtype, Tensor& out) {
  return linalg_vector_norm_out(out, self, ord, dim, keepdim, dtype);
}
Tensor& linalg_matrix_norm_out(Tensor& out, const Tensor& self, const Scalar& ord, IntArrayRef dim = {-2, -1},
                               bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt);
inline Tensor& linalg_matrix_norm_outf(const Tensor& self, const Scalar& ord, IntArrayRef dim, bool keepdim,
                                       std::optional<ScalarType> dtype, Tensor& out) {
  return linalg_matrix_norm_out(out, self, ord, dim, keepdim, dtype);
}
Tensor& linalg_matrix_norm_out(Tensor& out, const Tensor& self, std::string_view ord = "fro",
                               IntArrayRef dim = {-2, -1}, bool keepdim = false,
                               std::optional<ScalarType> dtype = std::nullopt);
inline Tensor& linalg_matrix_norm_outf(const Tensor& self, std::string_view ord, IntArrayRef dim, bool keepdim,
                                       std::optional<ScalarType> dtype, Tensor& out) {
  return linalg_matrix_norm_out(out, self, ord, dim, keepdim, dtype);
}
Tensor& linalg_norm_out(Tensor& out, const Tensor& self, const std::optional<Scalar>& ord = std::nullopt,
                        OptionalIntArrayRef dim = std::nullopt, bool keepdim = false,
                        std::optional<ScalarType> dtype = std::nullopt);
inline Tensor& linalg_norm_outf(const Tensor& self, const std::optional<Scalar>& ord, OptionalIntArrayRef dim,
                                bool keepdim, std::optional<ScalarType> dtype, Tensor& out) {
  return linalg_norm_out(out, self, ord, dim, keepdim, dtype);
}
Tensor& linalg_norm_out(Tensor& out, const Tensor& self, std::string_view ord, OptionalIntArrayRef dim = std::nullopt,
                        bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt);
inline Tensor& linalg_norm_outf(const Tensor& self, std::string_view ord, OptionalIntArrayRef dim, bool keepdim,
                                std::optional<ScalarType> dtype, Tensor& out) {
  return linalg_norm_out(out, self, ord, dim, keepdim, dtype);
}
Tensor& nuclear_norm_out(Tensor& out, const Tensor& self, bool keepdim = false);
inline Tensor& nuclear_norm_outf(const Tensor& self, bool keepdim, Tensor& out) {
  return nuclear_norm_out(out, self, keepdim);
}
Tensor& nuclear_norm_out(Tensor& out, const Tensor& self, IntArrayRef dim, bool keepdim = false);
inline Tensor& nuclear_norm_outf(const Tensor& self, IntArrayRef dim, bool keepdim, Tensor& out) {
  return nuclear_norm_out(out, self, dim, keepdim);
}
Tensor& frobenius_norm_out(Tensor& out, const Tensor& self, IntArrayRef dim, bool keepdim = false);
inline Tensor& frobenius_norm_outf(const Tensor& self, IntArrayRef dim, bool keepdim, Tensor& out) {
  return frobenius_norm_out(out, self, dim, keepdim);
}
Tensor& linalg_cond_out(Tensor& out, const Tensor& self, const std::optional<Scalar>& p = std::nullopt);
inline Tensor& linalg_cond_outf(const Tensor& self, const std::optional<Scalar>& p, Tensor& out) {
  return linalg_cond_out(out, self, p);
}
Tensor& linalg_cond_out(Tensor& out, const Tensor& self, std::string_view p);
inline Tensor& linalg_cond_outf(const Tensor& self, std::string_view p, Tensor& out) {
  return linalg_cond_out(out, self, p);
}
Tensor& linalg_matrix_power_out(Tensor& out, const Tensor& self, int64_t n);
inline Tensor& linalg_matrix_power_outf(const Tensor& self, int64_t n, Tensor& out) {
  return linalg_matrix_power_out(out, self, n);
}
Tensor& matrix_power_out(Tensor& out, const Tensor& self, int64_t n);
inline Tensor& matrix_power_outf(const Tensor& self, int64_t n, Tensor& out) { return matrix_power_out(out, self, n); }
Tensor& linalg_matmul_out(Tensor& out, const Tensor& self, const Tensor& other);
inline Tensor& linalg_matmul_outf(const Tensor& self, const Tensor& other, Tensor& out) {
  return linalg_matmul_out(out, self, other);
}
Tensor& linalg_multi_dot_out(Tensor& out, TensorList tensors);
inline Tensor& linalg_multi_dot_outf(TensorList tensors, Tensor& out) { return linalg_multi_dot_out(out, tensors); }
Tensor& chain_matmul_out(Tensor& out, TensorList matrices);
inline Tensor& chain_matmul_outf(TensorList matrices, Tensor& out) { return chain_matmul_out(out, matrices); }
Tensor& linalg_vecdot_out(Tensor& out, const Tensor& x, const Tensor& y, int64_t dim = -1);
inline Tensor& linalg_vecdot_outf(const Tensor& x, const Tensor& y, int64_t dim, Tensor& out) {
  return linalg_vecdot_out(out, x, y, dim);
}
Tensor& linalg_cross_out(Tensor& out, const Tensor& self, const Tensor& other, int64_t dim = -1);
inline Tensor& linalg_cross_outf(const Tensor& self, const Tensor& other, int64_t dim, Tensor& out) {
  return linalg_cross_out(out, self, other, dim);
}
Tensor& cross_out(Tensor& out, const Tensor& self, const Tensor& other, std::optional<int64_t> dim = std::nullopt);
inline Tensor& cross_outf(const Tensor& self, const Tensor& other, std::optional<int64_t> dim, Tensor& out) {
  return cross_out(out, self, other, dim);
}
Tensor& linalg_tensorinv_out(Tensor& out, const Tensor& self, int64_t ind = 2);
inline Tensor& linalg_tensorinv_outf(const Tensor& self, int64_t ind, Tensor& out) {
  return linalg_tensorinv_out(out, self, ind);
}
Tensor& linalg_tensorsolve_out(Tensor& out, const Tensor& self, const Tensor& other,
                               OptionalIntArrayRef dims = std::nullopt);
inline Tensor& linalg_tensorsolve_outf(const Tensor& self, const Tensor& other, OptionalIntArrayRef dims, Tensor& out) {
  return linalg_tensorsolve_out(out, self, other, dims);
}
std::tuple<Tensor&, Tensor&, Tensor&> native_batch_norm_out(Tensor& out0, Tensor& out1, Tensor& out2,
                                                            const Tensor& input, OptionalTensor weight,
                                                            OptionalTensor bias, OptionalTensor running_mean,
                                                            OptionalTensor running_var, bool training, double momentum,
                                                            double eps);
inline std::tuple<Tensor&, Tensor&, Tensor&> native_batch_norm_outf(const Tensor& input, OptionalTensor weight,
                                                                    OptionalTensor bias, OptionalTensor running_mean,
                                                                    OptionalTensor running_var, bool training,
                                                                    double momentum, double eps, Tensor& out0,
                                                                    Tensor& out1, Tensor& out2) {
  return native_batch_norm_out(out0, out1, out2, input, weight, bias, running_mean, running_var, training, momentum,
                               eps);
}
Tensor& normalize_out(Tensor& out, const Tensor& input, double p = 2, int64_t dim = 1, double eps = 1e-12);
inline Tensor& normalize_outf(const Tensor& input, double p, int64_t dim, double eps, Tensor& out) {
  return normalize_out(out, input, p, dim, eps);
}
Tensor& upsample_nearest1d_out(Tensor& out, const Tensor& self, IntArrayRef output_size,
                               std::optional<double> scales = std::nullopt);
inline Tensor& upsample_nearest1d_outf(const Tensor& self, IntArrayRef output_size, std::optional<double> scales,
                                       Tensor& out) {
  return upsample_nearest1d_out(out, self, output_size, scales);
}
Tensor& upsample_nearest2d_out(Tensor& out, const Tensor& self, IntArrayRef output_size,
                               std::optional<double> scales_h = std::nullopt,
                               std::optional<double> scales_w = std::nullopt);
inline Tensor& upsample_nearest2d_outf(const Tensor& self, IntArrayRef output_size, std::optional<double> scales_h,
                                       std::optional<double> scales_w, Tensor& out) {
  return upsample_nearest2d_out(out, self, output_size, scales_h, scales_w);
}
Tensor& upsample_nearest3d_out(Tensor& out, const Tensor& self, IntArrayRef output_size,
                               std::optional<double> scales_d = std::nullopt,
                               std::optional<double> scales_h = std::nullopt,
                               std::optional<double> scales_w = std::nullopt);
inline Tensor& upsample_nearest3d_outf(const Tensor& self, IntArrayRef output_size, std::optional<double> scales_d,
                                       std::optional<double> scales_h, std::optional<double> scales_w, Tensor& out) {
  return upsample_nearest3d_out(out, self, output_size, scales_d, scales_h, scales_w);
}
Tensor& _upsample_nearest_exact1d_out(Tensor& out, const Tensor& self, IntArrayRef output_size,
                                      std::optional<double> scales = std::nullopt);
inline Tensor& _upsample_nearest_exact1d_outf(const Tensor& self, IntArrayRef output_size, std::optional<double> scales,
                                              Tensor& out) {
  return _upsample_nearest_exact1d_out(out, self, output_size, scales);
}
Tensor& _upsample_nearest_exact2d_out(Tensor& out, const Tensor& self, IntArrayRef output_size,
                                      std::optional<double> scales_h = std::nullopt,
                                      std::optional<double> scales_w = std::nullopt);
inline Tensor& _upsample_nearest_exact2d_outf(const Tensor& self, IntArrayRef output_size,
                                              std::optional<double> scales_h, std::optional<double> scales_w,
                                              Tensor& out) {
  return _upsample_nearest_exact2d_out(out, self, output_size, scales_h, scales_w);
}
Tensor& _upsample_nearest_exact3d_out(Tensor& out, const Tensor& self, IntArrayRef output_size,
                                      std::optional<double> scales_d = std::nullopt,
                                      std::optional<double> scales_h = std::nullopt,
                                      std::optional<double> scales_w = std::nullopt);
inline Tensor& _upsample_nearest_exact3d_outf(const Tensor& self, IntArrayRef output_size,
                                              std::optional<double> scales_d, std::optional<double> scales_h,
                                              std::optional<double> scales_w, Tensor& out) {
  return _upsample_nearest_exact3d_out(out, self, output_size, scales_d, scales_h, scales_w);
}
Tensor& upsample_linear1d_out(Tensor& out, const Tensor& self, IntArrayRef output_size, bool align_corners,
                              std::optional<double> scales = std::nullopt);
inline Tensor& upsample_linear1d_outf(const Tensor& self, IntArrayRef output_size, bool align_corners,
                                      std::optional<double> scales, Tensor& out) {
  return upsample_linear1d_out(out, self, output_size, align_corners, scales);
}
Tensor& upsample_bilinear2d_out(Tensor& out, const Tensor& self, IntArrayRef output_size, bool align_corners,
                                std::optional<double> scales_h = std::nullopt,
                                std::optional<double> scales_w = std::nullopt);
inline Tensor& upsample_bilinear2d_outf(const Tensor& self, IntArrayRef output_size, bool align_corners,
                                        std::optional<double> scales_h, std::optional<double> scales_w, Tensor& out) {
  return upsample_bilinear2d_out(out, self, output_size, align_corners, scales_h, scales_w);
}
Tensor& upsample_trilinear3d_out(Tensor& out, const Tensor& self, IntArrayRef output_size, bool align_corners,
                                 std::optional<double> scales_d = std::nullopt,
                                 std::optional<double> scales_h = std::nullopt,
                                 std::optional<double> scales_w = std::nullopt);
inline Tensor& upsample_trilinear3d_outf(const Tensor& self, IntArrayRef output_size, bool align_corners,
                                         std::optional<double> scales_d, std::optional<double> scales_h,
                                         std::optional<double> scales_w, Tensor& out) {
  return upsample_trilinear3d_out(out, self, output_size, align_corners, scales_d, scales_h, scales_w);
}
Tensor& upsample_bicubic2d_out(Tensor& out, const Tensor& self, IntArrayRef output_size, bool align_corners,
                               std::optional<double> scales_h = std::nullopt,
                               std::optional<double> scales_w = std::nullopt);
inline Tensor& upsample_bicubic2d_outf(const Tensor& self, IntArrayRef output_size, bool align_corners,
                                       std::optional<double> scales_h, std::optional<double> scales_w, Tensor& out) {
  return upsample_bicubic2d_out(out, self, output_size, align_corners, scales_h, scales_w);
}
Tensor& _upsample_bilinear2d_aa_out(Tensor& out, const Tensor& self, IntArrayRef output_size, bool align_corners,
                                    std::optional<double> scales_h = std::nullopt,
                                    std::optional<double> scales_w = std::nullopt);
inline Tensor& _upsample_bilinear2d_aa_outf(const Tensor& self, IntArrayRef output_size, bool align_corners,
                                            std::optional<double> scales_h, std::optional<double> scales_w,
                                            Tensor& out) {
  return _upsample_bilinear2d_aa_out(out, self, output_size, align_corners, scales_h, scales_w);
}
Tensor& _upsample_bicubic2d_aa_out(Tensor& out, const Tensor& self, IntArrayRef output_size, bool align_corners,
                                   std::optional<double> scales_h = std::nullopt,
                                   std::optional<double> scales_w = std::nullopt);
inline Tensor& _upsample_bicubic2d_aa_outf(const Tensor& self, IntArrayRef output_size, bool align_corners,
                                           std::optional<double> scales_h, std::optional<double> scales_w,
                                           Tensor& out) {
  return _upsample_bicubic2d_aa_out(out, self, output_size, align_corners, scales_h, scales_w);
}
Tensor& conj_physical_out(Tensor& out, const Tensor& self);
inline Tensor& conj_physical_outf(const Tensor& self, Tensor& out) { return conj_physical_out(out, self); }
Tensor& complex_out(Tensor& out, const Tensor& real, const Tensor& imag);
inline Tensor& complex_outf(const Tensor& real, const Tensor& imag, Tensor& out) {
  return complex_out(out, real, imag);
}
Tensor& polar_out(Tensor& out, const Tensor& abs, const Tensor& angle);
inline Tensor& polar_outf(const Tensor& abs, const Tensor& angle, Tensor& out) { return polar_out(out, abs, angle); }
Tensor& angle_out(Tensor& out, const Tensor& self);
inline Tensor& angle_outf(const Tensor& self, Tensor& out) { return angle_out(out, self); }
Tensor& diag_out(Tensor& out, const Tensor& self, int64_t diagonal = 0);
inline Tensor& diag_outf(const Tensor& self, int64_t diagonal, Tensor& out) { return diag_out(out, self, diagonal); }
Tensor& slice_scatter_out(Tensor& out, const Tensor& self, const Tensor& src, int64_t dim = 0,
                          std::optional<int64_t> start = std::nullopt, std::optional<int64_t> end = std::nullopt,
                          int64_t step = 1);
inline Tensor& slice_scatter_outf(const Tensor& self, const Tensor& src, int64_t dim, std::optional<int64_t> start,
                                  std::optional<int64_t> end, int64_t step, Tensor& out) {
  return slice_scatter_out(out, self, src, dim, start, end, step);
}
Tensor& cat_out(Tensor& out, TensorList tensors, int64_t dim = 0);
inline Tensor& cat_outf(TensorList tensors, int64_t dim, Tensor& out) { return cat_out(out, tensors, dim); }
inline Tensor& concatenate_out(Tensor& out, TensorList tensors, int64_t dim = 0) { return cat_out(out, tensors, dim); }
inline Tensor& concatenate_outf(TensorList tensors, int64_t dim, Tensor& out) { return cat_out(out, tensors, dim); }
Tensor& concat_out(Tensor& out, TensorList tensors, int64_t dim = 0);
inline Tensor& concat_outf(TensorList tensors, int64_t dim, Tensor& out) { return concat_out(out, tensors, dim); }
Tensor& stack_out(Tensor& out, TensorList tensors, int64_t dim = 0);
inline Tensor& stack_outf(TensorList tensors, int64_t dim, Tensor& out) { return stack_out(out, tensors, dim); }
Tensor& hstack_out(Tensor& out, TensorList tensors);
inline Tensor& hstack_outf(TensorList tensors, Tensor& out) { return hstack_out(out, tensors); }
Tensor& vstack_out(Tensor& out, TensorList tensors);
inline Tensor& vstack_outf(TensorList tensors, Tensor& out) { return vstack_out(out, tensors); }
inline Tensor& row_stack_out(Tensor& out, TensorList tensors) { return vstack_out(out, tensors); }
inline Tensor& row_stack_outf(TensorList tensors, Tensor& out) { return vstack_out(out, tensors); }
Tensor& dstack_out(Tensor& out, TensorList tensors);
inline Tensor& dstack_outf(TensorList tensors, Tensor& out) { return dstack_out(out, tensors); }
Tensor& tril_out(Tensor& out, const Tensor& self, int64_t diagonal = 0);
inline Tensor& tril_outf(const Tensor& self, int64_t diagonal, Tensor& out) { return tril_out(out, self, diagonal); }
Tensor& triu_out(Tensor& out, const Tensor& self, int64_t diagonal = 0);
inline Tensor& triu_outf(const Tensor& self, int64_t diagonal, Tensor& out) { return triu_out(out, self, diagonal); }
Tensor& constant_pad_nd_out(Tensor& out, const Tensor& self, IntArrayRef pad, const Scalar& value = 0);
inline Tensor& constant_pad_nd_outf(const Tensor& self, IntArrayRef pad, const Scalar& value, Tensor& out) {
  return constant_pad_nd_out(out, self, pad, value);
}
Tensor& im2col_out(Tensor& out, const Tensor& self, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
                   IntArrayRef stride);
inline Tensor& im2col_outf(const Tensor& self, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
                           IntArrayRef stride, Tensor& out) {
  return im2col_out(out, self, kernel_size, dilation, padding, stride);
}
Tensor& col2im_out(Tensor& out, const Tensor& self, IntArrayRef output_size, IntArrayRef kernel_size,
                   IntArrayRef dilation, IntArrayRef padding, IntArrayRef stride);
inline Tensor& col2im_outf(const Tensor& self, IntArrayRef output_size, IntArrayRef kernel_size, IntArrayRef dilation,
                           IntArrayRef padding, IntArrayRef stride, Tensor& out) {
  return col2im_out(out, self, output_size, kernel_size, dilation, padding, stride);
}
std::tuple<Tensor&, Tensor&> max_pool2d_with_indices_out(Tensor& out0, Tensor& out1, const Tensor& self,
                                                         IntArrayRef kernel_size, IntArrayRef stride = IntArrayRef{},
                                                         IntArrayRef padding = 0, IntArrayRef dilation = 1,
                                                         bool ceil_mode = false);
inline std::tuple<Tensor&, Tensor&> max_pool2d_with_indices_outf(const Tensor& self, IntArrayRef kernel_size,
                                                                 IntArrayRef stride, IntArrayRef padding,
                                                                 IntArrayRef dilation, bool ceil_mode, Tensor& out0,
                                                                 Tensor& out1) {
  return max_pool2d_with_indices_out(out0, out1, self, kernel_size, stride, padding, dilation, ceil_mode);
}
std::tuple<Tensor&, Tensor&> max_pool3d_with_indices_out(Tensor& out0, Tensor& out1, const Tensor& self,
                                                         IntArrayRef kernel_size, IntArrayRef stride = IntArrayRef{},
                                                         IntArrayRef padding = 0, IntArrayRef dilation = 1,
                                                         bool ceil_mode = false);
inline std::tuple<Tensor&, Tensor&> max_pool3d_with_indices_outf(const Tensor& self, IntArrayRef kernel_size,
                                                                 IntArrayRef stride, IntArrayRef padding,
                                                                 IntArrayRef dilation, bool ceil_mode, Tensor& out0,
                                                                 Tensor& out1) {
  return max_pool3d_with_indices_out(out0, out1, self, kernel_size, stride, padding, dilation, ceil_mode);
}
Tensor& avg_pool2d_out(Tensor& out, const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride = IntArrayRef{},
                       IntArrayRef padding = 0, bool ceil_mode = false, bool count_include_pad = true,
                       std::optional<int64_t> divisor_override = std::nullopt);
inline Tensor& avg_pool2d_outf(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                               bool ceil_mode, bool count_include_pad, std::optional<int64_t> divisor_override,
                               Tensor& out) {
  return avg_pool2d_out(out, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override);
}
Tensor& avg_pool3d_out(Tensor& out, const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride = IntArrayRef{},
                       IntArrayRef padding = 0, bool ceil_mode = false, bool count_include_pad = true,
                       std::optional<int64_t> divisor_override = std::nullopt);
inline Tensor& avg_pool3d_outf(const Tensor& self, IntArrayRef kernel_size, IntArrayRef stride, IntArrayRef padding,
                               bool ceil_mode, bool count_include_pad, std::optional<int64_t> divisor_override,
                               Tensor& out) {
  return avg_pool3d_out(out, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override);
}
Tensor& adaptive_avg_pool2d_out(Tensor& out, const Tensor& self, IntArrayRef output_size);
inline Tensor& adaptive_avg_pool2d_outf(const Tensor& self, IntArrayRef output_size, Tensor& out) {
  return adaptive_avg_pool2d_out(out, self, output_size);
}
Tensor& adaptive_avg_pool3d_out(Tensor& out, const Tensor& self, IntArrayRef output_size);
inline Tensor& adaptive_avg_pool3d_outf(const Tensor& self, IntArrayRef output_size, Tensor& out) {
  return adaptive_avg_pool3d_out(out, self, output_size);
}
std::tuple<Tensor&, Tensor&> adaptive_max_pool2d_out(Tensor& out0, Tensor& out1, const Tensor& self,
                                                     IntArrayRef output_size);
inline std::tuple<Tensor&, Tensor&> adaptive_max_pool2d_outf(const Tensor& self, IntArrayRef output_size, Tensor& out0,
                                                             Tensor& out1) {
  return adaptive_max_pool2d_out(out0, out1, self, output_size);
}
std::tuple<Tensor&, Tensor&> adaptive_max_pool3d_out(Tensor& out0, Tensor& out1, const Tensor& self,
                                                     IntArrayRef output_size);
inline std::tuple<Tensor&, Tensor&> adaptive_max_pool3d_outf(const Tensor& self, IntArrayRef output_size, Tensor& out0,
                                                             Tensor& out1) {
  return adaptive_max_pool3d_out(out0, out1, self, output_size);
}
Tensor& max_unpool2d_out(Tensor& out, const Tensor& self, const Tensor& indices, IntArrayRef output_size);
inline Tensor& max_unpool2d_outf(const Tensor& self, const Tensor& indices, IntArrayRef output_size, Tensor& out) {
  return max_unpool2d_out(out, self, indices, output_size);
}
Tensor& max_unpool3d_out(Tensor& out, const Tensor& self, const Tensor& indices, IntArrayRef output_size,
                         IntArrayRef stride, IntArrayRef padding);
inline Tensor& max_unpool3d_outf(const Tensor& self, const Tensor& indices, IntArrayRef output_size, IntArrayRef stride,
                                 IntArrayRef padding, Tensor& out) {
  return max_unpool3d_out(out, self, indices, output_size, stride, padding);
}
std::tuple<Tensor&, Tensor&> fractional_max_pool2d_out(Tensor& out0, Tensor& out1, const Tensor& self,
                                                       IntArrayRef kernel_size, IntArrayRef output_size,
                                                       const Tensor& random_samples);
inline std::tuple<Tensor&, Tensor&> fractional_max_pool2d_outf(const Tensor& self, IntArrayRef kernel_size,
                                                               IntArrayRef output_size, const Tensor& random_samples,
                                                               Tensor& out0, Tensor& out1) {
  return fractional_max_pool2d_out(out0, out1, self, kernel_size, output_size, random_samples);
}
std::tuple<Tensor&, Tensor&> fractional_max_pool3d_out(Tensor& out0, Tensor& out1, const Tensor& self,
                                                       IntArrayRef kernel_size, IntArrayRef output_size,
                                                       const Tensor& random_samples);
inline std::tuple<Tensor&, Tensor&> fractional_max_pool3d_outf(const Tensor& self, IntArrayRef kernel_size,
                                                               IntArrayRef output_size, const Tensor& random_samples,
                                                               Tensor& out0, Tensor& out1) {
  return fractional_max_pool3d_out(out0, out1, self, kernel_size, output_size, random_samples);
}

}  // namespace taut
