// Written by tools/optimizers.py from src/ops/formulas/optim/rmsprop.inc.
// clang-format off
#pragma once
#include "taut/optim/table_optimizer.h"

namespace taut::optim {

struct RMSpropOptions : OptimizerCloneableOptions<RMSpropOptions, TableOptions> {
  RMSpropOptions(double lr = 1e-2) : lr_(lr) {}
  TAUT_ARG(double, lr) = 1e-2;
  TAUT_ARG(double, alpha) = 0.99;
  TAUT_ARG(double, eps) = 1e-8;
  TAUT_ARG(double, weight_decay) = 0;
  TAUT_ARG(double, momentum) = 0;
  TAUT_ARG(bool, centered) = false;
  TAUT_ARG(bool, maximize) = false;
  TAUT_ARG(bool, differentiable) = false;  // records the step, so that it can be differentiated; not saved

 public:
  Fields fields() override;
  OptionValues values() const override;
  const OptimizerInfo& info() const override;
  bool records() const override { return differentiable_; }
};

struct RMSpropParamState : OptimizerCloneableParamState<RMSpropParamState, TableState> {
  TAUT_STATE(int64_t, step, step_)
  TAUT_STATE(Tensor, square_avg, states_[0])
  TAUT_STATE(Tensor, momentum_buffer, states_[1])
  TAUT_STATE(Tensor, grad_avg, states_[2])
  Fields fields() override;
};

/// RMSprop: steps divided by the root of a running mean of squared gradients.
class RMSprop : public TableOptimizerOf<RMSpropOptions, RMSpropParamState> {
 public:
  using TableOptimizerOf::TableOptimizerOf;
};

extern template class OptimizerCloneableOptions<RMSpropOptions, TableOptions>;
extern template class OptimizerCloneableParamState<RMSpropParamState, TableState>;
extern template class TableOptimizerOf<RMSpropOptions, RMSpropParamState>;

}  // namespace taut::optim
