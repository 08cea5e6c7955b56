// Convolutions, spelt as libtorch spells them. Lists of one number stand for that number in every dimension.
#pragma once
#include <concepts>
#include <string_view>

#include "taut/tensor.h"

namespace taut {

/// "same" or "valid" as the padding of a convolution.
class PaddingName {
 public:
  template <std::convertible_to<std::string_view> S>
  requires(!std::is_arithmetic_v<S>) PaddingName(const S& name) : name_(name) {}
  std::string_view name() const { return name_; }

 private:
  std::string_view name_;
};

Tensor conv1d(const Tensor& input, const Tensor& weight, OptionalTensor bias = std::nullopt, IntArrayRef stride = 1,
              IntArrayRef padding = 0, IntArrayRef dilation = 1, int64_t groups = 1);
Tensor conv2d(const Tensor& input, const Tensor& weight, OptionalTensor bias = std::nullopt, IntArrayRef stride = 1,
              IntArrayRef padding = 0, IntArrayRef dilation = 1, int64_t groups = 1);
Tensor conv3d(const Tensor& input, const Tensor& weight, OptionalTensor bias = std::nullopt, IntArrayRef stride = 1,
              IntArrayRef padding = 0, IntArrayRef dilation = 1, int64_t groups = 1);
Tensor conv1d(const Tensor& input, const Tensor& weight, OptionalTensor bias, IntArrayRef stride, PaddingName padding,
              IntArrayRef dilation = 1, int64_t groups = 1);
Tensor conv2d(const Tensor& input, const Tensor& weight, OptionalTensor bias, IntArrayRef stride, PaddingName padding,
              IntArrayRef dilation = 1, int64_t groups = 1);
Tensor conv3d(const Tensor& input, const Tensor& weight, OptionalTensor bias, IntArrayRef stride, PaddingName padding,
              IntArrayRef dilation = 1, int64_t groups = 1);

Tensor conv_transpose1d(const Tensor& input, const Tensor& weight, OptionalTensor bias = std::nullopt,
                        IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef output_padding = 0,
                        int64_t groups = 1, IntArrayRef dilation = 1);
Tensor conv_transpose2d(const Tensor& input, const Tensor& weight, OptionalTensor bias = std::nullopt,
                        IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef output_padding = 0,
                        int64_t groups = 1, IntArrayRef dilation = 1);
Tensor conv_transpose3d(const Tensor& input, const Tensor& weight, OptionalTensor bias = std::nullopt,
                        IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef output_padding = 0,
                        int64_t groups = 1, IntArrayRef dilation = 1);

/// Any of the above, for batches: the number of dimensions follows from the weight.
Tensor convolution(const Tensor& input, const Tensor& weight, OptionalTensor bias, IntArrayRef stride,
                   IntArrayRef padding, IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                   int64_t groups);

/// The windows of images [batch, channels, height, width] as columns [batch, channels * window, windows], and the
/// transposed map, which adds them up. nn::functional calls them unfold and fold.
Tensor im2col(const Tensor& self, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
              IntArrayRef stride);
Tensor col2im(const Tensor& self, IntArrayRef output_size, IntArrayRef kernel_size, IntArrayRef dilation,
              IntArrayRef padding, IntArrayRef stride);

}  // namespace taut
