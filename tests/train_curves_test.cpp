// Whole trainings against PyTorch's: the same seeds, data, models and optimisers give the same losses, step by step
// (tests/golden/training.txt, written by tools/golden_training.py).
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

#include "support/paths.h"
#include "support/rounding.h"
#include "taut/taut.h"

namespace taut {
namespace {

constexpr int kSteps = 50, kBatches = 4;

struct LeNetImpl : nn::Module {
  LeNetImpl() {
    register_module("conv1", conv1);
    register_module("conv2", conv2);
    register_module("fc1", fc1);
    register_module("fc2", fc2);
  }
  Tensor forward(Tensor x) {
    x = max_pool2d(relu(conv1(x)), 2);
    x = max_pool2d(relu(conv2(x)), 2);
    return fc2(relu(fc1(x.flatten(1))));
  }
  nn::Conv2d conv1{nn::Conv2dOptions(1, 6, 5).padding(2)}, conv2{nn::Conv2dOptions(6, 16, 5)};
  nn::Linear fc1{144, 48}, fc2{48, 10};
};
TAUT_MODULE(LeNet);

struct ClassifierImpl : nn::Module {
  ClassifierImpl() {
    register_module("encoder", encoder);
    register_module("head", head);
  }
  Tensor forward(const Tensor& x) { return head(encoder(x).mean(1)); }
  nn::TransformerEncoder encoder{nn::TransformerEncoderOptions(
      nn::TransformerEncoderLayerOptions(16, 4).dim_feedforward(32).dropout(0.1).activation(kGELU).batch_first(true),
      2)};
  nn::Linear head{16, 5};
};
TAUT_MODULE(Classifier);

struct TaggerImpl : nn::Module {
  TaggerImpl() {
    register_module("lstm", lstm);
    register_module("head", head);
  }
  Tensor forward(const Tensor& x) { return head(std::get<0>(lstm(x)).mean(0)); }
  nn::LSTM lstm{nn::LSTMOptions(8, 12).num_layers(2).bidirectional(true).dropout(0.2)};
  nn::Linear head{24, 5};
};
TAUT_MODULE(Tagger);

/// Losses in float64, and their units.
std::vector<std::pair<double, double>> golden(const std::string& model, const std::string& optimiser) {
  std::ifstream in(test::golden_path("training.txt"));
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string m, o;
    words >> m >> o;
    if (m != model || o != optimiser) continue;
    std::vector<std::pair<double, double>> curve;
    char mark = 0;
    for (std::pair<double, double> v; words >> v.first >> mark >> v.second;) curve.push_back(v);
    return curve;
  }
  return {};
}

template <class M>
std::vector<double> train(IntArrayRef shape, int64_t samples, int64_t classes, bool adam) {
  manual_seed(1);
  std::vector<std::pair<Tensor, Tensor>> data;
  for (int i = 0; i < kBatches; ++i) {
    const Tensor x = randn(shape);
    data.emplace_back(x, randint(0, classes, {samples}));
  }
  manual_seed(0);
  M net;
  std::unique_ptr<optim::Optimizer> optimiser;
  if (adam) optimiser = std::make_unique<optim::Adam>(net->parameters(), optim::AdamOptions(2e-3));
  else optimiser = std::make_unique<optim::SGD>(net->parameters(), optim::SGDOptions(0.05).momentum(0.9));
  std::vector<double> curve;
  for (int step = 0; step < kSteps; ++step) {
    const auto& [x, y] = data[static_cast<size_t>(step % kBatches)];
    optimiser->zero_grad();
    const Tensor loss = cross_entropy_loss(net(x), y);
    loss.backward();
    optimiser->step();
    curve.push_back(loss.template item<double>());
  }
  return curve;
}

void compare(const std::vector<double>& got, const std::string& model, const std::string& optimiser) {
  const auto want = golden(model, optimiser);
  ASSERT_EQ(want.size(), got.size()) << "tests/golden/training.txt";
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_EQ(test::beyond_rounding(tensor(got[i], kDouble), tensor(want[i].first, kDouble), want[i].second), "")
        << model << " " << optimiser << ", step " << i;
}

TEST(Training, OfAConvolutionalNetFollowsPyTorch) {
  compare(train<LeNet>({16, 1, 20, 20}, 16, 10, false), "lenet", "sgd");
  compare(train<LeNet>({16, 1, 20, 20}, 16, 10, true), "lenet", "adam");
}
TEST(Training, OfATransformerFollowsPyTorch) {
  compare(train<Classifier>({8, 12, 16}, 8, 5, false), "transformer", "sgd");
  compare(train<Classifier>({8, 12, 16}, 8, 5, true), "transformer", "adam");
}
TEST(Training, OfARecurrentNetFollowsPyTorch) {
  compare(train<Tagger>({10, 8, 8}, 8, 5, false), "lstm", "sgd");
  compare(train<Tagger>({10, 8, 8}, 8, 5, true), "lstm", "adam");
}

TEST(Training, HasTheSameLossesForAnyNumberOfThreads) {
  const int before = get_num_threads();
  set_num_threads(1);
  const std::vector<double> one = train<Classifier>({8, 12, 16}, 8, 5, true),
                            net = train<LeNet>({16, 1, 20, 20}, 16, 10, false);
  set_num_threads(4);
  EXPECT_EQ((train<Classifier>({8, 12, 16}, 8, 5, true)), one);
  EXPECT_EQ((train<LeNet>({16, 1, 20, 20}, 16, 10, false)), net);
  set_num_threads(before);
}

}  // namespace
}  // namespace taut
