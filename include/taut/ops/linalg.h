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
/// The solution X of A X = B, or X A = B if not left, where A is triangular.
Tensor linalg_solve_triangular(const Tensor& self, const Tensor& B, bool upper, bool left = true,
                               bool unitriangular = false);
/// The solution of a triangular system, and a copy of the matrix.
std::tuple<Tensor, Tensor> triangular_solve(const Tensor& self, const Tensor& A, bool upper = true,
                                            bool transpose = false, bool unitriangular = false);
/// The triangular L with L L' = A, for a symmetric positive-definite matrix, and whether there is one.
std::tuple<Tensor, Tensor> linalg_cholesky_ex(const Tensor& self, bool upper = false, bool check_errors = false);
/// The triangular L with L L' = A, for a symmetric positive-definite matrix.
Tensor linalg_cholesky(const Tensor& self, bool upper = false);
/// The triangular L with L L' = A, for a symmetric positive-definite matrix.
Tensor cholesky(const Tensor& self, bool upper = false);
/// The solution X of A X = self, given the Cholesky factor of A.
Tensor cholesky_solve(const Tensor& self, const Tensor& input2, bool upper = false);
/// The inverse of A, given its Cholesky factor.
Tensor cholesky_inverse(const Tensor& self, bool upper = false);
/// The factors L and U of a matrix in one, the rows that were swapped, and where U has a zero.
std::tuple<Tensor, Tensor, Tensor> linalg_lu_factor_ex(const Tensor& A, bool pivot = true, bool check_errors = false);
/// The factors L and U of a matrix in one, and the rows that were swapped.
std::tuple<Tensor, Tensor> linalg_lu_factor(const Tensor& A, bool pivot = true);
/// The permutation P and the factors L and U that linalg.lu_factor has packed.
std::tuple<Tensor, Tensor, Tensor> lu_unpack(const Tensor& LU_data, const Tensor& LU_pivots, bool unpack_data = true,
                                             bool unpack_pivots = true);
/// The permutation P and the triangular factors L and U whose product is A.
std::tuple<Tensor, Tensor, Tensor> linalg_lu(const Tensor& A, bool pivot = true);
/// The solution X of A X = B, or X A = B if not left, given what linalg.lu_factor made of A.
Tensor linalg_lu_solve(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left = true, bool adjoint = false);
/// The solution X of A X = self, given what linalg.lu_factor made of A.
Tensor lu_solve(const Tensor& self, const Tensor& LU_data, const Tensor& LU_pivots);
/// The solution X of A X = B, or X A = B if not left, and whether there is one.
std::tuple<Tensor, Tensor> linalg_solve_ex(const Tensor& A, const Tensor& B, bool left = true,
                                           bool check_errors = false);
/// The solution X of A X = B, or X A = B if not left.
Tensor linalg_solve(const Tensor& A, const Tensor& B, bool left = true);
/// The inverse of a matrix, and whether there is one.
std::tuple<Tensor, Tensor> linalg_inv_ex(const Tensor& A, bool check_errors = false);
/// The inverse of a matrix.
Tensor linalg_inv(const Tensor& A);
/// The inverse of a matrix.
Tensor inverse(const Tensor& self);
/// The determinant.
Tensor linalg_det(const Tensor& A);
/// The determinant.
Tensor det(const Tensor& self);
/// The sign of the determinant, and the logarithm of its absolute value.
std::tuple<Tensor, Tensor> linalg_slogdet(const Tensor& A);
/// The sign of the determinant, and the logarithm of its absolute value.
std::tuple<Tensor, Tensor> slogdet(const Tensor& self);
/// The logarithm of the determinant; nan if that is negative.
Tensor logdet(const Tensor& self);
/// The orthogonal Q and the triangular R whose product is A.
std::tuple<Tensor, Tensor> linalg_qr(const Tensor& A, std::string_view mode = "reduced");
/// The orthogonal Q and the triangular R whose product is the matrix.
std::tuple<Tensor, Tensor> qr(const Tensor& self, bool some = true);
/// The reflectors of Q, R above them, and the factors of the reflectors.
std::tuple<Tensor, Tensor> geqrf(const Tensor& self);
/// The first columns of a product of Householder's reflectors.
Tensor linalg_householder_product(const Tensor& input, const Tensor& tau);
/// The first columns of a product of Householder's reflectors.
Tensor orgqr(const Tensor& self, const Tensor& input2);
/// A matrix times a product of Householder's reflectors.
Tensor ormqr(const Tensor& self, const Tensor& input2, const Tensor& input3, bool left = true, bool transpose = false);
/// The eigenvalues of a symmetric matrix in ascending order, and its eigenvectors.
std::tuple<Tensor, Tensor> linalg_eigh(const Tensor& self, std::string_view UPLO = "L");
/// The eigenvalues of a symmetric matrix in ascending order.
Tensor linalg_eigvalsh(const Tensor& self, std::string_view UPLO = "L");
/// The eigenvalues of a square matrix, in no order, and its eigenvectors, both complex.
std::tuple<Tensor, Tensor> linalg_eig(const Tensor& self);
/// The eigenvalues of a square matrix, in no order, which are complex.
Tensor linalg_eigvals(const Tensor& self);
/// The singular value decomposition U diag(S) Vh of a matrix.
std::tuple<Tensor, Tensor, Tensor> linalg_svd(const Tensor& A, bool full_matrices = true,
                                              std::optional<std::string_view> driver = std::nullopt);
/// The singular values of a matrix in descending order.
Tensor linalg_svdvals(const Tensor& A, std::optional<std::string_view> driver = std::nullopt);
/// The singular value decomposition U diag(S) V' of a matrix.
std::tuple<Tensor, Tensor, Tensor> svd(const Tensor& self, bool some = true, bool compute_uv = true);
/// The pseudo-inverse of Moore and Penrose.
Tensor linalg_pinv(const Tensor& self, double rcond, bool hermitian = false);
Tensor linalg_pinv(const Tensor& self, std::optional<double> atol = std::nullopt,
                   std::optional<double> rtol = std::nullopt, bool hermitian = false);
Tensor linalg_pinv(const Tensor& self, OptionalTensor atol, OptionalTensor rtol = std::nullopt, bool hermitian = false);
Tensor linalg_pinv(const Tensor& self, const Tensor& rcond, bool hermitian = false);
/// The pseudo-inverse of Moore and Penrose.
Tensor pinverse(const Tensor& self, double rcond = 1e-15);
/// The number of singular values above a tolerance.
Tensor linalg_matrix_rank(const Tensor& self, double tol, bool hermitian = false);
Tensor linalg_matrix_rank(const Tensor& self, std::optional<double> atol = std::nullopt,
                          std::optional<double> rtol = std::nullopt, bool hermitian = false);
Tensor linalg_matrix_rank(const Tensor& input, OptionalTensor atol, OptionalTensor rtol = std::nullopt,
                          bool hermitian = false);
Tensor linalg_matrix_rank(const Tensor& input, const Tensor& tol, bool hermitian = false);
/// The X for which A X is nearest to B; the squared distances, the rank and the singular values of A.
std::tuple<Tensor, Tensor, Tensor, Tensor> linalg_lstsq(const Tensor& self, const Tensor& b,
                                                        std::optional<double> rcond = std::nullopt,
                                                        std::optional<std::string_view> driver = std::nullopt);
/// The factors L and D of a symmetric matrix in one, the rows that were swapped, and where D has a zero.
std::tuple<Tensor, Tensor, Tensor> linalg_ldl_factor_ex(const Tensor& self, bool hermitian = false,
                                                        bool check_errors = false);
/// The factors L and D of a symmetric matrix in one, and the rows that were swapped.
std::tuple<Tensor, Tensor> linalg_ldl_factor(const Tensor& self, bool hermitian = false);
/// The solution X of A X = B, given what linalg.ldl_factor made of A.
Tensor linalg_ldl_solve(const Tensor& LD, const Tensor& pivots, const Tensor& B, bool hermitian = false);
/// The norm of all elements, or of the vectors along dimensions.
Tensor linalg_vector_norm(const Tensor& self, const Scalar& ord = 2, OptionalIntArrayRef dim = std::nullopt,
                          bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt);
/// The norm of matrices: 1, -1, 2, -2, inf, -inf, 'fro' or 'nuc'.
Tensor linalg_matrix_norm(const Tensor& self, const Scalar& ord, IntArrayRef dim = {-2, -1}, bool keepdim = false,
                          std::optional<ScalarType> dtype = std::nullopt);
Tensor linalg_matrix_norm(const Tensor& self, std::string_view ord = "fro", IntArrayRef dim = {-2, -1},
                          bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt);
/// The norm of a vector or matrix; of all elements if nothing else is said.
Tensor linalg_norm(const Tensor& self, const std::optional<Scalar>& ord = std::nullopt,
                   OptionalIntArrayRef dim = std::nullopt, bool keepdim = false,
                   std::optional<ScalarType> dtype = std::nullopt);
Tensor linalg_norm(const Tensor& self, std::string_view ord, OptionalIntArrayRef dim = std::nullopt,
                   bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt);
/// The sum of the singular values of a matrix.
Tensor nuclear_norm(const Tensor& self, bool keepdim = false);
Tensor nuclear_norm(const Tensor& self, IntArrayRef dim, bool keepdim = false);
/// The root of the sum of squares.
Tensor frobenius_norm(const Tensor& self, IntArrayRef dim, bool keepdim = false);
/// The condition number of a matrix.
Tensor linalg_cond(const Tensor& self, const std::optional<Scalar>& p = std::nullopt);
Tensor linalg_cond(const Tensor& self, std::string_view p);
/// The product of n times the same matrix; of its inverse if n is negative.
Tensor linalg_matrix_power(const Tensor& self, int64_t n);
/// The product of n times the same matrix; of its inverse if n is negative.
Tensor matrix_power(const Tensor& self, int64_t n);
/// The exponential of a matrix.
Tensor linalg_matrix_exp(const Tensor& self);
/// The exponential of a matrix.
Tensor matrix_exp(const Tensor& self);
/// The product of matrices.
Tensor linalg_matmul(const Tensor& self, const Tensor& other);
/// The product of several matrices, in the order that takes the fewest multiplications.
Tensor linalg_multi_dot(TensorList tensors);
/// The product of several matrices, in the order that takes the fewest multiplications.
Tensor chain_matmul(TensorList matrices);
/// The inner products of vectors along a dimension.
Tensor linalg_vecdot(const Tensor& x, const Tensor& y, int64_t dim = -1);
/// The cross product of vectors of three elements.
Tensor linalg_cross(const Tensor& self, const Tensor& other, int64_t dim = -1);
/// The cross product of vectors of three elements, along the first dimension that has three if none is named.
Tensor cross(const Tensor& self, const Tensor& other, std::optional<int64_t> dim = std::nullopt);
/// The matrix whose columns are the powers of x, from 0 on.
Tensor linalg_vander(const Tensor& x, std::optional<int64_t> N = std::nullopt);
/// The diagonals of matrices.
Tensor linalg_diagonal(const Tensor& A, int64_t offset = 0, int64_t dim1 = -2, int64_t dim2 = -1);
/// The inverse of a tensor, which counts as a matrix: the first ind dimensions are its rows.
Tensor linalg_tensorinv(const Tensor& self, int64_t ind = 2);
/// The solution of a system whose matrix is a tensor.
Tensor linalg_tensorsolve(const Tensor& self, const Tensor& other, OptionalIntArrayRef dims = std::nullopt);

}  // namespace taut
