// Householder's reflector of one vector. Of internal linkage, as it is compiled for several instruction sets.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "kernels/field.h"

namespace taut {

/// The length of a vector. Squares that overflow or vanish are taken of scaled numbers.
template <class T>
static Real<T> length(int64_t n, const T* x, int64_t stride) {
  using R = Real<T>;
  R sum = 0, most = 0;
  for (int64_t i = 0; i < n; ++i) sum += square_of(x[i * stride]);
  constexpr R kLow = std::numeric_limits<R>::min() / std::numeric_limits<R>::epsilon();
  if (sum >= kLow && sum <= std::numeric_limits<R>::max()) return std::sqrt(sum);
  for (int64_t i = 0; i < n; ++i) most = std::max(most, size_of(x[i * stride]));
  if (most == 0 || most > std::numeric_limits<R>::max() || std::isnan(sum)) return std::sqrt(sum);
  sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += square_of(x[i * stride] / most);
  return std::sqrt(sum) * most;
}

/// Makes x[0], a real number then, the only element that is not 0, by the adjoint of I - tau v v'. v[0] = 1, the rest
/// of v is left in the place of x[1...]; x[0] stays. Returns what x[0] becomes.
template <class T>
static Real<T> make_reflector(int64_t n, T* x, int64_t stride, T& tau) {
  using R = Real<T>;
  const R both[3] = {real_of(x[0]), length(n - 1, x + stride, stride), imag_of(x[0])}, alpha = both[0];
  tau = 0;
  if (both[1] == 0 && both[2] == 0) return alpha;
  const R size = length(kComplexField<T> ? 3 : 2, both, 1), beta = alpha < 0 ? size : -size;  // so for -0

  if constexpr (kComplexField<T>) tau = T((beta - alpha) / beta, -both[2] / beta);
  else tau = (beta - alpha) / beta;
  const T scale = T(1) / (x[0] - beta);
  for (int64_t i = 1; i < n; ++i) x[i * stride] *= scale;
  return beta;
}

}  // namespace taut
