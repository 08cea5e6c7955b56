// The step of an optimiser that has a fused op, and the checks of options.
#pragma once
#include <cmath>

#include "taut/autograd.h"
#include "taut/factories.h"
#include "taut/optim/optimizer.h"

namespace taut::optim {

inline void check_grad(const Tensor& p, const Tensor& g) {
  check<ValueError>(g.sizes() == p.sizes(), "step: a gradient of shape ", g.sizes(), " for a parameter of shape ",
                    p.sizes());
  check<TypeError>(g.scalar_type() == p.scalar_type(), "step: a gradient of ", g.scalar_type(), " for a parameter of ",
                   p.scalar_type());
}

template <class Options, class ParamState>
template <class Prepare, class Fused, class Done>
void OptimizerOf<Options, ParamState>::fused_step(Prepare prepare, Fused fused, Done done) {
  NoGradGuard no_grad;
  // The op checks a group before it changes it; with several, all are looked at before the first is changed.
  if (param_groups_.size() > 1)
    for (const OptimizerParamGroup& group : param_groups_)
      for (const Tensor& p : group.params())
        if (p.grad().defined()) check_grad(p, p.grad());
  for (const OptimizerParamGroup& group : param_groups_) {
    const Options& o = options(group);
    items_.clear();
    states_.clear();
    for (const Tensor& p : group.params()) {
      const Tensor& g = p.grad();
      if (!g.defined()) continue;
      auto& slot = state_[p.impl()];
      if (!slot) {
        check_grad(p, g);
        slot = std::make_unique<ParamState>();
      }
      auto& s = static_cast<ParamState&>(*slot);
      FusedParam& item = items_.emplace_back();
      item.param = &p, item.grad = &g;
      prepare(o, s, p, item);
      states_.push_back(&s);
    }
    fused(o, FusedParams(items_));
    for (size_t i = 0; i < items_.size(); ++i) done(o, *states_[i], items_[i]);
  }
  end_step();
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
