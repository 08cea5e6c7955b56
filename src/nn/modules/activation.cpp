#include "taut/nn/modules/activation.h"

#include <ostream>

#include "nn/repr.h"
#include "taut/factories.h"
#include "taut/nn/functional/activation.h"
#include "taut/nn/init.h"

namespace taut::nn {
namespace F = functional;
using detail::shown;

// Written by tools/layers.py from src/nn/layers/activation.txt; do not edit.
// clang-format off
Tensor ELUImpl::forward(Tensor input) { return F::elu(std::move(input), options); }
void ELUImpl::pretty_print(std::ostream& stream) const {
  stream << "ELU(alpha=" << shown(options.alpha()) << (options.inplace() ? ", inplace=True)" : ")");
}

Tensor SELUImpl::forward(Tensor input) { return F::selu(std::move(input), options); }
void SELUImpl::pretty_print(std::ostream& stream) const {
  stream << "SELU(" << (options.inplace() ? "inplace=True)" : ")");
}

Tensor CELUImpl::forward(Tensor input) { return F::celu(std::move(input), options); }
void CELUImpl::pretty_print(std::ostream& stream) const {
  stream << "CELU(alpha=" << shown(options.alpha()) << (options.inplace() ? ", inplace=True)" : ")");
}

Tensor GLUImpl::forward(const Tensor& input) { return F::glu(input, options); }
void GLUImpl::pretty_print(std::ostream& stream) const {
  stream << "GLU(dim=" << shown(options.dim()) << ')';
}

Tensor GELUImpl::forward(const Tensor& input) { return F::gelu(input, options); }
void GELUImpl::pretty_print(std::ostream& stream) const {
  stream << "GELU(approximate=" << shown(options.approximate()) << ')';
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
  stream << "Hardshrink(" << shown(options.lambda()) << ')';
}

Tensor SoftshrinkImpl::forward(const Tensor& input) { return F::softshrink(input, options); }
void SoftshrinkImpl::pretty_print(std::ostream& stream) const {
  stream << "Softshrink(" << shown(options.lambda()) << ')';
}

void HardtanhImpl::reset() {
  if (options.max_val() <= options.min_val())
    throw ValueError(str("max_val (", shown(options.max_val()), ") must be greater than min_val (",
                         shown(options.min_val()), ")"));
}
Tensor HardtanhImpl::forward(Tensor input) { return F::hardtanh(std::move(input), options); }
void HardtanhImpl::pretty_print(std::ostream& stream) const {
  stream << "Hardtanh(min_val=" << shown(options.min_val()) << ", max_val=" << shown(options.max_val())
         << (options.inplace() ? ", inplace=True)" : ")");
}

Tensor HardsigmoidImpl::forward(Tensor input) { return F::hardsigmoid(std::move(input), options); }

Tensor HardswishImpl::forward(Tensor input) { return F::hardswish(std::move(input), options); }

Tensor LeakyReLUImpl::forward(Tensor input) { return F::leaky_relu(std::move(input), options); }
void LeakyReLUImpl::pretty_print(std::ostream& stream) const {
  stream << "LeakyReLU(negative_slope=" << shown(options.negative_slope())
         << (options.inplace() ? ", inplace=True)" : ")");
}

Tensor ReLUImpl::forward(Tensor input) { return F::relu(std::move(input), options); }
void ReLUImpl::pretty_print(std::ostream& stream) const {
  stream << "ReLU(" << (options.inplace() ? "inplace=True)" : ")");
}

Tensor ReLU6Impl::forward(Tensor input) { return F::relu6(std::move(input), options); }
void ReLU6Impl::pretty_print(std::ostream& stream) const {
  stream << "ReLU6(" << (options.inplace() ? "inplace=True)" : ")");
}

Tensor RReLUImpl::forward(Tensor input) {
  return F::rrelu(std::move(input), F::RReLUFuncOptions()
      .lower(options.lower())
      .upper(options.upper())
      .training(is_training())
      .inplace(options.inplace()));
}
void RReLUImpl::pretty_print(std::ostream& stream) const {
  stream << "RReLU(lower=" << shown(options.lower()) << ", upper=" << shown(options.upper())
         << (options.inplace() ? ", inplace=True)" : ")");
}

void PReLUImpl::reset() {
  if (options.num_parameters() <= 0)
    throw ValueError(str("PReLU: num_parameters must be positive, got ", shown(options.num_parameters())));
  weight = register_parameter("weight", empty({options.num_parameters()}));
  reset_parameters();
}
void PReLUImpl::reset_parameters() {
  init::constant_(weight, options.init());
}
Tensor PReLUImpl::forward(const Tensor& input) { return F::prelu(input, weight); }
void PReLUImpl::pretty_print(std::ostream& stream) const {
  stream << "PReLU(num_parameters=" << shown(options.num_parameters()) << ')';
}

Tensor SoftplusImpl::forward(const Tensor& input) { return F::softplus(input, options); }
void SoftplusImpl::pretty_print(std::ostream& stream) const {
  stream << "Softplus(beta=" << shown(options.beta()) << ", threshold=" << shown(options.threshold()) << ')';
}

Tensor ThresholdImpl::forward(Tensor input) { return F::threshold(std::move(input), options); }
void ThresholdImpl::pretty_print(std::ostream& stream) const {
  stream << "Threshold(threshold=" << shown(options.threshold()) << ", value=" << shown(options.value())
         << (options.inplace() ? ", inplace=True)" : ")");
}

Tensor SigmoidImpl::forward(const Tensor& input) { return F::sigmoid(input); }

Tensor TanhImpl::forward(const Tensor& input) { return F::tanh(input); }

Tensor TanhshrinkImpl::forward(const Tensor& input) { return F::tanhshrink(input); }

Tensor SoftsignImpl::forward(const Tensor& input) { return F::softsign(input); }

Tensor LogSigmoidImpl::forward(const Tensor& input) { return F::logsigmoid(input); }

Tensor SoftmaxImpl::forward(const Tensor& input) { return F::softmax(input, options.dim()); }
void SoftmaxImpl::pretty_print(std::ostream& stream) const {
  stream << "Softmax(dim=" << shown(options.dim()) << ')';
}

Tensor SoftminImpl::forward(const Tensor& input) { return F::softmin(input, options.dim()); }
void SoftminImpl::pretty_print(std::ostream& stream) const {
  stream << "Softmin(dim=" << shown(options.dim()) << ')';
}

Tensor LogSoftmaxImpl::forward(const Tensor& input) { return F::log_softmax(input, options.dim()); }
void LogSoftmaxImpl::pretty_print(std::ostream& stream) const {
  stream << "LogSoftmax(dim=" << shown(options.dim()) << ')';
}

Tensor Softmax2dImpl::forward(const Tensor& input) {
  if (input.dim() != 3 && input.dim() != 4)
    throw ValueError(str("Softmax2d: expected input to be 3D or 4D, got ", input.dim(), "D instead"));
  return F::softmax(input, -3);
}
// clang-format on

}  // namespace taut::nn
