// The registry rows of the pointwise ops in elementwise.cpp.
#include "ops/formulas.h"
#include "ops/registry.h"

namespace taut {

// What the functions below are tried on. The literals are the edges, where the conventions of derivatives matter too.
#define REAL "t(2, 3)\nt()\nt(0, 3)\nc([0.0, -0.0, inf, -inf, nan])\ni(-3, 4, 5)\nb(3)\nz(2, 3)"
#define ANGLE "t(2, 3)\nt()\nt(0, 3)\nc([0.0, -0.0, 3.0, -100.0, nan])\ni(-3, 4, 5)\nb(3)\nz(2, 3)"
#define POSITIVE "p(2, 3)\np()\np(0, 3)\nc([0.0, inf, -1.5, nan])\ni(1, 5, 4)\nz(2, 3)"
#define UNIT "u(2, 3)\nu()\nu(0, 3)\nc([1.0, -1.0, 0.0, 1.5, nan])\ni(0, 2, 3)\nz(2, 3)"
#define INTEGER "i(-9, 9, 2, 3)\ni(-9, 9)\ni(0, 5, 0, 3)\nb(4)\nt(2)"
#define PAIR                                                                                                          \
  "t(2, 3), t(2, 3)\nt(2, 3), t(3)\nt(2, 1), t(3)\nt(), t(2)\nt(0, 3), t(3)\nt(4), i(3, 9, 4)\ni(-4, 5, 3), i(1, 4, " \
  "3)\nt(2), t(3)\nz(2, 3), z(3)\nz(2), t(2)"
#define COMPARE                                                                                                      \
  "t(2, 3), t(2, 3)\nt(2, 1), t(3)\nc([0.0, nan, inf, 1.0]), c([-0.0, nan, inf, 2.0])\nt(0, 3), t(3)\ni(-2, 3, 6), " \
  "i(-2, 3, 6)\nt(3), i(-2, 3, 3)\nb(3), i(0, 2, 3)\nt(2), t(3)\nz(2, 3), z(2, 3)\nz(2), t(2)"
#define COMPARE_NUMBER \
  "t(2, 3), 0.5\nt(), 0\nt(0, 3), 1\ni(-2, 3, 6), 1\ni(-2, 3, 6), 0.5\nb(3), True\nz(3), 1\nz(3), 2j"
#define BITS                                                                                                           \
  "i(-9, 9, 2, 3), i(-9, 9, 3)\ni(-9, 9, 2, 1), i(0, 9, 3)\nb(4), b(4)\nb(3), i(0, 5, 3)\ni(0, 5, 0), i(0, 5)\nt(2), " \
  "t(2)"
#define BITS_NUMBER "i(-9, 9, 2, 3), 6\ni(-9, 9), -3\nb(4), True\nb(3), 2\ni(0, 5, 0), 1\ni(0, 5, 2), 1.5"
#define NUMBER_BITS "6, i(-9, 9, 2, 3)\n-3, i(-9, 9)\nTrue, b(4)\n2, b(3)\n1, i(0, 5, 0)"
#define SHIFT \
  "i(-9, 9, 2, 3), i(0, 6, 3)\ni(-9, 9, 2, 1), i(0, 9, 3)\ni(1, 9), i(0, 4)\ni(0, 5, 0), i(0, 5)\nt(2), i(0, 2, 2)"
#define SHIFT_NUMBER "i(-9, 9, 2, 3), 3\ni(-9, 9), 0\ni(0, 5, 0), 1"
#define NUMBER_SHIFT "6, i(0, 6, 2, 3)\n-9, i(0, 6)\n1, i(0, 5, 0)"

// One overload of a function, by the kinds of its two operands: a tensor (T) or a number (S).
#define TT(f) [](const Tensor& a, const Tensor& b) { return f(a, b); }
#define TS(f) [](const Tensor& a, const Scalar& b) { return f(a, b); }
#define ST(f) [](const Scalar& a, const Tensor& b) { return f(a, b); }
// Their in-place twins, where they write without a detour; and rows that are one formula, whose result goes to `out=`
// so.
#define ROW_OF_ONE_STEPS(f, samples)                                               \
  op(                                                                              \
      #f "(Tensor self) -> Tensor", samples, [](const Tensor& x) { return f(x); }, \
      [](Tensor& x) -> Tensor& { return f##_(x); })
#define ROW_OF_ONE(f, samples) direct<formula::f##_op>(ROW_OF_ONE_STEPS(f, samples))
#define QUESTION(f, samples) op(#f "(Tensor self) -> Tensor", samples, [](const Tensor& x) { return f(x); })
#define ROW_OF_TWO_STEPS(f, samples) op(#f "(Tensor self, Tensor other) -> Tensor", samples, TT(f))
#define ROW_OF_TWO(f, samples) direct<formula::f##_op>(ROW_OF_TWO_STEPS(f, samples))
#define BY_TENSOR_STEPS(f, samples)                                     \
  op(#f ".Tensor(Tensor self, Tensor other) -> Tensor", samples, TT(f), \
     [](Tensor& x, const Tensor& y) -> Tensor& { return f##_(x, y); })
#define BY_NUMBER_STEPS(f, samples)                                     \
  op(#f ".Scalar(Tensor self, Scalar other) -> Tensor", samples, TS(f), \
     [](Tensor& x, const Scalar& y) -> Tensor& { return f##_(x, y); })

#define BY_TENSOR(f, samples) direct<formula::f##_op>(BY_TENSOR_STEPS(f, samples))
#define BY_NUMBER(f, samples) direct<formula::f##_op>(BY_NUMBER_STEPS(f, samples))

extern const OpEntry elementwise_ops[];
extern const size_t elementwise_ops_count;
const OpEntry elementwise_ops[] = {
    // Exponentials, trigonometry, special functions.
    doc("e to the power of each element.", ROW_OF_ONE(exp, REAL)),
    doc("2 to the power of each element.", ROW_OF_ONE(exp2, REAL)),
    doc("exp(x) - 1, exact near 0.", ROW_OF_ONE(expm1, REAL)),
    doc("The natural logarithm of each element.", ROW_OF_ONE(log, POSITIVE)),
    doc("The logarithm to the base 2.", ROW_OF_ONE(log2, POSITIVE)),
    doc("The logarithm to the base 10.", ROW_OF_ONE(log10, POSITIVE)),
    doc("log(1 + x), exact near 0.",
        ROW_OF_ONE(log1p, "u(2, 3)\nu()\np(0, 3)\nc([0.0, -1.0, inf, -1.5, nan])\ni(1, 5, 4)\nc([1e-9, -1e-9])")),
    doc("The sine of each element, in radians.", ROW_OF_ONE(sin, ANGLE)),
    doc("The cosine of each element, in radians.", ROW_OF_ONE(cos, ANGLE)),
    doc("The tangent of each element, in radians.", ROW_OF_ONE(tan, ANGLE)),
    doc("The angle whose sine each element is.", alias("arcsin", ROW_OF_ONE(asin, UNIT))),
    doc("The angle whose cosine each element is.", alias("arccos", ROW_OF_ONE(acos, UNIT))),
    doc("The angle whose tangent each element is.", alias("arctan", ROW_OF_ONE(atan, REAL))),
    doc("The hyperbolic sine.", ROW_OF_ONE(sinh, REAL)),
    doc("The hyperbolic cosine.", ROW_OF_ONE(cosh, REAL)),
    doc("The hyperbolic tangent.", ROW_OF_ONE(tanh, REAL)),
    doc("The inverse of the hyperbolic sine.", alias("arcsinh", ROW_OF_ONE(asinh, REAL "\nc([1e5, -1e5, 1e-9])"))),
    doc("The inverse of the hyperbolic cosine.",
        alias("arccosh",
              ROW_OF_ONE(acosh, "c([1.5, 2.0, 7.0])\nc([1.0, inf, 0.5, nan])\nc([2.5])\np(0, 3)\ni(2, 5, 4)"))),
    doc("The inverse of the hyperbolic tangent.", alias("arctanh", ROW_OF_ONE(atanh, UNIT))),
    doc("1 / (1 + exp(-x)).", ROW_OF_ONE(sigmoid, REAL)),
    doc("The error function.", ROW_OF_ONE(erf, REAL)),
    doc("1 - erf(x), exact where erf is near 1.", ROW_OF_ONE(erfc, REAL "\nc([5.0, -5.0, 10.0])")),
    doc("The inverse of the error function.", ROW_OF_ONE(erfinv, UNIT)),
    doc("The logarithm of the absolute value of the gamma function.",
        ROW_OF_ONE(lgamma, "p(2, 3)\nt(3)\np()\np(0, 3)\nc([1.0, 2.0, 50.5, -3.5])\ni(1, 5, 4)")),
    doc("The derivative of lgamma.",
        ROW_OF_ONE(digamma, "p(2, 3)\nt(3)\np()\np(0, 3)\nc([1.0, 2.0, 50.5, -3.5])\ni(1, 5, 4)")),
    doc("sin(pi x) / (pi x), and 1 at 0.",
        ROW_OF_ONE(sinc, "t(2, 3)\nt()\nt(0, 3)\nc([0.0, -0.0, 1.0, 2.5, nan])\ni(-3, 4, 5)")),
    doc("The n-th derivative of digamma.",
        op("polygamma(int n, Tensor self) -> Tensor",
           "0, p(3)\n1, p(2, 3)\n2, p()\n3, p(0, 3)\n4, p(2)\n1, c([1.0, 10.5])\n1, i(1, 5, 3)\n-1, p(2)",
           [](int64_t n, const Tensor& x) { return polygamma(n, x); })),
    doc("log(x / (1 - x)), with x held within [eps, 1 - eps] where eps is given.",
        op<logit, logit_>(
            "logit(Tensor self, float? eps=None) -> Tensor",
            "c([0.25, 0.5, 0.875])\nc([0.25, 0.5, 0.001]), 0.1\nc([0.0, 1.0, -0.5, nan])\nc([0.0, 1.0, 0.5]), "
            "eps=0.25\nc([0.75])\np(0, 3)\nb(3)")),
    doc("self * log(other), and 0 where self is 0.",
        in_place_too(op("xlogy.Tensor(Tensor self, Tensor other) -> Tensor",
                        "t(2, 3), p(3)\np(2, 1), p(3)\nt(), p(2)\nt(0, 3), p(3)\nc([0.0, 0.0, 2.0, 0.0]), c([0.0, 2.0, "
                        "0.0, nan])\ni(0, "
                        "3, 3), i(1, 4, 3)",
                        TT(xlogy)))),
    op("xlogy.Scalar_Self(Scalar self, Tensor other) -> Tensor", "2.5, p(2, 3)\n0, p(2)\n1, p()\n3, i(1, 4, 2)",
       ST(xlogy)),
    in_place_too(op("xlogy.Scalar_Other(Tensor self, Scalar other) -> Tensor",
                    "t(2, 3), 2.5\nt(), 3\nt(0), 1.0\ni(0, 3, 3), 2", TS(xlogy))),
    doc("log(exp(self) + exp(other)) without overflow.",
        ROW_OF_TWO(
            logaddexp,
            "t(2, 3), t(3)\nt(2, 1), t(3)\nt(), t(2)\nt(0, 3), t(3)\nc([inf, -inf, 800.0, 0.0]), c([inf, -inf, 0.0, "
            "nan])")),
    doc("log2(2^self + 2^other) without overflow.",
        ROW_OF_TWO(
            logaddexp2,
            "t(2, 3), t(3)\nt(2, 1), t(3)\nt(), t(2)\nt(0, 3), t(3)\nc([inf, -inf, 900.0, 0.0]), c([inf, -inf, 0.0, "
            "nan])")),
    doc("sqrt(self^2 + other^2) without overflow.",
        in_place_too(ROW_OF_TWO(
            hypot,
            "t(2, 3), t(3)\nt(2, 1), t(3)\nt(), t(2)\nt(0, 3), t(3)\nc([3.0, 0.0, 1e30]), c([4.0, 2.0, 1e30])"))),
    doc("The angle of the point (other, self), in (-pi, pi].",
        alias("arctan2", in_place_too(ROW_OF_TWO(atan2,
                                                 "t(2, 3), t(3)\nt(2, 1), t(3)\nt(), t(2)\nt(0, 3), t(3)\nc([1.0, 0.0, "
                                                 "0.0, -0.0, inf]), c([0.0, 2.0, -2.0, "
                                                 "-2.0, inf])\ni(-3, 4, 3), i(1, 4, 3)")))),
    doc("The size of self with the sign of other.",
        BY_TENSOR(
            copysign,
            "t(2, 3), t(3)\nt(2, 1), t(3)\nt(), t(2)\nt(0, 3), t(3)\nc([1.0, 0.0, 2.0]), c([-0.0, -1.0, nan])\ni(-3, "
            "4, 3), i(-3, 4, 3)")),
    BY_NUMBER(copysign, "t(2, 3), -1.0\nt(), 2\nt(0), -0.0\ni(-3, 4, 3), -1"),
    doc("Replaces nan and infinities by numbers: 0 and the limits of the dtype unless given.",
        out_same(op<nan_to_num, nan_to_num_>(
            "nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor",
            "t(2, 3)\nc([nan, inf, -inf, 1.5])\nc([nan, inf, -inf, 1.5]), 1.0, 2.0, 3.0\nt()\nt(0)\ni(0, 3, "
            "2)\nc([nan, inf]), posinf=7.0"))),
    doc("Degrees as radians.", ROW_OF_ONE_STEPS(deg2rad, REAL)),
    doc("Radians as degrees.", ROW_OF_ONE_STEPS(rad2deg, REAL)),
    doc("0 where self is negative, 1 where positive, `values` where it is 0.",
        out_same(op<heaviside, heaviside_>(
            "heaviside(Tensor self, Tensor values) -> Tensor",
            "t(2, 3), t(3)\nc([0.0, -1.0, 2.0, nan]), c([0.5, 0.5, 0.5, 0.5])\nt(), t(2)\nt(0, 3), t(3)\ni(-1, "
            "2, 4), i(5, 6, 4)"))),

    // Arithmetic.
    doc("self + alpha * other.",
        direct<formula::add_op>(op(
            "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
            PAIR "\nt(2, 3), t(3), alpha=-1.5\ni(0, 5, 3), i(0, 5, 3), alpha=2\nb(3), b(3)\ni(0, 5, 2), i(0, 5, 2), "
                 "alpha=0.5",
            [](const Tensor& a, const Tensor& b, const Scalar& alpha) { return add(a, b, alpha); },
            [](Tensor& a, const Tensor& b, const Scalar& alpha) -> Tensor& { return add_(a, b, alpha); }))),
    direct<formula::add_op>(op(
        "add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
        "z(3), 2\nz(3), 2j\nt(3), 2j\nt(2, 3), 2.5\nt(), 1, 2\nt(0), 1\ni(0, 5, 3), 2\ni(0, 5, 3), 1.5\nb(3), True",
        [](const Tensor& a, const Scalar& b, const Scalar& alpha) { return add(a, b, alpha); },
        [](Tensor& a, const Scalar& b, const Scalar& alpha) -> Tensor& { return add_(a, b, alpha); })),
    doc("self - alpha * other.",
        alias("subtract",
              direct<formula::sub_op>(op(
                  "sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
                  PAIR "\nt(2, 3), t(3), alpha=-1.5\ni(0, 5, 3), i(0, 5, 3), alpha=2\nb(3), b(3)",
                  [](const Tensor& a, const Tensor& b, const Scalar& alpha) { return sub(a, b, alpha); },
                  [](Tensor& a, const Tensor& b, const Scalar& alpha) -> Tensor& { return sub_(a, b, alpha); })))),
    direct<formula::sub_op>(op(
        "sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
        "z(3), 2j\nt(2, 3), 2.5\nt(), 1, 2\nt(0), 1\ni(0, 5, 3), 2\ni(0, 5, 3), 1.5",
        [](const Tensor& a, const Scalar& b, const Scalar& alpha) { return sub(a, b, alpha); },
        [](Tensor& a, const Scalar& b, const Scalar& alpha) -> Tensor& { return sub_(a, b, alpha); })),
    doc("other - alpha * self.",
        function(no_out(op("rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
                           PAIR "\nt(2, 3), t(3), alpha=2.5",
                           [](const Tensor& a, const Tensor& b, const Scalar& alpha) { return rsub(a, b, alpha); })))),
    function(no_out(op("rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
                       "z(3), 2j\nt(2, 3), 2.5\nt(), 1, 2\ni(0, 5, 3), 2",
                       [](const Tensor& a, const Scalar& b, const Scalar& alpha) { return rsub(a, b, alpha); }))),
    doc("self * other.", alias("multiply", BY_TENSOR(mul, PAIR "\nb(3), b(3)\nc([0.0, inf]), c([nan, 0.0])"))),
    BY_NUMBER(mul, "t(2, 3), 2.5\nt(), 3\nt(0), 1\ni(0, 5, 3), 2\ni(0, 5, 3), 1.5\nb(3), 2"),
    doc("self / other; rounded towards 0 (\"trunc\") or down (\"floor\") where rounding_mode says so.",
        alias("divide", BY_TENSOR(div, PAIR "\nb(3), i(1, 3, 3)\nc([1.0, -1.0, 0.0]), c([0.0, 0.0, 0.0])"))),
    BY_NUMBER(div, "t(2, 3), 2.5\nt(), 3\nt(0), 1\ni(0, 5, 3), 2\nt(2), 0"),
    op(
        "div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor",
        "t(2, 3), p(3), rounding_mode='floor'\nt(2, 3), p(3), rounding_mode='trunc'\nt(2, 3), p(3), "
        "rounding_mode=None\n"
        "i(-9, 9, 5), i(1, 4, 5), rounding_mode='floor'\ni(-9, 9, 5), i(1, 4, 5), rounding_mode='trunc'\nt(), t(), "
        "rounding_mode='floor'\n"
        "t(0), t(), rounding_mode='trunc'\nt(2), t(2), rounding_mode='up'\nc([7.0, -7.0, 1.0]), c([2.0, 2.0, 0.0]), "
        "rounding_mode='floor'\n"
        "i(1, 3, 2), c([0, 1]), rounding_mode='floor'",
        [](const Tensor& a, const Tensor& b, std::optional<std::string_view> mode) { return div(a, b, mode); },
        [](Tensor& a, const Tensor& b, std::optional<std::string_view> mode) -> Tensor& { return div_(a, b, mode); }),
    op(
        "div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor",
        "t(2, 3), 0.5, rounding_mode='floor'\nt(2, 3), 0.5, rounding_mode='trunc'\ni(-9, 9, 5), 2, "
        "rounding_mode='floor'\ni(-9, 9, 5), 2, rounding_mode='trunc'\nt(), 2, rounding_mode=None",
        [](const Tensor& a, const Scalar& b, std::optional<std::string_view> mode) { return div(a, b, mode); },
        [](Tensor& a, const Scalar& b, std::optional<std::string_view> mode) -> Tensor& { return div_(a, b, mode); }),
    doc("self / other, always a floating-point number.",
        BY_TENSOR_STEPS(true_divide, "t(2, 3), t(3)\ni(-4, 5, 3), i(1, 4, 3)\nt(), t()")),
    BY_NUMBER_STEPS(true_divide, "t(2, 3), 2.5\ni(-4, 5, 3), 2"),
    doc("self / other, rounded down.",
        in_place_too(ROW_OF_TWO_STEPS(
            floor_divide,
            "t(2, 3), p(3)\nt(2, 1), p(3)\nt(), p(2)\nt(0, 3), p(3)\ni(-9, 9, 5), i(1, 4, 5)\nt(2), t(3)\ni(0, 3, 2), "
            "c([0, 1])"))),
    BY_NUMBER_STEPS(floor_divide, "t(2, 3), 0.5\nt(), 2\ni(-9, 9, 5), 2\ni(-9, 9, 5), -4\nt(0), 1\ni(0, 3, 2), 0"),
    doc("The rest of self / other, with the sign of self.",
        BY_TENSOR(
            fmod,
            "t(2, 3), p(3)\nt(2, 1), p(3)\nt(), p(2)\nt(0, 3), p(3)\ni(-9, 9, 5), i(1, 4, 5)\nc([5.5, -5.5, 1.0]), "
            "c([2.0, 2.0, 0.0])")),
    BY_NUMBER(fmod, "t(2, 3), 0.75\nt(), 2\ni(-9, 9, 5), 4\nt(0), 1"),
    doc("The rest of self / other, with the sign of other.",
        BY_TENSOR(
            remainder,
            "t(2, 3), p(3)\nt(2, 1), p(3)\nt(), p(2)\nt(0, 3), p(3)\ni(-9, 9, 5), i(1, 4, 5)\nc([5.5, -5.5, 5.5]), "
            "c([2.0, 2.0, -2.0])")),
    BY_NUMBER(remainder, "t(2, 3), 0.75\nt(), 2\ni(-9, 9, 5), 4\ni(-9, 9, 5), -4\nt(0), 1"),
    no_out(op("remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", "5.5, t(2, 3)\n7, i(1, 4, 3)\n-2, p()",
              ST(remainder))),
    doc("-x.", alias("negative", out_same(ROW_OF_ONE(neg, REAL)))),
    doc("The absolute value of each element.", alias("absolute", out_same(ROW_OF_ONE(abs, REAL)))),
    doc("-1, 0 or 1: the sign of each element.", out_same(ROW_OF_ONE(sign, REAL))),
    doc("-1, 0 or 1: the sign of each element.", out_same(ROW_OF_ONE_STEPS(sgn, REAL))),
    doc("The tensor itself; bools are refused.", no_out(QUESTION(positive, REAL))),
    doc("x * x.", ROW_OF_ONE(square, REAL)),
    doc("The square root of each element.", ROW_OF_ONE(sqrt, POSITIVE)),
    doc("1 / sqrt(x).", ROW_OF_ONE(rsqrt, POSITIVE)),
    doc("1 / x.", ROW_OF_ONE(reciprocal, REAL)),
    doc("self to the power of exponent.",
        in_place_too(op("pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
                        "z(2, 3), z(3)\nz(3), p(3)\np(3), z(3)\np(2, 3), t(3)\np(2, 1), t(3)\np(), t(2)\np(0, 3), "
                        "t(3)\nc([0.0, 0.0, -2.0, 2.0]), c([0.0, 2.0, 3.0, "
                        "0.0])\ni(-3, 4, 4), i(0, 4, 4)\np(2), i(-2, 3, 2)",
                        TT(pow)))),
    op("pow.Scalar(Scalar self, Tensor exponent) -> Tensor",
       "2.5, z(2)\n2j, z(2)\n2j, t(2)\n2.5, t(2, 3)\n2, t()\n0, c([0.5, 1.5, 0.0])\n3, i(0, 4, 3)\n2.5, i(0, 4, 3)\n1, "
       "t(0)",
       ST(pow)),
    in_place_too(op("pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
                    "z(2, 3), 2\nz(3), 3\nz(3), 0.5\nz(3), -1\nz(3), 2.5\nz(3), 2j\nz(3), 0\np(2, 3), 2.5\nt(2, 3), "
                    "2\nt(3), 3\nt(), 1\nt(3), 0\nt(3), -1\nt(3), -2\np(3), 0.5\np(3), -0.5\nt(0), 2\ni(-3, "
                    "4, 4), 3\ni(1, 4, 4), 0.5\ni(1, 3, 2), -1\nc([0.0, -0.0, inf]), 2\nc([0.0, 2.0]), 0",
                    TS(pow))),
    doc("self to the power of exponent, computed in float64.",
        out_same(op("float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
                    "p(2, 3), t(3)\ni(1, 4, 3), i(-2, 3, 3)\np(), t()", TT(float_power),
                    [](Tensor& x, const Tensor& e) -> Tensor& { return float_power_(x, e); }))),
    out_same(op("float_power.Scalar(Scalar self, Tensor exponent) -> Tensor", "2.5, t(2, 3)\n2, i(-2, 3, 3)",
                ST(float_power))),
    out_same(op("float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
                "p(2, 3), 2.5\ni(1, 4, 3), -1\nt(), 2", TS(float_power),
                [](Tensor& x, const Scalar& e) -> Tensor& { return float_power_(x, e); })),
    doc("self + weight * (end - self).",
        op(
            "lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor",
            "z(2, 3), z(3), 0.25\nz(3), z(3), 0.75\nt(2, 3), t(3), 0.25\nt(2, 1), t(3), 0.75\nt(), t(), 2\nt(0), t(), "
            "0.5",
            [](const Tensor& a, const Tensor& b, const Scalar& w) { return lerp(a, b, w); },
            [](Tensor& a, const Tensor& b, const Scalar& w) -> Tensor& { return lerp_(a, b, w); })),
    out<Out::CastsByNumber>(op(
        "lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor",
        "z(2, 3), z(3), z(3)\nt(2, 3), t(3), u(2, 3)\nt(2, 1), t(3), t()\nt(), t(), t()\nt(0), t(), t()\nt(2), t(2), "
        "c([0.5, 1.0])",
        [](const Tensor& a, const Tensor& b, const Tensor& w) { return lerp(a, b, w); },
        [](Tensor& a, const Tensor& b, const Tensor& w) -> Tensor& { return lerp_(a, b, w); })),
    doc("self + value * tensor1 * tensor2.",
        direct<formula::addcmul_op>(
            op<addcmul, addcmul_>("addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
                                  "z(2, 3), z(2, 3), z(3), value=0.5\nt(2, 3), t(2, 3), t(3)\nt(2, 3), t(2, 1), t(3), "
                                  "value=0.5\nt(), t(), t()\nt(0), t(), t()\ni(0, 5, 3), "
                                  "i(0, 5, 3), i(0, 5, 3), value=2"))),
    doc("self + value * tensor1 / tensor2.",
        direct<formula::addcdiv_op>(
            op<addcdiv, addcdiv_>("addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
                                  "z(2, 3), z(2, 3), z(3), value=0.5\nt(2, 3), t(2, 3), p(3)\nt(2, 3), t(2, 1), p(3), "
                                  "value=0.5\nt(), t(), p()\nt(0), t(), p()\ni(0, 5, 3), "
                                  "i(0, 5, 3), i(1, 5, 3)"))),
    doc("Rounds down.", out_same(ROW_OF_ONE(floor, REAL))),
    doc("Rounds up.", out_same(ROW_OF_ONE(ceil, REAL))),
    doc("Rounds to the nearest whole number, halves to the even one; or to `decimals` places.",
        out_same(ROW_OF_ONE(round, REAL "\nc([0.5, 1.5, 2.5, -0.5, -1.5])"))),
    out_same(op(
        "round.decimals(Tensor self, *, int decimals) -> Tensor",
        "t(2, 3), decimals=1\nt(3), decimals=0\nc([123.0, 155.0]), decimals=-1\nt(), decimals=2\ni(0, 9, 3), "
        "decimals=0",
        [](const Tensor& x, int64_t decimals) { return round(x, decimals); },
        [](Tensor& x, int64_t decimals) -> Tensor& { return round_(x, decimals); })),
    doc("Rounds towards 0.", alias("fix", out_same(ROW_OF_ONE(trunc, REAL)))),
    doc("What trunc cuts off.",
        out_same(ROW_OF_ONE(frac, "t(2, 3)\nt()\nt(0, 3)\nc([0.0, -0.0, 2.5, -2.5, nan])\ni(0, 3, 2)"))),
    doc("The larger of two elements; nan if either is.", ROW_OF_TWO(maximum, COMPARE)),
    doc("The smaller of two elements; nan if either is.", ROW_OF_TWO(minimum, COMPARE)),
    doc("The larger of two elements; a nan counts as missing.", ROW_OF_TWO(fmax, COMPARE)),
    doc("The smaller of two elements; a nan counts as missing.", ROW_OF_TWO(fmin, COMPARE)),
    // Limits that are tensors come first: one of a single number is a tensor still.
    doc("Holds each element within [min, max].",
        alias("clip",
              op(
                  "clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor",
                  "t(2, 3), u(3), p(3)\nt(2, 3), min=t(3)\nt(2, 3), max=t(2, 1)\nt(), t(), p()\nt(0, 3), t(3)\nt(4), "
                  "p(4), "
                  "u(4)\nc([-1.0, 1.0, nan, 0.0]), c([-1.0, 1.0, 0.0, nan]), c([2.0, 1.0, 1.0, 1.0])",
                  [](const Tensor& x, OptionalTensor low, OptionalTensor high) { return clamp(x, low, high); },
                  [](Tensor& x, OptionalTensor low, OptionalTensor high) -> Tensor& { return clamp_(x, low, high); }))),
    in_place_too(out_same(op("clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor",
                             "z(3), 0\nt(2, 3), -0.5, 0.75\nt(2, 3), min=0.25\nt(2, 3), max=0.25\nt(), 0, 1\nt(0), 0, "
                             "1\nt(4), 1.0, -1.0\nc([-1.0, "
                             "1.0, 0.0, nan]), -1.0, 1.0\n"
                             "i(-5, 6, 6), -2, 2\ni(-5, 6, 6), -1.5, 2\nt(2)\nt(3), None, 0.5",
                             [](const Tensor& x, const std::optional<Scalar>& low, const std::optional<Scalar>& high) {
                               return clamp(x, low, high);
                             }))),
    doc("Raises each element to at least min.",
        in_place_too(
            op("clamp_min.Tensor(Tensor self, Tensor min) -> Tensor",
               "t(2, 3), t(3)\nt(), t(2)\nt(0), t()\nc([1.0, nan, 2.0]), c([1.0, 0.0, nan])\ni(-5, 6, 6), i(-5, 6, 6)",
               TT(clamp_min)))),
    in_place_too(out_same(op("clamp_min(Tensor self, Scalar min) -> Tensor",
                             "t(2, 3), 0.25\nt(), 0\nt(0), 0\nc([1.0, nan]), 1.0\ni(-5, 6, 6), 2", TS(clamp_min)))),
    doc("Lowers each element to at most max.",
        in_place_too(
            op("clamp_max.Tensor(Tensor self, Tensor max) -> Tensor",
               "t(2, 3), t(3)\nt(), t(2)\nt(0), t()\nc([1.0, nan, 2.0]), c([1.0, 0.0, nan])\ni(-5, 6, 6), i(-5, 6, 6)",
               TT(clamp_max)))),
    in_place_too(out_same(op("clamp_max(Tensor self, Scalar max) -> Tensor",
                             "t(2, 3), 0.25\nt(), 0\nt(0), 0\nc([1.0, nan]), 1.0\ni(-5, 6, 6), 2", TS(clamp_max)))),

    // Comparison, logic, bits.
    doc("Whether elements are equal.", BY_NUMBER(eq, COMPARE_NUMBER)),
    BY_TENSOR(eq, COMPARE),
    doc("Whether elements differ.", alias("not_equal", BY_NUMBER(ne, COMPARE_NUMBER))),
    BY_TENSOR(ne, COMPARE),
    doc("Whether self < other.", alias("less", BY_NUMBER(lt, COMPARE_NUMBER))),
    BY_TENSOR(lt, COMPARE),
    doc("Whether self <= other.", alias("less_equal", BY_NUMBER(le, COMPARE_NUMBER))),
    BY_TENSOR(le, COMPARE),
    doc("Whether self > other.", alias("greater", BY_NUMBER(gt, COMPARE_NUMBER))),
    BY_TENSOR(gt, COMPARE),
    doc("Whether self >= other.", alias("greater_equal", BY_NUMBER(ge, COMPARE_NUMBER))),
    BY_TENSOR(ge, COMPARE),
    doc("Whether each element is nan.", no_out(QUESTION(isnan, REAL))),
    doc("Whether each element is infinite.", no_out(QUESTION(isinf, REAL))),
    doc("Whether each element is neither infinite nor nan.", no_out(QUESTION(isfinite, REAL))),
    doc("Whether each element is positive infinity.", out_same(QUESTION(isposinf, REAL))),
    doc("Whether each element is negative infinity.", out_same(QUESTION(isneginf, REAL))),
    doc("Whether each element has a minus sign; -0.0 has one.", out_same(QUESTION(signbit, REAL))),
    doc("Whether |self - other| <= atol + rtol * |other|.",
        no_out(op<isclose>(
            "isclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool equal_nan=False) -> Tensor",
            "z(3), z(3)\nt(2, 3), t(3)\nc([1.0, nan, inf, 2.0]), c([1.000001, nan, inf, 2.1])\nc([1.0, nan, inf]), "
            "c([1.05, nan, "
            "-inf]), 0.1, 0.0, True\n"
            "i(0, 3, 4), i(0, 3, 4)\nt(), t()\nt(0), t(0)\nt(2), i(0, 2, 2)\nt(2), t(2), -1.0"))),
    doc("Whether both elements are true (not 0).", in_place_too(ROW_OF_TWO(logical_and, COMPARE))),
    doc("Whether one of the elements is true (not 0).", in_place_too(ROW_OF_TWO(logical_or, COMPARE))),
    doc("Whether exactly one of the elements is true (not 0).", in_place_too(ROW_OF_TWO(logical_xor, COMPARE))),
    doc("Whether each element is false (0).", ROW_OF_ONE(logical_not, REAL)),
    doc("The bits that both have.",
        in_place_too(op("bitwise_and.Scalar(Tensor self, Scalar other) -> Tensor", BITS_NUMBER, TS(bitwise_and)))),
    no_out(op("bitwise_and.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", NUMBER_BITS, ST(bitwise_and))),
    in_place_too(op("bitwise_and.Tensor(Tensor self, Tensor other) -> Tensor", BITS, TT(bitwise_and))),
    doc("The bits that one of them has.",
        in_place_too(op("bitwise_or.Scalar(Tensor self, Scalar other) -> Tensor", BITS_NUMBER, TS(bitwise_or)))),
    no_out(op("bitwise_or.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", NUMBER_BITS, ST(bitwise_or))),
    in_place_too(op("bitwise_or.Tensor(Tensor self, Tensor other) -> Tensor", BITS, TT(bitwise_or))),
    doc("The bits that exactly one of them has.",
        in_place_too(op("bitwise_xor.Scalar(Tensor self, Scalar other) -> Tensor", BITS_NUMBER, TS(bitwise_xor)))),
    no_out(op("bitwise_xor.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", NUMBER_BITS, ST(bitwise_xor))),
    in_place_too(op("bitwise_xor.Tensor(Tensor self, Tensor other) -> Tensor", BITS, TT(bitwise_xor))),
    doc("All bits turned over.", out_same(ROW_OF_ONE(bitwise_not, INTEGER))),
    doc("self * 2^other.", in_place_too(op("bitwise_left_shift.Tensor(Tensor self, Tensor other) -> Tensor", SHIFT,
                                           TT(bitwise_left_shift)))),
    in_place_too(op("bitwise_left_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor", SHIFT_NUMBER,
                    TS(bitwise_left_shift))),
    no_out(op("bitwise_left_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", NUMBER_SHIFT,
              ST(bitwise_left_shift))),
    doc("self / 2^other, rounded down.",
        in_place_too(
            op("bitwise_right_shift.Tensor(Tensor self, Tensor other) -> Tensor", SHIFT, TT(bitwise_right_shift)))),
    in_place_too(op("bitwise_right_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor", SHIFT_NUMBER,
                    TS(bitwise_right_shift))),
    no_out(op("bitwise_right_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", NUMBER_SHIFT,
              ST(bitwise_right_shift))),
    doc("self where condition holds, else other.",
        out_same(op("where.self(Tensor condition, Tensor self, Tensor other) -> Tensor",
                    "b(2, 3), z(2, 3), z(3)\nb(3), z(3), t(3)\nb(2, 3), t(2, 3), t(2, 3)\nb(3), t(2, 1), t(3)\nb(), "
                    "t(), t()\nb(0), t(), t()\nb(3), i(0, 5, 3), "
                    "t(3)\nb(3), "
                    "i(0, 5, 3), i(0, 5, 3)\nt(3), t(3), t(3)\n"
                    "c([True, False]), c([nan, inf]), c([1.0, 2.0])",
                    [](const Tensor& c, const Tensor& a, const Tensor& b) { return where(c, a, b); }))),
    no_out(op("where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor",
              "b(2, 3), 1.5, t(3)\nb(), 2, t()\nb(3), 1.5, i(0, 5, 3)\nb(3), 1, i(0, 5, 3)",
              [](const Tensor& c, const Scalar& a, const Tensor& b) { return where(c, a, b); })),
    no_out(op("where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor",
              "b(2, 3), t(3), 1.5\nb(), t(), 2\nb(3), i(0, 5, 3), 1.5\nb(3), i(0, 5, 3), 1",
              [](const Tensor& c, const Tensor& a, const Scalar& b) { return where(c, a, b); })),
    no_out(op("where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor",
              "b(2, 3), 1.5, 2\nb(3), 1, 0\nb(), True, False\nb(3), 1, 2.5",
              [](const Tensor& c, const Scalar& a, const Scalar& b) { return where(c, a, b); })),
    op("where(Tensor condition) -> Tensor[]", "b(2, 3)\nb()\nb(0, 3)\ni(0, 2, 4)\nc([[0.0, 1.5], [nan, 0.0]])",
       [](const Tensor& c) { return where(c); }),
    doc("self with value wherever mask is true.",
        no_out(op(
            "masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor",
            "z(2, 3), b(2, 3), 0.5\nt(2, 3), b(2, 3), 1.5\nt(2, 3), b(3), inf\nt(), b(), 2\nt(0), b(1), 1\ni(0, 5, 3), "
            "b(3), 7\nt(3), b(2, "
            "3), "
            "1.0\ni(0, 5, 2), b(2), 1.5\nt(2), i(0, 2, 2), 1.0",
            [](const Tensor& x, const Tensor& mask, const Scalar& v) { return masked_fill(x, mask, v); },
            [](Tensor& x, const Tensor& mask, const Scalar& v) -> Tensor& { return masked_fill_(x, mask, v); }))),
    no_out(op(
        "masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor",
        "t(2, 3), b(2, 3), t()\nt(2, 3), b(3), t()\nt(), b(), t()\ni(0, 5, 3), b(3), i(0, 5)\nt(3), b(3), t(1)\nt(3), "
        "b(3), i(0, 5)",
        [](const Tensor& x, const Tensor& mask, const Tensor& v) { return masked_fill(x, mask, v); },
        [](Tensor& x, const Tensor& mask, const Tensor& v) -> Tensor& { return masked_fill_(x, mask, v); })),
};
const size_t elementwise_ops_count = std::size(elementwise_ops);

}  // namespace taut
