// Two spirals, told apart by a network of three layers.
#include <taut/taut.h>

#include <numbers>

#include "arguments.h"

/// n points on each of two spirals, and which of them each is on.
std::pair<taut::Tensor, taut::Tensor> spirals(int64_t n) {
  const taut::Tensor r = taut::linspace(0.1, 1, n), angle = 3 * std::numbers::pi * r;
  const taut::Tensor one = taut::stack({r * angle.cos(), r * angle.sin()}, 1);
  const taut::Tensor points = taut::cat({one, -one}) + 0.02 * taut::randn({2 * n, 2});
  return {points, taut::cat({taut::zeros({n}, taut::kLong), taut::ones({n}, taut::kLong)})};
}

int main(int argc, char** argv) {
  const int steps = steps_from(argc, argv, 500, "Learns which of two interleaved spirals a point is on.");
  taut::manual_seed(0);
  const auto [points, labels] = spirals(300);

  namespace nn = taut::nn;
  nn::Sequential model(nn::Linear(2, 64), nn::Tanh(), nn::Linear(64, 64), nn::Tanh(), nn::Linear(64, 2));
  std::cout << model << '\n';
  taut::optim::AdamW optimizer(model->parameters(), taut::optim::AdamWOptions(1e-2));
  taut::optim::CosineAnnealingLR schedule(optimizer, steps);
  double first = 0, last = 0;
  for (int step = 0; step < steps; ++step) {
    optimizer.zero_grad();
    const taut::Tensor loss = taut::cross_entropy_loss(model->forward(points), labels);
    loss.backward();
    optimizer.step();
    schedule.step();
    last = loss.item<double>();
    if (step == 0) first = last;
    if (step % 100 == 0) std::cout << "step " << step << "  loss " << last << '\n';
  }
  const taut::NoGradGuard no_grad;
  const double correct = model->forward(points).argmax(1).eq(labels).to(taut::kDouble).mean().item<double>();
  std::cout << "accuracy " << 100 * correct << "%\n";
  return last < first ? 0 : 1;
}
