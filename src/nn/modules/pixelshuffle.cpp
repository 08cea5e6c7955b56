#include "taut/nn/modules/pixelshuffle.h"

#include <ostream>

#include "nn/repr.h"
#include "taut/nn/functional/vision.h"

namespace taut::nn {

namespace F = functional;
using detail::shown;

// Written by tools/layers.py from src/nn/layers/pixelshuffle.txt; do not edit.
// clang-format off
Tensor PixelShuffleImpl::forward(const Tensor& input) { return F::pixel_shuffle(input, options); }
void PixelShuffleImpl::pretty_print(std::ostream& stream) const {
  stream << "PixelShuffle(upscale_factor=" << shown(options.upscale_factor()) << ')';
}

Tensor PixelUnshuffleImpl::forward(const Tensor& input) { return F::pixel_unshuffle(input, options); }
void PixelUnshuffleImpl::pretty_print(std::ostream& stream) const {
  stream << "PixelUnshuffle(downscale_factor=" << shown(options.downscale_factor()) << ')';
}

Tensor ChannelShuffleImpl::forward(const Tensor& input) { return F::channel_shuffle(input, options); }
void ChannelShuffleImpl::pretty_print(std::ostream& stream) const {
  stream << "ChannelShuffle(groups=" << shown(options.groups()) << ')';
}
// clang-format on

}  // namespace taut::nn
