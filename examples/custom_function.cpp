// An op of your own: rounding has no useful derivative, so backward pretends that it did nothing ("straight through").
#include <taut/taut.h>

#include <cmath>

#include "arguments.h"

using taut::Tensor;
using taut::autograd::AutogradContext;
using taut::autograd::variable_list;

struct RoundStraightThrough : taut::autograd::Function<RoundStraightThrough> {
  static Tensor forward(AutogradContext*, const Tensor& x) { return x.round(); }
  static variable_list backward(AutogradContext*, variable_list grads) { return {grads[0]}; }
};

/// exp(x), whose derivative is its result: what backward needs is saved, and differentiable again.
struct Exp : taut::autograd::Function<Exp> {
  static Tensor forward(AutogradContext* ctx, const Tensor& x) {
    const Tensor y = x.exp();
    ctx->save_for_backward({y});
    return y;
  }
  static variable_list backward(AutogradContext* ctx, variable_list grads) {
    return {grads[0] * ctx->get_saved_variables()[0]};
  }
};

int main(int argc, char** argv) {
  const int steps = steps_from(argc, argv, 100, "Finds whole-number weights by gradient descent through rounding.");
  taut::manual_seed(0);
  const Tensor x = taut::randn({256, 3}), y = x.matmul(taut::tensor({2.0, -1.0, 3.0}));
  Tensor w = taut::zeros({3}, taut::requires_grad());
  taut::optim::SGD optimizer({w}, taut::optim::SGDOptions(0.1));
  double last = 0;
  for (int step = 0; step < steps; ++step) {
    optimizer.zero_grad();
    const Tensor loss = taut::mse_loss(x.matmul(RoundStraightThrough::apply(w)), y);
    loss.backward();
    optimizer.step();
    last = loss.item<double>();
    if (step % 10 == 0) std::cout << "step " << step << "  loss " << last << '\n';
  }
  std::cout << "weights " << w.detach().round() << '\n';

  const Tensor t = taut::tensor({0.5, 1.5}, taut::dtype(taut::kDouble).requires_grad(true));
  const auto f = [](const variable_list& in) { return variable_list{Exp::apply(in[0])}; };
  std::cout << "Exp agrees with finite differences: " << std::boolalpha << taut::autograd::gradcheck(f, {t})
            << ", and to second order: " << taut::autograd::gradgradcheck(f, {t}) << '\n';
  return std::isfinite(last) ? 0 : 1;
}
