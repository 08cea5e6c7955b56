// Pooling by powers, back to where maxima came from, and at random places: the sizes that follow from what is given.
// Messages are PyTorch's.
#include <cmath>

#include "ops/float_list.h"
#include "ops/op.h"
#include "ops/wording.h"
#include "taut/factories.h"
#include "taut/ops/pool.h"

namespace taut {

namespace {

/// The name for 1, 2 or 3 dimensions.
const char* named(const char* const (&names)[3], int64_t dims) {
  check<ValueError>(dims >= 1 && dims <= 3, names[0], ": windows have 1, 2 or 3 dimensions, got ", dims);
  return names[dims - 1];
}
/// One number for every spatial dimension, or a list of them.
Dims spread(IntArrayRef list, int64_t dims, const char* op, const char* what) {
  const auto n = static_cast<size_t>(dims);
  check<ValueError>(list.size() == n || list.size() == 1, op, ": ", what, " must be one number or ", dims, ", got ",
                    list);
  Dims all(list);
  while (all.size() < n) all.push_back(list[0]);
  return all;
}
void check_input(const Tensor& x, int64_t dims, const char* op) {
  check(x.defined(), op, ": the input is an undefined tensor");
  check<ValueError>(x.dim() == dims + 1 || x.dim() == dims + 2, op, ": expected an input of ", dims + 1, " or ",
                    dims + 2, " dimensions, got shape ", x.sizes());
}

}  // namespace

Tensor _lp_pool(const Tensor& self, int64_t dims, const Scalar& norm_type, IntArrayRef kernel_size,
                OptionalIntArrayRef stride, bool ceil_mode) {
  const char* const op = named({"lp_pool1d", "lp_pool2d", "lp_pool3d"}, dims);
  check_defined(self, op, "input");
  const double p = norm_type.toDouble();
  check<ValueError>(p != 0, op, ": norm_type must not be 0");
  const IntArrayRef step = stride ? *stride : IntArrayRef();
  if (std::isinf(p)) {
    const auto largest = [&](const Tensor& x) {
      return dims == 1   ? max_pool1d(x, kernel_size, step, 0, 1, ceil_mode)
             : dims == 2 ? max_pool2d(x, kernel_size, step, 0, 1, ceil_mode)
                         : max_pool3d(x, kernel_size, step, 0, 1, ceil_mode);
    };
    const int64_t sign = p > 0 ? 1 : -1;
    return largest(self.abs() * sign) * sign;
  }
  int64_t count = 1;
  for (const int64_t k : spread(kernel_size, dims, op, "kernel_size")) count *= k;
  const Tensor powers = self.pow(norm_type);
  const Tensor means = dims == 1   ? avg_pool1d(powers, kernel_size, step, 0, ceil_mode)
                       : dims == 2 ? avg_pool2d(powers, kernel_size, step, 0, ceil_mode)
                                   : avg_pool3d(powers, kernel_size, step, 0, ceil_mode);
  return (means.sign() * means.abs().relu()).mul(count).pow(1 / p);
}

Tensor _max_unpool(const Tensor& self, const Tensor& indices, int64_t dims, IntArrayRef kernel_size,
                   OptionalIntArrayRef stride, IntArrayRef padding, OptionalIntArrayRef output_size) {
  const char* const op = named({"max_unpool1d", "max_unpool2d", "max_unpool3d"}, dims);
  check_input(self, dims, op);
  check(indices.defined(), op, ": the indices are an undefined tensor");
  const Dims kernel = spread(kernel_size, dims, op, "kernel_size"),
             step = stride && !stride->empty() ? spread(*stride, dims, op, "stride") : kernel,
             pad = spread(padding, dims, op, "padding");
  const auto n = static_cast<size_t>(dims);
  Dims size;
  for (size_t d = 0; d < n; ++d)
    size.push_back((self.size(static_cast<int64_t>(d) - dims) - 1) * step[d] + kernel[d] - 2 * pad[d]);
  if (output_size) {
    const IntArrayRef all = *output_size, wanted = all.size() == n + 2 ? all.slice(2, n) : all;
    check<ValueError>(wanted.size() == n, "output_size should be a sequence containing ", dims, " or ", dims + 2,
                      " elements, but it has a length of '", wanted.size(), "'");
    for (size_t d = 0; d < n; ++d) {
      const int64_t least = size[d] - step[d], most = size[d] + step[d];
      check<ValueError>(least < wanted[d] && wanted[d] < most, "invalid output_size \"", tuple(wanted), "\" (dim ", d,
                        " must be between ", least, " and ", most, ")");
    }
    size = Dims(wanted);
  }
  if (dims == 3) return max_unpool3d(self, indices, size, step, pad);
  if (dims == 2) return max_unpool2d(self, indices, size);
  size.push_back(1);
  return max_unpool2d(self.unsqueeze(-1), indices.unsqueeze(-1), size).squeeze(-1);
}

std::tuple<Tensor, Tensor> _fractional_max_pool(const Tensor& self, int64_t dims, IntArrayRef kernel_size,
                                                OptionalIntArrayRef output_size,
                                                std::optional<ArrayRef<double>> output_ratio, OptionalTensor samples) {
  const AsDry as(self);
  const char* const op = named({"fractional_max_pool1d", "fractional_max_pool2d", "fractional_max_pool3d"}, dims);
  check<ValueError>(output_size || output_ratio, op, " requires specifying either an output_size or an output_ratio");
  check_input(self, dims, op);
  check<ValueError>(dims != 1, op, ": windows have 2 or 3 dimensions");
  Dims size;
  if (output_size) {
    size = spread(*output_size, dims, op, "output_size");
  } else {
    const ArrayRef<double> ratio = *output_ratio;
    check<ValueError>(ratio.size() == 1 || ratio.size() == static_cast<size_t>(dims), op,
                      ": output_ratio must be one number or ", dims, ", got ", ratio.size());
    for (int64_t d = 0; d < dims; ++d)
      size.push_back(static_cast<int64_t>(static_cast<double>(self.size(d - dims)) *
                                          ratio[ratio.size() == 1 ? 0 : static_cast<size_t>(d)]));
  }
  const Tensor drawn =
      samples ? *samples
              : rand({self.dim() == dims + 2 ? self.size(0) : 1, self.size(-dims - 1), dims}, self.scalar_type());
  return dims == 2 ? fractional_max_pool2d(self, kernel_size, size, drawn)
                   : fractional_max_pool3d(self, kernel_size, size, drawn);
}

extern const OpEntry pool_rules_ops[];
extern const size_t pool_rules_ops_count;
const OpEntry pool_rules_ops[] = {
    doc("The p-th root of the sum of p-th powers in each window, which has 1, 2 or 3 dimensions.",
        op<_lp_pool>("_lp_pool(Tensor self, int dims, Scalar norm_type, int[] kernel_size, int[]? stride=None, bool "
                     "ceil_mode=False) -> Tensor",
                     "p(1, 2, 5), 1, 2.0, 2\np(1, 1, 4, 5), 2, 3, [2, 3], [1, 2], True\np(1, 1, 2, 4, 3), 3, 1.5, 2\n"
                     "t(1, 1, 4, 4), 2, inf, 2, 1\nt(1, 1, 4, 4), 2, 0, 2")),
    doc("Values back at the places that a pooling of 1, 2 or 3 dimensions took them from, among zeros.",
        op<_max_unpool>("_max_unpool(Tensor self, Tensor indices, int dims, int[] kernel_size, int[]? stride=None, "
                        "int[] padding=[0], int[]? output_size=None) -> Tensor",
                        "t(1, 1, 3), c([[[1, 2, 5]]]), 1, 2\nt(1, 1, 2, 2), c([[[[0, 3], [9, 14]]]]), 2, 2\n"
                        "t(1, 1, 2, 2), c([[[[0, 3], [9, 14]]]]), 2, 2, None, [0], [1, 1, 5, 5]\n"
                        "t(1, 1, 1, 2, 2), c([[[[[0, 4], [9, 14]]]]]), 3, 2, [2, 2, 1]\n"
                        "t(1, 1, 2, 2), c([[[[0, 3], [9, 14]]]]), 2, 2, None, [0], [9, 9]")),
    doc("The largest elements of windows of 2 or 3 dimensions at random places, and where they are.",
        op<_fractional_max_pool>("_fractional_max_pool(Tensor self, int dims, int[] kernel_size, int[]? "
                                 "output_size=None, float[]? output_ratio=None, Tensor? _random_samples=None) -> "
                                 "(Tensor, Tensor)",
                                 "t(1, 1, 5, 6), 2, 2, [3, 2], None, c([[[0.3, 0.7]]])\n"
                                 "t(1, 5, 6), 2, [2, 3], None, [0.6], c([[[0.3, 0.7]]])\n"
                                 "t(1, 1, 4, 4, 5), 3, 2, None, [0.5, 0.5, 0.7], c([[[0.3, 0.7, 0.2]]])\n"
                                 "t(1, 1, 5, 6), 2, 2, None, None, c([[[0.3, 0.7]]])")),
};
const size_t pool_rules_ops_count = std::size(pool_rules_ops);

}  // namespace taut
