// Optimisers and schedulers of a program's own, written as libtorch has them; groups, states, options.
#include <torch/torch.h>

#include <cmath>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <vector>

template <class F>
void says(const char* what, F&& f, size_t length = 60) {
  try {
    f();
    std::cout << what << ": nothing\n";
  } catch (const std::exception& e) {
    const std::string text = e.what();
    std::cout << what << ": " << text.substr(0, std::min(length, text.find('\n'))) << '\n';
  }
}

namespace mine {
using torch::optim::Optimizer;
using torch::optim::OptimizerParamGroup;

struct MomentumOptions : torch::optim::OptimizerCloneableOptions<MomentumOptions> {
  explicit MomentumOptions(double lr = 0.1) : lr_(lr) {}
  TORCH_ARG(double, lr);
  TORCH_ARG(double, momentum) = 0.5;
  TORCH_ARG(std::optional<int64_t>, limit) = std::nullopt;

 public:
  void serialize(torch::serialize::InputArchive& archive) override {
    _TORCH_OPTIM_DESERIALIZE_TORCH_ARG(double, lr);
    _TORCH_OPTIM_DESERIALIZE_TORCH_ARG(double, momentum);
    _TORCH_OPTIM_DESERIALIZE_TORCH_ARG_OPTIONAL(int64_t, limit);
  }
  void serialize(torch::serialize::OutputArchive& archive) const override {
    _TORCH_OPTIM_SERIALIZE_TORCH_ARG(lr);
    _TORCH_OPTIM_SERIALIZE_TORCH_ARG(momentum);
    _TORCH_OPTIM_SERIALIZE_TORCH_ARG(limit);
  }
  double get_lr() const override { return lr(); }
  void set_lr(const double lr) override { this->lr(lr); }
};

struct MomentumParamState : torch::optim::OptimizerCloneableParamState<MomentumParamState> {
  TORCH_ARG(int64_t, step) = 0;
  TORCH_ARG(torch::Tensor, velocity);
  TORCH_ARG(torch::Tensor, unused);

 public:
  void serialize(torch::serialize::InputArchive& archive) override {
    _TORCH_OPTIM_DESERIALIZE_TORCH_ARG(int64_t, step);
    _TORCH_OPTIM_DESERIALIZE_TORCH_ARG(torch::Tensor, velocity);
    _TORCH_OPTIM_DESERIALIZE_TORCH_ARG(torch::Tensor, unused);
  }
  void serialize(torch::serialize::OutputArchive& archive) const override {
    _TORCH_OPTIM_SERIALIZE_TORCH_ARG(step);
    _TORCH_OPTIM_SERIALIZE_TORCH_ARG(velocity);
    _TORCH_OPTIM_SERIALIZE_TORCH_ARG(unused);
  }
};

class Momentum : public Optimizer {
 public:
  explicit Momentum(const std::vector<OptimizerParamGroup>& groups, MomentumOptions defaults = MomentumOptions())
      : Optimizer(groups, std::make_unique<MomentumOptions>(defaults)) {
    TORCH_CHECK(defaults.lr() >= 0, "Invalid learning rate: ", defaults.lr());
  }
  explicit Momentum(std::vector<torch::Tensor> params, MomentumOptions defaults = MomentumOptions())
      : Momentum({OptimizerParamGroup(std::move(params))}, defaults) {}

  torch::Tensor step(LossClosure closure = nullptr) override {
    torch::NoGradGuard no_grad;
    torch::Tensor loss = {};
    if (closure != nullptr) {
      torch::AutoGradMode enable_grad(true);
      loss = closure();
    }
    for (auto& group : param_groups_) {
      auto& options = static_cast<MomentumOptions&>(group.options());
      for (auto& p : group.params()) {
        if (!p.grad().defined()) continue;
        const auto found = state_.find(p.unsafeGetTensorImpl());
        if (found == state_.end()) {
          auto state = std::make_unique<MomentumParamState>();
          state->velocity(torch::zeros_like(p));
          state_[p.unsafeGetTensorImpl()] = std::move(state);
        }
        auto& state = static_cast<MomentumParamState&>(*state_[p.unsafeGetTensorImpl()]);
        state.step(state.step() + 1);
        state.velocity().mul_(options.momentum()).add_(p.grad());
        p.add_(state.velocity(), -options.lr());
      }
    }
    return loss;
  }
  void save(torch::serialize::OutputArchive& archive) const override { serialize(*this, archive); }
  void load(torch::serialize::InputArchive& archive) override { serialize(*this, archive); }

 private:
  template <typename Self, typename Archive>
  static void serialize(Self& self, Archive& archive) {
    _TORCH_OPTIM_SERIALIZE_WITH_TEMPLATE_ARG(Momentum);
  }
};

/// Without a rate, and without saving.
struct PlainOptions : torch::optim::OptimizerCloneableOptions<PlainOptions> {
  TORCH_ARG(double, factor) = 2;
};
class Plain : public Optimizer {
 public:
  explicit Plain(std::vector<torch::Tensor> params) : Optimizer(std::move(params), std::make_unique<PlainOptions>()) {}
  torch::Tensor step(LossClosure closure = nullptr) override { return closure ? closure() : torch::Tensor(); }
};

class Halve : public torch::optim::LRScheduler {
 public:
  explicit Halve(torch::optim::Optimizer& optimizer) : LRScheduler(optimizer) {}

 private:
  std::vector<double> get_lrs() override {
    auto rates = get_current_lrs();
    if (step_count_ > 0)
      for (auto& rate : rates) rate /= 2;
    return rates;
  }
};
}  // namespace mine

int main() {
  auto w = torch::full({2}, 4.0, torch::requires_grad()), v = torch::full({1}, 2.0, torch::requires_grad());
  const auto loss_of = [&] { return w.pow(2).sum() + v.pow(2).sum(); };
  mine::Momentum optimizer({w, v}, mine::MomentumOptions(0.1).limit(3));
  const auto step = [&](torch::optim::Optimizer& o) {
    return o.step([&] {
      o.zero_grad();
      auto loss = loss_of();
      loss.backward();
      return loss;
    });
  };
  for (int i = 0; i < 3; ++i) std::cout << step(optimizer).item<float>() << ' ';
  std::cout << w << v << '\n';
  std::cout << optimizer.state().size() << optimizer.param_groups().size() << optimizer.size()
            << optimizer.parameters().size() << static_cast<mine::MomentumOptions&>(optimizer.defaults()).momentum()
            << '\n';
  std::stringstream file;
  torch::save(optimizer, file);
  auto w2 = torch::full({2}, 4.0, torch::requires_grad()), v2 = torch::full({1}, 2.0, torch::requires_grad());
  mine::Momentum again({w2, v2}, mine::MomentumOptions(0.7));
  torch::load(again, file);
  auto& loaded = static_cast<mine::MomentumOptions&>(again.param_groups()[0].options());
  auto& state = static_cast<mine::MomentumParamState&>(*again.state().at(w2.unsafeGetTensorImpl()));
  std::cout << loaded.lr() << loaded.limit().value() << state.step() << state.velocity() << state.unused().defined()
            << '\n';
  says("groups", [&] {
    std::stringstream one;
    torch::save(optimizer, one);
    mine::Momentum two({torch::optim::OptimizerParamGroup({w2}), torch::optim::OptimizerParamGroup({v2})});
    torch::load(two, one);
  });
  says("sizes", [&] {
    std::stringstream one;
    torch::save(optimizer, one);
    mine::Momentum two({w2});
    torch::load(two, one);
  });
  says("bad rate", [&] { mine::Momentum({w2}, mine::MomentumOptions(-1)); });

  mine::Plain plain({w2});
  std::cout << plain.step([] { return torch::tensor(3.5); }).item<float>() << plain.step().defined() << '\n';
  says("no rate", [&] { plain.param_groups()[0].options().get_lr(); });
  says("no rate", [&] { plain.param_groups()[0].options().set_lr(1); });

  // schedulers
  mine::Halve halve(optimizer);
  for (int i = 0; i < 3; ++i) {
    halve.step();
    std::cout << optimizer.param_groups()[0].options().get_lr() << ' ';
  }
  std::cout << '\n';
  torch::optim::SGD sgd({w2, v2}, 0.4);
  torch::optim::StepLR every_second(sgd, 2, 0.5);
  for (int i = 0; i < 6; ++i) {
    sgd.step();
    every_second.step();
    std::cout << sgd.param_groups()[0].options().get_lr() << ' ';
  }
  std::cout << '\n';
  torch::optim::ReduceLROnPlateauScheduler plateau(sgd, torch::optim::ReduceLROnPlateauScheduler::min, 0.5, 1);
  for (float metric : {3.f, 2.f, 2.f, 2.f, 2.f, 1.f, 1.f, 1.f}) {
    plateau.step(metric);
    std::cout << sgd.param_groups()[0].options().get_lr() << ' ';
  }
  std::cout << '\n';

  // groups with options of their own
  std::vector<torch::optim::OptimizerParamGroup> groups;
  groups.emplace_back(std::vector<torch::Tensor>{w2},
                      std::make_unique<torch::optim::AdamOptions>(torch::optim::AdamOptions(0.5).weight_decay(0.1)));
  groups.emplace_back(std::vector<torch::Tensor>{v2});
  torch::optim::Adam adam(groups, torch::optim::AdamOptions(0.25).eps(1e-6));
  for (auto& group : adam.param_groups()) {
    const auto& o = static_cast<torch::optim::AdamOptions&>(group.options());
    std::cout << o.lr() << ' ' << o.weight_decay() << ' ' << o.eps() << ' ' << std::get<1>(o.betas()) << ' '
              << o.amsgrad() << ' ' << group.params().size() << group.has_options() << '\n';
  }
  for (auto& group : adam.param_groups()) group.options().set_lr(0.125);
  for (auto& group : adam.param_groups()) static_cast<torch::optim::AdamOptions&>(group.options()).lr(0.0625);
  std::cout << adam.param_groups()[1].options().get_lr() << '\n';
  auto u = torch::ones({1}, torch::requires_grad());
  adam.add_param_group(torch::optim::OptimizerParamGroup({u}));
  std::cout << adam.param_groups().size() << adam.size() << '\n';
  (w2.sum() + v2.sum() * 2 + u.sum()).backward();
  adam.step();
  const auto& of_w = static_cast<torch::optim::AdamParamState&>(*adam.state().at(w2.unsafeGetTensorImpl()));
  std::cout << of_w.step() << of_w.exp_avg() << of_w.max_exp_avg_sq().defined() << '\n';
  adam.zero_grad();
  std::cout << w2.grad().defined() << '\n';
  auto copied = adam.state().at(w2.unsafeGetTensorImpl())->clone();
  std::cout << (static_cast<torch::optim::AdamParamState&>(*copied) == of_w)
            << (torch::optim::SGDOptions(0.1) == torch::optim::SGDOptions(0.1))
            << (torch::optim::SGDOptions(0.1) == torch::optim::SGDOptions(0.2)) << '\n';

  // no parameters yet
  torch::optim::LBFGS lbfgs(std::vector<torch::Tensor>{}, 1.0);
  lbfgs.add_parameters({torch::ones({2}, torch::requires_grad())});
  std::cout << lbfgs.size() << '\n';
  torch::optim::SGD none(std::vector<torch::Tensor>{}, 0.1);
  none.step();
  none.zero_grad();
  std::cout << none.size() << '\n';
  says("rate", [] { torch::optim::SGD({torch::ones({1}, torch::requires_grad())}, -0.5); });
  says("eps",
       [] { torch::optim::Adam({torch::ones({1}, torch::requires_grad())}, torch::optim::AdamOptions(0.1).eps(-1)); });
  says("beta", [] {
    torch::optim::AdamW({torch::ones({1}, torch::requires_grad())}, torch::optim::AdamWOptions(0.1).betas({1.5, 0.9}));
  });
  says("momentum", [] {
    torch::optim::RMSprop({torch::ones({1}, torch::requires_grad())}, torch::optim::RMSpropOptions(0.1).momentum(-1));
  });
  says("decay", [] {
    torch::optim::Adagrad({torch::ones({1}, torch::requires_grad())}, torch::optim::AdagradOptions(0.1).lr_decay(-1));
  });
  says("nesterov", [] {
    torch::optim::SGD({torch::ones({1}, torch::requires_grad())}, torch::optim::SGDOptions(0.1).nesterov(true));
  });
  says(
      "leaf", [] { torch::optim::SGD({torch::ones({1}, torch::requires_grad()) * 2}, 0.1); }, 32);
}
