// A number in a formula that is a tensor, a plain number, or nothing (an operand nobody saved, because nobody reads
// it).
#pragma once
#include <cmath>

#include "kernels/pointwise.h"
#include "taut/core/maths.h"
#include "taut/factories.h"
#include "taut/tensor.h"

namespace taut {

class Expr {
 public:
  Expr(const Tensor& t) : tensor_(t), kind_(t.defined() ? Kind::Tensor : Kind::Nothing) {}
  Expr(double x) : number_(x), kind_(Kind::Number) {}
  Expr(const Tensor& mask, ScalarType like) : tensor_(mask), like_(like), kind_(Kind::Tensor) {}

  bool is_number() const { return kind_ == Kind::Number; }
  bool is_tensor() const { return kind_ == Kind::Tensor; }
  bool is_nothing() const { return kind_ == Kind::Nothing; }
  const Tensor& tensor() const { return tensor_; }
  double number() const { return number_; }
  /// Of a mask: the dtype that was compared, so that where(x > 0, 1, 0) is of x's dtype.
  ScalarType like() const { return like_ == ScalarType::Undefined && is_tensor() ? tensor_.scalar_type() : like_; }
  static Expr nothing() { return Expr(Tensor()); }

 private:
  Tensor tensor_;
  double number_ = 0;
  ScalarType like_ = ScalarType::Undefined;
  enum class Kind : uint8_t { Nothing, Number, Tensor } kind_;
};

namespace detail {
template <class OnTensors, class OnLeft, class OnRight, class OnNumbers>
Expr combine(const Expr& a, const Expr& b, OnTensors tt, OnLeft ts, OnRight st, OnNumbers nn) {
  if (a.is_nothing() || b.is_nothing()) return Expr::nothing();
  if (a.is_tensor() && b.is_tensor()) return tt(a.tensor(), b.tensor());
  if (a.is_tensor()) return ts(a.tensor(), b.number());
  if (b.is_tensor()) return st(a.number(), b.tensor());
  return nn(a.number(), b.number());
}
inline Tensor number_like(double x, const Tensor& like) { return full({}, x, like.scalar_type()); }
inline ScalarType compared(const Expr& a, const Expr& b) {
  if (!a.is_tensor() || !b.is_tensor()) return a.is_tensor() ? a.like() : b.like();
  return is_floating_point(a.like()) ? a.like() : promote_types(a.like(), b.like());
}
}  // namespace detail

#define TAUT_EXPR_OPERATOR(op)                                               \
  inline Expr operator op(const Expr& a, const Expr& b) {                    \
    return detail::combine(                                                  \
        a, b, [](const Tensor& x, const Tensor& y) { return Expr(x op y); }, \
        [](const Tensor& x, double y) { return Expr(x op Scalar(y)); },      \
        [](double x, const Tensor& y) { return Expr(Scalar(x) op y); },      \
        [](double x, double y) { return Expr(x op y); });                    \
  }
TAUT_EXPR_OPERATOR(+)
TAUT_EXPR_OPERATOR(*)
TAUT_EXPR_OPERATOR(/)
#undef TAUT_EXPR_OPERATOR
namespace detail {
/// A mask as whole numbers, which can be subtracted; their dtype decides nothing.
inline Tensor subtractable(const Tensor& t) { return t.scalar_type() == kBool ? t.to(kLong) : t; }
}  // namespace detail
inline Expr operator-(const Expr& a, const Expr& b) {
  return detail::combine(
      a, b, [](const Tensor& x, const Tensor& y) { return Expr(detail::subtractable(x) - detail::subtractable(y)); },
      [](const Tensor& x, double y) { return Expr(detail::subtractable(x) - Scalar(y)); },
      [](double x, const Tensor& y) { return Expr(Scalar(x) - detail::subtractable(y)); },
      [](double x, double y) { return Expr(x - y); });
}
inline Expr operator-(const Expr& a) {
  return a.is_tensor() ? Expr(-detail::subtractable(a.tensor())) : a.is_number() ? Expr(-a.number()) : a;
}

// Comparisons give masks. Two plain numbers are never compared in a formula.
#define TAUT_EXPR_COMPARE(op)                                                       \
  inline Expr operator op(const Expr& a, const Expr& b) {                           \
    const ScalarType like = detail::compared(a, b);                                 \
    return detail::combine(                                                         \
        a, b, [&](const Tensor& x, const Tensor& y) { return Expr(x op y, like); }, \
        [&](const Tensor& x, double y) { return Expr(x op Scalar(y), like); },      \
        [&](double x, const Tensor& y) { return Expr(Scalar(x) op y, like); },      \
        [](double x, double y) { return Expr((x op y) ? 1.0 : 0.0); });             \
  }
TAUT_EXPR_COMPARE(<)
TAUT_EXPR_COMPARE(>)
TAUT_EXPR_COMPARE(<=)
TAUT_EXPR_COMPARE(>=)
TAUT_EXPR_COMPARE(==)
TAUT_EXPR_COMPARE(!=)
#undef TAUT_EXPR_COMPARE
inline Expr operator&(const Expr& a, const Expr& b) {
  if (a.is_nothing() || b.is_nothing()) return Expr::nothing();
  return Expr(logical_and(a.tensor(), b.tensor()), a.like());
}
inline Expr operator|(const Expr& a, const Expr& b) {
  if (a.is_nothing() || b.is_nothing()) return Expr::nothing();
  return Expr(logical_or(a.tensor(), b.tensor()), a.like());
}
inline Expr operator!(const Expr& a) { return a.is_nothing() ? a : Expr(logical_not(a.tensor()), a.like()); }

// A number is computed as a tensor of one is: libm would give other bits on other machines.
#define TAUT_EXPR_UNARY(f)                                          \
  inline Expr f(const Expr& a) {                                    \
    if (a.is_number()) {                                            \
      const DryScope computed(false);                               \
      return taut::f(full({}, a.number(), kDouble)).item<double>(); \
    }                                                               \
    return a.is_tensor() ? Expr(taut::f(a.tensor())) : a;           \
  }
TAUT_EXPR_UNARY(abs)
TAUT_EXPR_UNARY(sqrt)
TAUT_EXPR_UNARY(trunc)
TAUT_EXPR_UNARY(exp)
TAUT_EXPR_UNARY(exp2)
TAUT_EXPR_UNARY(log)
TAUT_EXPR_UNARY(sin)
TAUT_EXPR_UNARY(cos)
TAUT_EXPR_UNARY(sinh)
TAUT_EXPR_UNARY(cosh)
TAUT_EXPR_UNARY(tanh)
TAUT_EXPR_UNARY(erf)
#undef TAUT_EXPR_UNARY
#define TAUT_EXPR_TENSOR_ONLY(f) \
  inline Expr f(const Expr& a) { return a.is_nothing() ? a : Expr(taut::f(a.tensor())); }
TAUT_EXPR_TENSOR_ONLY(sign)
TAUT_EXPR_TENSOR_ONLY(sigmoid)
TAUT_EXPR_TENSOR_ONLY(digamma)
#undef TAUT_EXPR_TENSOR_ONLY
inline Expr pow(const Expr& a, const Expr& b) {
  return detail::combine(
      a, b, [](const Tensor& x, const Tensor& y) { return Expr(taut::pow(x, y)); },
      [](const Tensor& x, double y) { return Expr(taut::pow(x, Scalar(y))); },
      [](double x, const Tensor& y) { return Expr(taut::pow(Scalar(x), y)); },
      [](double x, double y) { return Expr(maths::pow(x, y)); });
}
/// As a power it has derivatives of every order, the last ones zero.
inline Expr power(const Expr& a, double e, double) { return pow(a, Expr(e)); }
inline Expr max(const Expr& a, const Expr& b) {
  return detail::combine(
      a, b, [](const Tensor& x, const Tensor& y) { return Expr(maximum(x, y)); },
      [](const Tensor& x, double y) { return Expr(maximum(x, detail::number_like(y, x))); },
      [](double x, const Tensor& y) { return Expr(maximum(detail::number_like(x, y), y)); },
      [](double x, double y) { return Expr(std::fmax(x, y)); });
}
inline Expr min(const Expr& a, const Expr& b) { return -max(-a, -b); }
inline Expr floor_div(const Expr& a, const Expr& b) {
  return detail::combine(
      a, b, [](const Tensor& x, const Tensor& y) { return Expr(taut::div(x, y, "floor")); },
      [](const Tensor& x, double y) { return Expr(taut::div(x, Scalar(y), "floor")); },
      [](double x, const Tensor& y) { return Expr(taut::div(detail::number_like(x, y), y, "floor")); },
      [](double x, double y) { return Expr(std::floor(x / y)); });
}
inline Expr trunc_div(const Expr& a, const Expr& b) {
  if (a.is_nothing() || b.is_nothing()) return Expr::nothing();
  return Expr(taut::div(a.tensor(), b.tensor(), "trunc"));
}
/// The same number, which does not change with what it follows from.
inline Expr detached(const Expr& a) { return a.is_tensor() ? Expr(a.tensor().detach()) : a; }
inline Expr polygamma(const Expr& n, const Expr& x) {
  return x.is_nothing() ? x : Expr(taut::polygamma(static_cast<int64_t>(n.number()), x.tensor()));
}
inline Expr where(const Expr& mask, const Expr& a, const Expr& b) {
  if (mask.is_nothing() || a.is_nothing() || b.is_nothing()) return Expr::nothing();
  const auto operand = [&](const Expr& e) { return e.is_tensor() ? e.tensor() : full({}, e.number(), mask.like()); };
  return Expr(taut::where(mask.tensor(), operand(a), operand(b)));
}

// Parts of derivatives that are ops of their own, since their derivatives are not those of their texts.
Tensor one_minus_square(const Tensor& x);
Tensor binary_cross_entropy_slope(const Tensor& x, const Tensor& target);
inline Expr one_minus_square(const Expr& x) { return x.is_nothing() ? x : Expr(one_minus_square(x.tensor())); }
inline Expr binary_cross_entropy_slope(const Expr& x, const Expr& t) {
  if (x.is_nothing() || t.is_nothing()) return Expr::nothing();
  return binary_cross_entropy_slope(x.tensor(), t.tensor());
}

inline Expr sqrt_beyond_one(const Expr& x) {
  if (x.is_tensor() && x.tensor().is_complex()) return sqrt(x - Expr(1.0)) * sqrt(x + Expr(1.0));
  return sqrt(Expr(0.0) - one_minus_square(x));
}

inline Expr fma(const Expr& a, const Expr& b, const Expr& c) { return a * b + c; }
/// The number itself, without history.
inline double value(const Expr& e) { return e.is_number() ? e.number() : e.tensor().item<double>(); }

/// The conjugate: what the gradient of a complex number is multiplied by.
inline Expr conjugate(const Expr& e) { return e.is_tensor() && e.tensor().is_complex() ? Expr(e.tensor().conj()) : e; }
template <class Constant>
Constant conjugate(Constant c) {
  return c;
}
/// Is it a number above or at 0? Of complex numbers, those on the real axis.
inline Expr not_negative(const Expr& e) {
  if (!e.is_tensor() || !e.tensor().is_complex()) return e >= Expr(0.0);
  const Tensor &z = e.tensor(), axis = taut::imag(z) == Scalar(0);
  return Expr(logical_and(taut::real(z) >= Scalar(0), axis), e.like());
}

/// Gradient times partial.
inline Tensor times(const Tensor& g, const Expr& p) {
  if (p.is_nothing()) return {};
  if (p.is_number()) return g * Scalar(p.number());
  if (p.tensor().scalar_type() == kBool) return taut::where(p.tensor(), g, detail::number_like(0, g));
  return g * p.tensor();
}
inline Tensor times(const Tensor& g, double p) { return g * Scalar(p); }
inline Tensor times(const Tensor& g, One) { return g; }
inline Tensor times(const Tensor& g, MinusOne) { return -g; }
inline Tensor times(const Tensor& g, Zero) { return zeros_like(g); }
inline Tensor times(const Tensor&, None) { return {}; }

/// The i-th of an op's partials.
template <size_t I, class P>
decltype(auto) partial(P&& p) {
  if constexpr (I == 0) return (p.a);
  else if constexpr (I == 1) return (p.b);
  else return (p.c);
}

}  // namespace taut
