// What the files of linear algebra share: checks in PyTorch's words, and the functions that derivatives are written in.
#pragma once
#include <limits>
#include <numeric>
#include <string_view>

#include "ops/op.h"
#include "taut/core/linalg_error.h"

namespace taut {

/// A batch of matrices of a dtype that there are kernels for. `op` is as PyTorch writes it: "linalg.inv".
void check_matrices(const Tensor& a, const char* op, const char* argument = "A");
void check_square(const Tensor& a, const char* op, const char* argument = "A");
/// Whole numbers are refused by PyTorch's kernel of this name.
void check_kernel(const Tensor& a, const char* kernel);
/// Throws for the first element of `info` that is not 0; what(i) says what that means.
template <class E = LinAlgError, class F>
void check_info(const Tensor& info, const char* op, F what) {
  if (dry || info.is_meta()) return;
  const Tensor flat = batching::whole(info).contiguous();
  const auto* v = flat.data_ptr<int32_t>();
  for (int64_t k = 0; k < flat.numel(); ++k)
    if (v[k] != 0)
      throw E(info.dim() == 0 ? str(op, ": ", what(v[k])) : str(op, ": (Batch element ", k, "): ", what(v[k])));
}

/// The dimensions before the last two, and the number of matrices.
inline IntArrayRef batch_of(const Tensor& a) { return a.sizes().slice(0, a.sizes().size() - 2); }
inline int64_t count_of(IntArrayRef batch) {
  return std::accumulate(batch.begin(), batch.end(), int64_t{1}, std::multiplies<>());
}
inline Dims with(IntArrayRef batch, std::initializer_list<int64_t> last) {
  Dims all(batch);
  for (const int64_t n : last) all.push_back(n);
  return all;
}
/// Contiguous memory of its own with the elements of a, which may be a conjugate view.
Tensor own_copy(const Tensor& a);
/// The distance from 1 to the next number of a dtype, or of its parts.
inline double epsilon_of(ScalarType t) {
  return value_type(t) == kFloat ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
}
/// The diagonals of matrices, a view; and matrices that are 0 but for these.
inline Tensor diagonal_of(const Tensor& a) { return a.diagonal(0, -2, -1); }
/// The unit matrix.
Tensor unit_like(const Tensor& a, int64_t n);

// Written from their rows into taut/ops/*.h, too.
std::tuple<Tensor, Tensor, Tensor> linalg_lu_factor_ex(const Tensor& A, bool pivot, bool check_errors);
Tensor linalg_lu_solve(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left, bool adjoint);
Tensor linalg_solve(const Tensor& A, const Tensor& B, bool left);
Tensor linalg_solve_triangular(const Tensor& self, const Tensor& B, bool upper, bool left, bool unitriangular);
Tensor cholesky_solve(const Tensor& self, const Tensor& input2, bool upper);
Tensor linalg_inv(const Tensor& A);
std::tuple<Tensor, Tensor> linalg_inv_ex(const Tensor& A, bool check_errors);

/// What the derivative of an op says that PyTorch has none of either: a graph that leads through it must not lose a
/// part of its gradient in silence.
[[noreturn]] inline Tensor underived(const char* op) {
  throw NotImplementedError(str("the derivative for '", op, "' is not implemented."));
}

}  // namespace taut
