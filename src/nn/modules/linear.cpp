#include "taut/nn/modules/linear.h"

#include <cmath>
#include <ostream>

#include "nn/repr.h"
#include "taut/factories.h"
#include "taut/nn/functional/linear.h"
#include "taut/nn/init.h"

namespace taut::nn {

namespace F = functional;
using detail::shown;

void IdentityImpl::pretty_print(std::ostream& stream) const { stream << "Identity()"; }

LinearImpl::LinearImpl(const LinearOptions& options_) : options(options_) { LinearImpl::reset(); }
void LinearImpl::reset() {
  check<ValueError>(options.in_features() >= 0 && options.out_features() >= 0,
                    "Linear: in_features and out_features must not be negative, got ", options.in_features(), " and ",
                    options.out_features());
  weight = register_parameter("weight", empty({options.out_features(), options.in_features()}));
  bias = options.bias() ? register_parameter("bias", empty({options.out_features()}))
                        : register_parameter("bias", {}, false);
  reset_parameters();
}
void LinearImpl::reset_parameters() {
  init::kaiming_uniform_(weight, std::sqrt(5));
  if (!bias.defined()) return;
  const int64_t fan_in = options.in_features();
  const double bound = fan_in > 0 ? 1 / std::sqrt(static_cast<double>(fan_in)) : 0;
  init::uniform_(bias, -bound, bound);
}
void LinearImpl::pretty_print(std::ostream& stream) const {
  stream << "Linear(in_features=" << options.in_features() << ", out_features=" << options.out_features()
         << ", bias=" << (options.bias() ? "True" : "False") << ')';
}
Tensor LinearImpl::forward(const Tensor& input) { return F::linear(input, weight, bias); }

BilinearImpl::BilinearImpl(const BilinearOptions& options_) : options(options_) { BilinearImpl::reset(); }
void BilinearImpl::reset() {
  check<ValueError>(options.in1_features() > 0,
                    "Bilinear: in1_features must be > 0, but got (in1_features=", options.in1_features(), ")");
  check<ValueError>(options.in2_features() >= 0 && options.out_features() >= 0,
                    "Bilinear: in2_features and out_features must not be negative, got ", options.in2_features(),
                    " and ", options.out_features());
  weight =
      register_parameter("weight", empty({options.out_features(), options.in1_features(), options.in2_features()}));
  bias = options.bias() ? register_parameter("bias", empty({options.out_features()}))
                        : register_parameter("bias", {}, false);
  reset_parameters();
}
void BilinearImpl::reset_parameters() {
  const double bound = 1 / std::sqrt(static_cast<double>(weight.size(1)));
  init::uniform_(weight, -bound, bound);
  if (bias.defined()) init::uniform_(bias, -bound, bound);
}
void BilinearImpl::pretty_print(std::ostream& stream) const {
  stream << "Bilinear(in1_features=" << options.in1_features() << ", in2_features=" << options.in2_features()
         << ", out_features=" << options.out_features() << ", bias=" << (options.bias() ? "True" : "False") << ')';
}
Tensor BilinearImpl::forward(const Tensor& input1, const Tensor& input2) {
  return F::bilinear(input1, input2, weight, bias);
}

// Written by tools/layers.py from src/nn/layers/linear.txt; do not edit.
// clang-format off
Tensor FlattenImpl::forward(const Tensor& input) { return input.flatten(options.start_dim(), options.end_dim()); }
void FlattenImpl::pretty_print(std::ostream& stream) const {
  stream << "Flatten(start_dim=" << shown(options.start_dim()) << ", end_dim=" << shown(options.end_dim()) << ')';
}

Tensor UnflattenImpl::forward(const Tensor& input) { return input.unflatten(options.dim(), options.sizes()); }
void UnflattenImpl::pretty_print(std::ostream& stream) const {
  stream << "Unflatten(dim=" << shown(options.dim()) << ", unflattened_size=" << shown(options.sizes()) << ')';
}
// clang-format on

}  // namespace taut::nn
