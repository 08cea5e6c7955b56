// The steps of optimisers as ops: one pass over memory, for a whole list of parameters. They write in place, record
// nothing, and are called with gradients off. No two tensors of a call may share memory.
#pragma once
#include <array>

#include "taut/tensor.h"

namespace taut {

/// One parameter in a fused step. The tensors are borrowed, all of one shape and dtype; which state an op keeps is said
/// with the op.
struct FusedParam {
  const Tensor* param = nullptr;
  const Tensor* grad = nullptr;
  std::array<const Tensor*, 3> state = {};
  int64_t step = 1;        // counted from 1
  double mu = 1, eta = 0;  // nadam: the product of all mu before this step; asgd: its mu and eta
};
using FusedParams = ArrayRef<FusedParam>;

// As ATen has them. `state_steps` hold the number of this step, counted from 1; with `found_inf` nothing happens, and
// gradients are divided by `grad_scale` first.
void _fused_sgd_(TensorList self, TensorList grads, TensorList momentum_buffer_list, double weight_decay,
                 double momentum, double lr, double dampening, bool nesterov, bool maximize, bool is_first_step,
                 OptionalTensor grad_scale = std::nullopt, OptionalTensor found_inf = std::nullopt);
void _fused_adam_(TensorList self, TensorList grads, TensorList exp_avgs, TensorList exp_avg_sqs,
                  TensorList max_exp_avg_sqs, TensorList state_steps, double lr, double beta1, double beta2,
                  double weight_decay, double eps, bool amsgrad, bool maximize,
                  OptionalTensor grad_scale = std::nullopt, OptionalTensor found_inf = std::nullopt);
void _fused_adamw_(TensorList self, TensorList grads, TensorList exp_avgs, TensorList exp_avg_sqs,
                   TensorList max_exp_avg_sqs, TensorList state_steps, double lr, double beta1, double beta2,
                   double weight_decay, double eps, bool amsgrad, bool maximize,
                   OptionalTensor grad_scale = std::nullopt, OptionalTensor found_inf = std::nullopt);
void _fused_adagrad_(TensorList self, TensorList grads, TensorList state_sums, TensorList state_steps, double lr,
                     double lr_decay, double weight_decay, double eps, bool maximize,
                     OptionalTensor grad_scale = std::nullopt, OptionalTensor found_inf = std::nullopt);
/// Each tensor moves towards its twin: self + weight * (tensors1 - self).
void _foreach_lerp_(TensorList self, TensorList tensors1, const Scalar& weight);

// The same without making lists of tensors, and the other rules.
/// state: momentum buffer, unless momentum is 0; it is overwritten where `step` is 1.
void _fused_sgd_(FusedParams params, double weight_decay, double momentum, double lr, double dampening, bool nesterov,
                 bool maximize);
/// state: exp_avg, exp_avg_sq, and max_exp_avg_sq with amsgrad.
void _fused_adam_(FusedParams params, double lr, double beta1, double beta2, double weight_decay, double eps,
                  bool amsgrad, bool maximize);
void _fused_adamw_(FusedParams params, double lr, double beta1, double beta2, double weight_decay, double eps,
                   bool amsgrad, bool maximize);
/// state: square_avg, then grad_avg when centered, then momentum_buffer unless momentum is 0.
void _fused_rmsprop_(FusedParams params, double lr, double alpha, double eps, double weight_decay, double momentum,
                     bool centered, bool maximize);
/// state: sum.
void _fused_adagrad_(FusedParams params, double lr, double lr_decay, double weight_decay, double eps, bool maximize);
/// state: square_avg, acc_delta.
void _fused_adadelta_(FusedParams params, double lr, double rho, double eps, double weight_decay, bool maximize);
/// state: exp_avg, exp_inf.
void _fused_adamax_(FusedParams params, double lr, double beta1, double beta2, double eps, double weight_decay,
                    bool maximize);
/// state: exp_avg, exp_avg_sq.
void _fused_nadam_(FusedParams params, double lr, double beta1, double beta2, double eps, double weight_decay,
                   double momentum_decay, bool decoupled_weight_decay, bool maximize);
/// state: exp_avg, exp_avg_sq.
void _fused_radam_(FusedParams params, double lr, double beta1, double beta2, double eps, double weight_decay,
                   bool decoupled_weight_decay, bool maximize);
/// state: prev, step_size.
void _fused_rprop_(FusedParams params, double etaminus, double etaplus, double step_size_min, double step_size_max,
                   bool maximize);
/// state: ax.
void _fused_asgd_(FusedParams params, double lambd, double weight_decay, bool maximize);

}  // namespace taut
