// Written by tools/optimizers.py from src/ops/formulas/optim/rmsprop.inc.
// clang-format off
#pragma once
#include "taut/optim/table_optimizer.h"

namespace taut::optim {

struct RMSpropOptions : OptimizerCloneableOptions<RMSpropOptions, TableOptions> {
  RMSpropOptions(double lr = 1e-2) : lr_(lr) {}
  TAUT_ARG(double, lr) = 1e-2;
  TAUT_ARG(double, alpha) = 0.99;
  TAUT_ARG(double, eps) = 1e-8;
  TAUT_ARG(double, weight_decay) = 0;
  TAUT_ARG(double, momentum) = 0;
  TAUT_ARG(bool, centered) = false;
  TAUT_ARG(bool, maximize) = false;
  TAUT_ARG(bool, differentiable) = false;  // records the step, so that it can be differentiated; not saved

 public:
  Fields fields() override {
    return {{"lr", &lr_},
            {"alpha", &alpha_},
            {"eps", &eps_},
            {"weight_decay", &weight_decay_},
            {"momentum", &momentum_},
            {"centered", &centered_},
            {"maximize", &maximize_},
            {"differentiable", &differentiable_, true, true, false}};
  }
  OptionValues values() const override {
    return {lr_,
            alpha_,
            eps_,
            weight_decay_,
            momentum_,
            centered_ ? 1.0 : 0.0,
            maximize_ ? 1.0 : 0.0};
  }
  const OptimizerInfo& info() const override {
    static const OptimizerInfo& row = find_optimizer("RMSprop");
    return row;
  }
  bool records() const override { return differentiable_; }
};

struct RMSpropParamState : OptimizerCloneableParamState<RMSpropParamState, TableState> {
  TAUT_STATE(int64_t, step, step_)
  TAUT_STATE(Tensor, square_avg, states_[0])
  TAUT_STATE(Tensor, momentum_buffer, states_[1])
  TAUT_STATE(Tensor, grad_avg, states_[2])
  Fields fields() override {
    return {{"step", &step_},
            {"square_avg", &states_[0]},
            {"momentum_buffer", &states_[1], false},
            {"grad_avg", &states_[2], false}};
  }
};

/// RMSprop: steps divided by the root of a running mean of squared gradients.
class RMSprop : public TableOptimizerOf<RMSpropOptions, RMSpropParamState> {
 public:
  using TableOptimizerOf::TableOptimizerOf;
};

}  // namespace taut::optim
