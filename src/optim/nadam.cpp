#include "taut/optim/nadam.h"

#include "optim/fused_step.h"
#include "taut/core/maths.h"

namespace taut::optim {

void NAdamOptions::check() const {
  check_lr(lr_);
  check_value("epsilon", eps_);
  check_betas(betas_);
  check_value("weight_decay", weight_decay_);
  check_value("momentum_decay", momentum_decay_);
}
Fields NAdamOptions::fields() {
  return {{"lr", &lr_},
          {"betas", &betas_},
          {"eps", &eps_},
          {"weight_decay", &weight_decay_},
          {"momentum_decay", &momentum_decay_},
          {"decoupled_weight_decay", &decoupled_weight_decay_},
          {"maximize", &maximize_}};
}
Fields NAdamParamState::fields() {
  return {{"step", &step_}, {"mu_product", &mu_product_}, {"exp_avg", &exp_avg_}, {"exp_avg_sq", &exp_avg_sq_}};
}

Tensor NAdam::step(LossClosure closure) {
  Tensor loss = evaluate(closure);
  fused_step(
      [](const NAdamOptions&, NAdamParamState& s, const Tensor& p, FusedParam& item) {
        if (!s.exp_avg().defined()) s.exp_avg(zeros_like(p)), s.exp_avg_sq(zeros_like(p));
        item.state = {&s.exp_avg(), &s.exp_avg_sq()};
        item.step = s.step() + 1;
        item.mu = s.mu_product();
      },
      [](const NAdamOptions& o, FusedParams items) {
        const auto [beta1, beta2] = o.betas();
        _fused_nadam_(items, o.lr(), beta1, beta2, o.eps(), o.weight_decay(), o.momentum_decay(),
                      o.decoupled_weight_decay(), o.maximize());
      },
      [](const NAdamOptions& o, NAdamParamState& s, const FusedParam& item) {
        s.step(item.step);
        const double mu = 1 - 0.5 * maths::pow(0.96, static_cast<double>(item.step) * o.momentum_decay());
        s.mu_product(s.mu_product() * (std::get<0>(o.betas()) * mu));
      });
  return loss;
}

}  // namespace taut::optim
