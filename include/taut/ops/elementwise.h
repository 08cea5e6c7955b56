// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// e to the power of each element.
Tensor exp(const Tensor& self);
Tensor& exp_(Tensor& self);
/// 2 to the power of each element.
Tensor exp2(const Tensor& self);
Tensor& exp2_(Tensor& self);
/// exp(x) - 1, exact near 0.
Tensor expm1(const Tensor& self);
Tensor& expm1_(Tensor& self);
/// The natural logarithm of each element.
Tensor log(const Tensor& self);
Tensor& log_(Tensor& self);
/// The logarithm to the base 2.
Tensor log2(const Tensor& self);
Tensor& log2_(Tensor& self);
/// The logarithm to the base 10.
Tensor log10(const Tensor& self);
Tensor& log10_(Tensor& self);
/// log(1 + x), exact near 0.
Tensor log1p(const Tensor& self);
Tensor& log1p_(Tensor& self);
/// The sine of each element, in radians.
Tensor sin(const Tensor& self);
Tensor& sin_(Tensor& self);
/// The cosine of each element, in radians.
Tensor cos(const Tensor& self);
Tensor& cos_(Tensor& self);
/// The tangent of each element, in radians.
Tensor tan(const Tensor& self);
Tensor& tan_(Tensor& self);
/// The angle whose sine each element is.
Tensor asin(const Tensor& self);
Tensor& asin_(Tensor& self);
/// The angle whose cosine each element is.
Tensor acos(const Tensor& self);
Tensor& acos_(Tensor& self);
/// The angle whose tangent each element is.
Tensor atan(const Tensor& self);
Tensor& atan_(Tensor& self);
/// The hyperbolic sine.
Tensor sinh(const Tensor& self);
Tensor& sinh_(Tensor& self);
/// The hyperbolic cosine.
Tensor cosh(const Tensor& self);
Tensor& cosh_(Tensor& self);
/// The hyperbolic tangent.
Tensor tanh(const Tensor& self);
Tensor& tanh_(Tensor& self);
/// The inverse of the hyperbolic sine.
Tensor asinh(const Tensor& self);
Tensor& asinh_(Tensor& self);
/// The inverse of the hyperbolic cosine.
Tensor acosh(const Tensor& self);
Tensor& acosh_(Tensor& self);
/// The inverse of the hyperbolic tangent.
Tensor atanh(const Tensor& self);
Tensor& atanh_(Tensor& self);
/// 1 / (1 + exp(-x)).
Tensor sigmoid(const Tensor& self);
Tensor& sigmoid_(Tensor& self);
/// The error function.
Tensor erf(const Tensor& self);
Tensor& erf_(Tensor& self);
/// 1 - erf(x), exact where erf is near 1.
Tensor erfc(const Tensor& self);
Tensor& erfc_(Tensor& self);
/// The inverse of the error function.
Tensor erfinv(const Tensor& self);
Tensor& erfinv_(Tensor& self);
/// The logarithm of the absolute value of the gamma function.
Tensor lgamma(const Tensor& self);
Tensor& lgamma_(Tensor& self);
/// The derivative of lgamma.
Tensor digamma(const Tensor& self);
Tensor& digamma_(Tensor& self);
/// sin(pi x) / (pi x), and 1 at 0.
Tensor sinc(const Tensor& self);
Tensor& sinc_(Tensor& self);
/// The n-th derivative of digamma.
Tensor polygamma(int64_t n, const Tensor& self);
/// log(x / (1 - x)), with x held within [eps, 1 - eps] where eps is given.
Tensor logit(const Tensor& self, std::optional<double> eps = std::nullopt);
Tensor& logit_(Tensor& self, std::optional<double> eps = std::nullopt);
/// self * log(other), and 0 where self is 0.
Tensor xlogy(const Tensor& self, const Tensor& other);
Tensor& xlogy_(Tensor& self, const Tensor& other);
Tensor xlogy(const Scalar& self, const Tensor& other);
Tensor xlogy(const Tensor& self, const Scalar& other);
Tensor& xlogy_(Tensor& self, const Scalar& other);
/// log(exp(self) + exp(other)) without overflow.
Tensor logaddexp(const Tensor& self, const Tensor& other);
/// log2(2^self + 2^other) without overflow.
Tensor logaddexp2(const Tensor& self, const Tensor& other);
/// sqrt(self^2 + other^2) without overflow.
Tensor hypot(const Tensor& self, const Tensor& other);
Tensor& hypot_(Tensor& self, const Tensor& other);
/// The angle of the point (other, self), in (-pi, pi].
Tensor atan2(const Tensor& self, const Tensor& other);
Tensor& atan2_(Tensor& self, const Tensor& other);
/// The size of self with the sign of other.
Tensor copysign(const Tensor& self, const Tensor& other);
Tensor& copysign_(Tensor& self, const Tensor& other);
Tensor copysign(const Tensor& self, const Scalar& other);
Tensor& copysign_(Tensor& self, const Scalar& other);
/// Replaces nan and infinities by numbers: 0 and the limits of the dtype unless given.
Tensor nan_to_num(const Tensor& self, std::optional<double> nan = std::nullopt,
                  std::optional<double> posinf = std::nullopt, std::optional<double> neginf = std::nullopt);
Tensor& nan_to_num_(Tensor& self, std::optional<double> nan = std::nullopt, std::optional<double> posinf = std::nullopt,
                    std::optional<double> neginf = std::nullopt);
/// Degrees as radians.
Tensor deg2rad(const Tensor& self);
Tensor& deg2rad_(Tensor& self);
/// Radians as degrees.
Tensor rad2deg(const Tensor& self);
Tensor& rad2deg_(Tensor& self);
/// 0 where self is negative, 1 where positive, `values` where it is 0.
Tensor heaviside(const Tensor& self, const Tensor& values);
Tensor& heaviside_(Tensor& self, const Tensor& values);
/// self + alpha * other.
Tensor add(const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
Tensor& add_(Tensor& self, const Tensor& other, const Scalar& alpha = 1);
Tensor add(const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
Tensor& add_(Tensor& self, const Scalar& other, const Scalar& alpha = 1);
/// self - alpha * other.
Tensor sub(const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
Tensor& sub_(Tensor& self, const Tensor& other, const Scalar& alpha = 1);
Tensor sub(const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
Tensor& sub_(Tensor& self, const Scalar& other, const Scalar& alpha = 1);
/// other - alpha * self.
Tensor rsub(const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
Tensor rsub(const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
/// self * other.
Tensor mul(const Tensor& self, const Tensor& other);
Tensor& mul_(Tensor& self, const Tensor& other);
Tensor mul(const Tensor& self, const Scalar& other);
Tensor& mul_(Tensor& self, const Scalar& other);
/// self / other; rounded towards 0 ("trunc") or down ("floor") where rounding_mode says so.
Tensor div(const Tensor& self, const Tensor& other);
Tensor& div_(Tensor& self, const Tensor& other);
Tensor div(const Tensor& self, const Scalar& other);
Tensor& div_(Tensor& self, const Scalar& other);
Tensor div(const Tensor& self, const Tensor& other, std::optional<std::string_view> rounding_mode);
Tensor& div_(Tensor& self, const Tensor& other, std::optional<std::string_view> rounding_mode);
Tensor div(const Tensor& self, const Scalar& other, std::optional<std::string_view> rounding_mode);
Tensor& div_(Tensor& self, const Scalar& other, std::optional<std::string_view> rounding_mode);
/// self / other, always a floating-point number.
Tensor true_divide(const Tensor& self, const Tensor& other);
Tensor& true_divide_(Tensor& self, const Tensor& other);
Tensor true_divide(const Tensor& self, const Scalar& other);
Tensor& true_divide_(Tensor& self, const Scalar& other);
/// self / other, rounded down.
Tensor floor_divide(const Tensor& self, const Tensor& other);
Tensor& floor_divide_(Tensor& self, const Tensor& other);
Tensor floor_divide(const Tensor& self, const Scalar& other);
Tensor& floor_divide_(Tensor& self, const Scalar& other);
/// The rest of self / other, with the sign of self.
Tensor fmod(const Tensor& self, const Tensor& other);
Tensor& fmod_(Tensor& self, const Tensor& other);
Tensor fmod(const Tensor& self, const Scalar& other);
Tensor& fmod_(Tensor& self, const Scalar& other);
/// The rest of self / other, with the sign of other.
Tensor remainder(const Tensor& self, const Tensor& other);
Tensor& remainder_(Tensor& self, const Tensor& other);
Tensor remainder(const Tensor& self, const Scalar& other);
Tensor& remainder_(Tensor& self, const Scalar& other);
Tensor remainder(const Scalar& self, const Tensor& other);
/// -x.
Tensor neg(const Tensor& self);
Tensor& neg_(Tensor& self);
/// The absolute value of each element.
Tensor abs(const Tensor& self);
Tensor& abs_(Tensor& self);
/// -1, 0 or 1: the sign of each element.
Tensor sign(const Tensor& self);
Tensor& sign_(Tensor& self);
/// -1, 0 or 1: the sign of each element.
Tensor sgn(const Tensor& self);
Tensor& sgn_(Tensor& self);
/// The tensor itself; bools are refused.
Tensor positive(const Tensor& self);
/// x * x.
Tensor square(const Tensor& self);
Tensor& square_(Tensor& self);
/// The square root of each element.
Tensor sqrt(const Tensor& self);
Tensor& sqrt_(Tensor& self);
/// 1 / sqrt(x).
Tensor rsqrt(const Tensor& self);
Tensor& rsqrt_(Tensor& self);
/// 1 / x.
Tensor reciprocal(const Tensor& self);
Tensor& reciprocal_(Tensor& self);
/// self to the power of exponent.
Tensor pow(const Tensor& self, const Tensor& exponent);
Tensor& pow_(Tensor& self, const Tensor& exponent);
Tensor pow(const Scalar& self, const Tensor& exponent);
Tensor pow(const Tensor& self, const Scalar& exponent);
Tensor& pow_(Tensor& self, const Scalar& exponent);
/// self to the power of exponent, computed in float64.
Tensor float_power(const Tensor& self, const Tensor& exponent);
Tensor& float_power_(Tensor& self, const Tensor& exponent);
Tensor float_power(const Scalar& self, const Tensor& exponent);
Tensor float_power(const Tensor& self, const Scalar& exponent);
Tensor& float_power_(Tensor& self, const Scalar& exponent);
/// self + weight * (end - self).
Tensor lerp(const Tensor& self, const Tensor& end, const Scalar& weight);
Tensor& lerp_(Tensor& self, const Tensor& end, const Scalar& weight);
Tensor lerp(const Tensor& self, const Tensor& end, const Tensor& weight);
Tensor& lerp_(Tensor& self, const Tensor& end, const Tensor& weight);
/// self + value * tensor1 * tensor2.
Tensor addcmul(const Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1);
Tensor& addcmul_(Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1);
/// self + value * tensor1 / tensor2.
Tensor addcdiv(const Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1);
Tensor& addcdiv_(Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1);
/// Rounds down.
Tensor floor(const Tensor& self);
Tensor& floor_(Tensor& self);
/// Rounds up.
Tensor ceil(const Tensor& self);
Tensor& ceil_(Tensor& self);
/// Rounds to the nearest whole number, halves to the even one; or to `decimals` places.
Tensor round(const Tensor& self);
Tensor& round_(Tensor& self);
Tensor round(const Tensor& self, int64_t decimals);
Tensor& round_(Tensor& self, int64_t decimals);
/// Rounds towards 0.
Tensor trunc(const Tensor& self);
Tensor& trunc_(Tensor& self);
/// What trunc cuts off.
Tensor frac(const Tensor& self);
Tensor& frac_(Tensor& self);
/// The larger of two elements; nan if either is.
Tensor maximum(const Tensor& self, const Tensor& other);
/// The smaller of two elements; nan if either is.
Tensor minimum(const Tensor& self, const Tensor& other);
/// The larger of two elements; a nan counts as missing.
Tensor fmax(const Tensor& self, const Tensor& other);
/// The smaller of two elements; a nan counts as missing.
Tensor fmin(const Tensor& self, const Tensor& other);
/// Holds each element within [min, max].
Tensor clamp(const Tensor& self, const std::optional<Scalar>& min = std::nullopt,
             const std::optional<Scalar>& max = std::nullopt);
Tensor& clamp_(Tensor& self, const std::optional<Scalar>& min = std::nullopt,
               const std::optional<Scalar>& max = std::nullopt);
Tensor clamp(const Tensor& self, OptionalTensor min, OptionalTensor max = std::nullopt);
Tensor& clamp_(Tensor& self, OptionalTensor min, OptionalTensor max = std::nullopt);
/// Raises each element to at least min.
Tensor clamp_min(const Tensor& self, const Scalar& min);
Tensor& clamp_min_(Tensor& self, const Scalar& min);
Tensor clamp_min(const Tensor& self, const Tensor& min);
Tensor& clamp_min_(Tensor& self, const Tensor& min);
/// Lowers each element to at most max.
Tensor clamp_max(const Tensor& self, const Scalar& max);
Tensor& clamp_max_(Tensor& self, const Scalar& max);
Tensor clamp_max(const Tensor& self, const Tensor& max);
Tensor& clamp_max_(Tensor& self, const Tensor& max);
/// Whether elements are equal.
Tensor eq(const Tensor& self, const Scalar& other);
Tensor& eq_(Tensor& self, const Scalar& other);
Tensor eq(const Tensor& self, const Tensor& other);
Tensor& eq_(Tensor& self, const Tensor& other);
/// Whether elements differ.
Tensor ne(const Tensor& self, const Scalar& other);
Tensor& ne_(Tensor& self, const Scalar& other);
Tensor ne(const Tensor& self, const Tensor& other);
Tensor& ne_(Tensor& self, const Tensor& other);
/// Whether self < other.
Tensor lt(const Tensor& self, const Scalar& other);
Tensor& lt_(Tensor& self, const Scalar& other);
Tensor lt(const Tensor& self, const Tensor& other);
Tensor& lt_(Tensor& self, const Tensor& other);
/// Whether self <= other.
Tensor le(const Tensor& self, const Scalar& other);
Tensor& le_(Tensor& self, const Scalar& other);
Tensor le(const Tensor& self, const Tensor& other);
Tensor& le_(Tensor& self, const Tensor& other);
/// Whether self > other.
Tensor gt(const Tensor& self, const Scalar& other);
Tensor& gt_(Tensor& self, const Scalar& other);
Tensor gt(const Tensor& self, const Tensor& other);
Tensor& gt_(Tensor& self, const Tensor& other);
/// Whether self >= other.
Tensor ge(const Tensor& self, const Scalar& other);
Tensor& ge_(Tensor& self, const Scalar& other);
Tensor ge(const Tensor& self, const Tensor& other);
Tensor& ge_(Tensor& self, const Tensor& other);
/// Whether each element is nan.
Tensor isnan(const Tensor& self);
/// Whether each element is infinite.
Tensor isinf(const Tensor& self);
/// Whether each element is neither infinite nor nan.
Tensor isfinite(const Tensor& self);
/// Whether each element is positive infinity.
Tensor isposinf(const Tensor& self);
/// Whether each element is negative infinity.
Tensor isneginf(const Tensor& self);
/// Whether each element has a minus sign; -0.0 has one.
Tensor signbit(const Tensor& self);
/// Whether |self - other| <= atol + rtol * |other|.
Tensor isclose(const Tensor& self, const Tensor& other, double rtol = 1e-5, double atol = 1e-8, bool equal_nan = false);
/// Whether both elements are true (not 0).
Tensor logical_and(const Tensor& self, const Tensor& other);
Tensor& logical_and_(Tensor& self, const Tensor& other);
/// Whether one of the elements is true (not 0).
Tensor logical_or(const Tensor& self, const Tensor& other);
Tensor& logical_or_(Tensor& self, const Tensor& other);
/// Whether exactly one of the elements is true (not 0).
Tensor logical_xor(const Tensor& self, const Tensor& other);
Tensor& logical_xor_(Tensor& self, const Tensor& other);
/// Whether each element is false (0).
Tensor logical_not(const Tensor& self);
Tensor& logical_not_(Tensor& self);
/// The bits that both have.
Tensor bitwise_and(const Tensor& self, const Scalar& other);
Tensor& bitwise_and_(Tensor& self, const Scalar& other);
Tensor bitwise_and(const Scalar& self, const Tensor& other);
Tensor bitwise_and(const Tensor& self, const Tensor& other);
Tensor& bitwise_and_(Tensor& self, const Tensor& other);
/// The bits that one of them has.
Tensor bitwise_or(const Tensor& self, const Scalar& other);
Tensor& bitwise_or_(Tensor& self, const Scalar& other);
Tensor bitwise_or(const Scalar& self, const Tensor& other);
Tensor bitwise_or(const Tensor& self, const Tensor& other);
Tensor& bitwise_or_(Tensor& self, const Tensor& other);
/// The bits that exactly one of them has.
Tensor bitwise_xor(const Tensor& self, const Scalar& other);
Tensor& bitwise_xor_(Tensor& self, const Scalar& other);
Tensor bitwise_xor(const Scalar& self, const Tensor& other);
Tensor bitwise_xor(const Tensor& self, const Tensor& other);
Tensor& bitwise_xor_(Tensor& self, const Tensor& other);
/// All bits turned over.
Tensor bitwise_not(const Tensor& self);
Tensor& bitwise_not_(Tensor& self);
/// self * 2^other.
Tensor bitwise_left_shift(const Tensor& self, const Tensor& other);
Tensor& bitwise_left_shift_(Tensor& self, const Tensor& other);
Tensor bitwise_left_shift(const Tensor& self, const Scalar& other);
Tensor& bitwise_left_shift_(Tensor& self, const Scalar& other);
Tensor bitwise_left_shift(const Scalar& self, const Tensor& other);
/// self / 2^other, rounded down.
Tensor bitwise_right_shift(const Tensor& self, const Tensor& other);
Tensor& bitwise_right_shift_(Tensor& self, const Tensor& other);
Tensor bitwise_right_shift(const Tensor& self, const Scalar& other);
Tensor& bitwise_right_shift_(Tensor& self, const Scalar& other);
Tensor bitwise_right_shift(const Scalar& self, const Tensor& other);
/// self where condition holds, else other.
std::vector<Tensor> where(const Tensor& condition);
Tensor where(const Tensor& condition, const Tensor& self, const Tensor& other);
Tensor where(const Tensor& condition, const Scalar& self, const Tensor& other);
Tensor where(const Tensor& condition, const Tensor& self, const Scalar& other);
Tensor where(const Tensor& condition, const Scalar& self, const Scalar& other);
/// self with value wherever mask is true.
Tensor masked_fill(const Tensor& self, const Tensor& mask, const Scalar& value);
Tensor& masked_fill_(Tensor& self, const Tensor& mask, const Scalar& value);
Tensor masked_fill(const Tensor& self, const Tensor& mask, const Tensor& value);
Tensor& masked_fill_(Tensor& self, const Tensor& mask, const Tensor& value);

}  // namespace taut
