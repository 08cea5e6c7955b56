#include "taut/nn/functional/linear.h"

#include "taut/ops/pairwise.h"

namespace taut::nn::functional {

Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias) {
  return taut::linear(input, weight, bias);
}
Tensor bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight, const Tensor& bias) {
  return taut::bilinear(input1, input2, weight, bias);
}

}  // namespace taut::nn::functional
