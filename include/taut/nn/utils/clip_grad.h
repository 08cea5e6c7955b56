// Keeping gradients within bounds.
#pragma once
#include <initializer_list>
#include <vector>

#include "taut/tensor.h"

namespace taut::nn::utils {

/// The norm of all tensors, seen as one vector; any p, also 0, inf and -inf.
Tensor get_total_norm(const std::vector<Tensor>& tensors, double norm_type = 2.0, bool error_if_nonfinite = false);

/// Scales the gradients down so that a total norm of `total_norm` becomes `max_norm`; smaller ones stay as they are.
void clip_grads_with_norm_(const std::vector<Tensor>& parameters, double max_norm, const Tensor& total_norm);

/// Both: scales the gradients of the parameters so that their total norm is at most `max_norm`, and returns what it
/// was.
double clip_grad_norm_(const std::vector<Tensor>& parameters, double max_norm, double norm_type = 2.0,
                       bool error_if_nonfinite = false);
double clip_grad_norm_(std::initializer_list<Tensor> parameters, double max_norm, double norm_type = 2.0,
                       bool error_if_nonfinite = false);
double clip_grad_norm_(const Tensor& parameter, double max_norm, double norm_type = 2.0,
                       bool error_if_nonfinite = false);

/// Limits each number of the gradients to [-clip_value, clip_value].
void clip_grad_value_(const std::vector<Tensor>& parameters, double clip_value);
void clip_grad_value_(std::initializer_list<Tensor> parameters, double clip_value);
void clip_grad_value_(const Tensor& parameter, double clip_value);

}  // namespace taut::nn::utils
