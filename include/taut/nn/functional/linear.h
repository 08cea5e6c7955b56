// Linear and bilinear maps as functions.
#pragma once
#include "taut/tensor.h"

namespace taut::nn::functional {

Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias = {});
Tensor bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight, const Tensor& bias = {});

}  // namespace taut::nn::functional
