#include "taut/nn/modules/batchnorm.h"

#include <cmath>
#include <ostream>

#include "nn/repr.h"
#include "taut/core/runtime.h"
#include "taut/factories.h"
#include "taut/nn/functional/normalization.h"
#include "taut/nn/init.h"

namespace taut::nn {

namespace F = functional;
using Py = detail::PythonFloat;

template <size_t D, class Derived, class DerivedOptions>
NormImplBase<D, Derived, DerivedOptions>::NormImplBase(const DerivedOptions& options_) : options(options_) {
  NormImplBase::reset();
}
template <size_t D, class Derived, class DerivedOptions>
void NormImplBase<D, Derived, DerivedOptions>::reset() {
  const int64_t n = options.num_features();
  check<ValueError>(n >= 0, this->name(), ": num_features must not be negative, got ", n);
  check<ValueError>(options.eps() >= 0 && std::isfinite(options.eps()), this->name(),
                    ": eps must be finite and not negative, got ", options.eps());
  const std::optional<double> momentum = options.momentum();
  check<ValueError>(!momentum || std::isfinite(*momentum), this->name(), ": momentum must be finite, got ",
                    momentum.value_or(0));
  const auto parameter = [&](const char* name, bool there) {
    return there ? this->register_parameter(name, empty({n})) : this->register_parameter(name, {}, false);
  };
  weight = parameter("weight", options.affine());
  bias = parameter("bias", options.affine() && options.bias());
  const bool track = options.track_running_stats();
  running_mean = this->register_buffer("running_mean", track ? zeros({n}) : Tensor());
  running_var = this->register_buffer("running_var", track ? ones({n}) : Tensor());
  num_batches_tracked = this->register_buffer("num_batches_tracked", track ? zeros({}, kLong) : Tensor());
  reset_parameters();
}
template <size_t D, class Derived, class DerivedOptions>
void NormImplBase<D, Derived, DerivedOptions>::reset_running_stats() {
  if (!options.track_running_stats()) return;
  running_mean.zero_();
  running_var.fill_(1);
  num_batches_tracked.zero_();
}
template <size_t D, class Derived, class DerivedOptions>
void NormImplBase<D, Derived, DerivedOptions>::reset_parameters() {
  reset_running_stats();
  if (weight.defined()) init::ones_(weight);
  if (bias.defined()) init::zeros_(bias);
}
template <size_t D, class Derived, class DerivedOptions>
void NormImplBase<D, Derived, DerivedOptions>::pretty_print(std::ostream& stream) const {
  const auto yes = [](bool b) { return b ? "True" : "False"; };
  const std::optional<double> momentum = options.momentum();
  stream << (std::is_same_v<DerivedOptions, BatchNormOptions> ? "BatchNorm" : "InstanceNorm") << D << "d("
         << options.num_features() << ", eps=" << Py{options.eps()} << ", momentum=";
  if (momentum) stream << Py{*momentum};
  else stream << "None";
  stream << ", affine=" << yes(options.affine()) << ", bias=" << yes(options.affine() && options.bias())
         << ", track_running_stats=" << yes(options.track_running_stats()) << ')';
}

template <size_t D, class Derived>
Tensor BatchNormImplBase<D, Derived>::forward(const Tensor& input) {
  const auto& options = this->options;
  check(input.defined(), this->name(), ": expected a tensor, got an undefined one");
  const auto dims = static_cast<size_t>(input.dim());
  check<ValueError>(dims == D + 2 || (D == 1 && dims == 2), this->name(), ": expected ",
                    D == 1 ? "2D or 3D" : str(D + 2, "D"), " input (got ", dims, "D input of shape ", input.sizes(),
                    ")");
  double factor = options.momentum().value_or(0);
  const bool batch_statistics = this->is_training() || !this->running_mean.defined();
  auto apply = [&] {
    return F::batch_norm(input, this->running_mean, this->running_var,
                         F::BatchNormFuncOptions()
                             .weight(this->weight)
                             .bias(this->bias)
                             .training(batch_statistics)
                             .momentum(factor)
                             .eps(options.eps()));
  };
  if (!this->is_training() || !this->num_batches_tracked.defined()) return apply();
  // The count moves with the statistics: only when the call succeeds.
  if (!options.momentum()) factor = 1.0 / (this->num_batches_tracked.template item<double>() + 1);
  Tensor y = apply();
  this->num_batches_tracked.add_(1);
  return y;
}

template <size_t D, class Derived>
Tensor InstanceNormImpl<D, Derived>::forward(const Tensor& input) {
  const auto& options = this->options;
  check(input.defined(), this->name(), ": expected a tensor, got an undefined one");
  const auto dims = static_cast<size_t>(input.dim());
  check<ValueError>(dims == D + 1 || dims == D + 2, this->name(), ": expected ", D + 1, "D or ", D + 2, "D input (got ",
                    dims, "D input of shape ", input.sizes(), ")");
  const int64_t at = dims == D + 1 ? 0 : 1;
  if (input.size(at) != options.num_features()) {
    check<ValueError>(!options.affine(), this->name(), ": expected input's size at dim=", at,
                      " to match num_features (", options.num_features(), "), but got: ", input.size(at), ".");
    if (!options.track_running_stats())
      warn(str("input's size at dim=", at,
               " does not match num_features. num_features is not used because "
               "affine=False"));
  }
  const Tensor y = F::instance_norm(dims == D + 1 ? input.unsqueeze(0) : input,
                                    F::InstanceNormFuncOptions()
                                        .running_mean(this->running_mean)
                                        .running_var(this->running_var)
                                        .weight(this->weight)
                                        .bias(this->bias)
                                        .use_input_stats(this->is_training() || !options.track_running_stats())
                                        .momentum(options.momentum())
                                        .eps(options.eps()));
  return dims == D + 1 ? y.squeeze(0) : y;
}

#define TAUT_NORMS(D)                                                          \
  template class NormImplBase<D, BatchNorm##D##dImpl, BatchNormOptions>;       \
  template class BatchNormImplBase<D, BatchNorm##D##dImpl>;                    \
  template class NormImplBase<D, InstanceNorm##D##dImpl, InstanceNormOptions>; \
  template class InstanceNormImpl<D, InstanceNorm##D##dImpl>;
TAUT_NORMS(1)
TAUT_NORMS(2)
TAUT_NORMS(3)
#undef TAUT_NORMS

}  // namespace taut::nn
