// The fused steps of optimisers: arguments checked, numbers worked out, then one call of the kernel for the whole list.
#include "taut/ops/optim.h"

#include <memory>

#include "ops/op.h"
#include "ops/optim_rules.h"
#include "ops/sparse.h"

namespace taut {
namespace {

using optim::OptionValues;
using optim::StepParam;

/// The states that are there, by their numbers.
struct Present {
  size_t n = 0;
  uint8_t at[optim::kMaxStates] = {};
  explicit Present(unsigned mask) {
    for (uint8_t i = 0; i < optim::kMaxStates; ++i)
      if (mask >> i & 1) at[n++] = i;
  }
};

void check_param(const char* name, const StepParam& item, const Present& states) {
  check(item.param && item.param->defined() && item.grad && item.grad->defined(), name,
        ": a parameter or its gradient is undefined");
  const TensorImpl& p = *item.param->impl();
  check<TypeError>(is_differentiable(p.dtype), name, ": expected floating-point or complex parameters, got ", p.dtype);
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
  for (size_t k = 0; k < states.n; ++k) {
    const size_t i = states.at[k];
    const Tensor* s = item.state[i];
    check(s && s->defined(), name, ": state ", i, " of a parameter of shape ", item.param->sizes(), " is undefined");
    same(*s, "state");
    check_writable(*s, name);
  }
}

/// Is this what nearly every call has: contiguous, of one shape and dtype, free to be written? Then nothing is left to
/// check.
[[gnu::always_inline]] inline bool is_plain(const StepParam& item, const Present& states) {
  if (!item.param || !item.param->defined() || thread_state.grad_mode) return false;
  const TensorImpl& p = *item.param->impl();
  if (p.dtype < kFloat || p.dtype > kDouble || !p.contiguous || p.inference || p.storage->kept()) return false;
  const size_t dim = p.sizes.size();
  const int64_t* const sizes = p.sizes.data();
  const auto like = [&](const Tensor* t) {
    if (!t || !t->defined()) return false;
    const TensorImpl& x = *t->impl();
    if (x.dtype != p.dtype || !x.contiguous || x.inference || x.sizes.size() != dim) return false;
    const int64_t* const own = x.sizes.data();
    for (size_t d = 0; d < dim; ++d)
      if (own[d] != sizes[d]) return false;
    return true;
  };
  if (!like(item.grad)) return false;
  for (size_t k = 0; k < states.n; ++k) {
    const Tensor* const s = item.state[states.at[k]];
    if (!like(s) || s->impl()->storage->kept()) return false;
  }
  return true;
}

/// Everything is checked before anything is written. numbers(item) points to the numbers of its step.
template <class Numbers>
void run(const char* name, void (*const (&loops)[2])(const StepRow*, int64_t), const Present states, StepParam* params,
         size_t n, Numbers&& numbers) {
  if (n == 0) return;
  if (!thread_state.raw) ++thread_state.step;
  const uint64_t step = thread_state.step;
  std::unique_ptr<StepRow[]> rows(new StepRow[n]);  // float32 from the front, float64 from the back
  size_t narrow = 0, wide = n;
  std::vector<kernels::StridedStep> strided;
  std::vector<StepParam*> sparse;
  std::vector<Tensor> pairs;
  const auto seen = [&](const Tensor& t) {  // complex parameters are optimised as their parts
    return t.is_complex() ? view_of(pairs.emplace_back(view_as_real(t.detach().resolve_conj()))) : view_of(t);
  };
  for (StepParam* item = params; item != params + n; ++item) {
    const bool plain = is_plain(*item, states);
    if (!plain) {
      check_param(name, *item, states);
      if constexpr (requires { numbers.check_sparse(*item); })
        if (is_sparse(*item->grad)) {
          numbers.check_sparse(*item);
          sparse.push_back(item);
          continue;
        }
    }
    const TensorImpl& p = *item->param->impl();
    const void* const own = numbers(*item);
    if (p.numel == 0) continue;
    if (plain) {
      StepRow& row = rows[p.dtype == kDouble ? --wide : narrow++];
      row = {{p.data, item->grad->impl()->data}, p.numel, own};
      for (size_t k = 0; k < states.n; ++k) row.data[2 + states.at[k]] = item->state[states.at[k]]->impl()->data;
    } else {
      kernels::StridedStep s{{}, 3, own};
      s.views[0] = seen(*item->param), s.views[1] = seen(*item->grad);
      for (size_t k = 0; k < states.n; ++k) {
        s.views[2 + states.at[k]] = seen(*item->state[states.at[k]]);
        s.there |= 4u << states.at[k];
      }
      strided.push_back(s);
    }
  }
  if (narrow > 0) kernels::optim_step(loops[0], false, rows.get(), static_cast<int64_t>(narrow));
  if (wide < n) kernels::optim_step(loops[1], true, rows.get() + wide, static_cast<int64_t>(n - wide));
  for (const kernels::StridedStep& s : strided) kernels::optim_step(loops, s);
  if constexpr (requires { numbers.check_sparse(*params); })
    for (StepParam* item : sparse) numbers.step_sparse(*item);
  for (const StepParam* item = params; item != params + n; ++item) {
    item->param->impl()->storage->bump(name, step);
    for (size_t k = 0; k < states.n; ++k) item->state[states.at[k]]->impl()->storage->bump(name, step);
  }
}

/// The numbers of the parameters of a group, worked out once for all that are at the same step.
class GroupNumbers {
 public:
  GroupNumbers(const OptimizerRow& row, const double* values, bool scalars)
      : row_(row), values_(values), scalars_(scalars) {}
  const void* operator()(StepParam& item) {
    if (now_ && item.step == step_ && item.first == first_ && (!scalars_ || item.scalars == before_)) {
      if (scalars_) item.scalars = after_;
      return now_;
    }
    step_ = item.step, first_ = item.first, before_ = item.scalars;
    now_ = now_ ? others_.emplace_back(new Bytes).get() : &own_;
    row_.numbers(values_, item, now_->bytes);
    after_ = item.scalars;
    return now_;
  }

  /// Throws where the optimiser, or its settings, know no sparse gradients.
  void check_sparse(const StepParam&) const {
    const std::string_view name = row_.name;
    check(name == "SGD" || name == "Adagrad", name == "AdamW" ? "Adam" : name, " does not support sparse gradients",
          name == "Adam" || name == "AdamW" ? ", please consider SparseAdam instead" : "");
    if (name == "SGD")
      check(values_[3] == 0,
            "add(sparse, dense) is not supported. Use add(dense, sparse) instead. SGD: weight_decay does "
            "not go with sparse gradients.");
    else check(values_[2] == 0, "weight_decay option is not compatible with sparse gradients");
  }
  /// PyTorch's step, in ops.
  void step_sparse(const StepParam& item) const {
    Tensor p = *item.param, g = item.grad->detach();
    if (values_[5] != 0) g = -g;  // both: maximize
    if (row_.name == std::string_view("SGD")) {
      const double lr = values_[0], momentum = values_[1];
      if (momentum != 0) {
        Tensor buffer = *item.state[0];
        if (item.first && is_sparse(buffer)) sparse::assign(buffer, g);
        else if (item.first) buffer.zero_().add_(g);
        else buffer.mul_(momentum).add_(g, 1 - values_[2]);
        g = values_[4] != 0 ? g.add(buffer, momentum) : buffer;
      }
      p.add_(g, -lr);
      return;
    }
    const double rate = values_[0] / (1 + static_cast<double>(item.step - 1) * values_[1]);
    g = coalesce(g);
    const sparse::Pattern at = sparse::Pattern::of(g);
    const Tensor value = sparse::value_part(g);
    Tensor sum = *item.state[0];
    sum.add_(at.with(value * value));
    p.add_(at.with(value / (sparse::values_at(sum, at).sqrt() + values_[4])), -rate);
  }

 private:
  struct Bytes {
    alignas(double) char bytes[kStepBytes];
  };
  const OptimizerRow& row_;
  const double* values_;
  int64_t step_ = 0;
  bool first_ = false;
  const bool scalars_;
  std::array<double, optim::kMaxScalars> before_{}, after_{};
  Bytes own_, *now_ = nullptr;
  std::vector<std::unique_ptr<Bytes>> others_;
};

StepParam step_param(const FusedParam& f) {
  StepParam item;
  item.param = f.param, item.grad = f.grad, item.step = f.step, item.first = f.step == 1;
  std::copy(f.state.begin(), f.state.end(), item.state.begin());
  return item;
}
/// One of the table, by the names of its options' values.
void fused(const char* optimizer, FusedParams params, const OptionValues& values,
           void (*adapt)(const FusedParam&, StepParam&) = nullptr) {
  std::vector<StepParam> items;
  for (const FusedParam& f : params) {
    items.push_back(step_param(f));
    if (adapt) adapt(f, items.back());
  }
  optim::run_step(optim::find_optimizer(optimizer), values, items.data(), items.size());
}

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
bool unscale(const char* name, unsigned states, const std::vector<FusedParam>& params, OptionalTensor grad_scale,
             OptionalTensor found_inf) {
  if (found_inf && found_inf->item<double>() == 1) return false;
  if (grad_scale) {
    const double scale = grad_scale->item<double>();
    for (const FusedParam& p : params) check_param(name, step_param(p), Present(states));
    for (const FusedParam& p : params) p.grad->div_(scale);
  }
  return true;
}

}  // namespace

void _fused_sgd_(FusedParams params, double weight_decay, double momentum, double lr, double dampening, bool nesterov,
                 bool maximize) {
  fused("SGD", params, {lr, momentum, dampening, weight_decay, double(nesterov), double(maximize)});
}
void _fused_adam_(FusedParams params, double lr, double beta1, double beta2, double weight_decay, double eps,
                  bool amsgrad, bool maximize) {
  fused("Adam", params, {lr, beta1, beta2, eps, weight_decay, double(amsgrad), double(maximize), 0});
}
void _fused_adamw_(FusedParams params, double lr, double beta1, double beta2, double weight_decay, double eps,
                   bool amsgrad, bool maximize) {
  fused("AdamW", params, {lr, beta1, beta2, eps, weight_decay, double(amsgrad), double(maximize), 1});
}
void _fused_rmsprop_(FusedParams params, double lr, double alpha, double eps, double weight_decay, double momentum,
                     bool centered, bool maximize) {
  // The table has the buffer before the mean.
  const auto with_mean = [](const FusedParam& f, StepParam& s) { s.state = {f.state[0], f.state[2], f.state[1]}; };
  fused("RMSprop", params, {lr, alpha, eps, weight_decay, momentum, double(centered), double(maximize)},
        centered ? +with_mean : nullptr);
}
void _fused_adagrad_(FusedParams params, double lr, double lr_decay, double weight_decay, double eps, bool maximize) {
  fused("Adagrad", params, {lr, lr_decay, weight_decay, 0, eps, double(maximize)});
}
void _fused_adadelta_(FusedParams params, double lr, double rho, double eps, double weight_decay, bool maximize) {
  fused("Adadelta", params, {lr, rho, eps, weight_decay, double(maximize)});
}
void _fused_adamax_(FusedParams params, double lr, double beta1, double beta2, double eps, double weight_decay,
                    bool maximize) {
  fused("Adamax", params, {lr, beta1, beta2, eps, weight_decay, double(maximize)});
}
void _fused_nadam_(FusedParams params, double lr, double beta1, double beta2, double eps, double weight_decay,
                   double momentum_decay, bool decoupled_weight_decay, bool maximize) {
  fused("NAdam", params,
        {lr, beta1, beta2, eps, weight_decay, momentum_decay, double(decoupled_weight_decay), double(maximize)},
        [](const FusedParam& f, StepParam& s) { s.scalars[0] = f.mu; });
}
void _fused_radam_(FusedParams params, double lr, double beta1, double beta2, double eps, double weight_decay,
                   bool decoupled_weight_decay, bool maximize) {
  fused("RAdam", params, {lr, beta1, beta2, eps, weight_decay, double(decoupled_weight_decay), double(maximize)});
}
void _fused_rprop_(FusedParams params, double etaminus, double etaplus, double step_size_min, double step_size_max,
                   bool maximize) {
  fused("Rprop", params, {0, etaminus, etaplus, step_size_min, step_size_max, double(maximize)});
}
void _fused_asgd_(FusedParams params, double lambd, double weight_decay, bool maximize) {
  fused("ASGD", params, {0, lambd, 0, 0, weight_decay, double(maximize)}, [](const FusedParam& f, StepParam& s) {
    s.scalars = {f.eta, f.mu};
  });
}

void _fused_sgd_(TensorList self, TensorList grads, TensorList momentum_buffer_list, double weight_decay,
                 double momentum, double lr, double dampening, bool nesterov, bool maximize, bool is_first_step,
                 OptionalTensor grad_scale, OptionalTensor found_inf) {
  std::vector<FusedParam> params =
      momentum == 0 ? join("_fused_sgd_", self, grads, {}) : join("_fused_sgd_", self, grads, {momentum_buffer_list});
  for (FusedParam& p : params) p.step = is_first_step ? 1 : 2;
  if (unscale("_fused_sgd_", momentum != 0 ? 1 : 0, params, grad_scale, found_inf))
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
  if (unscale("_fused_adam_", amsgrad ? 7 : 3, params, grad_scale, found_inf))
    _fused_adam_(params, lr, beta1, beta2, weight_decay, eps, amsgrad, maximize);
}

void _fused_adamw_(TensorList self, TensorList grads, TensorList exp_avgs, TensorList exp_avg_sqs,
                   TensorList max_exp_avg_sqs, TensorList state_steps, double lr, double beta1, double beta2,
                   double weight_decay, double eps, bool amsgrad, bool maximize, OptionalTensor grad_scale,
                   OptionalTensor found_inf) {
  const auto params =
      join_adam("_fused_adamw_", self, grads, exp_avgs, exp_avg_sqs, max_exp_avg_sqs, state_steps, amsgrad);
  if (unscale("_fused_adamw_", amsgrad ? 7 : 3, params, grad_scale, found_inf))
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
  std::vector<StepParam> params;
  for (const FusedParam& f : join("_foreach_lerp_", self, tensors1, {})) params.push_back(step_param(f));
  const double w = weight.toDouble();
  const steps::Lerp<double>::Step step{w, w - 1, -0.5 < w && w < 0.5};
  run("_foreach_lerp_", Lerp_kernels().run[0], Present(0), params.data(), params.size(),
      [&](const StepParam&) -> const void* { return &step; });
}

void optim::run_step(const OptimizerInfo& info, const OptionValues& values, StepParam* params, size_t count) {
  const OptimizerRow& row = info.row();
  const char* name = info.op.c_str();
  if (row.whole) {
    for (size_t i = 0; i < count; ++i) {
      check_param(name, params[i], Present(0));
      check(!is_sparse(*params[i].grad), row.name, " does not support sparse gradients");
    }
    for (size_t i = 0; i < count; ++i) row.whole(values.data(), params[i]);
    return;
  }
  const unsigned states = info.states_for(values);
  unsigned variant = 0;
  for (size_t i = 0, bit = 0; i < info.states.size(); ++i)
    if (info.states[i].condition >= 0) variant |= (states >> i & 1) << bit++;
  run(name, row.kernels().run[variant], Present(states), params, count,
      GroupNumbers(row, values.data(), !info.scalars.empty()));
}

void optim::record_step(const OptimizerInfo& info, const std::array<Number, kMaxOptions>& values,
                        const StepParam& param, std::array<Number, kMaxScalars>& scalars) {
  check<NotImplementedError>(info.row().record, info.name, ": this step cannot be recorded");
  check(param.param && param.param->defined() && param.grad && param.grad->defined(), info.op,
        ": a parameter or its gradient is undefined");
  info.row().record(values.data(), param, scalars.data());
}

}  // namespace taut
