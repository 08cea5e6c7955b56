// Dropout as functions.
#pragma once
#include "taut/nn/options/dropout.h"
#include "taut/tensor.h"

namespace taut::nn::functional {

Tensor dropout(Tensor input, const DropoutFuncOptions& options = {});
Tensor dropout1d(Tensor input, const Dropout1dFuncOptions& options = {});
Tensor dropout2d(Tensor input, const Dropout2dFuncOptions& options = {});
Tensor dropout3d(Tensor input, const Dropout3dFuncOptions& options = {});
Tensor alpha_dropout(Tensor input, const AlphaDropoutFuncOptions& options = {});
Tensor feature_alpha_dropout(Tensor input, const FeatureAlphaDropoutFuncOptions& options = {});

}  // namespace taut::nn::functional
