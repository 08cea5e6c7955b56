#include "taut/optim/adagrad.h"

#include "optim/fused_step.h"

namespace taut::optim {

void AdagradOptions::check() const {
  check_lr(lr_);
  check_value("lr_decay", lr_decay_);
  check_value("weight_decay", weight_decay_);
  check_value("initial_accumulator_value", initial_accumulator_value_);
  check_value("epsilon", eps_);
}
Fields AdagradOptions::fields() {
  return {{"lr", &lr_},
          {"lr_decay", &lr_decay_},
          {"weight_decay", &weight_decay_},
          {"initial_accumulator_value", &initial_accumulator_value_},
          {"eps", &eps_},
          {"maximize", &maximize_}};
}
Fields AdagradParamState::fields() { return {{"step", &step_}, {"sum", &sum_}}; }

Tensor Adagrad::step(LossClosure closure) {
  Tensor loss = evaluate(closure);
  fused_step(
      [](const AdagradOptions& o, AdagradParamState& s, const Tensor& p, FusedParam& item) {
        if (!s.sum().defined()) s.sum(full_like(p, o.initial_accumulator_value()));
        item.state = {&s.sum()};
        item.step = s.step() + 1;
      },
      [](const AdagradOptions& o, FusedParams items) {
        _fused_adagrad_(items, o.lr(), o.lr_decay(), o.weight_decay(), o.eps(), o.maximize());
      },
      count_step);
  return loss;
}

}  // namespace taut::optim
