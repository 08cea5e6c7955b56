// Padding as a function.
#pragma once
#include "taut/nn/options/padding.h"
#include "taut/tensor.h"

namespace taut::nn::functional {

Tensor pad(const Tensor& input, const PadFuncOptions& options);

}  // namespace taut::nn::functional
