// The QR factorisation, and products of Householder's reflectors. A prime is the adjoint of a matrix.
#include <array>
#include "ops/autocast.h"

#include "kernels/numeric.h"
#include "ops/matrix.h"
#include "ops/registry.h"

namespace taut {

namespace {

/// Reflectors and R in one, and the factors of the reflectors.
std::array<Tensor, 2> reflect(const Tensor& a) {
  const int64_t m = a.size(-2), n = a.size(-1);
  Tensor packed = own_copy(a), tau = make(with(batch_of(a), {std::min(m, n)}), a.scalar_type(), "geqrf");
  kernels::numeric().reflect(a.scalar_type(), count_of(batch_of(a)), m, n, packed.data_ptr(), tau.data_ptr());
  return {packed, tau};
}
/// c = Q c and its like, in place. v [.., rows, any] and c are contiguous; as many reflectors as tau has.
void multiply_by_reflectors(const Tensor& v, const Tensor& tau, bool left, bool transposed, const Tensor& c) {
  kernels::numeric().multiply_reflectors(c.scalar_type(), count_of(batch_of(c)), v.size(-2), tau.size(-1), v.data_ptr(),
                                         v.size(-1), tau.data_ptr(), {left, transposed}, c.size(-2), c.size(-1),
                                         c.data_ptr());
}

enum class Mode { Reduced, Complete, OnlyR };

struct Qr {
  static constexpr bool complex = true;
  static constexpr const char* name = "linalg.qr";
  static constexpr const char* node = "LinalgQrBackward0";
  static constexpr unsigned reads[] = {kResult(0) | kResult(1)};
  Mode mode;
  std::array<Tensor, 2> batch(const Batch& b, const Tensor& a) const {
    auto r = apply(*this, a);
    if (mode == Mode::OnlyR) r[0] = r[0].expand({b.size, 0});
    return r;
  }
  std::array<Tensor, 2> forward(const Tensor& a) const {
    const int64_t m = a.size(-2), k = std::min(m, a.size(-1)), columns = mode == Mode::Complete ? m : k;
    const auto [packed, tau] = reflect(a);
    Tensor r = packed.narrow(-2, 0, mode == Mode::Complete ? m : k).triu().contiguous();
    if (mode == Mode::OnlyR) return {make({0}, a.scalar_type(), name), r};
    Tensor q = own_copy(eye(m, columns, a.scalar_type()).expand(with(batch_of(a), {m, columns})));
    multiply_by_reflectors(packed, tau, true, false, q);
    return {q, r};
  }
  /// Of the square part of R; what R has beside that is Q' times the rest of A.
  Tensor vjp(int, const Tensor* g, const Saved& s) const {
    const int64_t m = s.sizes(0)[s.sizes(0).size() - 2], n = s.sizes(0).back();
    check(mode != Mode::OnlyR,
          "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use linalg.qr(A, "
          "mode='reduced') if you are going to differentiate through linalg.qr.");
    check(mode != Mode::Complete || m <= n,
          "The QR decomposition is not differentiable when mode='complete' and nrows > ncols.");
    const Tensor q = s.result(0), r = s.result(1).narrow(-1, 0, std::min(m, n));
    Tensor gq = g[0], gr = g[1], rest;
    if (n > m) {
      const Tensor beside = s.result(1).narrow(-1, m, n - m);
      rest = gr.defined() ? q.matmul(gr.narrow(-1, m, n - m)) : zeros(with(batch_of(q), {m, n - m}), q.scalar_type());
      if (gr.defined()) {
        const Tensor more = q.matmul(beside.matmul(gr.narrow(-1, m, n - m).mH()));
        gq = gq.defined() ? gq + more : more;
        gr = gr.narrow(-1, 0, m);
      }
    }
    Tensor inner;
    if (gr.defined()) inner = gr.matmul(r.mH());
    if (gq.defined()) inner = inner.defined() ? inner - q.mH().matmul(gq) : -q.mH().matmul(gq);
    inner = inner.triu();
    const Tensor both = inner + inner.mH();
    Tensor ga = q.matmul(both - diag_embed(diagonal_of(both) * 0.5));
    if (gq.defined()) ga = ga + gq;
    ga = linalg_solve_triangular(r.mH(), ga, false, false, false);
    return rest.defined() ? cat({ga, rest}, -1) : ga;
  }
};

/// The reflectors one after the other, in public ops.
Tensor reflect_one_by_one(const Tensor& v, const Tensor& tau, bool transposed, Tensor c) {
  const int64_t k = tau.size(-1), m = v.size(-2);
  for (int64_t step = 0; step < k; ++step) {
    const int64_t j = transposed ? step : k - 1 - step;
    const Tensor below = v.narrow(-1, j, 1).narrow(-2, j + 1, m - j - 1);
    const Tensor column = cat(
        {zeros(with(batch_of(v), {j, 1}), v.scalar_type()), ones(with(batch_of(v), {1, 1}), v.scalar_type()), below},
        -2);
    const Tensor factor = tau.narrow(-1, j, 1).unsqueeze(-1);
    c = c - (column * (transposed ? factor.conj() : factor)).matmul(column.mH().matmul(c));
  }
  return c;
}

struct HouseholderProduct {
  static constexpr bool complex = true;
  static constexpr const char* name = "linalg.householder_product";
  static constexpr const char* node = "LinalgHouseholderProductBackward0";
  static constexpr unsigned reads[] = {kInput(0) | kInput(1), kInput(0) | kInput(1)};
  static Tensor start(const Tensor& v) { return eye(v.size(-2), v.size(-1), v.scalar_type()).expand(v.sizes()); }
  static constexpr bool leading = true;
  Tensor forward(const Tensor& v, const Tensor& tau) const {
    Tensor q = own_copy(start(v));
    multiply_by_reflectors(v.contiguous(), tau.contiguous(), true, false, q);
    return q;
  }
  void vjps(const Tensor* grads, const Saved& s, Tensor* out) const {
    vjps_of(
        [](const std::vector<Tensor>& in) {
          return std::vector<Tensor>{reflect_one_by_one(in[0], in[1], false, start(in[0]))};
        },
        {s.input(0), s.input(1)}, grads, s, out);
  }
};

struct ReflectorProduct {
  static constexpr bool complex = true;
  static constexpr const char* name = "ormqr";
  static constexpr const char* node = "OrmqrBackward0";
  static constexpr unsigned reads[] = {kInput(0) | kInput(1) | kInput(2), kInput(0) | kInput(1) | kInput(2),
                                       kInput(0) | kInput(1) | kInput(2)};
  bool left, transpose;
  static constexpr bool leading = true;
  Tensor forward(const Tensor& v, const Tensor& tau, const Tensor& other) const {
    Tensor c = own_copy(other);
    multiply_by_reflectors(v.contiguous(), tau.contiguous(), left, transpose, c);
    return c;
  }
  void vjps(const Tensor* grads, const Saved& s, Tensor* out) const {
    vjps_of(
        [this](const std::vector<Tensor>& in) {
          // c Q = (Q' c')'.
          return std::vector<Tensor>{left ? reflect_one_by_one(in[0], in[1], transpose, in[2])
                                          : reflect_one_by_one(in[0], in[1], !transpose, in[2].mH()).mH()};
        },
        {s.input(0), s.input(1), s.input(2)}, grads, s, out);
  }
};

struct Geqrf {
  static constexpr bool complex = true;
  static constexpr const char* name = "geqrf";
  static constexpr bool leading = true;
  static constexpr const char* node = "GeqrfBackward0";
  static constexpr unsigned reads[] = {0};
  std::array<Tensor, 2> forward(const Tensor& a) const { return reflect(a); }
  Tensor vjp(int, const Tensor*, const Saved&) const { return underived("geqrf"); }
};

void check_reflectors(const Tensor& v, const Tensor& tau, const char* op) {
  check_defined(v, op, "input");
  check_defined(tau, op, "tau");
  check(v.dim() >= 2, op, ": input must have at least 2 dimensions.");
  check_matrices(v, op, "input");
  check(v.size(-1) >= (tau.dim() ? tau.size(-1) : 0), op,
        ": input.shape[-1] must be greater than or equal to tau.shape[-1]");
  check(v.dim() - tau.dim() == 1, op,
        ": Expected tau to have one dimension less than input, but got tau.ndim equal to ", tau.dim(),
        " and input.ndim is equal to ", v.dim());
  check(batch_of(v) == tau.sizes().slice(0, tau.sizes().size() - 1), op,
        ": Expected batch dimensions of tau to be equal to input.shape[:-2], but got ",
        tau.sizes().slice(0, tau.sizes().size() - 1));
  check(tau.scalar_type() == v.scalar_type(), op, ": tau dtype ", toString(tau.scalar_type()),
        " does not match input dtype ", toString(v.scalar_type()));
}

}  // namespace

std::tuple<Tensor, Tensor> linalg_qr(const Tensor& A, std::string_view mode) {
  AUTOCAST(linalg_qr, as_wide(A), mode);
  check_matrices(A, "linalg.qr");
  check(mode == "reduced" || mode == "complete" || mode == "r", "qr received unrecognized mode '", mode,
        "' but expected one of 'reduced' (default), 'r', or 'complete'");
  const auto [q, r] = apply(Qr{mode == "r" ? Mode::OnlyR : mode == "complete" ? Mode::Complete : Mode::Reduced}, A);
  return {q, r};
}
std::tuple<Tensor, Tensor> qr(const Tensor& self, bool some) {
  AUTOCAST(qr, as_wide(self), some);
  return linalg_qr(self, some ? "reduced" : "complete");
}
std::tuple<Tensor, Tensor> geqrf(const Tensor& self) {
  AUTOCAST(geqrf, as_wide(self));
  check_defined(self, "geqrf");
  check(self.dim() >= 2, "torch.geqrf: input must have at least 2 dimensions.");
  check_matrices(self, "geqrf", "input");
  const auto [a, tau] = apply(Geqrf{}, self);
  return {a, tau};
}
Tensor linalg_householder_product(const Tensor& input, const Tensor& tau) {
  AUTOCAST(linalg_householder_product, as_wide(input), as_wide(tau));
  constexpr const char* op = "torch.linalg.householder_product";
  check_defined(input, "linalg_householder_product");
  check_defined(tau, "linalg_householder_product", "tau");
  check(input.dim() < 2 || input.size(-2) >= input.size(-1), op,
        ": input.shape[-2] must be greater than or equal to input.shape[-1]");
  check_reflectors(input, tau, op);
  return apply(HouseholderProduct{}, input, tau);
}
Tensor orgqr(const Tensor& self, const Tensor& input2) {
  AUTOCAST(orgqr, as_wide(self), as_wide(input2));
  return linalg_householder_product(self, input2);
}
Tensor ormqr(const Tensor& self, const Tensor& input2, const Tensor& input3, bool left, bool transpose) {
  AUTOCAST(ormqr, as_wide(self), as_wide(input2), as_wide(input3), left, transpose);
  constexpr const char* op = "torch.ormqr";
  check_defined(self, "ormqr");
  check_defined(input2, "ormqr", "input2");
  check_defined(input3, "ormqr", "input3");
  check_kernel(self, "ormqr_cpu");
  check_reflectors(self, input2, op);
  check(input3.dim() >= 2, op, ": other must have at least 2 dimensions.");
  const int64_t side = left ? -2 : -1;
  check(input3.size(side) == self.size(-2), op, ": other.shape[", side, "] must be equal to input.shape[-2]");
  check(batch_of(self) == batch_of(input3), op,
        ": Expected batch dimensions of other to be equal to input.shape[:-2], but got ", batch_of(input3));
  check(input2.size(-1) == std::min(input3.size(side), self.size(-1)), op,
        ": tau.shape[-1] must be equal to min(other.shape[", side, "], input.shape[-1])");
  check(input3.scalar_type() == self.scalar_type(), op,
        ": Expected input and other to have the same dtype, but input has dtype", toString(self.scalar_type()),
        " and other has dtype ", toString(input3.scalar_type()));
  return apply(ReflectorProduct{left, transpose}, self, input2, input3);
}

extern const OpEntry orthogonal_ops[];
extern const size_t orthogonal_ops_count;
const OpEntry orthogonal_ops[] = {
    doc("The orthogonal Q and the triangular R whose product is A.",
        op<linalg_qr>(
            "linalg_qr(Tensor A, str mode='reduced') -> (Tensor Q, Tensor R)",
            "t(3, 3)\nt(4, 2)\nt(2, 2, 3)\nt(2, 3), 'complete'\nt(0, 2)\nt(2, 2), 'q'\nz(3, 2)\nz(2, 3), 'complete'")),
    doc("The orthogonal Q and the triangular R whose product is the matrix.",
        method(op<qr>("qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)", "t(3, 2)\nt(2, 3), False"))),
    doc("The reflectors of Q, R above them, and the factors of the reflectors.",
        method(op<geqrf>("geqrf(Tensor self) -> (Tensor a, Tensor tau)", "t(3, 2)\nt(2, 2, 3)"))),
    doc("The first columns of a product of Householder's reflectors.",
        out_casts(op<linalg_householder_product>("linalg_householder_product(Tensor input, Tensor tau) -> Tensor",
                                                 "t(3, 2), u(2)\nt(2, 3, 3), u(2, 2)\nt(2, 3), t(2)\nz(3, 2), z(2)"))),
    doc("The first columns of a product of Householder's reflectors.",
        method(out_casts(op<orgqr>("orgqr(Tensor self, Tensor input2) -> Tensor", "t(3, 2), u(2)")))),
    doc("A matrix times a product of Householder's reflectors.",
        method(
            op<ormqr>("ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> "
                      "Tensor",
                      "t(3, 2), u(2), t(3, 2)\nt(3, 2), u(2), t(2, 3), False\nt(2, 3, 2), u(2, 2), t(2, 3, 3), True, "
                      "True\nz(3, 2), z(2), z(3, 2), True, True\nz(3, 2), z(2), z(2, 3), False"))),
};
const size_t orthogonal_ops_count = std::size(orthogonal_ops);

}  // namespace taut
