// Every op, as libtorch names it. Each is also a method of Tensor where libtorch has it as one.
#pragma once
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

// Arithmetic.
Tensor add(const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
Tensor add(const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
Tensor& add_(Tensor& self, const Tensor& other, const Scalar& alpha = 1);
Tensor& add_(Tensor& self, const Scalar& other, const Scalar& alpha = 1);
Tensor sub(const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
Tensor sub(const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
Tensor& sub_(Tensor& self, const Tensor& other, const Scalar& alpha = 1);
Tensor& sub_(Tensor& self, const Scalar& other, const Scalar& alpha = 1);
Tensor rsub(const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
Tensor rsub(const Tensor& self, const Scalar& other, const Scalar& alpha = 1);
Tensor mul(const Tensor& self, const Tensor& other);
Tensor mul(const Tensor& self, const Scalar& other);
Tensor& mul_(Tensor& self, const Tensor& other);
Tensor& mul_(Tensor& self, const Scalar& other);
Tensor div(const Tensor& self, const Tensor& other);
Tensor div(const Tensor& self, const Tensor& other, std::optional<std::string_view> rounding_mode);
Tensor div(const Tensor& self, const Scalar& other);
Tensor div(const Tensor& self, const Scalar& other, std::optional<std::string_view> rounding_mode);
Tensor& div_(Tensor& self, const Tensor& other);
Tensor& div_(Tensor& self, const Tensor& other, std::optional<std::string_view> rounding_mode);
Tensor& div_(Tensor& self, const Scalar& other);
Tensor& div_(Tensor& self, const Scalar& other, std::optional<std::string_view> rounding_mode);
Tensor neg(const Tensor& self);
Tensor& neg_(Tensor& self);
Tensor abs(const Tensor& self);
Tensor& abs_(Tensor& self);
Tensor sign(const Tensor& self);
Tensor& sign_(Tensor& self);
Tensor sgn(const Tensor& self);
Tensor& sgn_(Tensor& self);
Tensor positive(const Tensor& self);
Tensor pow(const Tensor& self, const Tensor& exponent);
Tensor pow(const Scalar& self, const Tensor& exponent);
Tensor pow(const Tensor& self, const Scalar& exponent);
Tensor& pow_(Tensor& self, const Scalar& exponent);
Tensor& pow_(Tensor& self, const Tensor& exponent);
Tensor float_power(const Tensor& self, const Tensor& exponent);
Tensor float_power(const Scalar& self, const Tensor& exponent);
Tensor float_power(const Tensor& self, const Scalar& exponent);
Tensor& float_power_(Tensor& self, const Scalar& exponent);
Tensor& float_power_(Tensor& self, const Tensor& exponent);
Tensor square(const Tensor& self);
Tensor& square_(Tensor& self);
Tensor sqrt(const Tensor& self);
Tensor& sqrt_(Tensor& self);
Tensor rsqrt(const Tensor& self);
Tensor& rsqrt_(Tensor& self);
Tensor reciprocal(const Tensor& self);
Tensor& reciprocal_(Tensor& self);
Tensor floor_divide(const Tensor& self, const Tensor& other);
Tensor floor_divide(const Tensor& self, const Scalar& other);
Tensor floor_divide(const Scalar& self, const Tensor& other);
Tensor& floor_divide_(Tensor& self, const Tensor& other);
Tensor& floor_divide_(Tensor& self, const Scalar& other);
Tensor fmod(const Tensor& self, const Scalar& other);
Tensor fmod(const Tensor& self, const Tensor& other);
Tensor& fmod_(Tensor& self, const Scalar& other);
Tensor& fmod_(Tensor& self, const Tensor& other);
Tensor remainder(const Tensor& self, const Scalar& other);
Tensor remainder(const Tensor& self, const Tensor& other);
Tensor remainder(const Scalar& self, const Tensor& other);
Tensor& remainder_(Tensor& self, const Scalar& other);
Tensor& remainder_(Tensor& self, const Tensor& other);
Tensor true_divide(const Tensor& self, const Tensor& other);
Tensor true_divide(const Tensor& self, const Scalar& other);
Tensor& true_divide_(Tensor& self, const Tensor& other);
Tensor& true_divide_(Tensor& self, const Scalar& other);
Tensor lerp(const Tensor& self, const Tensor& end, const Scalar& weight);
Tensor lerp(const Tensor& self, const Tensor& end, const Tensor& weight);
Tensor& lerp_(Tensor& self, const Tensor& end, const Scalar& weight);
Tensor& lerp_(Tensor& self, const Tensor& end, const Tensor& weight);
Tensor addcmul(const Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1);
Tensor& addcmul_(Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1);
Tensor addcdiv(const Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1);
Tensor& addcdiv_(Tensor& self, const Tensor& tensor1, const Tensor& tensor2, const Scalar& value = 1);
Tensor floor(const Tensor& self);
Tensor& floor_(Tensor& self);
Tensor ceil(const Tensor& self);
Tensor& ceil_(Tensor& self);
Tensor round(const Tensor& self);
Tensor round(const Tensor& self, int64_t decimals);
Tensor& round_(Tensor& self);
Tensor& round_(Tensor& self, int64_t decimals);
Tensor trunc(const Tensor& self);
Tensor& trunc_(Tensor& self);
Tensor frac(const Tensor& self);
Tensor& frac_(Tensor& self);
Tensor maximum(const Tensor& self, const Tensor& other);
Tensor minimum(const Tensor& self, const Tensor& other);
Tensor fmax(const Tensor& self, const Tensor& other);
Tensor fmin(const Tensor& self, const Tensor& other);
Tensor clamp(const Tensor& self, const std::optional<Scalar>& min = std::nullopt,
             const std::optional<Scalar>& max = std::nullopt);
Tensor clamp(const Tensor& self, OptionalTensor min = std::nullopt, OptionalTensor max = std::nullopt);
Tensor& clamp_(Tensor& self, const std::optional<Scalar>& min = std::nullopt,
               const std::optional<Scalar>& max = std::nullopt);
Tensor& clamp_(Tensor& self, OptionalTensor min = std::nullopt, OptionalTensor max = std::nullopt);
Tensor clamp_min(const Tensor& self, const Scalar& min);
Tensor clamp_min(const Tensor& self, const Tensor& min);
Tensor& clamp_min_(Tensor& self, const Scalar& min);
Tensor& clamp_min_(Tensor& self, const Tensor& min);
Tensor clamp_max(const Tensor& self, const Scalar& max);
Tensor clamp_max(const Tensor& self, const Tensor& max);
Tensor& clamp_max_(Tensor& self, const Scalar& max);
Tensor& clamp_max_(Tensor& self, const Tensor& max);

// Exponentials, trigonometry, special functions.
Tensor exp(const Tensor& self);
Tensor& exp_(Tensor& self);
Tensor exp2(const Tensor& self);
Tensor& exp2_(Tensor& self);
Tensor expm1(const Tensor& self);
Tensor& expm1_(Tensor& self);
Tensor log(const Tensor& self);
Tensor& log_(Tensor& self);
Tensor log2(const Tensor& self);
Tensor& log2_(Tensor& self);
Tensor log10(const Tensor& self);
Tensor& log10_(Tensor& self);
Tensor log1p(const Tensor& self);
Tensor& log1p_(Tensor& self);
Tensor sin(const Tensor& self);
Tensor& sin_(Tensor& self);
Tensor cos(const Tensor& self);
Tensor& cos_(Tensor& self);
Tensor tan(const Tensor& self);
Tensor& tan_(Tensor& self);
Tensor asin(const Tensor& self);
Tensor& asin_(Tensor& self);
Tensor acos(const Tensor& self);
Tensor& acos_(Tensor& self);
Tensor atan(const Tensor& self);
Tensor& atan_(Tensor& self);
Tensor atan2(const Tensor& self, const Tensor& other);
Tensor& atan2_(Tensor& self, const Tensor& other);
Tensor sinh(const Tensor& self);
Tensor& sinh_(Tensor& self);
Tensor cosh(const Tensor& self);
Tensor& cosh_(Tensor& self);
Tensor tanh(const Tensor& self);
Tensor& tanh_(Tensor& self);
Tensor asinh(const Tensor& self);
Tensor& asinh_(Tensor& self);
Tensor acosh(const Tensor& self);
Tensor& acosh_(Tensor& self);
Tensor atanh(const Tensor& self);
Tensor& atanh_(Tensor& self);
Tensor sigmoid(const Tensor& self);
Tensor& sigmoid_(Tensor& self);
Tensor erf(const Tensor& self);
Tensor& erf_(Tensor& self);
Tensor erfc(const Tensor& self);
Tensor& erfc_(Tensor& self);
Tensor erfinv(const Tensor& self);
Tensor& erfinv_(Tensor& self);
Tensor lgamma(const Tensor& self);
Tensor& lgamma_(Tensor& self);
Tensor digamma(const Tensor& self);
Tensor& digamma_(Tensor& self);
Tensor polygamma(int64_t n, const Tensor& self);
Tensor logit(const Tensor& self, std::optional<double> eps = std::nullopt);
Tensor& logit_(Tensor& self, std::optional<double> eps = std::nullopt);
Tensor xlogy(const Tensor& self, const Tensor& other);
Tensor xlogy(const Scalar& self, const Tensor& other);
Tensor xlogy(const Tensor& self, const Scalar& other);
Tensor& xlogy_(Tensor& self, const Tensor& other);
Tensor& xlogy_(Tensor& self, const Scalar& other);
Tensor logaddexp(const Tensor& self, const Tensor& other);
Tensor logaddexp2(const Tensor& self, const Tensor& other);
Tensor hypot(const Tensor& self, const Tensor& other);
Tensor& hypot_(Tensor& self, const Tensor& other);
Tensor copysign(const Tensor& self, const Tensor& other);
Tensor copysign(const Tensor& self, const Scalar& other);
Tensor& copysign_(Tensor& self, const Tensor& other);
Tensor& copysign_(Tensor& self, const Scalar& other);
Tensor sinc(const Tensor& self);
Tensor& sinc_(Tensor& self);
Tensor nan_to_num(const Tensor& self, std::optional<double> nan = std::nullopt,
                  std::optional<double> posinf = std::nullopt, std::optional<double> neginf = std::nullopt);
Tensor& nan_to_num_(Tensor& self, std::optional<double> nan = std::nullopt, std::optional<double> posinf = std::nullopt,
                    std::optional<double> neginf = std::nullopt);
Tensor deg2rad(const Tensor& self);
Tensor& deg2rad_(Tensor& self);
Tensor rad2deg(const Tensor& self);
Tensor& rad2deg_(Tensor& self);
Tensor heaviside(const Tensor& self, const Tensor& values);
Tensor& heaviside_(Tensor& self, const Tensor& values);

// Comparison, logic, bits.
Tensor eq(const Tensor& self, const Scalar& other);
Tensor eq(const Tensor& self, const Tensor& other);
Tensor& eq_(Tensor& self, const Scalar& other);
Tensor& eq_(Tensor& self, const Tensor& other);
Tensor ne(const Tensor& self, const Scalar& other);
Tensor ne(const Tensor& self, const Tensor& other);
Tensor& ne_(Tensor& self, const Scalar& other);
Tensor& ne_(Tensor& self, const Tensor& other);
Tensor lt(const Tensor& self, const Scalar& other);
Tensor lt(const Tensor& self, const Tensor& other);
Tensor& lt_(Tensor& self, const Scalar& other);
Tensor& lt_(Tensor& self, const Tensor& other);
Tensor le(const Tensor& self, const Scalar& other);
Tensor le(const Tensor& self, const Tensor& other);
Tensor& le_(Tensor& self, const Scalar& other);
Tensor& le_(Tensor& self, const Tensor& other);
Tensor gt(const Tensor& self, const Scalar& other);
Tensor gt(const Tensor& self, const Tensor& other);
Tensor& gt_(Tensor& self, const Scalar& other);
Tensor& gt_(Tensor& self, const Tensor& other);
Tensor ge(const Tensor& self, const Scalar& other);
Tensor ge(const Tensor& self, const Tensor& other);
Tensor& ge_(Tensor& self, const Scalar& other);
Tensor& ge_(Tensor& self, const Tensor& other);
Tensor isnan(const Tensor& self);
Tensor isinf(const Tensor& self);
Tensor isfinite(const Tensor& self);
Tensor isposinf(const Tensor& self);
Tensor isneginf(const Tensor& self);
Tensor signbit(const Tensor& self);
Tensor isclose(const Tensor& self, const Tensor& other, double rtol = 1e-05, double atol = 1e-08,
               bool equal_nan = false);
Tensor logical_and(const Tensor& self, const Tensor& other);
Tensor& logical_and_(Tensor& self, const Tensor& other);
Tensor logical_or(const Tensor& self, const Tensor& other);
Tensor& logical_or_(Tensor& self, const Tensor& other);
Tensor logical_xor(const Tensor& self, const Tensor& other);
Tensor& logical_xor_(Tensor& self, const Tensor& other);
Tensor logical_not(const Tensor& self);
Tensor& logical_not_(Tensor& self);
Tensor bitwise_and(const Tensor& self, const Scalar& other);
Tensor bitwise_and(const Scalar& self, const Tensor& other);
Tensor bitwise_and(const Tensor& self, const Tensor& other);
Tensor& bitwise_and_(Tensor& self, const Scalar& other);
Tensor& bitwise_and_(Tensor& self, const Tensor& other);
Tensor bitwise_or(const Tensor& self, const Scalar& other);
Tensor bitwise_or(const Scalar& self, const Tensor& other);
Tensor bitwise_or(const Tensor& self, const Tensor& other);
Tensor& bitwise_or_(Tensor& self, const Scalar& other);
Tensor& bitwise_or_(Tensor& self, const Tensor& other);
Tensor bitwise_xor(const Tensor& self, const Scalar& other);
Tensor bitwise_xor(const Scalar& self, const Tensor& other);
Tensor bitwise_xor(const Tensor& self, const Tensor& other);
Tensor& bitwise_xor_(Tensor& self, const Scalar& other);
Tensor& bitwise_xor_(Tensor& self, const Tensor& other);
Tensor bitwise_not(const Tensor& self);
Tensor& bitwise_not_(Tensor& self);
Tensor bitwise_left_shift(const Tensor& self, const Tensor& other);
Tensor bitwise_left_shift(const Tensor& self, const Scalar& other);
Tensor bitwise_left_shift(const Scalar& self, const Tensor& other);
Tensor& bitwise_left_shift_(Tensor& self, const Tensor& other);
Tensor& bitwise_left_shift_(Tensor& self, const Scalar& other);
Tensor bitwise_right_shift(const Tensor& self, const Tensor& other);
Tensor bitwise_right_shift(const Tensor& self, const Scalar& other);
Tensor bitwise_right_shift(const Scalar& self, const Tensor& other);
Tensor& bitwise_right_shift_(Tensor& self, const Tensor& other);
Tensor& bitwise_right_shift_(Tensor& self, const Scalar& other);
Tensor where(const Tensor& condition, const Tensor& self, const Tensor& other);
Tensor where(const Tensor& condition, const Scalar& self, const Tensor& other);
Tensor where(const Tensor& condition, const Tensor& self, const Scalar& other);
Tensor where(const Tensor& condition, const Scalar& self, const Scalar& other);
std::vector<Tensor> where(const Tensor& condition);
Tensor masked_fill(const Tensor& self, const Tensor& mask, const Scalar& value);
Tensor masked_fill(const Tensor& self, const Tensor& mask, const Tensor& value);
Tensor& masked_fill_(Tensor& self, const Tensor& mask, const Scalar& value);
Tensor& masked_fill_(Tensor& self, const Tensor& mask, const Tensor& value);

// Activations.
Tensor relu(const Tensor& self);
Tensor& relu_(Tensor& self);
Tensor relu6(const Tensor& self);
Tensor& relu6_(Tensor& self);
Tensor gelu(const Tensor& self, std::string_view approximate = "none");
Tensor& gelu_(Tensor& self, std::string_view approximate = "none");
Tensor silu(const Tensor& self);
Tensor& silu_(Tensor& self);
Tensor mish(const Tensor& self);
Tensor& mish_(Tensor& self);
Tensor elu(const Tensor& self, const Scalar& alpha = 1, const Scalar& scale = 1, const Scalar& input_scale = 1);
Tensor& elu_(Tensor& self, const Scalar& alpha = 1, const Scalar& scale = 1, const Scalar& input_scale = 1);
Tensor selu(const Tensor& self);
Tensor& selu_(Tensor& self);
Tensor celu(const Tensor& self, const Scalar& alpha = 1.0);
Tensor& celu_(Tensor& self, const Scalar& alpha = 1.0);
Tensor leaky_relu(const Tensor& self, const Scalar& negative_slope = 0.01);
Tensor& leaky_relu_(Tensor& self, const Scalar& negative_slope = 0.01);
Tensor prelu(const Tensor& self, const Tensor& weight);
Tensor rrelu(const Tensor& self, const Scalar& lower = 0.125, const Scalar& upper = 0.3333333333333333,
             bool training = false, std::optional<Generator> generator = std::nullopt);
Tensor& rrelu_(Tensor& self, const Scalar& lower = 0.125, const Scalar& upper = 0.3333333333333333,
               bool training = false, std::optional<Generator> generator = std::nullopt);
Tensor hardtanh(const Tensor& self, const Scalar& min_val = -1, const Scalar& max_val = 1);
Tensor& hardtanh_(Tensor& self, const Scalar& min_val = -1, const Scalar& max_val = 1);
Tensor hardsigmoid(const Tensor& self);
Tensor& hardsigmoid_(Tensor& self);
Tensor hardswish(const Tensor& self);
Tensor& hardswish_(Tensor& self);
Tensor hardshrink(const Tensor& self, const Scalar& lambd = 0.5);
Tensor softshrink(const Tensor& self, const Scalar& lambd = 0.5);
Tensor softsign(const Tensor& self);
Tensor tanhshrink(const Tensor& self);
Tensor softplus(const Tensor& self, const Scalar& beta = 1, const Scalar& threshold = 20);
Tensor threshold(const Tensor& self, const Scalar& threshold, const Scalar& value);
Tensor& threshold_(Tensor& self, const Scalar& threshold, const Scalar& value);
Tensor log_sigmoid(const Tensor& self);
Tensor glu(const Tensor& self, int64_t dim = -1);

// Reductions.
Tensor sum(const Tensor& self, std::optional<ScalarType> dtype = std::nullopt);
Tensor sum(const Tensor& self, OptionalIntArrayRef dim, bool keepdim = false,
           std::optional<ScalarType> dtype = std::nullopt);
Tensor nansum(const Tensor& self, OptionalIntArrayRef dim = std::nullopt, bool keepdim = false,
              std::optional<ScalarType> dtype = std::nullopt);
Tensor mean(const Tensor& self, std::optional<ScalarType> dtype = std::nullopt);
Tensor mean(const Tensor& self, OptionalIntArrayRef dim, bool keepdim = false,
            std::optional<ScalarType> dtype = std::nullopt);
Tensor nanmean(const Tensor& self, OptionalIntArrayRef dim = std::nullopt, bool keepdim = false,
               std::optional<ScalarType> dtype = std::nullopt);
Tensor prod(const Tensor& self, std::optional<ScalarType> dtype = std::nullopt);
Tensor prod(const Tensor& self, int64_t dim, bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt);
Tensor var(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim = false);
Tensor var(const Tensor& self, OptionalIntArrayRef dim = std::nullopt,
           const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false);
Tensor std(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim = false);
Tensor std(const Tensor& self, OptionalIntArrayRef dim = std::nullopt,
           const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false);
std::tuple<Tensor, Tensor> var_mean(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim = false);
std::tuple<Tensor, Tensor> var_mean(const Tensor& self, OptionalIntArrayRef dim = std::nullopt,
                                    const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false);
std::tuple<Tensor, Tensor> std_mean(const Tensor& self, OptionalIntArrayRef dim, bool unbiased, bool keepdim = false);
std::tuple<Tensor, Tensor> std_mean(const Tensor& self, OptionalIntArrayRef dim = std::nullopt,
                                    const std::optional<Scalar>& correction = std::nullopt, bool keepdim = false);
std::tuple<Tensor, Tensor> max(const Tensor& self, int64_t dim, bool keepdim = false);
Tensor max(const Tensor& self);
Tensor max(const Tensor& self, const Tensor& other);
std::tuple<Tensor, Tensor> min(const Tensor& self, int64_t dim, bool keepdim = false);
Tensor min(const Tensor& self);
Tensor min(const Tensor& self, const Tensor& other);
Tensor amax(const Tensor& self, IntArrayRef dim = IntArrayRef{}, bool keepdim = false);
Tensor amin(const Tensor& self, IntArrayRef dim = IntArrayRef{}, bool keepdim = false);
std::tuple<Tensor, Tensor> aminmax(const Tensor& self, std::optional<int64_t> dim = std::nullopt, bool keepdim = false);
Tensor argmax(const Tensor& self, std::optional<int64_t> dim = std::nullopt, bool keepdim = false);
Tensor argmin(const Tensor& self, std::optional<int64_t> dim = std::nullopt, bool keepdim = false);
Tensor norm(const Tensor& self, const std::optional<Scalar>& p, ScalarType dtype);
Tensor norm(const Tensor& self, const Scalar& p = 2);
Tensor norm(const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim, ScalarType dtype);
Tensor norm(const Tensor& self, const std::optional<Scalar>& p, IntArrayRef dim, bool keepdim = false);
Tensor any(const Tensor& self, int64_t dim, bool keepdim = false);
Tensor any(const Tensor& self, OptionalIntArrayRef dim, bool keepdim = false);
Tensor any(const Tensor& self);
Tensor all(const Tensor& self, int64_t dim, bool keepdim = false);
Tensor all(const Tensor& self, OptionalIntArrayRef dim, bool keepdim = false);
Tensor all(const Tensor& self);
Tensor logsumexp(const Tensor& self, IntArrayRef dim, bool keepdim = false);
Tensor count_nonzero(const Tensor& self, OptionalIntArrayRef dim = std::nullopt);
Tensor median(const Tensor& self);
std::tuple<Tensor, Tensor> median(const Tensor& self, int64_t dim, bool keepdim = false);
Tensor nanmedian(const Tensor& self);
std::tuple<Tensor, Tensor> nanmedian(const Tensor& self, int64_t dim, bool keepdim = false);
std::tuple<Tensor, Tensor> kthvalue(const Tensor& self, int64_t k, int64_t dim = -1, bool keepdim = false);
std::tuple<Tensor, Tensor> mode(const Tensor& self, int64_t dim = -1, bool keepdim = false);
Tensor quantile(const Tensor& self, const Tensor& q, std::optional<int64_t> dim = std::nullopt, bool keepdim = false,
                std::string_view interpolation = "linear");
Tensor quantile(const Tensor& self, double q, std::optional<int64_t> dim = std::nullopt, bool keepdim = false,
                std::string_view interpolation = "linear");
Tensor nanquantile(const Tensor& self, const Tensor& q, std::optional<int64_t> dim = std::nullopt, bool keepdim = false,
                   std::string_view interpolation = "linear");
Tensor nanquantile(const Tensor& self, double q, std::optional<int64_t> dim = std::nullopt, bool keepdim = false,
                   std::string_view interpolation = "linear");
Tensor softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt);
Tensor log_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt);
Tensor trace(const Tensor& self);
Tensor dist(const Tensor& self, const Tensor& other, const Scalar& p = 2);

// Scans, sorting, searching.
Tensor cumsum(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt);
Tensor& cumsum_(Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt);
Tensor cumprod(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt);
Tensor& cumprod_(Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt);
std::tuple<Tensor, Tensor> cummax(const Tensor& self, int64_t dim);
std::tuple<Tensor, Tensor> cummin(const Tensor& self, int64_t dim);
Tensor logcumsumexp(const Tensor& self, int64_t dim);
Tensor diff(const Tensor& self, int64_t n = 1, int64_t dim = -1, OptionalTensor prepend = std::nullopt,
            OptionalTensor append = std::nullopt);
std::tuple<Tensor, Tensor> sort(const Tensor& self, int64_t dim = -1, bool descending = false);
std::tuple<Tensor, Tensor> sort(const Tensor& self, std::optional<bool> stable, int64_t dim = -1,
                                bool descending = false);
Tensor argsort(const Tensor& self, int64_t dim = -1, bool descending = false);
Tensor argsort(const Tensor& self, bool stable, int64_t dim, bool descending = false);
Tensor msort(const Tensor& self);
std::tuple<Tensor, Tensor> topk(const Tensor& self, int64_t k, int64_t dim = -1, bool largest = true,
                                bool sorted = true);
Tensor searchsorted(const Tensor& sorted_sequence, const Tensor& self, bool out_int32 = false, bool right = false,
                    std::optional<std::string_view> side = std::nullopt, OptionalTensor sorter = std::nullopt);
Tensor searchsorted(const Tensor& sorted_sequence, const Scalar& self, bool out_int32 = false, bool right = false,
                    std::optional<std::string_view> side = std::nullopt, OptionalTensor sorter = std::nullopt);
Tensor bucketize(const Tensor& self, const Tensor& boundaries, bool out_int32 = false, bool right = false);
Tensor bucketize(const Scalar& self, const Tensor& boundaries, bool out_int32 = false, bool right = false);
Tensor histc(const Tensor& self, int64_t bins = 100, const Scalar& min = 0, const Scalar& max = 0);
Tensor bincount(const Tensor& self, OptionalTensor weights = std::nullopt, int64_t minlength = 0);
std::tuple<Tensor, Tensor, Tensor> unique_consecutive(const Tensor& self, bool return_inverse = false,
                                                      bool return_counts = false,
                                                      std::optional<int64_t> dim = std::nullopt);
std::tuple<Tensor, Tensor, Tensor> unique_dim(const Tensor& self, int64_t dim, bool sorted = true,
                                              bool return_inverse = false, bool return_counts = false);
Tensor renorm(const Tensor& self, const Scalar& p, int64_t dim, const Scalar& maxnorm);
Tensor& renorm_(Tensor& self, const Scalar& p, int64_t dim, const Scalar& maxnorm);

// Shapes and views.
Tensor view(const Tensor& self, IntArrayRef size);
Tensor view(const Tensor& self, ScalarType dtype);
Tensor view_as(const Tensor& self, const Tensor& other);
Tensor reshape(const Tensor& self, IntArrayRef shape);
Tensor reshape_as(const Tensor& self, const Tensor& other);
Tensor flatten(const Tensor& self, int64_t start_dim = 0, int64_t end_dim = -1);
Tensor unflatten(const Tensor& self, int64_t dim, IntArrayRef sizes);
Tensor ravel(const Tensor& self);
Tensor squeeze(const Tensor& self);
Tensor squeeze(const Tensor& self, int64_t dim);
Tensor squeeze(const Tensor& self, IntArrayRef dim);
Tensor& squeeze_(Tensor& self);
Tensor& squeeze_(Tensor& self, int64_t dim);
Tensor& squeeze_(Tensor& self, IntArrayRef dim);
Tensor unsqueeze(const Tensor& self, int64_t dim);
Tensor& unsqueeze_(Tensor& self, int64_t dim);
Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1);
Tensor& transpose_(Tensor& self, int64_t dim0, int64_t dim1);
Tensor swapaxes(const Tensor& self, int64_t axis0, int64_t axis1);
Tensor& swapaxes_(Tensor& self, int64_t axis0, int64_t axis1);
Tensor swapdims(const Tensor& self, int64_t dim0, int64_t dim1);
Tensor& swapdims_(Tensor& self, int64_t dim0, int64_t dim1);
Tensor t(const Tensor& self);
Tensor& t_(Tensor& self);
Tensor adjoint(const Tensor& self);
Tensor permute(const Tensor& self, IntArrayRef dims);
Tensor movedim(const Tensor& self, IntArrayRef source, IntArrayRef destination);
Tensor movedim(const Tensor& self, int64_t source, int64_t destination);
Tensor moveaxis(const Tensor& self, IntArrayRef source, IntArrayRef destination);
Tensor moveaxis(const Tensor& self, int64_t source, int64_t destination);
Tensor expand(const Tensor& self, IntArrayRef size, bool implicit = false);
Tensor expand_as(const Tensor& self, const Tensor& other);
Tensor broadcast_to(const Tensor& self, IntArrayRef size);
std::vector<Tensor> broadcast_tensors(TensorList tensors);
Tensor narrow(const Tensor& self, int64_t dim, int64_t start, int64_t length);
Tensor narrow(const Tensor& self, int64_t dim, const Tensor& start, int64_t length);
Tensor select(const Tensor& self, int64_t dim, int64_t index);
Tensor slice(const Tensor& self, int64_t dim = 0, std::optional<int64_t> start = std::nullopt,
             std::optional<int64_t> end = std::nullopt, int64_t step = 1);
std::vector<Tensor> split(const Tensor& self, int64_t split_size, int64_t dim = 0);
std::vector<Tensor> split(const Tensor& self, IntArrayRef split_size, int64_t dim = 0);
std::vector<Tensor> split_with_sizes(const Tensor& self, IntArrayRef split_sizes, int64_t dim = 0);
std::vector<Tensor> chunk(const Tensor& self, int64_t chunks, int64_t dim = 0);
std::vector<Tensor> tensor_split(const Tensor& self, int64_t sections, int64_t dim = 0);
std::vector<Tensor> tensor_split(const Tensor& self, IntArrayRef indices, int64_t dim = 0);
std::vector<Tensor> tensor_split(const Tensor& self, const Tensor& tensor_indices_or_sections, int64_t dim = 0);
std::vector<Tensor> hsplit(const Tensor& self, int64_t sections);
std::vector<Tensor> hsplit(const Tensor& self, IntArrayRef indices);
std::vector<Tensor> vsplit(const Tensor& self, int64_t sections);
std::vector<Tensor> vsplit(const Tensor& self, IntArrayRef indices);
std::vector<Tensor> unbind(const Tensor& self, int64_t dim = 0);
Tensor diagonal(const Tensor& self, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1);
Tensor as_strided(const Tensor& self, IntArrayRef size, IntArrayRef stride,
                  std::optional<int64_t> storage_offset = std::nullopt);
Tensor& as_strided_(Tensor& self, IntArrayRef size, IntArrayRef stride,
                    std::optional<int64_t> storage_offset = std::nullopt);
Tensor unfold(const Tensor& self, int64_t dimension, int64_t size, int64_t step);
Tensor select_scatter(const Tensor& self, const Tensor& src, int64_t dim, int64_t index);
Tensor slice_scatter(const Tensor& self, const Tensor& src, int64_t dim = 0,
                     std::optional<int64_t> start = std::nullopt, std::optional<int64_t> end = std::nullopt,
                     int64_t step = 1);
Tensor diagonal_scatter(const Tensor& self, const Tensor& src, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1);
Tensor as_strided_scatter(const Tensor& self, const Tensor& src, IntArrayRef size, IntArrayRef stride,
                          std::optional<int64_t> storage_offset = std::nullopt);
Tensor atleast_1d(const Tensor& self);
Tensor atleast_2d(const Tensor& self);
Tensor atleast_3d(const Tensor& self);

// Joining, repeating, rearranging.
Tensor cat(TensorList tensors, int64_t dim = 0);
Tensor concat(TensorList tensors, int64_t dim = 0);
Tensor stack(TensorList tensors, int64_t dim = 0);
Tensor hstack(TensorList tensors);
Tensor vstack(TensorList tensors);
Tensor dstack(TensorList tensors);
Tensor repeat(const Tensor& self, IntArrayRef repeats);
Tensor tile(const Tensor& self, IntArrayRef dims);
Tensor repeat_interleave(const Tensor& repeats, std::optional<int64_t> output_size = std::nullopt);
Tensor repeat_interleave(const Tensor& self, const Tensor& repeats, std::optional<int64_t> dim = std::nullopt,
                         std::optional<int64_t> output_size = std::nullopt);
Tensor repeat_interleave(const Tensor& self, int64_t repeats, std::optional<int64_t> dim = std::nullopt,
                         std::optional<int64_t> output_size = std::nullopt);
Tensor flip(const Tensor& self, IntArrayRef dims);
Tensor fliplr(const Tensor& self);
Tensor flipud(const Tensor& self);
Tensor roll(const Tensor& self, IntArrayRef shifts, IntArrayRef dims = IntArrayRef{});
Tensor rot90(const Tensor& self, int64_t k = 1, IntArrayRef dims = {0, 1});
Tensor tril(const Tensor& self, int64_t diagonal = 0);
Tensor& tril_(Tensor& self, int64_t diagonal = 0);
Tensor triu(const Tensor& self, int64_t diagonal = 0);
Tensor& triu_(Tensor& self, int64_t diagonal = 0);
Tensor diag(const Tensor& self, int64_t diagonal = 0);
Tensor diag_embed(const Tensor& self, int64_t offset = 0, int64_t dim1 = -2, int64_t dim2 = -1);
Tensor block_diag(TensorList tensors);
std::vector<Tensor> meshgrid(TensorList tensors);
std::vector<Tensor> meshgrid(TensorList tensors, std::string_view indexing);
Tensor cartesian_prod(TensorList tensors);
Tensor pad(const Tensor& self, IntArrayRef pad, std::string_view mode = "constant",
           std::optional<double> value = std::nullopt);
Tensor one_hot(const Tensor& self, int64_t num_classes = -1);

// Indexing.
Tensor index_select(const Tensor& self, int64_t dim, const Tensor& index);
Tensor gather(const Tensor& self, int64_t dim, const Tensor& index, bool sparse_grad = false);
Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src);
Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value);
Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce);
Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value, std::string_view reduce);
Tensor& scatter_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& src);
Tensor& scatter_(Tensor& self, int64_t dim, const Tensor& index, const Scalar& value);
Tensor& scatter_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce);
Tensor& scatter_(Tensor& self, int64_t dim, const Tensor& index, const Scalar& value, std::string_view reduce);
Tensor scatter_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src);
Tensor& scatter_add_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& src);
Tensor scatter_reduce(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce,
                      bool include_self = true);
Tensor& scatter_reduce_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& src, std::string_view reduce,
                        bool include_self = true);
Tensor index_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha = 1);
Tensor& index_add_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& source, const Scalar& alpha = 1);
Tensor index_copy(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source);
Tensor& index_copy_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& source);
Tensor index_fill(const Tensor& self, int64_t dim, const Tensor& index, const Scalar& value);
Tensor index_fill(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& value);
Tensor& index_fill_(Tensor& self, int64_t dim, const Tensor& index, const Scalar& value);
Tensor& index_fill_(Tensor& self, int64_t dim, const Tensor& index, const Tensor& value);
Tensor masked_select(const Tensor& self, const Tensor& mask);
Tensor masked_scatter(const Tensor& self, const Tensor& mask, const Tensor& source);
Tensor& masked_scatter_(Tensor& self, const Tensor& mask, const Tensor& source);
Tensor nonzero(const Tensor& self);
Tensor take(const Tensor& self, const Tensor& index);
Tensor take_along_dim(const Tensor& self, const Tensor& indices, std::optional<int64_t> dim = std::nullopt);
Tensor put(const Tensor& self, const Tensor& index, const Tensor& source, bool accumulate = false);
Tensor& put_(Tensor& self, const Tensor& index, const Tensor& source, bool accumulate = false);

// Linear algebra.
Tensor matmul(const Tensor& self, const Tensor& other);
Tensor mm(const Tensor& self, const Tensor& mat2);
Tensor bmm(const Tensor& self, const Tensor& mat2);
Tensor mv(const Tensor& self, const Tensor& vec);
Tensor dot(const Tensor& self, const Tensor& tensor);
Tensor vdot(const Tensor& self, const Tensor& other);
Tensor inner(const Tensor& self, const Tensor& other);
Tensor outer(const Tensor& self, const Tensor& vec2);
Tensor ger(const Tensor& self, const Tensor& vec2);
Tensor addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1,
             const Scalar& alpha = 1);
Tensor& addmm_(Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1, const Scalar& alpha = 1);
Tensor addmv(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta = 1, const Scalar& alpha = 1);
Tensor& addmv_(Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta = 1, const Scalar& alpha = 1);
Tensor addr(const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta = 1,
            const Scalar& alpha = 1);
Tensor& addr_(Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta = 1, const Scalar& alpha = 1);
Tensor addbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1,
              const Scalar& alpha = 1);
Tensor& addbmm_(Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1,
                const Scalar& alpha = 1);
Tensor baddbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1,
               const Scalar& alpha = 1);
Tensor& baddbmm_(Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1,
                 const Scalar& alpha = 1);
Tensor einsum(std::string_view equation, TensorList tensors, OptionalIntArrayRef path = std::nullopt);
Tensor tensordot(const Tensor& self, const Tensor& other, IntArrayRef dims_self, IntArrayRef dims_other);
Tensor kron(const Tensor& self, const Tensor& other);
Tensor cdist(const Tensor& x1, const Tensor& x2, double p = 2, std::optional<int64_t> compute_mode = std::nullopt);
Tensor linear(const Tensor& input, const Tensor& weight, OptionalTensor bias = std::nullopt);

}  // namespace taut
