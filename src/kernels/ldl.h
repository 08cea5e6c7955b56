// Symmetric or hermitian matrices that need not be positive: L D L' with blocks of one or two on the diagonal of D,
// after Bunch and Kaufman, laid out as LAPACK has it.
#pragma once
#include <cstdint>

#include "taut/core/dtype.h"

namespace taut::kernels {

/// The lower triangle of each n x n matrix becomes L and D, the upper one 0. pivots[k] > 0: row k was swapped with row
/// pivots[k] - 1; a pair of equal negative ones is a block of two. `info`: 0, or 1 + the place of a zero in D.
void ldl(ScalarType type, bool hermitian, int64_t count, int64_t n, void* a, int32_t* pivots, int32_t* info);
/// b [n, m] = the solution, for each of a batch.
void solve_ldl(ScalarType type, bool hermitian, int64_t count, int64_t n, int64_t m, const void* ld,
               const int32_t* pivots, void* b);

}  // namespace taut::kernels
