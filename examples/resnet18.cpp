// ResNet-18 on synthetic images: the usual blocks, written as they are in any PyTorch model zoo's description.
#include <taut/taut.h>

#include <cmath>
#include <numbers>

#include "arguments.h"

namespace nn = taut::nn;
using taut::Tensor;

nn::Conv2d conv(int64_t in, int64_t out, int64_t size, int64_t stride) {
  return nn::Conv2d(nn::Conv2dOptions(in, out, size).stride(stride).padding(size / 2).bias(false));
}

/// Two convolutions and a way around them.
struct BlockImpl : nn::Module {
  BlockImpl(int64_t in, int64_t out, int64_t stride) {
    conv1 = register_module("conv1", conv(in, out, 3, stride));
    bn1 = register_module("bn1", nn::BatchNorm2d(out));
    conv2 = register_module("conv2", conv(out, out, 3, 1));
    bn2 = register_module("bn2", nn::BatchNorm2d(out));
    if (stride != 1 || in != out)
      around = register_module("downsample", nn::Sequential(conv(in, out, 1, stride), nn::BatchNorm2d(out)));
  }
  Tensor forward(const Tensor& x) {
    const Tensor y = bn2(conv2(bn1(conv1(x)).relu()));
    return (y + (around.is_empty() ? x : around->forward(x))).relu();
  }
  nn::Conv2d conv1{nullptr}, conv2{nullptr};
  nn::BatchNorm2d bn1{nullptr}, bn2{nullptr};
  nn::Sequential around{nullptr};
};
TAUT_MODULE(Block);

struct ResNet18Impl : nn::Module {
  explicit ResNet18Impl(int64_t classes) {
    stem = register_module("stem", nn::Sequential(conv(3, 64, 7, 2), nn::BatchNorm2d(64), nn::ReLU(),
                                                  nn::MaxPool2d(nn::MaxPool2dOptions(3).stride(2).padding(1))));
    int64_t in = 64;
    for (const int64_t out : {64, 128, 256, 512}) {
      const int64_t stride = out == 64 ? 1 : 2;
      layers->push_back(nn::Sequential(Block(in, out, stride), Block(out, out, 1)));
      in = out;
    }
    register_module("layers", layers);
    fc = register_module("fc", nn::Linear(512, classes));
  }
  Tensor forward(const Tensor& x) {
    const Tensor features = layers->forward(stem->forward(x));
    return fc(taut::adaptive_avg_pool2d(features, {1, 1}).flatten(1));
  }
  nn::Sequential stem{nullptr}, layers;
  nn::Linear fc{nullptr};
};
TAUT_MODULE(ResNet18);

/// Stripes of four slants, in noise.
std::pair<Tensor, Tensor> images(int64_t n, int64_t size) {
  const Tensor kind = taut::randint(4, {n});
  const Tensor angle = kind.to(taut::kFloat) * (std::numbers::pi / 4);
  const Tensor at = taut::linspace(0, 6 * std::numbers::pi, size);
  const Tensor wave =
      (at.unsqueeze(0) * angle.cos().view({n, 1, 1}) + at.unsqueeze(1) * angle.sin().view({n, 1, 1})).sin();
  return {wave.unsqueeze(1).expand({n, 3, size, size}) + 0.3 * taut::randn({n, 3, size, size}), kind};
}

int main(int argc, char** argv) {
  const int steps = steps_from(argc, argv, 20, "Trains ResNet-18 on noisy stripes of 64 x 64 pixels.");
  taut::manual_seed(0);
  ResNet18 model(4);
  int64_t count = 0;
  for (const Tensor& p : model->parameters()) count += p.numel();
  std::cout << "ResNet-18, " << count << " parameters\n";
  taut::optim::SGD optimizer(model->parameters(), taut::optim::SGDOptions(0.02).momentum(0.9).weight_decay(1e-4));
  double last = 0;
  for (int step = 0; step < steps; ++step) {
    const auto [x, y] = images(8, 64);
    optimizer.zero_grad();
    const Tensor loss = taut::cross_entropy_loss(model(x), y);
    loss.backward();
    optimizer.step();
    last = loss.item<double>();
    std::cout << "step " << step << "  loss " << last << std::endl;
  }
  return std::isfinite(last) ? 0 : 1;
}
