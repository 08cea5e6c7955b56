#include "taut/optim/rmsprop.h"

#include "optim/fused_step.h"

namespace taut::optim {

void RMSpropOptions::check() const {
  check_lr(lr_);
  check_value("epsilon", eps_);
  check_value("momentum", momentum_);
  check_value("weight_decay", weight_decay_);
  check_value("alpha", alpha_);
}
Fields RMSpropOptions::fields() {
  return {{"lr", &lr_},
          {"alpha", &alpha_},
          {"eps", &eps_},
          {"weight_decay", &weight_decay_},
          {"momentum", &momentum_},
          {"centered", &centered_},
          {"maximize", &maximize_}};
}
Fields RMSpropParamState::fields() {
  return {{"step", &step_},
          {"square_avg", &square_avg_},
          {"momentum_buffer", &momentum_buffer_, false},
          {"grad_avg", &grad_avg_, false}};
}

Tensor RMSprop::step(LossClosure closure) {
  Tensor loss = evaluate(closure);
  fused_step(
      [](const RMSpropOptions& o, RMSpropParamState& s, const Tensor& p, FusedParam& item) {
        if (!s.square_avg().defined()) s.square_avg(zeros_like(p));
        if (o.centered() && !s.grad_avg().defined()) s.grad_avg(zeros_like(p));
        if (o.momentum() > 0 && !s.momentum_buffer().defined()) s.momentum_buffer(zeros_like(p));
        if (o.centered()) item.state = {&s.square_avg(), &s.grad_avg(), &s.momentum_buffer()};
        else item.state = {&s.square_avg(), &s.momentum_buffer()};
        item.step = s.step() + 1;
      },
      [](const RMSpropOptions& o, FusedParams items) {
        _fused_rmsprop_(items, o.lr(), o.alpha(), o.eps(), o.weight_decay(), o.momentum(), o.centered(), o.maximize());
      },
      count_step);
  return loss;
}

}  // namespace taut::optim
