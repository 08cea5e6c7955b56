// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// The matrix product; vectors are rows or columns, further dimensions are batches and broadcast.
Tensor matmul(const Tensor& self, const Tensor& other);
/// The product of two matrices.
Tensor mm(const Tensor& self, const Tensor& mat2);
/// The products of two batches of matrices.
Tensor bmm(const Tensor& self, const Tensor& mat2);
/// A matrix times a vector.
Tensor mv(const Tensor& self, const Tensor& vec);
/// The sum of the products of two vectors' elements.
Tensor dot(const Tensor& self, const Tensor& tensor);
/// The sum of the products of two vectors' elements.
Tensor vdot(const Tensor& self, const Tensor& other);
/// The sums of products along the last dimension of both.
Tensor inner(const Tensor& self, const Tensor& other);
/// Every element of self times every element of vec2.
Tensor outer(const Tensor& self, const Tensor& vec2);
/// Every element of self times every element of vec2.
Tensor ger(const Tensor& self, const Tensor& vec2);
/// beta * self + alpha * (mat1 @ mat2).
Tensor addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1,
             const Scalar& alpha = 1);
Tensor& addmm_(Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta = 1, const Scalar& alpha = 1);
/// beta * self + alpha * (mat @ vec).
Tensor addmv(const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta = 1, const Scalar& alpha = 1);
Tensor& addmv_(Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar& beta = 1, const Scalar& alpha = 1);
/// beta * self + alpha * outer(vec1, vec2).
Tensor addr(const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta = 1,
            const Scalar& alpha = 1);
Tensor& addr_(Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta = 1, const Scalar& alpha = 1);
/// beta * self + alpha * the sum of all products of a batch.
Tensor addbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1,
              const Scalar& alpha = 1);
Tensor& addbmm_(Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1,
                const Scalar& alpha = 1);
/// beta * self + alpha * (batch1 @ batch2), for each of a batch.
Tensor baddbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1,
               const Scalar& alpha = 1);
Tensor& baddbmm_(Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar& beta = 1,
                 const Scalar& alpha = 1);
/// The sums of products along the dimensions named.
Tensor tensordot(const Tensor& self, const Tensor& other, IntArrayRef dims_self, IntArrayRef dims_other);
/// The Kronecker product: other times each element of self.
Tensor kron(const Tensor& self, const Tensor& other);
/// The p-norm distances between the rows of x1 and those of x2.
Tensor cdist(const Tensor& x1, const Tensor& x2, double p = 2, std::optional<int64_t> compute_mode = std::nullopt);
/// input @ weight.T + bias.
Tensor linear(const Tensor& input, const Tensor& weight, OptionalTensor bias = std::nullopt);
/// Sums of products, as letters for dimensions say: "ij,jk->ik".
Tensor einsum(std::string_view equation, TensorList tensors, OptionalIntArrayRef path = std::nullopt);

}  // namespace taut
