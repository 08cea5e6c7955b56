#include "taut/nn/functional/activation.h"

#include "taut/ops/dropout.h"

namespace taut::nn::functional {

// Written by tools/layers.py from src/nn/layers/activation.txt; do not edit.
// clang-format off
Tensor elu(Tensor input, const ELUFuncOptions& options) {
  return options.inplace() ? taut::elu_(input, options.alpha()) : taut::elu(input, options.alpha());
}
Tensor selu(Tensor input, const SELUFuncOptions& options) {
  return options.inplace() ? taut::selu_(input) : taut::selu(input);
}
Tensor celu(Tensor input, const CELUFuncOptions& options) {
  return options.inplace() ? taut::celu_(input, options.alpha()) : taut::celu(input, options.alpha());
}
Tensor glu(const Tensor& input, const GLUFuncOptions& options) {
  check(input.defined(), "glu: input is undefined");
  if (input.dim() == 0) throw Error("glu does not support scalars because halving size must be even");
  return taut::glu(input, options.dim());
}
Tensor gelu(const Tensor& input, const GELUFuncOptions& options) { return taut::gelu(input, options.approximate()); }
Tensor silu(Tensor input, const SiLUFuncOptions& options) {
  return options.inplace() ? taut::silu_(input) : taut::silu(input);
}
Tensor mish(Tensor input, const MishFuncOptions& options) {
  return options.inplace() ? taut::mish_(input) : taut::mish(input);
}
Tensor hardshrink(const Tensor& input, const HardshrinkFuncOptions& options) {
  return taut::hardshrink(input, options.lambda());
}
Tensor softshrink(const Tensor& input, const SoftshrinkFuncOptions& options) {
  return taut::softshrink(input, options.lambda());
}
Tensor hardtanh(Tensor input, const HardtanhFuncOptions& options) {
  if (options.min_val() > options.max_val()) throw ValueError("hardtanh: min_val cannot be greater than max_val");
  return options.inplace() ? taut::hardtanh_(input, options.min_val(), options.max_val())
                           : taut::hardtanh(input, options.min_val(), options.max_val());
}
Tensor hardsigmoid(Tensor input, const HardsigmoidFuncOptions& options) {
  return options.inplace() ? taut::hardsigmoid_(input) : taut::hardsigmoid(input);
}
Tensor hardswish(Tensor input, const HardswishFuncOptions& options) {
  return options.inplace() ? taut::hardswish_(input) : taut::hardswish(input);
}
Tensor leaky_relu(Tensor input, const LeakyReLUFuncOptions& options) {
  return options.inplace() ? taut::leaky_relu_(input, options.negative_slope())
                           : taut::leaky_relu(input, options.negative_slope());
}
Tensor relu(Tensor input, const ReLUFuncOptions& options) {
  return options.inplace() ? taut::relu_(input) : taut::relu(input);
}
Tensor relu6(Tensor input, const ReLU6FuncOptions& options) {
  return options.inplace() ? taut::relu6_(input) : taut::relu6(input);
}
Tensor rrelu(Tensor input, const RReLUFuncOptions& options) {
  return options.inplace() ? taut::rrelu_(input, options.lower(), options.upper(), options.training())
                           : taut::rrelu(input, options.lower(), options.upper(), options.training());
}
Tensor softplus(const Tensor& input, const SoftplusFuncOptions& options) {
  return taut::softplus(input, options.beta(), options.threshold());
}
Tensor threshold(Tensor input, const ThresholdFuncOptions& options) {
  return options.inplace() ? taut::threshold_(input, options.threshold(), options.value())
                           : taut::threshold(input, options.threshold(), options.value());
}
Tensor sigmoid(const Tensor& input) { return taut::sigmoid(input); }
Tensor tanh(const Tensor& input) { return taut::tanh(input); }
Tensor tanhshrink(const Tensor& input) { return taut::tanhshrink(input); }
Tensor softsign(const Tensor& input) { return taut::softsign(input); }
Tensor logsigmoid(const Tensor& input) { return taut::log_sigmoid(input); }
// clang-format on

Tensor prelu(const Tensor& input, const Tensor& weight) { return taut::prelu(input, weight); }
Tensor softmax(const Tensor& input, const SoftmaxFuncOptions& options) {
  return taut::softmax(input, options.dim(), options.dtype());
}
Tensor softmin(const Tensor& input, const SoftminFuncOptions& options) {
  return taut::softmax(taut::neg(input), options.dim(), options.dtype());
}
Tensor log_softmax(const Tensor& input, const LogSoftmaxFuncOptions& options) {
  return taut::log_softmax(input, options.dim(), options.dtype());
}

Tensor gumbel_softmax(const Tensor& logits, const GumbelSoftmaxFuncOptions& options) {
  return _gumbel_softmax(logits, options.tau(), options.hard(), options.dim());
}

}  // namespace taut::nn::functional
