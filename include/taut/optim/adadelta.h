// Written by tools/optimizers.py from src/ops/formulas/optim/adadelta.inc.
// clang-format off
#pragma once
#include "taut/optim/table_optimizer.h"

namespace taut::optim {

struct AdadeltaOptions : OptimizerCloneableOptions<AdadeltaOptions, TableOptions> {
  AdadeltaOptions(double lr = 1.0) : lr_(lr) {}
  TAUT_ARG(double, lr) = 1.0;
  TAUT_ARG(double, rho) = 0.9;
  TAUT_ARG(double, eps) = 1e-6;
  TAUT_ARG(double, weight_decay) = 0;
  TAUT_ARG(bool, maximize) = false;
  TAUT_ARG(bool, differentiable) = false;  // records the step, so that it can be differentiated; not saved

 public:
  Fields fields() override;
  OptionValues values() const override;
  const OptimizerInfo& info() const override;
  bool records() const override { return differentiable_; }
};

struct AdadeltaParamState : OptimizerCloneableParamState<AdadeltaParamState, TableState> {
  TAUT_STATE(int64_t, step, step_)
  TAUT_STATE(Tensor, square_avg, states_[0])
  TAUT_STATE(Tensor, acc_delta, states_[1])
  Fields fields() override;
};

/// Adadelta: steps in the ratio of running means of past steps and of gradients.
class Adadelta : public TableOptimizerOf<AdadeltaOptions, AdadeltaParamState> {
 public:
  using TableOptimizerOf::TableOptimizerOf;
};

extern template class OptimizerCloneableOptions<AdadeltaOptions, TableOptions>;
extern template class OptimizerCloneableParamState<AdadeltaParamState, TableState>;
extern template class TableOptimizerOf<AdadeltaOptions, AdadeltaParamState>;

}  // namespace taut::optim
