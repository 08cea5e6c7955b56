// Written by tools/optimizers.py from src/ops/formulas/optim/adan.inc.
// clang-format off
#pragma once
#include "taut/optim/table_optimizer.h"

namespace taut::optim {

struct AdanOptions : OptimizerCloneableOptions<AdanOptions, TableOptions> {
  AdanOptions(double lr = 1e-3) : lr_(lr) {}
  using betas_t = std::tuple<double, double, double>;
  TAUT_ARG(double, lr) = 1e-3;
  TAUT_ARG(betas_t, betas) = {0.98, 0.92, 0.99};
  TAUT_ARG(double, eps) = 1e-8;
  TAUT_ARG(double, weight_decay) = 0;
  TAUT_ARG(bool, maximize) = false;
  TAUT_ARG(bool, differentiable) = false;  // records the step, so that it can be differentiated; not saved

 public:
  Fields fields() override {
    return {{"lr", &lr_},
            {"betas", &betas_},
            {"eps", &eps_},
            {"weight_decay", &weight_decay_},
            {"maximize", &maximize_},
            {"differentiable", &differentiable_, true, true, false}};
  }
  OptionValues values() const override {
    return {lr_,
            std::get<0>(betas_),
            std::get<1>(betas_),
            std::get<2>(betas_),
            eps_,
            weight_decay_,
            maximize_ ? 1.0 : 0.0};
  }
  const OptimizerInfo& info() const override {
    static const OptimizerInfo& row = find_optimizer("Adan");
    return row;
  }
  bool records() const override { return differentiable_; }
};

struct AdanParamState : OptimizerCloneableParamState<AdanParamState, TableState> {
  TAUT_STATE(int64_t, step, step_)
  TAUT_STATE(Tensor, exp_avg, states_[0])
  TAUT_STATE(Tensor, exp_avg_diff, states_[1])
  TAUT_STATE(Tensor, exp_avg_sq, states_[2])
  TAUT_STATE(Tensor, prev, states_[3])
  Fields fields() override {
    return {{"step", &step_},
            {"exp_avg", &states_[0]},
            {"exp_avg_diff", &states_[1]},
            {"exp_avg_sq", &states_[2]},
            {"prev", &states_[3]}};
  }
};

/// Adan: Adam with a running mean of the changes of the gradient, by which it looks ahead.
class Adan : public TableOptimizerOf<AdanOptions, AdanParamState> {
 public:
  using TableOptimizerOf::TableOptimizerOf;
};

}  // namespace taut::optim
