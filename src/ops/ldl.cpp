// Symmetric matrices that need not be positive: their factors L D L', and systems.
#include "kernels/numeric.h"

#include <array>
#include <cstdlib>

#include "ops/matrix.h"
#include "ops/registry.h"

namespace taut {

namespace {

struct LdlFactor {
  static constexpr bool complex = true;
  static constexpr const char* name = "linalg.ldl_factor";
  static constexpr const char* node = "LinalgLdlFactorBackward0";
  static constexpr unsigned reads[] = {0};
  bool hermitian;
  static constexpr bool leading = true;
  std::array<Tensor, 3> forward(const Tensor& a) const {
    const IntArrayRef batch = batch_of(a);
    const int64_t n = a.size(-1);
    Tensor ld = own_copy(a), pivots = make(with(batch, {n}), kInt, name), info = make(batch, kInt, name);
    kernels::numeric().ldl(a.scalar_type(), hermitian, count_of(batch), n, ld.data_ptr(),
                           static_cast<int32_t*>(pivots.data_ptr()), static_cast<int32_t*>(info.data_ptr()));
    return {ld, pivots, info};
  }
  Tensor vjp(int, const Tensor*, const Saved&) const { return underived("linalg_ldl_factor"); }
};
/// Rows to swap with, or pairs of negative ones.
void check_pivots(const int32_t* p, int64_t n) {
  for (int64_t k = 0; k < n;) {
    const bool two = p[k] < 0;
    check(p[k] != 0 && std::abs(p[k]) <= n && (!two || (k + 1 < n && p[k] == p[k + 1])),
          "torch.linalg.ldl_solve: pivots are not those of linalg.ldl_factor: found ", p[k], " at ", k,
          " for a matrix of ", n, " rows");
    k += two ? 2 : 1;
  }
}
struct LdlSolve {
  static constexpr bool complex = true;
  static constexpr const char* name = "linalg.ldl_solve";
  static constexpr const char* node = "LinalgLdlSolveBackward0";
  static constexpr unsigned reads[] = {0, 0, 0};
  bool hermitian;
  Tensor batch(const Batch& b, const Tensor& ld, const Tensor& pivots, const Tensor& right) const {
    const int64_t dims = std::max(b.dim(0, ld), b.dim(2, right));
    return apply(*this, b.raised(0, b.all(0, ld), dims), pivots_of(b, pivots, dims - 1), b.raised(2, right, dims));
  }
  static Tensor pivots_of(const Batch& b, const Tensor& pivots, int64_t dims) {
    Tensor all = b.all(1, pivots);
    while (all.dim() - 1 < dims) all = all.unsqueeze(1);
    return all;
  }
  Tensor forward(const Tensor& ld, const Tensor& pivots, const Tensor& b) const {
    const Dims batch = broadcast_shapes(batch_of(ld), batch_of(b), name);
    const int64_t n = ld.size(-1);
    Tensor x = own_copy(b.expand(with(batch, {n, b.size(-1)})));
    const Tensor factors = ld.expand(with(batch, {n, n})).contiguous(),
                 places = pivots.to(kInt).expand(with(batch, {n})).contiguous();
    const auto* p = static_cast<const int32_t*>(places.data_ptr());
    for (int64_t k = 0; k < count_of(batch) && !dry; ++k) check_pivots(p + k * n, n);
    kernels::numeric().solve_ldl(ld.scalar_type(), hermitian, count_of(batch), n, b.size(-1), factors.data_ptr(), p,
                                 x.data_ptr());
    return x;
  }
  Tensor vjp(int, const Tensor&, const Saved&) const { return underived("linalg_ldl_solve"); }
};
std::string zero_in_d(int32_t i) {
  return str("D[", i, ",", i, "] is zero, and using it in linalg.ldl_solve would result in a division by zero.");
}

}  // namespace

std::tuple<Tensor, Tensor, Tensor> linalg_ldl_factor_ex(const Tensor& self, bool hermitian, bool check_errors) {
  check_square(self, "torch.linalg.ldl_factor_ex");
  const auto [ld, pivots, info] = apply(LdlFactor{hermitian}, self);
  if (check_errors) check_info(info, "torch.linalg.ldl_factor_ex", zero_in_d);
  return {ld, pivots, info};
}
std::tuple<Tensor, Tensor> linalg_ldl_factor(const Tensor& self, bool hermitian) {
  check_square(self, "torch.linalg.ldl_factor");
  const auto [ld, pivots, info] = apply(LdlFactor{hermitian}, self);
  check_info(info, "torch.linalg.ldl_factor", zero_in_d);
  return {ld, pivots};
}
Tensor linalg_ldl_solve(const Tensor& LD, const Tensor& pivots, const Tensor& B, bool hermitian) {
  constexpr const char* op = "torch.linalg.ldl_solve";
  check_square(LD, op, "LD");
  check_defined(pivots, "linalg_ldl_solve", "pivots");
  check_defined(B, "linalg_ldl_solve", "B");
  check(B.dim() >= 2, op, ": Expected B to have at least 2 dimensions, but it has ", B.dim(), " dimensions instead");
  check(B.size(-2) == LD.size(-1), "Incompatible matrix sizes for torch.linalg.ldl_solve: each A matrix is ",
        LD.size(-2), " by ", LD.size(-1), " but each b matrix is ", B.size(-2), " by ", B.size(-1));
  check(is_integral(pivots.scalar_type()), op, ": Expected pivots to be integers. Got ",
        toString(pivots.scalar_type()));
  check(LD.sizes().slice(0, LD.sizes().size() - 1) == pivots.sizes(), op,
        ": Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with shape ", pivots.sizes(),
        " instead");
  check(LD.scalar_type() == B.scalar_type(), "Expected b and A to have the same dtype, but found b of type ",
        toString(B.scalar_type()), " and A of type ", toString(LD.scalar_type()), " instead.");
  return apply(LdlSolve{hermitian}, LD, pivots, B);
}

extern const OpEntry ldl_ops[];
extern const size_t ldl_ops_count;
const OpEntry ldl_ops[] = {
    doc("The factors L and D of a symmetric matrix in one, the rows that were swapped, and where D has a zero.",
        op<linalg_ldl_factor_ex>("linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, bool check_errors=False) "
                                 "-> (Tensor LD, Tensor pivots, Tensor info)",
                                 "s(3, 3)\nc([[0.0, 1.5, 2.0], [1.5, 0.0, 3.0], [2.0, 3.0, 0.5]])\ns(2, 2, 2)\nz(3, "
                                 "3)\nh(3, 3), hermitian=True")),
    doc("The factors L and D of a symmetric matrix in one, and the rows that were swapped.",
        op<linalg_ldl_factor>("linalg_ldl_factor(Tensor self, *, bool hermitian=False) -> (Tensor LD, Tensor pivots)",
                              "s(3, 3)\nc([[0.0, 1.5, 2.0, 1.0], [1.5, 0.0, 3.0, 0.2], [2.0, 3.0, 0.5, 0.1], [1.0, "
                              "0.2, 0.1, 0.0]])")),
    doc("The solution X of A X = B, given what linalg.ldl_factor made of A.",
        op<linalg_ldl_solve>("linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> Tensor",
                             "s(3, 3), k([1, 2, 3]), t(3, 2)\ns(3, 3), k([-2, -2, 3]), t(3, 1)\ns(4, 4), k([2, -4, -4, "
                             "4]), t(4, 2)\ns(2, 2), k([1, 2]), t(3, 2)\nz(3, 3), k([-2, -2, 3]), z(3, 1)\nh(3, 3), "
                             "k([1, 2, 3]), z(3, 1), hermitian=True")),
};
const size_t ldl_ops_count = std::size(ldl_ops);

}  // namespace taut
