// Modules as functions of their parameters.
#include "taut/func.h"

namespace taut::func {

struct Lend::Loans {
  std::vector<std::unique_ptr<Loan>> list;
  ~Loans() {
    while (!list.empty()) list.pop_back();  // the last first
  }
};
Lend::Lend(nn::Module& module, const State& state) : loans_(std::make_unique<Loans>()) {
  const State parameters = module.named_parameters(), buffers = module.named_buffers();
  for (const auto& item : state) {
    const Tensor* own = parameters.find(item.key());
    if (!own) own = buffers.find(item.key());
    check(own, "functional_call: the module has no parameter or buffer named '", item.key(), "'");
    loans_->list.push_back(std::make_unique<Loan>(*own, item.value()));
  }
}
Lend::~Lend() = default;

static State stacked(const std::vector<State>& states) {
  State result;
  for (const auto& item : states[0]) {
    std::vector<Tensor> all;
    for (const State& s : states) all.push_back(s[item.key()].detach());
    Tensor t = stack(all);
    if (item.value().requires_grad()) t.set_requires_grad(true);
    result.insert(item.key(), t);
  }
  return result;
}
std::pair<State, State> stack_module_state(const std::vector<std::shared_ptr<nn::Module>>& modules) {
  check(!modules.empty(), "stack_module_state: Expected at least one model, got 0.");
  std::vector<State> parameters, buffers;
  for (const auto& m : modules) {
    check(m->is_training() == modules[0]->is_training(),
          "stack_module_state: Expected all models to have the same training/eval mode.");
    parameters.push_back(m->named_parameters()), buffers.push_back(m->named_buffers());
  }
  return {stacked(parameters), stacked(buffers)};
}

}  // namespace taut::func
