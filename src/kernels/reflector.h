// Householder's reflector of one vector. Of internal linkage, as it is compiled for several instruction sets.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace taut {

/// The length of a vector. Squares that overflow or vanish are taken of scaled numbers.
template <class T>
static T length(int64_t n, const T* x, int64_t stride) {
  T sum = 0, most = 0;
  for (int64_t i = 0; i < n; ++i) sum += x[i * stride] * x[i * stride];
  constexpr T kLow = std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon();
  if (sum >= kLow && sum <= std::numeric_limits<T>::max()) return std::sqrt(sum);
  for (int64_t i = 0; i < n; ++i) most = std::max(most, std::abs(x[i * stride]));
  if (most == 0 || most > std::numeric_limits<T>::max() || std::isnan(sum)) return std::sqrt(sum);
  sum = 0;
  for (int64_t i = 0; i < n; ++i) {
    const T v = x[i * stride] / most;
    sum += v * v;
  }
  return std::sqrt(sum) * most;
}

/// Makes x[0] the only element that is not 0, by I - tau v v'. v[0] = 1, the rest of v is left in the place of x[1...];
/// x[0] stays. Returns what x[0] becomes.
template <class T>
static T make_reflector(int64_t n, T* x, int64_t stride, T& tau) {
  const T alpha = x[0], rest = length(n - 1, x + stride, stride);
  tau = 0;
  if (rest == 0) return alpha;
  const T both[2] = {alpha, rest};
  const T beta = std::signbit(alpha) ? length(2, both, 1) : -length(2, both, 1);
  tau = (beta - alpha) / beta;
  const T scale = 1 / (alpha - beta);
  for (int64_t i = 1; i < n; ++i) x[i * stride] *= scale;
  return beta;
}

}  // namespace taut
