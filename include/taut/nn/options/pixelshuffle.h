// Options of pixel and channel shuffles.
#pragma once
#include <cstdint>

#include "taut/nn/arg.h"

namespace taut::nn {

// Written by tools/layers.py from src/nn/layers/pixelshuffle.txt; do not edit.
// clang-format off
struct PixelShuffleOptions {
  PixelShuffleOptions(int64_t upscale_factor) : upscale_factor_(upscale_factor) {}
  TAUT_ARG(int64_t, upscale_factor);
};
struct PixelUnshuffleOptions {
  PixelUnshuffleOptions(int64_t downscale_factor) : downscale_factor_(downscale_factor) {}
  TAUT_ARG(int64_t, downscale_factor);
};
struct ChannelShuffleOptions {
  ChannelShuffleOptions(int64_t groups) : groups_(groups) {}
  TAUT_ARG(int64_t, groups);
};

namespace functional {
using PixelShuffleFuncOptions = PixelShuffleOptions;
using PixelUnshuffleFuncOptions = PixelUnshuffleOptions;
using ChannelShuffleFuncOptions = ChannelShuffleOptions;
}  // namespace functional
// clang-format on

}  // namespace taut::nn
