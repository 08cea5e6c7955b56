// Resizing as a function.
#pragma once
#include "taut/nn/options/upsampling.h"
#include "taut/tensor.h"

namespace taut::nn::functional {

Tensor interpolate(const Tensor& input, const InterpolateFuncOptions& options = {});

}  // namespace taut::nn::functional
