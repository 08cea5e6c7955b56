// Pointwise ops: the public functions over the formulas in src/ops/formulas/.
#include <cmath>
#include <limits>

#include "ops/complex.h"
#include "ops/expanded.h"
#include "ops/formulas.h"
#include "ops/pointwise_functions.h"
#include "ops/promotion.h"
#include "taut/core/maths.h"
#include "taut/core/style.h"
#include "taut/registry.h"

namespace taut {

// Formulas that PyTorch's graph calls by another name where an operand is a number; the kernels are the same.
#define TAUT_RENAMED(id, Id, base, Base, N, op, shown)                                                           \
  namespace formula {                                                                                            \
  struct Id : Base {                                                                                             \
    static constexpr const char* node = shown;                                                                   \
  };                                                                                                             \
  inline constexpr TypedOp<Id, N> id##_op = detail::describe<Id, N>(op, shown, &base##_kernels, base##_complex); \
  }                                                                                                              \
  template <>                                                                                                    \
  inline constexpr const PointwiseOp* info_of<formula::Id> = &formula::id##_op;
TAUT_RENAMED(rsub_number, RsubNumber, sub, Sub, 2, "rsub", "RsubBackward1")
TAUT_RENAMED(pow_number, PowNumber, pow, Pow, 2, "pow", "PowBackward2")
TAUT_RENAMED(clamp_number, ClampNumber, clamp, Clamp, 3, "clamp", "ClampBackward1")
TAUT_RENAMED(clamp_low, ClampLow, clamp_min_number, ClampMinNumber, 2, "clamp", "ClampBackward1")
TAUT_RENAMED(clamp_high, ClampHigh, clamp_max_number, ClampMaxNumber, 2, "clamp", "ClampBackward1")
TAUT_RENAMED(sub_scaled, SubScaled, add_scaled, AddScaled, 2, "sub", "SubBackward0")
TAUT_RENAMED(lerp_number, LerpNumber, lerp, Lerp, 3, "lerp", "LerpBackward0")
TAUT_RENAMED(masked_fill, MaskedFill, where, Where, 3, "masked_fill", "MaskedFillBackward1")
TAUT_RENAMED(masked_fill_number, MaskedFillNumber, where, Where, 3, "masked_fill", "MaskedFillBackward0")
#undef TAUT_RENAMED
using namespace formula;

DEFINE_UNARY(exp)
DEFINE_UNARY(log)
DEFINE_UNARY(sin)
DEFINE_UNARY(cos)
DEFINE_UNARY(tanh)
DEFINE_UNARY(sigmoid)
DEFINE_UNARY(sqrt)
DEFINE_UNARY(rsqrt)
DEFINE_UNARY(reciprocal)
DEFINE_UNARY(silu)
DEFINE_UNARY(logical_not)

static void reject_bool(const Tensor& t, const char* op, const char* instead) {
  check_defined(t, op);
  check(t.scalar_type() != kBool, op, ": not supported for bool tensors. If you are trying to invert a mask, use ",
        instead, " instead.");
}
#define DEFINE_UNARY_NO_BOOL(f, instead)     \
  Tensor f(const Tensor& self) {             \
    reject_bool(self, #f, instead);          \
    return pointwise(f##_op, self);          \
  }                                          \
  Tensor& f##_(Tensor& self) {               \
    reject_bool(self, #f "_", instead);      \
    return pointwise_(#f "_", f##_op, self); \
  }
DEFINE_UNARY_NO_BOOL(neg, "`~` or `logical_not()`")
DEFINE_UNARY_NO_BOOL(relu, "the mask itself")
#undef DEFINE_UNARY_NO_BOOL
Tensor abs(const Tensor& self) {
  if (self.defined() && self.is_complex()) return complex_abs(self);
  return self.defined() && self.scalar_type() == kBool ? self.clone() : pointwise(abs_op, self);
}
Tensor& abs_(Tensor& self) { return pointwise_("abs_", abs_op, self); }
Tensor sign(const Tensor& self) { return pointwise(sign_op, self); }
Tensor& sign_(Tensor& self) { return pointwise_("sign_", sign_op, self); }
Tensor sgn(const Tensor& self) {
  return self.defined() && self.is_complex() ? complex_sgn(self) : pointwise(sign_op, self);
}
Tensor& sgn_(Tensor& self) {
  if (self.defined() && self.is_complex()) return in_place("sgn_", self, [](const Tensor& x) { return sgn(x); });
  return pointwise_("sgn_", sign_op, self);
}
/// Arithmetic that counts: bool becomes int64.
static Tensor counted(const Tensor& x, const char* op) {
  check_defined(x, op);
  return x.scalar_type() == kBool ? x.to(kLong) : x;
}
Tensor square(const Tensor& self) { return pointwise(square_op, counted(self, "square")); }
Tensor& square_(Tensor& self) { return pow_(self, 2); }
Tensor positive(const Tensor& self) {
  reject_bool(self, "positive", "the mask itself");
  return self;
}

// f(x) to bool.
#define DEFINE_PREDICATE(f) \
  Tensor f(const Tensor& self) { return pointwise(f##_op, self); }
DEFINE_PREDICATE(isnan)
DEFINE_PREDICATE(isfinite)
DEFINE_PREDICATE(isposinf)
DEFINE_PREDICATE(isneginf)
DEFINE_PREDICATE(signbit)
#undef DEFINE_PREDICATE
Tensor isinf(const Tensor& self) {
  if (!self.defined() || !self.is_complex()) return pointwise(isinf_op, self);
  return isinf(view_as_real(resolve_conj(self))).any(-1);  // of either part, even beside a nan
}

DEFINE_BINARY_ALL(mul)
DEFINE_BINARY_ALL(eq)
DEFINE_BINARY_ALL(ne)
DEFINE_BINARY_ALL(lt)
DEFINE_BINARY_ALL(le)
DEFINE_BINARY_ALL(gt)
DEFINE_BINARY_ALL(ge)
DEFINE_BINARY(maximum)
DEFINE_BINARY(minimum)
// clang-format off
DEFINE_BINARY(clamp_min)
DEFINE_BINARY_INPLACE(clamp_min)
DEFINE_BINARY(clamp_max)
DEFINE_BINARY_INPLACE(clamp_max)
#define TAUT_OPERATOR_LEFT(op, f) \
  Tensor operator op(const Scalar& a, const Tensor& b) { return f(wrapped(a, b), b); }
TAUT_OPERATOR_LEFT(+, add)
TAUT_OPERATOR_LEFT(-, sub)
TAUT_OPERATOR_LEFT(*, mul)
Tensor operator/(const Scalar& a, const Tensor& b) {
  if (as_libtorch() && b.is_floating_point()) return div(wrapped(a, b), b);
  return mul(reciprocal(b), a);  // as Python rounds it
}
TAUT_OPERATOR_LEFT(%, remainder)
TAUT_OPERATOR_LEFT(&, bitwise_and)
TAUT_OPERATOR_LEFT(|, bitwise_or)
TAUT_OPERATOR_LEFT(^, bitwise_xor)
TAUT_OPERATOR_LEFT(==, eq)
TAUT_OPERATOR_LEFT(!=, ne)
TAUT_OPERATOR_LEFT(<, lt)
TAUT_OPERATOR_LEFT(<=, le)
TAUT_OPERATOR_LEFT(>, gt)
TAUT_OPERATOR_LEFT(>=, ge)
// clang-format on

// a + alpha b. An alpha of 1 needs no multiplication, and bool has no subtraction.
static Attribute alpha_of(const char* op, const Tensor& a, const Tensor& b, const Scalar& alpha) {
  check_defined(a, op);
  check_defined(b, op, "other");
  const ScalarType t = result_type(a, b);
  check(!alpha.is_complex() || is_complex(t), op,
        ": For non-complex input tensors, argument alpha must not be a complex number.");
  check(!alpha.is_floating_point() || is_differentiable(t), op,
        ": For integral input tensors, argument alpha must not be a floating point number.");
  check(!alpha.is_bool() || t == kBool, op, ": Boolean alpha only supported for Boolean results.");
  return attribute(op, t == kBool ? Scalar(alpha.toBool()) : alpha, t);  // -1 is true, too
}
/// Is the factor the plain number 1, which no check and no multiplication need?
static bool is_one(const Scalar& alpha) { return !alpha.is_bool() && alpha.equal(1); }
static void reject_bool_sub(const char* op, const Tensor& a, const Tensor& b) {
  check_defined(a, op);
  check_defined(b, op, "other");
  check(a.scalar_type() != kBool || b.scalar_type() != kBool, op,
        ": Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
        "operator instead.");
  check(a.scalar_type() != kBool && b.scalar_type() != kBool, op,
        ": Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use "
        "the `~` or `logical_not()` operator instead.");
}
/// A factor off the real axis is no attribute of a formula.
static bool is_turned(const Scalar& s) { return s.is_complex() && s.toComplexDouble().imag() != 0; }
Tensor add(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  if (is_turned(alpha)) return alpha_of("add", self, other, alpha), add(self, other * alpha);
  if (is_one(alpha)) return pointwise(add_op, self, other);
  return pointwise(add_scaled_op, AddScaled{alpha_of("add", self, other, alpha)}, self, other);
}
Tensor& add_(Tensor& self, const Tensor& other, const Scalar& alpha) {
  if (is_turned(alpha)) return alpha_of("add_", self, other, alpha), add_(self, other * alpha);
  if (is_one(alpha)) return pointwise_("add_", add_op, self, other);
  return pointwise_("add_", add_scaled_op, AddScaled{alpha_of("add_", self, other, alpha)}, self, other);
}
/// a - alpha b is a + (-alpha) b, which is what the sign of a zero shows. A whole 0 has no sign.
static SubScaled minus(Attribute alpha, bool whole) {
  return {{whole ? 0 - alpha.real : -alpha.real, static_cast<int64_t>(0 - static_cast<uint64_t>(alpha.whole))}};
}
Tensor sub(const Tensor& self, const Tensor& other, const Scalar& alpha) {
  if (is_turned(alpha)) return alpha_of("sub", self, other, alpha), sub(self, other * alpha);
  reject_bool_sub("sub", self, other);
  if (is_one(alpha)) return pointwise(sub_op, self, other);
  return pointwise(sub_scaled_op, minus(alpha_of("sub", self, other, alpha), !alpha.is_floating_point()), self, other);
}
Tensor& sub_(Tensor& self, const Tensor& other, const Scalar& alpha) {
  if (is_turned(alpha)) return alpha_of("sub_", self, other, alpha), sub_(self, other * alpha);
  reject_bool_sub("sub_", self, other);
  if (is_one(alpha)) return pointwise_("sub_", sub_op, self, other);
  return pointwise_("sub_", sub_scaled_op, minus(alpha_of("sub_", self, other, alpha), !alpha.is_floating_point()),
                    self, other);
}
Tensor add(const Tensor& self, const Scalar& other, const Scalar& alpha) {
  return add(self, wrapped(other, self), alpha);
}
Tensor& add_(Tensor& self, const Scalar& other, const Scalar& alpha) { return add_(self, wrapped(other, self), alpha); }
static void reject_bool_number(const char* op, const Scalar& s) {
  check(!s.is_bool(), op,
        ": Subtraction, the `-` operator, with a bool is not supported. Convert it first: int(flag), or float(flag).");
}
Tensor sub(const Tensor& self, const Scalar& other, const Scalar& alpha) {
  reject_bool_number("sub", other);
  return sub(self, wrapped(other, self), alpha);
}
Tensor& sub_(Tensor& self, const Scalar& other, const Scalar& alpha) {
  reject_bool_number("sub_", other);
  return sub_(self, wrapped(other, self), alpha);
}
Tensor rsub(const Tensor& self, const Tensor& other, const Scalar& alpha) { return sub(other, self, alpha); }
Tensor rsub(const Tensor& self, const Scalar& other, const Scalar& alpha) {
  reject_bool_number("rsub", other);
  if (!is_one(alpha)) return sub(wrapped(other, self), self, alpha);
  reject_bool_sub("rsub", wrapped(other, self), self);
  return pointwise(rsub_number_op, wrapped(other, self), self);
}

// Division. Integers divided without rounding give floats; with rounding they stay integers, and zero is an error.
enum class Rounding { None, Floor, Trunc };
static Rounding rounding(std::optional<std::string_view> mode) {
  if (!mode) return Rounding::None;
  if (*mode == "floor") return Rounding::Floor;
  check(*mode == "trunc", "div: expected rounding_mode to be one of None, 'trunc', or 'floor' but found '", *mode, "'");
  return Rounding::Trunc;
}
Tensor div(const Tensor& self, const Tensor& other) { return pointwise(div_op, self, other); }
Tensor& div_(Tensor& self, const Tensor& other) { return pointwise_("div_", div_op, self, other); }
Tensor div(const Tensor& self, const Scalar& other) { return div(self, wrapped(other, self)); }
Tensor& div_(Tensor& self, const Scalar& other) { return div_(self, wrapped(other, self)); }
Tensor div(const Tensor& self, const Tensor& other, std::optional<std::string_view> mode) {
  check_defined(self, "div", "self");
  check_defined(other, "div", "other");
  switch (rounding(mode)) {
    case Rounding::None: return div(self, other);
    case Rounding::Floor: return pointwise(div_floor_op, self, other);
    default: return pointwise(div_trunc_op, self, other);
  }
}
Tensor& div_(Tensor& self, const Tensor& other, std::optional<std::string_view> mode) {
  if (rounding(mode) != Rounding::None) check_integer_divisor(self, other);
  switch (rounding(mode)) {
    case Rounding::None: return div_(self, other);
    case Rounding::Floor: return pointwise_("div_", div_floor_op, self, other);
    default: return pointwise_("div_", div_trunc_op, self, other);
  }
}
Tensor div(const Tensor& self, const Scalar& other, std::optional<std::string_view> mode) {
  return div(self, wrapped(other, self), mode);
}
Tensor& div_(Tensor& self, const Scalar& other, std::optional<std::string_view> mode) {
  return div_(self, wrapped(other, self), mode);
}
Tensor floor_divide(const Tensor& self, const Tensor& other) { return div(self, other, "floor"); }
Tensor floor_divide(const Scalar& self, const Tensor& other) { return floor_divide(wrapped(self, other), other); }
Tensor floor_divide(const Tensor& self, const Scalar& other) { return div(self, other, "floor"); }
Tensor& floor_divide_(Tensor& self, const Tensor& other) { return div_(self, other, "floor"); }
Tensor& floor_divide_(Tensor& self, const Scalar& other) { return div_(self, other, "floor"); }
Tensor true_divide(const Tensor& self, const Tensor& other) { return div(self, other); }
Tensor true_divide(const Tensor& self, const Scalar& other) { return div(self, other); }
Tensor& true_divide_(Tensor& self, const Tensor& other) { return div_(self, other); }
Tensor& true_divide_(Tensor& self, const Scalar& other) { return div_(self, other); }

// Powers.
static PowScalar power(const char* op, const Tensor& self, const Scalar& exponent) {
  const ScalarType t = self.scalar_type();
  check(is_differentiable(t) || exponent.toLong() >= 0, op, ": Integers to negative integer powers are not allowed.");
  return {t == kFloat ? Attribute{exponent.toDouble(), 0} : attribute(op, exponent, t)};  // 1e39 is a power of 1f
}
Tensor pow(const Tensor& self, const Scalar& exponent) {
  check_defined(self, "pow");
  if (is_turned(exponent) || (exponent.is_complex() && !self.is_complex())) return pow(self, wrapped(exponent, self));
  if (exponent.is_floating_point() && !is_differentiable(self.scalar_type()))
    return pow(self.to(get_default_dtype()), exponent);
  if (exponent.is_bool() && self.scalar_type() == kBool) return exponent.toBool() ? self.clone() : ones_like(self);
  const Tensor base = counted(self, "pow");
  return pointwise(pow_scalar_op, power("pow", base, exponent), base);
}
Tensor& pow_(Tensor& self, const Scalar& exponent) {
  check_defined(self, "pow_");
  check(exponent.is_bool() || self.scalar_type() != kBool, "pow_: result type ", kLong,
        " can't be cast to the desired output type ", kBool);
  if (is_turned(exponent)) return pow_(self, wrapped(exponent, self));
  check(!exponent.is_floating_point() || is_differentiable(self.scalar_type()), "pow_: result type ",
        get_default_dtype(), " can't be cast to the desired output type ", self.scalar_type());
  return pointwise_("pow_", pow_scalar_op, power("pow_", self, exponent), self);
}
Tensor pow(const Tensor& self, const Tensor& exponent) { return pointwise(pow_op, self, exponent); }
Tensor& pow_(Tensor& self, const Tensor& exponent) { return pointwise_("pow_", pow_op, self, exponent); }
Tensor pow(const Scalar& self, const Tensor& exponent) {
  const Tensor base = wrapped(self, exponent);
  if (base.is_complex()) base.impl()->wrapped_number = false;  // its logarithm shall be as exact as the exponent
  return pointwise(pow_number_op, base, exponent);
}
static Tensor as_double(const Tensor& t) {
  check_defined(t, "float_power");
  return t.to(t.is_complex() ? kComplexDouble : kDouble);
}
static Scalar as_double(const Scalar& s) { return s.is_complex() ? s : Scalar(s.toDouble()); }
Tensor float_power(const Tensor& self, const Tensor& exponent) { return pow(as_double(self), as_double(exponent)); }
Tensor float_power(const Tensor& self, const Scalar& exponent) { return pow(as_double(self), as_double(exponent)); }
Tensor float_power(const Scalar& self, const Tensor& exponent) { return pow(as_double(self), as_double(exponent)); }
static void check_double_base(const Tensor& self) {
  check_defined(self, "float_power_");
  const ScalarType wanted = self.is_complex() ? kComplexDouble : kDouble;
  check(self.scalar_type() == wanted, "float_power_: the base has dtype ", self.scalar_type(),
        " but the operation's result requires dtype ", wanted);
}
Tensor& float_power_(Tensor& self, const Scalar& exponent) {
  check_double_base(self);
  return in_place("float_power_", self, [&](const Tensor& x) { return float_power(x, exponent); });
}
Tensor& float_power_(Tensor& self, const Tensor& exponent) {
  check_double_base(self);
  return in_place("float_power_", self, [&](const Tensor& x) { return float_power(x, exponent); });
}

// Limits.
static Tensor limit(const char* op, const Tensor& self, const Scalar& bound) {
  check_defined(self, op, "self");
  Tensor b = wrapped(bound, self);
  check_converts(bound, result_type(self, b), op);
  return b;
}
#define TAUT_LIMIT(f)                                                                                                  \
  Tensor f(const Tensor& self, const Scalar& bound) { return pointwise(f##_number_op, self, limit(#f, self, bound)); } \
  Tensor& f##_(Tensor& self, const Scalar& bound) {                                                                    \
    return pointwise_(#f "_", f##_number_op, self, limit(#f "_", self, bound));                                        \
  }
TAUT_LIMIT(clamp_min)
TAUT_LIMIT(clamp_max)
#undef TAUT_LIMIT
Tensor clamp(const Tensor& self, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  check(min || max, "clamp: At least one of 'min' or 'max' must not be None");
  if (!max) return pointwise(clamp_low_op, self, limit("clamp", self, *min));
  if (!min) return pointwise(clamp_high_op, self, limit("clamp", self, *max));
  return pointwise(clamp_number_op, self, limit("clamp", self, *min), limit("clamp", self, *max));
}
Tensor& clamp_(Tensor& self, const std::optional<Scalar>& min, const std::optional<Scalar>& max) {
  check(min || max, "clamp_: At least one of 'min' or 'max' must not be None");
  if (!max) return clamp_min_(self, *min);
  if (!min) return clamp_max_(self, *max);
  return pointwise_("clamp_", clamp_op, self, limit("clamp_", self, *min), limit("clamp_", self, *max));
}
Tensor clamp(const Tensor& self, OptionalTensor min, OptionalTensor max) {
  check(min || max, "clamp: At least one of 'min' or 'max' must not be None");
  if (!max) return clamp_min(self, *min);
  if (!min) return clamp_max(self, *max);
  return pointwise(clamp_op, self, *min, *max);
}
Tensor& clamp_(Tensor& self, OptionalTensor min, OptionalTensor max) {
  check(min || max, "clamp_: At least one of 'min' or 'max' must not be None");
  if (!max) return clamp_min_(self, *min);
  if (!min) return clamp_max_(self, *max);
  return pointwise_("clamp_", clamp_op, self, *min, *max);
}
Tensor nan_to_num(const Tensor& self, std::optional<double> nan, std::optional<double> posinf,
                  std::optional<double> neginf) {
  check_defined(self, "nan_to_num");
  if (!self.is_floating_point()) return self.clone();
  const double largest = visit_dtype(self.scalar_type(), [](auto x) -> double {
    if constexpr (std::is_same_v<decltype(x), Half>) return 65504;
    else if constexpr (std::is_same_v<decltype(x), BFloat16>) return 3.3895313892515355e38;
    else return static_cast<double>(std::numeric_limits<decltype(x)>::max());
  });
  return pointwise(nan_to_num_op, NanToNum{nan.value_or(0), posinf.value_or(largest), neginf.value_or(-largest)}, self);
}
Tensor& nan_to_num_(Tensor& self, std::optional<double> nan, std::optional<double> posinf,
                    std::optional<double> neginf) {
  check_defined(self, "nan_to_num_", "self");
  if (!self.is_floating_point()) {  // has none, and may be expanded
    self.impl()->storage->bump("nan_to_num_", thread_state.step);
    return self;
  }
  return in_place("nan_to_num_", self, [&](const Tensor& x) { return nan_to_num(x, nan, posinf, neginf); });
}

// Three operands.
Tensor where(const Tensor& condition, const Tensor& self, const Tensor& other) {
  check_defined(condition, "where", "condition");
  check(condition.scalar_type() == kBool || condition.scalar_type() == kByte,
        "where: expected condition to be a boolean tensor, but got a tensor with dtype ", condition.scalar_type());
  return pointwise(where_op, condition.scalar_type() == kBool ? condition : condition.to(kBool), self, other);
}
static Tensor choice(const Scalar& s, const Tensor& like) {
  check_defined(like, "where");
  Tensor number = wrapped(s, like);
  if (const ScalarType t = result_type(like, number); t == wide_type(t)) check_converts(s, t, "where");
  return number;  // half precision may become infinite
}
Tensor where(const Tensor& condition, const Scalar& self, const Tensor& other) {
  return where(condition, choice(self, other), other);
}
Tensor where(const Tensor& condition, const Tensor& self, const Scalar& other) {
  return where(condition, self, choice(other, self));
}
Tensor where(const Tensor& condition, const Scalar& self, const Scalar& other) {
  const ScalarType t = self.is_floating_point() || other.is_floating_point() ? get_default_dtype()
                                                                             : promote_types(self.type(), other.type());
  return where(condition, full({}, self, wide_type(t)).to(t), full({}, other, wide_type(t)).to(t));  // may be infinite
}
Tensor masked_fill(const Tensor& self, const Tensor& mask, const Tensor& value) {
  check_defined(self, "masked_fill", "self");
  check_defined(mask, "masked_fill", "mask");
  check_defined(value, "masked_fill", "value");
  check(mask.scalar_type() == kBool, "masked_fill: only supports boolean masks, but got mask with dtype ",
        mask.scalar_type());
  check(value.dim() == 0, "masked_fill: only supports a 0-dimensional value tensor, but got tensor with ", value.dim(),
        " dimension(s).");
  if (!no_data(value)) check_converts(value.item(), self.scalar_type(), "masked_fill");
  const Tensor v = value.scalar_type() == self.scalar_type() ? value : value.to(self.scalar_type());
  return value.requires_grad() ? pointwise(masked_fill_op, mask, v, self)
                               : pointwise(masked_fill_number_op, mask, v, self);
}
Tensor masked_fill(const Tensor& self, const Tensor& mask, const Scalar& value) {
  check_defined(self, "masked_fill", "self");
  check_converts(value, self.scalar_type(), "masked_fill");  // a single number may become infinite in full
  return masked_fill(self, mask, full({}, value, self.scalar_type()));
}
bool is_expanded(const Tensor& t) {
  for (int64_t d = 0; t.defined() && d < t.dim(); ++d)
    if (t.stride(d) == 0 && t.size(d) > 1) return true;
  return false;
}
Tensor& fill_expanded_(Tensor& self, const Tensor& mask, const Tensor& value) {
  Tensor once = self, picked = mask;
  for (int64_t d = 0; d < self.dim(); ++d)
    if (self.stride(d) == 0 && self.size(d) > 1) once = once.narrow(d, 0, 1), picked = picked.any(d, true);
  masked_fill_(once, picked, value);
  return self;
}
/// The mask as fill_expanded_ takes it.
static Tensor whole_mask(const Tensor& self, const Tensor& mask) {
  check_defined(mask, "masked_fill_", "mask");
  check(mask.scalar_type() == kBool, "masked_fill_: only supports boolean masks, but got mask with dtype ",
        mask.scalar_type());
  return mask.expand(self.sizes());
}
Tensor& masked_fill_(Tensor& self, const Tensor& mask, const Scalar& value) {
  if (is_expanded(self)) {
    check_converts(value, self.scalar_type(), "masked_fill_");
    return fill_expanded_(self, whole_mask(self, mask), full({}, value, self.scalar_type()));
  }
  return in_place("masked_fill_", self, [&](const Tensor& x) { return masked_fill(x, mask, value); });
}
Tensor& masked_fill_(Tensor& self, const Tensor& mask, const Tensor& value) {
  if (is_expanded(self)) return fill_expanded_(self, whole_mask(self, mask), value);
  return in_place("masked_fill_", self, [&](const Tensor& x) { return masked_fill(x, mask, value); });
}
static void check_ends(const char* op, const Tensor& self, const Tensor& end) {
  check_defined(self, op);
  check_defined(end, op, "end");
  check<TypeError>(is_differentiable(self.scalar_type()), op, ": not implemented for ", self.scalar_type(),
                   ": it takes floating-point tensors. Convert first: x.to(torch.float32).");
  check(self.scalar_type() == end.scalar_type(), op, ": expected dtype ", self.scalar_type(),
        " for `end` but got dtype ", end.scalar_type());
}
static const Tensor& weight_of(const char* op, const Tensor& self, const Tensor& end, const Tensor& weight) {
  check_ends(op, self, end);
  check_defined(weight, op, "weight");
  check(weight.dim() == 0 || weight.scalar_type() == self.scalar_type(), op, ": expected dtype ", self.scalar_type(),
        " for `weight` but got dtype ", weight.scalar_type());
  return weight;
}
static Tensor weight_of(const char* op, const Tensor& self, const Tensor& end, const Scalar& weight) {
  check_ends(op, self, end);
  check_converts(weight, wide_type(self.scalar_type()), op);
  return wrapped(weight, self);
}
Tensor one_minus_square(const Tensor& x) { return pointwise(one_minus_square_op, x); }
Tensor lerp(const Tensor& self, const Tensor& end, const Tensor& weight) {
  return pointwise(lerp_op, self, end, weight_of("lerp", self, end, weight));
}
Tensor lerp(const Tensor& self, const Tensor& end, const Scalar& weight) {
  return pointwise(lerp_number_op, self, end, weight_of("lerp", self, end, weight));
}
Tensor& lerp_(Tensor& self, const Tensor& end, const Tensor& weight) {
  return pointwise_("lerp_", lerp_op, self, end, weight_of("lerp_", self, end, weight));
}
Tensor& lerp_(Tensor& self, const Tensor& end, const Scalar& weight) {
  return pointwise_("lerp_", lerp_op, self, end, weight_of("lerp_", self, end, weight));
}
/// A factor in the dtype of the result, which need not be that of self. Half precision takes it as float32.
static Attribute factor(const char* op, const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& value) {
  check_defined(self, op);
  Promotion promotion;
  for (const Tensor* t : {&self, &a, &b})
    if (t->defined()) promotion.add(*t);
  return attribute(op, value, wide_type(promotion.result()));
}
Tensor addcmul(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& value) {
  if (is_turned(value)) return factor("addcmul", self, a, b, value), self + a * b * value;
  return pointwise(addcmul_op, Addcmul{factor("addcmul", self, a, b, value)}, self, a, b);
}
Tensor& addcmul_(Tensor& self, const Tensor& a, const Tensor& b, const Scalar& value) {
  if (is_turned(value)) return factor("addcmul_", self, a, b, value), self.add_(a * b * value);
  return pointwise_("addcmul_", addcmul_op, Addcmul{factor("addcmul_", self, a, b, value)}, self, a, b);
}
static void check_addcdiv(const char* op, const Tensor& a, const Tensor& b) {
  check_defined(a, op, "tensor1");
  check_defined(b, op, "tensor2");
  check(is_differentiable(a.scalar_type()) || is_differentiable(b.scalar_type()), op,
        ": Integer division with addcdiv is no longer supported, got ", a.scalar_type(), " and ", b.scalar_type(),
        ". Write self + value * tensor1 / tensor2, or torch.trunc of the quotient.");
}
Tensor addcdiv(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& value) {
  check_addcdiv("addcdiv", a, b);
  if (is_turned(value)) return factor("addcdiv", self, a, b, value), self + a / b * value;
  return pointwise(addcdiv_op, Addcdiv{factor("addcdiv", self, a, b, value).real}, self, a, b);
}
Tensor& addcdiv_(Tensor& self, const Tensor& a, const Tensor& b, const Scalar& value) {
  check_addcdiv("addcdiv_", a, b);
  if (is_turned(value)) return factor("addcdiv_", self, a, b, value), self.add_(a / b * value);
  return pointwise_("addcdiv_", addcdiv_op, Addcdiv{factor("addcdiv_", self, a, b, value).real}, self, a, b);
}

// The rest.
Tensor bitwise_not(const Tensor& self) {
  check_defined(self, "bitwise_not");
  return self.scalar_type() == kBool ? logical_not(self) : pointwise(bitwise_not_op, self);
}
Tensor& bitwise_not_(Tensor& self) {
  return in_place("bitwise_not_", self, [](const Tensor& x) { return bitwise_not(x); });
}
Tensor round(const Tensor& self, int64_t decimals) {
  check_defined(self, "round");
  const ScalarType t = self.scalar_type();
  if (wide_type(t) != t) return round(self.to(wide_type(t)), decimals).to(t);  // times 10^decimals is soon infinite
  const double scale = maths::pow(10.0, std::abs(static_cast<double>(decimals)));
  return decimals >= 0 ? round(self * scale) / scale : round(self / scale) * scale;
}
Tensor& round_(Tensor& self, int64_t decimals) {
  return in_place("round_", self, [&](const Tensor& x) { return round(x, decimals); });
}
static Logit logit_with(const char* op, const Tensor& self, std::optional<double> eps) {
  check_defined(self, op);
  return {attribute(op, eps.value_or(-1), self.is_floating_point() ? self.scalar_type() : get_default_dtype()).real};
}
Tensor logit(const Tensor& self, std::optional<double> eps) {
  return pointwise(logit_op, logit_with("logit", self, eps), self);
}
Tensor& logit_(Tensor& self, std::optional<double> eps) {
  return pointwise_("logit_", logit_op, logit_with("logit_", self, eps), self);
}
Tensor polygamma(int64_t n, const Tensor& self) {
  check(n >= 0, "polygamma(n, x) does not support negative n.");
  return n == 0 ? digamma(self) : pointwise(polygamma_op, Polygamma{static_cast<double>(n)}, self);
}
static const Tensor& check_angle(const char* op, const Tensor& self) {
  check(!self.defined() || !self.is_complex(), op, " is not supported for complex tensors.");
  return self;
}
Tensor deg2rad(const Tensor& self) { return check_angle("deg2rad", self) * (3.14159265358979323846 / 180); }
Tensor rad2deg(const Tensor& self) { return check_angle("rad2deg", self) * (180 / 3.14159265358979323846); }
Tensor& deg2rad_(Tensor& self) { return mul_(self, Scalar(3.14159265358979323846 / 180)); }
Tensor& rad2deg_(Tensor& self) { return mul_(self, Scalar(180 / 3.14159265358979323846)); }
Tensor isclose(const Tensor& self, const Tensor& other, double rtol, double atol, bool equal_nan) {
  check_defined(self, "isclose", "self");
  check_defined(other, "isclose", "other");
  check(self.scalar_type() == other.scalar_type(), "isclose: ", self.scalar_type(), " did not match ",
        other.scalar_type());
  check(rtol >= 0 && atol >= 0, "isclose: rtol and atol must be greater than or equal to zero, but got ", rtol, " and ",
        atol);
  NoGradGuard guard;
  Tensor close = self == other;
  if (equal_nan && is_differentiable(self.scalar_type())) close = close | (self.isnan() & other.isnan());
  if (rtol == 0 && atol == 0) return close;
  if (self.scalar_type() == kBool)
    return isclose(self.to(get_default_dtype()), other.to(get_default_dtype()), rtol, atol);
  const Tensor to =
      is_differentiable(self.scalar_type()) ? other : other.to(get_default_dtype());  // differences of integers wrap
  const Tensor allowed = (to * Scalar(rtol)).abs() + Scalar(atol), error = (self - to).abs();
  return close | (error.isfinite() & (error <= allowed));
}

}  // namespace taut
