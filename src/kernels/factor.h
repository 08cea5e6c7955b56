// Factorisations of matrices and what is solved with them, for batches of contiguous matrices of real or complex
// numbers, one after the other in memory. Large ones are cut into blocks that are multiplied by gemm; small ones run in
// parallel. A prime is the adjoint of a matrix.
#pragma once
#include <cstdint>

#include "taut/core/dtype.h"

namespace taut::kernels {

/// The lower triangle of each n x n matrix becomes L with a = L L', the upper one 0. `info`, one number for each:
/// 0, or the order of the first leading minor that is not positive.
void cholesky(ScalarType type, int64_t count, int64_t n, void* a, int32_t* info);

/// Each m x n matrix becomes its factors L (ones on the diagonal) and U. Row k was swapped with row pivots[k] - 1,
/// k < min(m, n). `info`: 0, or the place, counted from 1, of the first zero on U's diagonal.
void lu(ScalarType type, int64_t count, int64_t m, int64_t n, void* a, int32_t* pivots, int32_t* info);

/// How a triangular matrix stands in a system.
struct Triangular {
  bool upper, unit;  // which triangle is read, and whether its diagonal counts as ones
  bool left;         // t x = b, else x t = b
};
/// b = the solution x, where b is [m, n] and t square, with any strides; t_batch elements from one t to the next.
struct TriangularMatrix {
  const void* data;
  int64_t row, col, batch;
};
void solve_triangular(ScalarType type, int64_t count, int64_t m, int64_t n, TriangularMatrix t, Triangular kind,
                      void* b);

/// Each m x n matrix becomes R, on and above the diagonal, and the reflectors below it; tau has min(m, n) numbers each.
void reflect(ScalarType type, int64_t count, int64_t m, int64_t n, void* a, void* tau);

/// c [m, n] = Q c, Q' c, c Q or c Q', where Q is the product of k reflectors: the columns of v [rows, k], each 1 on
/// the diagonal and 0 above it.
struct ReflectorProduct {
  bool left, transposed;
};
void multiply_reflectors(ScalarType type, int64_t count, int64_t rows, int64_t k, const void* v, int64_t v_row,
                         const void* tau, ReflectorProduct kind, int64_t m, int64_t n, void* c);

}  // namespace taut::kernels
