#include "taut/nn/functional/normalization.h"

#include "taut/ops/norm.h"

namespace taut::nn::functional {

// Written by tools/layers.py from src/nn/layers/normalization.txt; do not edit.
// clang-format off
Tensor local_response_norm(const Tensor& input, const LocalResponseNormFuncOptions& options) {
  return taut::local_response_norm(input, options.size(), options.alpha(), options.beta(), options.k());
}
Tensor batch_norm(const Tensor& input, const Tensor& running_mean, const Tensor& running_var,
                  const BatchNormFuncOptions& options) {
  return taut::_batch_norm(input, running_mean, running_var, options.weight(), options.bias(), options.training(),
                           options.momentum(), options.eps());
}
Tensor instance_norm(const Tensor& input, const InstanceNormFuncOptions& options) {
  return taut::_instance_norm(input, options.running_mean(), options.running_var(), options.weight(), options.bias(),
                              options.use_input_stats(), options.momentum(), options.eps());
}
Tensor layer_norm(const Tensor& input, const LayerNormFuncOptions& options) {
  return taut::layer_norm(input, options.normalized_shape(), options.weight(), options.bias(), options.eps());
}
Tensor rms_norm(const Tensor& input, const RMSNormFuncOptions& options) {
  return taut::rms_norm(input, options.normalized_shape(), options.weight(), options.eps());
}
Tensor group_norm(const Tensor& input, const GroupNormFuncOptions& options) {
  return taut::_group_norm(input, options.num_groups(), options.weight(), options.bias(), options.eps());
}
// clang-format on

Tensor normalize(const Tensor& input, NormalizeFuncOptions options) {
  const Tensor y = taut::normalize(input, options.p(), options.dim(), options.eps());
  return options.out() ? options.out()->copy_(y) : y;
}

}  // namespace taut::nn::functional
