// Sums of Chebyshev polynomials, whose coefficients are in special_tables.inc.
#pragma once
#include <cstddef>

namespace taut::special {

#include "kernels/special_tables.inc"

/// c[0] + c[1] T1(t) + c[2] T2(t) + ... for t in [-1, 1], by Clenshaw's recurrence.
template <size_t N>
double chebyshev(const double (&c)[N], double t) {
  double a = 0, b = 0;
  for (size_t k = N - 1; k > 0; --k) {
    const double next = 2 * t * a - b + c[k];
    b = a;
    a = next;
  }
  return t * a - b + c[0];
}

/// x - root, where the root is the sum of two doubles.
inline double from_root(double x, const double (&root)[2]) { return (x - root[0]) - root[1]; }

}  // namespace taut::special
