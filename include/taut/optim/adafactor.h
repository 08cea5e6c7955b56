// Written by tools/optimizers.py from src/ops/formulas/optim/adafactor.inc.
// clang-format off
#pragma once
#include <limits>

#include "taut/optim/table_optimizer.h"

namespace taut::optim {

struct AdafactorOptions : OptimizerCloneableOptions<AdafactorOptions, TableOptions> {
  AdafactorOptions(double lr = 1e-2) : lr_(lr) {}
  using eps_t = std::tuple<double, double>;
  TAUT_ARG(double, lr) = 1e-2;
  TAUT_ARG(double, beta2_decay) = -0.8;
  TAUT_ARG(eps_t, eps) = {-std::numeric_limits<double>::infinity(), 1e-3};
  TAUT_ARG(double, d) = 1.0;
  TAUT_ARG(double, weight_decay) = 0.0;
  TAUT_ARG(bool, maximize) = false;

 public:
  Fields fields() override;
  OptionValues values() const override;
  const OptimizerInfo& info() const override;
};

struct AdafactorParamState : OptimizerCloneableParamState<AdafactorParamState, TableState> {
  TAUT_STATE(int64_t, step, step_)
  TAUT_STATE(Tensor, row_var, states_[0])
  TAUT_STATE(Tensor, col_var, states_[1])
  TAUT_STATE(Tensor, variance, states_[2])
  Fields fields() override;
};

/// Adafactor: steps scaled as Adam's, with the mean of squares of a matrix kept as one row and one column.
class Adafactor : public TableOptimizerOf<AdafactorOptions, AdafactorParamState> {
 public:
  using TableOptimizerOf::TableOptimizerOf;
};

extern template class OptimizerCloneableOptions<AdafactorOptions, TableOptions>;
extern template class OptimizerCloneableParamState<AdafactorParamState, TableState>;
extern template class TableOptimizerOf<AdafactorOptions, AdafactorParamState>;

}  // namespace taut::optim
