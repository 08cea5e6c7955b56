// The same bits on every processor with fused multiply-add and for any number of threads: fingerprints of every op, of
// every optimiser, of trainings and of random numbers against tests/golden/certificate.txt. (Those of the modules are
// compared by the tests that have them, nn_*_test.)
#include "support/certificate.h"

#include <functional>

#include "support/sweep.h"

namespace taut::test {
namespace {

constexpr double kLarge =
    20000;  // elements of the largest tensor of an enlarged sample: whole vectors, and ends of rows

/// With 1 and with 3 threads.
void certify_for_threads(const std::string& what, const std::function<Tensors()>& compute) {
  if (!certifies()) GTEST_SKIP() << "no fused multiply-add here";
  const int before = get_num_threads();
  for (const int threads : {1, 3}) {
    set_num_threads(threads);
    certify(what, compute());
  }
  set_num_threads(before);
}

Tensors results_and_gradients(const Sample& s, const Make& make) {
  Tensors all;
  const std::vector<Value> arguments = s.arguments(make);
  for (const Tensor& t : s.tensors(arguments)) all.push_back(t);
  if (const auto f = Function::of(s, arguments, tensors_in(arguments)))
    for (const Tensor& g : f->gradients(f->leaves(), f->cotangents())) all.push_back(g);
  return all;
}

class Certificate : public Sweep {};
TEST_P(Certificate, HasTheseBits) {
  each([&](const Sample& s) -> std::string {
    if (unpredictable(s.name())) return {};
    certify_for_threads("op " + s.call_text(), [&] {
      Tensors all;
      for (const ScalarType dtype : {kFloat, kDouble})
        for (const bool large : {false, true}) {
          try {
            const int64_t scale = large ? scale_of(s, kLarge) : 1;
            if (large && scale == 1) continue;
            for (const Tensor& t : results_and_gradients(s, {.dtype = dtype, .scale = scale})) all.push_back(t);
          } catch (const Error&) {
            // Other arguments go with the small sizes only, or with one of the dtypes.
          }
        }
      return all;
    });
    return {};
  });
}
TAUT_SWEEP(Certificate);

// ---- optimisers

using MakeOptimizer = std::function<std::unique_ptr<optim::Optimizer>(const Tensors&)>;
template <class O, class Options>
MakeOptimizer with(Options options) {
  return [options](const Tensors& parameters) { return std::make_unique<O>(parameters, options); };
}

const std::vector<std::pair<std::string, MakeOptimizer>>& optimizers() {
  using namespace optim;
  static const std::vector<std::pair<std::string, MakeOptimizer>> all = {
      {"SGD", with<SGD>(SGDOptions(0.1))},
      {"SGD momentum", with<SGD>(SGDOptions(0.1).momentum(0.9).dampening(0.1).weight_decay(0.01))},
      {"SGD nesterov", with<SGD>(SGDOptions(0.1).momentum(0.9).nesterov(true))},
      {"Adam", with<Adam>(AdamOptions(0.01).weight_decay(0.01))},
      {"Adam amsgrad", with<Adam>(AdamOptions(0.01).amsgrad(true))},
      {"AdamW", with<AdamW>(AdamWOptions(0.01))},
      {"Adamax", with<Adamax>(AdamaxOptions(0.01))},
      {"NAdam", with<NAdam>(NAdamOptions(0.01))},
      {"RAdam", with<RAdam>(RAdamOptions(0.01))},
      {"RMSprop", with<RMSprop>(RMSpropOptions(0.01))},
      {"RMSprop centered", with<RMSprop>(RMSpropOptions(0.01).centered(true).momentum(0.9))},
      {"Rprop", with<Rprop>(RpropOptions(0.01))},
      {"ASGD", with<ASGD>(ASGDOptions(0.01))},
      {"Adagrad", with<Adagrad>(AdagradOptions(0.1).lr_decay(0.01))},
      {"Adadelta", with<Adadelta>(AdadeltaOptions(1.0))},
      {"Muon", with<Muon>(MuonOptions(0.01))},
  };
  return all;
}

TEST(CertificateOfOptimizers, TwentyStepsHaveTheseBits) {
  for (const auto& [name, make] : optimizers())
    certify_for_threads("optimizer " + name, [&, &make = make] {
      Tensors all;
      for (const ScalarType dtype : {kFloat, kDouble}) {
        Tensors parameters = {numbers(Kind::Any, 0, {3, 5}, dtype), numbers(Kind::Any, 1, {70, 33}, dtype)};
        for (Tensor& p : parameters) p.requires_grad_();
        const auto optimizer = make(parameters);
        for (int step = 0; step < 20; ++step) {
          for (size_t i = 0; i < parameters.size(); ++i)
            parameters[i].mutable_grad() =
                numbers(Kind::Any, 10 + 2 * step + static_cast<int>(i), parameters[i].sizes(), dtype);
          optimizer->step();
        }
        for (const Tensor& p : parameters) all.push_back(p);
      }
      return all;
    });
}
TEST(CertificateOfOptimizers, LbfgsHasTheseBits) {
  certify_for_threads("optimizer LBFGS", [] {
    Tensor x = numbers(Kind::Any, 0, {40}, kDouble).requires_grad_();
    optim::LBFGS optimizer({x}, optim::LBFGSOptions(0.5).max_iter(20).line_search_fn("strong_wolfe"));
    optimizer.step([&] {
      optimizer.zero_grad();
      Tensor loss = (x.exp() + x * x).sum();
      loss.backward();
      return loss;
    });
    return Tensors{x};
  });
}

// ---- trainings

/// Twenty steps from a seed; the losses and what became of the parameters.
template <class Model, class Optimizer>
Tensors train(Model& model, Optimizer& optimizer, const std::function<Tensor()>& loss_of) {
  Tensors all;
  for (int step = 0; step < 20; ++step) {
    optimizer.zero_grad();
    Tensor loss = loss_of();
    loss.backward();
    optimizer.step();
    all.push_back(loss.detach());
  }
  for (const Tensor& p : model->parameters()) all.push_back(p);
  return all;
}

TEST(CertificateOfTrainings, MlpHasTheseBits) {
  certify_for_threads("training MLP", [] {
    manual_seed(1);
    const Tensor x = randn({50, 37}), y = randint(0, 10, {50}, kLong);
    nn::Sequential model{nn::Linear(37, 129), nn::GELU(), nn::Dropout(0.1),
                         nn::Linear(129, 65), nn::Tanh(), nn::Linear(65, 10)};
    optim::Adam optimizer(model->parameters(), optim::AdamOptions(0.01));
    return train(model, optimizer, [&] { return cross_entropy_loss(model->forward(x), y); });
  });
}
TEST(CertificateOfTrainings, CnnHasTheseBits) {
  certify_for_threads("training CNN", [] {
    manual_seed(2);
    const Tensor x = randn({4, 3, 32, 32}), y = randint(0, 10, {4}, kLong);
    nn::Sequential model{nn::Conv2d(nn::Conv2dOptions(3, 32, 7).stride(2).padding(3)),
                         nn::BatchNorm2d(32),
                         nn::ReLU(),
                         nn::Conv2d(nn::Conv2dOptions(32, 48, 3).padding(1)),
                         nn::GroupNorm(4, 48),
                         nn::SiLU(),
                         nn::Conv2d(nn::Conv2dOptions(48, 48, 5).padding(2).groups(48)),
                         nn::Conv2d(nn::Conv2dOptions(48, 32, 3).stride(2).padding(1)),
                         nn::AdaptiveAvgPool2d(2),
                         nn::Flatten(),
                         nn::Linear(128, 10)};
    optim::SGD optimizer(model->parameters(), optim::SGDOptions(0.05).momentum(0.9));
    return train(model, optimizer, [&] { return cross_entropy_loss(model->forward(x), y); });
  });
}
TEST(CertificateOfTrainings, LstmHasTheseBits) {
  certify_for_threads("training LSTM", [] {
    manual_seed(3);
    const Tensor x = randn({19, 6, 24}), y = randn({6, 5});
    nn::LSTM lstm(nn::LSTMOptions(24, 52).num_layers(2).bidirectional(true));
    nn::Linear head(104, 5);
    nn::ModuleList model(lstm, head);
    optim::RMSprop optimizer(model->parameters(), optim::RMSpropOptions(0.003));
    return train(model, optimizer, [&] { return mse_loss(head(std::get<0>(lstm(x)).mean(0)), y); });
  });
}
TEST(CertificateOfTrainings, TransformerHasTheseBits) {
  certify_for_threads("training transformer", [] {
    manual_seed(4);
    const Tensor x = randn({3, 75, 48}), y = randn({3, 75, 48});
    nn::TransformerEncoder model(nn::TransformerEncoderOptions(
        nn::TransformerEncoderLayerOptions(48, 4).dim_feedforward(100).dropout(0.1).activation(kGELU).batch_first(true),
        2));
    optim::AdamW optimizer(model->parameters(), optim::AdamWOptions(0.003));
    return train(model, optimizer, [&] { return mse_loss(model(x), y); });
  });
}

// ---- random numbers

TEST(CertificateOfRandomNumbers, StreamsHaveTheseBits) {
  const std::vector<std::pair<std::string, std::function<Tensor(const TensorOptions&)>>> streams = {
      {"rand", [](const TensorOptions& o) { return rand({1003}, o); }},
      {"randn", [](const TensorOptions& o) { return randn({1003}, o); }},
      {"randn of few", [](const TensorOptions& o) { return randn({13}, o); }},
      {"exponential", [](const TensorOptions& o) { return empty({1003}, o).exponential_(); }},
      {"cauchy", [](const TensorOptions& o) { return empty({1003}, o).cauchy_(); }},
      {"log_normal", [](const TensorOptions& o) { return empty({1003}, o).log_normal_(); }},
      {"geometric", [](const TensorOptions& o) { return empty({1003}, o).geometric_(0.3); }},
      {"bernoulli", [](const TensorOptions& o) { return empty({1003}, o).bernoulli_(0.3); }},
      {"multinomial", [](const TensorOptions& o) { return multinomial(rand({40}, o), 25); }},
      {"randint", [](const TensorOptions& o) { return randint(0, 1000, {1003}, o); }},
      {"randperm", [](const TensorOptions&) { return randperm(1003); }},
  };
  for (const auto& [name, draw] : streams)
    certify_for_threads("random " + name, [&, &draw = draw] {
      Tensors all;
      for (const ScalarType dtype : {kFloat, kDouble}) {
        manual_seed(5);
        all.push_back(draw(TensorOptions().dtype(dtype)));
        all.push_back(draw(TensorOptions().dtype(dtype)));
      }
      return all;
    });
}

}  // namespace
}  // namespace taut::test
