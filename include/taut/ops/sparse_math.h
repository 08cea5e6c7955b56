// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// The product of a sparse matrix and another; the gradient of what is sparse is sparse.
Tensor _sparse_mm(const Tensor& self, const Tensor& mat2);
/// beta self + alpha mat1 mat2, where mat1 is sparse.
Tensor _sparse_addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1,
                     const Scalar& alpha = 1);
/// beta self + alpha mat1 mat2 at the places where self has elements.
Tensor sparse_sampled_addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1,
                            const Scalar& alpha = 1);
/// The product of a sparse matrix and a dense one, with the rows that are not zero.
Tensor hspmm(const Tensor& mat1, const Tensor& mat2);
/// beta self + alpha mat1 mat2, all but mat2 sparse.
Tensor sspaddmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1,
                const Scalar& alpha = 1);
/// The product of a sparse matrix and a dense one as a sparse matrix.
Tensor smm(const Tensor& self, const Tensor& mat2);
/// The sum of a sparse tensor; its gradient is sparse.
Tensor _sparse_sum(const Tensor& self, OptionalIntArrayRef dim = std::nullopt,
                   std::optional<ScalarType> dtype = std::nullopt);
/// softmax over the elements that a sparse tensor has.
Tensor _sparse_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt);
/// log_softmax over the elements that a sparse tensor has.
Tensor _sparse_log_softmax(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt);
/// A sparse matrix from its diagonals.
Tensor _spdiags(const Tensor& diagonals, const Tensor& offsets, IntArrayRef shape);

}  // namespace taut
