// The functions of taut/core/maths.h for many numbers at once. The code is that of the pointwise ops
// (src/kernels/isa/maths.cpp).
#pragma once
#include <cstdint>

#include "core/cpu.h"
#include "taut/core/maths.h"

namespace taut {

/// y[i] = f(x[i]) for i < n; y may be x.
struct MathsTable {
  using Unary = void (*)(double* y, const double* x, int64_t n);
  Unary exp, expm1, log, log1p, sin, cos, tan, acos, atan, erf, erfc;
  void (*pow)(double* y, const double* x, const double* exponent, int64_t n);
};
TAUT_ISA_TABLE(MathsTable, maths_table)

namespace maths {
/// Beside those of the public header.
double acos(double x);
/// Of n numbers; y may be x.
void cos(double* y, const double* x, int64_t n);
void sin(double* y, const double* x, int64_t n);
}  // namespace maths

}  // namespace taut
