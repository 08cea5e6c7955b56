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

/// One name for all overloads of an op, and for what has a destination.
#define TAUT_SPECIAL_OUT(name, op)                         \
  template <class... T>                                    \
  Tensor& name##_out(Tensor& out, const T&... arguments) { \
    return taut::op##_out(out, arguments...);              \
  }
#define TAUT_SPECIAL(name, op)       \
  template <class... T>              \
  auto name(const T&... arguments) { \
    return taut::op(arguments...);   \
  }                                  \
  TAUT_SPECIAL_OUT(name, op)
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
TAUT_SPECIAL_OUT(digamma, digamma)
TAUT_SPECIAL_OUT(erf, erf)
TAUT_SPECIAL_OUT(erfc, erfc)
TAUT_SPECIAL_OUT(erfinv, erfinv)
TAUT_SPECIAL_OUT(exp2, exp2)
TAUT_SPECIAL_OUT(expm1, expm1)
TAUT_SPECIAL_OUT(i0, i0)
TAUT_SPECIAL_OUT(log1p, log1p)
TAUT_SPECIAL_OUT(logit, logit)
TAUT_SPECIAL_OUT(polygamma, polygamma)
TAUT_SPECIAL_OUT(round, round)
TAUT_SPECIAL_OUT(sinc, sinc)
TAUT_SPECIAL_OUT(xlogy, xlogy)
TAUT_SPECIAL_OUT(logsumexp, logsumexp)
#undef TAUT_SPECIAL
}  // namespace torch::special

namespace at {
/// at::special_erf and the others that are ops by another name.
#define TAUT_SPECIAL(name, op)                                       \
  template <class... T>                                              \
  auto special_##name(const T&... arguments) {                       \
    return taut::op(arguments...);                                   \
  }                                                                  \
  template <class... T>                                              \
  Tensor& special_##name##_out(Tensor& out, const T&... arguments) { \
    return taut::op##_out(out, arguments...);                        \
  }                                                                  \
  template <class... T>                                              \
  Tensor& special_##name##_outf(T&&... arguments) {                  \
    return taut::op##_outf(std::forward<T>(arguments)...);           \
  }
TAUT_SPECIAL(digamma, digamma)
TAUT_SPECIAL(erf, erf)
TAUT_SPECIAL(erfc, erfc)
TAUT_SPECIAL(erfinv, erfinv)
TAUT_SPECIAL(exp2, exp2)
TAUT_SPECIAL(expm1, expm1)
TAUT_SPECIAL(i0, i0)
TAUT_SPECIAL(log1p, log1p)
TAUT_SPECIAL(logit, logit)
TAUT_SPECIAL(polygamma, polygamma)
TAUT_SPECIAL(round, round)
TAUT_SPECIAL(sinc, sinc)
TAUT_SPECIAL(xlogy, xlogy)
TAUT_SPECIAL(expit, sigmoid)
TAUT_SPECIAL(gammainc, igamma)
TAUT_SPECIAL(gammaincc, igammac)
TAUT_SPECIAL(gammaln, lgamma)
TAUT_SPECIAL(multigammaln, mvlgamma)
TAUT_SPECIAL(psi, digamma)
#undef TAUT_SPECIAL
#undef TAUT_SPECIAL_OUT
inline Tensor special_logsumexp(const Tensor& self, IntArrayRef dim, bool keepdim = false) {
  return taut::logsumexp(self, dim, keepdim);
}
inline Tensor& special_logsumexp_out(Tensor& out, const Tensor& self, IntArrayRef dim, bool keepdim = false) {
  return taut::logsumexp_out(out, self, dim, keepdim);
}
inline Tensor special_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt) {
  return taut::softmax(self, dim, dtype);
}
inline Tensor special_log_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt) {
  return taut::log_softmax(self, dim, dtype);
}
}  // namespace at
