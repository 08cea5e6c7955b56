// Matrix products over raw memory, for every dtype. The bits of a result depend on the shapes and strides only: never
// on the number of threads, nor on being called inside a parallel region.
#pragma once
#include <cstdint>

#include "taut/core/array_ref.h"
#include "taut/core/dtype.h"
#include "taut/core/scalar.h"

namespace taut::kernels {

/// Strides are in elements and may be anything, 0 and negative included.
struct ConstMatrix {
  const void* data;
  int64_t rows, cols, row_stride, col_stride;
  ConstMatrix transposed() const { return {data, cols, rows, col_stride, row_stride}; }
};

/// A matrix to write to: no element may have two places (no stride of 0), and it may overlap no input.
struct Matrix {
  void* data;
  int64_t rows, cols, row_stride, col_stride;
  Matrix transposed() const { return {data, cols, rows, col_stride, row_stride}; }
};

/// c = alpha * a * b + beta * c. c is not read when beta is 0. float16 and bfloat16 are computed in float32 and rounded
/// once; integers wrap around; for bool, + is "or" and * is "and". With a `row`, which float32 and float64 may have,
/// each row of c counts as that; c must be contiguous then.
void gemm(ScalarType type, const Matrix& c, const ConstMatrix& a, const ConstMatrix& b, Scalar alpha = 1,
          Scalar beta = 0, const void* row = nullptr);

/// The dimensions that a batch of matrices has before its last two, and how far apart (in elements) neighbours are.
/// An input that is the same for a whole dimension has stride 0 there.
struct Batch {
  IntArrayRef sizes, c_strides, a_strides, b_strides;
};
/// gemm for each matrix of a batch; `c`, `a` and `b` are the first ones.
void batched_gemm(ScalarType type, Batch batch, Matrix c, ConstMatrix a, ConstMatrix b, Scalar alpha = 1,
                  Scalar beta = 0);

/// *out = the sum of x[i * incx] * y[i * incy], by chunks of constant size whose sums are added as a tree.
void dot(ScalarType type, int64_t n, const void* x, int64_t incx, const void* y, int64_t incy, void* out);

}  // namespace taut::kernels
