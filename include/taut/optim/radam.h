// Written by tools/optimizers.py from src/ops/formulas/optim/radam.inc.
// clang-format off
#pragma once
#include "taut/optim/table_optimizer.h"

namespace taut::optim {

struct RAdamOptions : OptimizerCloneableOptions<RAdamOptions, TableOptions> {
  RAdamOptions(double lr = 1e-3) : lr_(lr) {}
  using betas_t = std::tuple<double, double>;
  TAUT_ARG(double, lr) = 1e-3;
  TAUT_ARG(betas_t, betas) = {0.9, 0.999};
  TAUT_ARG(double, eps) = 1e-8;
  TAUT_ARG(double, weight_decay) = 0;
  TAUT_ARG(bool, decoupled_weight_decay) = false;
  TAUT_ARG(bool, maximize) = false;
  TAUT_ARG(bool, differentiable) = false;  // records the step, so that it can be differentiated; not saved

 public:
  Fields fields() override;
  OptionValues values() const override;
  const OptimizerInfo& info() const override;
  bool records() const override { return differentiable_; }
};

struct RAdamParamState : OptimizerCloneableParamState<RAdamParamState, TableState> {
  TAUT_STATE(int64_t, step, step_)
  TAUT_STATE(Tensor, exp_avg, states_[0])
  TAUT_STATE(Tensor, exp_avg_sq, states_[1])
  Fields fields() override;
};

/// Adam that trusts the mean of squares only as far as its variance allows.
class RAdam : public TableOptimizerOf<RAdamOptions, RAdamParamState> {
 public:
  using TableOptimizerOf::TableOptimizerOf;
};

extern template class OptimizerCloneableOptions<RAdamOptions, TableOptions>;
extern template class OptimizerCloneableParamState<RAdamParamState, TableState>;
extern template class TableOptimizerOf<RAdamOptions, RAdamParamState>;

}  // namespace taut::optim
