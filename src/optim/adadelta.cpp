#include "taut/optim/adadelta.h"

#include "optim/fused_step.h"

namespace taut::optim {

void AdadeltaOptions::check() const {
  check_lr(lr_);
  taut::check<ValueError>(rho_ >= 0 && rho_ <= 1, "Invalid rho value: ", rho_);
  check_value("epsilon", eps_);
  check_value("weight_decay", weight_decay_);
}
Fields AdadeltaOptions::fields() {
  return {{"lr", &lr_}, {"rho", &rho_}, {"eps", &eps_}, {"weight_decay", &weight_decay_}, {"maximize", &maximize_}};
}
Fields AdadeltaParamState::fields() {
  return {{"step", &step_}, {"square_avg", &square_avg_}, {"acc_delta", &acc_delta_}};
}

Tensor Adadelta::step(LossClosure closure) {
  Tensor loss = evaluate(closure);
  fused_step(
      [](const AdadeltaOptions&, AdadeltaParamState& s, const Tensor& p, FusedParam& item) {
        if (!s.square_avg().defined()) s.square_avg(zeros_like(p)), s.acc_delta(zeros_like(p));
        item.state = {&s.square_avg(), &s.acc_delta()};
        item.step = s.step() + 1;
      },
      [](const AdadeltaOptions& o, FusedParams items) {
        _fused_adadelta_(items, o.lr(), o.rho(), o.eps(), o.weight_decay(), o.maximize());
      },
      count_step);
  return loss;
}

}  // namespace taut::optim
