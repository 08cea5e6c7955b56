// Written by tools/optimizers.py from src/ops/formulas/optim/adam.inc.
// clang-format off
#pragma once
#include "taut/optim/table_optimizer.h"

namespace taut::optim {

struct AdamOptions : OptimizerCloneableOptions<AdamOptions, TableOptions> {
  AdamOptions(double lr = 1e-3) : lr_(lr) {}
  using betas_t = std::tuple<double, double>;
  TAUT_ARG(double, lr) = 1e-3;
  TAUT_ARG(betas_t, betas) = {0.9, 0.999};
  TAUT_ARG(double, eps) = 1e-8;
  TAUT_ARG(double, weight_decay) = 0;
  TAUT_ARG(bool, amsgrad) = false;
  TAUT_ARG(bool, maximize) = false;
  TAUT_ARG(bool, decoupled_weight_decay) = false;
  TAUT_ARG(bool, differentiable) = false;  // records the step, so that it can be differentiated; not saved

 public:
  Fields fields() override {
    return {{"lr", &lr_},
            {"betas", &betas_},
            {"eps", &eps_},
            {"weight_decay", &weight_decay_},
            {"amsgrad", &amsgrad_},
            {"maximize", &maximize_},
            {"decoupled_weight_decay", &decoupled_weight_decay_},
            {"differentiable", &differentiable_, true, true, false}};
  }
  OptionValues values() const override {
    return {lr_,
            std::get<0>(betas_),
            std::get<1>(betas_),
            eps_,
            weight_decay_,
            amsgrad_ ? 1.0 : 0.0,
            maximize_ ? 1.0 : 0.0,
            decoupled_weight_decay_ ? 1.0 : 0.0};
  }
  const OptimizerInfo& info() const override {
    static const OptimizerInfo& row = find_optimizer("Adam");
    return row;
  }
  bool records() const override { return differentiable_; }
};

struct AdamParamState : OptimizerCloneableParamState<AdamParamState, TableState> {
  TAUT_STATE(int64_t, step, step_)
  TAUT_STATE(Tensor, exp_avg, states_[0])
  TAUT_STATE(Tensor, exp_avg_sq, states_[1])
  TAUT_STATE(Tensor, max_exp_avg_sq, states_[2])
  Fields fields() override {
    return {{"step", &step_},
            {"exp_avg", &states_[0]},
            {"exp_avg_sq", &states_[1]},
            {"max_exp_avg_sq", &states_[2], false}};
  }
};

/// Adam: steps scaled by running means of the gradients and of their squares.
class Adam : public TableOptimizerOf<AdamOptions, AdamParamState> {
 public:
  using TableOptimizerOf::TableOptimizerOf;
};

}  // namespace taut::optim
