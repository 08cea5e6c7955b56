#include "taut/nn/modules/pixelshuffle.h"

#include <ostream>

#include "taut/nn/functional/vision.h"

namespace taut::nn {

namespace F = functional;

void PixelShuffleImpl::pretty_print(std::ostream& stream) const {
  stream << "PixelShuffle(upscale_factor=" << options.upscale_factor() << ')';
}
Tensor PixelShuffleImpl::forward(const Tensor& input) { return F::pixel_shuffle(input, options); }

void PixelUnshuffleImpl::pretty_print(std::ostream& stream) const {
  stream << "PixelUnshuffle(downscale_factor=" << options.downscale_factor() << ')';
}
Tensor PixelUnshuffleImpl::forward(const Tensor& input) { return F::pixel_unshuffle(input, options); }

void ChannelShuffleImpl::pretty_print(std::ostream& stream) const {
  stream << "ChannelShuffle(groups=" << options.groups() << ')';
}
Tensor ChannelShuffleImpl::forward(const Tensor& input) { return F::channel_shuffle(input, options); }

}  // namespace taut::nn
