#include "taut/optim/muon.h"

#include <algorithm>
#include <cmath>

#include "optim/checks.h"
#include "taut/autograd.h"
#include "taut/factories.h"

namespace taut::optim {

template class OptimizerCloneableOptions<MuonOptions>;
template class OptimizerCloneableParamState<MuonParamState>;
template class OptimizerOf<MuonOptions, MuonParamState>;

void MuonOptions::check() const {
  taut::check<ValueError>(lr_ >= 0 && std::isfinite(lr_), "Learning rate should be >= 0 but is: ", lr_);
  taut::check<ValueError>(momentum_ >= 0 && std::isfinite(momentum_), "momentum should be >= 0 but is: ", momentum_);
  taut::check<ValueError>(weight_decay_ >= 0 && std::isfinite(weight_decay_),
                          "weight decay should be >= 0 but is: ", weight_decay_);
  check_value("epsilon", eps_);
  taut::check<ValueError>(ns_steps_ >= 0 && ns_steps_ < 100,
                          "Number of steps must be less than 100 for computational efficiency, got ", ns_steps_);
  taut::check<ValueError>(!adjust_lr_fn_ || *adjust_lr_fn_ == "original" || *adjust_lr_fn_ == "match_rms_adamw",
                          "Adjust learning rate function ", adjust_lr_fn_.value_or(""), " is not supported");
}
void MuonOptions::check_params(const std::vector<Tensor>& params) const {
  for (const Tensor& p : params)
    taut::check<ValueError>(p.dim() == 2,
                            "Muon only supports 2D parameters whereas we found a parameter with size: ", p.sizes());
}
Fields MuonOptions::fields() {
  return {{"lr", &lr_},
          {"weight_decay", &weight_decay_},
          {"momentum", &momentum_},
          {"nesterov", &nesterov_},
          {"ns_coefficients", &ns_coefficients_},
          {"eps", &eps_},
          {"ns_steps", &ns_steps_},
          {"adjust_lr_fn", &adjust_lr_fn_}};
}
Fields MuonParamState::fields() { return {{"momentum_buffer", &momentum_buffer_}}; }

namespace {

/// The nearest thing to an orthogonal matrix that a few Newton-Schulz steps in bfloat16 give: singular values near 1.
Tensor orthogonalize(const Tensor& update, const MuonOptions& o) {
  const auto [a, b, c] = o.ns_coefficients();
  const bool tall = update.size(0) > update.size(1);
  Tensor x = update.to(kBFloat16);
  if (tall) x = x.t();
  x = x.div(x.norm().clamp_min(o.eps()));
  for (int64_t i = 0; i < o.ns_steps(); ++i) {
    const Tensor gram = x.mm(x.t());
    x = x.addmm(gram.addmm(gram, gram, b, c), x, a, 1);
  }
  return tall ? x.t() : x;
}

double adjusted_lr(const MuonOptions& o, const Tensor& p) {
  const auto rows = static_cast<double>(p.size(0)), columns = static_cast<double>(p.size(1));
  if (o.adjust_lr_fn() == "match_rms_adamw") return o.lr() * (0.2 * std::sqrt(std::max(rows, columns)));
  return o.lr() * std::sqrt(std::max(1.0, rows / columns));
}

}  // namespace

void muon_step(const MuonOptions& o, const Tensor& p, const Tensor& g, const Tensor& buffer) {
  o.check();
  taut::check<ValueError>(p.dim() == 2, "Input tensor gradient must be a 2D matrix");
  taut::check(g.layout() == kStrided, "Muon does not support sparse gradients");
  buffer.lerp_(g, 1 - o.momentum());
  const Tensor update = orthogonalize(o.nesterov() ? g.lerp(buffer, o.momentum()) : buffer, o);
  p.mul_(1 - o.lr() * o.weight_decay());
  p.add_(update, -adjusted_lr(o, p));
}

Tensor Muon::step(LossClosure closure) {
  Tensor loss = evaluate(closure);
  NoGradGuard no_grad;
  for (const OptimizerParamGroup& group : param_groups_)
    for (const Tensor& p : group.params())
      if (p.grad().defined()) check_grad(p, p.grad());
  for (const OptimizerParamGroup& group : param_groups_) {
    const MuonOptions& o = options(group);
    for (const Tensor& p : group.params()) {
      const Tensor& g = p.grad();
      if (!g.defined()) continue;
      Tensor& buffer = state_of(p).momentum_buffer();
      if (!buffer.defined()) buffer = zeros_like(p);
      muon_step(o, p, g, buffer);
    }
  }
  end_step();
  return loss;
}

}  // namespace taut::optim
