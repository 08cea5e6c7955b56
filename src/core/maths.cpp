#include "core/maths.h"

namespace taut::maths {

#define TAUT_MATHS(name)           \
  double name(double x) {          \
    maths_table().name(&x, &x, 1); \
    return x;                      \
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
double pow(double x, double exponent) {
  maths_table().pow(&x, &x, &exponent, 1);
  return x;
}

void cos(double* y, const double* x, int64_t n) { maths_table().cos(y, x, n); }
void sin(double* y, const double* x, int64_t n) { maths_table().sin(y, x, n); }

}  // namespace taut::maths
