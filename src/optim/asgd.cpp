#include "taut/optim/asgd.h"

#include "optim/fused_step.h"
#include "taut/core/maths.h"

namespace taut::optim {

void ASGDOptions::check() const {
  check_lr(lr_);
  check_value("weight_decay", weight_decay_);
  taut::check<ValueError>(std::isfinite(lambd_), "Invalid lambd value: ", lambd_);
  taut::check<ValueError>(std::isfinite(alpha_), "Invalid alpha value: ", alpha_);
  taut::check<ValueError>(!std::isnan(t0_), "Invalid t0 value: ", t0_);
}
Fields ASGDOptions::fields() {
  return {{"lr", &lr_},
          {"lambd", &lambd_},
          {"alpha", &alpha_},
          {"t0", &t0_},
          {"weight_decay", &weight_decay_},
          {"maximize", &maximize_}};
}
Fields ASGDParamState::fields() { return {{"step", &step_}, {"eta", &eta_}, {"mu", &mu_}, {"ax", &ax_}}; }

Tensor ASGD::step(LossClosure closure) {
  Tensor loss = evaluate(closure);
  fused_step(
      [](const ASGDOptions& o, ASGDParamState& s, const Tensor& p, FusedParam& item) {
        if (!s.ax().defined()) s.ax(zeros_like(p)).eta(o.lr()).mu(1);
        item.state = {&s.ax()};
        item.step = s.step() + 1;
        item.eta = s.eta(), item.mu = s.mu();
      },
      [](const ASGDOptions& o, FusedParams items) { _fused_asgd_(items, o.lambd(), o.weight_decay(), o.maximize()); },
      [](const ASGDOptions& o, ASGDParamState& s, const FusedParam& item) {
        const double step = static_cast<double>(item.step);
        s.step(item.step);
        s.eta(o.lr() / maths::pow(1 + o.lambd() * o.lr() * step, o.alpha()));
        s.mu(1 / std::max(1.0, step - o.t0()));
      });
  return loss;
}

}  // namespace taut::optim
