// The bell curve's functions, Hurwitz's zeta, and the loops.
#include "kernels/functions.h"

#include <cmath>
#include <limits>

#include "core/parallel.h"
#include "kernels/chebyshev.h"
#include "kernels/special.h"
#include "taut/core/maths.h"

namespace taut {

namespace special {

namespace {
constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kRoot2 = 1.41421356237309504880, kHalfRoot = 0.70710678118654752440;
}  // namespace

double erfcx(double x) {
  if (std::isnan(x)) return x;
  if (x < 0) {
    if (x < -26.7) return kInf;
    const double square = x * x, rest = std::fma(x, x, -square), e = maths::exp(square);
    return 2 * (e + e * rest) - erfcx(-x);
  }
  if (x > 1e9) return 0.56418958354775628695 / x;
  return chebyshev(kErfcx, (x - 3.75) / (x + 3.75)) / (1 + 2 * x);
}

double log_ndtr(double x) {
  const double t = x * kHalfRoot;
  if (x < -1) return maths::log(erfcx(-t) / 2) - t * t;
  return maths::log1p(-maths::erfc(t) / 2);
}
double ndtri(double p) {
  if (!(p > 0 && p < 1)) return p == 0 ? -kInf : p == 1 ? kInf : kNan;
  if (p > 0.1 && p < 0.9) return kRoot2 * erfinv(2 * p - 1);
  // With log(erfc(x)) = log(erfcx(x)) - x^2 = log(2 p), by Newton's steps.
  const double tail = p < 0.5 ? p : 1 - p, wanted = maths::log(2 * tail);
  double x = std::sqrt(-wanted);
  for (int step = 0; step < 8; ++step) {
    const double e = erfcx(x), error = maths::log(e) - x * x - wanted;
    const double change = error * e * 0.88622692545275801365;
    x += change;
    if (std::abs(change) < 1e-9 * x) break;  // the next one would be below a double
  }
  return p < 0.5 ? -kRoot2 * x : kRoot2 * x;
}

double entr(double x) { return x > 0 ? -x * maths::log(x) : x == 0 ? 0 : std::isnan(x) ? x : -kInf; }
double xlog1py(double x, double y) { return std::isnan(y) ? y : x == 0 ? 0 : x * maths::log1p(y); }

double zeta(double s, double q) {
  if (s == 1) return kInf;
  if (s < 1) return kNan;
  if (q <= 0 && q == std::floor(q)) return kInf;
  if (q <= 0 && s != std::floor(s)) return kNan;
  // PyTorch's sum ends in 0 * inf here.
  if (!(std::abs(q) < kInf) || std::isnan(s) || (std::isinf(s) && q > 1)) return kNan;
  return hurwitz(s, q);
}

}  // namespace special

namespace kernels {

namespace {
constexpr int64_t kGrain = 512;  // a call takes some tens of nanoseconds
}  // namespace

void map(double* y, const double* x, int64_t n, Function1 f) {
  parallel_for(n, kGrain, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) y[i] = f(x[i]);
  });
}
void map(double* y, const double* a, const double* b, int64_t n, Function2 f) {
  parallel_for(n, kGrain, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) y[i] = f(a[i], b[i]);
  });
}

}  // namespace kernels

}  // namespace taut
