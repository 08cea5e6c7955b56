#include "taut/nn/functional/vision.h"

#include "taut/ops/resample.h"
#include "taut/ops/vision.h"

namespace taut::nn::functional {

Tensor affine_grid(const Tensor& theta, const IntArrayRef& size, bool align_corners) {
  check(theta.defined(), "affine_grid: expected a tensor, got an undefined one");
  check<ValueError>(theta.is_floating_point(), "affine_grid: Expected theta to have floating point type, but got ",
                    theta.scalar_type());
  return affine_grid_generator(theta, size, align_corners);
}
Tensor grid_sample(const Tensor& input, const Tensor& grid, const GridSampleFuncOptions& options) {
  return _grid_sample(input, grid, options.mode().name(), options.padding_mode().name(),
                      options.align_corners().value_or(false));
}
Tensor pixel_shuffle(const Tensor& input, const PixelShuffleFuncOptions& options) {
  return taut::pixel_shuffle(input, options.upscale_factor());
}
Tensor pixel_unshuffle(const Tensor& input, const PixelUnshuffleFuncOptions& options) {
  return taut::pixel_unshuffle(input, options.downscale_factor());
}
Tensor channel_shuffle(const Tensor& input, const ChannelShuffleFuncOptions& options) {
  return taut::channel_shuffle(input, options.groups());
}

}  // namespace taut::nn::functional
