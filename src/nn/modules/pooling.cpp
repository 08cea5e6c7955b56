#include "taut/nn/modules/pooling.h"

#include <ostream>

#include "nn/repr.h"
#include "taut/nn/functional/pooling.h"

namespace taut::nn {

namespace F = functional;
using detail::shortly;
using detail::shown;

// Written by tools/layers.py from src/nn/layers/pooling.txt; do not edit.
// clang-format off
Tensor MaxPool1dImpl::forward(const Tensor& input) { return F::max_pool1d(input, options); }
std::tuple<Tensor, Tensor> MaxPool1dImpl::forward_with_indices(const Tensor& input) {
  return F::max_pool1d_with_indices(input, options);
}
void MaxPool1dImpl::pretty_print(std::ostream& stream) const {
  stream << "MaxPool1d(kernel_size=" << shortly(options.kernel_size()) << ", stride=" << shortly(options.stride())
         << ", padding=" << shortly(options.padding()) << ", dilation=" << shortly(options.dilation())
         << ", ceil_mode=" << shown(options.ceil_mode()) << ')';
}

Tensor MaxPool2dImpl::forward(const Tensor& input) { return F::max_pool2d(input, options); }
std::tuple<Tensor, Tensor> MaxPool2dImpl::forward_with_indices(const Tensor& input) {
  return F::max_pool2d_with_indices(input, options);
}
void MaxPool2dImpl::pretty_print(std::ostream& stream) const {
  stream << "MaxPool2d(kernel_size=" << shortly(options.kernel_size()) << ", stride=" << shortly(options.stride())
         << ", padding=" << shortly(options.padding()) << ", dilation=" << shortly(options.dilation())
         << ", ceil_mode=" << shown(options.ceil_mode()) << ')';
}

Tensor MaxPool3dImpl::forward(const Tensor& input) { return F::max_pool3d(input, options); }
std::tuple<Tensor, Tensor> MaxPool3dImpl::forward_with_indices(const Tensor& input) {
  return F::max_pool3d_with_indices(input, options);
}
void MaxPool3dImpl::pretty_print(std::ostream& stream) const {
  stream << "MaxPool3d(kernel_size=" << shortly(options.kernel_size()) << ", stride=" << shortly(options.stride())
         << ", padding=" << shortly(options.padding()) << ", dilation=" << shortly(options.dilation())
         << ", ceil_mode=" << shown(options.ceil_mode()) << ')';
}

Tensor AvgPool2dImpl::forward(const Tensor& input) { return F::avg_pool2d(input, options); }
void AvgPool2dImpl::pretty_print(std::ostream& stream) const {
  stream << "AvgPool2d(kernel_size=" << shortly(options.kernel_size()) << ", stride=" << shortly(options.stride())
         << ", padding=" << shortly(options.padding()) << ')';
}

Tensor AvgPool3dImpl::forward(const Tensor& input) { return F::avg_pool3d(input, options); }
void AvgPool3dImpl::pretty_print(std::ostream& stream) const {
  stream << "AvgPool3d(kernel_size=" << shortly(options.kernel_size()) << ", stride=" << shortly(options.stride())
         << ", padding=" << shortly(options.padding()) << ')';
}

Tensor AvgPool1dImpl::forward(const Tensor& input) { return F::avg_pool1d(input, options); }
void AvgPool1dImpl::pretty_print(std::ostream& stream) const {
  stream << "AvgPool1d(kernel_size=" << shown(options.kernel_size()) << ", stride=" << shown(options.stride())
         << ", padding=" << shown(options.padding()) << ')';
}

Tensor LPPool1dImpl::forward(const Tensor& input) { return F::lp_pool1d(input, options); }
void LPPool1dImpl::pretty_print(std::ostream& stream) const {
  stream << "LPPool1d(norm_type=" << options.norm_type() << ", kernel_size=" << shortly(options.kernel_size())
         << ", stride=" << (options.stride() == options.kernel_size() ? "None" : shortly(options.stride()))
         << ", ceil_mode=" << shown(options.ceil_mode()) << ')';
}

Tensor LPPool2dImpl::forward(const Tensor& input) { return F::lp_pool2d(input, options); }
void LPPool2dImpl::pretty_print(std::ostream& stream) const {
  stream << "LPPool2d(norm_type=" << options.norm_type() << ", kernel_size=" << shortly(options.kernel_size())
         << ", stride=" << (options.stride() == options.kernel_size() ? "None" : shortly(options.stride()))
         << ", ceil_mode=" << shown(options.ceil_mode()) << ')';
}

Tensor LPPool3dImpl::forward(const Tensor& input) { return F::lp_pool3d(input, options); }
void LPPool3dImpl::pretty_print(std::ostream& stream) const {
  stream << "LPPool3d(norm_type=" << options.norm_type() << ", kernel_size=" << shortly(options.kernel_size())
         << ", stride=" << (options.stride() == options.kernel_size() ? "None" : shortly(options.stride()))
         << ", ceil_mode=" << shown(options.ceil_mode()) << ')';
}

Tensor AdaptiveAvgPool2dImpl::forward(const Tensor& input) { return F::adaptive_avg_pool2d(input, options); }
void AdaptiveAvgPool2dImpl::pretty_print(std::ostream& stream) const {
  stream << "AdaptiveAvgPool2d(output_size=" << shortly(options.output_size()) << ')';
}

Tensor AdaptiveAvgPool3dImpl::forward(const Tensor& input) { return F::adaptive_avg_pool3d(input, options); }
void AdaptiveAvgPool3dImpl::pretty_print(std::ostream& stream) const {
  stream << "AdaptiveAvgPool3d(output_size=" << shortly(options.output_size()) << ')';
}

Tensor AdaptiveAvgPool1dImpl::forward(const Tensor& input) { return F::adaptive_avg_pool1d(input, options); }
void AdaptiveAvgPool1dImpl::pretty_print(std::ostream& stream) const {
  stream << "AdaptiveAvgPool1d(output_size=" << shortly(options.output_size()) << ')';
}

Tensor AdaptiveMaxPool2dImpl::forward(const Tensor& input) { return F::adaptive_max_pool2d(input, options); }
std::tuple<Tensor, Tensor> AdaptiveMaxPool2dImpl::forward_with_indices(const Tensor& input) {
  return F::adaptive_max_pool2d_with_indices(input, options);
}
void AdaptiveMaxPool2dImpl::pretty_print(std::ostream& stream) const {
  stream << "AdaptiveMaxPool2d(output_size=" << shortly(options.output_size()) << ')';
}

Tensor AdaptiveMaxPool3dImpl::forward(const Tensor& input) { return F::adaptive_max_pool3d(input, options); }
std::tuple<Tensor, Tensor> AdaptiveMaxPool3dImpl::forward_with_indices(const Tensor& input) {
  return F::adaptive_max_pool3d_with_indices(input, options);
}
void AdaptiveMaxPool3dImpl::pretty_print(std::ostream& stream) const {
  stream << "AdaptiveMaxPool3d(output_size=" << shortly(options.output_size()) << ')';
}

Tensor AdaptiveMaxPool1dImpl::forward(const Tensor& input) { return F::adaptive_max_pool1d(input, options); }
std::tuple<Tensor, Tensor> AdaptiveMaxPool1dImpl::forward_with_indices(const Tensor& input) {
  return F::adaptive_max_pool1d_with_indices(input, options);
}
void AdaptiveMaxPool1dImpl::pretty_print(std::ostream& stream) const {
  stream << "AdaptiveMaxPool1d(output_size=" << shortly(options.output_size()) << ')';
}
// clang-format on

template <size_t D, class Derived>
void MaxUnpoolImpl<D, Derived>::pretty_print(std::ostream& stream) const {
  const auto& o = this->options;
  stream << "MaxUnpool" << D << "d(kernel_size=" << o.kernel_size() << ", stride=" << o.stride()
         << ", padding=" << o.padding() << ')';
}
template <size_t D, class Derived>
Tensor MaxUnpoolImpl<D, Derived>::forward(const Tensor& input, const Tensor& indices,
                                          const std::optional<std::vector<int64_t>>& output_size) {
  const auto& o = this->options;
  const auto options =
      F::MaxUnpoolFuncOptions<D>(o.kernel_size()).stride(o.stride()).padding(o.padding()).output_size(output_size);
  if constexpr (D == 1) return F::max_unpool1d(input, indices, options);
  else if constexpr (D == 2) return F::max_unpool2d(input, indices, options);
  else return F::max_unpool3d(input, indices, options);
}

template <size_t D, class Derived>
void FractionalMaxPoolImpl<D, Derived>::reset() {
  check<ValueError>(options.output_size() || options.output_ratio(), "FractionalMaxPool", D,
                    "d requires specifying either an output size, or a pooling ratio");
  check<ValueError>(!options.output_size() || !options.output_ratio(),
                    "only one of output_size and output_ratio may be specified");
  if (options.output_ratio())
    for (double ratio : **options.output_ratio())
      check<ValueError>(ratio > 0 && ratio < 1, "output_ratio must be between 0 and 1 (got ", *options.output_ratio(),
                        ")");
  _random_samples = this->register_buffer("_random_samples", options._random_samples());
}
template <size_t D, class Derived>
void FractionalMaxPoolImpl<D, Derived>::pretty_print(std::ostream& stream) const {
  stream << "FractionalMaxPool" << D << "d()";
}
template <size_t D, class Derived>
std::tuple<Tensor, Tensor> FractionalMaxPoolImpl<D, Derived>::forward_with_indices(const Tensor& input) {
  FractionalMaxPoolOptions<D> o = options;
  o._random_samples(_random_samples);
  if constexpr (D == 2) return F::fractional_max_pool2d_with_indices(input, o);
  else return F::fractional_max_pool3d_with_indices(input, o);
}
template <size_t D, class Derived>
Tensor FractionalMaxPoolImpl<D, Derived>::forward(const Tensor& input) {
  return std::get<0>(forward_with_indices(input));
}

template class MaxUnpoolImpl<1, MaxUnpool1dImpl>;
template class MaxUnpoolImpl<2, MaxUnpool2dImpl>;
template class MaxUnpoolImpl<3, MaxUnpool3dImpl>;
template class FractionalMaxPoolImpl<2, FractionalMaxPool2dImpl>;
template class FractionalMaxPoolImpl<3, FractionalMaxPool3dImpl>;

}  // namespace taut::nn
