// A damped oscillation fitted to noisy samples, by L-BFGS and by Levenberg and Marquardt's method.
#include <taut/taut.h>

#include "arguments.h"

using taut::Tensor;

/// p holds amplitude, damping, frequency, phase.
Tensor curve(const Tensor& t, const Tensor& p) { return p[0] * (-p[1] * t).exp() * (p[2] * t + p[3]).cos(); }

/// The derivatives of all residuals, a row each: as many backward passes as there are samples.
Tensor jacobian(const Tensor& residuals, const Tensor& p) {
  std::vector<Tensor> rows;
  for (int64_t i = 0; i < residuals.size(0); ++i)
    rows.push_back(taut::autograd::grad({residuals[i]}, {p}, {}, /*retain_graph=*/true)[0]);
  return taut::stack(rows);
}

/// x with a x = b, by Gaussian elimination; a is small and positive definite.
Tensor solve(const Tensor& a, const Tensor& b) {
  Tensor m = taut::cat({a, b.unsqueeze(1)}, 1).clone();
  const int64_t n = a.size(0);
  for (int64_t i = 0; i < n; ++i) {
    m[i].div_(m[i][i].clone());
    for (int64_t j = 0; j < n; ++j)
      if (j != i) m[j].sub_(m[i] * m[j][i].clone());
  }
  return m.select(1, n);
}

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
  double damping = 1e-2, best = (curve(t, q) - y).pow(2).sum().item<double>();
  for (int step = 0; step < steps; ++step) {
    const Tensor r = curve(t, q) - y, j = jacobian(r, q);
    const Tensor square = j.t().matmul(j);
    const taut::NoGradGuard no_grad;
    const Tensor tried = q - solve(square + damping * square.diag().diag(), j.t().matmul(r));
    const double value = (curve(t, tried) - y).pow(2).sum().item<double>();
    damping *= value < best ? 0.3 : 3;
    if (value < best) best = value, q = tried.clone().requires_grad_();
  }
  std::cout << "Levenberg-Marquardt  " << q.detach() << "  sum of squares " << best << "\ntruth                "
            << truth << '\n';
  return last <= first && best <= first ? 0 : 1;
}
