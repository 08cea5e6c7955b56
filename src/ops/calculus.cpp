// Integrals and derivatives of samples: the trapezoid rule, and differences of second order.
#include "ops/op.h"
#include "ops/registry.h"

namespace taut {

namespace {

void check_integrable(const Tensor& y, const Tensor& x, const char* op) {
  check_defined(y, op, "y");
  check(y.scalar_type() != kBool && (!x.defined() || x.scalar_type() != kBool), op,
        ": received a bool input for `x` or `y`, but bool is not supported");
}
/// The steps between the places x, in the shape of y; one of them for each pair of neighbours.
Tensor steps_of(const Tensor& x, const Tensor& y, int64_t dim, const char* op) {
  Dims shape(static_cast<size_t>(y.dim()), 1);
  if (x.dim() == 1) {
    check(x.size(0) == y.size(dim), op, ": There must be one `x` value for each sample point: got ", x.size(0), " and ",
          y.size(dim));
    shape[static_cast<size_t>(dim)] = x.size(0);
    return x.view(shape).diff(1, dim);
  }
  if (x.dim() >= y.dim()) return x.diff(1, dim + x.dim() - y.dim());
  for (int64_t d = 0; d < x.dim(); ++d) shape[static_cast<size_t>(y.dim() - x.dim() + d)] = x.size(d);
  return x.view(shape).diff(1, dim);
}
/// The sums of neighbours.
Tensor pairs(const Tensor& y, int64_t dim) { return y.slice(dim, 0, -1) + y.slice(dim, 1); }
/// Zeros in the shape of y without dim.
Tensor nothing(const Tensor& y, int64_t dim) {
  Dims sizes;
  for (int64_t d = 0; d < y.dim(); ++d)
    if (d != dim) sizes.push_back(y.size(d));
  return zeros(sizes, y.scalar_type());
}

/// The derivative along one dimension, whose samples are `spacing` apart, or at the places `spacing`.
Tensor slope_along(const Tensor& x, const Tensor& spacing, int64_t dim, int64_t edge_order) {
  const int64_t n = x.size(dim);
  const auto at = [&](int64_t from, int64_t count) { return x.narrow(dim, from, count); };
  if (spacing.dim() == 0) {
    const Tensor inner = (at(2, n - 2) - at(0, n - 2)) / spacing / 2;
    if (edge_order == 1)
      return cat({(at(1, 1) - at(0, 1)) / spacing, inner, (at(n - 1, 1) - at(n - 2, 1)) / spacing}, dim);
    return cat({(at(0, 1) * -1.5 + at(1, 1) * 2 - at(2, 1) * 0.5) / spacing, inner,
                (at(n - 1, 1) * 1.5 - at(n - 2, 1) * 2 + at(n - 3, 1) * 0.5) / spacing},
               dim);
  }
  Dims shape(static_cast<size_t>(x.dim()), 1);
  shape[static_cast<size_t>(dim)] = n - 1;
  const Tensor steps = spacing.diff().view(shape);
  const auto step = [&](int64_t from, int64_t count) { return steps.narrow(dim, from, count); };
  const Tensor a = step(0, n - 2), b = step(1, n - 2);
  const Tensor inner =
      -b / (a * (a + b)) * at(0, n - 2) + (b - a) / (a * b) * at(1, n - 2) + a / (b * (a + b)) * at(2, n - 2);
  if (edge_order == 1)
    return cat({(at(1, 1) - at(0, 1)) / step(0, 1), inner, (at(n - 1, 1) - at(n - 2, 1)) / step(n - 2, 1)}, dim);
  const Tensor a0 = step(0, 1), b0 = step(1, 1), a1 = step(n - 3, 1), b1 = step(n - 2, 1);
  return cat({-(2 * a0 + b0) / (a0 * (a0 + b0)) * at(0, 1) + (a0 + b0) / (a0 * b0) * at(1, 1) -
                  a0 / (b0 * (a0 + b0)) * at(2, 1),
              inner,
              b1 / (a1 * (a1 + b1)) * at(n - 3, 1) - (a1 + b1) / (a1 * b1) * at(n - 2, 1) +
                  (a1 + 2 * b1) / (b1 * (a1 + b1)) * at(n - 1, 1)},
             dim);
}

std::vector<int64_t> dims_for(const Tensor& self, std::optional<int64_t> dim) {
  if (dim) return {*dim};
  std::vector<int64_t> all;
  for (int64_t d = 0; d < self.dim(); ++d) all.push_back(d);
  return all;
}
Tensor step(const Scalar& s) { return full({}, s.toDouble(), kDouble); }

}  // namespace

Tensor trapezoid(const Tensor& y, const Tensor& x, int64_t dim) {
  const AsDry as(y);
  check_defined(x, "trapezoid", "x");
  check_integrable(y, x, "trapezoid");
  dim = wrap_dim(dim, y.dim(), "trapezoid");
  if (y.size(dim) == 0) return nothing(y, dim);
  return (pairs(y, dim) * steps_of(x, y, dim, "trapezoid")).sum(dim) / 2;
}
Tensor trapezoid(const Tensor& y, const Scalar& dx, int64_t dim) {
  const AsDry as(y);
  check_integrable(y, {}, "trapezoid");
  dim = wrap_dim(dim, y.dim(), "trapezoid");
  if (y.size(dim) == 0) return nothing(y, dim);
  return (y.sum(dim) - (y.select(dim, 0) + y.select(dim, -1)) * 0.5) * dx;
}
Tensor cumulative_trapezoid(const Tensor& y, const Tensor& x, int64_t dim) {
  check_defined(x, "cumulative_trapezoid", "x");
  check_integrable(y, x, "cumulative_trapezoid");
  dim = wrap_dim(dim, y.dim(), "cumulative_trapezoid");
  return (pairs(y, dim) * steps_of(x, y, dim, "cumulative_trapezoid")).cumsum(dim) / 2;
}
Tensor cumulative_trapezoid(const Tensor& y, const Scalar& dx, int64_t dim) {
  check_integrable(y, {}, "cumulative_trapezoid");
  dim = wrap_dim(dim, y.dim(), "cumulative_trapezoid");
  return (pairs(y, dim) * (dx.toDouble() / 2)).cumsum(dim);
}

std::vector<Tensor> _gradient(const Tensor& self, TensorList spacing, IntArrayRef dim, int64_t edge_order) {
  check_defined(self, "gradient");
  check<TypeError>(self.scalar_type() != kByte, "torch.gradient does not support uint8 input.");
  check(edge_order == 1 || edge_order == 2, "torch.gradient only supports edge_order=1 and edge_order=2, got ",
        edge_order);
  check(spacing.size() == dim.size() || spacing.size() == 1,
        "torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to 'dim', got ",
        spacing.size(), " for ", dim.size(), " dimensions");
  std::vector<Tensor> results;
  uint64_t seen = 0;
  for (size_t k = 0; k < dim.size(); ++k) {
    const int64_t d = wrap_dim(dim[k], self.dim(), "gradient");
    check(!(seen >> d & 1), "dim ", d, " appears multiple times in the list of dims");
    seen |= uint64_t{1} << d;
    const Tensor& by = spacing[spacing.size() == 1 ? 0 : k];
    check(self.dim() > 0 && self.size(d) >= edge_order + 1,
          "torch.gradient expected each dimension size to be at least edge_order+1, got shape ", self.sizes(),
          " and edge_order ", edge_order);
    check(
        by.dim() == 0 || (by.dim() == 1 && by.numel() == self.size(d)),
        "torch.gradient expected each tensor of spacing to have one dimension of the size of its dimension, got shape ",
        by.sizes(), " for dimension ", d, " of shape ", self.sizes());
    const Tensor number = by.dim() == 0 ? wrapped(by.item(), self) : by;
    results.push_back(slope_along(self, number, d, edge_order));
  }
  return results;
}
std::vector<Tensor> gradient(const Tensor& self, const std::optional<Scalar>& spacing, std::optional<int64_t> dim,
                             int64_t edge_order) {
  check_defined(self, "gradient");
  return _gradient(self, {step(spacing.value_or(1))}, dims_for(self, dim), edge_order);
}
std::vector<Tensor> gradient(const Tensor& self, const Scalar& spacing, IntArrayRef dim, int64_t edge_order) {
  return _gradient(self, {step(spacing)}, dim, edge_order);
}
std::vector<Tensor> gradient(const Tensor& self, IntArrayRef dim, int64_t edge_order) {
  return _gradient(self, {step(1)}, dim, edge_order);
}
std::vector<Tensor> gradient(const Tensor& self, ArrayRef<Scalar> spacing, IntArrayRef dim, int64_t edge_order) {
  std::vector<Tensor> steps;
  for (const Scalar& s : spacing) steps.push_back(step(s));
  return _gradient(self, steps, dim, edge_order);
}
std::vector<Tensor> gradient(const Tensor& self, ArrayRef<Scalar> spacing, std::optional<int64_t> dim,
                             int64_t edge_order) {
  check_defined(self, "gradient");
  return gradient(self, spacing, IntArrayRef(dims_for(self, dim)), edge_order);
}
std::vector<Tensor> gradient(const Tensor& self, TensorList spacing, IntArrayRef dim, int64_t edge_order) {
  return _gradient(self, spacing, dim, edge_order);
}
std::vector<Tensor> gradient(const Tensor& self, TensorList spacing, std::optional<int64_t> dim, int64_t edge_order) {
  check_defined(self, "gradient");
  return _gradient(self, spacing, dims_for(self, dim), edge_order);
}

extern const OpEntry calculus_ops[];
extern const size_t calculus_ops_count;
const OpEntry calculus_ops[] = {
    doc("The integral of y along dim by the trapezoid rule, from samples at x, or dx apart.",
        op("trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor",
           "t(5), t(5)\nt(3, 4), t(3), dim=0\nt(2, 4), t(2, 4)\nt(2, 3, 4), t(3, 4), dim=1\nt(1), t(1)\nt(2, 3), t(4)\n"
           "i(0, 9, 5), i(0, 9, 5)\nt(2, 0), t(0)",
           [](const Tensor& y, const Tensor& x, int64_t dim) { return trapezoid(y, x, dim); })),
    op("trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor",
       "t(5)\nt(3, 4), dx=0.5, dim=0\nt(3, 4), dx=2\nt(2, 0)\ni(0, 9, 5)\nb(3)",
       [](const Tensor& y, const Scalar& dx, int64_t dim) { return trapezoid(y, dx, dim); }),
    doc("The integrals of y from its first sample up to each of the others, by the trapezoid rule.",
        op("cumulative_trapezoid.x(Tensor y, Tensor x, *, int dim=-1) -> Tensor",
           "t(5), t(5)\nt(3, 4), t(3), dim=0\nt(2, 4), t(2, 4)\nt(2, 3, 4), t(3, 4), dim=1\nt(1), t(1)\nt(2, 3), t(4)",
           [](const Tensor& y, const Tensor& x, int64_t dim) { return cumulative_trapezoid(y, x, dim); })),
    op("cumulative_trapezoid.dx(Tensor y, *, Scalar dx=1, int dim=-1) -> Tensor",
       "t(5)\nt(3, 4), dx=0.5, dim=0\nt(3, 4), dx=2\nb(3)",
       [](const Tensor& y, const Scalar& dx, int64_t dim) { return cumulative_trapezoid(y, dx, dim); }),
    doc("The derivatives along dims of samples: `spacing` has, for each or for all, their distance or their places.",
        op<_gradient>(
            "_gradient(Tensor self, Tensor[] spacing, int[] dim, int edge_order=1) -> Tensor[]",
            "t(5), [c(0.5)], [0]\nt(4, 5), [c(1.0)], [0, 1]\nt(4, 5), [c(2.0), c(0.5)], [1, 0], 2\nt(5), [c([0.0, "
            "0.5, 2.0, 2.5, 4.0])], [0]\nt(4, 5), [c([1.0, 2.0, 4.0, 8.0]), c([0.0, 0.5, 2.0, 2.5, 4.0])], [0, 1], "
            "2\nt(2), [c(1.0)], [0], 2\nt(3), [c(1.0)], [0], 3\ni(0, 9, 5), [c(2.0)], [0]\nt(3, 3), [c(1.0)], [0, 0]")),
};
const size_t calculus_ops_count = std::size(calculus_ops);

}  // namespace taut
