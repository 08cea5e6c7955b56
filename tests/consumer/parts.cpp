// Half of a program, compiled twice: once for a debugger, with main, and once optimised. They hand each other tensors,
// lists, modules, options and exceptions.
#include <taut/taut.h>
#include <torch/torch.h>

#include <cstdio>

struct Part {
  std::vector<taut::Tensor> tensors;
  taut::nn::Sequential model = nullptr;
  taut::OrderedDict<std::string, taut::Tensor> state;
  taut::optim::AdamOptions options;
  std::function<taut::Tensor(const taut::Tensor&)> function;
};
Part make_part();

#ifndef MAIN
Part make_part() {
  Part part;
  part.tensors = {taut::ones({2, 3}), taut::arange(4)};
  part.model = taut::nn::Sequential{taut::nn::Linear(3, 4), taut::nn::Dropout(0.5), taut::nn::Linear(4, 1)};
  part.model->register_buffer("steps", taut::tensor(3));
  part.state = part.model->state_dict();
  part.options = taut::optim::AdamOptions(0.25).betas({0.5, 0.75});
  part.function = [](const taut::Tensor& x) -> taut::Tensor {
    if (x.dim() != 2) throw taut::ValueError("not a matrix");
    return x * 2;
  };
  return part;
}
#else
int main() {
  Part part = make_part();
  taut::optim::Adam adam(part.model->parameters(), part.options);
  part.model->forward(part.function(part.tensors[0])).sum().backward();
  adam.step();
  part.model->load_state_dict(part.state);
  bool caught = false;
  try {
    part.function(part.tensors[1]);
  } catch (const taut::ValueError&) {
    caught = true;
  }
  const auto& options = static_cast<taut::optim::AdamOptions&>(adam.param_groups()[0].options());
  const bool ok = caught && part.state.size() == 5 && part.tensors.size() == 2 && options.lr() == 0.25 &&
                  std::get<1>(options.betas()) == 0.75 && part.model->size() == 3 &&
                  part.model[0]->as<torch::nn::Linear>() != nullptr;
  std::puts(ok ? "ok" : "the parts do not fit");
  return ok ? 0 : 1;
}
#endif
