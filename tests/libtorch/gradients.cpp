// Autograd by libtorch's names.
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/torch.h>

#include <iostream>

using torch::autograd::variable_list;

struct Double : torch::autograd::Function<Double> {
  static torch::autograd::Variable forward(torch::autograd::AutogradContext* ctx, const torch::autograd::Variable& x,
                                           double by) {
    ctx->saved_data["by"] = by;
    ctx->save_for_backward({x});
    return x * by;
  }
  static variable_list backward(torch::autograd::AutogradContext* ctx, variable_list grads) {
    return {grads[0] * ctx->saved_data["by"].toDouble(), torch::Tensor()};
  }
};

int main() {
  auto x = torch::tensor({1.0, 2.0, 3.0}, torch::requires_grad());
  {
    torch::autograd::AutoGradMode mode(false);
    std::cout << (x * 2).requires_grad() << torch::autograd::GradMode::is_enabled() << torch::GradMode::is_enabled()
              << '\n';
    torch::autograd::GradMode::set_enabled(true);
    std::cout << (x * 2).requires_grad() << '\n';
  }
  {
    c10::InferenceMode guard;
    const auto y = x * 2;
    std::cout << y.is_inference() << y.requires_grad() << c10::InferenceMode::is_enabled() << '\n';
  }
  {
    torch::NoGradGuard no_grad;
    std::cout << (x + 1).requires_grad() << '\n';
  }
  const auto y = x * x;
  const auto node = y.grad_fn();
  std::cout << node->name() << ' ' << node->next_edges().size() << ' ' << y.output_nr() << ' '
            << node->next_edge(0).is_valid() << ' ' << node->next_edge(0).function->name() << ' '
            << (x.grad_fn() == nullptr) << '\n';
  const auto grads = torch::autograd::grad({y.sum()}, {x}, {}, true, true);
  std::cout << grads[0] << '\n' << torch::autograd::grad({grads[0].sum()}, {x})[0] << '\n';
  Double::apply(x, 3.0).sum().backward();
  std::cout << x.grad() << '\n';
  x.mutable_grad().reset();
  std::cout << x.grad().defined() << '\n';
  const auto handle = x.register_hook([](torch::Tensor g) { return g * 10; });
  (x * 1).sum().backward();
  std::cout << x.grad() << '\n';
  x.remove_hook(handle);
  torch::autograd::backward({(x * 2).sum()}, {});
  std::cout << x.grad() << '\n';
  {
    torch::autograd::DetectAnomalyGuard detect;
    std::cout << torch::autograd::AnomalyMode::is_enabled() << '\n';
  }
  const auto leaf = torch::ones({2}).set_requires_grad(true);
  std::cout << leaf.is_leaf() << leaf.requires_grad() << leaf.detach().requires_grad() << leaf.data().requires_grad()
            << '\n';
}
