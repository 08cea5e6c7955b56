#include "taut/nn/functional/pooling.h"

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
OptionalIntArrayRef list_of(const std::optional<std::vector<int64_t>>& list) {
  return list ? OptionalIntArrayRef(*list) : OptionalIntArrayRef();
}
template <size_t D>
std::tuple<Tensor, Tensor> fractional(const Tensor& input, const FractionalMaxPoolOptions<D>& o) {
  std::optional<ArrayRef<double>> ratio;
  if (o.output_ratio()) ratio = **o.output_ratio();
  return _fractional_max_pool(input, D, o.kernel_size(),
                              o.output_size() ? OptionalIntArrayRef(**o.output_size()) : OptionalIntArrayRef(), ratio,
                              o._random_samples());
}

}  // namespace

// Written by tools/layers.py from src/nn/layers/pooling.txt; do not edit.
// clang-format off
Tensor max_pool1d(const Tensor& input, const MaxPool1dFuncOptions& options) {
  return taut::max_pool1d(input, options.kernel_size(), options.stride(), options.padding(), options.dilation(),
                          options.ceil_mode());
}
std::tuple<Tensor, Tensor> max_pool1d_with_indices(const Tensor& input, const MaxPool1dFuncOptions& options) {
  return taut::max_pool1d_with_indices(input, options.kernel_size(), options.stride(), options.padding(),
                                       options.dilation(), options.ceil_mode());
}
Tensor max_pool2d(const Tensor& input, const MaxPool2dFuncOptions& options) {
  return taut::max_pool2d(input, options.kernel_size(), options.stride(), options.padding(), options.dilation(),
                          options.ceil_mode());
}
std::tuple<Tensor, Tensor> max_pool2d_with_indices(const Tensor& input, const MaxPool2dFuncOptions& options) {
  return taut::max_pool2d_with_indices(input, options.kernel_size(), options.stride(), options.padding(),
                                       options.dilation(), options.ceil_mode());
}
Tensor max_pool3d(const Tensor& input, const MaxPool3dFuncOptions& options) {
  return taut::max_pool3d(input, options.kernel_size(), options.stride(), options.padding(), options.dilation(),
                          options.ceil_mode());
}
std::tuple<Tensor, Tensor> max_pool3d_with_indices(const Tensor& input, const MaxPool3dFuncOptions& options) {
  return taut::max_pool3d_with_indices(input, options.kernel_size(), options.stride(), options.padding(),
                                       options.dilation(), options.ceil_mode());
}
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
Tensor lp_pool1d(const Tensor& input, const LPPool1dFuncOptions& options) {
  return taut::_lp_pool(input, 1, options.norm_type(), options.kernel_size(), options.stride(), options.ceil_mode());
}
Tensor lp_pool2d(const Tensor& input, const LPPool2dFuncOptions& options) {
  return taut::_lp_pool(input, 2, options.norm_type(), options.kernel_size(), options.stride(), options.ceil_mode());
}
Tensor lp_pool3d(const Tensor& input, const LPPool3dFuncOptions& options) {
  return taut::_lp_pool(input, 3, options.norm_type(), options.kernel_size(), options.stride(), options.ceil_mode());
}
Tensor adaptive_avg_pool2d(const Tensor& input, const AdaptiveAvgPool2dFuncOptions& options) {
  return taut::adaptive_avg_pool2d(input, filled(options.output_size(), input, "adaptive_avg_pool2d"));
}
Tensor adaptive_avg_pool3d(const Tensor& input, const AdaptiveAvgPool3dFuncOptions& options) {
  return taut::adaptive_avg_pool3d(input, filled(options.output_size(), input, "adaptive_avg_pool3d"));
}
Tensor adaptive_avg_pool1d(const Tensor& input, const AdaptiveAvgPool1dFuncOptions& options) {
  return taut::adaptive_avg_pool1d(input, options.output_size());
}
Tensor adaptive_max_pool2d(const Tensor& input, const AdaptiveMaxPool2dFuncOptions& options) {
  return std::get<0>(taut::adaptive_max_pool2d(input, filled(options.output_size(), input, "adaptive_max_pool2d")));
}
std::tuple<Tensor, Tensor> adaptive_max_pool2d_with_indices(const Tensor& input,
                                                            const AdaptiveMaxPool2dFuncOptions& options) {
  return taut::adaptive_max_pool2d(input, filled(options.output_size(), input, "adaptive_max_pool2d"));
}
Tensor adaptive_max_pool3d(const Tensor& input, const AdaptiveMaxPool3dFuncOptions& options) {
  return std::get<0>(taut::adaptive_max_pool3d(input, filled(options.output_size(), input, "adaptive_max_pool3d")));
}
std::tuple<Tensor, Tensor> adaptive_max_pool3d_with_indices(const Tensor& input,
                                                            const AdaptiveMaxPool3dFuncOptions& options) {
  return taut::adaptive_max_pool3d(input, filled(options.output_size(), input, "adaptive_max_pool3d"));
}
Tensor adaptive_max_pool1d(const Tensor& input, const AdaptiveMaxPool1dFuncOptions& options) {
  return std::get<0>(taut::adaptive_max_pool1d(input, options.output_size()));
}
std::tuple<Tensor, Tensor> adaptive_max_pool1d_with_indices(const Tensor& input,
                                                            const AdaptiveMaxPool1dFuncOptions& options) {
  return taut::adaptive_max_pool1d(input, options.output_size());
}
Tensor max_unpool1d(const Tensor& input, const Tensor& indices, const MaxUnpool1dFuncOptions& options) {
  return taut::_max_unpool(input, indices, 1, options.kernel_size(), options.stride(), options.padding(),
                           list_of(options.output_size()));
}
Tensor max_unpool2d(const Tensor& input, const Tensor& indices, const MaxUnpool2dFuncOptions& options) {
  return taut::_max_unpool(input, indices, 2, options.kernel_size(), options.stride(), options.padding(),
                           list_of(options.output_size()));
}
Tensor max_unpool3d(const Tensor& input, const Tensor& indices, const MaxUnpool3dFuncOptions& options) {
  return taut::_max_unpool(input, indices, 3, options.kernel_size(), options.stride(), options.padding(),
                           list_of(options.output_size()));
}
// clang-format on

Tensor fractional_max_pool2d(const Tensor& input, const FractionalMaxPool2dFuncOptions& o) {
  return std::get<0>(fractional(input, o));
}
std::tuple<Tensor, Tensor> fractional_max_pool2d_with_indices(const Tensor& input,
                                                              const FractionalMaxPool2dFuncOptions& o) {
  return fractional(input, o);
}
Tensor fractional_max_pool3d(const Tensor& input, const FractionalMaxPool3dFuncOptions& o) {
  return std::get<0>(fractional(input, o));
}
std::tuple<Tensor, Tensor> fractional_max_pool3d_with_indices(const Tensor& input,
                                                              const FractionalMaxPool3dFuncOptions& o) {
  return fractional(input, o);
}

}  // namespace taut::nn::functional
