// Written by tools/optimizers.py from src/ops/formulas/optim/rprop.inc.
// clang-format off
#pragma once
#include "taut/optim/table_optimizer.h"

namespace taut::optim {

struct RpropOptions : OptimizerCloneableOptions<RpropOptions, TableOptions> {
  RpropOptions(double lr = 1e-2) : lr_(lr) {}
  using etas_t = std::tuple<double, double>;
  using step_sizes_t = std::tuple<double, double>;
  TAUT_ARG(double, lr) = 1e-2;
  TAUT_ARG(etas_t, etas) = {0.5, 1.2};
  TAUT_ARG(step_sizes_t, step_sizes) = {1e-6, 50};
  TAUT_ARG(bool, maximize) = false;
  TAUT_ARG(bool, differentiable) = false;  // records the step, so that it can be differentiated; not saved

 public:
  Fields fields() override;
  OptionValues values() const override;
  const OptimizerInfo& info() const override;
  bool records() const override { return differentiable_; }
};

struct RpropParamState : OptimizerCloneableParamState<RpropParamState, TableState> {
  TAUT_STATE(int64_t, step, step_)
  TAUT_STATE(Tensor, prev, states_[0])
  TAUT_STATE(Tensor, step_size, states_[1])
  Fields fields() override;
};

/// Rprop: each weight has a step size of its own, which grows while the sign of its gradient stays.
class Rprop : public TableOptimizerOf<RpropOptions, RpropParamState> {
 public:
  using TableOptimizerOf::TableOptimizerOf;
};

extern template class OptimizerCloneableOptions<RpropOptions, TableOptions>;
extern template class OptimizerCloneableParamState<RpropParamState, TableState>;
extern template class TableOptimizerOf<RpropOptions, RpropParamState>;

}  // namespace taut::optim
