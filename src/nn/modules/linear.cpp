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

namespace {
/// The largest of uniform numbers whose variance is 1 / (3 inputs).
double bound(const Tensor& weight) {
  const int64_t fan_in = weight.size(1);
  return fan_in > 0 ? 1 / std::sqrt(static_cast<double>(fan_in)) : 0;
}
}  // namespace

// Written by tools/layers.py from src/nn/layers/linear.txt; do not edit.
// clang-format off
void LinearImpl::reset() {
  if (options.in_features() < 0 || options.out_features() < 0)
    throw ValueError(str("Linear: in_features and out_features must not be negative, got ",
                         shown(options.in_features()), " and ", shown(options.out_features())));
  weight = register_parameter("weight", empty({options.out_features(), options.in_features()}));
  bias = options.bias() ? register_parameter("bias", empty({options.out_features()}))
                        : register_parameter("bias", {}, false);
  reset_parameters();
}
void LinearImpl::reset_parameters() {
  init::kaiming_uniform_(weight, std::sqrt(5));
  if (bias.defined()) init::uniform_(bias, -bound(weight), bound(weight));
}
Tensor LinearImpl::forward(const Tensor& input) { return F::linear(input, weight, bias); }
void LinearImpl::pretty_print(std::ostream& stream) const {
  stream << "Linear(in_features=" << shown(options.in_features()) << ", out_features=" << shown(options.out_features())
         << ", bias=" << shown(bias.defined()) << ')';
}

void BilinearImpl::reset() {
  if (options.in2_features() < 0 || options.out_features() < 0)
    throw ValueError(str("Bilinear: in2_features and out_features must not be negative, got ",
                         shown(options.in2_features()), " and ", shown(options.out_features())));
  if (options.in1_features() <= 0)
    throw ValueError(str("in1_features must be > 0, but got (in1_features=", shown(options.in1_features()), ")"));
  weight =
      register_parameter("weight", empty({options.out_features(), options.in1_features(), options.in2_features()}));
  bias = options.bias() ? register_parameter("bias", empty({options.out_features()}))
                        : register_parameter("bias", {}, false);
  reset_parameters();
}
void BilinearImpl::reset_parameters() {
  init::uniform_(weight, -bound(weight), bound(weight));
  if (bias.defined()) init::uniform_(bias, -bound(weight), bound(weight));
}
Tensor BilinearImpl::forward(const Tensor& input1, const Tensor& input2) {
  return F::bilinear(input1, input2, weight, bias);
}
void BilinearImpl::pretty_print(std::ostream& stream) const {
  stream << "Bilinear(in1_features=" << shown(options.in1_features())
         << ", in2_features=" << shown(options.in2_features()) << ", out_features=" << shown(options.out_features())
         << ", bias=" << shown(bias.defined()) << ')';
}

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
