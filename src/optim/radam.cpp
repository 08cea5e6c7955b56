#include "taut/optim/radam.h"

#include "optim/fused_step.h"

namespace taut::optim {

void RAdamOptions::check() const {
  check_lr(lr_);
  check_value("epsilon", eps_);
  check_betas(betas_);
  check_value("weight_decay", weight_decay_);
}
Fields RAdamOptions::fields() {
  return {{"lr", &lr_},
          {"betas", &betas_},
          {"eps", &eps_},
          {"weight_decay", &weight_decay_},
          {"decoupled_weight_decay", &decoupled_weight_decay_},
          {"maximize", &maximize_}};
}
Fields RAdamParamState::fields() { return {{"step", &step_}, {"exp_avg", &exp_avg_}, {"exp_avg_sq", &exp_avg_sq_}}; }

Tensor RAdam::step(LossClosure closure) {
  Tensor loss = evaluate(closure);
  fused_step(
      [](const RAdamOptions&, RAdamParamState& s, const Tensor& p, FusedParam& item) {
        if (!s.exp_avg().defined()) s.exp_avg(zeros_like(p)), s.exp_avg_sq(zeros_like(p));
        item.state = {&s.exp_avg(), &s.exp_avg_sq()};
        item.step = s.step() + 1;
      },
      [](const RAdamOptions& o, FusedParams items) {
        const auto [beta1, beta2] = o.betas();
        _fused_radam_(items, o.lr(), beta1, beta2, o.eps(), o.weight_decay(), o.decoupled_weight_decay(), o.maximize());
      },
      count_step);
  return loss;
}

}  // namespace taut::optim
