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
  Fields fields() override;
  OptionValues values() const override;
  const OptimizerInfo& info() const override;
  bool records() const override { return differentiable_; }
};

struct AdamParamState : OptimizerCloneableParamState<AdamParamState, TableState> {
  TAUT_STATE(int64_t, step, step_)
  TAUT_STATE(Tensor, exp_avg, states_[0])
  TAUT_STATE(Tensor, exp_avg_sq, states_[1])
  TAUT_STATE(Tensor, max_exp_avg_sq, states_[2])
  Fields fields() override;
};

/// Adam: steps scaled by running means of the gradients and of their squares.
class Adam : public TableOptimizerOf<AdamOptions, AdamParamState> {
 public:
  using TableOptimizerOf::TableOptimizerOf;
};

extern template class OptimizerCloneableOptions<AdamOptions, TableOptions>;
extern template class OptimizerCloneableParamState<AdamParamState, TableState>;
extern template class TableOptimizerOf<AdamOptions, AdamParamState>;

}  // namespace taut::optim
