#include "taut/nn/functional/pooling.h"

#include <algorithm>
#include <cmath>

#include "taut/factories.h"
#include "taut/ops/pool.h"

namespace taut::nn::functional {
namespace {

/// Elements left open are those of the input.
template <size_t D>
std::vector<int64_t> filled(const ExpandingArrayWithOptionalElem<D>& size, const Tensor& input, const char* op) {
  check(input.defined(), op, ": the input is an undefined tensor");
  check<ValueError>(input.dim() > static_cast<int64_t>(D), op, ": expected an input of ", D + 1, " or ", D + 2,
                    " dimensions, got shape ", input.sizes());
  std::vector<int64_t> list;
  for (size_t d = 0; d < D; ++d)
    list.push_back(size[d].value_or(input.size(static_cast<int64_t>(d) - static_cast<int64_t>(D))));
  return list;
}
std::vector<int64_t> filled(const ExpandingArray<1>& size, const Tensor&, const char*) { return {size[0]}; }

template <size_t D>
std::vector<int64_t> unpooled_size(const Tensor& input, const MaxUnpoolFuncOptions<D>& o) {
  check(input.defined(), "max_unpool", D, "d: the input is an undefined tensor");
  check<ValueError>(input.dim() > static_cast<int64_t>(D), "max_unpool", D, "d: expected an input of ", D + 1, " or ",
                    D + 2, " dimensions, got shape ", input.sizes());
  std::vector<int64_t> usual;
  for (size_t d = 0; d < D; ++d)
    usual.push_back((input.size(static_cast<int64_t>(d) - static_cast<int64_t>(D)) - 1) * o.stride()[d] +
                    o.kernel_size()[d] - 2 * o.padding()[d]);
  if (!o.output_size()) return usual;
  std::vector<int64_t> size = *o.output_size();
  if (size.size() == D + 2) size.erase(size.begin(), size.begin() + 2);
  check<ValueError>(size.size() == D, "output_size should be a sequence containing ", D, " or ", D + 2,
                    " elements, but it has a length of '", o.output_size()->size(), "'");
  for (size_t d = 0; d < D; ++d) {
    const int64_t least = usual[d] - o.stride()[d], most = usual[d] + o.stride()[d];
    check<ValueError>(least < size[d] && size[d] < most, "invalid output_size ", IntArrayRef(size), " (dim ", d,
                      " must be between ", least, " and ", most, ")");
  }
  return size;
}

/// The output size, and the samples that place the windows.
template <size_t D>
std::pair<std::vector<int64_t>, Tensor> fractional(const Tensor& input, const FractionalMaxPoolOptions<D>& o) {
  check(input.defined(), "fractional_max_pool", D, "d: the input is an undefined tensor");
  check<ValueError>(o.output_size() || o.output_ratio(), "fractional_max_pool", D,
                    "d requires specifying either an output_size or an output_ratio");
  check<ValueError>(input.dim() == D + 1 || input.dim() == D + 2, "fractional_max_pool", D, "d: expected an input of ",
                    D + 1, " or ", D + 2, " dimensions, got shape ", input.sizes());
  std::vector<int64_t> size;
  for (size_t d = 0; d < D; ++d) {
    const int64_t in = input.size(static_cast<int64_t>(d) - static_cast<int64_t>(D));
    size.push_back(o.output_size() ? (*o.output_size())[d]
                                   : static_cast<int64_t>(static_cast<double>(in) * (*o.output_ratio())[d]));
  }
  if (o._random_samples().defined()) return {size, o._random_samples()};
  const bool batched = input.dim() == D + 2;
  return {size, rand({batched ? input.size(0) : 1, input.size(batched ? 1 : 0), int64_t{D}}, input.scalar_type())};
}

/// The root of the averages times the size of the window.
template <size_t D>
Tensor root(const Tensor& averages, const LPPoolOptions<D>& o) {
  double count = 1;
  for (size_t d = 0; d < D; ++d) count *= static_cast<double>(o.kernel_size()[d]);
  return (averages.sign() * averages.abs().relu()).mul(count).pow(1 / o.norm_type());
}

}  // namespace

// Written by tools/layers.py from src/nn/layers/pooling.txt; do not edit.
// clang-format off
Tensor avg_pool2d(const Tensor& input, const AvgPool2dFuncOptions& options) {
  return taut::avg_pool2d(input, options.kernel_size(), options.stride(), options.padding(), options.ceil_mode(),
                          options.count_include_pad(), options.divisor_override());
}
Tensor avg_pool3d(const Tensor& input, const AvgPool3dFuncOptions& options) {
  return taut::avg_pool3d(input, options.kernel_size(), options.stride(), options.padding(), options.ceil_mode(),
                          options.count_include_pad(), options.divisor_override());
}
Tensor avg_pool1d(const Tensor& input, const AvgPool1dFuncOptions& options) {
  return taut::avg_pool1d(input, options.kernel_size(), options.stride(), options.padding(), options.ceil_mode(),
                          options.count_include_pad());
}
// clang-format on

Tensor max_pool1d(const Tensor& input, const MaxPool1dFuncOptions& o) {
  return taut::max_pool1d(input, o.kernel_size(), o.stride(), o.padding(), o.dilation(), o.ceil_mode());
}
std::tuple<Tensor, Tensor> max_pool1d_with_indices(const Tensor& input, const MaxPool1dFuncOptions& o) {
  return taut::max_pool1d_with_indices(input, o.kernel_size(), o.stride(), o.padding(), o.dilation(), o.ceil_mode());
}
Tensor max_pool2d(const Tensor& input, const MaxPool2dFuncOptions& o) {
  return taut::max_pool2d(input, o.kernel_size(), o.stride(), o.padding(), o.dilation(), o.ceil_mode());
}
std::tuple<Tensor, Tensor> max_pool2d_with_indices(const Tensor& input, const MaxPool2dFuncOptions& o) {
  return taut::max_pool2d_with_indices(input, o.kernel_size(), o.stride(), o.padding(), o.dilation(), o.ceil_mode());
}
Tensor max_pool3d(const Tensor& input, const MaxPool3dFuncOptions& o) {
  return taut::max_pool3d(input, o.kernel_size(), o.stride(), o.padding(), o.dilation(), o.ceil_mode());
}
std::tuple<Tensor, Tensor> max_pool3d_with_indices(const Tensor& input, const MaxPool3dFuncOptions& o) {
  return taut::max_pool3d_with_indices(input, o.kernel_size(), o.stride(), o.padding(), o.dilation(), o.ceil_mode());
}

Tensor adaptive_max_pool1d(const Tensor& input, const AdaptiveMaxPool1dFuncOptions& o) {
  return std::get<0>(adaptive_max_pool1d_with_indices(input, o));
}
std::tuple<Tensor, Tensor> adaptive_max_pool1d_with_indices(const Tensor& input,
                                                            const AdaptiveMaxPool1dFuncOptions& o) {
  return taut::adaptive_max_pool1d(input, filled(o.output_size(), input, "adaptive_max_pool1d"));
}
Tensor adaptive_avg_pool1d(const Tensor& input, const AdaptiveAvgPool1dFuncOptions& o) {
  return taut::adaptive_avg_pool1d(input, filled(o.output_size(), input, "adaptive_avg_pool1d"));
}
Tensor adaptive_max_pool2d(const Tensor& input, const AdaptiveMaxPool2dFuncOptions& o) {
  return std::get<0>(adaptive_max_pool2d_with_indices(input, o));
}
std::tuple<Tensor, Tensor> adaptive_max_pool2d_with_indices(const Tensor& input,
                                                            const AdaptiveMaxPool2dFuncOptions& o) {
  return taut::adaptive_max_pool2d(input, filled(o.output_size(), input, "adaptive_max_pool2d"));
}
Tensor adaptive_avg_pool2d(const Tensor& input, const AdaptiveAvgPool2dFuncOptions& o) {
  return taut::adaptive_avg_pool2d(input, filled(o.output_size(), input, "adaptive_avg_pool2d"));
}
Tensor adaptive_max_pool3d(const Tensor& input, const AdaptiveMaxPool3dFuncOptions& o) {
  return std::get<0>(adaptive_max_pool3d_with_indices(input, o));
}
std::tuple<Tensor, Tensor> adaptive_max_pool3d_with_indices(const Tensor& input,
                                                            const AdaptiveMaxPool3dFuncOptions& o) {
  return taut::adaptive_max_pool3d(input, filled(o.output_size(), input, "adaptive_max_pool3d"));
}
Tensor adaptive_avg_pool3d(const Tensor& input, const AdaptiveAvgPool3dFuncOptions& o) {
  return taut::adaptive_avg_pool3d(input, filled(o.output_size(), input, "adaptive_avg_pool3d"));
}

Tensor max_unpool1d(const Tensor& input, const Tensor& indices, const MaxUnpool1dFuncOptions& o) {
  std::vector<int64_t> size = unpooled_size(input, o);
  size.push_back(1);
  check(indices.defined(), "max_unpool1d: the indices are an undefined tensor");
  return taut::max_unpool2d(input.unsqueeze(-1), indices.unsqueeze(-1), size).squeeze(-1);
}
Tensor max_unpool2d(const Tensor& input, const Tensor& indices, const MaxUnpool2dFuncOptions& o) {
  return taut::max_unpool2d(input, indices, unpooled_size(input, o));
}
Tensor max_unpool3d(const Tensor& input, const Tensor& indices, const MaxUnpool3dFuncOptions& o) {
  return taut::max_unpool3d(input, indices, unpooled_size(input, o), o.stride(), o.padding());
}

Tensor fractional_max_pool2d(const Tensor& input, const FractionalMaxPool2dFuncOptions& o) {
  return std::get<0>(fractional_max_pool2d_with_indices(input, o));
}
std::tuple<Tensor, Tensor> fractional_max_pool2d_with_indices(const Tensor& input,
                                                              const FractionalMaxPool2dFuncOptions& o) {
  const auto [size, samples] = fractional(input, o);
  return taut::fractional_max_pool2d(input, o.kernel_size(), size, samples);
}
Tensor fractional_max_pool3d(const Tensor& input, const FractionalMaxPool3dFuncOptions& o) {
  return std::get<0>(fractional_max_pool3d_with_indices(input, o));
}
std::tuple<Tensor, Tensor> fractional_max_pool3d_with_indices(const Tensor& input,
                                                              const FractionalMaxPool3dFuncOptions& o) {
  const auto [size, samples] = fractional(input, o);
  return taut::fractional_max_pool3d(input, o.kernel_size(), size, samples);
}

Tensor lp_pool1d(const Tensor& input, const LPPool1dFuncOptions& o) {
  check<ValueError>(o.norm_type() > 0 && std::isfinite(o.norm_type()),
                    "lp_pool1d: norm_type must be a positive number, got ", o.norm_type());
  return root(taut::avg_pool1d(input.pow(o.norm_type()), o.kernel_size(), o.stride(), 0, o.ceil_mode()), o);
}
Tensor lp_pool2d(const Tensor& input, const LPPool2dFuncOptions& o) {
  check<ValueError>(o.norm_type() > 0 && std::isfinite(o.norm_type()),
                    "lp_pool2d: norm_type must be a positive number, got ", o.norm_type());
  return root(taut::avg_pool2d(input.pow(o.norm_type()), o.kernel_size(), o.stride(), 0, o.ceil_mode()), o);
}
Tensor lp_pool3d(const Tensor& input, const LPPool3dFuncOptions& o) {
  check<ValueError>(o.norm_type() > 0 && std::isfinite(o.norm_type()),
                    "lp_pool3d: norm_type must be a positive number, got ", o.norm_type());
  return root(taut::avg_pool3d(input.pow(o.norm_type()), o.kernel_size(), o.stride(), 0, o.ceil_mode()), o);
}

}  // namespace taut::nn::functional
