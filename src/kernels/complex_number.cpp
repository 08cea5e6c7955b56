#include "kernels/complex_number.h"

#include "taut/core/maths.h"

namespace taut::plain::functions {

namespace {
double hypot(double x, double y) {
  x = std::fabs(x), y = std::fabs(y);
  if (std::isinf(x) || std::isinf(y)) return INFINITY;
  const double high = x > y ? x : y, low = x > y ? y : x;
  if (high == 0 || high != high || low != low) return high + low;
  if (high < 0x1p500 && high > 0x1p-480) return std::sqrt(high * high + low * low);
  const double ratio = low / high;
  return high * std::sqrt(1 + ratio * ratio);
}
double asinh(double x) {
  const double a = std::fabs(x);
  return std::copysign(
      a > 0x1p500 ? maths::log(a) + 0.6931471805599453 : maths::log1p(a + a * a / (1 + std::sqrt(1 + a * a))), x);
}
double cosh(double x) {
  const double half = maths::exp(0.5 * std::fabs(x));  // of a large x the square alone would overflow too early
  return 0.5 * half * half + 0.5 / half / half;
}
double sinh(double x) {
  const double a = std::fabs(x);
  if (a > 700) return std::copysign(cosh(x), x);
  const double e = maths::expm1(a);
  return std::copysign(0.5 * (e + e / (e + 1)), x);
}
/// x sin(y) or x cos(y), where a part that is exactly on an axis stays there even if x is infinite.
double times(double x, double y) { return y == 0 ? y * (x != x ? x : 1) : x * y; }
}  // namespace

double abs(Z z) { return hypot(z.real(), z.imag()); }

double atan2(double y, double x) {
  constexpr double pi = 3.141592653589793, rest = 1.2246467991473532e-16;  // pi in two pieces
  if (x != x || y != y) return x + y;
  const double a = std::fabs(x), b = std::fabs(y);
  double r;
  if (b == 0) r = 0;
  else if (std::isinf(a) && std::isinf(b)) r = pi / 4;
  else if (b > a) r = pi / 2 - (maths::atan(a / b) - rest / 2);
  else r = maths::atan(b / a);
  if (std::signbit(x)) r = pi - (r - rest);
  return std::copysign(r, y);
}

Z exp(Z z) {
  const double e = maths::exp(z.real());
  if (z.imag() == 0) return {e, z.imag()};
  if (std::isinf(z.real()) && z.real() < 0 && !std::isfinite(z.imag())) return {0, 0};
  return {times(e, maths::cos(z.imag())), times(e, maths::sin(z.imag()))};
}
Z expm1(Z z) {
  if (z.imag() == 0) return {maths::expm1(z.real()), z.imag()};
  const double s = maths::sin(0.5 * z.imag()), e = maths::expm1(z.real());
  return {e * maths::cos(z.imag()) - 2 * s * s, (e + 1) * maths::sin(z.imag())};
}
Z log(Z z) {
  const double size = abs(z), x = std::fabs(z.real()), y = std::fabs(z.imag());
  const double high = x > y ? x : y, low = x > y ? y : x;
  // Near the unit circle the logarithm of the rounded size would have few digits.
  const double real =
      size > 0.5 && size < 2 ? 0.5 * maths::log1p((high - 1) * (high + 1) + low * low) : maths::log(size);
  return {real, atan2(z.imag(), z.real())};
}
Z log1p(Z z) {
  const double x = z.real(), y = z.imag();
  if (std::fabs(x) > 0.5 || std::fabs(y) > 0.5) return log({1 + x, y});
  return {0.5 * maths::log1p(x * (x + 2) + y * y), atan2(y, 1 + x)};
}
Z sqrt(Z z) {
  const double x = z.real(), y = z.imag();
  if (x == 0 && y == 0) return {0, y};
  if (std::isinf(y)) return {INFINITY, y};
  if (std::isinf(x)) {
    const double zero = y != y ? y : 0;
    return x > 0 ? Z(x, std::copysign(zero, y)) : Z(std::fabs(zero), std::copysign(x, y));
  }
  const double small = std::fabs(x) < 0x1p-1000 && std::fabs(y) < 0x1p-1000 ? 0x1p60 : 0.25;  // no sum overflows
  const double a = std::fabs(x) * small, b = y * small;
  const double t = std::sqrt((a + hypot(a, b)) / 2), back = small == 0.25 ? 2 : 0x1p-30;
  const double main = t * back, other = std::fabs(b) / (2 * t) * back;
  return x >= 0 ? Z(main, std::copysign(other, y)) : Z(other, std::copysign(main, y));
}
Z pow(Z z, Z exponent) {
  if (exponent == Z()) return 1.0;
  if (z == Z()) return exponent.real() > 0 ? Z() : Z(exponent.real() < 0 ? INFINITY : NAN, NAN);
  return exp(exponent * log(z));
}

Z sinh(Z z) {
  const double x = z.real(), y = z.imag();
  if (y == 0) return {sinh(x), y};
  return {times(sinh(x), maths::cos(y)), times(cosh(x), maths::sin(y))};
}
Z cosh(Z z) {
  const double x = z.real(), y = z.imag();
  if (y == 0) return {cosh(x), x == 0 ? x * y : std::copysign(y, x * y)};
  return {times(cosh(x), maths::cos(y)), times(sinh(x), maths::sin(y))};
}
Z tanh(Z z) {
  const double x = z.real(), y = z.imag();
  if (std::fabs(x) > 20) {
    const double e = maths::exp(-2 * std::fabs(x));
    return {std::copysign(1.0, x), std::isfinite(y) ? 4 * maths::sin(y) * maths::cos(y) * e : std::copysign(0.0, y)};
  }
  const double t = maths::tan(y), b = 1 + t * t, s = sinh(x), r = std::sqrt(1 + s * s), d = 1 + b * s * s;
  return {b * r * s / d, t / d};
}

Z asin(Z z) {
  const Z low = sqrt({1 - z.real(), -z.imag()}), high = sqrt({1 + z.real(), z.imag()});
  return {atan2(z.real(), (low * high).real()), asinh((conj(low) * high).imag())};
}
Z acos(Z z) {
  const Z low = sqrt({1 - z.real(), -z.imag()}), high = sqrt({1 + z.real(), z.imag()});
  return {2 * atan2(low.real(), high.real()), asinh((conj(high) * low).imag())};
}
Z asinh(Z z) {
  const Z w = asin({-z.imag(), z.real()});
  return {w.imag(), -w.real()};
}
Z acosh(Z z) {
  const Z low = sqrt({z.real() - 1, z.imag()}), high = sqrt({z.real() + 1, z.imag()});
  return {asinh((conj(low) * high).real()), 2 * atan2(low.imag(), high.real())};
}
Z atanh(Z z) {
  const double x = z.real(), y = z.imag();
  if (std::fabs(x) > 0x1p300 || std::fabs(y) > 0x1p300)  // no room for squares
    return {(Z(1) / z).real(), std::copysign(1.5707963267948966, y)};
  return {0.25 * maths::log1p(4 * x / ((1 - x) * (1 - x) + y * y)), 0.5 * atan2(2 * y, (1 - x) * (1 + x) - y * y)};
}

}  // namespace taut::plain::functions
