// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// The convolution of rows.
Tensor conv1d(const Tensor& input, const Tensor& weight, OptionalTensor bias = std::nullopt, IntArrayRef stride = 1,
              IntArrayRef padding = 0, IntArrayRef dilation = 1, int64_t groups = 1);
Tensor conv1d(const Tensor& input, const Tensor& weight, OptionalTensor bias, IntArrayRef stride, PaddingName padding,
              IntArrayRef dilation = 1, int64_t groups = 1);
/// The convolution of images.
Tensor conv2d(const Tensor& input, const Tensor& weight, OptionalTensor bias = std::nullopt, IntArrayRef stride = 1,
              IntArrayRef padding = 0, IntArrayRef dilation = 1, int64_t groups = 1);
Tensor conv2d(const Tensor& input, const Tensor& weight, OptionalTensor bias, IntArrayRef stride, PaddingName padding,
              IntArrayRef dilation = 1, int64_t groups = 1);
/// The convolution of volumes.
Tensor conv3d(const Tensor& input, const Tensor& weight, OptionalTensor bias = std::nullopt, IntArrayRef stride = 1,
              IntArrayRef padding = 0, IntArrayRef dilation = 1, int64_t groups = 1);
Tensor conv3d(const Tensor& input, const Tensor& weight, OptionalTensor bias, IntArrayRef stride, PaddingName padding,
              IntArrayRef dilation = 1, int64_t groups = 1);
/// The transposed convolution of rows, the gradient of conv1d.
Tensor conv_transpose1d(const Tensor& input, const Tensor& weight, OptionalTensor bias = std::nullopt,
                        IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef output_padding = 0,
                        int64_t groups = 1, IntArrayRef dilation = 1);
/// The transposed convolution of images, the gradient of conv2d.
Tensor conv_transpose2d(const Tensor& input, const Tensor& weight, OptionalTensor bias = std::nullopt,
                        IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef output_padding = 0,
                        int64_t groups = 1, IntArrayRef dilation = 1);
/// The transposed convolution of volumes, the gradient of conv3d.
Tensor conv_transpose3d(const Tensor& input, const Tensor& weight, OptionalTensor bias = std::nullopt,
                        IntArrayRef stride = 1, IntArrayRef padding = 0, IntArrayRef output_padding = 0,
                        int64_t groups = 1, IntArrayRef dilation = 1);
/// A convolution in any number of dimensions, transposed or not.
Tensor convolution(const Tensor& input, const Tensor& weight, OptionalTensor bias, IntArrayRef stride,
                   IntArrayRef padding, IntArrayRef dilation, bool transposed, IntArrayRef output_padding,
                   int64_t groups);
/// The windows of an image as columns.
Tensor im2col(const Tensor& self, IntArrayRef kernel_size, IntArrayRef dilation, IntArrayRef padding,
              IntArrayRef stride);
/// Columns added back to the places of their windows.
Tensor col2im(const Tensor& self, IntArrayRef output_size, IntArrayRef kernel_size, IntArrayRef dilation,
              IntArrayRef padding, IntArrayRef stride);

}  // namespace taut
