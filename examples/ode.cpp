// The parameters of an ordinary differential equation, from data: gradients flow through the solver's loop.
#include <taut/taut.h>

#include "arguments.h"

using taut::Tensor;

/// Lotka and Volterra: hares and foxes. p holds growth, predation, decline, conversion.
Tensor slope(const Tensor& s, const Tensor& p) {
  const Tensor hares = s[0], foxes = s[1], meetings = hares * foxes;
  return taut::stack({p[0] * hares - p[1] * meetings, p[3] * meetings - p[2] * foxes});
}

/// States at `steps` times, by the classic Runge-Kutta method.
Tensor solve(const Tensor& start, const Tensor& p, int steps, double dt) {
  std::vector<Tensor> states{start};
  for (int i = 1; i < steps; ++i) {
    const Tensor& s = states.back();
    const Tensor k1 = slope(s, p), k2 = slope(s + dt / 2 * k1, p), k3 = slope(s + dt / 2 * k2, p),
                 k4 = slope(s + dt * k3, p);
    states.push_back(s + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4));
  }
  return taut::stack(states);
}

int main(int argc, char** argv) {
  const int steps = steps_from(argc, argv, 300, "Finds the four parameters of a predator-prey model from its orbit.");
  const auto options = taut::dtype(taut::kDouble);
  const Tensor truth = taut::tensor({1.1, 0.4, 0.4, 0.1}, options), start = taut::tensor({10.0, 5.0}, options);
  const Tensor orbit = solve(start, truth, 100, 0.1);

  Tensor guess = taut::tensor({0.8, 0.3, 0.6, 0.15}, options);
  guess.requires_grad_();
  taut::optim::Adam optimizer({guess}, taut::optim::AdamOptions(0.02));
  double first = 0, last = 0;
  for (int step = 0; step < steps; ++step) {
    optimizer.zero_grad();
    const Tensor loss = taut::mse_loss(solve(start, guess, 100, 0.1), orbit);
    loss.backward();
    optimizer.step();
    last = loss.item<double>();
    if (step == 0) first = last;
    if (step % 50 == 0) std::cout << "step " << step << "  loss " << last << '\n';
  }
  std::cout << "found " << guess.detach() << "\ntruth " << truth << '\n';
  return last < first ? 0 : 1;
}
