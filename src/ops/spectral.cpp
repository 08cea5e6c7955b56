// Eigenvalues of hermitian matrices, singular values, and what follows from them: pseudo-inverses, ranks, least
// squares. A prime is the adjoint of a matrix.
#include "kernels/numeric.h"
#include "ops/autocast.h"

#include <array>
#include <cmath>
#include <limits>

#include "ops/batch_rules.h"
#include "ops/matrix.h"
#include "ops/registry.h"

namespace taut {

std::tuple<Tensor, Tensor> linalg_qr(const Tensor& A, std::string_view mode);

namespace {

bool wants_gradient(const Tensor& a) {
  return (thread_state.grad_mode && tracked(a.impl())) || autograd::forward_mode();
}

/// A loss of complex vectors must not depend on the phase that each may have.
void check_phase(const Tensor& diagonal, const char* complaint) {
  if (!diagonal.is_complex() || no_data(diagonal)) return;
  NoGradGuard guard;
  const Tensor turn = imag(diagonal).abs();
  check(batching::whole(turn).le(1e-2).all().item<bool>(), complaint);
}

/// Values in ascending order, and vectors unless nobody asks for them.
struct Eigh {
  static constexpr bool complex = true;
  static constexpr const char* name = "linalg.eigh";
  static constexpr const char* node = "LinalgEighBackward0";
  static constexpr unsigned reads[] = {kResult(0) | kResult(1)};
  bool upper, vectors;
  std::array<Tensor, 2> batch(const Batch& b, const Tensor& a) const {
    auto r = apply(*this, a);
    if (!vectors) r[1] = r[1].expand({b.size, 0});
    return r;
  }
  std::array<Tensor, 2> forward(const Tensor& a) const {
    const IntArrayRef batch = batch_of(a);
    const int64_t n = a.size(-1);
    Tensor v = own_copy(upper ? a.mH() : a), values = make(with(batch, {n}), value_type(a.scalar_type()), name),
           info = make(batch, kInt, name);
    kernels::numeric().eigen_symmetric(a.scalar_type(), count_of(batch), n, v.data_ptr(), vectors, values.data_ptr(),
                                       static_cast<int32_t*>(info.data_ptr()));
    check_info(info, name, [](int32_t i) {
      return str(
          "The algorithm failed to converge because the input matrix is ill-conditioned or has too many "
          "repeated eigenvalues (error code: ",
          i, ").");
    });
    return {values, vectors ? v : make({0}, a.scalar_type(), name)};
  }
  Tensor vjp(int, const Tensor* g, const Saved& s) const {
    const Tensor values = s.result(0), v = s.result(1);
    Tensor inner;
    if (g[1].defined()) {
      const Tensor gaps = values.unsqueeze(-2) - values.unsqueeze(-1) + unit_like(values, v.size(-1));
      inner = v.mH().matmul(g[1]);
      check_phase(diagonal_of(inner),
                  "linalg_eigh_backward: The eigenvectors in the complex case are specified up to "
                  "multiplication by e^{i phi}. The specified loss function depends on this "
                  "quantity, so it is ill-defined.");
      inner = inner / gaps;
      inner = inner - diag_embed(diagonal_of(inner));
    }
    if (g[0].defined()) inner = inner.defined() ? inner + diag_embed(g[0]) : diag_embed(g[0]);
    const Tensor ga = v.matmul(inner.to(v.scalar_type()).matmul(v.mH()));
    return (ga + ga.mH()) * 0.5;
  }
};

/// Complex values and vectors, the latter unless nobody asks for them.
struct Eig {
  static constexpr bool complex = true;
  static constexpr const char* name = "linalg.eig";
  static constexpr const char* node = "LinalgEigBackward0";
  static constexpr unsigned reads[] = {kResult(0) | kResult(1)};
  bool vectors;
  std::array<Tensor, 2> batch(const Batch& b, const Tensor& a) const {
    auto r = apply(*this, a);
    if (!vectors) r[1] = r[1].expand({b.size, 0});
    return r;
  }
  std::array<Tensor, 2> forward(const Tensor& a) const {
    const IntArrayRef batch = batch_of(a);
    const int64_t n = a.size(-1);
    const ScalarType t = complex_type(a.scalar_type());
    Tensor work = own_copy(a), values = make(with(batch, {n}), t, name), info = make(batch, kInt, name),
           v = make(vectors ? with(batch, {n, n}) : Dims{0}, t, name);
    kernels::numeric().eigen_general(a.scalar_type(), count_of(batch), n, work.data_ptr(), values.data_ptr(),
                                     vectors ? v.data_ptr() : nullptr, static_cast<int32_t*>(info.data_ptr()));
    check_info(info, name, [](int32_t i) {
      return str(
          "The algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated "
          "eigenvalues (error code: ",
          i, ").");
    });
    return {values, v};
  }
  /// By the condition that the vectors have length 1 (Boeddeker, Hanebrink and others).
  Tensor vjp(int, const Tensor* g, const Saved& s) const {
    const Tensor values = s.result(0), v = s.result(1), vh = v.mH();
    Tensor inner;
    if (g[1].defined()) {
      inner = vh.matmul(g[1]);
      check_phase(
          diagonal_of(inner),
          "linalg_eig_backward: The eigenvectors in the complex case are specified up to multiplication by e^{i "
          "phi}. The specified loss function depends on this quantity, so it is ill-defined.");
      inner = inner - vh.matmul(v * real(diagonal_of(inner)).unsqueeze(-2));
      const Tensor own = values.conj();
      inner = inner / (own.unsqueeze(-2) - own.unsqueeze(-1) + unit_like(v, v.size(-1)));
      if (g[0].defined()) inner = inner - diag_embed(diagonal_of(inner)) + diag_embed(g[0]);
      inner = inner.matmul(vh);
    } else {
      inner = g[0].unsqueeze(-1) * vh;
    }
    const Tensor ga = linalg_solve(vh, inner, true);
    return is_complex(s.dtype(0)) ? ga : real(ga);
  }
};

/// u, s and v' with u s v' = a; only s unless there are `vectors`.
struct Svd {
  static constexpr bool complex = true;
  static constexpr const char* name = "linalg.svd";
  static constexpr const char* node = "LinalgSvdBackward0";
  static constexpr unsigned reads[] = {kResult(0) | kResult(1) | kResult(2)};
  bool full, vectors;
  std::array<Tensor, 3> batch(const Batch& b, const Tensor& a) const {
    auto r = apply(*this, a);
    if (!vectors) r[0] = r[2] = r[0].expand({b.size, 0});
    return r;
  }
  std::array<Tensor, 3> forward(const Tensor& a) const {
    const IntArrayRef batch = batch_of(a);
    const bool wide = a.size(-2) < a.size(-1);
    Tensor work = own_copy(wide ? a.mH() : a);
    const int64_t m = work.size(-2), n = work.size(-1), columns = full ? m : n;
    const ScalarType t = a.scalar_type();
    Tensor s = make(with(batch, {n}), value_type(t), name), info = make(batch, kInt, name), u, vt;
    if (vectors) u = make(with(batch, {m, columns}), t, name), vt = make(with(batch, {n, n}), t, name);
    kernels::numeric().singular_values(t, count_of(batch), m, n, work.data_ptr(), s.data_ptr(),
                                       vectors ? u.data_ptr() : nullptr, columns, vectors ? vt.data_ptr() : nullptr,
                                       static_cast<int32_t*>(info.data_ptr()));
    const bool finite = dry || info.eq(0).all().item<bool>() || a.isfinite().all().item<bool>();
    check_info(info, name, [&](int32_t i) {
      return finite
                 ? str("The algorithm failed to converge because the input matrix is ill-conditioned or has too many "
                       "repeated singular values (error code: ",
                       i, ").")
                 : str("The algorithm failed to converge because the input matrix contained non-finite values.");
    });
    if (!vectors) return {make({0}, t, name), s, make({0}, t, name)};
    if (!wide) return {u, s, vt};
    return {own_copy(vt.mH()), s, own_copy(u.mH())};
  }
  Tensor vjp(int, const Tensor* g, const Saved& saved) const {
    const Tensor s = saved.result(1);
    const int64_t k = s.size(-1);
    const Tensor u = saved.result(0).narrow(-1, 0, k), vt = saved.result(2).narrow(-2, 0, k);
    const int64_t m = u.size(-2), n = vt.size(-1);
    if (!g[0].defined() && !g[2].defined())
      return m >= n ? u.matmul(g[1].unsqueeze(-1) * vt) : (u * g[1].unsqueeze(-2)).matmul(vt);
    const auto skew = [](const Tensor& x) { return x - x.mH(); };
    const Tensor squares = s * s;
    const Tensor gaps = squares.unsqueeze(-2) - squares.unsqueeze(-1) + unit_like(s, k);
    Tensor inner, gu, gv, of_u, of_v;
    if (g[0].defined()) {
      gu = g[0].narrow(-1, 0, k);
      of_u = skew(u.mH().matmul(gu));
      inner = of_u / gaps * s.unsqueeze(-2);
    }
    if (g[2].defined()) {
      gv = g[2].narrow(-2, 0, k);
      of_v = skew(vt.matmul(gv.mH()));
      const Tensor part = s.unsqueeze(-1) * (of_v / gaps);
      inner = inner.defined() ? inner + part : part;
    }
    check_phase(
        diagonal_of(!of_u.defined()  ? of_v
                    : of_v.defined() ? of_u + of_v
                                     : of_u),
        "svd_backward: The singular vectors in the complex case are specified up to multiplication by e^{i phi}. "
        "The specified loss function depends on this phase term, making it ill-defined.");
    if (g[1].defined()) inner = inner + diag_embed(g[1]);
    if (u.is_complex() && gu.defined() && gv.defined()) inner = inner + diag_embed(diagonal_of(of_u) / (s * 2));
    if (m > k && gu.defined()) {
      const Tensor outside = gu / s.unsqueeze(-2);
      return (u.matmul(inner) + outside - u.matmul(u.mH().matmul(outside))).matmul(vt);
    }
    if (n > k && gv.defined()) {
      const Tensor outside = gv / s.unsqueeze(-1);
      return u.matmul(inner.matmul(vt) + outside - outside.matmul(vt.mH()).matmul(vt));
    }
    return m >= n ? u.matmul(inner.matmul(vt)) : u.matmul(inner).matmul(vt);
  }
};

/// Singular values up to this count as 0: atol, or rtol times the largest.
struct Tolerance {
  Tensor atol, rtol;
  Tensor of(const Tensor& largest) const { return maximum(atol, rtol * largest); }
};
Tolerance tolerance_of(const Tensor& a, const Tensor& atol, const Tensor& rtol, const char* op) {
  for (const auto& [given, which] : {std::pair(&atol, "atol"), std::pair(&rtol, "rtol")})
    if (given->defined())
      check(!given->is_complex(), "torch.", op, ": ", which, " tensor of complex type is not supported. Got ",
            toString(given->scalar_type()));
  const ScalarType t = value_type(a.scalar_type());
  const Tensor relative = full({}, epsilon_of(t) * static_cast<double>(std::max(a.size(-2), a.size(-1))), t);
  Tolerance found{atol.defined() ? atol.to(t) : zeros({}, t), rtol.defined() ? rtol.to(t) : relative};
  if (!rtol.defined() && atol.defined()) found.rtol = where(found.atol > 0, zeros({}, t), relative);
  return found;
}
Tensor number_of(std::optional<double> v) { return v ? full({}, *v, kDouble) : Tensor(); }

/// Singular values by absolute value: those of a, or the eigenvalues of a symmetric one.
Tensor spectrum(const Tensor& a, bool hermitian) {
  return hermitian ? Eigh{false, false}.forward(a)[0].abs() : Svd{false, false}.forward(a)[1];
}

struct PseudoInverse {
  static constexpr bool complex = true;
  static constexpr const char* name = "linalg.pinv";
  static constexpr const char* node = "LinalgPinvBackward0";
  static constexpr unsigned reads[] = {kInput(0) | kResult()};
  Tolerance tolerance;
  bool hermitian;
  static constexpr bool leading = true;
  Tensor forward(const Tensor& a) const {
    if (a.numel() == 0) return make(with(batch_of(a), {a.size(-1), a.size(-2)}), a.scalar_type(), name);
    const auto inverted = [&](const Tensor& s) {
      const Tensor size = s.abs(), limit = tolerance.of(size.amax(-1)).unsqueeze(-1);
      return where(size > limit, s.reciprocal(), zeros({}, s.scalar_type()));
    };
    if (hermitian) {
      const auto [values, v] = Eigh{false, true}.forward(a);
      return (v * inverted(values).unsqueeze(-2)).matmul(v.mH());
    }
    const auto [u, s, vt] = Svd{false, true}.forward(a);
    return (vt.mH() * inverted(s).unsqueeze(-2)).matmul(u.mH());
  }
  Tensor vjp(int, const Tensor& g, const Saved& s) const {
    const Tensor a = s.input(0), p = s.result(), pt = p.mH(), gt = g.mH();
    if (a.size(-2) <= a.size(-1)) {
      const Tensor k = gt.matmul(p), kpt = k.matmul(pt);
      return kpt - p.matmul(k).mH() - a.matmul(p).matmul(kpt) + pt.matmul(p).matmul(gt - k.matmul(a));
    }
    const Tensor k = p.matmul(gt), ptk = pt.matmul(k);
    return ptk - k.matmul(p).mH() + (gt - a.matmul(k)).matmul(p).matmul(pt) - ptk.matmul(p).matmul(a);
  }
};

/// The number of singular values above the tolerance.
struct Rank {
  static constexpr bool complex = true;
  static constexpr const char* name = "linalg.matrix_rank";
  Tolerance tolerance;
  bool hermitian;
  static constexpr bool leading = true;
  Tensor forward(const Tensor& a) const {
    if (a.numel() == 0) return zeros(batch_of(a), kLong);
    const Tensor s = spectrum(a, hermitian);
    return (s > tolerance.of(s.amax(-1)).unsqueeze(-1)).sum(-1);
  }
};

}  // namespace

// ---- symmetric matrices

static std::array<Tensor, 2> eigen(const Tensor& a, std::string_view uplo, bool vectors) {
  check_defined(a, "linalg.eigh", "A");
  check(a.dim() >= 2, "linalg.eigh: The input tensor A must have at least 2 dimensions.");
  check_kernel(a, "linalg_eigh_cpu");
  check_square(a, "linalg.eigh");
  const char which = uplo.size() == 1 ? uplo[0] : '?';
  check(which == 'L' || which == 'l' || which == 'U' || which == 'u',
        "Expected UPLO argument to be 'L' or 'U', but got ", uplo);
  return apply(Eigh{which == 'U' || which == 'u', vectors || wants_gradient(a)}, a);
}
std::tuple<Tensor, Tensor> linalg_eigh(const Tensor& self, std::string_view UPLO) {
  AUTOCAST(linalg_eigh, as_wide(self), UPLO);
  const auto [values, vectors] = eigen(self, UPLO, true);
  return {values, vectors};
}
Tensor linalg_eigvalsh(const Tensor& self, std::string_view UPLO) {
  AUTOCAST(linalg_eigvalsh, as_wide(self), UPLO);
  return eigen(self, UPLO, false)[0];
}

// ---- matrices of any kind

static std::array<Tensor, 2> eigen_of_any(const Tensor& a, bool vectors, const char* op) {
  check_defined(a, op);
  check(a.dim() < 2 || is_differentiable(a.scalar_type()), "Unknown Complex ScalarType for ",
        toString(a.scalar_type()));
  check_square(a, op);
  check(no_data(a) || batching::whole(a).isfinite().all().item<bool>(), "torch.", op,
        ": input tensor should not contain infs or NaNs.");
  return apply(Eig{vectors || wants_gradient(a)}, a);
}
std::tuple<Tensor, Tensor> linalg_eig(const Tensor& self) {
  AUTOCAST(linalg_eig, as_wide(self));
  const auto [values, vectors] = eigen_of_any(self, true, "linalg.eig");
  return {values, vectors};
}
Tensor linalg_eigvals(const Tensor& self) {
  AUTOCAST(linalg_eigvals, as_wide(self));
  return eigen_of_any(self, false, "linalg.eigvals")[0];
}

// ---- singular values

std::tuple<Tensor, Tensor, Tensor> linalg_svd(const Tensor& A, bool full_matrices,
                                              std::optional<std::string_view> driver) {
  AUTOCAST(linalg_svd, as_wide(A), full_matrices, driver);
  check_matrices(A, "linalg.svd");
  check(!driver,
        "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend.");
  const auto [u, s, vt] = apply(Svd{full_matrices, true}, A);
  return {u, s, vt};
}
Tensor linalg_svdvals(const Tensor& A, std::optional<std::string_view> driver) {
  AUTOCAST(linalg_svdvals, as_wide(A), driver);
  check_matrices(A, "linalg.svd");
  check(!driver,
        "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend.");
  return apply(Svd{false, wants_gradient(A)}, A)[1];
}
std::tuple<Tensor, Tensor, Tensor> svd(const Tensor& self, bool some, bool compute_uv) {
  AUTOCAST(svd, as_wide(self), some, compute_uv);
  const AsDry as(self);
  check_matrices(self, "linalg.svd");
  if (compute_uv) {
    const auto [u, s, vt] = linalg_svd(self, !some, std::nullopt);
    return {u, s, vt.mH()};
  }
  const int64_t m = self.size(-2), n = self.size(-1);
  return {zeros(with(batch_of(self), {m, m}), self.scalar_type()), linalg_svdvals(self, std::nullopt),
          zeros(with(batch_of(self), {n, n}), self.scalar_type())};
}

// ---- what follows from them

static Tensor pseudo_inverse(const Tensor& a, const Tensor& atol, const Tensor& rtol, bool hermitian) {
  check_defined(a, "linalg.pinv");
  const ScalarType t = value_type(a.scalar_type());
  check((t == kFloat || t == kDouble) && a.dim() >= 2, "linalg.pinv(", toString(a.scalar_type()), "{", a.sizes(),
        "}): expected a tensor with 2 or more dimensions of float, double, cfloat or cdouble types");
  if (hermitian) check_square(a, "linalg.eigh");
  if (is_batched(atol) || is_batched(rtol))
    return by_items("linalg_pinv", {a, atol.defined() ? atol.detach() : atol, rtol.defined() ? rtol.detach() : rtol},
                    [&](const std::vector<Tensor>& in) {
                      return std::vector<Tensor>{pseudo_inverse(in[0], in[1], in[2], hermitian)};
                    })[0];
  return apply(PseudoInverse{tolerance_of(a, atol, rtol, "linalg.pinv"), hermitian}, a);
}
Tensor linalg_pinv(const Tensor& self, std::optional<double> atol, std::optional<double> rtol, bool hermitian) {
  return pseudo_inverse(self, number_of(atol), number_of(rtol), hermitian);
}
Tensor linalg_pinv(const Tensor& self, OptionalTensor atol, OptionalTensor rtol, bool hermitian) {
  return pseudo_inverse(self, atol ? *atol : Tensor(), rtol ? *rtol : Tensor(), hermitian);
}
Tensor linalg_pinv(const Tensor& self, double rcond, bool hermitian) {
  return pseudo_inverse(self, number_of(0), number_of(rcond), hermitian);
}
Tensor linalg_pinv(const Tensor& self, const Tensor& rcond, bool hermitian) {
  check_defined(rcond, "linalg.pinv", "rcond");
  return pseudo_inverse(self, number_of(0), rcond, hermitian);
}
Tensor pinverse(const Tensor& self, double rcond) {
  AUTOCAST(pinverse, as_wide(self), rcond);
  return linalg_pinv(self, rcond, false);
}

static Tensor rank_of(const Tensor& a, const Tensor& atol, const Tensor& rtol, bool hermitian) {
  check_defined(a, "linalg.matrix_rank");
  check(a.dim() >= 2, "torch.linalg.matrix_rank: The input tensor input must have at least 2 dimensions.");
  check_matrices(a, "linalg.matrix_rank", "input");
  if (hermitian) check_square(a, "linalg.eigh");
  return apply(Rank{tolerance_of(a, atol, rtol, "linalg.matrix_rank"), hermitian}, a);
}
Tensor linalg_matrix_rank(const Tensor& self, double tol, bool hermitian) {
  AUTOCAST(linalg_matrix_rank, as_wide(self), tol, hermitian);
  return rank_of(self, number_of(tol), number_of(0), hermitian);
}
Tensor linalg_matrix_rank(const Tensor& input, const Tensor& tol, bool hermitian) {
  AUTOCAST(linalg_matrix_rank, as_wide(input), as_wide(tol), hermitian);
  check_defined(tol, "linalg.matrix_rank", "tol");
  return rank_of(input, tol, number_of(0), hermitian);
}
Tensor linalg_matrix_rank(const Tensor& self, std::optional<double> atol, std::optional<double> rtol, bool hermitian) {
  AUTOCAST(linalg_matrix_rank, as_wide(self), atol, rtol, hermitian);
  return rank_of(self, number_of(atol), number_of(rtol), hermitian);
}
Tensor linalg_matrix_rank(const Tensor& input, OptionalTensor atol, OptionalTensor rtol, bool hermitian) {
  AUTOCAST(linalg_matrix_rank, as_wide(input), as_wide(atol), as_wide(rtol), hermitian);
  return rank_of(input, atol ? *atol : Tensor(), rtol ? *rtol : Tensor(), hermitian);
}

// ---- least squares

static Tensor squares_of(const Tensor& x) { return (x.is_complex() ? x.abs() : x).pow(2); }

/// By a QR factorisation, if the diagonal of R leaves no doubt about the rank; undefined otherwise.
static Tensor solve_by_qr(const Tensor& a, const Tensor& b, bool sure) {
  const bool tall = a.size(-2) >= a.size(-1);
  const auto [q, r] = linalg_qr(tall ? a : a.mH(), "reduced");
  if (!sure && !no_data(a)) {
    NoGradGuard guard;
    const Tensor size = diagonal_of(r).abs();
    if (size.numel() == 0 ||
        batching::whole(size.amin(-1) <= size.amax(-1) * std::sqrt(epsilon_of(a.scalar_type()))).any().item<bool>())
      return {};
  }
  if (tall) return linalg_solve_triangular(r, q.mH().matmul(b), true, true, false);
  return q.matmul(linalg_solve_triangular(r.mH(), b, false, true, false));
}
std::tuple<Tensor, Tensor, Tensor, Tensor> linalg_lstsq(const Tensor& self, const Tensor& b,
                                                        std::optional<double> rcond,
                                                        std::optional<std::string_view> driver) {
  AUTOCAST(linalg_lstsq, as_wide(self), as_wide(b), rcond, driver);
  const AsDry as(self);
  constexpr const char* op = "torch.linalg.lstsq";
  check_defined(self, "linalg_lstsq");
  check_defined(b, "linalg_lstsq", "b");
  check(self.dim() >= 2, op, ": input must have at least 2 dimensions.");
  check(b.dim() >= 1, op, ": other must have at least 1 dimension.");
  check_matrices(self, op, "input");
  check(self.scalar_type() == b.scalar_type(), op,
        ": Expected input and other to have the same dtype, but got input's dtype ", toString(self.scalar_type()),
        " and other's dtype ", toString(b.scalar_type()));
  const std::string_view how = driver.value_or("gelsy");
  check(how == "gels" || how == "gelsy" || how == "gelsd" || how == "gelss", op,
        ": parameter `driver` should be one of (gels, gelsy, gelsd, gelss)");
  const bool vector = self.dim() - 1 == b.dim() && b.sizes() == self.sizes().slice(0, self.sizes().size() - 1);
  const Tensor right = vector ? b.unsqueeze(-1) : b;
  check(right.dim() >= 2 && right.size(-2) == self.size(-2), op,
        vector ? ": input.size(-2) should match other.size(-1)" : ": input.size(-2) should match other.size(-2)");
  broadcast_shapes(batch_of(self), batch_of(right), op);

  const int64_t m = self.size(-2), n = self.size(-1);
  const Tensor relative = number_of(rcond);
  Tensor x;
  if (self.numel() > 0 && (how == "gels" || how == "gelsy")) x = solve_by_qr(self, right, how == "gels");
  if (!x.defined()) x = pseudo_inverse(self, number_of(0), relative, false).matmul(right);
  const ScalarType real = value_type(self.scalar_type());
  Tensor rank = make({0}, kLong, op), values = make({0}, real, op), residuals = make({0}, real, op);
  {
    NoGradGuard guard;
    if (how != "gels") rank = rank_of(self.detach(), number_of(0), relative, false);
    if (how == "gelsd" || how == "gelss") values = linalg_svdvals(self.detach(), std::nullopt);
  }
  if (m > n && how != "gelsy" && (how == "gels" || no_data(self) || batching::whole(rank).eq(n).all().item<bool>()))
    residuals = squares_of(n == 0 && how == "gels" ? zeros_like(right) : self.matmul(x) - right).sum(-2);
  return {vector ? own_result(x.squeeze(-1), self, b) : x, residuals, rank, values};
}

extern const OpEntry spectral_ops[];
extern const size_t spectral_ops_count;
const OpEntry spectral_ops[] = {
    doc("The eigenvalues of a symmetric matrix in ascending order, and its eigenvectors.",
        op<linalg_eigh>("linalg_eigh(Tensor self, str UPLO='L') -> (Tensor eigenvalues, Tensor eigenvectors)",
                        "s(3, 3)\ns(2, 2, 2)\nt(0, 0)\nt(2, 3)\nh(2, 2)")),
    doc("The eigenvalues of a symmetric matrix in ascending order.",
        op<linalg_eigvalsh>("linalg_eigvalsh(Tensor self, str UPLO='L') -> Tensor",
                            "s(4, 4)\ns(2, 2, 2), 'U'\nh(3, 3), 'U'")),
    doc("The eigenvalues of a square matrix, in no order, and its eigenvectors, both complex.",
        out_casts(
            op<linalg_eig>("linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)",
                           "t(3, 3)\nt(2, 1, 1)\nz(3, 3)\nt(0, 0)\nt(2, 3)\nc([[0.0, 1.0], [-1.0, 0.0]])\nc([[1.0, "
                           "2.0], [0.0, 3.0]])"))),
    doc("The eigenvalues of a square matrix, in no order, which are complex.",
        out_casts(
            op<linalg_eigvals>("linalg_eigvals(Tensor self) -> Tensor", "t(3, 3)\nt(2, 2, 2)\nz(2, 2)\nt(0, 0)"))),
    doc("The singular value decomposition U diag(S) Vh of a matrix.",
        op<linalg_svd>("linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor S, "
                       "Tensor Vh)",
                       "t(3, 3)\nt(2, 2, 2)\nt(3, 2), False\nc([[1.1, 2.3], [3.2, 5.4], [7.3, 1.7]])\nt(0, 2)\nt(2, "
                       "0), False\nz(3, 2), False")),
    doc("The singular values of a matrix in descending order.",
        op<linalg_svdvals>("linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor",
                           "t(3, 3)\nt(2, 2, 3)\nt(5, 2)\nt(0, 2)\nz(2, 3)")),
    doc("The singular value decomposition U diag(S) V' of a matrix.",
        method(op<svd>("svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)",
                       "t(3, 2)\nt(3, 3), False\nt(2, 2), True, False"))),
    doc("The pseudo-inverse of Moore and Penrose.",
        out_casts(op(
            "linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) -> "
            "Tensor",
            "t(3, 3)\nt(2, 3, 2), rtol=0.001\nt(2, 3)\ns(3, 3), hermitian=True\nt(0, 3)\nc([[1.0, 2.0], [2.0, 4.0]]), "
            "atol=0.01",
            [](const Tensor& a, std::optional<double> atol, std::optional<double> rtol, bool hermitian) {
              return linalg_pinv(a, atol, rtol, hermitian);
            }))),
    out_casts(op(
        "linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> "
        "Tensor",
        "t(2, 2, 2), rtol=c([0, 0])",
        [](const Tensor& a, OptionalTensor atol, OptionalTensor rtol, bool hermitian) {
          return linalg_pinv(a, atol, rtol, hermitian);
        })),
    out_casts(op("linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor", "t(3, 2), 0.001",
                 [](const Tensor& a, double rcond, bool hermitian) { return linalg_pinv(a, rcond, hermitian); })),
    out_casts(op(
        "linalg_pinv.rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False) -> Tensor", "t(2, 2, 2), c([0, 0])",
        [](const Tensor& a, const Tensor& rcond, bool hermitian) { return linalg_pinv(a, rcond, hermitian); })),
    doc("The pseudo-inverse of Moore and Penrose.",
        method(no_out(op<pinverse>("pinverse(Tensor self, float rcond=1e-15) -> Tensor", "t(3, 2)\nt(2, 2), 0.001")))),
    doc("The number of singular values above a tolerance.",
        out_casts(
            op("linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool "
               "hermitian=False) -> Tensor",
               "t(3, 3)\nt(2, 2, 3), atol=1.5\ns(3, 3), rtol=0.5, hermitian=True\nt(0, 2)\nc([[1.0, 2.0], [2.0, 4.0]])",
               [](const Tensor& a, std::optional<double> atol, std::optional<double> rtol, bool hermitian) {
                 return linalg_matrix_rank(a, atol, rtol, hermitian);
               }))),
    out_casts(op("linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, bool "
                 "hermitian=False) -> Tensor",
                 "t(2, 2, 2), atol=c([0, 1])",
                 [](const Tensor& a, OptionalTensor atol, OptionalTensor rtol, bool hermitian) {
                   return linalg_matrix_rank(a, atol, rtol, hermitian);
                 })),
    out_casts(op("linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor", "t(3, 3), 1.0",
                 [](const Tensor& a, double tol, bool hermitian) { return linalg_matrix_rank(a, tol, hermitian); })),
    out_casts(
        op("linalg_matrix_rank.tol_tensor(Tensor input, Tensor tol, bool hermitian=False) -> Tensor",
           "t(2, 2, 2), c([0, 1])",
           [](const Tensor& a, const Tensor& tol, bool hermitian) { return linalg_matrix_rank(a, tol, hermitian); })),
    doc("The X for which A X is nearest to B; the squared distances, the rank and the singular values of A.",

        op<linalg_lstsq>("linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> (Tensor "
                         "solution, Tensor residuals, Tensor rank, Tensor singular_values)",
                         "t(3, 2), t(3, 2)\nt(2, 3), t(2)\nt(4, 2), t(4, 1), driver='gels'\nt(3, 2), t(3, 1), "
                         "driver='gelsd'\nt(2, 3, 2), t(2, 3), driver='gelss'\nc([[1.0, 1.0], [1.0, 1.0]]), "
                         "c([[1.0], [3.0]])\nz(3, 2), z(3, 1)")),
};
const size_t spectral_ops_count = std::size(spectral_ops);

}  // namespace taut
