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
  Fields fields() override {
    return {{"lr", &lr_},
            {"etas", &etas_},
            {"step_sizes", &step_sizes_},
            {"maximize", &maximize_},
            {"differentiable", &differentiable_, true, true, false}};
  }
  OptionValues values() const override {
    return {lr_,
            std::get<0>(etas_),
            std::get<1>(etas_),
            std::get<0>(step_sizes_),
            std::get<1>(step_sizes_),
            maximize_ ? 1.0 : 0.0};
  }
  const OptimizerInfo& info() const override {
    static const OptimizerInfo& row = find_optimizer("Rprop");
    return row;
  }
  bool records() const override { return differentiable_; }
};

struct RpropParamState : OptimizerCloneableParamState<RpropParamState, TableState> {
  TAUT_STATE(int64_t, step, step_)
  TAUT_STATE(Tensor, prev, states_[0])
  TAUT_STATE(Tensor, step_size, states_[1])
  Fields fields() override { return {{"step", &step_}, {"prev", &states_[0]}, {"step_size", &states_[1]}}; }
};

/// Rprop: each weight has a step size of its own, which grows while the sign of its gradient stays.
class Rprop : public TableOptimizerOf<RpropOptions, RpropParamState> {
 public:
  using TableOptimizerOf::TableOptimizerOf;
};

}  // namespace taut::optim
