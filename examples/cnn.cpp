// A convolutional network that tells squares, discs and crosses apart, fed by a DataLoader with worker threads.
#include <taut/taut.h>

#include "arguments.h"

namespace nn = taut::nn;

/// Pictures of 16 x 16 pixels, made when they are asked for: a shape of random size and place, and noise.
class Shapes : public taut::data::datasets::Dataset<Shapes> {
 public:
  taut::data::Example<> get(size_t index) override {
    const auto kind = static_cast<int64_t>(index % 3);
    const taut::Tensor place = taut::rand({3}) * taut::tensor({6.0, 6.0, 2.0}) + taut::tensor({5.0, 5.0, 2.0});
    const taut::Tensor along = taut::arange(16.0);
    const taut::Tensor dy = (along - place[0]).abs().unsqueeze(1), dx = (along - place[1]).abs().unsqueeze(0);
    const taut::Tensor radius = place[2];
    const taut::Tensor inside = kind == 0 ? taut::maximum(dx, dy) < radius
                                : kind == 1
                                    ? dx * dx + dy * dy < radius * radius
                                    : taut::logical_and(taut::minimum(dx, dy) < 1, taut::maximum(dx, dy) < radius);
    return {(inside.to(taut::kFloat) + 0.1 * taut::randn({16, 16})).unsqueeze(0), taut::tensor(kind)};
  }
  std::optional<size_t> size() const override { return 600; }
};

struct NetImpl : nn::Module {
  NetImpl() {
    features = register_module(
        "features", nn::Sequential(nn::Conv2d(nn::Conv2dOptions(1, 16, 3).padding(1)), nn::BatchNorm2d(16), nn::ReLU(),
                                   nn::MaxPool2d(2), nn::Conv2d(nn::Conv2dOptions(16, 32, 3).padding(1)),
                                   nn::BatchNorm2d(32), nn::ReLU(), nn::AdaptiveAvgPool2d(1)));
    head = register_module("head", nn::Linear(32, 3));
  }
  taut::Tensor forward(const taut::Tensor& x) { return head(features->forward(x).flatten(1)); }
  nn::Sequential features{nullptr};
  nn::Linear head{nullptr};
};
TAUT_MODULE(Net);

int main(int argc, char** argv) {
  const int epochs = steps_from(argc, argv, 5, "Trains a small CNN on pictures of squares, discs and crosses.");
  taut::manual_seed(0);
  auto loader = taut::data::make_data_loader<taut::data::samplers::RandomSampler>(
      Shapes().map(taut::data::transforms::Stack<>()), taut::data::DataLoaderOptions().batch_size(50).workers(2));
  Net model;
  taut::optim::Adam optimizer(model->parameters(), taut::optim::AdamOptions(1e-2));
  double first = 0, last = 0;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    double loss_sum = 0, correct = 0, seen = 0;
    for (auto& batch : *loader) {
      optimizer.zero_grad();
      const taut::Tensor scores = model(batch.data);
      const taut::Tensor loss = taut::cross_entropy_loss(scores, batch.target);
      loss.backward();
      optimizer.step();
      const auto n = static_cast<double>(batch.data.size(0));
      loss_sum += loss.item<double>() * n;
      correct += scores.argmax(1).eq(batch.target).sum().item<double>();
      seen += n;
    }
    last = loss_sum / seen;
    if (epoch == 0) first = last;
    std::cout << "epoch " << epoch + 1 << "  loss " << last << "  accuracy " << 100 * correct / seen << "%\n";
  }
  return last < first || epochs == 1 ? 0 : 1;
}
