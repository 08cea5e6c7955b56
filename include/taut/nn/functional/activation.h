// Activations as functions. Those with an option `inplace` write into their input then.
#pragma once
#include "taut/nn/options/activation.h"
#include "taut/tensor.h"

namespace taut::nn::functional {

Tensor elu(Tensor input, const ELUFuncOptions& options = {});
Tensor selu(Tensor input, const SELUFuncOptions& options = {});
Tensor celu(Tensor input, const CELUFuncOptions& options = {});
Tensor glu(const Tensor& input, const GLUFuncOptions& options = {});
Tensor gelu(const Tensor& input, const GELUFuncOptions& options = {});
Tensor silu(Tensor input, const SiLUFuncOptions& options = {});
Tensor mish(Tensor input, const MishFuncOptions& options = {});
Tensor sigmoid(const Tensor& input);
Tensor tanh(const Tensor& input);
Tensor hardshrink(const Tensor& input, const HardshrinkFuncOptions& options = {});
Tensor softshrink(const Tensor& input, const SoftshrinkFuncOptions& options = {});
Tensor tanhshrink(const Tensor& input);
Tensor hardtanh(Tensor input, const HardtanhFuncOptions& options = {});
Tensor hardsigmoid(Tensor input, const HardsigmoidFuncOptions& options = {});
Tensor hardswish(Tensor input, const HardswishFuncOptions& options = {});
Tensor leaky_relu(Tensor input, const LeakyReLUFuncOptions& options = {});
Tensor prelu(const Tensor& input, const Tensor& weight);
Tensor relu(Tensor input, const ReLUFuncOptions& options = {});
Tensor relu6(Tensor input, const ReLU6FuncOptions& options = {});
Tensor rrelu(Tensor input, const RReLUFuncOptions& options = {});
Tensor softplus(const Tensor& input, const SoftplusFuncOptions& options = {});
Tensor softsign(const Tensor& input);
Tensor logsigmoid(const Tensor& input);
Tensor threshold(Tensor input, const ThresholdFuncOptions& options);
Tensor softmax(const Tensor& input, const SoftmaxFuncOptions& options);
/// softmax(-input)
Tensor softmin(const Tensor& input, const SoftminFuncOptions& options);
Tensor log_softmax(const Tensor& input, const LogSoftmaxFuncOptions& options);
/// A sample of the Gumbel-softmax distribution.
Tensor gumbel_softmax(const Tensor& logits, const GumbelSoftmaxFuncOptions& options = {});

}  // namespace taut::nn::functional
