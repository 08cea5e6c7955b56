// The fused steps of optimisers: arguments checked, numbers worked out, then one call of the kernel for the whole list.
#include "taut/ops/optim.h"

#include <cmath>
#include <memory>

#include "kernels/optim.h"
#include "ops/op.h"
#include "taut/core/maths.h"

namespace taut {
namespace {

void check_param(const char* name, const FusedParam& item, int states) {
  check(item.param && item.param->defined() && item.grad && item.grad->defined(), name,
        ": a parameter or its gradient is undefined");
  const TensorImpl& p = *item.param->impl();
  check<TypeError>(is_floating_point(p.dtype), name, ": expected floating-point parameters, got ", p.dtype);
  check_writable(*item.param, name);
  check(!thread_state.grad_mode || !tracked(&p), name,
        ": the derivative is not implemented; call it inside a NoGradGuard block");
  const auto same = [&](const Tensor& t, const char* what) {
    check<TypeError>(t.impl()->dtype == p.dtype, name, ": the parameter is ", p.dtype, " but its ", what, " is ",
                     t.impl()->dtype);
    check<ValueError>(t.impl()->sizes == p.sizes, name, ": the parameter has shape ", item.param->sizes(), " but its ",
                      what, " has shape ", t.sizes());
  };
  same(*item.grad, "gradient");
  for (int i = 0; i < states; ++i) {
    const Tensor* s = item.state[static_cast<size_t>(i)];
    check(s && s->defined(), name, ": state ", i, " of a parameter of shape ", item.param->sizes(), " is undefined");
    same(*s, "state");
    check_writable(*s, name);
  }
}

/// Is this what nearly every call has: contiguous, of one shape and dtype, free to be written? Then nothing is left to
/// check.
bool is_plain(const FusedParam& item, int states) {
  if (!item.param || !item.param->defined() || thread_state.grad_mode) return false;
  const TensorImpl& p = *item.param->impl();
  const auto like = [&p](const Tensor* t) {
    if (!t || !t->defined()) return false;
    const TensorImpl& x = *t->impl();
    if (x.dtype != p.dtype || !x.contiguous || x.inference || x.sizes.size() != p.sizes.size()) return false;
    for (size_t d = 0; d < x.sizes.size(); ++d)
      if (x.sizes[d] != p.sizes[d]) return false;
    return true;
  };
  const auto writable = [&like](const Tensor* t) { return like(t) && !t->impl()->storage->kept(); };
  bool plain = p.dtype >= kFloat && writable(item.param) && like(item.grad);
  for (int i = 0; i < states; ++i) plain = plain && writable(item.state[static_cast<size_t>(i)]);
  return plain;
}

/// Everything is checked before anything is written. `own` sets what a row has of its own.
template <class Own>
void run(const char* name, StepRule rule, int states, FusedParams params, const StepNumbers& numbers, Own own) {
  if (params.empty()) return;
  if (!thread_state.raw) ++thread_state.step;
  const uint64_t step = thread_state.step;
  std::unique_ptr<StepRow[]> rows(new StepRow[params.size()]);  // float32 from the front, float64 from the back
  size_t narrow = 0, wide = params.size();
  std::vector<kernels::StridedStep> strided;
  for (const FusedParam& item : params) {
    const bool plain = is_plain(item, states);
    if (!plain) check_param(name, item, states);
    const TensorImpl& p = *item.param->impl();
    const Tensor* const tensors[] = {item.param, item.grad, item.state[0], item.state[1], item.state[2]};
    StepRow row{{}, p.numel, 0, 0, 0};
    own(item, row);
    if (row.n == 0) continue;
    if (plain) {
      for (int k = 0; k < 2 + states; ++k) row.data[k] = tensors[k]->impl()->data;
      rows[p.dtype == kDouble ? --wide : narrow++] = row;
    } else {
      kernels::StridedStep s{{}, states, row.a, row.b, row.c};
      for (int k = 0; k < 2 + states; ++k) s.views[k] = view_of(*tensors[k]);
      strided.push_back(s);
    }
  }
  const size_t n = params.size();
  if (narrow > 0) kernels::optim_step(rule, numbers, false, rows.get(), static_cast<int64_t>(narrow));
  if (wide < n) kernels::optim_step(rule, numbers, true, rows.get() + wide, static_cast<int64_t>(n - wide));
  for (const kernels::StridedStep& s : strided) kernels::optim_step(rule, numbers, s);
  for (const FusedParam& item : params) {
    item.param->impl()->storage->bump(name, step);
    for (int k = 0; k < states; ++k) item.state[static_cast<size_t>(k)]->impl()->storage->bump(name, step);
  }
}

/// What depends on the step only is worked out once for a run of parameters that are at the same one.
template <class F>
auto by_step(F f) {
  return [f, step = int64_t{-1}, memo = StepRow{}](const FusedParam& item, StepRow& row) mutable {
    if (item.step != step) f(static_cast<double>(item.step), memo), step = item.step;
    row.a = memo.a, row.b = memo.b, row.c = memo.c;
  };
}
void nothing(const FusedParam&, StepRow&) {}
double sign(bool maximize) { return maximize ? -1 : 1; }

void adam(const char* name, FusedParams params, double lr, double beta1, double beta2, double weight_decay, double keep,
          double eps, bool amsgrad, bool maximize) {
  StepNumbers k;
  k.beta1 = beta1, k.beta2 = beta2, k.weight_decay = weight_decay, k.keep = keep, k.eps = eps, k.sign = sign(maximize);
  run(name, amsgrad ? StepRule::AdamMax : StepRule::Adam, amsgrad ? 3 : 2, params, k,
      by_step([=](double step, StepRow& row) {
        row.a = lr / (1 - maths::pow(beta1, step));
        row.b = 1 / std::sqrt(1 - maths::pow(beta2, step));
      }));
}

/// The lists of an ATen call as one; every list that is there has the length of the first.
std::vector<FusedParam> join(const char* name, TensorList self, TensorList grads,
                             std::initializer_list<TensorList> states) {
  check<ValueError>(grads.size() == self.size(), name, ": ", self.size(), " parameters but ", grads.size(),
                    " gradients");
  std::vector<FusedParam> params(self.size());
  for (size_t i = 0; i < self.size(); ++i) params[i].param = &self[i], params[i].grad = &grads[i];
  size_t k = 0;
  for (const TensorList& list : states) {
    check<ValueError>(list.size() == self.size(), name, ": ", self.size(), " parameters but ", list.size(),
                      " tensors of state");
    for (size_t i = 0; i < self.size(); ++i) params[i].state[k] = &list[i];
    ++k;
  }
  return params;
}
void set_steps(const char* name, std::vector<FusedParam>& params, TensorList steps) {
  check<ValueError>(steps.size() == params.size(), name, ": ", params.size(), " parameters but ", steps.size(),
                    " steps");
  for (size_t i = 0; i < params.size(); ++i) {
    params[i].step = static_cast<int64_t>(steps[i].item<double>());
    check<ValueError>(params[i].step >= 1, name, ": steps are counted from 1, got ", params[i].step);
  }
}
/// Divides gradients by the scale; false when the step is to be left out.
bool unscale(const char* name, int states, const std::vector<FusedParam>& params, OptionalTensor grad_scale,
             OptionalTensor found_inf) {
  if (found_inf && found_inf->item<double>() == 1) return false;
  if (grad_scale) {
    const double scale = grad_scale->item<double>();
    for (const FusedParam& p : params) check_param(name, p, states);
    for (const FusedParam& p : params) p.grad->div_(scale);
  }
  return true;
}

}  // namespace

void _fused_sgd_(FusedParams params, double weight_decay, double momentum, double lr, double dampening, bool nesterov,
                 bool maximize) {
  StepNumbers k;
  k.lr = lr, k.momentum = momentum, k.dampening = dampening, k.nesterov = nesterov;
  k.weight_decay = weight_decay, k.sign = sign(maximize);
  if (momentum == 0) return run("_fused_sgd_", StepRule::Sgd, 0, params, k, nothing);
  run("_fused_sgd_", StepRule::SgdMomentum, 1, params, k,
      [](const FusedParam& item, StepRow& row) { row.a = item.step == 1; });
}

void _fused_adam_(FusedParams params, double lr, double beta1, double beta2, double weight_decay, double eps,
                  bool amsgrad, bool maximize) {
  adam("_fused_adam_", params, lr, beta1, beta2, weight_decay, 1, eps, amsgrad, maximize);
}

void _fused_adamw_(FusedParams params, double lr, double beta1, double beta2, double weight_decay, double eps,
                   bool amsgrad, bool maximize) {
  adam("_fused_adamw_", params, lr, beta1, beta2, 0, 1 - lr * weight_decay, eps, amsgrad, maximize);
}

void _fused_rmsprop_(FusedParams params, double lr, double alpha, double eps, double weight_decay, double momentum,
                     bool centered, bool maximize) {
  StepNumbers k;
  k.lr = lr, k.beta2 = alpha, k.eps = eps, k.weight_decay = weight_decay, k.momentum = momentum,
  k.sign = sign(maximize);
  const bool buffered = momentum > 0;
  const StepRule rule = centered   ? buffered ? StepRule::RMSpropCenteredMomentum : StepRule::RMSpropCentered
                        : buffered ? StepRule::RMSpropMomentum
                                   : StepRule::RMSprop;
  run("_fused_rmsprop_", rule, 1 + centered + buffered, params, k, nothing);
}

void _fused_adagrad_(FusedParams params, double lr, double lr_decay, double weight_decay, double eps, bool maximize) {
  StepNumbers k;
  k.eps = eps, k.weight_decay = weight_decay, k.sign = sign(maximize);
  run("_fused_adagrad_", StepRule::Adagrad, 1, params, k,
      by_step([=](double step, StepRow& row) { row.a = lr / (1 + (step - 1) * lr_decay); }));
}

void _fused_adadelta_(FusedParams params, double lr, double rho, double eps, double weight_decay, bool maximize) {
  StepNumbers k;
  k.lr = lr, k.beta2 = rho, k.eps = eps, k.weight_decay = weight_decay, k.sign = sign(maximize);
  run("_fused_adadelta_", StepRule::Adadelta, 2, params, k, nothing);
}

void _fused_adamax_(FusedParams params, double lr, double beta1, double beta2, double eps, double weight_decay,
                    bool maximize) {
  StepNumbers k;
  k.beta1 = beta1, k.beta2 = beta2, k.eps = eps, k.weight_decay = weight_decay, k.sign = sign(maximize);
  run("_fused_adamax_", StepRule::Adamax, 2, params, k,
      by_step([=](double step, StepRow& row) { row.a = lr / (1 - maths::pow(beta1, step)); }));
}

void _fused_nadam_(FusedParams params, double lr, double beta1, double beta2, double eps, double weight_decay,
                   double momentum_decay, bool decoupled_weight_decay, bool maximize) {
  StepNumbers k;
  k.beta1 = beta1, k.beta2 = beta2, k.eps = eps, k.sign = sign(maximize);
  if (decoupled_weight_decay) k.keep = 1 - lr * weight_decay;
  else k.weight_decay = weight_decay;
  double mu = 0, next = 0;
  run("_fused_nadam_", StepRule::NAdam, 2, params, k,
      [&, last = int64_t{-1}, correction = 0.0](const FusedParam& item, StepRow& row) mutable {
        if (item.step != last) {
          const double step = static_cast<double>(last = item.step);
          mu = beta1 * (1 - 0.5 * maths::pow(0.96, step * momentum_decay));
          next = beta1 * (1 - 0.5 * maths::pow(0.96, (step + 1) * momentum_decay));
          correction = 1 / (1 - maths::pow(beta2, step));
        }
        const double product = item.mu * mu;
        row.a = lr * (1 - mu) / (1 - product);
        row.b = lr * next / (1 - product * next);
        row.c = correction;
      });
}

void _fused_radam_(FusedParams params, double lr, double beta1, double beta2, double eps, double weight_decay,
                   bool decoupled_weight_decay, bool maximize) {
  StepNumbers k;
  k.beta1 = beta1, k.beta2 = beta2, k.eps = eps, k.sign = sign(maximize);
  if (decoupled_weight_decay) k.keep = 1 - lr * weight_decay;
  else k.weight_decay = weight_decay;
  run("_fused_radam_", StepRule::RAdam, 2, params, k, by_step([=](double step, StepRow& row) {
        const double power = maths::pow(beta2, step), correction2 = 1 - power;
        const double longest = 2 / (1 - beta2) - 1, length = longest - 2 * step * power / correction2;
        row.a = lr / (1 - maths::pow(beta1, step));
        row.b = length > 5;
        if (length > 5)
          row.a *= std::sqrt(correction2) *
                   std::sqrt((length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length));
      }));
}

void _fused_rprop_(FusedParams params, double etaminus, double etaplus, double step_size_min, double step_size_max,
                   bool maximize) {
  StepNumbers k;
  k.low = etaminus, k.high = etaplus, k.min = step_size_min, k.max = step_size_max, k.sign = sign(maximize);
  run("_fused_rprop_", StepRule::Rprop, 2, params, k, nothing);
}

void _fused_asgd_(FusedParams params, double lambd, double weight_decay, bool maximize) {
  StepNumbers k;
  k.weight_decay = weight_decay, k.sign = sign(maximize);
  run("_fused_asgd_", StepRule::Asgd, 1, params, k, [lambd](const FusedParam& item, StepRow& row) {
    row.a = 1 - lambd * item.eta, row.b = item.eta, row.c = item.mu;
  });
}

void _fused_sgd_(TensorList self, TensorList grads, TensorList momentum_buffer_list, double weight_decay,
                 double momentum, double lr, double dampening, bool nesterov, bool maximize, bool is_first_step,
                 OptionalTensor grad_scale, OptionalTensor found_inf) {
  std::vector<FusedParam> params =
      momentum == 0 ? join("_fused_sgd_", self, grads, {}) : join("_fused_sgd_", self, grads, {momentum_buffer_list});
  for (FusedParam& p : params) p.step = is_first_step ? 1 : 2;
  if (unscale("_fused_sgd_", momentum != 0, params, grad_scale, found_inf))
    _fused_sgd_(params, weight_decay, momentum, lr, dampening, nesterov, maximize);
}

namespace {
std::vector<FusedParam> join_adam(const char* name, TensorList self, TensorList grads, TensorList exp_avgs,
                                  TensorList exp_avg_sqs, TensorList max_exp_avg_sqs, TensorList state_steps,
                                  bool amsgrad) {
  std::vector<FusedParam> params = amsgrad ? join(name, self, grads, {exp_avgs, exp_avg_sqs, max_exp_avg_sqs})
                                           : join(name, self, grads, {exp_avgs, exp_avg_sqs});
  set_steps(name, params, state_steps);
  return params;
}
}  // namespace

void _fused_adam_(TensorList self, TensorList grads, TensorList exp_avgs, TensorList exp_avg_sqs,
                  TensorList max_exp_avg_sqs, TensorList state_steps, double lr, double beta1, double beta2,
                  double weight_decay, double eps, bool amsgrad, bool maximize, OptionalTensor grad_scale,
                  OptionalTensor found_inf) {
  const auto params =
      join_adam("_fused_adam_", self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, amsgrad);
  if (unscale("_fused_adam_", amsgrad ? 3 : 2, params, grad_scale, found_inf))
    _fused_adam_(params, lr, beta1, beta2, weight_decay, eps, amsgrad, maximize);
}

void _fused_adamw_(TensorList self, TensorList grads, TensorList exp_avgs, TensorList exp_avg_sqs,
                   TensorList max_exp_avg_sqs, TensorList state_steps, double lr, double beta1, double beta2,
                   double weight_decay, double eps, bool amsgrad, bool maximize, OptionalTensor grad_scale,
                   OptionalTensor found_inf) {
  const auto params =
      join_adam("_fused_adamw_", self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, amsgrad);
  if (unscale("_fused_adamw_", amsgrad ? 3 : 2, params, grad_scale, found_inf))
    _fused_adamw_(params, lr, beta1, beta2, weight_decay, eps, amsgrad, maximize);
}

void _fused_adagrad_(TensorList self, TensorList grads, TensorList state_sums, TensorList state_steps, double lr,
                     double lr_decay, double weight_decay, double eps, bool maximize, OptionalTensor grad_scale,
                     OptionalTensor found_inf) {
  std::vector<FusedParam> params = join("_fused_adagrad_", self, grads, {state_sums});
  set_steps("_fused_adagrad_", params, state_steps);
  if (unscale("_fused_adagrad_", 1, params, grad_scale, found_inf))
    _fused_adagrad_(params, lr, lr_decay, weight_decay, eps, maximize);
}

void _foreach_lerp_(TensorList self, TensorList tensors1, const Scalar& weight) {
  check<ValueError>(self.size() == tensors1.size(),
                    "_foreach_lerp_: Tensor lists must have the same number of tensors, ", "got ", self.size(), " and ",
                    tensors1.size());
  const std::vector<FusedParam> params = join("_foreach_lerp_", self, tensors1, {});
  const double w = weight.toDouble();
  run("_foreach_lerp_", StepRule::Lerp, 0, params, StepNumbers{}, [w](const FusedParam&, StepRow& row) { row.a = w; });
}

}  // namespace taut
