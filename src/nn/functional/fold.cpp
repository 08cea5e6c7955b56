#include "taut/nn/functional/fold.h"

#include "taut/ops/conv.h"

namespace taut::nn::functional {

// Written by tools/layers.py from src/nn/layers/fold.txt; do not edit.
// clang-format off
Tensor fold(const Tensor& input, const FoldFuncOptions& options) {
  return taut::col2im(input, options.output_size(), options.kernel_size(), options.dilation(), options.padding(),
                      options.stride());
}
Tensor unfold(const Tensor& input, const UnfoldFuncOptions& options) {
  return taut::im2col(input, options.kernel_size(), options.dilation(), options.padding(), options.stride());
}
// clang-format on

}  // namespace taut::nn::functional
