// The sliding windows of images as columns, and columns added up to images.
#pragma once
#include "taut/nn/options/fold.h"
#include "taut/tensor.h"

namespace taut::nn::functional {

// Written by tools/layers.py from src/nn/layers/fold.txt; do not edit.
// clang-format off
/// Columns added up to images; the reverse of Unfold.
Tensor fold(const Tensor& input, const FoldFuncOptions& options);
/// The sliding windows of images as columns.
Tensor unfold(const Tensor& input, const UnfoldFuncOptions& options);
// clang-format on

}  // namespace taut::nn::functional
