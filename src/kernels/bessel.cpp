// Bessel functions and Airy's: sums of Chebyshev polynomials near zero, waves or exponentials times such sums far away.
// At infinity they are what PyTorch's are, for the most part NaN.
#include <cmath>
#include <limits>

#include "kernels/chebyshev.h"
#include "kernels/functions.h"
#include "taut/core/maths.h"

namespace taut::special {

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kPi = 3.14159265358979323846, kTwoOverPi = 0.63661977236758134308;

double of_square(double x) { return 2 * (x / 5) * (x / 5) - 1; }

double j0_near(double x) { return from_root(x, kJ0Root) * (x + kJ0Root[0]) * chebyshev(kJ0Near, of_square(x)); }
double j1_near(double x) { return x * from_root(x, kJ1Root) * (x + kJ1Root[0]) * chebyshev(kJ1Near, of_square(x)); }

/// p and q of J = (p cos - q sin) / sqrt(pi x / 2) for an x > 5; the other two are sin and cos of x, both / sqrt(pi x).
struct Wave {
  double p, q, sine, cosine;
};
template <size_t N, size_t M>
Wave wave(double x, const double (&p)[N], const double (&q)[M]) {
  const double t = 2 * (5 / x) * (5 / x) - 1, size = 0.56418958354775628695 / std::sqrt(x);
  return {chebyshev(p, t), chebyshev(q, t) / x, maths::sin(x) * size, maths::cos(x) * size};
}

/// exp(x) y without an overflow on the way.
double scaled_up(double x, double y) {
  const double half = maths::exp(x / 2);
  return half * y * half;
}

}  // namespace

double bessel_j0(double x) {
  x = std::abs(x);
  if (x <= 5) return j0_near(x);
  const Wave w = wave(x, kP0, kQ0);
  return w.p * (w.cosine + w.sine) - w.q * (w.sine - w.cosine);
}
double bessel_j1(double x) {
  if (std::abs(x) <= 5) return x < 0 ? -j1_near(-x) : j1_near(x);
  const Wave w = wave(std::abs(x), kP1, kQ1);
  const double y = w.p * (w.sine - w.cosine) + w.q * (w.sine + w.cosine);
  return x < 0 ? -y : y;
}
double bessel_y0(double x) {
  if (x == 0) return -kInf;
  if (!(x > 0)) return kNan;
  if (x <= 5) return chebyshev(kY0Near, of_square(x)) + kTwoOverPi * maths::log(x) * j0_near(x);
  const Wave w = wave(x, kP0, kQ0);
  return w.p * (w.sine - w.cosine) + w.q * (w.sine + w.cosine);
}
double bessel_y1(double x) {
  if (x == 0) return -kInf;
  if (!(x > 0)) return kNan;
  if (x <= 5) return x * chebyshev(kY1Near, of_square(x)) + kTwoOverPi * (maths::log(x) * j1_near(x) - 1 / x);
  const Wave w = wave(x, kP1, kQ1);
  return w.q * (w.sine - w.cosine) - w.p * (w.sine + w.cosine);
}

double i0e(double x) {
  x = std::abs(x);
  return x <= 8 ? chebyshev(kI0Near, x / 4 - 1) / (1 + x) : chebyshev(kI0Far, 16 / x - 1) / std::sqrt(x);
}
double i1e(double x) {
  const double size = std::abs(x);
  const double y = size <= 8 ? size / (1 + size) * chebyshev(kI1Near, size / 4 - 1)
                             : chebyshev(kI1Far, 16 / size - 1) / std::sqrt(size);
  return x < 0 ? -y : y;
}
double i0(double x) { return scaled_up(std::abs(x), i0e(x)); }
double i1(double x) { return scaled_up(std::abs(x), i1e(x)); }

double modified_bessel_k0(double x) {
  if (!(x > 0)) return x == 0 ? kInf : kNan;
  if (x <= 1) return chebyshev(kK0Near, 2 * x * x - 1) - maths::log(x / 2) * i0(x);
  return maths::exp(-x) * chebyshev(kK0Far, 2 / x - 1) / std::sqrt(x);
}
double modified_bessel_k1(double x) {
  if (!(x > 0)) return x == 0 ? kInf : kNan;
  if (x <= 1) return chebyshev(kK1Near, 2 * x * x - 1) / x + maths::log(x / 2) * i1(x);
  return maths::exp(-x) * chebyshev(kK1Far, 2 / x - 1) / std::sqrt(x);
}
double scaled_modified_bessel_k0(double x) {
  return x > 1 ? chebyshev(kK0Far, 2 / x - 1) / std::sqrt(x) : maths::exp(x) * modified_bessel_k0(x);
}
double scaled_modified_bessel_k1(double x) {
  return x > 1 ? chebyshev(kK1Far, 2 / x - 1) / std::sqrt(x) : maths::exp(x) * modified_bessel_k1(x);
}

double spherical_bessel_j0(double x) {
  if (std::isinf(x)) return 0;
  if (std::abs(x) > 0.5) return maths::sin(x) / x;
  const double z = x * x;
  double sum = 1;
  for (int k = 8; k > 0; --k) sum = 1 - sum * z / (2 * k * (2 * k + 1));
  return sum;
}

double airy_ai(double x) {
  if (std::isinf(x)) return kNan;
  const double size = std::abs(x), root = std::sqrt(size), z = size * root * 2 / 3;
  if (x > 1.5) return maths::exp(-z) * chebyshev(kAiFar, 2.4 / z - 1) / (2 * 1.77245385090551602730 * std::sqrt(root));
  if (x >= 0) return chebyshev(kAiNear, x / 0.75 - 1);
  if (x >= -5) return from_root(x, kAiRoot) * from_root(x, kAiNextRoot) * chebyshev(kAiBelow, x / 2.5 + 1);
  if (std::isnan(x)) return x;
  const double t = 2 * (7.4 / z) * (7.4 / z) - 1, p = chebyshev(kAiryP, t), q = chebyshev(kAiryQ, t) / z;
  const double sine = maths::sin(z), cosine = maths::cos(z);
  return (p * (sine + cosine) - q * (cosine - sine)) / (std::sqrt(2 * kPi) * std::sqrt(root));
}

}  // namespace taut::special
