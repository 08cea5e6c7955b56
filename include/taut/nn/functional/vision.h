// Grid sampling, pixel and channel shuffles as functions.
#pragma once
#include "taut/nn/options/pixelshuffle.h"
#include "taut/nn/options/vision.h"
#include "taut/tensor.h"

namespace taut::nn::functional {

Tensor affine_grid(const Tensor& theta, const IntArrayRef& size, bool align_corners = false);
Tensor grid_sample(const Tensor& input, const Tensor& grid, const GridSampleFuncOptions& options = {});
Tensor pixel_shuffle(const Tensor& input, const PixelShuffleFuncOptions& options);
Tensor pixel_unshuffle(const Tensor& input, const PixelUnshuffleFuncOptions& options);
Tensor channel_shuffle(const Tensor& input, const ChannelShuffleFuncOptions& options);

}  // namespace taut::nn::functional
