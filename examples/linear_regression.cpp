// A line through noisy points: the smallest training loop there is.
#include <taut/taut.h>

#include "arguments.h"

int main(int argc, char** argv) {
  const int steps = steps_from(argc, argv, 200, "Fits y = 2 x + 3 to a hundred noisy points.");
  taut::manual_seed(0);
  const taut::Tensor x = taut::linspace(-1, 1, 100).unsqueeze(1);
  const taut::Tensor y = 2 * x + 3 + 0.1 * taut::randn({100, 1});

  taut::nn::Linear model(1, 1);
  taut::optim::SGD optimizer(model->parameters(), taut::optim::SGDOptions(0.1));
  double first = 0, last = 0;
  for (int step = 0; step < steps; ++step) {
    optimizer.zero_grad();
    const taut::Tensor loss = taut::mse_loss(model(x), y);
    loss.backward();
    optimizer.step();
    last = loss.item<double>();
    if (step == 0) first = last;
    if (step % 50 == 0) std::cout << "step " << step << "  loss " << last << '\n';
  }
  std::cout << "y = " << model->weight.item<double>() << " x + " << model->bias.item<double>() << '\n';
  return last < first ? 0 : 1;
}
