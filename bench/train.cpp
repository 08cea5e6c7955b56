// Training steps of four models, the same source for Taut and for libtorch (-DBENCH_LIBTORCH). Prints a line per model:
// name, microseconds per step; and a line with the loss of the third step, which must be the same on both sides (later
// ones differ by more and more rounding).
//   train [threads] [rounds]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <vector>
#ifdef BENCH_LIBTORCH
#include <torch/torch.h>
namespace lib = torch;
#define BENCH_MODULE(Name) TORCH_MODULE(Name)
#else
#include <taut/taut.h>
namespace lib = taut;
#define BENCH_MODULE(Name) TAUT_MODULE(Name)
#endif

namespace nn = lib::nn;
using lib::Tensor;

struct MlpImpl : nn::Module {
  MlpImpl() {
    a = register_module("a", nn::Linear(784, 256));
    b = register_module("b", nn::Linear(256, 128));
    c = register_module("c", nn::Linear(128, 10));
  }
  Tensor forward(const Tensor& x) { return c(b(a(x).relu()).relu()); }
  nn::Linear a{nullptr}, b{nullptr}, c{nullptr};
};
BENCH_MODULE(Mlp);

struct CnnImpl : nn::Module {
  CnnImpl() {
    a = register_module("a", nn::Conv2d(nn::Conv2dOptions(1, 32, 3)));
    b = register_module("b", nn::Conv2d(nn::Conv2dOptions(32, 64, 3)));
    c = register_module("c", nn::Linear(64 * 12 * 12, 10));
  }
  Tensor forward(const Tensor& x) { return c(lib::max_pool2d(b(a(x).relu()).relu(), 2).flatten(1)); }
  nn::Conv2d a{nullptr}, b{nullptr};
  nn::Linear c{nullptr};
};
BENCH_MODULE(Cnn);

struct EncoderImpl : nn::Module {
  EncoderImpl() {
    encoder = register_module("encoder",
                              nn::TransformerEncoder(nn::TransformerEncoderOptions(
                                  nn::TransformerEncoderLayerOptions(256, 8).dim_feedforward(1024).dropout(0), 4)));
    head = register_module("head", nn::Linear(256, 10));
  }
  Tensor forward(const Tensor& x) { return head(encoder(x).mean(0)); }
  nn::TransformerEncoder encoder{nullptr};
  nn::Linear head{nullptr};
};
BENCH_MODULE(Encoder);

struct RecurrentImpl : nn::Module {
  RecurrentImpl() {
    lstm = register_module("lstm", nn::LSTM(nn::LSTMOptions(128, 128)));
    head = register_module("head", nn::Linear(128, 10));
  }
  Tensor forward(const Tensor& x) { return head(std::get<0>(lstm(x))[-1]); }
  nn::LSTM lstm{nullptr};
  nn::Linear head{nullptr};
};
BENCH_MODULE(Recurrent);

template <class Optimizer, class Model, class Options>
void bench(const char* name, Model model, const Options& options, const std::vector<int64_t>& sizes, int rounds,
           int steps) {
  lib::manual_seed(0);
  const Tensor x = lib::randn(sizes);
  const Tensor y = lib::arange(x.dim() == 3 ? x.size(1) : x.size(0)).remainder(10);
  {
    // Both sides start from the same numbers; libtorch's own initialisation draws in another order than Python's.
    lib::NoGradGuard guard;
    for (auto& p : model->parameters()) p.copy_((lib::arange(p.numel()) * 0.7 + 1).sin().view_as(p) * 0.08);
  }
  Optimizer optimizer(model->parameters(), options);
  double best = std::numeric_limits<double>::infinity(), loss_value = 0;
  int taken = 0;
  for (int r = 0; r < rounds; ++r) {
    const auto start = std::chrono::steady_clock::now();
    for (int s = 0; s < steps; ++s) {
      optimizer.zero_grad();
      const Tensor loss = nn::functional::cross_entropy(model->forward(x), y);
      loss.backward();
      optimizer.step();
      if (++taken == 3) loss_value = loss.template item<double>();
    }
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count() / steps);
  }
  std::printf("%s\t%.1f\nloss of %s\t%.5g\n", name, best, name, loss_value);
}

int main(int argc, char** argv) {
  lib::set_num_threads(argc > 1 ? std::atoi(argv[1]) : 1);
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 3;
  const lib::optim::SGDOptions sgd(0.01);
  bench<lib::optim::SGD>("MLP 784-256-128-10, batch 64, SGD", Mlp(), sgd, {64, 784}, rounds, 30);
  bench<lib::optim::Adam>("MLP 784-256-128-10, batch 64, Adam", Mlp(), lib::optim::AdamOptions(1e-4), {64, 784}, rounds,
                          30);
  bench<lib::optim::SGD>("CNN 1-32-64, batch 64, SGD", Cnn(), sgd, {64, 1, 28, 28}, rounds, 2);
  bench<lib::optim::SGD>("transformer encoder, 4 layers d 256, 8 x 128, SGD", Encoder(), sgd, {128, 8, 256}, rounds, 1);
  bench<lib::optim::SGD>("LSTM 128, 64 steps, batch 32, SGD", Recurrent(), sgd, {64, 32, 128}, rounds, 3);
  return 0;
}
