// GradScaler: what it remembers of each optimiser, and how the scale goes up and down.
#include "taut/amp.h"

#include <cmath>

#include "taut/autograd.h"
#include "taut/core/assertion_error.h"
#include "taut/factories.h"
#include "taut/ops.h"

namespace taut::amp {
namespace {

uintptr_t key_of(const optim::Optimizer& optimizer) { return reinterpret_cast<uintptr_t>(&optimizer); }
std::vector<Tensor> gradients(const optim::Optimizer& optimizer) {
  std::vector<Tensor> grads;
  for (const auto& group : optimizer.param_groups())
    for (const Tensor& p : group.params())
      if (Tensor g = p.grad(); g.defined()) grads.push_back(g);
  return grads;
}

constexpr const char *kScale = "scale", *kGrowth = "growth_factor", *kBackoff = "backoff_factor",
                     *kInterval = "growth_interval", *kTracker = "_growth_tracker";

}  // namespace

GradScaler::GradScaler(const GradScalerOptions& options)
    : options_(options), scale_(static_cast<float>(options.init_scale())) {
  if (!is_enabled()) return;
  check<AssertionError>(options.growth_factor() > 1, "The growth factor must be > 1.0.");
  check<AssertionError>(options.backoff_factor() < 1, "The backoff factor must be < 1.0.");
}

void GradScaler::check_scaled(const char* method) const {
  check<AssertionError>(started_, "Attempted ", method,
                        " but _scale is None.  This may indicate your script did not use scaler.scale(loss or outputs) "
                        "earlier in the iteration.");
}

Tensor GradScaler::scale(const Tensor& outputs) {
  if (!is_enabled()) return outputs;
  started_ = true;
  return outputs * static_cast<double>(scale_);
}
std::vector<Tensor> GradScaler::scale(const std::vector<Tensor>& outputs) {
  std::vector<Tensor> scaled;
  for (const Tensor& t : outputs) scaled.push_back(scale(t));
  return scaled;
}

void GradScaler::unscale_(uintptr_t key, const std::vector<Tensor>& grads) {
  check_scaled("unscale_");
  Seen& seen = optimizers_[key];
  check(!seen.stepped, "unscale_() is being called after step().");
  check(!seen.unscaled, "unscale_() has already been called on this optimizer since the last update().");
  for (const Tensor& g : grads) check<ValueError>(g.scalar_type() != kHalf, "Attempting to unscale FP16 gradients.");
  const NoGradGuard no_grad;
  const auto factor = static_cast<double>(static_cast<float>(1 / static_cast<double>(scale_)));
  for (const Tensor& g : grads) {
    const bool finite = isfinite(g).all().item<bool>();
    seen.found_inf = seen.found_inf.value_or(false) || !finite;
    g.detach().mul_(factor);
  }
  seen.unscaled = true;
}
void GradScaler::unscale_(optim::Optimizer& optimizer) {
  if (is_enabled()) unscale_(key_of(optimizer), gradients(optimizer));
}

bool GradScaler::begin_step(uintptr_t key, const std::vector<Tensor>& grads) {
  check_scaled("step");
  check(!optimizers_[key].stepped, "step() has already been called since the last update().");
  if (!optimizers_[key].unscaled) unscale_(key, grads);
  Seen& seen = optimizers_[key];
  check<AssertionError>(seen.found_inf.has_value(), "No inf checks were recorded for this optimizer.");
  seen.stepped = true;
  return !*seen.found_inf;
}
void GradScaler::step(optim::Optimizer& optimizer) {
  if (!is_enabled() || begin_step(key_of(optimizer), gradients(optimizer))) optimizer.step();
}

void GradScaler::update() {
  if (!is_enabled()) return;
  check_scaled("update");
  bool recorded = false, found = false;
  for (const auto& [key, seen] : optimizers_) {
    recorded |= seen.found_inf.has_value();
    found |= seen.found_inf.value_or(false);
  }
  check<AssertionError>(recorded, "No inf checks were recorded prior to update.");
  if (found) {
    scale_ = static_cast<float>(scale_ * get_backoff_factor());
    growth_tracker_ = 0;
  } else if (++growth_tracker_ == get_growth_interval()) {
    const auto larger = static_cast<float>(scale_ * get_growth_factor());
    if (std::isfinite(larger)) scale_ = larger;
    growth_tracker_ = 0;
  }
  optimizers_.clear();
}
void GradScaler::update(double new_scale) {
  if (!is_enabled()) return;
  check_scaled("update");
  scale_ = static_cast<float>(new_scale);
  optimizers_.clear();
}

optim::StateDict GradScaler::state_dict() const {
  optim::StateDict dict;
  if (!is_enabled()) return dict;
  dict.insert(kScale, tensor(get_scale(), kDouble));
  dict.insert(kGrowth, tensor(get_growth_factor(), kDouble));
  dict.insert(kBackoff, tensor(get_backoff_factor(), kDouble));
  dict.insert(kInterval, tensor(get_growth_interval(), kLong));
  dict.insert(kTracker, tensor(growth_tracker_, kLong));
  return dict;
}
void GradScaler::load_state_dict(const optim::StateDict& dict) {
  if (!is_enabled()) return;
  check(!dict.empty(),
        "The source state dict is empty, possibly because it was saved from a disabled instance of GradScaler.");
  load(dict[kScale].item<double>(), dict[kGrowth].item<double>(), dict[kBackoff].item<double>(),
       dict[kInterval].item<int64_t>(), dict[kTracker].item<int64_t>());
}
void GradScaler::load(double scale, double growth_factor, double backoff_factor, int64_t growth_interval,
                      int64_t growth_tracker) {
  scale_ = static_cast<float>(scale);
  growth_tracker_ = growth_tracker;
  options_.growth_factor(growth_factor).backoff_factor(backoff_factor).growth_interval(growth_interval);
}

}  // namespace taut::amp
