// What src/kernels/gemm.cpp and its instruction-set kernels agree on.
#pragma once
#include <cstdint>

#include "core/cpu.h"
#include "taut/core/dtype.h"

namespace taut {

/// c = alpha * a * b + beta * c for an m x k and a k x n block; c is not read when beta is 0. Strides are in elements.
/// a may have any strides; the rows of b and c are contiguous. b may be packed, see GemmKernels::pack. A `row` is read
/// in place of every row of c; `dots` and integers know none.
template <class T>
struct GemmBlock {
  int64_t m, n, k;
  const T* a;
  int64_t a_row, a_col;
  const T* b;
  int64_t b_row;
  int64_t b_jump;  // b's column j is at b + j * b_jump when j is a multiple of the panel width: 1, or k when packed
  T* c;
  int64_t c_row;
  T alpha, beta;
  const T* row = nullptr;
};

template <class T>
struct GemmKernels {
  int64_t panel, rows;  // columns of a packed panel of b; rows that are computed together
  /// Each element is one chain of multiply-adds in the order of k, so its bits do not depend on how c is tiled.
  void (*block)(const GemmBlock<T>&);
  /// The same with columns of b contiguous (b_row is the distance between them) and rows of a too (a_col is 1).
  void (*dots)(const GemmBlock<T>&);
  /// Copies the k x n block of b into panels: `panel` columns wide, k rows, one after the other.
  void (*pack)(int64_t k, int64_t n, const T* b, int64_t b_row, int64_t b_col, T* packed);
  /// The sum of x[i] * y[i].
  T (*dot)(int64_t n, const T* x, const T* y);
  /// to [columns, rows] = the transposed of from [rows, columns]; rows are to_row and from_row apart.
  void (*transpose)(int64_t rows, int64_t columns, const T* from, int64_t from_row, T* to, int64_t to_row);
};

/// Integers wrap around, so the unsigned type serves both signs; narrow ones are computed in 32 bits.
template <class T>
struct IntegerGemmKernels {
  void (*block)(const GemmBlock<T>&);
  T (*dot)(int64_t n, const T* x, const T* y);
};

/// n elements of any dtype, `stride` apart, to and from the type they are computed in.
struct GemmConversion {
  void (*read)(int64_t n, const void* from, int64_t stride, void* to);
  /// to = alpha * from + beta * to; does not read `to` when beta is 0.
  void (*write)(int64_t n, const void* from, void* to, int64_t stride, const void* alpha, const void* beta);
};

struct GemmTable {
  GemmKernels<float> f32;
  GemmKernels<double> f64;
  IntegerGemmKernels<uint32_t> u32;
  IntegerGemmKernels<uint64_t> u64;
  GemmConversion conversion[kRealCount];  // by ScalarType
};
TAUT_ISA_TABLE(GemmTable, gemm_table)

}  // namespace taut
