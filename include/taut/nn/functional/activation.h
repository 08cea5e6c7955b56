// Activations as functions. Those with an option `inplace` write into their input then.
#pragma once
#include "taut/nn/options/activation.h"
#include "taut/tensor.h"

namespace taut::nn::functional {

// Written by tools/layers.py from src/nn/layers/activation.txt; do not edit.
// clang-format off
/// input where it is positive, alpha * (exp(input) - 1) elsewhere.
Tensor elu(Tensor input, const ELUFuncOptions& options = {});
/// The scaled exponential linear unit.
Tensor selu(Tensor input, const SELUFuncOptions& options = {});
/// max(0, input) + min(0, alpha * (exp(input / alpha) - 1)).
Tensor celu(Tensor input, const CELUFuncOptions& options = {});
/// The first half along a dimension times the sigmoid of the second.
Tensor glu(const Tensor& input, const GLUFuncOptions& options = {});
/// input times the normal distribution function of input.
Tensor gelu(const Tensor& input, const GELUFuncOptions& options = {});
/// input * sigmoid(input).
Tensor silu(Tensor input, const SiLUFuncOptions& options = {});
/// input * tanh(softplus(input)).
Tensor mish(Tensor input, const MishFuncOptions& options = {});
/// input where |input| is above lambd, 0 elsewhere.
Tensor hardshrink(const Tensor& input, const HardshrinkFuncOptions& options = {});
/// input moved towards 0 by lambd.
Tensor softshrink(const Tensor& input, const SoftshrinkFuncOptions& options = {});
/// input, kept between min_val and max_val.
Tensor hardtanh(Tensor input, const HardtanhFuncOptions& options = {});
/// relu6(input + 3) / 6.
Tensor hardsigmoid(Tensor input, const HardsigmoidFuncOptions& options = {});
/// input * relu6(input + 3) / 6.
Tensor hardswish(Tensor input, const HardswishFuncOptions& options = {});
/// input where it is positive, negative_slope * input elsewhere.
Tensor leaky_relu(Tensor input, const LeakyReLUFuncOptions& options = {});
/// max(0, input).
Tensor relu(Tensor input, const ReLUFuncOptions& options = {});
/// min(max(0, input), 6).
Tensor relu6(Tensor input, const ReLU6FuncOptions& options = {});
/// LeakyReLU with slopes drawn from [lower, upper] while training, their mean otherwise.
Tensor rrelu(Tensor input, const RReLUFuncOptions& options = {});
/// log(1 + exp(beta * input)) / beta.
Tensor softplus(const Tensor& input, const SoftplusFuncOptions& options = {});
/// input where it is above the threshold, value elsewhere.
Tensor threshold(Tensor input, const ThresholdFuncOptions& options);
/// 1 / (1 + exp(-input)).
Tensor sigmoid(const Tensor& input);
/// The hyperbolic tangent.
Tensor tanh(const Tensor& input);
/// input - tanh(input).
Tensor tanhshrink(const Tensor& input);
/// input / (1 + |input|).
Tensor softsign(const Tensor& input);
/// log(1 / (1 + exp(-input))).
Tensor logsigmoid(const Tensor& input);
// clang-format on

Tensor prelu(const Tensor& input, const Tensor& weight);
Tensor softmax(const Tensor& input, const SoftmaxFuncOptions& options);
/// softmax(-input)
Tensor softmin(const Tensor& input, const SoftminFuncOptions& options);
Tensor log_softmax(const Tensor& input, const LogSoftmaxFuncOptions& options);
/// A sample of the Gumbel-softmax distribution.
Tensor gumbel_softmax(const Tensor& logits, const GumbelSoftmaxFuncOptions& options = {});

}  // namespace taut::nn::functional
