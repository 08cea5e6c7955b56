#include "taut/nn/modules/normalization.h"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "nn/repr.h"
#include "taut/factories.h"
#include "taut/nn/functional/normalization.h"
#include "taut/nn/init.h"

namespace taut::nn {

namespace F = functional;
using detail::shown;

// Written by tools/layers.py from src/nn/layers/normalization.txt; do not edit.
// clang-format off
Tensor LocalResponseNormImpl::forward(const Tensor& input) { return F::local_response_norm(input, options); }
void LocalResponseNormImpl::pretty_print(std::ostream& stream) const {
  stream << "LocalResponseNorm(" << shown(options.size()) << ", alpha=" << shown(options.alpha())
         << ", beta=" << shown(options.beta()) << ", k=" << shown(options.k()) << ')';
}

void LayerNormImpl::reset() {
  if (options.normalized_shape().empty())
    throw ValueError(str("LayerNorm: Expected normalized_shape to be at least 1-dimensional, i.e., ",
                         "containing at least one element, but got normalized_shape = []"));
  if (!std::isfinite(options.eps())) throw ValueError(str("LayerNorm: eps must be finite, got ", shown(options.eps())));
  weight = options.elementwise_affine() ? register_parameter("weight", taut::empty(options.normalized_shape()))
                                        : register_parameter("weight", {}, false);
  bias = options.elementwise_affine() && options.bias()
          ? register_parameter("bias", taut::empty(options.normalized_shape()))
          : register_parameter("bias", {}, false);
  reset_parameters();
}
void LayerNormImpl::reset_parameters() {
  if (weight.defined()) init::ones_(weight);
  if (bias.defined()) init::zeros_(bias);
}
Tensor LayerNormImpl::forward(const Tensor& input) {
  return F::layer_norm(
      input, F::LayerNormFuncOptions(options.normalized_shape()).weight(weight).bias(bias).eps(options.eps()));
}
void LayerNormImpl::pretty_print(std::ostream& stream) const {
  stream << "LayerNorm(" << shown(options.normalized_shape()) << ", eps=" << shown(options.eps())
         << ", elementwise_affine=" << shown(options.elementwise_affine()) << ", bias=" << shown(bias.defined()) << ')';
}

void RMSNormImpl::reset() {
  if (options.normalized_shape().empty())
    throw ValueError(str("RMSNorm: Expected normalized_shape to be at least 1-dimensional, i.e., ",
                         "containing at least one element, but got normalized_shape = []"));
  if (!std::isfinite(options.eps().value_or(0)))
    throw ValueError(str("RMSNorm: eps must be finite, got ", shown(options.eps())));
  weight = options.elementwise_affine() ? register_parameter("weight", taut::empty(options.normalized_shape()))
                                        : register_parameter("weight", {}, false);
  reset_parameters();
}
void RMSNormImpl::reset_parameters() {
  if (weight.defined()) init::ones_(weight);
}
Tensor RMSNormImpl::forward(const Tensor& x) {
  return F::rms_norm(x, F::RMSNormFuncOptions(options.normalized_shape()).weight(weight).eps(options.eps()));
}
void RMSNormImpl::pretty_print(std::ostream& stream) const {
  stream << "RMSNorm(" << shown(options.normalized_shape()) << ", eps=" << shown(options.eps())
         << ", elementwise_affine=" << shown(options.elementwise_affine()) << ')';
}

void GroupNormImpl::reset() {
  if (options.num_groups() <= 0 || options.num_channels() < 0)
    throw ValueError(str("GroupNorm: num_groups must be positive and num_channels not negative, got ",
                         shown(options.num_groups()), " and ", shown(options.num_channels())));
  if (!std::isfinite(options.eps())) throw ValueError(str("GroupNorm: eps must be finite, got ", shown(options.eps())));
  if (options.num_channels() % options.num_groups() != 0)
    throw ValueError(str("num_channels (", shown(options.num_channels()), ") must be divisible by num_groups (",
                         shown(options.num_groups()), ")"));
  weight = options.affine() ? register_parameter("weight", empty({options.num_channels()}))
                            : register_parameter("weight", {}, false);
  bias = options.affine() && options.bias() ? register_parameter("bias", empty({options.num_channels()}))
                                            : register_parameter("bias", {}, false);
  reset_parameters();
}
void GroupNormImpl::reset_parameters() {
  if (weight.defined()) init::ones_(weight);
  if (bias.defined()) init::zeros_(bias);
}
Tensor GroupNormImpl::forward(const Tensor& input) {
  return F::group_norm(input,
                       F::GroupNormFuncOptions(options.num_groups()).weight(weight).bias(bias).eps(options.eps()));
}
void GroupNormImpl::pretty_print(std::ostream& stream) const {
  stream << "GroupNorm(" << shown(options.num_groups()) << ", " << shown(options.num_channels())
         << ", eps=" << shown(options.eps()) << ", affine=" << shown(options.affine())
         << ", bias=" << shown(bias.defined()) << ')';
}
// clang-format on

void CrossMapLRN2dImpl::pretty_print(std::ostream& stream) const {
  stream << "CrossMapLRN2d(" << options.size() << ", alpha=" << shown(options.alpha())
         << ", beta=" << shown(options.beta()) << ", k=" << options.k() << ')';
}
Tensor CrossMapLRN2dImpl::forward(const Tensor& input) {
  check(input.defined(), "CrossMapLRN2d: expected a tensor, got an undefined one");
  check<ValueError>(input.dim() == 4, "CrossMapLRN2d: Expected input to be 4D, got ", input.dim(), "D instead.");
  check(input.is_floating_point(), "CrossMapLRN2d: result type Float can't be cast to the desired output type ",
        toString(input.scalar_type()));
  check<ValueError>(options.size() > 0, "CrossMapLRN2d: size must be positive, got ", options.size());
  const int64_t channels = input.size(1), reach = (options.size() + 1) / 2;
  const Tensor square = input.pow(2);
  std::vector<Tensor> sums;
  for (int64_t c = 0; c < channels; ++c) {
    const int64_t low = std::max<int64_t>(0, c - reach + 1), high = std::min(channels, c + reach);
    Tensor sum = square.narrow(1, low, high - low).sum(1);
    if (c >= reach) sum = sum + square.select(1, 0);
    sums.push_back(sum);
  }
  if (sums.empty()) return input;
  const double share = options.alpha() / static_cast<double>(options.size());
  return input * (stack(sums, 1) * share + options.k()).pow(-options.beta());
}

}  // namespace taut::nn
