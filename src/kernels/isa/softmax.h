// What the host and the softmax kernels of every instruction set agree on. Plain data only.
#pragma once
#include "core/cpu.h"
#include "taut/core/dtype.h"

namespace taut {

/// `count` lines of n contiguous numbers, or n rows of `width` contiguous numbers whose columns are the lines. Output
/// and input may be the same memory. Backward has two inputs: the gradient and the result y.
struct SoftmaxKernel {
  void (*rows)(void* y, int64_t y_stride, const void* x, int64_t x_stride, int64_t n, int64_t count);
  void (*columns)(void* y, int64_t y_stride, const void* x, int64_t x_stride, int64_t n, int64_t width);
  void (*backward_rows)(void* dx, int64_t dx_stride, const void* g, int64_t g_stride, const void* y, int64_t y_stride,
                        int64_t n, int64_t count);
  void (*backward_columns)(void* dx, int64_t dx_stride, const void* g, int64_t g_stride, const void* y,
                           int64_t y_stride, int64_t n, int64_t width);
};
/// What cross entropy needs of a row: no result the size of the row is written on the way forward.
struct CrossEntropyKernel {
  /// The greatest element, and the sum of exp(x - greatest): below 1 only when something is infinite or a NaN.
  void (*sums)(const void* x, int64_t n, double* top, double* sum);
  /// The sum of w x; without w, of x.
  double (*weighted)(const void* x, const void* w, int64_t n);
  /// dx = scale exp(x - lse) - share w; without w, share alone.
  void (*gradient)(void* dx, const void* x, double lse, double scale, double share, const void* w, int64_t n);
};
struct SoftmaxTable {
  SoftmaxKernel kernel[2][2];  // [logarithm][float32, float64]
  CrossEntropyKernel cross_entropy[2];
};
TAUT_ISA_TABLE(SoftmaxTable, softmax_table)

}  // namespace taut
