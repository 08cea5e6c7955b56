// Options of batch normalisation.
#pragma once
#include <optional>

#include "taut/nn/arg.h"
#include "taut/nn/options/normalization.h"

namespace taut::nn {

struct BatchNormOptions {
  BatchNormOptions(int64_t num_features) : num_features_(num_features) {}
  TAUT_ARG(int64_t, num_features);
  TAUT_ARG(double, eps) = 1e-5;
  /// How far a batch moves the running statistics; without one they are the average over all batches.
  TAUT_ARG(std::optional<double>, momentum) = 0.1;
  TAUT_ARG(bool, affine) = true;
  TAUT_ARG(bool, track_running_stats) = true;
  /// Has the affine map a bias?
  TAUT_ARG(bool, bias) = true;
};
using BatchNorm1dOptions = BatchNormOptions;
using BatchNorm2dOptions = BatchNormOptions;
using BatchNorm3dOptions = BatchNormOptions;

}  // namespace taut::nn
