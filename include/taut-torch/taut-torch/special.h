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
using taut::log1p;
using taut::log_softmax;
using taut::logit;
using taut::logsumexp;
using taut::polygamma;
using taut::round;
using taut::sinc;
using taut::softmax;
using taut::xlogy;
inline Tensor expit(const Tensor& self) { return sigmoid(self); }
inline Tensor gammaln(const Tensor& self) { return lgamma(self); }
inline Tensor psi(const Tensor& self) { return digamma(self); }
/// x log(1 + y), and 0 where x is 0.
inline Tensor xlog1py(const Tensor& self, const Tensor& other) {
  return where(other.isnan(), other, where(self == 0, zeros_like(self), self * log1p(other)));
}
/// -x log x; 0 at 0, -inf below.
inline Tensor entr(const Tensor& self) { return where(self < 0, full_like(self, -INFINITY), -xlogy(self, self)); }
/// The area under the bell curve up to x, and its inverse.
inline Tensor ndtr(const Tensor& self) { return 0.5 * erfc(self * -0.70710678118654752440); }
inline Tensor ndtri(const Tensor& self) { return 1.41421356237309504880 * erfinv(2 * self - 1); }
/// The logarithm of the gamma function of p dimensions.
inline Tensor multigammaln(const Tensor& self, int64_t p) {
  Tensor sum = full_like(self, static_cast<double>(p * (p - 1)) * 0.25 * 1.14472988584940017414);
  for (int64_t j = 0; j < p; ++j) sum = sum + lgamma(self - 0.5 * static_cast<double>(j));
  return sum;
}
}  // namespace torch::special
