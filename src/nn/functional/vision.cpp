#include "taut/nn/functional/vision.h"

#include "taut/ops/vision.h"

namespace taut::nn::functional {

Tensor affine_grid(const Tensor& theta, const IntArrayRef& size, bool align_corners) {
  check(theta.defined(), "affine_grid: expected a tensor, got an undefined one");
  check<ValueError>(theta.is_floating_point(), "affine_grid: Expected theta to have floating point type, but got ",
                    theta.scalar_type());
  return affine_grid_generator(theta, size, align_corners);
}
Tensor grid_sample(const Tensor& input, const Tensor& grid, const GridSampleFuncOptions& options) {
  const Keyword mode = options.mode(), padding = options.padding_mode();
  check<ValueError>(mode == kBilinear || mode == kNearest || mode == kBicubic,
                    "grid_sample: expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '", mode, "'");
  check<ValueError>(padding == kZeros || padding == kBorder || padding == kReflection,
                    "grid_sample: expected padding_mode to be 'zeros', 'border', or 'reflection', but got: '", padding,
                    "'");
  return grid_sampler(input, grid,
                      mode == kBilinear  ? 0
                      : mode == kNearest ? 1
                                         : 2,
                      padding == kZeros    ? 0
                      : padding == kBorder ? 1
                                           : 2,
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
