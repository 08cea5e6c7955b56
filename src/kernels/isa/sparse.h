// What the host and the sparse kernels of every instruction set agree on. Plain data only.
#pragma once
#include <cstdint>

#include "core/cpu.h"

namespace taut {

/// Rows of y = A b for a matrix A by rows: row i has the elements values[begins[i]] up to that of begins[i + 1], of the
/// columns next to them. An element of y is one chain of multiply-adds in their order.
template <class T>
struct SparseProduct {
  const int64_t *begins, *columns;
  const T* values;
  const T* b;
  int64_t b_row;  // rows of b and y are contiguous
  T* y;
  int64_t y_row, n;
};

struct SparseTable {
  void (*product32)(const SparseProduct<float>&, int64_t begin, int64_t end);
  void (*product64)(const SparseProduct<double>&, int64_t begin, int64_t end);
};
TAUT_ISA_TABLE(SparseTable, sparse_table)

}  // namespace taut
