// The sliding windows of images as columns, and columns added up to images.
#pragma once
#include "taut/nn/options/fold.h"
#include "taut/tensor.h"

namespace taut::nn::functional {

Tensor fold(const Tensor& input, const FoldFuncOptions& options);
Tensor unfold(const Tensor& input, const UnfoldFuncOptions& options);

}  // namespace taut::nn::functional
