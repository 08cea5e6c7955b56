// What the host and the normalisation kernels of every instruction set agree on. Plain data only.
#pragma once
#include "core/cpu.h"
#include "taut/core/dtype.h"

namespace taut {

/// Rows are contiguous. Sums come back as float64: a row is summed block by block, and the blocks in float64.
struct NormKernel {
  /// The mean, and the sum of squared deviations from it; a row is read once.
  void (*moments)(const void* x, int64_t n, double* mean, double* deviations);
  double (*sum_of_squares)(const void* x, int64_t n);
  /// y = (x - mean) scale w + b; w and b are rows, or null for 1 and 0. `stream`: y need not stay in the caches.
  void (*normalize)(void* y, const void* x, int64_t n, double mean, double scale, const void* w, const void* b,
                    bool stream);
  /// y = (x - mean) scale + shift
  void (*affine)(void* y, const void* x, int64_t n, double mean, double scale, double shift);
  /// y = (x - mean) scale + shift where all are rows.
  void (*affine_columns)(void* y, const void* x, int64_t n, const void* mean, const void* scale, const void* shift);
  /// sum(g w) and sum(g w (x - mean)); w may be null.
  void (*sums)(const void* g, const void* x, const void* w, int64_t n, double mean, double* out);
  /// dx = a g w + b (x - mean) + c; w may be null. `stream` as above.
  void (*gradient)(void* dx, const void* g, const void* x, const void* w, int64_t n, double mean, double a, double b,
                   double c, bool stream);
  /// The same with rows of means and factors.
  void (*gradient_columns)(void* dx, const void* g, const void* x, int64_t n, const void* mean, const void* a,
                           const void* b, const void* c);
  /// dw += g (x - mean) scale, db += g
  void (*accumulate)(void* dw, void* db, const void* g, const void* x, int64_t n, double mean, double scale);
  /// Of n rows, `stride` apart, of `width` columns: the means and the sums of squared deviations of the columns.
  void (*column_moments)(const void* x, int64_t stride, int64_t n, int64_t width, void* mean, void* deviations);
  /// The sums over the columns: of g, and of g (x - mean).
  void (*column_sums)(const void* g, const void* x, int64_t stride, int64_t n, int64_t width, const void* mean,
                      void* sum_g, void* sum_gx);
};
struct NormTable {
  NormKernel kernel[2];  // float32, float64
};
TAUT_ISA_TABLE(NormTable, norm_table)

}  // namespace taut
