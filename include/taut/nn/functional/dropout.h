// Dropout as functions.
#pragma once
#include "taut/nn/options/dropout.h"
#include "taut/tensor.h"

namespace taut::nn::functional {

// Written by tools/layers.py from src/nn/layers/dropout.txt; do not edit.
// clang-format off
/// Makes elements zero with probability p while training, and scales the others by 1 / (1 - p).
Tensor dropout(Tensor input, const DropoutFuncOptions& options = {});
/// Dropout of whole channels of [N, C, L] or [C, L].
Tensor dropout1d(Tensor input, const Dropout1dFuncOptions& options = {});
/// Dropout of whole channels of [N, C, H, W] or [C, H, W].
Tensor dropout2d(Tensor input, const Dropout2dFuncOptions& options = {});
/// Dropout of whole channels of [N, C, D, H, W] or [C, D, H, W].
Tensor dropout3d(Tensor input, const Dropout3dFuncOptions& options = {});
/// Dropout that keeps mean and variance of what SELU gives.
Tensor alpha_dropout(Tensor input, const AlphaDropoutFuncOptions& options = {});
/// AlphaDropout of whole channels.
Tensor feature_alpha_dropout(Tensor input, const FeatureAlphaDropoutFuncOptions& options = {});
// clang-format on

}  // namespace taut::nn::functional
