// Options of Linear, Bilinear, Flatten and Unflatten.
#pragma once
#include <cstdint>
#include <vector>

#include "taut/nn/arg.h"

namespace taut::nn {

// Written by tools/layers.py from src/nn/layers/linear.txt; do not edit.
// clang-format off
struct LinearOptions {
  LinearOptions(int64_t in_features, int64_t out_features) : in_features_(in_features), out_features_(out_features) {}
  TAUT_ARG(int64_t, in_features);
  TAUT_ARG(int64_t, out_features);
  TAUT_ARG(bool, bias) = true;
};
struct BilinearOptions {
  BilinearOptions(int64_t in1_features, int64_t in2_features, int64_t out_features)
      : in1_features_(in1_features), in2_features_(in2_features), out_features_(out_features) {}
  TAUT_ARG(int64_t, in1_features);
  TAUT_ARG(int64_t, in2_features);
  TAUT_ARG(int64_t, out_features);
  TAUT_ARG(bool, bias) = true;
};
struct FlattenOptions {
  TAUT_ARG(int64_t, start_dim) = 1;
  TAUT_ARG(int64_t, end_dim) = -1;
};
struct UnflattenOptions {
  UnflattenOptions(int64_t dim, std::vector<int64_t> sizes) : dim_(dim), sizes_(std::move(sizes)) {}
  TAUT_ARG(int64_t, dim);
  TAUT_ARG(std::vector<int64_t>, sizes);
};
// clang-format on

}  // namespace taut::nn
