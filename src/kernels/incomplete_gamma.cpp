// The incomplete gamma functions: series, a continued fraction, and Temme's uniform expansion where a is large and x
// near.
#include <cmath>
#include <limits>

#include "kernels/chebyshev.h"
#include "kernels/functions.h"
#include "kernels/special.h"
#include "taut/core/maths.h"

namespace taut::special {

namespace {

constexpr double kEps = 1.1e-16, kNan = std::numeric_limits<double>::quiet_NaN();
constexpr int kMost = 2000;  // terms; more than are ever needed

/// exp(x) - 1
double expm1(double x) {
  if (std::abs(x) > 0.5) return maths::exp(x) - 1;
  double sum = 1;
  for (int k = 16; k > 1; --k) sum = 1 + sum * x / k;
  return sum * x;
}
/// log(1 + m) - m
double log1p_minus(double m) {
  if (std::abs(m) > 0.4) return maths::log1p(m) - m;
  // 2 atanh(r) with r = m / (2 + m), whose first term is m - r m.
  const double r = m / (2 + m), z = r * r;
  double sum = 0, power = 1;
  for (int k = 3; std::abs(power) > kEps * 1e-2; k += 2) {
    power *= z;
    sum += power / k;
  }
  return r * (2 * sum - m);
}
/// gamma(a + 1) / (sqrt(2 pi a) (a / e)^a) for a large a.
double stirling_rest(double a) {
  const double z = 1 / (a * a);
  const double series =
      1.0 / 12 + z * (-1.0 / 360 + z * (1.0 / 1260 + z * (-1.0 / 1680 + z * (1.0 / 1188 + z * (-691.0 / 360360)))));
  return maths::exp(series / a);
}
/// x^a exp(-x) / gamma(a + 1)
double first_term(double a, double x) {
  if (a < 12) return maths::exp(a * maths::log(x) - x - (a < 0.5 ? lgamma1p(a) : lgamma(a + 1)));
  const double m = (x - a) / a;
  return maths::exp(a * log1p_minus(m)) / (std::sqrt(6.28318530717958647693 * a) * stirling_rest(a));
}
/// The lower part, for an x that is not much larger than a.
double lower_series(double a, double x) {
  const double first = first_term(a, x);
  if (first == 0) return 0;
  double term = 1, sum = 1;
  for (int n = 1; n < kMost; ++n) {
    term *= x / (a + n);
    sum += term;
    if (term < kEps * sum) break;
  }
  return first * sum;
}
/// The upper part, for a small x: what is left of 1, without taking the difference of two large numbers.
double upper_series(double a, double x) {
  const double logarithm = a * maths::log(x), shape = a < 0.5 ? lgamma1p(a) : lgamma(a + 1);
  double term = 1, sum = 0;
  for (int n = 1; n < kMost; ++n) {
    term *= -x / n;
    const double part = term * a / (a + n);
    sum += part;
    if (std::abs(part) < kEps * std::abs(sum)) break;
  }
  return -expm1(logarithm - shape) - maths::exp(logarithm - shape) * sum;
}
/// The upper part, for an x larger than a: Legendre's continued fraction, by Lentz's method.
double upper_fraction(double a, double x) {
  const double first = first_term(a, x) * a;
  if (first == 0) return 0;
  double b = x + 1 - a, c = 1e300, d = 1 / b, h = d;
  for (int k = 1; k < kMost; ++k) {
    const double n = -k * (k - a);
    b += 2;
    d = n * d + b;
    d = 1 / (d == 0 ? 1e-300 : d);
    c = b + n / c;
    if (c == 0) c = 1e-300;
    const double factor = c * d;
    h *= factor;
    if (std::abs(factor - 1) < kEps * 2) break;
  }
  return first * h;
}
/// Both parts around x = a: `sign` is 1 for the upper one, -1 for the lower.
double around_a(double a, double x, double sign) {
  const double m = (x - a) / a, half = -log1p_minus(m);  // eta^2 / 2
  const double eta = std::copysign(std::sqrt(2 * half), m);
  double sum = 0;
  for (int k = 9; k >= 0; --k) {
    double row = 0;
    for (int n = 17; n >= 0; --n) row = row * eta + kAroundA[k][n];
    sum = sum / a + row;
  }
  return 0.5 * maths::erfc(sign * eta * std::sqrt(a / 2)) +
         sign * maths::exp(-a * half) * sum / std::sqrt(6.28318530717958647693 * a);
}
bool is_around(double a, double x) { return a > 50 && std::abs(x - a) < 0.3 * a; }

/// The values at the edges of the domain; NaN inside of it.
bool at_edge(double a, double x, double& lower) {
  if (std::isnan(a) || std::isnan(x) || a < 0 || x < 0) return lower = kNan, true;
  if (a == 0) return lower = x > 0 ? 1 : kNan, true;
  if (x == 0) return lower = 0, true;
  if (std::isinf(a)) return lower = std::isinf(x) ? kNan : 0, true;
  if (std::isinf(x)) return lower = 1, true;
  return false;
}

}  // namespace

double igamma(double a, double x) {
  double edge = 0;
  if (at_edge(a, x, edge)) return edge;
  if (is_around(a, x)) return around_a(a, x, -1);
  return x > 1 && x > a ? 1 - igammac(a, x) : lower_series(a, x);
}

double igammac(double a, double x) {
  double edge = 0;
  if (at_edge(a, x, edge)) return 1 - edge;
  if (is_around(a, x)) return around_a(a, x, 1);
  if (x > 1.1) return x < a ? 1 - lower_series(a, x) : upper_fraction(a, x);
  const bool low_is_small = x <= 0.5 ? -0.4 / maths::log(x) < a : x * 1.1 < a;
  return low_is_small ? 1 - lower_series(a, x) : upper_series(a, x);
}

}  // namespace taut::special
