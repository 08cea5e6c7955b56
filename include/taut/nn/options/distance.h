// Options of similarities and distances.
#pragma once
#include <cstdint>

#include "taut/nn/arg.h"

namespace taut::nn {

struct CosineSimilarityOptions {
  TAUT_ARG(int64_t, dim) = 1;
  TAUT_ARG(double, eps) = 1e-8;
};
struct PairwiseDistanceOptions {
  TAUT_ARG(double, p) = 2.0;
  TAUT_ARG(double, eps) = 1e-6;
  TAUT_ARG(bool, keepdim) = false;
};

namespace functional {
using CosineSimilarityFuncOptions = CosineSimilarityOptions;
using PairwiseDistanceFuncOptions = PairwiseDistanceOptions;
}  // namespace functional
}  // namespace taut::nn
