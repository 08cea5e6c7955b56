// Angles by Payne and Hanek's reduction, erfinv by Halley steps, gamma functions by recurrence and series.
#include "kernels/special.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/maths.h"
#include "kernels/functions.h"
#include "taut/core/error.h"

namespace taut::special {

namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// Bernoulli numbers B2, B4, ... of the asymptotic series.
constexpr double kBernoulli[] = {1.0 / 6,       -1.0 / 30, 1.0 / 42,      -1.0 / 30,     5.0 / 66,
                                 -691.0 / 2730, 7.0 / 6,   -3617.0 / 510, 43867.0 / 798, -174611.0 / 330};

/// (ζ(k) - 1) / k (-1)^k from k = 2 on: the powers of lgamma around 2.
constexpr double kAroundTwo[] = {
    0.3224670334241132,     -0.0673523010531981,     0.020580808427784546,   -0.007385551028673986,
    0.0028905103307415234,  -0.001192753911703261,   0.0005096695247430425,  -0.00022315475845357939,
    9.945751278180853e-05,  -4.492623673813314e-05,  2.050721277567069e-05,  -9.439488275268397e-06,
    4.374866789907488e-06,  -2.039215753801366e-06,  9.55141213040742e-07,   -4.492469198764566e-07,
    2.1207184805554665e-07, -1.0043224823968099e-07, 4.7698101693639804e-08, -2.2711094608943164e-08,
    1.0838659214896955e-08, -5.183475041970047e-09,  2.4836745438024785e-09, -1.1921401405860912e-09,
    5.731367241678862e-10,  -2.7595228851242334e-10, 1.330476437424449e-10};

/// lgamma(2 + e) for |e| <= 1/2
double lgamma_around_two(double e) {
  double sum = 0;
  for (int i = 26; i >= 0; --i) sum = sum * e + kAroundTwo[i];
  return (0.42278433509846713 + sum * e) * e;
}

/// The bits of 2 / pi after the point.
constexpr uint64_t kTwoOverPi[] = {0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
                                   0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
                                   0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
                                   0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
                                   0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab};
/// 64 of them from bit `first` on.
uint64_t two_over_pi(int first) {
  const int word = first / 64, shift = first % 64;
  return shift == 0 ? kTwoOverPi[word] : kTwoOverPi[word] << shift | kTwoOverPi[word + 1] >> (64 - shift);
}

}  // namespace

double hurwitz(double s, double x) {
  if (x < -64) {  // the many terms below zero are the difference of two sums above it
    const double below = std::floor(x) + 1 - x, sign = std::fmod(s, 2) == 0 ? 1 : -1;
    return sign * (hurwitz(s, below) - hurwitz(s, 1 - x)) + hurwitz(s, 1 - below);
  }
  double sum = 0;
  while (x < std::max(16.0, s)) {  // beyond, the series below converges fast
    const double term = maths::pow(x, -s);
    sum += term;
    x += 1;
    if (std::isnan(sum) || (x > 2 && std::abs(term) <= 1e-19 * std::abs(sum))) return sum;
  }
  if (std::isinf(x)) return sum;
  double power = maths::pow(x, -s);
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

int quadrant(double x, double& rest) {
  const uint64_t bits = std::bit_cast<uint64_t>(x);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  if (exponent == 0x7ff) return rest = kNan, 0;
  if (exponent < 1023) return rest = x, 0;  // below 1 nothing is left to take away, but for pi/4
  // |x| = m 2^e. Of its product with 2 / pi only what is below 4 matters: the bits of 2 / pi from `first` on, 192 of
  // them, which leaves 137 bits behind the point.
  const int e = exponent - 1075, first = e > 2 ? e - 2 : 0;
  const uint64_t m = (bits & ((uint64_t{1} << 52) - 1)) | uint64_t{1} << 52;
  __extension__ using Wide = unsigned __int128;
  const Wide p0 = Wide{m} * two_over_pi(first + 128), p1 = Wide{m} * two_over_pi(first + 64) + (p0 >> 64),
             p2 = Wide{m} * two_over_pi(first) + (p1 >> 64);
  // p = m times those bits, a number of 256 bits: its bit 192 - (e - first) is worth 1.
  const uint64_t word[4] = {static_cast<uint64_t>(p0), static_cast<uint64_t>(p1), static_cast<uint64_t>(p2),
                            static_cast<uint64_t>(p2 >> 64)};
  const int unit = 192 - (e - first);   // 190, or more for a small x
  const auto bits_from = [&](int at) {  // 64 bits of p, the lowest being bit `at`
    const int i = at >> 6, shift = at & 63;
    const auto get = [&](int k) { return k >= 0 && k < 4 ? word[k] : uint64_t{0}; };
    return shift == 0 ? get(i) : get(i) >> shift | get(i + 1) << (64 - shift);
  };
  int n = static_cast<int>(bits_from(unit) & 3);
  // The fraction as a signed number of 128 bits: above one half it belongs to the next quadrant.
  Wide fraction = Wide{bits_from(unit - 64)} << 64 | bits_from(unit - 128);
  const bool next = fraction >> 127 != 0;
  if (next) fraction = ~fraction + 1, ++n;
  const double high = static_cast<double>(static_cast<uint64_t>(fraction >> 64)) * 0x1p-64;
  const Wide shown = Wide{static_cast<uint64_t>(high * 0x1p64)} << 64;
  const double low = (fraction >= shown ? static_cast<double>(static_cast<uint64_t>((fraction - shown) >> 11))
                                        : -static_cast<double>(static_cast<uint64_t>((shown - fraction) >> 11))) *
                     0x1p-117;
  const double angle =
      std::fma(high, 1.5707963267948966, std::fma(high, 6.123233995736766e-17, low * 1.5707963267948966));
  const bool negative = (bits >> 63 != 0) != next;
  rest = negative ? -angle : angle;
  return (bits >> 63 ? -n : n) & 3;
}

double lgamma(double x) {
  if (std::isnan(x)) return x;
  if (std::isinf(x) || (x <= 0 && x == std::floor(x))) return kInf;
  if (x < 0) {  // gamma(x) gamma(1 - x) = pi / sin(pi x)
    if (x > -1e-18) return -maths::log(-x);
    const double fraction = x - std::floor(x), near = fraction > 0.5 ? 1 - fraction : fraction;
    return maths::log(kPi / maths::sin(kPi * near)) - lgamma(1 - x);
  }
  if (x < 1e-18) return -maths::log(x);
  if (x < 0.5) return lgamma_around_two(x) - maths::log(x) - maths::log1p(x);
  if (x < 1.5) return lgamma_around_two(x - 1) - maths::log(x);
  if (x < 12) {
    double product = 1;
    while (x > 2.5) product *= x -= 1;
    return lgamma_around_two(x - 2) + maths::log(product);
  }
  double series = 0;
  const double z = 1 / (x * x);
  for (int j = 7; j >= 0; --j) series = series * z + kBernoulli[j] / ((2 * j + 1) * (2 * j + 2));
  return (x - 0.5) * (maths::log(x) - 1) + (0.4189385332046728 + series / x);
}

double lgamma1p(double x) { return lgamma_around_two(x) - maths::log1p(x); }

double erfinv(double y) {
  if (!(std::abs(y) < 1)) return std::abs(y) == 1 ? std::copysign(kInf, y) : kNan;
  if (std::abs(y) < 1e-8) return y * 0.886226925452758;
  // Winitzki's closed form is good to 2e-3; each Halley step triples the digits.
  const double a = 0.147, l = maths::log1p(-y * y), b = 2 / (kPi * a) + l / 2;
  double x = std::copysign(std::sqrt(std::sqrt(b * b - l / a) - b), y);
  const double far = 1 - std::abs(y);
  for (int i = 0; i < 3; ++i) {
    // Near one the difference of erfc keeps its digits where that of erf has lost them.
    const double rest = far - maths::erfc(std::abs(x));
    const double error = far < 0.5 ? (y < 0 ? -rest : rest) : maths::erf(x) - y;
    const double step = error / (1.1283791670955126 * maths::exp(-x * x));
    x -= step / (1 + x * step);
  }
  return x;
}

double digamma(double x) {
  if (x == 0) return std::copysign(kInf, -x);
  if (std::isinf(x)) return x > 0 ? x : kNan;
  if (x < 0) {
    if (x == std::floor(x)) return kNan;
    const double fraction = x > -0.5 ? x : x - std::floor(x);  // next to zero the difference would be 1
    return digamma(1 - x) - kPi / maths::tan(kPi * fraction);
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
  return sum + maths::log(x) - 0.5 / x - series;
}

double polygamma(double n, double x) {
  if (n == 0) return digamma(x);
  if (std::isnan(x) || x == -kInf) return kNan;
  if (n == 1 && x < 0 && x != std::floor(x)) {
    const double s = maths::sin(kPi * (x - std::floor(x)));
    return kPi * kPi / (s * s) - polygamma(1, 1 - x);
  }
  const double sign = std::fmod(n, 2) == 1 ? 1 : -1;
  if (x <= 0 && x == std::floor(x)) return sign * kInf;
  if (x == kInf) return 0;
  double factorial = 1;
  for (double k = 2; k <= n && factorial < kInf; ++k) factorial *= k;
  return sign * factorial * hurwitz(n + 1, x);
}

void throw_zero_division() { throw Error("ZeroDivisionError"); }

}  // namespace taut::special
