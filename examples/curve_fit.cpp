// A damped oscillation fitted to noisy samples, by L-BFGS and by Levenberg and Marquardt's method.
#include <taut/optim/second_order.h>
#include <taut/taut.h>

#include "arguments.h"

using taut::Tensor;

/// p holds amplitude, damping, frequency, phase.
Tensor curve(const Tensor& t, const Tensor& p) { return p[0] * (-p[1] * t).exp() * (p[2] * t + p[3]).cos(); }

int main(int argc, char** argv) {
  const int steps = steps_from(argc, argv, 20, "Fits a damped oscillation by two second-order methods.");
  taut::manual_seed(0);
  const auto options = taut::dtype(taut::kDouble);
  const Tensor t = taut::linspace(0, 4, 60, options);
  const Tensor truth = taut::tensor({2.0, 0.5, 5.0, 0.3}, options);
  const Tensor y = curve(t, truth) + 0.02 * taut::randn({60}, options);
  const Tensor start = taut::tensor({1.5, 0.3, 4.6, 0.0}, options);

  Tensor p = start.clone().requires_grad_();
  taut::optim::LBFGS optimizer({p}, taut::optim::LBFGSOptions(1).line_search_fn("strong_wolfe"));
  double first = 0, last = 0;
  for (int step = 0; step < steps; ++step) {
    const Tensor loss = optimizer.step([&] {
      optimizer.zero_grad();
      Tensor value = (curve(t, p) - y).pow(2).sum();
      value.backward();
      return value;
    });
    last = loss.item<double>();
    if (step == 0) first = last;
  }
  std::cout << "L-BFGS               " << p.detach() << "  sum of squares " << last << '\n';

  Tensor q = start.clone().requires_grad_();
  taut::optim::LevenbergMarquardt marquardt([&] { return curve(t, q) - y; }, {q});
  for (int step = 0; step < steps; ++step) marquardt.step();
  const double best = (curve(t, q) - y).pow(2).sum().item<double>();
  std::cout << "Levenberg-Marquardt  " << q.detach() << "  sum of squares " << best << "\ntruth                "
            << truth << '\n';
  return last <= first && best <= first ? 0 : 1;
}
