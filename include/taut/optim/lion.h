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
  Fields fields() override;
  OptionValues values() const override;
  const OptimizerInfo& info() const override;
  bool records() const override { return differentiable_; }
};

struct LionParamState : OptimizerCloneableParamState<LionParamState, TableState> {
  TAUT_STATE(int64_t, step, step_)
  TAUT_STATE(Tensor, exp_avg, states_[0])
  Fields fields() override;
};

/// Lion: steps of one size along the sign of a mix of momentum and gradient.
class Lion : public TableOptimizerOf<LionOptions, LionParamState> {
 public:
  using TableOptimizerOf::TableOptimizerOf;
};

extern template class OptimizerCloneableOptions<LionOptions, TableOptions>;
extern template class OptimizerCloneableParamState<LionParamState, TableState>;
extern template class TableOptimizerOf<LionOptions, LionParamState>;

}  // namespace taut::optim
