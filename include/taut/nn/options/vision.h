// Options of grid_sample. A mode is kBilinear, kNearest or kBicubic; the padding is kZeros, kBorder or kReflection.
#pragma once
#include <optional>

#include "taut/nn/arg.h"
#include "taut/nn/enums.h"

namespace taut::nn::functional {

struct GridSampleFuncOptions {
  TAUT_ARG(Keyword, mode) = kBilinear;
  TAUT_ARG(Keyword, padding_mode) = kZeros;
  TAUT_ARG(std::optional<bool>, align_corners) = std::nullopt;
};

}  // namespace taut::nn::functional
