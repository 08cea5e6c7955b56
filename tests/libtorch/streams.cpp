// What programs draw from the random stream: samplers, loaders, copies of modules; and what a printed module leaves
// behind.
#include <torch/torch.h>

#include <iostream>

namespace nn = torch::nn;

static float next() { return torch::rand({1}).item<float>(); }

/// Numbers with something added that is drawn when they are asked for.
struct Noisy : torch::data::datasets::Dataset<Noisy> {
  torch::data::Example<> get(size_t index) override {
    const auto i = static_cast<int64_t>(index);
    return {torch::full({1}, i) + torch::rand({1}), torch::full({1}, i)};
  }
  torch::optional<size_t> size() const override { return 10; }
};

int main() {
  torch::manual_seed(1);
  torch::data::samplers::RandomSampler sampler(6);
  std::cout << *sampler.next(4) << '\n';
  sampler.reset();
  std::cout << *sampler.next(6) << ' ' << next() << '\n';

  for (const size_t workers : {0, 1}) {
    auto loader = torch::data::make_data_loader(Noisy().map(torch::data::transforms::Stack<>()),
                                                torch::data::DataLoaderOptions(4).workers(workers));
    for (int epoch = 0; epoch < 2; ++epoch)
      for (auto& batch : *loader)
        std::cout << batch.target.flatten() << (workers ? torch::zeros({1}) : batch.data.flatten()) << '\n';
    torch::manual_seed(2);
  }
  auto in_order = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(
      Noisy().map(torch::data::transforms::Stack<>()), 5);
  for (auto& batch : *in_order) std::cout << batch.data.flatten() << next() << '\n';

  nn::Linear linear(3, 2);
  const auto copy = std::dynamic_pointer_cast<nn::LinearImpl>(linear->clone());
  std::cout << torch::equal(copy->weight, linear->weight) << ' ' << next() << '\n';
  nn::TransformerEncoder encoder(
      nn::TransformerEncoderOptions(nn::TransformerEncoderLayerOptions(4, 2).dim_feedforward(6).dropout(0), 2));
  std::cout << next() << '\n';
  nn::Transformer transformer(nn::TransformerOptions(4, 2, 2, 1).dim_feedforward(6));
  std::cout << next() << '\n';

  // An image is noise at first, as in the networks that make pictures.
  nn::ConvTranspose2d up(nn::ConvTranspose2dOptions(4, 2, 4).bias(false));
  std::cout << up(torch::randn({1, 4, 1, 1})).sum().item<float>() << ' ' << torch::empty({3}).uniform_(0.8, 1.0)
            << '\n';
  // An action is drawn by its probability.
  std::cout << torch::softmax(torch::randn({2, 3}), 1).multinomial(1) << ' ' << next() << '\n';

  for (const auto& m : encoder->modules()) std::cout << m->name() << '\n';
  std::cout << true << ' ' << nn::ReLU() << ' ' << true << ' ' << nn::Sequential(nn::Sigmoid(), nn::Dropout()) << ' '
            << true << '\n'
            << nn::TripletMarginWithDistanceLoss() << '\n';
}
