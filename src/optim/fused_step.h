// The step of an optimiser that has a fused op, and the checks of options.
#pragma once
#include <cmath>

#include "taut/autograd.h"
#include "taut/factories.h"
#include "taut/optim/optimizer.h"

namespace taut::optim {

template <class Options, class ParamState>
template <class Prepare, class Fused, class Done>
void OptimizerOf<Options, ParamState>::fused_step(Prepare prepare, Fused fused, Done done) {
  NoGradGuard no_grad;
  // All groups are looked at before the first is changed.
  for (const OptimizerParamGroup& group : param_groups_) {
    for (const Tensor& p : group.params()) {
      const Tensor& g = p.grad();
      if (!g.defined()) continue;
      check<ValueError>(g.sizes() == p.sizes(), "step: a gradient of shape ", g.sizes(), " for a parameter of shape ",
                        p.sizes());
      check<TypeError>(g.scalar_type() == p.scalar_type(), "step: a gradient of ", g.scalar_type(),
                       " for a parameter of ", p.scalar_type());
    }
  }
  for (const OptimizerParamGroup& group : param_groups_) {
    const Options& o = options(group);
    items_.clear();
    states_.clear();
    for (const Tensor& p : group.params()) {
      const Tensor& g = p.grad();
      if (!g.defined()) continue;
      ParamState& s = state_of(p);
      FusedParam item;
      item.param = &p, item.grad = &g;
      prepare(o, s, p, item);
      items_.push_back(item);
      states_.push_back(&s);
    }
    fused(o, FusedParams(items_));
    for (size_t i = 0; i < items_.size(); ++i) done(o, *states_[i], items_[i]);
  }
}

/// Most optimisers only count.
constexpr auto count_step = [](const auto&, auto& state, const FusedParam& item) { state.step(item.step); };

inline void check_lr(double lr) { check<ValueError>(lr >= 0 && std::isfinite(lr), "Invalid learning rate: ", lr); }
/// A value that must not be negative: "Invalid momentum value: -1".
inline void check_value(const char* name, double v) {
  check<ValueError>(v >= 0 && std::isfinite(v), "Invalid ", name, " value: ", v);
}
inline void check_betas(const std::tuple<double, double>& betas) {
  const auto [a, b] = betas;
  check<ValueError>(a >= 0 && a < 1, "Invalid beta parameter at index 0: ", a);
  check<ValueError>(b >= 0 && b < 1, "Invalid beta parameter at index 1: ", b);
}

}  // namespace taut::optim
