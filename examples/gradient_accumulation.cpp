// A batch too large for memory, in four parts: gradients add up in .grad() until the optimiser takes a step.
#include <taut/taut.h>

#include "arguments.h"

namespace nn = taut::nn;
using taut::Tensor;

int main(int argc, char** argv) {
  const int steps =
      steps_from(argc, argv, 50, "Trains two equal models, one with whole batches and one with batches in four parts.");
  taut::manual_seed(0);
  nn::Sequential whole(nn::Linear(10, 32), nn::ReLU(), nn::Linear(32, 1));
  nn::Sequential parts(std::dynamic_pointer_cast<nn::SequentialImpl>(whole->clone()));
  taut::optim::SGD a(whole->parameters(), taut::optim::SGDOptions(0.05));
  taut::optim::SGD b(parts->parameters(), taut::optim::SGDOptions(0.05));
  const Tensor truth = taut::randn({10, 1});
  double largest = 0;
  for (int step = 0; step < steps; ++step) {
    const Tensor x = taut::randn({64, 10}), y = x.matmul(truth);

    a.zero_grad();
    const Tensor loss = taut::mse_loss(whole->forward(x), y);
    loss.backward();
    a.step();

    b.zero_grad();
    const auto xs = x.chunk(4), ys = y.chunk(4);
    for (size_t i = 0; i < 4; ++i)
      (taut::mse_loss(parts->forward(xs[i]), ys[i]) / 4).backward();  // a mean of means: divide by the number of parts
    b.step();

    largest = 0;
    for (size_t i = 0; i < whole->parameters().size(); ++i)
      largest = std::max(largest, (whole->parameters()[i] - parts->parameters()[i]).abs().max().item<double>());
    if (step % 10 == 0)
      std::cout << "step " << step << "  loss " << loss.item<double>() << "  largest difference of a parameter "
                << largest << '\n';
  }
  return largest < 1e-4 ? 0 : 1;
}
