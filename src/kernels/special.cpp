// erfinv by Halley steps, digamma and polygamma by recurrence and asymptotic series.
#include "kernels/special.h"

#include <cmath>
#include <limits>

#include "taut/core/error.h"

namespace taut::special {

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Bernoulli numbers B2, B4, ... of the asymptotic series.
constexpr double kBernoulli[] = {1.0 / 6,       -1.0 / 30, 1.0 / 42,      -1.0 / 30,     5.0 / 66,
                                 -691.0 / 2730, 7.0 / 6,   -3617.0 / 510, 43867.0 / 798, -174611.0 / 330};

/// sum over k >= 0 of (x + k)^-s for an integer s >= 2 (Hurwitz), by Euler and Maclaurin.
double zeta(double s, double x) {
  if (x < 0) {  // the terms below zero are the difference of two sums above it
    const double below = std::floor(x) + 1 - x, sign = std::fmod(s, 2) == 0 ? 1 : -1;
    return sign * (zeta(s, below) - zeta(s, 1 - x)) + zeta(s, 1 - below);
  }
  double sum = 0;
  while (x < 16) {
    sum += std::pow(x, -s);
    x += 1;
  }
  if (std::isinf(x)) return sum;
  double power = std::pow(x, -s);
  sum += power * x / (s - 1) + power / 2;
  power /= x;
  double factor = s;  // s (s + 1) ... (s + 2j) / (2j + 2)!, without the power of x
  for (int j = 0; j < 10; ++j) {
    if (j > 0) factor *= (s + 2 * j - 1) * (s + 2 * j);
    factor /= (2 * j + 1) * (2 * j + 2);
    const double term = kBernoulli[j] * factor * power;
    sum += term;
    if (std::abs(term) < 1e-17 * std::abs(sum)) break;
    power /= x * x;
  }
  return sum;
}

}  // namespace

double erfinv(double y) {
  if (!(std::abs(y) < 1)) return std::abs(y) == 1 ? std::copysign(kInf, y) : kNan;
  if (std::abs(y) < 1e-8) return y * 0.886226925452758;
  // Winitzki's closed form is good to 2e-3; each Halley step triples the digits.
  const double a = 0.147, l = std::log1p(-y * y), b = 2 / (kPi * a) + l / 2;
  double x = std::copysign(std::sqrt(std::sqrt(b * b - l / a) - b), y);
  const double far = 1 - std::abs(y);
  for (int i = 0; i < 3; ++i) {
    // Near one the difference of erfc keeps its digits where that of erf has lost them.
    const double rest = far - std::erfc(std::abs(x));
    const double error = far < 0.5 ? (y < 0 ? -rest : rest) : std::erf(x) - y;
    const double step = error / (1.1283791670955126 * std::exp(-x * x));
    x -= step / (1 + x * step);
  }
  return x;
}

double digamma(double x) {
  if (x == 0) return std::copysign(kInf, -x);
  if (std::isinf(x)) return x > 0 ? x : kNan;
  if (x < 0) {
    if (x == std::floor(x)) return kNan;
    const double fraction = x - std::floor(x);
    return digamma(1 - x) - kPi / std::tan(kPi * fraction);
  }
  // There is a root at 1.46163...: nearby the sum below would cancel, so it is expanded around the root instead.
  const double t = (x - 1.4616321449683622) - 9.549995429965698e-17;
  if (std::abs(t) < 0.01) {
    constexpr double c[] = {0.96767224544762117, -0.44276316898359211,  0.25849976095565101,  -0.16394270544240653,
                            0.10782405069126237, -0.072199561256454711, 0.048804288164143107, -0.033161126474847359};
    double series = 0;
    for (int i = 7; i >= 0; --i) series = series * t + c[i];
    return series * t;
  }
  double sum = 0;
  while (x < 10) {
    sum -= 1 / x;
    x += 1;
  }
  const double z = 1 / (x * x);
  double power = z, series = 0;
  for (int j = 0; j < 8; ++j, power *= z) series += kBernoulli[j] / (2 * j + 2) * power;
  return sum + std::log(x) - 0.5 / x - series;
}

double polygamma(double n, double x) {
  if (n == 0) return digamma(x);
  if (std::isnan(x) || x == -kInf) return kNan;
  if (n == 1 && x < 0 && x != std::floor(x)) {
    const double s = std::sin(kPi * (x - std::floor(x)));
    return kPi * kPi / (s * s) - polygamma(1, 1 - x);
  }
  const double sign = std::fmod(n, 2) == 1 ? 1 : -1;
  if (x <= 0 && x == std::floor(x)) return sign * kInf;
  if (x == kInf) return 0;
  return sign * std::tgamma(n + 1) * zeta(n + 1, x);
}

void throw_zero_division() { throw Error("ZeroDivisionError"); }

}  // namespace taut::special
