// What the host and the reduction kernels of every instruction set agree on. Plain data only.
#pragma once
#include "core/cpu.h"
#include "taut/core/dtype.h"

namespace taut {

/// What is done to each element, and how two results become one. The norms are here without their last step.
enum class Combine : uint8_t { Sum, NanSum, Prod, Max, Min, SumAbs, SumSquares, MaxAbs, MinAbs };
constexpr int kCombineCount = 9;

/// One combination on one element type; contiguous along the innermost loop; results have the element's type.
struct ReduceKernel {
  /// out[i] = all of x[i * stride], ..., x[i * stride + n - 1], for i < count
  void (*rows)(void* out, const void* x, int64_t n, int64_t stride, int64_t count);
  /// out[j] = all of x[j], x[j + stride], ... (`rows` of them), for j < width
  void (*columns)(void* out, const void* x, int64_t stride, int64_t rows, int64_t width);
  /// Results: a[i] = a[i] and b[i]
  void (*merge)(void* a, const void* b, int64_t n);
};

/// The first greatest (or least) element: its place. A NaN counts as greater and less than all.
struct ExtremeKernel {
  int64_t (*row)(const void* x, int64_t n);
  /// best[j], at[j]: value and row (of the same size) of the first extreme of column j
  void (*columns)(void* best, void* at, const void* x, int64_t stride, int64_t rows, int64_t width);
};

/// Sums of x - center and of its square.
struct DeviationKernel {
  void (*row)(const void* x, int64_t n, const void* center, void* sum, void* squares);
  void (*columns)(const void* x, int64_t stride, int64_t rows, int64_t width, const void* center, void* sum,
                  void* squares);
};

struct ReduceTable {
  ReduceKernel kernel[kCombineCount][kRealCount];  // null where nobody needs it
  ExtremeKernel extreme[2][kRealCount];            // [largest]; int32, int64, float32, float64
  DeviationKernel deviation[2];                    // float32, float64
  /// Bytes of 0 and 1: how many ones; as rows and columns of ReduceKernel, but the results are int64. At most 255 rows.
  void (*count_rows)(int64_t* out, const uint8_t* x, int64_t n, int64_t stride, int64_t count);
  void (*count_columns)(int64_t* out, const uint8_t* x, int64_t stride, int64_t rows, int64_t width);
  /// y[i] = x[0] + ... + x[i], summed in float64
  void (*running_sums)(float* y, const float* x, int64_t n);
};
TAUT_ISA_TABLE(ReduceTable, reduce_table)

}  // namespace taut
