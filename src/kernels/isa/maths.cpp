// The functions of core/maths.h for one instruction set.
#include "core/maths.h"

#include "kernels/pack.h"

namespace taut::TAUT_ISA {
namespace {

using P = Pack<double>;
template <class F>
HWY_INLINE void each(int64_t n, double* y, F f) {
  int64_t i = 0;
  for (; i + P::kLanes <= n; i += P::kLanes) f(i, [](const double* x) HWY_ATTR { return P::load(x); }).store(y + i);
  if (const int64_t left = n - i; left > 0)
    store_part<double>(f(i, [&](const double* x) HWY_ATTR { return P(load_part<double>(x, left, 1)); }).v, y + i, left);
}
#define TAUT_MATHS(name)                                                          \
  void name##_each(double* y, const double* x, int64_t n) {                       \
    each(n, y, [&](int64_t i, auto load) HWY_ATTR { return name(load(x + i)); }); \
  }
TAUT_MATHS(exp)
TAUT_MATHS(log)
TAUT_MATHS(expm1)
TAUT_MATHS(log1p)
TAUT_MATHS(sin)
TAUT_MATHS(cos)
TAUT_MATHS(tan)
TAUT_MATHS(acos)
TAUT_MATHS(atan)
TAUT_MATHS(erf)
TAUT_MATHS(erfc)
#undef TAUT_MATHS
void pow_each(double* y, const double* x, const double* exponent, int64_t n) {
  each(n, y, [&](int64_t i, auto load) HWY_ATTR { return pow(load(x + i), load(exponent + i)); });
}

}  // namespace

extern const MathsTable maths_table;
const MathsTable maths_table = {exp_each, expm1_each, log_each,  log1p_each, sin_each,  cos_each,
                                tan_each, acos_each,  atan_each, erf_each,   erfc_each, pow_each};

}  // namespace taut::TAUT_ISA
