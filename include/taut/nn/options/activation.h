// Options of the activations.
#pragma once
#include <optional>
#include <string>

#include "taut/core/dtype.h"
#include "taut/nn/arg.h"

namespace taut::nn {

// Written by tools/layers.py from src/nn/layers/activation.txt; do not edit.
// clang-format off
struct ELUOptions {
  TAUT_ARG(double, alpha) = 1.0;
  TAUT_ARG(bool, inplace) = false;
};
struct SELUOptions {
  SELUOptions(bool inplace = false) : inplace_(inplace) {}
  TAUT_ARG(bool, inplace);
};
struct CELUOptions {
  TAUT_ARG(double, alpha) = 1.0;
  TAUT_ARG(bool, inplace) = false;
};
struct GLUOptions {
  GLUOptions(int64_t dim = -1) : dim_(dim) {}
  TAUT_ARG(int64_t, dim);
};
struct GELUOptions {
  GELUOptions(std::string approximate = "none") : approximate_(std::move(approximate)) {}
  /// "none" or "tanh".
  TAUT_ARG(std::string, approximate);
};
struct SiLUOptions {
  SiLUOptions(bool inplace = false) : inplace_(inplace) {}
  TAUT_ARG(bool, inplace);
};
struct MishOptions {
  MishOptions(bool inplace = false) : inplace_(inplace) {}
  TAUT_ARG(bool, inplace);
};
struct HardshrinkOptions {
  HardshrinkOptions(double lambda = 0.5) : lambda_(lambda) {}
  TAUT_ARG(double, lambda);
};
struct SoftshrinkOptions {
  SoftshrinkOptions(double lambda = 0.5) : lambda_(lambda) {}
  TAUT_ARG(double, lambda);
};
struct HardtanhOptions {
  TAUT_ARG(double, min_val) = -1.0;
  TAUT_ARG(double, max_val) = 1.0;
  TAUT_ARG(bool, inplace) = false;
};
struct HardsigmoidOptions {
  HardsigmoidOptions(bool inplace = false) : inplace_(inplace) {}
  TAUT_ARG(bool, inplace);
};
struct HardswishOptions {
  HardswishOptions(bool inplace = false) : inplace_(inplace) {}
  TAUT_ARG(bool, inplace);
};
struct LeakyReLUOptions {
  TAUT_ARG(double, negative_slope) = 1e-2;
  TAUT_ARG(bool, inplace) = false;
};
struct ReLUOptions {
  ReLUOptions(bool inplace = false) : inplace_(inplace) {}
  TAUT_ARG(bool, inplace);
};
struct ReLU6Options {
  ReLU6Options(bool inplace = false) : inplace_(inplace) {}
  TAUT_ARG(bool, inplace);
};
struct RReLUOptions {
  TAUT_ARG(double, lower) = 1.0 / 8;
  TAUT_ARG(double, upper) = 1.0 / 3;
  TAUT_ARG(bool, inplace) = false;
};
struct PReLUOptions {
  TAUT_ARG(int64_t, num_parameters) = 1;
  TAUT_ARG(double, init) = 0.25;
};
struct SoftplusOptions {
  TAUT_ARG(double, beta) = 1.0;
  TAUT_ARG(double, threshold) = 20.0;
};
struct ThresholdOptions {
  ThresholdOptions(double threshold, double value) : threshold_(threshold), value_(value) {}
  TAUT_ARG(double, threshold);
  TAUT_ARG(double, value);
  TAUT_ARG(bool, inplace) = false;
};
struct SoftmaxOptions {
  SoftmaxOptions(int64_t dim) : dim_(dim) {}
  TAUT_ARG(int64_t, dim);
};
struct SoftminOptions {
  SoftminOptions(int64_t dim) : dim_(dim) {}
  TAUT_ARG(int64_t, dim);
};
struct LogSoftmaxOptions {
  LogSoftmaxOptions(int64_t dim) : dim_(dim) {}
  TAUT_ARG(int64_t, dim);
};

namespace functional {
using ELUFuncOptions = ELUOptions;
using SELUFuncOptions = SELUOptions;
using CELUFuncOptions = CELUOptions;
using GLUFuncOptions = GLUOptions;
using GELUFuncOptions = GELUOptions;
using SiLUFuncOptions = SiLUOptions;
using MishFuncOptions = MishOptions;
using HardshrinkFuncOptions = HardshrinkOptions;
using SoftshrinkFuncOptions = SoftshrinkOptions;
using HardtanhFuncOptions = HardtanhOptions;
using HardsigmoidFuncOptions = HardsigmoidOptions;
using HardswishFuncOptions = HardswishOptions;
using LeakyReLUFuncOptions = LeakyReLUOptions;
using ReLUFuncOptions = ReLUOptions;
using ReLU6FuncOptions = ReLU6Options;
struct RReLUFuncOptions {
  TAUT_ARG(double, lower) = 1.0 / 8;
  TAUT_ARG(double, upper) = 1.0 / 3;
  TAUT_ARG(bool, training) = false;
  TAUT_ARG(bool, inplace) = false;
};
using SoftplusFuncOptions = SoftplusOptions;
using ThresholdFuncOptions = ThresholdOptions;
}  // namespace functional
// clang-format on

namespace functional {

/// With `dtype` the input is converted first.
struct SoftmaxFuncOptions {
  SoftmaxFuncOptions(int64_t dim) : dim_(dim) {}
  TAUT_ARG(int64_t, dim);
  TAUT_ARG(std::optional<ScalarType>, dtype) = std::nullopt;
};
struct SoftminFuncOptions {
  SoftminFuncOptions(int64_t dim) : dim_(dim) {}
  TAUT_ARG(int64_t, dim);
  TAUT_ARG(std::optional<ScalarType>, dtype) = std::nullopt;
};
struct LogSoftmaxFuncOptions {
  LogSoftmaxFuncOptions(int64_t dim) : dim_(dim) {}
  TAUT_ARG(int64_t, dim);
  TAUT_ARG(std::optional<ScalarType>, dtype) = std::nullopt;
};
struct GumbelSoftmaxFuncOptions {
  TAUT_ARG(double, tau) = 1.0;
  /// Samples of one-hot vectors, with the gradient of the soft ones.
  TAUT_ARG(bool, hard) = false;
  TAUT_ARG(int64_t, dim) = -1;
};

}  // namespace functional

}  // namespace taut::nn
