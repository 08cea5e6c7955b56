// What src/kernels/factor.cpp and its loops for small matrices agree on. Rows are contiguous and `row` elements apart.
#pragma once
#include <cstdint>

#include "core/cpu.h"
#include "taut/core/complex.h"

namespace taut {

template <class T>
struct FactorKernels {
  /// L with a = L L' (the adjoint of L, of complex numbers), in and from the lower triangle. 0, or the order of the
  /// first leading minor that is not positive.
  int64_t (*cholesky)(int64_t n, T* a, int64_t row);
  /// L and U in the place of a; row k was swapped with row pivots[k]. 0, or 1 + the place of the first zero on U's
  /// diagonal.
  int64_t (*lu)(int64_t m, int64_t n, T* a, int64_t row, int32_t* pivots);
  /// b [n, m] = t^-1 b, where t is triangular and may have any strides.
  void (*solve)(int64_t n, int64_t m, const T* t, int64_t t_row, int64_t t_col, bool upper, bool unit, T* b,
                int64_t b_row);
  /// Householder's reflectors, whose adjoints make R of a: I - tau v v', v below the diagonal (1 on it), R on and above
  /// it.
  void (*reflect)(int64_t m, int64_t n, T* a, int64_t row, T* tau);
  /// y += a x for a symmetric (hermitian) n x n matrix of which the lower triangle is read.
  void (*symmetric_times)(int64_t n, const T* a, int64_t row, const T* x, T* y);
  /// y[j] += the sum over i of x[i] a[i][j]; and y[i] = the sum over j of a[i][j] x[j].
  void (*vector_times)(int64_t m, int64_t n, const T* x, const T* a, int64_t row, T* y);
  void (*times_vector)(int64_t m, int64_t n, const T* a, int64_t row, const T* x, T* y);
  /// Rotations one after the other: row i and i + 1 of a [count + 1, n] become c x + s y and c y - s x; from the first
  /// to the last, or the other way round.
  void (*rotate)(int64_t count, int64_t n, const T* c, const T* s, bool forward, T* a, int64_t row);

  // As many small square matrices at once as a vector of 64 bytes has lanes, one in each: the same numbers as one by
  // one. They are n * n elements apart; `room` has 64 bytes for each element of all operands. Pivots count from 0.
  void (*lu_lanes)(int64_t n, T* a, int32_t* pivots, int32_t* info, T* room);
  void (*cholesky_lanes)(int64_t n, T* a, int32_t* info, T* room);
  /// The strides of t and b are those within a matrix, and from one to the next.
  struct Strided {
    int64_t row, col, batch;
  };
  void (*solve_lanes)(int64_t n, int64_t m, const T* t, Strided of_t, bool upper, bool unit, T* b, Strided of_b,
                      T* room);
  /// reflect() of m x n matrices, n <= m; and c [m, n] = Q c, or Q' c, where column j of v [m, reflectors] is reflector
  /// j.
  void (*reflect_lanes)(int64_t m, int64_t n, T* a, T* tau, T* room);
  void (*multiply_reflectors_lanes)(int64_t m, int64_t reflectors, int64_t n, const T* v, int64_t v_row, const T* tau,
                                    bool transposed, T* c, T* room);
};
/// Of complex numbers, compiled once; without rotations, and without lanes.
extern const FactorKernels<Complex<double>> complex_factor_kernels;

struct FactorTable {
  FactorKernels<float> f32;
  FactorKernels<double> f64;
};
TAUT_ISA_TABLE(FactorTable, factor_table)

}  // namespace taut
