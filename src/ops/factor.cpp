// Cholesky's and the LU factorisation, triangular systems, and what is solved by them: inverses, systems, determinants.
#include "kernels/numeric.h"
#include "ops/autocast.h"

#include <array>
#include <limits>

#include "ops/batch_rules.h"
#include "ops/complex.h"
#include "ops/matrix.h"
#include "ops/registry.h"

namespace taut {

void check_matrices(const Tensor& a, const char* op, const char* argument) {
  check_defined(a, op + (std::string_view(op).starts_with("torch.") ? 6 : 0), argument);
  check(a.dim() >= 2, op, ": The input tensor ", argument, " must have at least 2 dimensions.");
  check(a.is_floating_point() || a.is_complex(), op, ": Expected a floating point or complex tensor as input. Got ",
        toString(a.scalar_type()));
  const ScalarType t = value_type(a.scalar_type());
  check<NotImplementedError>(t == kFloat || t == kDouble, op, ": not implemented for '", toString(a.scalar_type()),
                             "'. Convert the input to float32 first.");
}
void check_kernel(const Tensor& a, const char* kernel) {
  check<NotImplementedError>(is_differentiable(a.scalar_type()), '"', kernel, "\" not implemented for '",
                             toString(a.scalar_type()), "'");
}
void check_square(const Tensor& a, const char* op, const char* argument) {
  check_matrices(a, op, argument);
  check(a.size(-1) == a.size(-2), op, ": ", argument, " must be batches of square matrices, but they are ", a.size(-2),
        " by ", a.size(-1), " matrices");
}
Tensor own_copy(const Tensor& a) {
  if (!a.is_conj()) return a.detach().clone(MemoryFormat::Contiguous);
  Tensor y = make(a.sizes(), a.scalar_type());
  write(y, a);
  return y;
}
Tensor unit_like(const Tensor& a, int64_t n) { return eye(n, a.scalar_type()); }

namespace {

void check_same_dtype(const Tensor& a, const Tensor& b, const char* op, const char* first) {
  check(a.scalar_type() == b.scalar_type(), op, ": Expected ", first, " and B to have the same dtype, but found ",
        first, " of type ", toString(a.scalar_type()), " and B of type ", toString(b.scalar_type()), " instead");
}
/// The checks of a X = b and X a = b, where a is square.
void check_system(const Tensor& a, const Tensor& b, bool left, const char* op) {
  check(b.dim() >= 2, op, ": The input tensor B must have at least 2 dimensions.");
  check(left ? a.size(-2) == b.size(-2) : a.size(-1) == b.size(-1), op,
        ": Incompatible shapes of A and B for the equation ", left ? "AX = B" : "XA = B", " (", a.size(-2), "x",
        a.size(-1), " and ", b.size(-2), "x", b.size(-1), ")");
}

Tensor triangle(const Tensor& a, bool upper, bool without_diagonal) {
  return upper ? a.triu(without_diagonal ? 1 : 0) : a.tril(without_diagonal ? -1 : 0);
}

struct SolveTriangular {
  static constexpr bool complex = true;
  static constexpr const char* name = "linalg.solve_triangular";
  static constexpr const char* node = "LinalgSolveTriangularBackward0";
  static constexpr unsigned reads[] = {kInput(0) | kResult(), kInput(0)};
  bool upper, left, unit;
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& y) const { return broadcast_items(*this, b, x, y); }
  Tensor forward(const Tensor& a, const Tensor& b) const {
    const Dims batch = broadcast_shapes(batch_of(a), batch_of(b), name);
    const int64_t m = b.size(-2), n = b.size(-1);
    Tensor x = own_copy(b.expand(with(batch, {m, n})));
    Tensor t = a.is_complex() && a.dim() == 2 ? a.contiguous() : a;
    // One distance from each matrix to the next.
    if (a.dim() > 2 && !((a.is_contiguous() || a.mT().is_contiguous()) && batch_of(a) == IntArrayRef(batch)))
      t = a.expand(with(batch, {a.size(-2), a.size(-1)})).contiguous();
    const int64_t jump = t.dim() == 2 ? 0 : t.size(-2) * t.size(-1);
    kernels::numeric().solve_triangular(x.scalar_type(), count_of(batch), m, n,
                                        {t.data_ptr(), t.stride(-2), t.stride(-1), jump}, {upper, unit, left},
                                        x.data_ptr());
    return x;
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    const Tensor gb = linalg_solve_triangular(s.input(0).mH(), g, !upper, left, unit);
    if (i == 1) return gb;
    const Tensor x = s.result();
    return -triangle(left ? gb.matmul(x.mH()) : x.mH().matmul(gb), upper, unit);
  }
};

struct Cholesky {
  static constexpr bool complex = true;
  static constexpr const char* name = "linalg.cholesky";
  static constexpr const char* node = "LinalgCholeskyExBackward0";
  static constexpr unsigned reads[] = {kResult()};
  bool upper;
  static constexpr bool leading = true;
  std::array<Tensor, 2> forward(const Tensor& a) const {
    Tensor l = own_copy(upper ? a.mH() : a), info = make(batch_of(a), kInt, name);
    kernels::numeric().cholesky(l.scalar_type(), count_of(batch_of(a)), a.size(-1), l.data_ptr(),
                                static_cast<int32_t*>(info.data_ptr()));
    return {upper ? own_copy(l.mH()) : l, info};
  }
  Tensor vjp(int, const Tensor* g, const Saved& s) const {
    const Tensor l = upper ? s.result().mH() : s.result(), gl = upper ? g[0].mH() : g[0];
    const Tensor low = l.mH().matmul(gl).tril();
    const Tensor both = (low + low.tril(-1).mH()) * 0.5;
    const Tensor half = linalg_solve_triangular(l.mH(), both, true, true, false);
    return linalg_solve_triangular(l, half, false, false, false);
  }
};

/// Of the Cholesky factor l of a matrix, whose other half counts as 0: the solution of a system. The gradients are
/// PyTorch's: they take for granted that the other half is 0, and give it one too.
struct CholeskySolve {
  static constexpr bool complex = true;
  static constexpr const char* name = "cholesky_solve";
  static constexpr const char* node = "CholeskySolveBackward0";
  static constexpr unsigned reads[] = {kInput(1), kInput(1) | kResult()};
  bool upper;
  Tensor batch(const Batch& b, const Tensor& x, const Tensor& y) const { return broadcast_items(*this, b, x, y); }
  Tensor forward(const Tensor& b, const Tensor& factor) const {
    const Tensor l = upper ? factor.mH() : factor;
    return linalg_solve_triangular(l.mH(), linalg_solve_triangular(l, b, false, true, false), true, true, false);
  }
  Tensor vjp(int i, const Tensor& g, const Saved& s) const {
    const Tensor l = s.input(1), gb = cholesky_solve(g, l, upper);
    if (i == 0) return gb;
    const Tensor half = gb.matmul(s.result().mH()), both = half + half.mH();
    return upper ? -l.matmul(both) : -both.matmul(l);
  }
};
/// The same for the inverse of the matrix.
struct CholeskyInverse {
  static constexpr bool complex = true;
  static constexpr const char* name = "cholesky_inverse";
  static constexpr const char* node = "CholeskyInverseBackward0";
  static constexpr unsigned reads[] = {kInput(0) | kResult()};
  bool upper;
  static constexpr bool leading = true;
  Tensor forward(const Tensor& factor) const {
    const Tensor l = upper ? factor.mH() : factor;
    const Tensor x = linalg_solve_triangular(l, unit_like(l, l.size(-1)), false, true, false);
    return x.mH().matmul(x);
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    const Tensor l = s.input(0), x = s.result(), both = x.matmul((g + g.mH()).matmul(x));
    return upper ? -l.matmul(both) : -both.matmul(l);
  }
};

/// perm with (a[perm[i]])_i = L U. Throws for pivots that no factorisation gives.
Tensor permutation(const Tensor& pivots, int64_t m, const char* complaint) {
  if (is_batched(pivots)) {
    const HiddenDims levels = hidden_of(*pivots.impl());
    return batching::hide(permutation(batching::whole(pivots), m, complaint), levels, {});
  }
  const Tensor p = pivots.detach().contiguous();
  const int64_t k = p.size(-1), count = p.numel() / std::max<int64_t>(k, 1);
  Tensor perm = make(with(p.sizes().slice(0, p.sizes().size() - 1), {m}), kLong, "lu_unpack");
  if (no_data(perm)) return perm;
  const auto* from = p.data_ptr<int32_t>();
  auto* to = perm.data_ptr<int64_t>();
  for (int64_t b = 0; b < perm.numel() / std::max<int64_t>(m, 1); ++b, to += m) {
    std::iota(to, to + m, int64_t{0});
    for (int64_t i = 0; i < k && b < count; ++i) {
      const int64_t other = from[b * k + i] - 1;
      check(other >= 0 && other < m, complaint);
      std::swap(to[i], to[other]);
    }
  }
  return perm;
}
constexpr const char* kBadUnpack =
    "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive.Did you properly pass the result of "
    "lu_factor?";
constexpr const char* kBadSolve =
    "Pivots given to lu_solve must all be smaller or equal to LU.size(-2). Did you properly pass the result of "
    "lu_factor?";

/// The rows of b in the order of perm.
Tensor take_rows(const Tensor& b, const Tensor& perm) {
  if (perm.dim() == 1) return b.index_select(-2, perm);
  const Dims batch = broadcast_shapes(batch_of(b), perm.sizes().slice(0, perm.sizes().size() - 1), "linalg.lu_solve");
  const Dims shape = with(batch, {perm.size(-1), b.size(-1)});
  return b.expand(with(batch, {b.size(-2), b.size(-1)})).gather(-2, perm.unsqueeze(-1).expand(shape));
}

/// L with its ones, or U, of a packed factorisation of m x n matrices.
Tensor lower_of(const Tensor& lu) {
  const int64_t m = lu.size(-2), k = std::min(m, lu.size(-1));
  return lu.narrow(-1, 0, k).tril(-1) + eye(m, k, lu.scalar_type());
}
Tensor upper_of(const Tensor& lu) { return lu.narrow(-2, 0, std::min(lu.size(-2), lu.size(-1))).triu(); }

struct Lu {
  static constexpr bool complex = true;
  static constexpr const char* name = "linalg.lu_factor";
  static constexpr const char* node = "LinalgLuFactorExBackward0";
  static constexpr unsigned reads[] = {kResult(0) | kResult(1)};
  static constexpr bool leading = true;
  std::array<Tensor, 3> forward(const Tensor& a) const {
    const IntArrayRef batch = batch_of(a);
    const int64_t m = a.size(-2), n = a.size(-1);
    Tensor lu = own_copy(a), pivots = make(with(batch, {std::min(m, n)}), kInt, name), info = make(batch, kInt, name);
    kernels::numeric().lu(lu.scalar_type(), count_of(batch), m, n, lu.data_ptr(),
                          static_cast<int32_t*>(pivots.data_ptr()), static_cast<int32_t*>(info.data_ptr()));
    return {lu, pivots, info};
  }
  /// With b = (a[perm]) = L U: the square part of b first, then what follows from it by triangular systems.
  Tensor vjp(int, const Tensor* g, const Saved& s) const {
    const Tensor lu = s.result(0), perm = permutation(s.result(1), lu.size(-2), kBadUnpack);
    const int64_t m = lu.size(-2), n = lu.size(-1), k = std::min(m, n);
    const Tensor square = lu.narrow(-2, 0, k).narrow(-1, 0, k), l = lower_of(square), u = square.triu();
    Tensor gl = g[0].narrow(-2, 0, k).narrow(-1, 0, k), gu = gl, rest;
    if (n > k) {
      rest = linalg_solve_triangular(l.mH(), g[0].narrow(-1, k, n - k), true, true, true);
      gl = gl - rest.matmul(lu.narrow(-1, k, n - k).mH());
    }
    if (m > k) {
      rest = linalg_solve_triangular(u.mH(), g[0].narrow(-2, k, m - k), false, false, false);
      gu = gu - lu.narrow(-2, k, m - k).mH().matmul(rest);
    }
    const Tensor inner = l.mH().matmul(gl.tril(-1)).tril(-1) + gu.triu().matmul(u.mH()).triu();
    Tensor gb = linalg_solve_triangular(l.mH(), inner, true, true, true);
    gb = linalg_solve_triangular(u.mH(), gb, false, false, false);
    if (rest.defined()) gb = cat({gb, rest}, n > k ? -1 : -2);
    return take_rows(gb, perm.argsort(-1));
  }
};

/// x with a x = b (or x a = b): results are x, the factors, the pivots and info.
struct Solve {
  static constexpr bool complex = true;
  static constexpr const char* name = "linalg.solve";
  static constexpr const char* node = "LinalgSolveExBackward0";
  static constexpr unsigned reads[] = {kInput(0) | kResult(0) | kResult(1) | kResult(2),
                                       kInput(0) | kResult(1) | kResult(2)};
  bool left;
  std::array<Tensor, 4> batch(const Batch& b, const Tensor& a, const Tensor& y) const {
    const Tensor all = b.all(0, a);
    const int64_t dims = std::max(b.dim(0, a), b.dim(1, y));
    Tensor raised = all;
    while (raised.dim() - 1 < dims) raised = raised.unsqueeze(1);
    auto r = apply(*this, raised, b.raised(1, y, dims));
    const IntArrayRef sizes = all.sizes();
    r[1] = r[1].view(sizes), r[2] = r[2].view(sizes.slice(0, sizes.size() - 1));
    r[3] = r[3].view(sizes.slice(0, sizes.size() - 2));
    return r;
  }
  std::array<Tensor, 4> forward(const Tensor& a, const Tensor& b) const {
    const auto [lu, pivots, info] = Lu().forward(a);
    return {linalg_lu_solve(lu, pivots, b, left, false), lu, pivots, info};
  }
  Tensor vjp(int i, const Tensor* g, const Saved& s) const {
    const Tensor gb = must_record() ? linalg_solve(s.input(0).mH(), g[0], left)
                                    : linalg_lu_solve(s.result(1), s.result(2), g[0], left, true);
    if (i == 1) return gb;
    const Tensor x = s.result(0);
    return left ? -gb.matmul(x.mH()) : -x.mH().matmul(gb);
  }
};

struct Inverse {
  static constexpr bool complex = true;
  static constexpr const char* name = "linalg.inv";
  static constexpr const char* node = "LinalgInvExBackward0";
  static constexpr unsigned reads[] = {kResult()};
  static constexpr bool leading = true;
  std::array<Tensor, 2> forward(const Tensor& a) const {
    const auto [lu, pivots, info] = Lu().forward(a);
    return {linalg_lu_solve(lu, pivots, unit_like(a, a.size(-1)), true, false), info};
  }
  Tensor vjp(int, const Tensor* g, const Saved& s) const {
    const Tensor x = s.result().mH();
    return -x.matmul(g[0].matmul(x));
  }
};

/// 1 or -1 by the number of swaps.
Tensor sign_of(const Tensor& pivots, ScalarType dtype) {
  const Tensor in_place = arange(1, pivots.size(-1) + 1, kInt);
  return (1 - pivots.ne(in_place).sum(-1).remainder(2) * 2).to(dtype);
}

struct Determinant {
  static constexpr bool complex = true;
  static constexpr const char* name = "linalg.det";
  static constexpr const char* node = "LinalgDetBackward0";
  static constexpr unsigned reads[] = {kInput(0) | kResult(0) | kResult(1) | kResult(2)};
  static constexpr bool leading = true;
  std::array<Tensor, 3> forward(const Tensor& a) const {
    const auto [lu, pivots, info] = Lu().forward(a);
    return {diagonal_of(lu).prod(-1) * sign_of(pivots, a.scalar_type()), lu, pivots};
  }
  /// The inverse times the determinant. Where that is 0, of a matrix nearby: the gradient is continuous.
  Tensor vjp(int, const Tensor* g, const Saved& s) const {
    const Tensor d =
        diag_embed((g[0] * s.result(0).conj()).unsqueeze(-1).expand(s.sizes(0).slice(0, s.sizes(0).size() - 1)));
    const double little = epsilon_of(s.dtype(0));
    if (must_record()) {
      const Tensor a = s.input(0), singular = (s.result(0) == 0).to(a.scalar_type()).detach() * little;
      return linalg_solve(a.mH() + unit_like(a, a.size(-1)) * singular.unsqueeze(-1).unsqueeze(-1), d, true);
    }
    const Tensor lu = s.result(1), zero = (diagonal_of(lu) == 0).to(lu.scalar_type()) * little;
    return linalg_lu_solve(lu + diag_embed(zero), s.result(2), d, true, true);
  }
};

struct LogDeterminant {
  static constexpr bool complex = true;
  static constexpr const char* name = "linalg.slogdet";
  static constexpr const char* node = "LinalgSlogdetBackward0";
  static constexpr unsigned reads[] = {kInput(0) | kResult(0) | kResult(2) | kResult(3)};
  static constexpr bool leading = true;
  std::array<Tensor, 4> forward(const Tensor& a) const {
    const auto [lu, pivots, info] = Lu().forward(a);
    const Tensor diagonal = diagonal_of(lu);
    return {diagonal.sgn().prod(-1) * sign_of(pivots, a.scalar_type()), diagonal.abs().log().sum(-1), lu, pivots};
  }
  Tensor vjp(int, const Tensor* g, const Saved& s) const {
    Tensor by_log = g[1];
    if (g[0].defined() && is_complex(s.dtype(0))) {  // its angle is the imaginary part of the logarithm
      const Tensor turn = imag(g[0].conj() * s.result(0)) * Scalar(Complex<double>(0, -1));
      by_log = by_log.defined() ? by_log + turn : turn;
    }
    if (!by_log.defined()) return zeros(s.sizes(0), s.dtype(0));
    const Tensor d = diag_embed(by_log.to(s.dtype(0)).unsqueeze(-1).expand(s.sizes(0).slice(0, s.sizes(0).size() - 1)));
    if (must_record()) return linalg_solve(s.input(0).mH(), d, true);
    return linalg_lu_solve(s.result(2), s.result(3), d, true, true);
  }
};

std::string not_positive(int32_t i) {
  return str(
      "The factorization could not be completed because the input is not positive-definite (the leading minor of "
      "order ",
      i, " is not positive-definite).");
}
std::string singular(int32_t i) {
  return str("The diagonal element ", i,
             " is zero, the inversion could not be completed because the input matrix is singular.");
}
std::string zero_in_u(int32_t i) {
  return str("U[", i, ",", i,
             "] is zero and using it on lu_solve would result in a division by zero. If you still want to perform the "
             "factorization, consider calling linalg.lu(A, pivot) or linalg.lu_factor_ex(A, pivot)");
}
std::string unsolved(int32_t) { return "The solver failed because the input matrix is singular."; }

}  // namespace

// ---- triangular systems

Tensor linalg_solve_triangular(const Tensor& self, const Tensor& B, bool upper, bool left, bool unitriangular) {
  check_defined(self, "linalg.solve_triangular", "A");
  check_kernel(self, "triangular_solve_cpu");
  check_square(self, "linalg.solve_triangular");
  check_defined(B, "linalg.solve_triangular", "B");
  check_system(self, B, left, "linalg.solve_triangular");
  // B is cast, as in PyTorch, and in no other of these ops.
  if (B.is_complex() && !self.is_complex()) check_same_dtype(self, B, "linalg.solve_triangular", "A");
  return apply(SolveTriangular{upper, left, unitriangular}, self, B.to(self.scalar_type()));
}
std::tuple<Tensor, Tensor> triangular_solve(const Tensor& self, const Tensor& A, bool upper, bool transpose,
                                            bool unitriangular) {
  AUTOCAST(triangular_solve, as_wide(self), as_wide(A), upper, transpose, unitriangular);
  check_defined(self, "triangular_solve");
  check_defined(A, "triangular_solve", "A");
  check(self.dim() >= 2, "torch.triangular_solve: Expected b to have at least 2 dimensions, but it has ", self.dim(),
        " dimensions instead");
  check(A.dim() >= 2, "torch.triangular_solve: Expected A to have at least 2 dimensions, but it has ", A.dim(),
        " dimensions instead");
  check(self.scalar_type() == A.scalar_type(), "Expected b and A to have the same dtype, but found b of type ",
        toString(self.scalar_type()), " and A of type ", toString(A.scalar_type()), " instead.");
  check_kernel(A, "triangular_solve_cpu");
  check_square(A, "triangular_solve");
  check(self.size(-2) == A.size(-1), "Incompatible matrix sizes for triangular_solve: each A matrix is ", A.size(-2),
        " by ", A.size(-1), " but each b matrix is ", self.size(-2), " by ", self.size(-1));
  const Tensor a = transpose ? A.mT() : A;
  const Dims batch = broadcast_shapes(batch_of(A), batch_of(self), "triangular_solve");
  return {linalg_solve_triangular(a, self, upper != transpose, true, unitriangular),
          A.expand(with(batch, {A.size(-2), A.size(-1)})).clone()};
}

// ---- Cholesky

static std::tuple<Tensor, Tensor> cholesky_of(const Tensor& a, bool upper, bool check_errors, const char* op) {
  check_square(a, std::string_view(op) == "linalg.cholesky_ex" ? "linalg.cholesky" : op);
  auto [l, info] = apply(Cholesky{upper}, a);
  if (check_errors) check_info(info, op, not_positive);
  return {l, info};
}
std::tuple<Tensor, Tensor> linalg_cholesky_ex(const Tensor& self, bool upper, bool check_errors) {
  AUTOCAST(linalg_cholesky_ex, as_wide(self), upper, check_errors);
  return cholesky_of(self, upper, check_errors, "linalg.cholesky_ex");
}
Tensor linalg_cholesky(const Tensor& self, bool upper) {
  AUTOCAST(linalg_cholesky, as_wide(self), upper);
  return std::get<0>(cholesky_of(self, upper, true, "linalg.cholesky"));
}
Tensor cholesky(const Tensor& self, bool upper) {
  AUTOCAST(cholesky, as_wide(self), upper);
  return std::get<0>(cholesky_of(self, upper, true, "cholesky"));
}
Tensor cholesky_solve(const Tensor& self, const Tensor& input2, bool upper) {
  AUTOCAST(cholesky_solve, as_wide(self), as_wide(input2), upper);
  check_defined(self, "cholesky_solve");
  check_defined(input2, "cholesky_solve", "input2");
  check(self.dim() >= 2, "b should have at least 2 dimensions, but has ", self.dim(), " dimensions instead");
  check(input2.dim() >= 2, "u should have at least 2 dimensions, but has ", input2.dim(), " dimensions instead");
  check_kernel(input2, "cholesky_solve_cpu");
  check_matrices(input2, "cholesky_solve");
  check(input2.size(-1) == input2.size(-2), "A must be batches of square matrices, but they are ", input2.size(-2),
        " by ", input2.size(-1), " matrices");
  check(self.size(-2) == input2.size(-1), "Incompatible matrix sizes for cholesky_solve: each A matrix is ",
        input2.size(-2), " by ", input2.size(-1), " but each b matrix is ", self.size(-2), " by ", self.size(-1));
  check(self.scalar_type() == input2.scalar_type(), "Expected b and A to have the same dtype, but found b of type ",
        toString(self.scalar_type()), " and A of type ", toString(input2.scalar_type()), " instead.");
  return apply(CholeskySolve{upper}, self, input2);
}
Tensor cholesky_inverse(const Tensor& self, bool upper) {
  AUTOCAST(cholesky_inverse, as_wide(self), upper);
  const AsDry as(self);
  check_square(self, "cholesky_inverse");
  {
    NoGradGuard guard;
    // The places of zeros counted from the end, so that the first is the largest.
    const int64_t n = self.size(-1);
    const Tensor zeros_at = (diagonal_of(self) == 0).to(kInt) * arange(n, 0, -1, kInt);
    if (self.numel() > 0) {
      const Tensor first = zeros_at.amax(-1);
      check_info((first.ne(0).to(kInt) * (n + 1 - first)).to(kInt), "cholesky_inverse", singular);
    }
  }
  return apply(CholeskyInverse{upper}, self);
}

// ---- LU

std::tuple<Tensor, Tensor, Tensor> linalg_lu_factor_ex(const Tensor& A, bool pivot, bool check_errors) {
  check_defined(A, "linalg.lu_factor_ex", "A");
  check(A.dim() >= 2, "torch.lu_factor: Expected tensor with 2 or more dimensions. Got size: ", A.sizes(), " instead");
  check_kernel(A, "lu_cpu");
  check_matrices(A, "linalg.lu_factor_ex");
  check(pivot, "linalg.lu_factor: LU without pivoting is not implemented on the CPU");
  auto [lu, pivots, info] = apply(Lu{}, A);
  if (check_errors) check_info<Error>(info, "torch.linalg.lu_factor_ex", zero_in_u);
  return {lu, pivots, info};
}
std::tuple<Tensor, Tensor> linalg_lu_factor(const Tensor& A, bool pivot) {
  const auto [lu, pivots, info] = linalg_lu_factor_ex(A, pivot, false);
  check_info<Error>(info, "torch.linalg.lu_factor", zero_in_u);
  return {lu, pivots};
}
std::tuple<Tensor, Tensor, Tensor> lu_unpack(const Tensor& LU_data, const Tensor& LU_pivots, bool unpack_data,
                                             bool unpack_pivots) {
  const AsDry as(LU_data);
  check_defined(LU_data, "lu_unpack", "LU_data");
  check(LU_data.dim() >= 2, "torch.lu_unpack: Expected tensor with 2 or more dimensions. Got size: ", LU_data.sizes(),
        " instead");
  check_defined(LU_pivots, "lu_unpack", "LU_pivots");
  check(!unpack_pivots || LU_pivots.scalar_type() == kInt,
        "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.\nNote: this function "
        "is intended to be used with the output produced by torch.linalg.lu_factor");
  const int64_t m = LU_data.size(-2), n = LU_data.size(-1), k = std::min(m, n);
  check(!unpack_pivots || (LU_pivots.dim() + 1 == LU_data.dim() && LU_pivots.size(-1) == k &&
                           batch_of(LU_data) == LU_pivots.sizes().slice(0, LU_pivots.sizes().size() - 1)),
        kBadUnpack);
  Tensor p = make({0}, LU_data.scalar_type()), l = make({0}, LU_data.scalar_type()),
         u = make({0}, LU_data.scalar_type());
  if (unpack_data) l = lower_of(LU_data), u = upper_of(LU_data);
  if (unpack_pivots) {
    const Tensor perm = permutation(LU_pivots, m, kBadUnpack);
    p = take_rows(unit_like(LU_data, m), perm.argsort(-1));
  }
  return {p, l, u};
}
std::tuple<Tensor, Tensor, Tensor> linalg_lu(const Tensor& A, bool pivot) {
  const AsDry as(A);
  check_defined(A, "linalg.lu", "A");
  check(A.dim() >= 2, "linalg.lu: Expected tensor with 2 or more dimensions. Got size: ", A.sizes(), " instead");
  const auto [lu, pivots, info] = linalg_lu_factor_ex(A, pivot, false);
  return lu_unpack(lu, pivots, true, true);
}
Tensor linalg_lu_solve(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left, bool adjoint) {
  const AsDry as(LU);
  check_square(LU, "torch.linalg.lu_solve");
  check_defined(pivots, "linalg.lu_solve", "pivots");
  check_defined(B, "linalg.lu_solve", "B");
  check(pivots.scalar_type() == kInt, "linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32");
  check_same_dtype(LU, B, "linalg.lu_solve", "LU");
  check_system(LU, B, left, "linalg.lu_solve");
  check(pivots.dim() > 0 && pivots.size(-1) == LU.size(-1),
        "linalg.lu_solve: Number of pivots per batch should be same as the dimension of the matrix");
  check(batch_of(LU) == pivots.sizes().slice(0, pivots.sizes().size() - 1),
        "linalg.lu_solve: Expected LU.shape[:-1] and pivots.shape to be the same, but got pivots with shape ",
        pivots.sizes(), " instead");
  const Tensor perm = permutation(pivots, LU.size(-1), kBadSolve);
  // Conjugates and transposes of B and X, so that A is itself or transposed.
  const Tensor turned = left ? B : B.mT(), b = adjoint ? turned.conj() : turned;
  Tensor x;
  if (left != adjoint) {
    x = linalg_solve_triangular(LU, take_rows(b, perm), false, true, true);
    x = linalg_solve_triangular(LU, x, true, true, false);
  } else {
    x = linalg_solve_triangular(LU.mT(), b, false, true, false);
    x = take_rows(linalg_solve_triangular(LU.mT(), x, true, true, true), perm.argsort(-1));
  }
  if (adjoint) x = x.conj().resolve_conj();
  return left ? x : x.mT();
}
Tensor lu_solve(const Tensor& self, const Tensor& LU_data, const Tensor& LU_pivots) {
  AUTOCAST(lu_solve, as_wide(self), as_wide(LU_data), as_wide(LU_pivots));
  const AsDry as(self);
  check_defined(self, "lu_solve");
  return linalg_lu_solve(LU_data, LU_pivots, self, true, false);
}

// ---- systems and inverses

static std::tuple<Tensor, Tensor> solve_system(const Tensor& A, const Tensor& B, bool left, const char* op) {
  check_square(A, op);
  check_defined(B, op, "B");
  check_same_dtype(A, B, op, "A");
  const bool vector = B.dim() == 1 || (A.dim() - 1 == B.dim() && B.sizes() == A.sizes().slice(0, A.sizes().size() - 1));
  const Tensor b = vector ? B.unsqueeze(-1) : B;
  check_system(A, b, left, op);
  check(left || !vector, op,
        ": Vector broadcasting of the left hand side is not supported for left=False. In this case linalg.solve is "
        "equivalent to B / A.squeeze(-1)");
  const std::array<Tensor, 4> found = apply(Solve{left}, A, b);
  return {vector ? own_result(found[0].squeeze(-1), A, B) : found[0], found[3]};
}
std::tuple<Tensor, Tensor> linalg_solve_ex(const Tensor& A, const Tensor& B, bool left, bool check_errors) {
  auto found = solve_system(A, B, left, "linalg.solve");
  if (check_errors) check_info(std::get<1>(found), "torch.linalg.solve_ex", unsolved);
  return found;
}
Tensor linalg_solve(const Tensor& A, const Tensor& B, bool left) {
  AUTOCAST(linalg_solve, as_wide(A), as_wide(B), left);
  const auto [x, info] = solve_system(A, B, left, "linalg.solve");
  check_info(info, "torch.linalg.solve", unsolved);
  return x;
}
static std::tuple<Tensor, Tensor> invert(const Tensor& a, bool check_errors, const char* op) {
  check_square(a, "linalg.inv");
  auto [x, info] = apply(Inverse{}, a);
  if (check_errors) check_info(info, op, singular);
  return {x, info};
}
std::tuple<Tensor, Tensor> linalg_inv_ex(const Tensor& A, bool check_errors) {
  AUTOCAST(linalg_inv_ex, as_wide(A), check_errors);
  return invert(A, check_errors, "linalg.inv_ex");
}
Tensor linalg_inv(const Tensor& A) {
  AUTOCAST(linalg_inv, as_wide(A));
  return std::get<0>(invert(A, true, "linalg.inv"));
}
Tensor inverse(const Tensor& self) {
  AUTOCAST(inverse, as_wide(self));
  return linalg_inv(self);
}

// ---- determinants

Tensor linalg_det(const Tensor& A) {
  check_square(A, "linalg.det");
  return apply(Determinant{}, A)[0];
}
Tensor det(const Tensor& self) { return linalg_det(self); }
std::tuple<Tensor, Tensor> linalg_slogdet(const Tensor& A) {
  check_square(A, "linalg.slogdet");
  const std::array<Tensor, 4> found = apply(LogDeterminant{}, A);
  return {found[0], found[1]};
}
std::tuple<Tensor, Tensor> slogdet(const Tensor& self) { return linalg_slogdet(self); }
Tensor logdet(const Tensor& self) {
  check_square(self, "logdet");
  const auto [sign, logabsdet] = linalg_slogdet(self);
  if (self.is_complex()) return sign.log() + logabsdet;
  return where(sign == -1, full({}, std::numeric_limits<double>::quiet_NaN(), self.scalar_type()), logabsdet);
}

extern const OpEntry factor_ops[];
extern const size_t factor_ops_count;
const OpEntry factor_ops[] = {
    doc("The solution X of A X = B, or X A = B if not left, where A is triangular.",
        op<linalg_solve_triangular>(
            "linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool "
            "unitriangular=False) -> Tensor",
            "p(3, 3), t(3, 2), upper=True\np(3, 3), t(3, 2), upper=False\np(2, 2, 2), t(2, 3), "
            "upper=True, unitriangular=True\np(3, 3), t(2, 3), upper=True, left=False\np(3, 3), "
            "t(2, 2, 3), upper=False, left=False, unitriangular=True\nt(0, 0), t(0, 2), "
            "upper=True\nz(3, 3), z(3, 2), upper=True\nz(2, 2), z(3, 2), upper=False, left=False")),
    doc("The solution of a triangular system, and a copy of the matrix.",
        method(op<triangular_solve>("triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, "
                                    "bool unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient)",
                                    "t(3, 2), p(3, 3)\nt(2, 2, 1), p(2, 2), False\nt(3, 2), p(3, 3), True, True, "
                                    "True"))),
    doc("The triangular L with L L' = A, for a symmetric positive-definite matrix, and whether there is one.",
        op<linalg_cholesky_ex>(
            "linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> (Tensor L, Tensor info)",
            "s(3, 3)\ns(2, 2, 2), upper=True\nt(0, 0)\nh(3, 3)")),
    doc("The triangular L with L L' = A, for a symmetric positive-definite matrix.",
        op<linalg_cholesky>("linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor",
                            "s(3, 3)\ns(2, 2, 2), upper=True\nt(0, 3, 3)\nc([[1.0, 2.0], [2.0, 1.0]])\nh(3, 3)\nh(2, "
                            "2, 2), upper=True")),
    doc("The triangular L with L L' = A, for a symmetric positive-definite matrix.",
        method(
            out_casts(op<cholesky>("cholesky(Tensor self, bool upper=False) -> Tensor", "s(3, 3)\ns(2, 2, 2), True")))),
    doc("The solution X of A X = self, given the Cholesky factor of A.",
        method(out_casts(op<cholesky_solve>("cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor",
                                            "t(3, 2), s(3, 3)\nt(2, 2, 1), s(2, 2), True\nz(3, 2), h(3, 3)")))),
    doc("The inverse of A, given its Cholesky factor.",
        method(out_casts(op<cholesky_inverse>("cholesky_inverse(Tensor self, bool upper=False) -> Tensor",
                                              "s(3, 3)\ns(2, 2, 2), True\nh(3, 3)")))),
    doc("The factors L and U of a matrix in one, the rows that were swapped, and where U has a zero.",
        op<linalg_lu_factor_ex>("linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> (Tensor "
                                "LU, Tensor pivots, Tensor info)",
                                "t(3, 3)\nt(2, 2, 3)\nt(4, 2)\nt(0, 2)\nc([[0.0, 0.0], [0.0, 0.0]])\nz(3, 2)")),
    doc("The factors L and U of a matrix in one, and the rows that were swapped.",
        op<linalg_lu_factor>("linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)",
                             "t(3, 3)\nt(2, 2, 2)\nt(3, 2)\nt(3, 3), pivot=False")),
    doc("The permutation P and the factors L and U that linalg.lu_factor has packed.",
        op<lu_unpack>("lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool "
                      "unpack_pivots=True) -> (Tensor P, Tensor L, Tensor U)",
                      "t(3, 3), k([2, 3, 3])")),
    doc("The permutation P and the triangular factors L and U whose product is A.",
        op<linalg_lu>("linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)",
                      "t(3, 3)\nt(2, 2, 3)\nt(3, 2)\nt(0, 2)\nz(3, 3)\nz(2, 3)")),
    doc("The solution X of A X = B, or X A = B if not left, given what linalg.lu_factor made of A.",
        op<linalg_lu_solve>(
            "linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False) "
            "-> Tensor",
            "p(3, 3), k([2, 3, 3]), t(3, 2)\nz(3, 3), k([2, 3, 3]), z(3, 2)\nz(3, 3), k([2, 3, 3]), z(2, 3), "
            "left=False, adjoint=True\nz(2, 2), k([2, 2]), z(2, 1), adjoint=True")),
    doc("The solution X of A X = self, given what linalg.lu_factor made of A.",
        method(op<lu_solve>("lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor",
                            "t(3, 2), p(3, 3), k([2, 3, 3])"))),
    doc("The solution X of A X = B, or X A = B if not left, and whether there is one.",
        op<linalg_solve_ex>(
            "linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor "
            "result, Tensor info)",
            "t(3, 3), t(3, 2)\nt(2, 2, 2), t(2, 2)\nt(3, 3), t(2, 3), left=False")),
    doc("The solution X of A X = B, or X A = B if not left.",
        op<linalg_solve>("linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor",
                         "t(3, 3), t(3, 2)\nt(3, 3), t(3)\nt(2, 2, 2), t(2, 3)\nt(3, 3), t(2, 2, 3), left=False\nt(0, "
                         "0), t(0, 2)\nt(3, 3), t(2, 2)\nc([[1.0, 1.0], [1.0, 1.0]]), c([1.0, 2.0])\nz(3, 3), z(3, "
                         "2)\nz(2, 2), z(2, 2), left=False")),
    doc("The inverse of a matrix, and whether there is one.",
        op<linalg_inv_ex>("linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)",
                          "t(3, 3)\nt(2, 2, 2)")),
    doc("The inverse of a matrix.",
        op<linalg_inv>("linalg_inv(Tensor A) -> Tensor",
                       "t(3, 3)\nt(2, 2, 2)\nt(0, 0)\nt(2, 3)\nc([[1.0, 1.0], [1.0, 1.0]])\nz(2, 2, 2)")),
    doc("The inverse of a matrix.", method(op<inverse>("inverse(Tensor self) -> Tensor", "t(3, 3)\nt(2, 2, 2)"))),
    doc("The determinant.",
        op<linalg_det>("linalg_det(Tensor A) -> Tensor",
                       "t(3, 3)\nt(2, 2, 2)\nt(0, 0)\nt(0, 2, 2)\nc([[1.0, 2.0], [2.0, 4.0]])\nz(3, 3)")),
    doc("The determinant.", method(no_out(op<det>("det(Tensor self) -> Tensor", "t(3, 3)\nt(2, 2, 2)")))),
    doc("The sign of the determinant, and the logarithm of its absolute value.",
        op<linalg_slogdet>("linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)",
                           "t(3, 3)\nt(2, 2, 2)\nt(0, 0)\nz(3, 3)")),
    doc("The sign of the determinant, and the logarithm of its absolute value.",
        method(op<slogdet>("slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)", "t(3, 3)\nt(2, 2, 2)"))),
    doc("The logarithm of the determinant; nan if that is negative.",
        method(no_out(op<logdet>("logdet(Tensor self) -> Tensor", "s(3, 3)\nt(2, 2, 2)\nz(2, 2)")))),
};
const size_t factor_ops_count = std::size(factor_ops);

}  // namespace taut
