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
  Fields fields() override;
  OptionValues values() const override;
  const OptimizerInfo& info() const override;
  bool records() const override { return differentiable_; }
};

struct AdanParamState : OptimizerCloneableParamState<AdanParamState, TableState> {
  TAUT_STATE(int64_t, step, step_)
  TAUT_STATE(Tensor, exp_avg, states_[0])
  TAUT_STATE(Tensor, exp_avg_diff, states_[1])
  TAUT_STATE(Tensor, exp_avg_sq, states_[2])
  TAUT_STATE(Tensor, prev, states_[3])
  Fields fields() override;
};

/// Adan: Adam with a running mean of the changes of the gradient, by which it looks ahead.
class Adan : public TableOptimizerOf<AdanOptions, AdanParamState> {
 public:
  using TableOptimizerOf::TableOptimizerOf;
};

extern template class OptimizerCloneableOptions<AdanOptions, TableOptions>;
extern template class OptimizerCloneableParamState<AdanParamState, TableState>;
extern template class TableOptimizerOf<AdanOptions, AdanParamState>;

}  // namespace taut::optim
