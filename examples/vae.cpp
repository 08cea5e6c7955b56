// A variational autoencoder of pictures of two bars, and new pictures from it.
#include <taut/taut.h>

#include "arguments.h"

namespace nn = taut::nn;
using taut::Tensor;

/// 8 x 8 pixels: one row and one column are bright.
Tensor bars(int64_t n) {
  const Tensor row = taut::one_hot(taut::randint(8, {n}), 8), column = taut::one_hot(taut::randint(8, {n}), 8);
  return taut::maximum(row.unsqueeze(2), column.unsqueeze(1)).to(taut::kFloat).flatten(1);
}

struct VAEImpl : nn::Module {
  VAEImpl() {
    encoder = register_module("encoder", nn::Sequential(nn::Linear(64, 64), nn::ReLU()));
    mean = register_module("mean", nn::Linear(64, 8));
    log_variance = register_module("log_variance", nn::Linear(64, 8));
    decoder = register_module("decoder", nn::Sequential(nn::Linear(8, 64), nn::ReLU(), nn::Linear(64, 64)));
  }
  struct Result {
    Tensor logits, mean, log_variance;
  };
  Result forward(const Tensor& x) {
    const Tensor h = encoder->forward(x), m = mean(h), v = log_variance(h);
    const Tensor z = m + (0.5 * v).exp() * taut::randn_like(m);  // noise that gradients flow around
    return {decoder->forward(z), m, v};
  }
  nn::Sequential encoder{nullptr}, decoder{nullptr};
  nn::Linear mean{nullptr}, log_variance{nullptr};
};
TAUT_MODULE(VAE);

int main(int argc, char** argv) {
  const int steps = steps_from(argc, argv, 1500, "Trains a variational autoencoder on pictures of bars.");
  taut::manual_seed(0);
  VAE model;
  taut::optim::Adam optimizer(model->parameters(), taut::optim::AdamOptions(3e-3));
  double first = 0, last = 0;
  for (int step = 0; step < steps; ++step) {
    const Tensor x = bars(64);
    optimizer.zero_grad();
    const auto [logits, m, v] = model(x);
    const Tensor rebuilt = taut::binary_cross_entropy_with_logits(logits, x, {}, {}, taut::Reduction::Sum) / 64;
    const Tensor divergence = -0.5 * (1 + v - m.pow(2) - v.exp()).sum() / 64;
    const Tensor loss = rebuilt + divergence;
    loss.backward();
    optimizer.step();
    last = loss.item<double>();
    if (step == 0) first = last;
    if (step % 250 == 0)
      std::cout << "step " << step << "  rebuilt " << rebuilt.item<double>() << "  divergence "
                << divergence.item<double>() << '\n';
  }
  const taut::NoGradGuard no_grad;
  const Tensor made = model->decoder->forward(taut::randn({4, 8})).sigmoid().view({4, 8, 8});
  for (int64_t y = 0; y < 8; ++y) {
    for (int64_t n = 0; n < 4; ++n) {
      for (int64_t x = 0; x < 8; ++x)
        std::cout << " .:-=+*#"[std::min(7, static_cast<int>(8 * made[n][y][x].item<float>()))];
      std::cout << "    ";
    }
    std::cout << '\n';
  }
  return last < first ? 0 : 1;
}
