// A program written for libtorch, not a letter of it for Taut: taut::torch compiles it as it is, and so does libtorch.
#include <torch/torch.h>

#include <cmath>
#include <iostream>

struct Net : torch::nn::Module {
  Net() : conv1(torch::nn::Conv2dOptions(1, 4, /*kernel_size=*/3).padding(1)), fc1(4 * 4 * 4, 16), fc2(16, 3) {
    register_module("conv1", conv1);
    register_module("drop", drop);
    register_module("fc1", fc1);
    register_module("fc2", fc2);
  }
  torch::Tensor forward(torch::Tensor x) {
    x = torch::relu(torch::max_pool2d(conv1->forward(x), 2));
    x = drop(x).view({-1, 4 * 4 * 4});
    x = torch::relu(fc1->forward(x));
    x = torch::dropout(x, /*p=*/0.1, /*train=*/is_training());
    return torch::log_softmax(fc2->forward(x), /*dim=*/1);
  }
  torch::nn::Conv2d conv1;
  torch::nn::Dropout2d drop{torch::nn::Dropout2dOptions(0.1)};
  torch::nn::Linear fc1, fc2;
};

struct BlockImpl : torch::nn::Module {
  explicit BlockImpl(int64_t width)
      : layers(torch::nn::Linear(torch::nn::LinearOptions(width, width).bias(false)), torch::nn::BatchNorm1d(width),
               torch::nn::ReLU(torch::nn::ReLUOptions().inplace(true)), torch::nn::Functional(torch::tanh)) {
    register_module("layers", layers);
  }
  torch::Tensor forward(const torch::Tensor& x) { return x + layers->forward(x); }
  torch::nn::Sequential layers;
};
TORCH_MODULE(Block);

/// Images of a bright row, whose number is the class.
class Rows : public torch::data::datasets::Dataset<Rows> {
 public:
  torch::data::Example<> get(size_t index) override {
    const auto row = static_cast<int64_t>(index % 3);
    torch::Tensor image = torch::rand({1, 8, 8}) * 0.1;
    image.index_put_({0, torch::indexing::Slice(2 * row, 2 * row + 2)}, 1.0);
    return {image, torch::tensor(row, torch::kLong)};
  }
  torch::optional<size_t> size() const override { return 96; }
};

class Cube : public torch::autograd::Function<Cube> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* ctx, const torch::Tensor& x) {
    ctx->save_for_backward({x});
    return x * x * x;
  }
  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* ctx,
                                               torch::autograd::tensor_list grad_outputs) {
    const torch::Tensor x = ctx->get_saved_variables()[0];
    return {3 * x * x * grad_outputs[0]};
  }
};

template <typename DataLoader>
float train(Net& model, torch::Device device, DataLoader& data_loader, torch::optim::Optimizer& optimizer) {
  model.train();
  float last = 0;
  for (auto& batch : data_loader) {
    auto data = batch.data.to(device), targets = batch.target.to(device);
    optimizer.zero_grad();
    auto output = model.forward(data);
    auto loss = torch::nll_loss(output, targets);
    AT_ASSERT(!std::isnan(loss.template item<float>()));
    loss.backward();
    torch::nn::utils::clip_grad_norm_(model.parameters(), 5.0);
    optimizer.step();
    last = loss.template item<float>();
  }
  return last;
}

int main() {
  torch::manual_seed(1);
  const torch::DeviceType device_type = torch::cuda::is_available() ? torch::kCUDA : torch::kCPU;
  torch::Device device(device_type);

  Net model;
  model.to(device);
  auto dataset = Rows().map(torch::data::transforms::Normalize<>(0.3, 0.4)).map(torch::data::transforms::Stack<>());
  const size_t dataset_size = dataset.size().value();
  auto loader = torch::data::make_data_loader<torch::data::samplers::RandomSampler>(
      std::move(dataset), torch::data::DataLoaderOptions().batch_size(16).workers(2));
  torch::optim::Adam optimizer(model.parameters(), torch::optim::AdamOptions(0.01).betas({0.9, 0.99}));
  torch::optim::StepLR scheduler(optimizer, /*step_size=*/5, /*gamma=*/0.5);
  float loss = 0;
  for (int epoch = 0; epoch < 10; ++epoch) {
    loss = train(model, device, *loader, optimizer);
    scheduler.step();
  }
  TORCH_CHECK(dataset_size == 96 && loss < 0.2, "did not learn: the loss is ", loss);

  torch::nn::Sequential net(Block(4), torch::nn::Linear(4, 1));
  torch::optim::SGD sgd(net->parameters(), torch::optim::SGDOptions(0.05).momentum(0.9));
  const auto x = torch::randn({32, 4}), y = x.sum(1, /*keepdim=*/true);
  for (int step = 0; step < 100; ++step) {
    sgd.zero_grad();
    torch::nn::functional::mse_loss(net->forward(x), y).backward();
    sgd.step();
  }
  net->eval();
  const double error = torch::mse_loss(net->forward(x), y).item<double>();
  TORCH_CHECK(error < 0.5, "did not fit: the error is ", error);

  torch::NoGradGuard no_grad;
  torch::save(net, "net.pt");
  torch::nn::Sequential again(Block(4), torch::nn::Linear(4, 1));
  torch::load(again, "net.pt");
  again->eval();
  TORCH_CHECK(torch::allclose(net->forward(x), again->forward(x)), "the loaded model differs");

  torch::AutoGradMode grad(true);
  const auto t = torch::tensor({2.0}, torch::requires_grad());
  Cube::apply(t).backward();
  TORCH_CHECK(t.grad().item<double>() == 12, "Cube");
  std::cout << "ok\n";
}
