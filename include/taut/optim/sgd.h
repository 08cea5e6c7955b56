// Written by tools/optimizers.py from src/ops/formulas/optim/sgd.inc.
// clang-format off
#pragma once
#include "taut/optim/table_optimizer.h"

namespace taut::optim {

struct SGDOptions : OptimizerCloneableOptions<SGDOptions, TableOptions> {
  SGDOptions(double lr = 1e-3) : lr_(lr) {}
  TAUT_ARG(double, lr) = 1e-3;
  TAUT_ARG(double, momentum) = 0;
  TAUT_ARG(double, dampening) = 0;
  TAUT_ARG(double, weight_decay) = 0;
  TAUT_ARG(bool, nesterov) = false;
  TAUT_ARG(bool, maximize) = false;
  TAUT_ARG(bool, differentiable) = false;  // records the step, so that it can be differentiated; not saved

 public:
  Fields fields() override;
  OptionValues values() const override;
  const OptimizerInfo& info() const override;
  bool records() const override { return differentiable_; }
};

struct SGDParamState : OptimizerCloneableParamState<SGDParamState, TableState> {
  TAUT_STATE(Tensor, momentum_buffer, states_[0])
  Fields fields() override;
};

/// Stochastic gradient descent, with momentum (plain or Nesterov's) and weight decay.
class SGD : public TableOptimizerOf<SGDOptions, SGDParamState> {
 public:
  using TableOptimizerOf::TableOptimizerOf;
};

extern template class OptimizerCloneableOptions<SGDOptions, TableOptions>;
extern template class OptimizerCloneableParamState<SGDParamState, TableState>;
extern template class TableOptimizerOf<SGDOptions, SGDParamState>;

}  // namespace taut::optim
