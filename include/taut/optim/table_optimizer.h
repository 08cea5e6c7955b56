// An optimiser of the table (taut/optim/table.h) as a class: what the headers that tools/optimizers.py writes build on.
#pragma once
#include "taut/optim/optimizer.h"
#include "taut/optim/table.h"

/// A value of a parameter's state, kept in one of the arrays of TableState.
#define TAUT_STATE(T, name, member)                 \
  auto name(T new_##name)->decltype(*this) {        \
    this->member = std::move(new_##name);           \
    return *this;                                   \
  }                                                 \
  const T& name() const noexcept { return member; } \
  T& name() noexcept { return member; }

namespace taut::optim {

class TableOptions : public OptimizerOptions {
 public:
  virtual const OptimizerInfo& info() const = 0;
  virtual OptionValues values() const = 0;
  void check() const override;
};

class TableState : public OptimizerParamState {
 protected:
  friend class TableOptimizer;
  int64_t step_ = 0;
  std::array<double, kMaxScalars> scalars_ = {};
  std::array<Tensor, kMaxStates> states_;
};

class TableOptimizer : public Optimizer {
 public:
  using Optimizer::Optimizer;
  ~TableOptimizer() override;
  Tensor step(LossClosure closure = nullptr) override;
  bool tracks_steps() const override { return true; }

 private:
  void step_group(const OptimizerParamGroup& group);
  std::vector<StepParam> items_;  // kept between steps for their memory
  std::vector<TableState*> kept_;
};

template <class Options, class ParamState>
class TableOptimizerOf : public TableOptimizer {
 public:
  explicit TableOptimizerOf(const std::vector<OptimizerParamGroup>& param_groups, Options defaults = {})
      : TableOptimizer(param_groups, std::make_unique<Options>(std::move(defaults))) {}
  explicit TableOptimizerOf(std::vector<Tensor> params, Options defaults = {})
      : TableOptimizer(std::move(params), std::make_unique<Options>(std::move(defaults))) {}

 protected:
  std::unique_ptr<OptimizerParamState> new_state() const override { return std::make_unique<ParamState>(); }
};

}  // namespace taut::optim
