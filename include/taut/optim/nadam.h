// Written by tools/optimizers.py from src/ops/formulas/optim/nadam.inc.
// clang-format off
#pragma once
#include "taut/optim/table_optimizer.h"

namespace taut::optim {

struct NAdamOptions : OptimizerCloneableOptions<NAdamOptions, TableOptions> {
  NAdamOptions(double lr = 2e-3) : lr_(lr) {}
  using betas_t = std::tuple<double, double>;
  TAUT_ARG(double, lr) = 2e-3;
  TAUT_ARG(betas_t, betas) = {0.9, 0.999};
  TAUT_ARG(double, eps) = 1e-8;
  TAUT_ARG(double, weight_decay) = 0;
  TAUT_ARG(double, momentum_decay) = 4e-3;
  TAUT_ARG(bool, decoupled_weight_decay) = false;
  TAUT_ARG(bool, maximize) = false;
  TAUT_ARG(bool, differentiable) = false;  // records the step, so that it can be differentiated; not saved

 public:
  Fields fields() override {
    return {{"lr", &lr_},
            {"betas", &betas_},
            {"eps", &eps_},
            {"weight_decay", &weight_decay_},
            {"momentum_decay", &momentum_decay_},
            {"decoupled_weight_decay", &decoupled_weight_decay_},
            {"maximize", &maximize_},
            {"differentiable", &differentiable_, true, true, false}};
  }
  OptionValues values() const override {
    return {lr_,
            std::get<0>(betas_),
            std::get<1>(betas_),
            eps_,
            weight_decay_,
            momentum_decay_,
            decoupled_weight_decay_ ? 1.0 : 0.0,
            maximize_ ? 1.0 : 0.0};
  }
  const OptimizerInfo& info() const override {
    static const OptimizerInfo& row = find_optimizer("NAdam");
    return row;
  }
  bool records() const override { return differentiable_; }
};

struct NAdamParamState : OptimizerCloneableParamState<NAdamParamState, TableState> {
  TAUT_STATE(int64_t, step, step_)
  TAUT_STATE(double, mu_product, scalars_[0])
  TAUT_STATE(Tensor, exp_avg, states_[0])
  TAUT_STATE(Tensor, exp_avg_sq, states_[1])
  Fields fields() override {
    return {{"step", &step_},
            {"mu_product", &scalars_[0]},
            {"exp_avg", &states_[0]},
            {"exp_avg_sq", &states_[1]}};
  }
};

/// Adam with Nesterov's momentum.
class NAdam : public TableOptimizerOf<NAdamOptions, NAdamParamState> {
 public:
  using TableOptimizerOf::TableOptimizerOf;
};

}  // namespace taut::optim
