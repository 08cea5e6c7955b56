// The rarely used special functions: computed in double, one number at a time, whatever the dtype.
#include "kernels/functions.h"

#include "ops/batch_rules.h"
#include "ops/op.h"
#include "ops/promotion.h"
#include "ops/registry.h"

namespace taut {

namespace {

/// What comes out of whole numbers is of the default dtype.
ScalarType floating(ScalarType t) { return is_floating_point(t) ? t : get_default_dtype(); }

/// `x` as doubles in the memory order of `like`, which has at least its shape.
Tensor doubles(const Tensor& x, const Tensor& like) {
  return empty_strided(like.sizes(), like.strides(), kDouble).copy_(x);
}

Tensor mapped(const char* op, kernels::Function1 f, const Tensor& x) {
  const Tensor* const in[] = {&x};
  const Tensor y = Tensor::adopt(make_result(in, 1, x.sizes(), kDouble, op).detach());
  const Tensor wide = doubles(x, y);
  kernels::map(static_cast<double*>(y.data_ptr()), static_cast<const double*>(wide.data_ptr()), y.numel(), f);
  return y.to(floating(x.scalar_type()));
}
Tensor mapped(const char* op, kernels::Function2 f, const Tensor& a, const Tensor& b) {
  const Tensor* const in[] = {&a, &b};
  const Tensor y = Tensor::adopt(make_result(in, 2, broadcast_shapes(a.sizes(), b.sizes(), op), kDouble, op).detach());
  const Tensor left = doubles(a, y), right = doubles(b, y);
  kernels::map(static_cast<double*>(y.data_ptr()), static_cast<const double*>(left.data_ptr()),
               static_cast<const double*>(right.data_ptr()), y.numel(), f);
  return y.to(floating(result_type(a, b)));
}

/// PyTorch has no derivative of these.
struct Plain1 {
  const char* name;
  kernels::Function1 f;
  const char* op_name() const { return name; }
  static constexpr bool leading = true;
  Tensor forward(const Tensor& x) const { return mapped(name, f, x); }
};
struct Plain2 {
  const char* name;
  kernels::Function2 f;
  const char* op_name() const { return name; }
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& y) const { return broadcast_items(*this, b, x, y); }
  Tensor forward(const Tensor& a, const Tensor& b) const { return mapped(name, f, a, b); }
};

/// A function and its slope, which is written in public ops.
struct Smooth1 {
  static constexpr unsigned reads[] = {kInput(0) | kResult()};
  const char *name, *node;
  kernels::Function1 f;
  Tensor (*slope)(const Tensor& x, const Tensor& y);
  unsigned keeps = 0;  // what the slope does not read
  const char* op_name() const { return name; }
  const char* node_name() const { return node; }
  static constexpr bool leading = true;
  Tensor forward(const Tensor& x) const { return mapped(name, f, x); }
  Tensor vjp(int, const Tensor& g, const Saved& s) const { return g * slope(s.input(0), s.result()); }
};
/// A function of two numbers. PyTorch knows no derivative with respect to the first of some.
struct Smooth2 {
  static constexpr unsigned reads[] = {kInput(0) | kInput(1), kInput(0) | kInput(1)};
  const char *name, *node;
  kernels::Function2 f;
  Tensor (*slope_of_first)(const Tensor& a, const Tensor& b);
  Tensor (*slope_of_second)(const Tensor& a, const Tensor& b);
  const char* op_name() const { return name; }
  const char* node_name() const { return node; }
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& y) const { return broadcast_items(*this, b, x, y); }
  Tensor forward(const Tensor& a, const Tensor& b) const { return mapped(name, f, a, b); }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    check<NotImplementedError>(i == 1 || slope_of_first, "the derivative for '", name, ": input' is not implemented. ",
                               "Detach the first argument.");
    return g * (i == 0 ? slope_of_first : slope_of_second)(s.input(0), s.input(1));
  }
};

// Slopes.
Tensor i0_slope(const Tensor& x, const Tensor&) { return special_i1(x); }
Tensor i0e_slope(const Tensor& x, const Tensor& y) { return special_i1e(x) - x.sgn() * y; }
/// slope - y / x, and its limit 1/2 at 0 (for PyTorch also where x is NaN).
Tensor less_quotient(const Tensor& slope, const Tensor& x, const Tensor& y) {
  const Tensor nothing = (x.abs() > 0).logical_not();
  return where(nothing, full({}, 0.5, y.scalar_type()), slope - y / x.masked_fill(nothing, 1));
}
Tensor i1_slope(const Tensor& x, const Tensor& y) { return less_quotient(i0(x), x, y); }
Tensor i1e_slope(const Tensor& x, const Tensor& y) { return less_quotient(special_i0e(x) - x.sgn() * y, x, y); }
Tensor entr_slope(const Tensor& x, const Tensor&) { return -(x.log() + 1); }
Tensor erfcx_slope(const Tensor& x, const Tensor& y) { return 2 * x * y - 1.12837916709551257390; }
Tensor log_ndtr_slope(const Tensor& x, const Tensor& y) { return (-(y + x * x / 2)).exp() * 0.39894228040143267794; }
Tensor ndtri_slope(const Tensor&, const Tensor& y) { return (y * y / 2).exp() * 2.50662827463100050242; }
Tensor zeta_slope(const Tensor& s, const Tensor& q) { return -(s * special_zeta(s + 1, q)); }
Tensor igamma_slope(const Tensor& a, const Tensor& x) { return ((a - 1) * x.log() - x - a.lgamma()).exp(); }
Tensor igammac_slope(const Tensor& a, const Tensor& x) { return -igamma_slope(a, x); }
Tensor xlog1py_slope(const Tensor& x, const Tensor& y) { return y.log1p().masked_fill((x == 0) & (y <= -1.0), 0); }
Tensor xlog1py_other_slope(const Tensor& x, const Tensor& y) { return x / (y + 1); }

const Tensor& checked(const Tensor& x, const char* op) {
  check_defined(x, op);
  return x;
}
Tensor gamma_part(const Smooth2& op, const Tensor& a, const Tensor& x) {
  check_defined(a, op.name, "input");
  check_defined(x, op.name, "other");
  check<TypeError>(is_floating_point(result_type(a, x)), op.name, ": not implemented for '", result_type(a, x),
                   "'. Convert first: x.to(taut::kFloat).");
  return apply(op, a, x);
}

}  // namespace

#define SMOOTH(function, name, node, keeps)                                                               \
  Tensor function(const Tensor& self) {                                                                   \
    return apply(Smooth1{#function, node, special::name, name##_slope, keeps}, checked(self, #function)); \
  }
SMOOTH(i0, i0, "I0Backward0", kResult())
SMOOTH(special_i0e, i0e, "SpecialI0EBackward0", 0)
SMOOTH(special_i1, i1, "SpecialI1Backward0", 0)
SMOOTH(special_i1e, i1e, "SpecialI1EBackward0", 0)
SMOOTH(special_entr, entr, "SpecialEntrBackward0", kResult())
SMOOTH(special_erfcx, erfcx, "SpecialErfcxBackward0", 0)
SMOOTH(special_log_ndtr, log_ndtr, "SpecialLogNdtrBackward0", 0)
SMOOTH(special_ndtri, ndtri, "SpecialNdtriBackward0", kInput(0))
#undef SMOOTH

#define PLAIN(name)                                                                         \
  Tensor special_##name(const Tensor& self) {                                               \
    return apply(Plain1{"special_" #name, special::name}, checked(self, "special_" #name)); \
  }
PLAIN(airy_ai)
PLAIN(bessel_j0)
PLAIN(bessel_j1)
PLAIN(bessel_y0)
PLAIN(bessel_y1)
PLAIN(modified_bessel_k0)
PLAIN(modified_bessel_k1)
PLAIN(scaled_modified_bessel_k0)
PLAIN(scaled_modified_bessel_k1)
PLAIN(spherical_bessel_j0)
#undef PLAIN
Tensor special_modified_bessel_i0(const Tensor& self) {
  return apply(Plain1{"special_modified_bessel_i0", special::i0}, checked(self, "special_modified_bessel_i0"));
}
Tensor special_modified_bessel_i1(const Tensor& self) {
  return apply(Plain1{"special_modified_bessel_i1", special::i1}, checked(self, "special_modified_bessel_i1"));
}

// Each of two operands may be a number.
#define NUMBERS(function, first, second)                                 \
  Tensor function(const Scalar& first, const Tensor& second) {           \
    return function(wrapped(first, checked(second, #function)), second); \
  }                                                                      \
  Tensor function(const Tensor& first, const Scalar& second) {           \
    return function(first, wrapped(second, checked(first, #function)));  \
  }
#define POLYNOMIAL(name)                                         \
  Tensor special_##name(const Tensor& x, const Tensor& n) {      \
    check_defined(x, "special_" #name, "x");                     \
    check_defined(n, "special_" #name, "n");                     \
    return apply(Plain2{"special_" #name, special::name}, x, n); \
  }                                                              \
  NUMBERS(special_##name, x, n)
POLYNOMIAL(chebyshev_polynomial_t)
POLYNOMIAL(chebyshev_polynomial_u)
POLYNOMIAL(chebyshev_polynomial_v)
POLYNOMIAL(chebyshev_polynomial_w)
POLYNOMIAL(shifted_chebyshev_polynomial_t)
POLYNOMIAL(shifted_chebyshev_polynomial_u)
POLYNOMIAL(shifted_chebyshev_polynomial_v)
POLYNOMIAL(shifted_chebyshev_polynomial_w)
POLYNOMIAL(hermite_polynomial_h)
POLYNOMIAL(hermite_polynomial_he)
POLYNOMIAL(laguerre_polynomial_l)
POLYNOMIAL(legendre_polynomial_p)
#undef POLYNOMIAL

Tensor special_zeta(const Tensor& self, const Tensor& other) {
  check_defined(self, "special_zeta", "self");
  check_defined(other, "special_zeta", "other");
  return apply(Smooth2{"zeta", "SpecialZetaBackward0", special::zeta, nullptr, zeta_slope}, self, other);
}
NUMBERS(special_zeta, self, other)
Tensor special_xlog1py(const Tensor& self, const Tensor& other) {
  check_defined(self, "special_xlog1py", "self");
  check_defined(other, "special_xlog1py", "other");
  return apply(
      Smooth2{"special_xlog1py", "SpecialXlog1PyBackward0", special::xlog1py, xlog1py_slope, xlog1py_other_slope}, self,
      other);
}
NUMBERS(special_xlog1py, self, other)
#undef NUMBERS

Tensor igamma(const Tensor& self, const Tensor& other) {
  return gamma_part({"igamma", "IgammaBackward0", special::igamma, nullptr, igamma_slope}, self, other);
}
Tensor igammac(const Tensor& self, const Tensor& other) {
  return gamma_part({"igammac", "IgammacBackward0", special::igammac, nullptr, igammac_slope}, self, other);
}
Tensor special_ndtr(const Tensor& self) { return erfc(checked(self, "special_ndtr") * -0.70710678118654752440) * 0.5; }
Tensor mvlgamma(const Tensor& self, int64_t p) {
  const AsDry as(self);
  check_defined(self, "mvlgamma");
  check<ValueError>(p >= 1, "mvlgamma: p has to be greater than or equal to 1, got ", p);
  const ScalarType dtype = floating(self.scalar_type());
  const Tensor steps = arange(Scalar(0.5 - 0.5 * static_cast<double>(p)), Scalar(0.25), Scalar(0.5), dtype);
  const double constant = 0.25 * 1.14472988584940017414 * static_cast<double>(p * (p - 1));
  return (self.to(dtype).unsqueeze(-1) + steps).lgamma().sum(-1) + constant;
}

Tensor& i0_(Tensor& self) {
  return in_place("i0_", self, [](const Tensor& x) { return i0(x); });
}
Tensor& igamma_(Tensor& self, const Tensor& other) {
  return in_place("igamma_", self, [&](const Tensor& x) { return igamma(x, other); });
}
Tensor& igammac_(Tensor& self, const Tensor& other) {
  return in_place("igammac_", self, [&](const Tensor& x) { return igammac(x, other); });
}
Tensor& mvlgamma_(Tensor& self, int64_t p) {
  return in_place("mvlgamma_", self, [&](const Tensor& x) { return mvlgamma(x, p); });
}

// What they are tried on.
#define WAVE "p(2, 3)\nu(3)\np()\np(0, 3)\nc([0.0, 1.5, 30.0])\nc([inf, -inf, nan])\ni(0, 3, 4)\nb(3)"
#define LINE "t(2, 3)\nt()\nt(0, 3)\nc([0.0, 7.5, -7.5, 20.0])\nc([inf, -inf, nan])\ni(-3, 4, 5)\nb(3)"
#define DEGREE                                                                                                     \
  "t(2, 3), i(0, 6, 3)\nu(3, 1), i(0, 20, 4)\nt(), i(3, 4)\nt(0, 3), i(0, 5, 3)\nc([1.0, -1.0, 1.0, -1.0, 0.0]), " \
  "c([4, "                                                                                                         \
  "4, 5, 5, 0])\nc([0.3, 2.5]), c([-1.0, 3.9])\ni(-2, 3, 4), i(0, 4, 4)\nt(2), i(0, 5, 3)"
#define DEGREE_OF_NUMBER "0.5, i(0, 12, 4)\n2, i(0, 5, 3)\n-1.5, i(3, 4)"
#define NUMBER_AS_DEGREE "t(2, 3), 4\nu(3), 12\nt(), 0\nt(0), 2\ni(-2, 3, 4), 3"
// There is no derivative with respect to the first argument, which is a whole number here.
#define PARTS                                                                                                     \
  "i(1, 4, 3), p(2, 3)\ni(1, 4, 2, 1), p(3)\ni(2, 3), p()\nc([60, 60, 5]), c([30.0, 90.0, 7.5])\nc([0, 0, 2, 2, " \
  "-1]), c([0.0, 1.0, 0.0, inf, 1.0])\ni(1, 4, 0), p(0)\ni(1, 4, 2), i(1, 4, 2)"
#define TT(f) [](const Tensor& a, const Tensor& b) { return f(a, b); }
#define TS(f) [](const Tensor& a, const Scalar& b) { return f(a, b); }
#define ST(f) [](const Scalar& a, const Tensor& b) { return f(a, b); }
#define OF_ONE(name, samples) op<name>(#name "(Tensor self) -> Tensor", samples)
#define POLYNOMIAL(name, text)                                                                              \
  doc(text, op("special_" #name "(Tensor x, Tensor n) -> Tensor", DEGREE, TT(special_##name))),             \
      op("special_" #name ".x_scalar(Scalar x, Tensor n) -> Tensor", DEGREE_OF_NUMBER, ST(special_##name)), \
      op("special_" #name ".n_scalar(Tensor x, Scalar n) -> Tensor", NUMBER_AS_DEGREE, TS(special_##name))

extern const OpEntry special_ops[];
extern const size_t special_ops_count;
const OpEntry special_ops[] = {
    doc("The modified Bessel function of the first kind, of order 0.",
        method(op<i0, i0_>("i0(Tensor self) -> Tensor", LINE))),
    doc("exp(-|x|) i0(x).", OF_ONE(special_i0e, LINE)),
    doc("The modified Bessel function of the first kind, of order 1.", OF_ONE(special_i1, LINE)),
    doc("exp(-|x|) i1(x).", OF_ONE(special_i1e, LINE)),
    doc("The Bessel function of the first kind, of order 0.", OF_ONE(special_bessel_j0, WAVE)),
    doc("The Bessel function of the first kind, of order 1.", OF_ONE(special_bessel_j1, WAVE)),
    doc("The Bessel function of the second kind, of order 0.", OF_ONE(special_bessel_y0, WAVE)),
    doc("The Bessel function of the second kind, of order 1.", OF_ONE(special_bessel_y1, WAVE)),
    doc("The modified Bessel function of the first kind, of order 0.", OF_ONE(special_modified_bessel_i0, LINE)),
    doc("The modified Bessel function of the first kind, of order 1.", OF_ONE(special_modified_bessel_i1, LINE)),
    doc("The modified Bessel function of the second kind, of order 0.", OF_ONE(special_modified_bessel_k0, WAVE)),
    doc("The modified Bessel function of the second kind, of order 1.", OF_ONE(special_modified_bessel_k1, WAVE)),
    doc("exp(x) modified_bessel_k0(x).", OF_ONE(special_scaled_modified_bessel_k0, WAVE)),
    doc("exp(x) modified_bessel_k1(x).", OF_ONE(special_scaled_modified_bessel_k1, WAVE)),
    doc("The spherical Bessel function of order 0, sin(x) / x.", OF_ONE(special_spherical_bessel_j0, WAVE)),
    doc("Airy's function Ai.",
        OF_ONE(special_airy_ai,
               "u(2, 3)\nt()\nt(0, 3)\nc([0.0, 1.6, 5.0, -1.75, -20.0])\nc([inf, nan])\ni(-3, 4, 5)\nb(3)")),
    doc("-x log(x); 0 at 0 and -inf below.",
        OF_ONE(special_entr, "p(2, 3)\np()\np(0, 3)\nc([0.0, -1.0, inf, nan])\ni(0, 4, 5)\nb(3)")),
    doc("exp(x^2) erfc(x).", OF_ONE(special_erfcx, LINE)),
    doc("The area under the bell curve up to x.", OF_ONE(special_ndtr, LINE)),
    doc("The logarithm of the area under the bell curve up to x.",
        OF_ONE(special_log_ndtr, "t(2, 3)\nt()\nt(0, 3)\nc([0.0, 5.0, -5.0, -20.0, nan])\ni(-3, 4, 5)\nb(3)")),
    doc("x for which the area under the bell curve up to x is given.",
        OF_ONE(special_ndtri,
               "c([0.25, 0.5, 0.875, 0.01])\nc([0.05, 0.995])\nc([0.0, 1.0, -0.5, nan])\nc([0.75])\np(0, 3)\ni(0, 2, "
               "3)\nb(3)")),
    POLYNOMIAL(chebyshev_polynomial_t, "Chebyshev's polynomial of the first kind of degree n."),
    POLYNOMIAL(chebyshev_polynomial_u, "Chebyshev's polynomial of the second kind of degree n."),
    POLYNOMIAL(chebyshev_polynomial_v, "Chebyshev's polynomial of the third kind of degree n."),
    POLYNOMIAL(chebyshev_polynomial_w, "Chebyshev's polynomial of the fourth kind of degree n."),
    POLYNOMIAL(shifted_chebyshev_polynomial_t, "chebyshev_polynomial_t of 2 x - 1."),
    POLYNOMIAL(shifted_chebyshev_polynomial_u, "chebyshev_polynomial_u of 2 x - 1."),
    POLYNOMIAL(shifted_chebyshev_polynomial_v, "chebyshev_polynomial_v of 2 x - 1."),
    POLYNOMIAL(shifted_chebyshev_polynomial_w, "chebyshev_polynomial_w of 2 x - 1."),
    POLYNOMIAL(hermite_polynomial_h, "Hermite's polynomial of degree n, as physicists write it."),
    POLYNOMIAL(hermite_polynomial_he, "Hermite's polynomial of degree n, as probability theory writes it."),
    POLYNOMIAL(laguerre_polynomial_l, "Laguerre's polynomial of degree n."),
    POLYNOMIAL(legendre_polynomial_p, "Legendre's polynomial of degree n."),
    doc("The sum of (other + k)^-self over k >= 0.", op("special_zeta(Tensor self, Tensor other) -> Tensor",
                                                        "i(2, 5, 3), p(2, 3)\ni(2, 5, 2, 1), p(3)\ni(2, 4), p()\nc([2, "
                                                        "1, 0, 3, 3]), c([-0.5, 2.0, 2.0, -1.0, -1.75])\ni(2, 5, "
                                                        "3), i(1, 4, 3)\ni(2, 5, 0), p(0)",
                                                        TT(special_zeta))),
    op("special_zeta.self_scalar(Scalar self, Tensor other) -> Tensor", "2.5, p(2, 3)\n3, p()\n2, i(1, 4, 3)",
       ST(special_zeta)),
    op("special_zeta.other_scalar(Tensor self, Scalar other) -> Tensor", "i(2, 5, 3), 0.75\ni(2, 5, 3), 2",
       TS(special_zeta)),
    doc("self * log(1 + other), and 0 where self is 0.",
        op("special_xlog1py(Tensor self, Tensor other) -> Tensor",
           "t(2, 3), p(3)\nt(2, 1), u(3)\nt(), p(2)\nt(0, 3), p(3)\nc([0.0, 0.0, 2.0, 0.0, 1.5]), c([-1.0, 2.0, -1.0, "
           "nan, 1e-9])\ni(0, 3, 3), i(1, 4, 3)",
           TT(special_xlog1py))),
    op("special_xlog1py.self_scalar(Scalar self, Tensor other) -> Tensor",
       "2.5, p(2, 3)\n0, u(2)\n1, p()\n3, i(1, 4, 2)", ST(special_xlog1py)),
    op("special_xlog1py.other_scalar(Tensor self, Scalar other) -> Tensor",
       "t(2, 3), 2.5\nt(), 3\nt(0), 1.0\ni(0, 3, 3), 2", TS(special_xlog1py)),
    doc("The part of the gamma function's integral below other, as a fraction.",
        method((op<igamma, igamma_>("igamma(Tensor self, Tensor other) -> Tensor", PARTS)))),
    doc("The part of the gamma function's integral above other, as a fraction.",
        method((op<igammac, igammac_>("igammac(Tensor self, Tensor other) -> Tensor", PARTS)))),
    doc("The logarithm of the gamma function of p dimensions.",
        method((op<mvlgamma, mvlgamma_>(
            "mvlgamma(Tensor self, int p) -> Tensor",
            "c([2.5, 3.0, 7.25]), 3\np(2, 3), 1\nc([1.75]), 2\np(0, 3), 2\ni(3, 6, 4), 2\np(2), 0")))),
};
const size_t special_ops_count = std::size(special_ops);

}  // namespace taut
