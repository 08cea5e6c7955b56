// Programs that add to libtorch's namespaces.
#include <torch/torch.h>

#include <iostream>

namespace torch {
Tensor twice(const Tensor& x) { return x + x; }
namespace nn {
class ScaleImpl : public Cloneable<ScaleImpl> {
 public:
  explicit ScaleImpl(int64_t size) : size_(size) { reset(); }
  void reset() override { weight = register_parameter("weight", torch::full({size_}, 3.0)); }
  Tensor forward(const Tensor& input) { return functional::relu(input * weight); }
  Tensor weight;

 private:
  int64_t size_;
};
TORCH_MODULE(Scale);
namespace functional {
inline Tensor scaled(const Tensor& x, double by) {
  return mse_loss(x * by, torch::zeros_like(x), MSELossFuncOptions(kSum));
}
}  // namespace functional
namespace init {
inline Tensor threes_(Tensor t) { return constant_(t, 3); }
}  // namespace init
}  // namespace nn
namespace optim {
class Plain : public Optimizer {
 public:
  explicit Plain(std::vector<Tensor> parameters, double lr)
      : Optimizer({OptimizerParamGroup(std::move(parameters))}, std::make_unique<SGDOptions>(lr)), lr_(lr) {}
  Tensor step(LossClosure closure = nullptr) override {
    NoGradGuard no_grad;
    Tensor loss = closure ? closure() : Tensor();
    for (auto& group : param_groups())
      for (auto& p : group.params())
        if (p.grad().defined()) p.add_(p.grad(), -lr_);
    return loss;
  }

 private:
  double lr_;
};
}  // namespace optim
namespace data::datasets {
struct Squares : Dataset<Squares> {
  Example<> get(size_t i) override {
    const auto x = static_cast<double>(i);
    return {torch::tensor({x}), torch::tensor({x * x})};
  }
  optional<size_t> size() const override { return 6; }
};
}  // namespace data::datasets
}  // namespace torch

namespace at {
Tensor halved(const Tensor& x) { return mul(x, 0.5); }
namespace native {
Tensor cubed(const Tensor& x) { return x * x * x; }
}  // namespace native
}  // namespace at

namespace c10 {
struct Marker {
  DeviceType type = kCPU;
};
}  // namespace c10

namespace mine {
using namespace torch;
nn::Linear make() { return nn::Linear(nn::LinearOptions(2, 1).bias(false)); }
struct NetImpl : nn::Module {
  NetImpl() : first(register_module("first", nn::Linear(2, 2))), scale(register_module("scale", nn::Scale(2))) {}
  Tensor forward(Tensor x) { return scale(first(x)); }
  nn::Linear first;
  nn::Scale scale;
};
TORCH_MODULE(Net);
}  // namespace mine

namespace F = torch::nn::functional;

int main() {
  torch::manual_seed(0);
  const auto x = torch::arange(4, torch::kFloat).reshape({2, 2}) - 1;
  std::cout << torch::twice(x) << '\n' << at::halved(x) << '\n' << torch::halved(x) << '\n';
  std::cout << at::native::cubed(x) << '\n' << torch::nn::Scale(2)(x) << '\n' << F::scaled(x, 2) << '\n';
  auto t = torch::zeros({2});
  torch::nn::init::threes_(t);
  std::cout << t << '\n' << (c10::Marker().type == at::kCPU) << '\n';
  std::cout << mine::make()->weight.sizes() << '\n' << mine::Net()(x).sizes() << '\n';
  for (const auto& p : mine::Net()->named_parameters()) std::cout << p.key() << ' ' << p.value().sizes() << '\n';

  auto loader = torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(
      torch::data::datasets::Squares().map(torch::data::transforms::Stack<>()), 3);
  for (auto& batch : *loader) std::cout << batch.target.flatten() << '\n';

  auto w = torch::full({1}, 5.0).requires_grad_();
  torch::optim::Plain plain({w}, 0.1);
  for (int i = 0; i < 3; ++i) {
    plain.zero_grad();
    (w * w).sum().backward();
    plain.step();
  }
  std::cout << w.item<float>() << '\n';
  using namespace torch::nn;
  Sequential net(Linear(2, 3), ReLU(), Functional(torch::twice));
  std::cout << net->forward(x).sizes() << ' ' << functional::relu(x).sum().item<float>() << '\n';
}
