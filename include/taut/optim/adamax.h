// Written by tools/optimizers.py from src/ops/formulas/optim/adamax.inc.
// clang-format off
#pragma once
#include "taut/optim/table_optimizer.h"

namespace taut::optim {

struct AdamaxOptions : OptimizerCloneableOptions<AdamaxOptions, TableOptions> {
  AdamaxOptions(double lr = 2e-3) : lr_(lr) {}
  using betas_t = std::tuple<double, double>;
  TAUT_ARG(double, lr) = 2e-3;
  TAUT_ARG(betas_t, betas) = {0.9, 0.999};
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

struct AdamaxParamState : OptimizerCloneableParamState<AdamaxParamState, TableState> {
  TAUT_STATE(int64_t, step, step_)
  TAUT_STATE(Tensor, exp_avg, states_[0])
  TAUT_STATE(Tensor, exp_inf, states_[1])
  Fields fields() override;
};

/// Adam with the largest gradient seen, slowly forgotten, in place of the mean of squares.
class Adamax : public TableOptimizerOf<AdamaxOptions, AdamaxParamState> {
 public:
  using TableOptimizerOf::TableOptimizerOf;
};

extern template class OptimizerCloneableOptions<AdamaxOptions, TableOptions>;
extern template class OptimizerCloneableParamState<AdamaxParamState, TableState>;
extern template class TableOptimizerOf<AdamaxOptions, AdamaxParamState>;

}  // namespace taut::optim
