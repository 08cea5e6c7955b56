#include "taut/nn/modules/activation.h"

#include <ostream>

#include "nn/repr.h"
#include "taut/factories.h"
#include "taut/nn/functional/activation.h"

namespace taut::nn {
namespace F = functional;
using Py = detail::PythonFloat;

Tensor ELUImpl::forward(Tensor input) { return F::elu(std::move(input), options); }
void ELUImpl::pretty_print(std::ostream& stream) const {
  stream << "ELU("
         << "alpha=" << Py{options.alpha()} << (options.inplace() ? ", inplace=True)" : ")");
}
Tensor SELUImpl::forward(Tensor input) { return F::selu(std::move(input), options); }
void SELUImpl::pretty_print(std::ostream& stream) const {
  stream << "SELU(" << (options.inplace() ? "inplace=True)" : ")");
}
Tensor CELUImpl::forward(Tensor input) { return F::celu(std::move(input), options); }
void CELUImpl::pretty_print(std::ostream& stream) const {
  stream << "CELU("
         << "alpha=" << Py{options.alpha()} << (options.inplace() ? ", inplace=True)" : ")");
}
Tensor GLUImpl::forward(const Tensor& input) { return F::glu(input, options); }
void GLUImpl::pretty_print(std::ostream& stream) const {
  stream << "GLU("
         << "dim=" << options.dim() << ')';
}
Tensor GELUImpl::forward(const Tensor& input) { return F::gelu(input, options); }
void GELUImpl::pretty_print(std::ostream& stream) const {
  stream << "GELU("
         << "approximate='" << options.approximate() << '\'' << ')';
}
Tensor SiLUImpl::forward(Tensor input) { return F::silu(std::move(input), options); }
void SiLUImpl::pretty_print(std::ostream& stream) const {
  stream << "SiLU(" << (options.inplace() ? "inplace=True)" : ")");
}
Tensor MishImpl::forward(Tensor input) { return F::mish(std::move(input), options); }
void MishImpl::pretty_print(std::ostream& stream) const {
  stream << "Mish(" << (options.inplace() ? "inplace=True)" : ")");
}
Tensor HardshrinkImpl::forward(const Tensor& input) { return F::hardshrink(input, options); }
void HardshrinkImpl::pretty_print(std::ostream& stream) const {
  stream << "Hardshrink(" << Py{options.lambda()} << ')';
}
Tensor SoftshrinkImpl::forward(const Tensor& input) { return F::softshrink(input, options); }
void SoftshrinkImpl::pretty_print(std::ostream& stream) const {
  stream << "Softshrink(" << Py{options.lambda()} << ')';
}
Tensor HardtanhImpl::forward(Tensor input) { return F::hardtanh(std::move(input), options); }
void HardtanhImpl::pretty_print(std::ostream& stream) const {
  stream << "Hardtanh("
         << "min_val=" << Py{options.min_val()} << ", "
         << "max_val=" << Py{options.max_val()} << (options.inplace() ? ", inplace=True)" : ")");
}
Tensor HardsigmoidImpl::forward(Tensor input) { return F::hardsigmoid(std::move(input), options); }
Tensor HardswishImpl::forward(Tensor input) { return F::hardswish(std::move(input), options); }
Tensor LeakyReLUImpl::forward(Tensor input) { return F::leaky_relu(std::move(input), options); }
void LeakyReLUImpl::pretty_print(std::ostream& stream) const {
  stream << "LeakyReLU("
         << "negative_slope=" << Py{options.negative_slope()} << (options.inplace() ? ", inplace=True)" : ")");
}
Tensor ReLUImpl::forward(Tensor input) { return F::relu(std::move(input), options); }
void ReLUImpl::pretty_print(std::ostream& stream) const {
  stream << "ReLU(" << (options.inplace() ? "inplace=True)" : ")");
}
Tensor ReLU6Impl::forward(Tensor input) { return F::relu6(std::move(input), options); }
void ReLU6Impl::pretty_print(std::ostream& stream) const {
  stream << "ReLU6(" << (options.inplace() ? "inplace=True)" : ")");
}
Tensor SoftplusImpl::forward(const Tensor& input) { return F::softplus(input, options); }
void SoftplusImpl::pretty_print(std::ostream& stream) const {
  stream << "Softplus("
         << "beta=" << Py{options.beta()} << ", "
         << "threshold=" << Py{options.threshold()} << ')';
}
Tensor SoftmaxImpl::forward(const Tensor& input) { return F::softmax(input, options.dim()); }
void SoftmaxImpl::pretty_print(std::ostream& stream) const {
  stream << "Softmax("
         << "dim=" << options.dim() << ')';
}
Tensor SoftminImpl::forward(const Tensor& input) { return F::softmin(input, options.dim()); }
void SoftminImpl::pretty_print(std::ostream& stream) const {
  stream << "Softmin("
         << "dim=" << options.dim() << ')';
}
Tensor LogSoftmaxImpl::forward(const Tensor& input) { return F::log_softmax(input, options.dim()); }
void LogSoftmaxImpl::pretty_print(std::ostream& stream) const {
  stream << "LogSoftmax("
         << "dim=" << options.dim() << ')';
}
Tensor SigmoidImpl::forward(const Tensor& input) { return F::sigmoid(input); }
Tensor TanhImpl::forward(const Tensor& input) { return F::tanh(input); }
Tensor TanhshrinkImpl::forward(const Tensor& input) { return F::tanhshrink(input); }
Tensor SoftsignImpl::forward(const Tensor& input) { return F::softsign(input); }
Tensor LogSigmoidImpl::forward(const Tensor& input) { return F::logsigmoid(input); }

PReLUImpl::PReLUImpl(const PReLUOptions& options) : options(options) { PReLUImpl::reset(); }
void PReLUImpl::reset() {
  check<ValueError>(options.num_parameters() > 0, "PReLU: num_parameters must be positive, got ",
                    options.num_parameters());
  weight = register_parameter("weight", full({options.num_parameters()}, options.init()));
}
void PReLUImpl::pretty_print(std::ostream& stream) const {
  stream << "PReLU(num_parameters=" << options.num_parameters() << ')';
}
Tensor PReLUImpl::forward(const Tensor& input) { return F::prelu(input, weight); }

void RReLUImpl::pretty_print(std::ostream& stream) const {
  stream << "RReLU(lower=" << Py{options.lower()} << ", upper=" << Py{options.upper()}
         << (options.inplace() ? ", inplace=True)" : ")");
}
Tensor RReLUImpl::forward(Tensor input) {
  return F::rrelu(std::move(input), F::RReLUFuncOptions()
                                        .lower(options.lower())
                                        .upper(options.upper())
                                        .training(is_training())
                                        .inplace(options.inplace()));
}

void ThresholdImpl::pretty_print(std::ostream& stream) const {
  stream << "Threshold(threshold=" << Py{options.threshold()} << ", value=" << Py{options.value()}
         << (options.inplace() ? ", inplace=True)" : ")");
}
Tensor ThresholdImpl::forward(Tensor input) { return F::threshold(std::move(input), options); }

Tensor Softmax2dImpl::forward(const Tensor& input) {
  check<ValueError>(input.defined() && (input.dim() == 3 || input.dim() == 4),
                    "Softmax2d: expected input to be 3D or 4D, got ", input.defined() ? input.dim() : 0, "D instead");
  return F::softmax(input, -3);
}

}  // namespace taut::nn
