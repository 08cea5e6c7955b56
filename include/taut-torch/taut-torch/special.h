// torch::special: second names of ops, and what they are made of.
#pragma once
#include "taut-torch/names.h"

namespace torch::special {
using taut::Scalar;
using taut::Tensor;

using taut::digamma;
using taut::erf;
using taut::erfc;
using taut::erfinv;
using taut::exp2;
using taut::expm1;
using taut::i0;
using taut::log1p;
using taut::log_softmax;
using taut::logit;
using taut::logsumexp;
using taut::polygamma;
using taut::round;
using taut::sinc;
using taut::softmax;
using taut::xlogy;

/// One name for all overloads of an op.
#define TAUT_SPECIAL(name, op)       \
  template <class... T>              \
  auto name(const T&... arguments) { \
    return taut::op(arguments...);   \
  }
TAUT_SPECIAL(airy_ai, special_airy_ai)
TAUT_SPECIAL(bessel_j0, special_bessel_j0)
TAUT_SPECIAL(bessel_j1, special_bessel_j1)
TAUT_SPECIAL(bessel_y0, special_bessel_y0)
TAUT_SPECIAL(bessel_y1, special_bessel_y1)
TAUT_SPECIAL(chebyshev_polynomial_t, special_chebyshev_polynomial_t)
TAUT_SPECIAL(chebyshev_polynomial_u, special_chebyshev_polynomial_u)
TAUT_SPECIAL(chebyshev_polynomial_v, special_chebyshev_polynomial_v)
TAUT_SPECIAL(chebyshev_polynomial_w, special_chebyshev_polynomial_w)
TAUT_SPECIAL(entr, special_entr)
TAUT_SPECIAL(erfcx, special_erfcx)
TAUT_SPECIAL(hermite_polynomial_h, special_hermite_polynomial_h)
TAUT_SPECIAL(hermite_polynomial_he, special_hermite_polynomial_he)
TAUT_SPECIAL(i0e, special_i0e)
TAUT_SPECIAL(i1, special_i1)
TAUT_SPECIAL(i1e, special_i1e)
TAUT_SPECIAL(laguerre_polynomial_l, special_laguerre_polynomial_l)
TAUT_SPECIAL(legendre_polynomial_p, special_legendre_polynomial_p)
TAUT_SPECIAL(log_ndtr, special_log_ndtr)
TAUT_SPECIAL(modified_bessel_i0, special_modified_bessel_i0)
TAUT_SPECIAL(modified_bessel_i1, special_modified_bessel_i1)
TAUT_SPECIAL(modified_bessel_k0, special_modified_bessel_k0)
TAUT_SPECIAL(modified_bessel_k1, special_modified_bessel_k1)
TAUT_SPECIAL(ndtr, special_ndtr)
TAUT_SPECIAL(ndtri, special_ndtri)
TAUT_SPECIAL(scaled_modified_bessel_k0, special_scaled_modified_bessel_k0)
TAUT_SPECIAL(scaled_modified_bessel_k1, special_scaled_modified_bessel_k1)
TAUT_SPECIAL(shifted_chebyshev_polynomial_t, special_shifted_chebyshev_polynomial_t)
TAUT_SPECIAL(shifted_chebyshev_polynomial_u, special_shifted_chebyshev_polynomial_u)
TAUT_SPECIAL(shifted_chebyshev_polynomial_v, special_shifted_chebyshev_polynomial_v)
TAUT_SPECIAL(shifted_chebyshev_polynomial_w, special_shifted_chebyshev_polynomial_w)
TAUT_SPECIAL(spherical_bessel_j0, special_spherical_bessel_j0)
TAUT_SPECIAL(xlog1py, special_xlog1py)
TAUT_SPECIAL(zeta, special_zeta)
TAUT_SPECIAL(expit, sigmoid)
TAUT_SPECIAL(gammainc, igamma)
TAUT_SPECIAL(gammaincc, igammac)
TAUT_SPECIAL(gammaln, lgamma)
TAUT_SPECIAL(multigammaln, mvlgamma)
TAUT_SPECIAL(psi, digamma)
#undef TAUT_SPECIAL
}  // namespace torch::special
