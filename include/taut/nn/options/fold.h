// Options of Fold and Unfold.
#pragma once
#include "taut/nn/arg.h"
#include "taut/nn/expanding_array.h"

namespace taut::nn {

// Written by tools/layers.py from src/nn/layers/fold.txt; do not edit.
// clang-format off
struct FoldOptions {
  FoldOptions(ExpandingArray<2> output_size, ExpandingArray<2> kernel_size)
      : output_size_(output_size), kernel_size_(kernel_size) {}
  TAUT_ARG(ExpandingArray<2>, output_size);
  TAUT_ARG(ExpandingArray<2>, kernel_size);
  TAUT_ARG(ExpandingArray<2>, dilation) = 1;
  TAUT_ARG(ExpandingArray<2>, padding) = 0;
  TAUT_ARG(ExpandingArray<2>, stride) = 1;
};
struct UnfoldOptions {
  UnfoldOptions(ExpandingArray<2> kernel_size) : kernel_size_(kernel_size) {}
  TAUT_ARG(ExpandingArray<2>, kernel_size);
  TAUT_ARG(ExpandingArray<2>, dilation) = 1;
  TAUT_ARG(ExpandingArray<2>, padding) = 0;
  TAUT_ARG(ExpandingArray<2>, stride) = 1;
};

namespace functional {
using FoldFuncOptions = FoldOptions;
using UnfoldFuncOptions = UnfoldOptions;
}  // namespace functional
// clang-format on

}  // namespace taut::nn
