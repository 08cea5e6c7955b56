// Written by tools/op_headers.py from the rows of src/ops; do not edit. taut::linalg: linalg_inv is linalg::inv.
#pragma once
#include "taut/core/linalg_error.h"
#include "taut/tensor.h"

namespace taut::linalg {

inline Tensor solve_triangular(const Tensor& self, const Tensor& B, bool upper, bool left = true,
                               bool unitriangular = false) {
  return linalg_solve_triangular(self, B, upper, left, unitriangular);
}
inline std::tuple<Tensor, Tensor> cholesky_ex(const Tensor& self, bool upper = false, bool check_errors = false) {
  return linalg_cholesky_ex(self, upper, check_errors);
}
inline Tensor cholesky(const Tensor& self, bool upper = false) { return linalg_cholesky(self, upper); }
inline std::tuple<Tensor, Tensor, Tensor> lu_factor_ex(const Tensor& A, bool pivot = true, bool check_errors = false) {
  return linalg_lu_factor_ex(A, pivot, check_errors);
}
inline std::tuple<Tensor, Tensor> lu_factor(const Tensor& A, bool pivot = true) { return linalg_lu_factor(A, pivot); }
inline std::tuple<Tensor, Tensor, Tensor> lu(const Tensor& A, bool pivot = true) { return linalg_lu(A, pivot); }
inline Tensor lu_solve(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left = true,
                       bool adjoint = false) {
  return linalg_lu_solve(LU, pivots, B, left, adjoint);
}
inline std::tuple<Tensor, Tensor> solve_ex(const Tensor& A, const Tensor& B, bool left = true,
                                           bool check_errors = false) {
  return linalg_solve_ex(A, B, left, check_errors);
}
inline Tensor solve(const Tensor& A, const Tensor& B, bool left = true) { return linalg_solve(A, B, left); }
inline std::tuple<Tensor, Tensor> inv_ex(const Tensor& A, bool check_errors = false) {
  return linalg_inv_ex(A, check_errors);
}
inline Tensor inv(const Tensor& A) { return linalg_inv(A); }
inline Tensor det(const Tensor& A) { return linalg_det(A); }
inline std::tuple<Tensor, Tensor> slogdet(const Tensor& A) { return linalg_slogdet(A); }
inline std::tuple<Tensor, Tensor> qr(const Tensor& A, std::string_view mode = "reduced") { return linalg_qr(A, mode); }
inline Tensor householder_product(const Tensor& input, const Tensor& tau) {
  return linalg_householder_product(input, tau);
}
inline std::tuple<Tensor, Tensor> eigh(const Tensor& self, std::string_view UPLO = "L") {
  return linalg_eigh(self, UPLO);
}
inline Tensor eigvalsh(const Tensor& self, std::string_view UPLO = "L") { return linalg_eigvalsh(self, UPLO); }
inline std::tuple<Tensor, Tensor> eig(const Tensor& self) { return linalg_eig(self); }
inline Tensor eigvals(const Tensor& self) { return linalg_eigvals(self); }
inline std::tuple<Tensor, Tensor, Tensor> svd(const Tensor& A, bool full_matrices = true,
                                              std::optional<std::string_view> driver = std::nullopt) {
  return linalg_svd(A, full_matrices, driver);
}
inline Tensor svdvals(const Tensor& A, std::optional<std::string_view> driver = std::nullopt) {
  return linalg_svdvals(A, driver);
}
inline Tensor pinv(const Tensor& self, double rcond, bool hermitian = false) {
  return linalg_pinv(self, rcond, hermitian);
}
inline Tensor pinv(const Tensor& self, std::optional<double> atol = std::nullopt,
                   std::optional<double> rtol = std::nullopt, bool hermitian = false) {
  return linalg_pinv(self, atol, rtol, hermitian);
}
inline Tensor pinv(const Tensor& self, OptionalTensor atol, OptionalTensor rtol = std::nullopt,
                   bool hermitian = false) {
  return linalg_pinv(self, atol, rtol, hermitian);
}
inline Tensor pinv(const Tensor& self, const Tensor& rcond, bool hermitian = false) {
  return linalg_pinv(self, rcond, hermitian);
}
inline Tensor matrix_rank(const Tensor& self, double tol, bool hermitian = false) {
  return linalg_matrix_rank(self, tol, hermitian);
}
inline Tensor matrix_rank(const Tensor& self, std::optional<double> atol = std::nullopt,
                          std::optional<double> rtol = std::nullopt, bool hermitian = false) {
  return linalg_matrix_rank(self, atol, rtol, hermitian);
}
inline Tensor matrix_rank(const Tensor& input, OptionalTensor atol, OptionalTensor rtol = std::nullopt,
                          bool hermitian = false) {
  return linalg_matrix_rank(input, atol, rtol, hermitian);
}
inline Tensor matrix_rank(const Tensor& input, const Tensor& tol, bool hermitian = false) {
  return linalg_matrix_rank(input, tol, hermitian);
}
inline std::tuple<Tensor, Tensor, Tensor, Tensor> lstsq(const Tensor& self, const Tensor& b,
                                                        std::optional<double> rcond = std::nullopt,
                                                        std::optional<std::string_view> driver = std::nullopt) {
  return linalg_lstsq(self, b, rcond, driver);
}
inline std::tuple<Tensor, Tensor, Tensor> ldl_factor_ex(const Tensor& self, bool hermitian = false,
                                                        bool check_errors = false) {
  return linalg_ldl_factor_ex(self, hermitian, check_errors);
}
inline std::tuple<Tensor, Tensor> ldl_factor(const Tensor& self, bool hermitian = false) {
  return linalg_ldl_factor(self, hermitian);
}
inline Tensor ldl_solve(const Tensor& LD, const Tensor& pivots, const Tensor& B, bool hermitian = false) {
  return linalg_ldl_solve(LD, pivots, B, hermitian);
}
inline Tensor vector_norm(const Tensor& self, const Scalar& ord = 2, OptionalIntArrayRef dim = std::nullopt,
                          bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt) {
  return linalg_vector_norm(self, ord, dim, keepdim, dtype);
}
inline Tensor matrix_norm(const Tensor& self, const Scalar& ord, IntArrayRef dim = {-2, -1}, bool keepdim = false,
                          std::optional<ScalarType> dtype = std::nullopt) {
  return linalg_matrix_norm(self, ord, dim, keepdim, dtype);
}
inline Tensor matrix_norm(const Tensor& self, std::string_view ord = "fro", IntArrayRef dim = {-2, -1},
                          bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt) {
  return linalg_matrix_norm(self, ord, dim, keepdim, dtype);
}
inline Tensor norm(const Tensor& self, const std::optional<Scalar>& ord = std::nullopt,
                   OptionalIntArrayRef dim = std::nullopt, bool keepdim = false,
                   std::optional<ScalarType> dtype = std::nullopt) {
  return linalg_norm(self, ord, dim, keepdim, dtype);
}
inline Tensor norm(const Tensor& self, std::string_view ord, OptionalIntArrayRef dim = std::nullopt,
                   bool keepdim = false, std::optional<ScalarType> dtype = std::nullopt) {
  return linalg_norm(self, ord, dim, keepdim, dtype);
}
inline Tensor cond(const Tensor& self, const std::optional<Scalar>& p = std::nullopt) { return linalg_cond(self, p); }
inline Tensor cond(const Tensor& self, std::string_view p) { return linalg_cond(self, p); }
inline Tensor matrix_power(const Tensor& self, int64_t n) { return linalg_matrix_power(self, n); }
inline Tensor matrix_exp(const Tensor& self) { return linalg_matrix_exp(self); }
inline Tensor matmul(const Tensor& self, const Tensor& other) { return linalg_matmul(self, other); }
inline Tensor multi_dot(TensorList tensors) { return linalg_multi_dot(tensors); }
inline Tensor vecdot(const Tensor& x, const Tensor& y, int64_t dim = -1) { return linalg_vecdot(x, y, dim); }
inline Tensor cross(const Tensor& self, const Tensor& other, int64_t dim = -1) {
  return linalg_cross(self, other, dim);
}
inline Tensor vander(const Tensor& x, std::optional<int64_t> N = std::nullopt) { return linalg_vander(x, N); }
inline Tensor diagonal(const Tensor& A, int64_t offset = 0, int64_t dim1 = -2, int64_t dim2 = -1) {
  return linalg_diagonal(A, offset, dim1, dim2);
}
inline Tensor tensorinv(const Tensor& self, int64_t ind = 2) { return linalg_tensorinv(self, ind); }
inline Tensor tensorsolve(const Tensor& self, const Tensor& other, OptionalIntArrayRef dims = std::nullopt) {
  return linalg_tensorsolve(self, other, dims);
}

}  // namespace taut::linalg
