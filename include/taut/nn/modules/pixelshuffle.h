// Pixel and channel shuffles.
#pragma once
#include "taut/nn/modules/common.h"
#include "taut/nn/options/pixelshuffle.h"

namespace taut::nn {

// Written by tools/layers.py from src/nn/layers/pixelshuffle.txt; do not edit.
// clang-format off
/// [*, C r^2, H, W] as [*, C, H r, W r].
class PixelShuffleImpl : public detail::LayerImpl<PixelShuffleImpl, PixelShuffleOptions> {
 public:
  using LayerImpl::LayerImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(PixelShuffle);

/// [*, C, H r, W r] as [*, C r^2, H, W].
class PixelUnshuffleImpl : public detail::LayerImpl<PixelUnshuffleImpl, PixelUnshuffleOptions> {
 public:
  using LayerImpl::LayerImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(PixelUnshuffle);

/// Takes the channels of all groups in turn.
class ChannelShuffleImpl : public detail::LayerImpl<ChannelShuffleImpl, ChannelShuffleOptions> {
 public:
  using LayerImpl::LayerImpl;
  void pretty_print(std::ostream& stream) const override;
  Tensor forward(const Tensor& input);
};
TAUT_MODULE(ChannelShuffle);
// clang-format on

}  // namespace taut::nn
