// Options of pooling. A stride that is not given is the size of the window.
#pragma once
#include <optional>
#include <vector>

#include "taut/nn/arg.h"
#include "taut/nn/expanding_array.h"
#include "taut/tensor.h"

namespace taut::nn {

/// An element of the output size that is left open is that of the input.
template <class output_size_t>
struct AdaptiveMaxPoolOptions {
  AdaptiveMaxPoolOptions(output_size_t output_size) : output_size_(output_size) {}
  TAUT_ARG(output_size_t, output_size);
};
template <class output_size_t>
struct AdaptiveAvgPoolOptions {
  AdaptiveAvgPoolOptions(output_size_t output_size) : output_size_(output_size) {}
  TAUT_ARG(output_size_t, output_size);
};
using AdaptiveMaxPool1dOptions = AdaptiveMaxPoolOptions<ExpandingArray<1>>;
using AdaptiveMaxPool2dOptions = AdaptiveMaxPoolOptions<ExpandingArrayWithOptionalElem<2>>;
using AdaptiveMaxPool3dOptions = AdaptiveMaxPoolOptions<ExpandingArrayWithOptionalElem<3>>;
using AdaptiveAvgPool1dOptions = AdaptiveAvgPoolOptions<ExpandingArray<1>>;
using AdaptiveAvgPool2dOptions = AdaptiveAvgPoolOptions<ExpandingArrayWithOptionalElem<2>>;
using AdaptiveAvgPool3dOptions = AdaptiveAvgPoolOptions<ExpandingArrayWithOptionalElem<3>>;

// Written by tools/layers.py from src/nn/layers/pooling.txt; do not edit.
// clang-format off
template <size_t D>
struct MaxPoolOptions {
  MaxPoolOptions(ExpandingArray<D> kernel_size) : kernel_size_(kernel_size), stride_(kernel_size) {}
  TAUT_ARG(ExpandingArray<D>, kernel_size);
  TAUT_ARG(ExpandingArray<D>, stride);
  TAUT_ARG(ExpandingArray<D>, padding) = 0;
  TAUT_ARG(ExpandingArray<D>, dilation) = 1;
  TAUT_ARG(bool, ceil_mode) = false;
};
using MaxPool1dOptions = MaxPoolOptions<1>;
using MaxPool2dOptions = MaxPoolOptions<2>;
using MaxPool3dOptions = MaxPoolOptions<3>;
template <size_t D>
struct AvgPoolOptions {
  AvgPoolOptions(ExpandingArray<D> kernel_size) : kernel_size_(kernel_size), stride_(kernel_size) {}
  TAUT_ARG(ExpandingArray<D>, kernel_size);
  TAUT_ARG(ExpandingArray<D>, stride);
  TAUT_ARG(ExpandingArray<D>, padding) = 0;
  TAUT_ARG(bool, ceil_mode) = false;
  TAUT_ARG(bool, count_include_pad) = true;
  /// Divides the sums instead of the window's size; not for one dimension.
  TAUT_ARG(std::optional<int64_t>, divisor_override) = std::nullopt;
};
using AvgPool2dOptions = AvgPoolOptions<2>;
using AvgPool3dOptions = AvgPoolOptions<3>;
using AvgPool1dOptions = AvgPoolOptions<1>;
template <size_t D>
struct LPPoolOptions {
  LPPoolOptions(double norm_type, ExpandingArray<D> kernel_size)
      : norm_type_(norm_type), kernel_size_(kernel_size), stride_(kernel_size) {}
  TAUT_ARG(double, norm_type);
  TAUT_ARG(ExpandingArray<D>, kernel_size);
  TAUT_ARG(ExpandingArray<D>, stride);
  TAUT_ARG(bool, ceil_mode) = false;
};
using LPPool1dOptions = LPPoolOptions<1>;
using LPPool2dOptions = LPPoolOptions<2>;
using LPPool3dOptions = LPPoolOptions<3>;

namespace functional {
using MaxPool1dFuncOptions = MaxPool1dOptions;
using MaxPool2dFuncOptions = MaxPool2dOptions;
using MaxPool3dFuncOptions = MaxPool3dOptions;
using AvgPool2dFuncOptions = AvgPool2dOptions;
using AvgPool3dFuncOptions = AvgPool3dOptions;
using AvgPool1dFuncOptions = AvgPool1dOptions;
using LPPool1dFuncOptions = LPPool1dOptions;
using LPPool2dFuncOptions = LPPool2dOptions;
using LPPool3dFuncOptions = LPPool3dOptions;
using AdaptiveAvgPool2dFuncOptions = AdaptiveAvgPool2dOptions;
using AdaptiveAvgPool3dFuncOptions = AdaptiveAvgPool3dOptions;
using AdaptiveAvgPool1dFuncOptions = AdaptiveAvgPool1dOptions;
using AdaptiveMaxPool2dFuncOptions = AdaptiveMaxPool2dOptions;
using AdaptiveMaxPool3dFuncOptions = AdaptiveMaxPool3dOptions;
using AdaptiveMaxPool1dFuncOptions = AdaptiveMaxPool1dOptions;
template <size_t D>
struct MaxUnpoolFuncOptions {
  MaxUnpoolFuncOptions(ExpandingArray<D> kernel_size) : kernel_size_(kernel_size), stride_(kernel_size) {}
  TAUT_ARG(ExpandingArray<D>, kernel_size);
  TAUT_ARG(ExpandingArray<D>, stride);
  TAUT_ARG(ExpandingArray<D>, padding) = 0;
  TAUT_ARG(std::optional<std::vector<int64_t>>, output_size) = std::nullopt;
};
using MaxUnpool1dFuncOptions = MaxUnpoolFuncOptions<1>;
using MaxUnpool2dFuncOptions = MaxUnpoolFuncOptions<2>;
using MaxUnpool3dFuncOptions = MaxUnpoolFuncOptions<3>;
}  // namespace functional
// clang-format on

template <size_t D>
struct MaxUnpoolOptions {
  MaxUnpoolOptions(ExpandingArray<D> kernel_size) : kernel_size_(kernel_size), stride_(kernel_size) {}
  TAUT_ARG(ExpandingArray<D>, kernel_size);
  TAUT_ARG(ExpandingArray<D>, stride);
  TAUT_ARG(ExpandingArray<D>, padding) = 0;
};

/// Exactly one of output_size and output_ratio is given.
template <size_t D>
struct FractionalMaxPoolOptions {
  FractionalMaxPoolOptions(ExpandingArray<D> kernel_size) : kernel_size_(kernel_size) {}
  using ExpandingArrayDouble = ExpandingArray<D, double>;
  TAUT_ARG(ExpandingArray<D>, kernel_size);
  TAUT_ARG(std::optional<ExpandingArray<D>>, output_size) = std::nullopt;
  TAUT_ARG(std::optional<ExpandingArrayDouble>, output_ratio) = std::nullopt;
  TAUT_ARG(Tensor, _random_samples);
};
using MaxUnpool1dOptions = MaxUnpoolOptions<1>;
using MaxUnpool2dOptions = MaxUnpoolOptions<2>;
using MaxUnpool3dOptions = MaxUnpoolOptions<3>;
using FractionalMaxPool2dOptions = FractionalMaxPoolOptions<2>;
using FractionalMaxPool3dOptions = FractionalMaxPoolOptions<3>;

namespace functional {

using FractionalMaxPool2dFuncOptions = FractionalMaxPool2dOptions;
using FractionalMaxPool3dFuncOptions = FractionalMaxPool3dOptions;

}  // namespace functional
}  // namespace taut::nn
