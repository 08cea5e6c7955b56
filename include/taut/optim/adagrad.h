// Written by tools/optimizers.py from src/ops/formulas/optim/adagrad.inc.
// clang-format off
#pragma once
#include "taut/optim/table_optimizer.h"

namespace taut::optim {

struct AdagradOptions : OptimizerCloneableOptions<AdagradOptions, TableOptions> {
  AdagradOptions(double lr = 1e-2) : lr_(lr) {}
  TAUT_ARG(double, lr) = 1e-2;
  TAUT_ARG(double, lr_decay) = 0;
  TAUT_ARG(double, weight_decay) = 0;
  TAUT_ARG(double, initial_accumulator_value) = 0;
  TAUT_ARG(double, eps) = 1e-10;
  TAUT_ARG(bool, maximize) = false;
  TAUT_ARG(bool, differentiable) = false;  // records the step, so that it can be differentiated; not saved

 public:
  Fields fields() override;
  OptionValues values() const override;
  const OptimizerInfo& info() const override;
  bool records() const override { return differentiable_; }
};

struct AdagradParamState : OptimizerCloneableParamState<AdagradParamState, TableState> {
  TAUT_STATE(int64_t, step, step_)
  TAUT_STATE(Tensor, sum, states_[0])
  Fields fields() override;
};

/// Adagrad: steps divided by the root of the sum of all squared gradients.
class Adagrad : public TableOptimizerOf<AdagradOptions, AdagradParamState> {
 public:
  using TableOptimizerOf::TableOptimizerOf;
};

extern template class OptimizerCloneableOptions<AdagradOptions, TableOptions>;
extern template class OptimizerCloneableParamState<AdagradParamState, TableState>;
extern template class TableOptimizerOf<AdagradOptions, AdagradParamState>;

}  // namespace taut::optim
