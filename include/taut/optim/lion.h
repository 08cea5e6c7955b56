// Written by tools/optimizers.py from src/ops/formulas/optim/lion.inc.
// clang-format off
#pragma once
#include "taut/optim/table_optimizer.h"

namespace taut::optim {

struct LionOptions : OptimizerCloneableOptions<LionOptions, TableOptions> {
  LionOptions(double lr = 1e-4) : lr_(lr) {}
  using betas_t = std::tuple<double, double>;
  TAUT_ARG(double, lr) = 1e-4;
  TAUT_ARG(betas_t, betas) = {0.9, 0.99};
  TAUT_ARG(double, weight_decay) = 0;
  TAUT_ARG(bool, maximize) = false;
  TAUT_ARG(bool, differentiable) = false;  // records the step, so that it can be differentiated; not saved

 public:
  Fields fields() override {
    return {{"lr", &lr_},
            {"betas", &betas_},
            {"weight_decay", &weight_decay_},
            {"maximize", &maximize_},
            {"differentiable", &differentiable_, true, true, false}};
  }
  OptionValues values() const override {
    return {lr_,
            std::get<0>(betas_),
            std::get<1>(betas_),
            weight_decay_,
            maximize_ ? 1.0 : 0.0};
  }
  const OptimizerInfo& info() const override {
    static const OptimizerInfo& row = find_optimizer("Lion");
    return row;
  }
  bool records() const override { return differentiable_; }
};

struct LionParamState : OptimizerCloneableParamState<LionParamState, TableState> {
  TAUT_STATE(int64_t, step, step_)
  TAUT_STATE(Tensor, exp_avg, states_[0])
  Fields fields() override { return {{"step", &step_}, {"exp_avg", &states_[0]}}; }
};

/// Lion: steps of one size along the sign of a mix of momentum and gradient.
class Lion : public TableOptimizerOf<LionOptions, LionParamState> {
 public:
  using TableOptimizerOf::TableOptimizerOf;
};

}  // namespace taut::optim
