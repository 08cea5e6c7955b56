#include "taut/nn/utils/clip_grad.h"

#include <cmath>

#include "taut/autograd.h"
#include "taut/factories.h"

namespace taut::nn::utils {

static std::vector<Tensor> gradients_of(const std::vector<Tensor>& parameters, const char* op) {
  std::vector<Tensor> grads;
  for (const Tensor& p : parameters) {
    check(p.defined(), op, ": a parameter is undefined");
    if (p.grad().defined()) grads.push_back(p.grad());
  }
  return grads;
}

Tensor get_total_norm(const std::vector<Tensor>& tensors, double norm_type, bool error_if_nonfinite) {
  check<ValueError>(!std::isnan(norm_type), "get_total_norm: norm_type must be a number, got ", norm_type);
  NoGradGuard no_grad;
  if (tensors.empty()) return zeros({});
  std::vector<Tensor> norms;
  norms.reserve(tensors.size());
  bool one_dtype = true;
  for (const Tensor& t : tensors) {
    check(t.defined(), "get_total_norm: a tensor is undefined");
    norms.push_back(t.norm(norm_type));
    one_dtype &= t.scalar_type() == tensors[0].scalar_type();
  }
  if (!one_dtype)
    for (Tensor& n : norms) n = n.to(kDouble);
  const Tensor total = stack(norms).norm(norm_type);
  check(!error_if_nonfinite || std::isfinite(total.item<double>()), "The total norm of order ", norm_type,
        std::floor(norm_type) == norm_type && std::isfinite(norm_type) ? ".0" : "",
        " for gradients from `parameters` is non-finite, so it cannot be clipped. To disable this error and scale the "
        "gradients by the non-finite norm anyway, set `error_if_nonfinite=False`");
  return total;
}

void clip_grads_with_norm_(const std::vector<Tensor>& parameters, double max_norm, const Tensor& total_norm) {
  check(total_norm.defined(), "clip_grads_with_norm_: the total norm is undefined");
  NoGradGuard no_grad;
  // In the dtype of the norm, then in that of the gradient, as PyTorch does it; a factor of 1 or more changes nothing.
  const Tensor factor = max_norm / (total_norm + 1e-6);
  if (!factor.is_meta() && factor.item<double>() >= 1) return;
  for (Tensor& g : gradients_of(parameters, "clip_grad_norm_")) g.mul_(factor.to(g.scalar_type()));
}

double clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm, double norm_type,
                       bool error_if_nonfinite) {
  check<ValueError>(max_norm >= 0, "clip_grad_norm_: max_norm must be a number from 0 on, got ", max_norm);
  const Tensor total = get_total_norm(gradients_of(parameters, "clip_grad_norm_"), norm_type, error_if_nonfinite);
  clip_grads_with_norm_(parameters, max_norm, total);
  return total.item<double>();
}
double clip_grad_norm_(std::initializer_list<Tensor> parameters, double max_norm, double norm_type,
                       bool error_if_nonfinite) {
  return clip_grad_norm_(std::vector<Tensor>(parameters), max_norm, norm_type, error_if_nonfinite);
}
double clip_grad_norm_(const Tensor& parameter, double max_norm, double norm_type, bool error_if_nonfinite) {
  return clip_grad_norm_(std::vector<Tensor>{parameter}, max_norm, norm_type, error_if_nonfinite);
}

void clip_grad_value_(const std::vector<Tensor>& parameters, double clip_value) {
  check<ValueError>(clip_value >= 0, "clip_grad_value_: clip_value must be a number from 0 on, got ", clip_value);
  NoGradGuard no_grad;
  for (Tensor& g : gradients_of(parameters, "clip_grad_value_")) g.clamp_(Scalar(-clip_value), Scalar(clip_value));
}
void clip_grad_value_(std::initializer_list<Tensor> parameters, double clip_value) {
  clip_grad_value_(std::vector<Tensor>(parameters), clip_value);
}
void clip_grad_value_(const Tensor& parameter, double clip_value) {
  clip_grad_value_(std::vector<Tensor>{parameter}, clip_value);
}

}  // namespace taut::nn::utils
