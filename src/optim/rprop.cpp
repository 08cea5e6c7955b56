#include "taut/optim/rprop.h"

#include "optim/fused_step.h"

namespace taut::optim {

void RpropOptions::check() const {
  check_lr(lr_);
  const auto [low, high] = etas_;
  taut::check<ValueError>(low > 0 && low < 1 && high > 1 && std::isfinite(high), "Invalid eta values: ", low, ", ",
                          high);
  const auto [min, max] = step_sizes_;
  taut::check<ValueError>(min >= 0 && min <= max, "Invalid step sizes: ", min, ", ", max,
                          "; the first should be at least 0 and at most the second");
}
Fields RpropOptions::fields() {
  return {{"lr", &lr_}, {"etas", &etas_}, {"step_sizes", &step_sizes_}, {"maximize", &maximize_}};
}
Fields RpropParamState::fields() { return {{"step", &step_}, {"prev", &prev_}, {"step_size", &step_size_}}; }

Tensor Rprop::step(LossClosure closure) {
  Tensor loss = evaluate(closure);
  fused_step(
      [](const RpropOptions& o, RpropParamState& s, const Tensor& p, FusedParam& item) {
        if (!s.prev().defined()) s.prev(zeros_like(p)), s.step_size(full_like(p, o.lr()));
        item.state = {&s.prev(), &s.step_size()};
        item.step = s.step() + 1;
      },
      [](const RpropOptions& o, FusedParams items) {
        const auto [low, high] = o.etas();
        const auto [min, max] = o.step_sizes();
        _fused_rprop_(items, low, high, min, max, o.maximize());
      },
      count_step);
  return loss;
}

}  // namespace taut::optim
