// Eigenvalues of symmetric or hermitian matrices and singular values, for batches of contiguous matrices of real or
// complex numbers; the values are real. The steps are those of LAPACK (reflectors to two diagonals, then rotations),
// and so are order and signs for small matrices.
#pragma once
#include <cstdint>

#include "taut/core/dtype.h"

namespace taut::kernels {

/// Of each n x n matrix, whose lower triangle is read and which is overwritten: the eigenvalues in ascending order;
/// with `vectors`, a becomes the eigenvectors, a column each. `info`: 0, or how many did not
/// converge; a matrix with a NaN has NaNs.
void eigen_symmetric(ScalarType type, int64_t count, int64_t n, void* a, bool vectors, void* values, int32_t* info);

/// Of each m x n matrix, m >= n, which is overwritten: the singular values in descending order; unless they are null,
/// u [m, m or n] (as u_columns says) and vt [n, n].
void singular_values(ScalarType type, int64_t count, int64_t m, int64_t n, void* a, void* values, void* u,
                     int64_t u_columns, void* vt, int32_t* info);

}  // namespace taut::kernels
