// Options of AdaptiveLogSoftmaxWithLoss.
#pragma once
#include <cstdint>
#include <vector>

#include "taut/nn/arg.h"

namespace taut::nn {

struct AdaptiveLogSoftmaxWithLossOptions {
  AdaptiveLogSoftmaxWithLossOptions(int64_t in_features, int64_t n_classes, std::vector<int64_t> cutoffs)
      : in_features_(in_features), n_classes_(n_classes), cutoffs_(std::move(cutoffs)) {}
  TAUT_ARG(int64_t, in_features);
  TAUT_ARG(int64_t, n_classes);
  TAUT_ARG(std::vector<int64_t>, cutoffs);  // where a cluster of rarer classes begins
  TAUT_ARG(double, div_value) = 4;          // each cluster is so many times narrower than the one before
  TAUT_ARG(bool, head_bias) = false;
};

}  // namespace taut::nn
