// Options of the kinds of dropout.
#pragma once
#include "taut/nn/arg.h"

namespace taut::nn {

// Written by tools/layers.py from src/nn/layers/dropout.txt; do not edit.
// clang-format off
struct DropoutOptions {
  DropoutOptions(double p = 0.5) : p_(p) {}
  /// The probability that an element (or a channel) is dropped.
  TAUT_ARG(double, p);
  TAUT_ARG(bool, inplace) = false;
};
using Dropout1dOptions = DropoutOptions;
using Dropout2dOptions = DropoutOptions;
using Dropout3dOptions = DropoutOptions;
using AlphaDropoutOptions = DropoutOptions;
using FeatureAlphaDropoutOptions = DropoutOptions;

namespace functional {
struct DropoutFuncOptions {
  /// The probability that an element (or a channel) is dropped.
  TAUT_ARG(double, p) = 0.5;
  TAUT_ARG(bool, training) = true;
  TAUT_ARG(bool, inplace) = false;
};
using Dropout1dFuncOptions = DropoutFuncOptions;
using Dropout2dFuncOptions = DropoutFuncOptions;
using Dropout3dFuncOptions = DropoutFuncOptions;
struct AlphaDropoutFuncOptions {
  /// The probability that an element (or a channel) is dropped.
  TAUT_ARG(double, p) = 0.5;
  TAUT_ARG(bool, training) = false;
  TAUT_ARG(bool, inplace) = false;
};
using FeatureAlphaDropoutFuncOptions = AlphaDropoutFuncOptions;
}  // namespace functional
// clang-format on

}  // namespace taut::nn
