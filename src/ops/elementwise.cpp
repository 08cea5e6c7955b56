// Pointwise ops that small tensors go through, compiled for speed: the public functions over the formulas in
// src/ops/formulas/. Limits and ops of three operands are in ternary.cpp, the others in elementwise_functions.cpp.
#include "ops/complex.h"
#include "ops/pointwise_functions.h"
#include "taut/core/style.h"
#include "taut/registry.h"

namespace taut {

TAUT_RENAMED(rsub_number, RsubNumber, sub, Sub, 2, "rsub", "RsubBackward1")
TAUT_RENAMED(pow_number, PowNumber, pow, Pow, 2, "pow", "PowBackward2")
TAUT_RENAMED(sub_scaled, SubScaled, add_scaled, AddScaled, 2, "sub", "SubBackward0")
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

DEFINE_BINARY_ALL(mul)
DEFINE_BINARY_ALL(eq)
DEFINE_BINARY_ALL(ne)
DEFINE_BINARY_ALL(lt)
DEFINE_BINARY_ALL(le)
DEFINE_BINARY_ALL(gt)
DEFINE_BINARY_ALL(ge)
// clang-format off
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

}  // namespace taut
