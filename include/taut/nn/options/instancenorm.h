// Options of instance normalisation.
#pragma once
#include "taut/nn/arg.h"
#include "taut/nn/options/normalization.h"

namespace taut::nn {

struct InstanceNormOptions {
  InstanceNormOptions(int64_t num_features) : num_features_(num_features) {}
  TAUT_ARG(int64_t, num_features);
  TAUT_ARG(double, eps) = 1e-5;
  TAUT_ARG(double, momentum) = 0.1;
  TAUT_ARG(bool, affine) = false;
  TAUT_ARG(bool, track_running_stats) = false;
  /// Has the affine map a bias?
  TAUT_ARG(bool, bias) = true;
};
using InstanceNorm1dOptions = InstanceNormOptions;
using InstanceNorm2dOptions = InstanceNormOptions;
using InstanceNorm3dOptions = InstanceNormOptions;

}  // namespace taut::nn
