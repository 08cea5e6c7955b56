// Orthogonal polynomials, by their recurrences; Chebyshev's of a high degree inside of [-1, 1] as waves.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/maths.h"
#include "kernels/functions.h"
#include "taut/core/error.h"

namespace taut::special {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A degree as a whole number; those above -1 count as 0.
int64_t whole(double degree) { return degree > -1 ? static_cast<int64_t>(std::min(degree, 0x1p62)) : -1; }

/// p_n, given p_0, p_1 and p_(k+1) = next(k, p_k, p_(k-1)).
template <class F>
double recurrence(int64_t n, double first, double second, F next) {
  if (n == 0) return first;
  check<ValueError>(n <= int64_t{1} << 24, "a polynomial of degree ", n,
                    " takes too many steps; the limit is 16777216");
  double before = first, now = second;
  for (int64_t k = 1; k < n; ++k) {
    const double after = next(static_cast<double>(k), now, before);
    before = now;
    now = after;
    if (std::isnan(now)) break;
  }
  return now;
}

/// An angle whose cosine is x, to twice the digits of a double, so that its multiples keep theirs.
class Angle {
 public:
  explicit Angle(double x) : high_(maths::acos(x)), low_((maths::cos(high_) - x) / maths::sin(high_)) {}
  double cos(double n) const { return maths::cos(n * high_) - rest(n) * maths::sin(n * high_); }
  double sin(double n) const { return maths::sin(n * high_) + rest(n) * maths::cos(n * high_); }

 private:
  double rest(double n) const { return std::fma(n, high_, -(n * high_)) + n * low_; }
  double high_, low_;
};

/// Chebyshev's four share a recurrence and differ in p_1. `wave` is p_n as a function of the angle.
template <class F>
double chebyshev_kind(double x, int64_t n, double second, F wave) {
  if (n > 8 && std::abs(x) < 1) return wave(Angle(x), static_cast<double>(n));
  return recurrence(n, 1, second, [x](double, double now, double before) { return 2 * x * now - before; });
}

double odd_sign(int64_t n) { return n % 2 == 0 ? 1 : -1; }

}  // namespace

double chebyshev_polynomial_t(double x, double degree) {
  const int64_t n = whole(degree);
  if (n < 0) return 0;
  if (std::abs(x) == 1) return x > 0 ? 1 : odd_sign(n);
  return chebyshev_kind(x, n, x, [](const Angle& a, double k) { return a.cos(k); });
}
double chebyshev_polynomial_u(double x, double degree) {
  const int64_t n = whole(degree);
  if (n < 0) return 0;
  if (std::abs(x) == 1) return static_cast<double>(n + 1) * (x > 0 ? 1 : odd_sign(n));
  return chebyshev_kind(x, n, 2 * x, [](const Angle& a, double k) { return a.sin(k + 1) / a.sin(1); });
}
double chebyshev_polynomial_v(double x, double degree) {
  const int64_t n = whole(degree);
  if (n < 0) return 0;
  if (std::abs(x) == 1) return x > 0 ? 1 : static_cast<double>(2 * n + 1) * odd_sign(n);
  return chebyshev_kind(x, n, 2 * x - 1, [](const Angle& a, double k) { return a.cos(k + 0.5) / a.cos(0.5); });
}
double chebyshev_polynomial_w(double x, double degree) {
  const int64_t n = whole(degree);
  if (n < 0) return 0;
  if (std::abs(x) == 1) return x > 0 ? static_cast<double>(2 * n + 1) : odd_sign(n);
  return chebyshev_kind(x, n, 2 * x + 1, [](const Angle& a, double k) { return a.sin(k + 0.5) / a.sin(0.5); });
}
double shifted_chebyshev_polynomial_t(double x, double n) { return chebyshev_polynomial_t(x + x - 1, n); }
double shifted_chebyshev_polynomial_u(double x, double n) { return chebyshev_polynomial_u(x + x - 1, n); }
double shifted_chebyshev_polynomial_v(double x, double n) { return chebyshev_polynomial_v(x + x - 1, n); }
double shifted_chebyshev_polynomial_w(double x, double n) { return chebyshev_polynomial_w(x + x - 1, n); }

double hermite_polynomial_h(double x, double degree) {
  const int64_t n = whole(degree);
  if (n < 0) return 0;
  if (n > 512) return kNan;  // beyond what a double holds, as PyTorch says
  return recurrence(n, 1, 2 * x,
                    [x](double k, double now, double before) { return std::fma(2 * x, now, -2 * k * before); });
}
double hermite_polynomial_he(double x, double degree) {
  const int64_t n = whole(degree);
  if (n < 0) return 0;
  if (n > 512) return kNan;
  return recurrence(n, 1, x, [x](double k, double now, double before) { return std::fma(x, now, -k * before); });
}
double laguerre_polynomial_l(double x, double degree) {
  const int64_t n = whole(degree);
  if (n < 0) return 0;
  if (x == 0) return 1;
  return recurrence(n, 1, 1 - x, [x](double k, double now, double before) {
    return std::fma(2 * k + 1 - x, now, -k * before) / (k + 1);
  });
}
double legendre_polynomial_p(double x, double degree) {
  const int64_t n = whole(degree);
  if (n < 0) return 0;
  if (std::abs(x) == 1) return x > 0 ? 1 : odd_sign(n);
  return recurrence(n, 1, x, [x](double k, double now, double before) {
    return std::fma((2 * k + 1) * x, now, -k * before) / (k + 1);
  });
}

}  // namespace taut::special
