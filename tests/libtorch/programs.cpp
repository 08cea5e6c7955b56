// What programs do with libtorch, in small: a GAN, reinforcement learning, a time series, transfer learning, a dataset
// of files, a training loop with everything in it.
#include <torch/torch.h>

#include <chrono>
#include <cstdio>
#include <deque>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

/// The same weights whatever the generator: small numbers that do not repeat.
void settle(torch::nn::Module& module) {
  torch::NoGradGuard no_grad;
  double shift = 0;
  for (auto& p : module.named_parameters()) {
    p.value().copy_(torch::sin(torch::arange(p.value().numel(), torch::kFloat) * 1.7 + shift).view(p.value().sizes()) *
                    0.3);
    shift += 0.31;
  }
}

const int64_t kNoiseSize = 5;

struct GeneratorImpl : torch::nn::Module {
  explicit GeneratorImpl(int noise)
      : conv1(torch::nn::ConvTranspose2dOptions(noise, 6, 4).bias(false)),
        norm1(6),
        conv2(torch::nn::ConvTranspose2dOptions(6, 1, 4).stride(2).padding(1).bias(false)) {
    register_module("conv1", conv1);
    register_module("norm1", norm1);
    register_module("conv2", conv2);
  }
  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(norm1(conv1(x)));
    return torch::tanh(conv2(x));
  }
  torch::nn::ConvTranspose2d conv1;
  torch::nn::BatchNorm2d norm1;
  torch::nn::ConvTranspose2d conv2;
};
TORCH_MODULE(Generator);

void gan(torch::Device device) {
  Generator generator(kNoiseSize);
  torch::nn::Sequential discriminator(
      torch::nn::Conv2d(torch::nn::Conv2dOptions(1, 4, 4).stride(2).padding(1).bias(false)),
      torch::nn::LeakyReLU(torch::nn::LeakyReLUOptions().negative_slope(0.2)),
      torch::nn::Conv2d(torch::nn::Conv2dOptions(4, 1, 4).stride(1).padding(0).bias(false)), torch::nn::Sigmoid());
  settle(*generator);
  settle(*discriminator);
  generator->to(device);
  discriminator->to(device);
  torch::optim::Adam generator_optimizer(generator->parameters(),
                                         torch::optim::AdamOptions(2e-3).betas(std::make_tuple(0.5, 0.9)));
  torch::optim::Adam discriminator_optimizer(discriminator->parameters(),
                                             torch::optim::AdamOptions(5e-3).betas(std::make_tuple(0.5, 0.9)));
  const auto real = torch::cos(torch::arange(4 * 64, torch::kFloat)).view({4, 1, 8, 8});
  const auto noise = torch::sin(torch::arange(4 * kNoiseSize, torch::kFloat)).view({4, kNoiseSize, 1, 1}).to(device);
  for (int64_t batch = 1; batch <= 3; ++batch) {
    discriminator->zero_grad();
    const auto real_labels = torch::full({real.size(0)}, 0.9, device);
    const auto real_output = discriminator->forward(real).reshape(real_labels.sizes());
    const auto d_loss_real = torch::binary_cross_entropy(real_output, real_labels);
    d_loss_real.backward();
    const auto fake = generator->forward(noise);
    const auto fake_output = discriminator->forward(fake.detach()).reshape({-1});
    const auto d_loss_fake = torch::binary_cross_entropy(fake_output, torch::zeros({real.size(0)}, device));
    d_loss_fake.backward();
    const auto d_loss = d_loss_real + d_loss_fake;
    discriminator_optimizer.step();
    generator->zero_grad();
    const auto g_loss =
        torch::binary_cross_entropy(discriminator->forward(fake).reshape({-1}), torch::ones({4}, device));
    g_loss.backward();
    generator_optimizer.step();
    std::printf("[%2ld/%2d] D_loss: %.3f | G_loss: %.3f\n", static_cast<long>(batch), 3, d_loss.item<float>(),
                g_loss.item<float>());
  }
}

struct Policy : torch::nn::Module {
  Policy()
      : affine1(register_module("affine1", torch::nn::Linear(4, 8))),
        action_head(register_module("action_head", torch::nn::Linear(8, 2))),
        value_head(register_module("value_head", torch::nn::Linear(8, 1))) {}
  std::tuple<torch::Tensor, torch::Tensor> forward(const torch::Tensor& input) {
    const auto x = torch::relu(affine1->forward(input));
    return std::make_tuple(torch::softmax(action_head->forward(x), -1), value_head->forward(x));
  }
  torch::nn::Linear affine1, action_head, value_head;
};

void reinforcement() {
  auto policy = std::make_shared<Policy>();
  settle(*policy);
  torch::optim::Adam optimizer(policy->parameters(), 3e-2);
  std::vector<torch::Tensor> log_probs, values;
  std::vector<float> rewards;
  std::vector<float> state = {0.1f, -0.2f, 0.3f, 0.4f};
  for (int step = 0; step < 4; ++step) {
    const auto observation = torch::from_blob(state.data(), {4}, torch::kFloat).clone();
    const auto [probabilities, value] = policy->forward(observation);
    const auto action = std::get<1>(probabilities.max(0));
    log_probs.push_back(probabilities[action.item<int64_t>()].log());
    values.push_back(value);
    rewards.push_back(action.item().toInt() == 0 ? 1.0f : 0.5f);
    for (auto& s : state) s = s * 0.9f + 0.05f;
  }
  std::deque<float> returns;
  float discounted = 0;
  for (auto it = rewards.rbegin(); it != rewards.rend(); ++it) returns.push_front(discounted = *it + 0.9f * discounted);
  const auto targets = torch::tensor(std::vector<float>(returns.begin(), returns.end()));
  const auto normal = (targets - targets.mean()) / (targets.std() + 1e-5);
  torch::Tensor loss = torch::zeros({});
  for (size_t i = 0; i < values.size(); ++i) {
    const auto advantage = normal[static_cast<int64_t>(i)] - values[i].item<float>();
    loss =
        loss + -log_probs[i] * advantage + torch::smooth_l1_loss(values[i].squeeze(), normal[static_cast<int64_t>(i)]);
  }
  optimizer.zero_grad();
  loss.backward();
  optimizer.step();
  std::cout << std::fixed << std::setprecision(4) << loss.item<double>() << ' '
            << policy->affine1->weight.sum().item<float>() << '\n';
}

struct Series : torch::nn::Module {
  Series() {
    lstm = register_module("lstm", torch::nn::LSTM(torch::nn::LSTMOptions(1, 6).num_layers(2).batch_first(true)));
    linear = register_module("linear", torch::nn::Linear(6, 1));
  }
  torch::Tensor forward(const torch::Tensor& x) {
    const auto [output, state] = lstm->forward(x);
    TORCH_CHECK(std::get<0>(state).size(0) == 2, "two layers");
    return linear->forward(output).squeeze(-1);
  }
  torch::nn::LSTM lstm{nullptr};
  torch::nn::Linear linear{nullptr};
};

void time_series() {
  Series model;
  settle(model);
  const auto data = torch::sin(torch::linspace(0, 6, 24, torch::kFloat)).view({2, 12});
  const auto input = data.slice(1, 0, 11).unsqueeze(-1), target = data.slice(/*dim=*/1, 1);
  torch::nn::MSELoss criterion;
  torch::optim::LBFGS optimizer(model.parameters(), torch::optim::LBFGSOptions(0.1).max_iter(3));
  for (int i = 0; i < 2; ++i) {
    const auto loss = optimizer.step([&]() {
      optimizer.zero_grad();
      auto l = criterion(model.forward(input), target);
      l.backward();
      return l;
    });
    std::cout << std::setprecision(3) << loss.item<double>() << ' ';
  }
  torch::NoGradGuard no_grad;
  std::cout << criterion->forward(model.forward(input), target).item<float>() << '\n';
}

class Lines : public torch::data::Dataset<Lines> {
 public:
  explicit Lines(const std::string& path) {
    std::ifstream file(path);
    for (int64_t a = 0, b = 0; file >> a >> b;) rows_.emplace_back(a, b);
  }
  torch::data::Example<> get(size_t index) override {
    const auto [a, b] = rows_.at(index);
    return {torch::tensor({static_cast<float>(a), 1.0f}), torch::tensor(b, torch::kLong)};
  }
  torch::optional<size_t> size() const override { return rows_.size(); }

 private:
  std::vector<std::pair<int64_t, int64_t>> rows_;
};

void classifier(torch::Device device) {
  {
    std::ofstream file("lines.txt");
    for (int i = 0; i < 10; ++i) file << i - 5 << ' ' << (i < 5 ? 0 : 1) << '\n';
  }
  auto set = Lines("lines.txt").map(torch::data::transforms::Stack<>());
  const size_t count = set.size().value();
  auto loader = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(
      std::move(set), torch::data::DataLoaderOptions().batch_size(4).workers(0).drop_last(false));
  torch::nn::Sequential net(torch::nn::Linear(2, 4), torch::nn::ReLU(), torch::nn::Dropout(0.0),
                            torch::nn::Linear(4, 2));
  settle(*net);
  net->to(device);
  torch::optim::SGD optimizer(net->parameters(), torch::optim::SGDOptions(0.1).momentum(0.9).weight_decay(1e-4));
  for (size_t epoch = 1; epoch <= 4; ++epoch) {
    net->train();
    double total = 0;
    int64_t correct = 0;
    for (auto& batch : *loader) {
      auto data = batch.data.to(device);
      auto targets = batch.target.to(device);
      auto output = net->forward(data);
      auto loss = torch::nn::functional::cross_entropy(output, targets);
      optimizer.zero_grad();
      loss.backward();
      torch::nn::utils::clip_grad_norm_(net->parameters(), 1.0);
      optimizer.step();
      total += loss.item<double>() * static_cast<double>(data.size(0));
      correct += output.argmax(1).eq(targets).sum().item<int64_t>();
    }
    std::cout << epoch << ": " << std::setprecision(3) << total / static_cast<double>(count) << ' ' << correct << '/'
              << count << ' ' << static_cast<torch::optim::SGDOptions&>(optimizer.param_groups()[0].options()).lr()
              << '\n';
  }
  torch::save(net, "classifier.pt");
  torch::save(optimizer, "optimizer.pt");
  torch::nn::Sequential again(torch::nn::Linear(2, 4), torch::nn::ReLU(), torch::nn::Dropout(0.0),
                              torch::nn::Linear(4, 2));
  torch::load(again, "classifier.pt");
  torch::load(optimizer, "optimizer.pt");
  const auto x = torch::tensor({{1.0, 1.0}, {-3.0, 1.0}});
  std::cout << torch::allclose(again->forward(x), net->forward(x)) << '\n';

  // Transfer: freeze all but a new last layer.
  for (auto& p : again->named_parameters()) p.value().set_requires_grad(false);
  torch::nn::Linear head(2, 3);
  settle(*head);
  std::vector<torch::Tensor> trained;
  for (const auto& p : head->parameters())
    if (p.requires_grad()) trained.push_back(p);
  torch::optim::RMSprop tune(trained, torch::optim::RMSpropOptions(0.01));
  const auto before = head->bias.clone();
  torch::nll_loss(torch::log_softmax(head(again->forward(x)), 1), torch::tensor({2, 0})).backward();
  tune.step();
  std::cout << again->parameters()[0].grad().defined() << (head->bias - before).abs().sum().gt(0).item<bool>() << '\n';
  std::remove("lines.txt");
  std::remove("classifier.pt");
  std::remove("optimizer.pt");
}

int main() {
  const auto begin = std::chrono::steady_clock::now();
  torch::manual_seed(1);
  torch::Device device = torch::cuda::is_available() ? torch::Device(torch::kCUDA, 0) : torch::Device(torch::kCPU);
  std::cout << "on " << device << '\n';
  gan(device);
  reinforcement();
  time_series();
  classifier(device);
  std::mt19937 engine(1);
  std::cout << (engine() > 0 && std::chrono::steady_clock::now() >= begin) << '\n';
}
