#include "taut/optim/adam.h"

#include "optim/fused_step.h"
#include "taut/optim/adamw.h"

namespace taut::optim {
namespace {

void check_adam(const auto& o) {
  check_lr(o.lr());
  check_value("epsilon", o.eps());
  check_betas(o.betas());
  check_value("weight_decay", o.weight_decay());
}

constexpr auto prepare = [](const auto& o, auto& s, const Tensor& p, FusedParam& item) {
  if (!s.exp_avg().defined()) s.exp_avg(zeros_like(p)), s.exp_avg_sq(zeros_like(p));
  if (o.amsgrad() && !s.max_exp_avg_sq().defined()) s.max_exp_avg_sq(zeros_like(p));
  item.state = {&s.exp_avg(), &s.exp_avg_sq(), &s.max_exp_avg_sq()};
  item.step = s.step() + 1;
};

}  // namespace

void AdamOptions::check() const { check_adam(*this); }
Fields AdamOptions::fields() {
  return {{"lr", &lr_},
          {"betas", &betas_},
          {"eps", &eps_},
          {"weight_decay", &weight_decay_},
          {"amsgrad", &amsgrad_},
          {"maximize", &maximize_},
          {"decoupled_weight_decay", &decoupled_weight_decay_}};
}
Fields AdamParamState::fields() {
  return {{"step", &step_},
          {"exp_avg", &exp_avg_},
          {"exp_avg_sq", &exp_avg_sq_},
          {"max_exp_avg_sq", &max_exp_avg_sq_, false}};
}

Tensor Adam::step(LossClosure closure) {
  Tensor loss = evaluate(closure);
  fused_step(
      prepare,
      [](const AdamOptions& o, FusedParams items) {
        const auto [beta1, beta2] = o.betas();
        if (o.decoupled_weight_decay())
          _fused_adamw_(items, o.lr(), beta1, beta2, o.weight_decay(), o.eps(), o.amsgrad(), o.maximize());
        else _fused_adam_(items, o.lr(), beta1, beta2, o.weight_decay(), o.eps(), o.amsgrad(), o.maximize());
      },
      count_step);
  return loss;
}

void AdamWOptions::check() const { check_adam(*this); }
Fields AdamWOptions::fields() {
  return {{"lr", &lr_},           {"betas", &betas_},      {"eps", &eps_}, {"weight_decay", &weight_decay_},
          {"amsgrad", &amsgrad_}, {"maximize", &maximize_}};
}
Fields AdamWParamState::fields() {
  return {{"step", &step_},
          {"exp_avg", &exp_avg_},
          {"exp_avg_sq", &exp_avg_sq_},
          {"max_exp_avg_sq", &max_exp_avg_sq_, false}};
}

Tensor AdamW::step(LossClosure closure) {
  Tensor loss = evaluate(closure);
  fused_step(
      prepare,
      [](const AdamWOptions& o, FusedParams items) {
        const auto [beta1, beta2] = o.betas();
        _fused_adamw_(items, o.lr(), beta1, beta2, o.weight_decay(), o.eps(), o.amsgrad(), o.maximize());
      },
      count_step);
  return loss;
}

}  // namespace taut::optim
