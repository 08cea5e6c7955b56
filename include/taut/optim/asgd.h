// Written by tools/optimizers.py from src/ops/formulas/optim/asgd.inc.
// clang-format off
#pragma once
#include "taut/optim/table_optimizer.h"

namespace taut::optim {

struct ASGDOptions : OptimizerCloneableOptions<ASGDOptions, TableOptions> {
  ASGDOptions(double lr = 1e-2) : lr_(lr) {}
  TAUT_ARG(double, lr) = 1e-2;
  TAUT_ARG(double, lambd) = 1e-4;
  TAUT_ARG(double, alpha) = 0.75;
  TAUT_ARG(double, t0) = 1e6;
  TAUT_ARG(double, weight_decay) = 0;
  TAUT_ARG(bool, maximize) = false;
  TAUT_ARG(bool, differentiable) = false;  // records the step, so that it can be differentiated; not saved

 public:
  Fields fields() override;
  OptionValues values() const override;
  const OptimizerInfo& info() const override;
  bool records() const override { return differentiable_; }
};

struct ASGDParamState : OptimizerCloneableParamState<ASGDParamState, TableState> {
  TAUT_STATE(int64_t, step, step_)
  TAUT_STATE(double, eta, scalars_[0])
  TAUT_STATE(double, mu, scalars_[1])
  TAUT_STATE(Tensor, ax, states_[0])
  Fields fields() override;
};

/// Averaged stochastic gradient descent; the averages are state[p]["ax"].
class ASGD : public TableOptimizerOf<ASGDOptions, ASGDParamState> {
 public:
  using TableOptimizerOf::TableOptimizerOf;
};

extern template class OptimizerCloneableOptions<ASGDOptions, TableOptions>;
extern template class OptimizerCloneableParamState<ASGDParamState, TableState>;
extern template class TableOptimizerOf<ASGDOptions, ASGDParamState>;

}  // namespace taut::optim
