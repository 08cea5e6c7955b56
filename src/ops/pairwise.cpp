// Bilinear forms, similarities and distances, composed of other ops.
#include "taut/ops/pairwise.h"
#include "ops/autocast.h"

#include <cmath>

#include "ops/op.h"
#include "ops/registry.h"
#include "ops/view_ops.h"

namespace taut {

Tensor bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight, OptionalTensor bias) {
  check_defined(input1, "bilinear", "input1");
  check_defined(input2, "bilinear", "input2");
  check_defined(weight, "bilinear", "weight");
  check(input1.dim() == input2.dim() && input1.dim() > 0, "bilinear(): input dimensions do not match: got ",
        input1.sizes(), " and ", input2.sizes());
  check(weight.dim() == 3, "bilinear(): weight must be 3-D (out x in1 x in2), got shape ", weight.sizes());
  const auto last = static_cast<size_t>(input1.dim() - 1);
  check(input1.sizes().slice(0, last) == input2.sizes().slice(0, last),
        "bilinear(): input batch dimensions do not match: got ", input1.sizes(), " and ", input2.sizes());
  check(input1.size(-1) == weight.size(1), "bilinear(): input1 size does not match weight size: got ", input1.size(-1),
        " but expected ", weight.size(1));
  check(input2.size(-1) == weight.size(2), "bilinear(): input2 size does not match weight size: got ", input2.size(-1),
        " but expected ", weight.size(2));
  check(!bias || (bias->dim() == 1 && bias->size(0) == weight.size(0)),
        "bilinear(): bias size does not match weight size: got ", bias ? bias->sizes() : IntArrayRef(),
        " but expected ", weight.size(0));
  check(input1.scalar_type() == weight.scalar_type() && input2.scalar_type() == weight.scalar_type() &&
            (!bias || bias->scalar_type() == weight.scalar_type()),
        "bilinear(): All tensors must have the same dtype, got input1: ", input1.scalar_type(),
        ", input2: ", input2.scalar_type(), ", weight: ", weight.scalar_type(),
        ", bias: ", bias ? bias->scalar_type() : weight.scalar_type());
  const int64_t outputs = weight.size(0), n = weight.size(1), m = weight.size(2);
  Dims shape(input1.sizes());
  shape.back() = outputs;
  int64_t rows = 1;
  for (size_t d = 0; d < last; ++d) rows *= input1.sizes()[d];
  // Each row's matrix sum over i of x1[i] weight[k, i, j], then its product with x2.
  const auto products = [&] {
    const Tensor half = mm(input1.reshape({rows, n}), weight.permute({1, 0, 2}).reshape({n, outputs * m}));
    return matmul(half.view({rows, outputs, m}), input2.reshape({rows, m, 1})).view(shape).to(weight.scalar_type());
  };
  Tensor y;
  if (casts_now()) {  // the products are short, as in PyTorch, their gradients are not
    Tensor cast;
    {
      const NoGradGuard guard;
      cast = products();
    }
    const NoAutocast off;
    const Tensor whole = products();
    y = whole + (cast - whole).detach();
  } else {
    y = products();
  }
  return bias ? y + *bias : y;
}

Tensor cosine_similarity(const Tensor& x1, const Tensor& x2, int64_t dim, double eps) {
  check_defined(x1, "cosine_similarity", "x1");
  check_defined(x2, "cosine_similarity", "x2");
  check<ValueError>(eps >= 0, "cosine_similarity: eps must not be negative, got ", eps);
  const ScalarType type = promote_types(x1.scalar_type(), x2.scalar_type());
  check<TypeError>(is_floating_point(type), "expected common dtype to be floating point, yet common dtype is ", type);
  const auto both = broadcast_tensors({x1.to(type), x2.to(type)});
  const auto unit = [&](const Tensor& x) { return x / x.norm(Scalar(2), IntArrayRef(dim), true).clamp_min(eps); };
  return (unit(both[0]) * unit(both[1])).sum(dim);
}

Tensor pairwise_distance(const Tensor& x1, const Tensor& x2, double p, double eps, bool keepdim) {
  check_defined(x1, "pairwise_distance", "x1");
  check_defined(x2, "pairwise_distance", "x2");
  return (x1 - x2 + eps).norm(Scalar(p), IntArrayRef(-1), keepdim);
}

Tensor pdist(const Tensor& self, double p) {
  check_defined(self, "pdist");
  check(self.dim() == 2, "pdist only supports 2D tensors, got: ", self.dim(), "D");
  check<TypeError>(self.is_floating_point(), "pdist only supports floating-point dtypes, got ", self.scalar_type());
  check<ValueError>(p >= 0, "pdist only supports non-negative p values, got ", p);
  const Tensor at = triu_indices(self.size(0), self.size(0), 1);
  const Tensor a = self.index_select(0, at[0]), b = self.index_select(0, at[1]);
  if (std::isinf(p))
    return own_result(cdist(a.unsqueeze(1), b.unsqueeze(1), p, 2).flatten(), a, b);  // ties get the whole gradient each
  return (a - b).norm(Scalar(p), IntArrayRef(1));
}

extern const OpEntry pairwise_ops[];
extern const size_t pairwise_ops_count;
const OpEntry pairwise_ops[] = {
    doc("input1 @ weight[k] @ input2 for every k, plus bias.",
        op<bilinear>("bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor",
                     "t(2, 3), t(2, 4), t(5, 3, 4), t(5)\nt(3), t(2), t(2, 3, 2)\nt(2, 2, 3), t(2, 2, 2), t(1, 3, 2), "
                     "t(1)\nt(0, 3), t(0, 4), t(2, 3, 4), t(2)")),
    doc("The cosine of the angle between vectors along dim.",
        op<cosine_similarity>("cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor",
                              "t(3, 4), t(3, 4)\nt(3, 4), t(1, 4), 0\nt(2, 3, 2), t(2, 3, 2), -1, 0.1\nt(2, 3), t(3)")),
    doc("The p-norm of x1 - x2 + eps along the last dimension.",
        op<pairwise_distance>(
            "pairwise_distance(Tensor x1, Tensor x2, float p=2, float eps=1e-06, bool keepdim=False) -> "
            "Tensor",
            "t(3, 4), t(3, 4)\nt(3, 4), t(4), 1.0\nt(2, 3), t(2, 3), 3.0, 0.1, True\nt(3), t(3)")),
    doc("The p-norm distances between all pairs of rows.",
        op<pdist>("pdist(Tensor self, float p=2) -> Tensor",
                  "t(4, 3)\nt(3, 2), 1.0\nt(3, 2), 3.0\nt(1, 2)\nt(4, 3), inf")),
};
const size_t pairwise_ops_count = std::size(pairwise_ops);

}  // namespace taut
