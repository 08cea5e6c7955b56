// Not for libtorch: what Python has for training and libtorch has not, under Python's names.
#include <torch/torch.h>

#include <cstdlib>
#include <iostream>

#define EXPECT(condition)                                                    \
  if (!(condition)) {                                                        \
    std::cerr << __FILE__ << ':' << __LINE__ << ": " #condition " failed\n"; \
    std::exit(1);                                                            \
  }

/// x squared, with a tangent of its own.
struct Square : torch::autograd::Function<Square> {
  static torch::Tensor forward(torch::autograd::AutogradContext* ctx, const torch::Tensor& x) {
    ctx->save_for_backward({x});
    ctx->save_for_forward({x});
    return x * x;
  }
  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* ctx,
                                               torch::autograd::tensor_list grads) {
    return {grads[0] * 2 * ctx->get_saved_variables()[0]};
  }
  static torch::autograd::tensor_list jvp(torch::autograd::AutogradContext* ctx,
                                          torch::autograd::tensor_list tangents) {
    ++calls;
    return {tangents[0] * 2 * ctx->get_saved_variables()[0]};
  }
  static inline int calls = 0;
};

int main() {
  torch::manual_seed(0);
  torch::nn::Sequential net(torch::nn::Linear(4, 8), torch::nn::Dropout(0.5), torch::nn::Tanh(),
                            torch::nn::Linear(8, 1));
  const auto x = torch::randn({16, 4}, torch::requires_grad()), y = torch::randn({16, 1});

  // Checkpointing draws the same random numbers again.
  torch::manual_seed(1);
  const auto plain = torch::autograd::grad({net->forward(x).sum()}, {x})[0];
  torch::manual_seed(1);
  const auto z = torch::utils::checkpoint([&](const torch::Tensor& t) { return net->forward(t); }, x);
  EXPECT(torch::equal(torch::autograd::grad({z.sum()}, {x})[0], plain));
  torch::manual_seed(1);
  EXPECT(torch::equal(torch::autograd::grad({torch::utils::checkpoint_sequential(net, 2, x).sum()}, {x})[0], plain));

  {  // What backward keeps, in another form.
    int packed = 0;
    torch::Tensor loss;
    {
      torch::autograd::graph::saved_tensors_hooks hooks(
          [&](const torch::Tensor& t) {
            ++packed;
            return t.to(torch::kBFloat16);
          },
          [](const torch::Tensor& t) { return t.to(torch::kFloat); });
      loss = x.exp().sum();
    }
    EXPECT(packed == 1 && torch::allclose(torch::autograd::grad({loss}, {x})[0], x.exp(), 1e-2));
  }

  {  // Forward mode through a Function of the program.
    torch::autograd::forward_ad::DualLevel level;
    const auto dual = torch::autograd::forward_ad::make_dual(x.detach(), torch::ones({16, 4}));
    const auto tangent = torch::autograd::forward_ad::unpack_dual(Square::apply(dual)).tangent;
    EXPECT(Square::calls == 1 && torch::equal(tangent, 2 * x.detach()));
  }

  // Mixed precision's scaling, and an average of the weights.
  torch::optim::SGD sgd(net->parameters(), 0.01);
  torch::amp::GradScaler scaler(torch::amp::GradScalerOptions().init_scale(1024).growth_interval(5));
  torch::optim::swa_utils::AveragedModel ema(net, torch::optim::swa_utils::get_ema_multi_avg_fn(0.9));
  torch::optim::CosineAnnealingLR schedule(sgd, /*T_max=*/10);
  for (int step = 0; step < 10; ++step) {
    sgd.zero_grad();
    scaler.scale(torch::mse_loss(net->forward(x), y)).backward();
    scaler.step(sgd);
    scaler.update();
    ema.update_parameters(net);
    schedule.step();
  }
  EXPECT(scaler.get_scale() == 4096 && ema.n_averaged() == 10);
  EXPECT(ema.module<torch::nn::Sequential>()->forward(x).sizes() == y.sizes());
  std::cout << "ok\n";
}
