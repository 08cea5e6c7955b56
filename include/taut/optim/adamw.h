// Written by tools/optimizers.py from src/ops/formulas/optim/adamw.inc.
// clang-format off
#pragma once
#include "taut/optim/table_optimizer.h"

namespace taut::optim {

struct AdamWOptions : OptimizerCloneableOptions<AdamWOptions, TableOptions> {
  AdamWOptions(double lr = 1e-3) : lr_(lr) {}
  using betas_t = std::tuple<double, double>;
  TAUT_ARG(double, lr) = 1e-3;
  TAUT_ARG(betas_t, betas) = {0.9, 0.999};
  TAUT_ARG(double, eps) = 1e-8;
  TAUT_ARG(double, weight_decay) = 1e-2;
  TAUT_ARG(bool, amsgrad) = false;
  TAUT_ARG(bool, maximize) = false;
  TAUT_ARG(bool, differentiable) = false;  // records the step, so that it can be differentiated; not saved

 public:
  Fields fields() override {
    return {{"lr", &lr_},
            {"betas", &betas_},
            {"eps", &eps_},
            {"weight_decay", &weight_decay_},
            {"amsgrad", &amsgrad_},
            {"maximize", &maximize_},
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
            1.0};
  }
  const OptimizerInfo& info() const override {
    static const OptimizerInfo& row = find_optimizer("AdamW");
    return row;
  }
  bool records() const override { return differentiable_; }
};

struct AdamWParamState : OptimizerCloneableParamState<AdamWParamState, TableState> {
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

/// Adam with a weight decay that does not pass through the running means.
class AdamW : public TableOptimizerOf<AdamWOptions, AdamWParamState> {
 public:
  using TableOptimizerOf::TableOptimizerOf;
};

}  // namespace taut::optim
