// A weight as a direction and a length.
#include "ops/op.h"
#include "ops/registry.h"
#include "taut/ops/norm.h"

namespace taut {

Tensor norm_except_dim(const Tensor& v, int64_t pow, int64_t dim) {
  check_defined(v, "norm_except_dim", "v");
  if (dim == -1) return v.norm(pow);
  const int64_t kept = wrap_dim(dim, v.dim(), "norm_except_dim");
  std::vector<int64_t> others;
  for (int64_t d = 0; d < v.dim(); ++d)
    if (d != kept) others.push_back(d);
  check<IndexError>(v.dim() > 0, "norm_except_dim: Dimension specified as ", dim, " but tensor has no dimensions");
  check<TypeError>(v.is_floating_point() || v.is_complex(),
                   "norm_except_dim: input dtype should be either floating point or complex. Got ", v.scalar_type(),
                   " instead. Convert first: x.to(taut::kFloat).");
  return others.empty() ? v.abs() : v.contiguous().norm(Scalar(pow), others, /*keepdim=*/true);
}

Tensor _weight_norm(const Tensor& v, const Tensor& g, int64_t dim) {
  check_defined(g, "_weight_norm", "g");
  check_defined(v, "_weight_norm", "v");
  const Tensor direction = v.contiguous(), norm = norm_except_dim(direction, 2, dim);
  check(g.sizes() == norm.sizes() || (dim != 0 && dim != v.dim() - 1) || v.scalar_type() == kHalf,
        "_weight_norm: g has shape ", g.sizes(), " and the norms of v ", norm.sizes(), ": they must be the same");
  return direction *
         (g.contiguous() / norm);  // as PyTorch has it: g may be written to afterwards if it is not contiguous
}

extern const OpEntry weight_norm_ops[];
extern const size_t weight_norm_ops_count;
const OpEntry weight_norm_ops[] = {
    doc("The norm over all dimensions but one, in a shape that broadcasts; over all for -1.",
        op<norm_except_dim>("norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor",
                            "t(2, 3)\nt(2, 3), 2, -1\nt(3), 2, 0\np(2, 3), 3, 1\nt(2, 3, 2), 2, 2")),
    doc("The direction v with the lengths g along a dimension.",
        op<_weight_norm>("_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor",
                         "t(2, 3), p(2, 1)\nt(2, 3, 2), p(1, 3, 1), 1\nt(2, 3), p(), -1")),
};
const size_t weight_norm_ops_count = std::size(weight_norm_ops);

}  // namespace taut
