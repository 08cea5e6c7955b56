// A complex number that reads like a pack of real ones, so that formulas can be evaluated on it. Its functions are
// computed in double by those of taut/core/maths.h: the same bits on every processor.
#pragma once
#include <cmath>

#include "kernels/pointwise.h"
#include "taut/core/complex.h"

namespace taut::plain {

using Z = Complex<double>;
/// Kahan's formulas, which keep the digits of both parts and the side of a branch cut.
namespace functions {
double abs(Z z);
double atan2(double y, double x);
Z exp(Z z);
Z expm1(Z z);
Z log(Z z);
Z log1p(Z z);
Z sqrt(Z z);
Z pow(Z z, Z exponent);
Z sinh(Z z);
Z cosh(Z z);
Z tanh(Z z);
Z asinh(Z z);
Z acosh(Z z);
Z atanh(Z z);
Z asin(Z z);
Z acos(Z z);
}  // namespace functions

template <class T>
struct ComplexNumber {
  struct Mask {
    bool m;
    friend Mask operator&(Mask a, Mask b) { return {a.m && b.m}; }
    friend Mask operator|(Mask a, Mask b) { return {a.m || b.m}; }
    friend Mask operator^(Mask a, Mask b) { return {a.m != b.m}; }
    friend Mask operator!(Mask a) { return {!a.m}; }
  };
  Complex<T> v;

  ComplexNumber(Complex<T> x) : v(x) {}
  ComplexNumber(Z x) requires(!std::is_same_v<T, double>) : v(x) {}
  ComplexNumber(double x) : v(static_cast<T>(x)) {}
  ComplexNumber(Attribute x) : ComplexNumber(x.real) {}

  friend ComplexNumber operator+(ComplexNumber a, ComplexNumber b) { return a.v + b.v; }
  friend ComplexNumber operator-(ComplexNumber a, ComplexNumber b) { return a.v - b.v; }
  friend ComplexNumber operator*(ComplexNumber a, ComplexNumber b) { return a.v * b.v; }
  friend ComplexNumber operator/(ComplexNumber a, ComplexNumber b) { return a.v / b.v; }
  friend ComplexNumber operator-(ComplexNumber a) { return -a.v; }
  friend Mask operator==(ComplexNumber a, ComplexNumber b) { return {a.v == b.v}; }
  friend Mask operator!=(ComplexNumber a, ComplexNumber b) { return {!(a.v == b.v)}; }
  friend Mask not_negative(ComplexNumber a) { return {a.v.imag() == 0 && a.v.real() >= 0}; }
  friend ComplexNumber where(Mask c, ComplexNumber a, ComplexNumber b) { return c.m ? a : b; }
  friend ComplexNumber where(bool c, ComplexNumber a, ComplexNumber b) { return c ? a : b; }
  friend ComplexNumber conj(ComplexNumber a) { return conj(a.v); }

  friend T abs(ComplexNumber a) { return static_cast<T>(functions::abs(Z(a.v))); }
#define TAUT_COMPLEX(name) \
  friend ComplexNumber name(ComplexNumber a) { return functions::name(Z(a.v)); }
  TAUT_COMPLEX(exp)
  TAUT_COMPLEX(expm1)
  TAUT_COMPLEX(log)
  TAUT_COMPLEX(log1p)
  TAUT_COMPLEX(sqrt)
  TAUT_COMPLEX(sinh)
  TAUT_COMPLEX(cosh)
  TAUT_COMPLEX(tanh)
  TAUT_COMPLEX(asinh)
  TAUT_COMPLEX(acosh)
  TAUT_COMPLEX(atanh)
  TAUT_COMPLEX(asin)
  TAUT_COMPLEX(acos)
#undef TAUT_COMPLEX
  friend ComplexNumber pow(ComplexNumber a, ComplexNumber b) { return functions::pow(Z(a.v), Z(b.v)); }
  friend ComplexNumber exp2(ComplexNumber a) { return functions::exp(Z(a.v) * Z(0.6931471805599453)); }
  friend ComplexNumber log2(ComplexNumber a) { return functions::log(Z(a.v)) * Z(1.4426950408889634); }
  friend ComplexNumber log10(ComplexNumber a) { return functions::log(Z(a.v)) * Z(0.4342944819032518); }
  friend ComplexNumber sqrt_beyond_one(ComplexNumber a) { return sqrt(a - 1) * sqrt(a + 1); }
  friend ComplexNumber sigmoid(ComplexNumber a) { return 1 / (1 + exp(-a)); }
  // By way of the hyperbolic ones: f(z) = -i g(i z), and cos(z) = cosh(i z).
  friend ComplexNumber sin(ComplexNumber a) { return turned_back(functions::sinh(turned(a))); }
  friend ComplexNumber cos(ComplexNumber a) { return functions::cosh(turned(a)); }
  friend ComplexNumber tan(ComplexNumber a) { return turned_back(functions::tanh(turned(a))); }
  friend ComplexNumber atan(ComplexNumber a) { return turned_back(functions::atanh(turned(a))); }

 private:
  static Z turned(ComplexNumber a) { return {-static_cast<double>(a.v.imag()), static_cast<double>(a.v.real())}; }
  static Z turned_back(Z z) { return {z.imag(), -z.real()}; }
};

}  // namespace taut::plain
