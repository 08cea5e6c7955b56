// Options of similarities and distances.
#pragma once
#include <cstdint>

#include "taut/nn/arg.h"

namespace taut::nn {

// Written by tools/layers.py from src/nn/layers/distance.txt; do not edit.
// clang-format off
struct PairwiseDistanceOptions {
  TAUT_ARG(double, p) = 2.0;
  TAUT_ARG(double, eps) = 1e-6;
  TAUT_ARG(bool, keepdim) = false;
};
struct CosineSimilarityOptions {
  TAUT_ARG(int64_t, dim) = 1;
  TAUT_ARG(double, eps) = 1e-8;
};

namespace functional {
using PairwiseDistanceFuncOptions = PairwiseDistanceOptions;
using CosineSimilarityFuncOptions = CosineSimilarityOptions;
}  // namespace functional
// clang-format on

}  // namespace taut::nn
