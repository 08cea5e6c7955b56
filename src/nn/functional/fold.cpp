#include "taut/nn/functional/fold.h"

#include "taut/ops/conv.h"

namespace taut::nn::functional {

Tensor fold(const Tensor& input, const FoldFuncOptions& o) {
  return taut::col2im(input, o.output_size(), o.kernel_size(), o.dilation(), o.padding(), o.stride());
}
Tensor unfold(const Tensor& input, const UnfoldFuncOptions& o) {
  return taut::im2col(input, o.kernel_size(), o.dilation(), o.padding(), o.stride());
}

}  // namespace taut::nn::functional
