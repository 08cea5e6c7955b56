// Options of layer, RMS, group and response normalisation.
#pragma once
#include <optional>
#include <vector>

#include "taut/nn/arg.h"
#include "taut/tensor.h"

namespace taut::nn {

// Written by tools/layers.py from src/nn/layers/normalization.txt; do not edit.
// clang-format off
struct LocalResponseNormOptions {
  LocalResponseNormOptions(int64_t size) : size_(size) {}
  TAUT_ARG(int64_t, size);
  TAUT_ARG(double, alpha) = 1e-4;
  TAUT_ARG(double, beta) = 0.75;
  TAUT_ARG(double, k) = 1.0;
};
struct LayerNormOptions {
  LayerNormOptions(std::vector<int64_t> normalized_shape) : normalized_shape_(std::move(normalized_shape)) {}
  TAUT_ARG(std::vector<int64_t>, normalized_shape);
  TAUT_ARG(double, eps) = 1e-5;
  TAUT_ARG(bool, elementwise_affine) = true;
  /// Has the affine map a bias?
  TAUT_ARG(bool, bias) = true;
};
struct RMSNormOptions {
  RMSNormOptions(std::vector<int64_t> normalized_shape) : normalized_shape_(std::move(normalized_shape)) {}
  TAUT_ARG(std::vector<int64_t>, normalized_shape);
  /// The epsilon of the dtype when absent.
  TAUT_ARG(std::optional<double>, eps) = std::nullopt;
  TAUT_ARG(bool, elementwise_affine) = true;
};
struct GroupNormOptions {
  GroupNormOptions(int64_t num_groups, int64_t num_channels) : num_groups_(num_groups), num_channels_(num_channels) {}
  TAUT_ARG(int64_t, num_groups);
  TAUT_ARG(int64_t, num_channels);
  TAUT_ARG(double, eps) = 1e-5;
  TAUT_ARG(bool, affine) = true;
  /// Has the affine map a bias?
  TAUT_ARG(bool, bias) = true;
};

namespace functional {
using LocalResponseNormFuncOptions = LocalResponseNormOptions;
struct BatchNormFuncOptions {
  TAUT_ARG(Tensor, weight);
  TAUT_ARG(Tensor, bias);
  TAUT_ARG(bool, training) = false;
  TAUT_ARG(double, momentum) = 0.1;
  TAUT_ARG(double, eps) = 1e-5;
};
struct InstanceNormFuncOptions {
  TAUT_ARG(Tensor, running_mean);
  TAUT_ARG(Tensor, running_var);
  TAUT_ARG(Tensor, weight);
  TAUT_ARG(Tensor, bias);
  TAUT_ARG(bool, use_input_stats) = true;
  TAUT_ARG(double, momentum) = 0.1;
  TAUT_ARG(double, eps) = 1e-5;
};
struct LayerNormFuncOptions {
  LayerNormFuncOptions(std::vector<int64_t> normalized_shape) : normalized_shape_(std::move(normalized_shape)) {}
  TAUT_ARG(std::vector<int64_t>, normalized_shape);
  TAUT_ARG(Tensor, weight);
  TAUT_ARG(Tensor, bias);
  TAUT_ARG(double, eps) = 1e-5;
};
struct RMSNormFuncOptions {
  RMSNormFuncOptions(std::vector<int64_t> normalized_shape) : normalized_shape_(std::move(normalized_shape)) {}
  TAUT_ARG(std::vector<int64_t>, normalized_shape);
  TAUT_ARG(Tensor, weight);
  TAUT_ARG(std::optional<double>, eps) = std::nullopt;
};
struct GroupNormFuncOptions {
  GroupNormFuncOptions(int64_t num_groups) : num_groups_(num_groups) {}
  TAUT_ARG(int64_t, num_groups);
  TAUT_ARG(Tensor, weight);
  TAUT_ARG(Tensor, bias);
  TAUT_ARG(double, eps) = 1e-5;
};
}  // namespace functional
// clang-format on

struct CrossMapLRN2dOptions {
  CrossMapLRN2dOptions(int64_t size) : size_(size) {}
  TAUT_ARG(int64_t, size);
  TAUT_ARG(double, alpha) = 1e-4;
  TAUT_ARG(double, beta) = 0.75;
  TAUT_ARG(int64_t, k) = 1;
};

namespace functional {

struct NormalizeFuncOptions {
  TAUT_ARG(double, p) = 2.0;
  TAUT_ARG(int64_t, dim) = 1;
  TAUT_ARG(double, eps) = 1e-12;
  /// Where the result is written too.
  TAUT_ARG(std::optional<Tensor>, out) = std::nullopt;
};

}  // namespace functional
}  // namespace taut::nn
