// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// The modified Bessel function of the first kind, of order 0.
Tensor i0(const Tensor& self);
Tensor& i0_(Tensor& self);
/// exp(-|x|) i0(x).
Tensor special_i0e(const Tensor& self);
/// The modified Bessel function of the first kind, of order 1.
Tensor special_i1(const Tensor& self);
/// exp(-|x|) i1(x).
Tensor special_i1e(const Tensor& self);
/// The Bessel function of the first kind, of order 0.
Tensor special_bessel_j0(const Tensor& self);
/// The Bessel function of the first kind, of order 1.
Tensor special_bessel_j1(const Tensor& self);
/// The Bessel function of the second kind, of order 0.
Tensor special_bessel_y0(const Tensor& self);
/// The Bessel function of the second kind, of order 1.
Tensor special_bessel_y1(const Tensor& self);
/// The modified Bessel function of the first kind, of order 0.
Tensor special_modified_bessel_i0(const Tensor& self);
/// The modified Bessel function of the first kind, of order 1.
Tensor special_modified_bessel_i1(const Tensor& self);
/// The modified Bessel function of the second kind, of order 0.
Tensor special_modified_bessel_k0(const Tensor& self);
/// The modified Bessel function of the second kind, of order 1.
Tensor special_modified_bessel_k1(const Tensor& self);
/// exp(x) modified_bessel_k0(x).
Tensor special_scaled_modified_bessel_k0(const Tensor& self);
/// exp(x) modified_bessel_k1(x).
Tensor special_scaled_modified_bessel_k1(const Tensor& self);
/// The spherical Bessel function of order 0, sin(x) / x.
Tensor special_spherical_bessel_j0(const Tensor& self);
/// Airy's function Ai.
Tensor special_airy_ai(const Tensor& self);
/// -x log(x); 0 at 0 and -inf below.
Tensor special_entr(const Tensor& self);
/// exp(x^2) erfc(x).
Tensor special_erfcx(const Tensor& self);
/// The area under the bell curve up to x.
Tensor special_ndtr(const Tensor& self);
/// The logarithm of the area under the bell curve up to x.
Tensor special_log_ndtr(const Tensor& self);
/// x for which the area under the bell curve up to x is given.
Tensor special_ndtri(const Tensor& self);
/// Chebyshev's polynomial of the first kind of degree n.
Tensor special_chebyshev_polynomial_t(const Tensor& x, const Tensor& n);
Tensor special_chebyshev_polynomial_t(const Scalar& x, const Tensor& n);
Tensor special_chebyshev_polynomial_t(const Tensor& x, const Scalar& n);
/// Chebyshev's polynomial of the second kind of degree n.
Tensor special_chebyshev_polynomial_u(const Tensor& x, const Tensor& n);
Tensor special_chebyshev_polynomial_u(const Scalar& x, const Tensor& n);
Tensor special_chebyshev_polynomial_u(const Tensor& x, const Scalar& n);
/// Chebyshev's polynomial of the third kind of degree n.
Tensor special_chebyshev_polynomial_v(const Tensor& x, const Tensor& n);
Tensor special_chebyshev_polynomial_v(const Scalar& x, const Tensor& n);
Tensor special_chebyshev_polynomial_v(const Tensor& x, const Scalar& n);
/// Chebyshev's polynomial of the fourth kind of degree n.
Tensor special_chebyshev_polynomial_w(const Tensor& x, const Tensor& n);
Tensor special_chebyshev_polynomial_w(const Scalar& x, const Tensor& n);
Tensor special_chebyshev_polynomial_w(const Tensor& x, const Scalar& n);
/// chebyshev_polynomial_t of 2 x - 1.
Tensor special_shifted_chebyshev_polynomial_t(const Tensor& x, const Tensor& n);
Tensor special_shifted_chebyshev_polynomial_t(const Scalar& x, const Tensor& n);
Tensor special_shifted_chebyshev_polynomial_t(const Tensor& x, const Scalar& n);
/// chebyshev_polynomial_u of 2 x - 1.
Tensor special_shifted_chebyshev_polynomial_u(const Tensor& x, const Tensor& n);
Tensor special_shifted_chebyshev_polynomial_u(const Scalar& x, const Tensor& n);
Tensor special_shifted_chebyshev_polynomial_u(const Tensor& x, const Scalar& n);
/// chebyshev_polynomial_v of 2 x - 1.
Tensor special_shifted_chebyshev_polynomial_v(const Tensor& x, const Tensor& n);
Tensor special_shifted_chebyshev_polynomial_v(const Scalar& x, const Tensor& n);
Tensor special_shifted_chebyshev_polynomial_v(const Tensor& x, const Scalar& n);
/// chebyshev_polynomial_w of 2 x - 1.
Tensor special_shifted_chebyshev_polynomial_w(const Tensor& x, const Tensor& n);
Tensor special_shifted_chebyshev_polynomial_w(const Scalar& x, const Tensor& n);
Tensor special_shifted_chebyshev_polynomial_w(const Tensor& x, const Scalar& n);
/// Hermite's polynomial of degree n, as physicists write it.
Tensor special_hermite_polynomial_h(const Tensor& x, const Tensor& n);
Tensor special_hermite_polynomial_h(const Scalar& x, const Tensor& n);
Tensor special_hermite_polynomial_h(const Tensor& x, const Scalar& n);
/// Hermite's polynomial of degree n, as probability theory writes it.
Tensor special_hermite_polynomial_he(const Tensor& x, const Tensor& n);
Tensor special_hermite_polynomial_he(const Scalar& x, const Tensor& n);
Tensor special_hermite_polynomial_he(const Tensor& x, const Scalar& n);
/// Laguerre's polynomial of degree n.
Tensor special_laguerre_polynomial_l(const Tensor& x, const Tensor& n);
Tensor special_laguerre_polynomial_l(const Scalar& x, const Tensor& n);
Tensor special_laguerre_polynomial_l(const Tensor& x, const Scalar& n);
/// Legendre's polynomial of degree n.
Tensor special_legendre_polynomial_p(const Tensor& x, const Tensor& n);
Tensor special_legendre_polynomial_p(const Scalar& x, const Tensor& n);
Tensor special_legendre_polynomial_p(const Tensor& x, const Scalar& n);
/// The sum of (other + k)^-self over k >= 0.
Tensor special_zeta(const Tensor& self, const Tensor& other);
Tensor special_zeta(const Scalar& self, const Tensor& other);
Tensor special_zeta(const Tensor& self, const Scalar& other);
/// self * log(1 + other), and 0 where self is 0.
Tensor special_xlog1py(const Tensor& self, const Tensor& other);
Tensor special_xlog1py(const Scalar& self, const Tensor& other);
Tensor special_xlog1py(const Tensor& self, const Scalar& other);
/// The part of the gamma function's integral below other, as a fraction.
Tensor igamma(const Tensor& self, const Tensor& other);
Tensor& igamma_(Tensor& self, const Tensor& other);
/// The part of the gamma function's integral above other, as a fraction.
Tensor igammac(const Tensor& self, const Tensor& other);
Tensor& igammac_(Tensor& self, const Tensor& other);
/// The logarithm of the gamma function of p dimensions.
Tensor mvlgamma(const Tensor& self, int64_t p);
Tensor& mvlgamma_(Tensor& self, int64_t p);

}  // namespace taut
