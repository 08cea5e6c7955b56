// The rarely used special functions, one number at a time, and the loop over many. Those of formulas are in special.h.
#pragma once
#include <cstdint>

namespace taut::special {

// Bessel functions of order 0 and 1, modified ones (i, k), with the exponential taken out (i0e, scaled).
double bessel_j0(double x);
double bessel_j1(double x);
double bessel_y0(double x);
double bessel_y1(double x);
double i0(double x);
double i0e(double x);
double i1(double x);
double i1e(double x);
double modified_bessel_k0(double x);
double modified_bessel_k1(double x);
double scaled_modified_bessel_k0(double x);
double scaled_modified_bessel_k1(double x);
double spherical_bessel_j0(double x);
double airy_ai(double x);

/// exp(x^2) erfc(x)
double erfcx(double x);
/// The logarithm of the area under the bell curve up to x, and x by the area.
double log_ndtr(double x);
double ndtri(double p);

/// -x log(x)
double entr(double x);
/// x log(1 + y), and 0 where x is 0
double xlog1py(double x, double y);
/// sum over k >= 0 of (q + k)^-s (Hurwitz), by Euler and Maclaurin; PyTorch's values where there is no such sum.
double zeta(double s, double q);
/// The sum itself, for s > 1; below 0 for whole s only, and not at q = 0, -1, ...
double hurwitz(double s, double q);
/// lgamma(1 + x) for |x| <= 1/2, exact near 0.
double lgamma1p(double x);
/// The part of the gamma function's integral below x, and the part above, as fractions of the whole.
double igamma(double a, double x);
double igammac(double a, double x);

// Orthogonal polynomials of degree n, cut off to a whole number; 0 where n is negative.
double chebyshev_polynomial_t(double x, double n);
double chebyshev_polynomial_u(double x, double n);
double chebyshev_polynomial_v(double x, double n);
double chebyshev_polynomial_w(double x, double n);
double shifted_chebyshev_polynomial_t(double x, double n);
double shifted_chebyshev_polynomial_u(double x, double n);
double shifted_chebyshev_polynomial_v(double x, double n);
double shifted_chebyshev_polynomial_w(double x, double n);
double hermite_polynomial_h(double x, double n);
double hermite_polynomial_he(double x, double n);
double laguerre_polynomial_l(double x, double n);
double legendre_polynomial_p(double x, double n);

}  // namespace taut::special

namespace taut::kernels {

using Function1 = double (*)(double);
using Function2 = double (*)(double, double);
/// y[i] = f(x[i]), or f(a[i], b[i]), for i < n; y may be one of the others.
void map(double* y, const double* x, int64_t n, Function1 f);
void map(double* y, const double* a, const double* b, int64_t n, Function2 f);

}  // namespace taut::kernels
