// Options of convolutions.
#pragma once
#include <variant>

#include "taut/nn/arg.h"
#include "taut/nn/enums.h"
#include "taut/nn/expanding_array.h"
#include "taut/tensor.h"

namespace taut::nn {

namespace detail {
/// Numbers, or kSame or kValid.
template <size_t D>
using conv_padding_t = std::variant<ExpandingArray<D>, Keyword>;

/// What convolutions and transposed ones keep.
template <size_t D>
struct ConvNdOptions {
  using padding_t = conv_padding_t<D>;
  ConvNdOptions(int64_t in_channels, int64_t out_channels, ExpandingArray<D> kernel_size)
      : in_channels_(in_channels), out_channels_(out_channels), kernel_size_(kernel_size) {}
  TAUT_ARG(int64_t, in_channels);
  TAUT_ARG(int64_t, out_channels);
  TAUT_ARG(ExpandingArray<D>, kernel_size);
  TAUT_ARG(ExpandingArray<D>, stride) = 1;
  TAUT_ARG(padding_t, padding) = ExpandingArray<D>(0);
  TAUT_ARG(ExpandingArray<D>, dilation) = 1;
  TAUT_ARG(bool, transposed) = false;
  TAUT_ARG(ExpandingArray<D>, output_padding) = 0;
  TAUT_ARG(int64_t, groups) = 1;
  TAUT_ARG(bool, bias) = true;
  TAUT_ARG(Keyword, padding_mode) = kZeros;
};
}  // namespace detail

template <size_t D>
struct ConvOptions {
  using padding_t = detail::conv_padding_t<D>;
  ConvOptions(int64_t in_channels, int64_t out_channels, ExpandingArray<D> kernel_size)
      : in_channels_(in_channels), out_channels_(out_channels), kernel_size_(kernel_size) {}
  TAUT_ARG(int64_t, in_channels);
  TAUT_ARG(int64_t, out_channels);
  TAUT_ARG(ExpandingArray<D>, kernel_size);
  TAUT_ARG(ExpandingArray<D>, stride) = 1;
  TAUT_ARG(padding_t, padding) = ExpandingArray<D>(0);

 public:
  auto& padding(std::initializer_list<int64_t> list) { return padding(ExpandingArray<D>(list)); }
  TAUT_ARG(ExpandingArray<D>, dilation) = 1;
  TAUT_ARG(int64_t, groups) = 1;
  TAUT_ARG(bool, bias) = true;
  /// kZeros, kReflect, kReplicate or kCircular.
  TAUT_ARG(Keyword, padding_mode) = kZeros;
};
using Conv1dOptions = ConvOptions<1>;
using Conv2dOptions = ConvOptions<2>;
using Conv3dOptions = ConvOptions<3>;

template <size_t D>
struct ConvTransposeOptions {
  ConvTransposeOptions(int64_t in_channels, int64_t out_channels, ExpandingArray<D> kernel_size)
      : in_channels_(in_channels), out_channels_(out_channels), kernel_size_(kernel_size) {}
  TAUT_ARG(int64_t, in_channels);
  TAUT_ARG(int64_t, out_channels);
  TAUT_ARG(ExpandingArray<D>, kernel_size);
  TAUT_ARG(ExpandingArray<D>, stride) = 1;
  TAUT_ARG(ExpandingArray<D>, padding) = 0;
  TAUT_ARG(ExpandingArray<D>, output_padding) = 0;
  TAUT_ARG(int64_t, groups) = 1;
  TAUT_ARG(bool, bias) = true;
  TAUT_ARG(ExpandingArray<D>, dilation) = 1;
  /// kZeros only.
  TAUT_ARG(Keyword, padding_mode) = kZeros;
};
using ConvTranspose1dOptions = ConvTransposeOptions<1>;
using ConvTranspose2dOptions = ConvTransposeOptions<2>;
using ConvTranspose3dOptions = ConvTransposeOptions<3>;

namespace functional {

template <size_t D>
struct ConvFuncOptions {
  using padding_t = nn::detail::conv_padding_t<D>;
  TAUT_ARG(Tensor, bias);
  TAUT_ARG(ExpandingArray<D>, stride) = 1;
  TAUT_ARG(padding_t, padding) = ExpandingArray<D>(0);

 public:
  auto& padding(std::initializer_list<int64_t> list) { return padding(ExpandingArray<D>(list)); }
  TAUT_ARG(ExpandingArray<D>, dilation) = 1;
  TAUT_ARG(int64_t, groups) = 1;
};
using Conv1dFuncOptions = ConvFuncOptions<1>;
using Conv2dFuncOptions = ConvFuncOptions<2>;
using Conv3dFuncOptions = ConvFuncOptions<3>;

template <size_t D>
struct ConvTransposeFuncOptions {
  TAUT_ARG(Tensor, bias);
  TAUT_ARG(ExpandingArray<D>, stride) = 1;
  TAUT_ARG(ExpandingArray<D>, padding) = 0;
  TAUT_ARG(ExpandingArray<D>, output_padding) = 0;
  TAUT_ARG(int64_t, groups) = 1;
  TAUT_ARG(ExpandingArray<D>, dilation) = 1;
};
using ConvTranspose1dFuncOptions = ConvTransposeFuncOptions<1>;
using ConvTranspose2dFuncOptions = ConvTransposeFuncOptions<2>;
using ConvTranspose3dFuncOptions = ConvTransposeFuncOptions<3>;

}  // namespace functional
}  // namespace taut::nn
