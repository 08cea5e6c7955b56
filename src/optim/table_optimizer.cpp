#include "taut/optim/table_optimizer.h"

#include <algorithm>

#include "optim/checks.h"
#include "taut/autograd.h"

namespace taut::optim {

TableOptimizer::~TableOptimizer() = default;

/// A number of the state as it is kept between steps: PyTorch, and so Python's face, has it in a tensor of the default
/// dtype, half precision aside.
static double kept_number(double v) { return get_default_dtype() == kDouble ? v : static_cast<float>(v); }

void TableOptions::check() const {
  if (const auto wrong = info().wrong_text(values())) throw ValueError(*wrong);
}

Tensor TableOptimizer::step(LossClosure closure) {
  Tensor loss = evaluate(closure);
  // The op checks a group before it changes it; with several, all are looked at before the first is changed.
  if (param_groups_.size() > 1)
    for (const OptimizerParamGroup& group : param_groups_)
      for (const Tensor& p : group.params())
        if (p.grad().defined()) check_grad(p, p.grad());
  for (const OptimizerParamGroup& group : param_groups_) step_group(group);
  end_step();
  return loss;
}

void TableOptimizer::step_group(const OptimizerParamGroup& group) {
  const auto& options = static_cast<const TableOptions&>(group.options());
  const OptimizerInfo& info = options.info();
  const OptionValues values = options.values();
  const unsigned states = info.states_for(values);
  const size_t n_states = info.states.size();
  const bool keeps = info.counts || states != 0;
  const AutoGradMode mode(options.records());
  items_.clear();
  kept_.clear();
  for (const Tensor& p : group.params()) {
    const Tensor& g = p.grad();
    if (!g.defined()) continue;
    StepParam& item = items_.emplace_back();
    item.param = &p, item.grad = &g;
    if (!keeps) continue;
    auto& slot = state_[p.impl()];
    if (!slot) {
      check_grad(p, g);
      slot = new_state();
      auto& s = static_cast<TableState&>(*slot);
      for (size_t i = 0; i < info.scalars.size(); ++i) s.scalars_[i] = kept_number(info.fresh_scalar(i, values));
    }
    auto& s = static_cast<TableState&>(*slot);
    for (size_t i = 0; i < n_states; ++i) {
      if (!(states >> i & 1)) continue;
      if (!s.states_[i].defined()) s.states_[i] = info.fresh_state(i, values, p), item.first = true;
      if (s.states_[i].defined()) item.state[i] = &s.states_[i];
    }
    item.step = s.step_ + 1, item.scalars = s.scalars_;
    kept_.push_back(&s);
  }
  if (options.records()) {
    std::array<Number, kMaxOptions> numbers;
    std::copy(values.begin(), values.end(), numbers.begin());
    for (StepParam& item : items_) {
      std::array<Number, kMaxScalars> scalars{item.scalars[0], item.scalars[1]};
      record_step(info, numbers, item, scalars);
      item.scalars = {std::get<double>(scalars[0]), std::get<double>(scalars[1])};
    }
  } else {
    run_step(info, values, items_.data(), items_.size());
  }
  for (size_t i = 0; i < kept_.size(); ++i) {
    kept_[i]->step_ = items_[i].step;
    for (size_t j = 0; j < info.scalars.size(); ++j) kept_[i]->scalars_[j] = kept_number(items_[i].scalars[j]);
  }
}

}  // namespace taut::optim
