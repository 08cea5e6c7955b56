#include "taut/nn/modules/normalization.h"

#include <algorithm>
#include <cmath>
#include <ostream>

#include "nn/repr.h"
#include "nn/tuple.h"
#include "taut/factories.h"
#include "taut/nn/functional/normalization.h"
#include "taut/nn/init.h"

namespace taut::nn {

namespace F = functional;
using Py = detail::PythonFloat;

namespace {

void check_shape(const std::vector<int64_t>& shape, const char* name) {
  check<ValueError>(!shape.empty(), name,
                    ": Expected normalized_shape to be at least 1-dimensional, i.e., containing "
                    "at least one element, but got normalized_shape = []");
  for (int64_t n : shape)
    check<ValueError>(n >= 0, name, ": normalized_shape must not be negative, got ", IntArrayRef(shape));
}
void check_eps(double eps, const char* name) {
  check<ValueError>(std::isfinite(eps), name, ": eps must be finite, got ", eps);
}
const char* yes(bool b) { return b ? "True" : "False"; }

}  // namespace

LayerNormImpl::LayerNormImpl(LayerNormOptions options_) : options(std::move(options_)) { LayerNormImpl::reset(); }
void LayerNormImpl::reset() {
  check_shape(options.normalized_shape(), "LayerNorm");
  check_eps(options.eps(), "LayerNorm");
  const bool affine = options.elementwise_affine();
  weight = affine ? register_parameter("weight", taut::empty(options.normalized_shape()))
                  : register_parameter("weight", {}, false);
  bias = affine && options.bias() ? register_parameter("bias", taut::empty(options.normalized_shape()))
                                  : register_parameter("bias", {}, false);
  reset_parameters();
}
void LayerNormImpl::reset_parameters() {
  if (weight.defined()) init::ones_(weight);
  if (bias.defined()) init::zeros_(bias);
}
void LayerNormImpl::pretty_print(std::ostream& stream) const {
  stream << "LayerNorm(";
  detail::print_tuple(stream, options.normalized_shape())
      << ", eps=" << Py{options.eps()} << ", elementwise_affine=" << yes(options.elementwise_affine())
      << ", bias=" << yes(bias.defined()) << ')';
}
Tensor LayerNormImpl::forward(const Tensor& input) {
  return F::layer_norm(
      input, F::LayerNormFuncOptions(options.normalized_shape()).weight(weight).bias(bias).eps(options.eps()));
}

RMSNormImpl::RMSNormImpl(RMSNormOptions options_) : options(std::move(options_)) { RMSNormImpl::reset(); }
void RMSNormImpl::reset() {
  check_shape(options.normalized_shape(), "RMSNorm");
  check_eps(options.eps().value_or(0), "RMSNorm");
  weight = options.elementwise_affine() ? register_parameter("weight", taut::empty(options.normalized_shape()))
                                        : register_parameter("weight", {}, false);
  reset_parameters();
}
void RMSNormImpl::reset_parameters() {
  if (weight.defined()) init::ones_(weight);
}
void RMSNormImpl::pretty_print(std::ostream& stream) const {
  stream << "RMSNorm(";
  detail::print_tuple(stream, options.normalized_shape()) << ", eps=";
  if (options.eps()) stream << Py{*options.eps()};
  else stream << "None";
  stream << ", elementwise_affine=" << yes(options.elementwise_affine()) << ')';
}
Tensor RMSNormImpl::forward(const Tensor& input) {
  return F::rms_norm(input, F::RMSNormFuncOptions(options.normalized_shape()).weight(weight).eps(options.eps()));
}

GroupNormImpl::GroupNormImpl(const GroupNormOptions& options_) : options(options_) { GroupNormImpl::reset(); }
void GroupNormImpl::reset() {
  const int64_t groups = options.num_groups(), channels = options.num_channels();
  check<ValueError>(groups > 0 && channels >= 0,
                    "GroupNorm: num_groups must be positive and num_channels not negative, "
                    "got ",
                    groups, " and ", channels);
  check<ValueError>(channels % groups == 0, "GroupNorm: num_channels (", channels,
                    ") must be divisible by num_groups (", groups, ")");
  check_eps(options.eps(), "GroupNorm");
  weight = options.affine() ? register_parameter("weight", empty({channels})) : register_parameter("weight", {}, false);
  bias = options.affine() && options.bias() ? register_parameter("bias", empty({channels}))
                                            : register_parameter("bias", {}, false);
  reset_parameters();
}
void GroupNormImpl::reset_parameters() {
  if (weight.defined()) init::ones_(weight);
  if (bias.defined()) init::zeros_(bias);
}
void GroupNormImpl::pretty_print(std::ostream& stream) const {
  stream << "GroupNorm(" << options.num_groups() << ", " << options.num_channels() << ", eps=" << Py{options.eps()}
         << ", affine=" << yes(options.affine()) << ", bias=" << yes(bias.defined()) << ')';
}
Tensor GroupNormImpl::forward(const Tensor& input) {
  return F::group_norm(input,
                       F::GroupNormFuncOptions(options.num_groups()).weight(weight).bias(bias).eps(options.eps()));
}

void LocalResponseNormImpl::pretty_print(std::ostream& stream) const {
  stream << "LocalResponseNorm(" << options.size() << ", alpha=" << Py{options.alpha()}
         << ", beta=" << Py{options.beta()} << ", k=" << Py{options.k()} << ')';
}
Tensor LocalResponseNormImpl::forward(const Tensor& input) { return F::local_response_norm(input, options); }

void CrossMapLRN2dImpl::pretty_print(std::ostream& stream) const {
  stream << "CrossMapLRN2d(" << options.size() << ", alpha=" << Py{options.alpha()} << ", beta=" << Py{options.beta()}
         << ", k=" << options.k() << ')';
}
Tensor CrossMapLRN2dImpl::forward(const Tensor& input) {
  check(input.defined(), "CrossMapLRN2d: expected a tensor, got an undefined one");
  check<ValueError>(input.dim() == 4, "CrossMapLRN2d: Expected input to be 4D, got ", input.dim(), "D instead.");
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
