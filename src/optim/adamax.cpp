#include "taut/optim/adamax.h"

#include "optim/fused_step.h"

namespace taut::optim {

void AdamaxOptions::check() const {
  check_lr(lr_);
  check_value("epsilon", eps_);
  check_betas(betas_);
  check_value("weight_decay", weight_decay_);
}
Fields AdamaxOptions::fields() {
  return {{"lr", &lr_}, {"betas", &betas_}, {"eps", &eps_}, {"weight_decay", &weight_decay_}, {"maximize", &maximize_}};
}
Fields AdamaxParamState::fields() { return {{"step", &step_}, {"exp_avg", &exp_avg_}, {"exp_inf", &exp_inf_}}; }

Tensor Adamax::step(LossClosure closure) {
  Tensor loss = evaluate(closure);
  fused_step(
      [](const AdamaxOptions&, AdamaxParamState& s, const Tensor& p, FusedParam& item) {
        if (!s.exp_avg().defined()) s.exp_avg(zeros_like(p)), s.exp_inf(zeros_like(p));
        item.state = {&s.exp_avg(), &s.exp_inf()};
        item.step = s.step() + 1;
      },
      [](const AdamaxOptions& o, FusedParams items) {
        const auto [beta1, beta2] = o.betas();
        _fused_adamax_(items, o.lr(), beta1, beta2, o.eps(), o.weight_decay(), o.maximize());
      },
      count_step);
  return loss;
}

}  // namespace taut::optim
