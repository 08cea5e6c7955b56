// Eigenvalues and eigenvectors of matrices of any kind, for batches of contiguous matrices of real or complex numbers. The
// steps are those of LAPACK (balance, reflectors to Hessenberg's form, QR iterations), and so are order and phases for
// small matrices.
#pragma once
#include <cstdint>

#include "taut/core/dtype.h"

namespace taut::kernels {

/// Of each n x n matrix, which is overwritten: the eigenvalues [n] and, unless null, the eigenvectors [n, n], a column of
/// length 1 each; both complex. `info`: 0, or how many did not converge. The elements must be finite.
void eigen_general(ScalarType type, int64_t count, int64_t n, void* a, void* values, void* vectors, int32_t* info);

}  // namespace taut::kernels
