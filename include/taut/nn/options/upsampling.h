// Options of resizing. A mode is kNearest, kNearestExact, kLinear, kBilinear, kBicubic, kTrilinear or kArea; give
// either `size` or `scale_factor`, with one number for each spatial dimension.
#pragma once
#include <optional>
#include <vector>

#include "taut/nn/arg.h"
#include "taut/nn/enums.h"

namespace taut::nn {

struct UpsampleOptions {
  TAUT_ARG(std::optional<std::vector<int64_t>>, size) = std::nullopt;
  TAUT_ARG(std::optional<std::vector<double>>, scale_factor) = std::nullopt;
  TAUT_ARG(Keyword, mode) = kNearest;
  TAUT_ARG(std::optional<bool>, align_corners) = std::nullopt;
  TAUT_ARG(std::optional<bool>, recompute_scale_factor) = std::nullopt;
};

namespace functional {

struct InterpolateFuncOptions {
  TAUT_ARG(std::optional<std::vector<int64_t>>, size) = std::nullopt;
  TAUT_ARG(std::optional<std::vector<double>>, scale_factor) = std::nullopt;
  TAUT_ARG(Keyword, mode) = kNearest;
  TAUT_ARG(std::optional<bool>, align_corners) = std::nullopt;
  /// Positions are computed from the sizes, not from the scale factor.
  TAUT_ARG(std::optional<bool>, recompute_scale_factor) = std::nullopt;
  TAUT_ARG(bool, antialias) = false;
};

}  // namespace functional
}  // namespace taut::nn
