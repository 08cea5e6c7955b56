#include "taut/optim/sgd.h"

#include "optim/fused_step.h"

namespace taut::optim {

void SGDOptions::check() const {
  check_lr(lr_);
  check_value("momentum", momentum_);
  check_value("weight_decay", weight_decay_);
  taut::check<ValueError>(std::isfinite(dampening_), "Invalid dampening value: ", dampening_);
  taut::check<ValueError>(!nesterov_ || (momentum_ > 0 && dampening_ == 0),
                          "Nesterov momentum requires a momentum and zero dampening");
}
Fields SGDOptions::fields() {
  return {{"lr", &lr_},
          {"momentum", &momentum_},
          {"dampening", &dampening_},
          {"weight_decay", &weight_decay_},
          {"nesterov", &nesterov_},
          {"maximize", &maximize_}};
}
Fields SGDParamState::fields() { return {{"momentum_buffer", &momentum_buffer_, false}}; }

Tensor SGD::step(LossClosure closure) {
  Tensor loss = evaluate(closure);
  fused_step(
      [](const SGDOptions& o, SGDParamState& s, const Tensor& p, FusedParam& item) {
        if (o.momentum() == 0) return;
        item.step = s.momentum_buffer().defined() ? 2 : 1;
        if (item.step == 1) s.momentum_buffer(zeros_like(p));
        item.state = {&s.momentum_buffer()};
      },
      [](const SGDOptions& o, FusedParams items) {
        _fused_sgd_(items, o.weight_decay(), o.momentum(), o.lr(), o.dampening(), o.nesterov(), o.maximize());
      },
      [](const SGDOptions&, SGDParamState&, const FusedParam&) {});
  return loss;
}

}  // namespace taut::optim
