// The kernels of linear algebra and transforms are heavy, and most programs never call one. Beside the shared library
// they are a library of their own, which is loaded when the first of them is called; everywhere else they are linked
// in. So ops call them by way of this table: numeric().cholesky(...).
#pragma once
#include "kernels/eigen.h"
#include "kernels/factor.h"
#include "kernels/fft.h"
#include "kernels/ldl.h"
#include "kernels/spectral.h"

namespace taut::kernels {

/// Every function of the table. Where they are compiled is listed in CMakeLists.txt (TAUT_NUMERIC).
#define TAUT_NUMERIC_FUNCTIONS(X) \
  X(cholesky)                     \
  X(lu)                           \
  X(solve_triangular)             \
  X(reflect)                      \
  X(multiply_reflectors)          \
  X(ldl)                          \
  X(solve_ldl)                    \
  X(eigen_symmetric)              \
  X(eigen_general)                \
  X(singular_values)              \
  X(fft)

struct Numeric {
#define TAUT_POINTER(f) decltype(&kernels::f) f;
  TAUT_NUMERIC_FUNCTIONS(TAUT_POINTER)
#undef TAUT_POINTER
};
const Numeric& numeric();

}  // namespace taut::kernels
