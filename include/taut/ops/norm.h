// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// Shifts and scales the last dimensions to mean 0 and variance 1, then by weight and bias.
Tensor layer_norm(const Tensor& input, IntArrayRef normalized_shape, OptionalTensor weight = std::nullopt,
                  OptionalTensor bias = std::nullopt, double eps = 1e-5, bool cudnn_enable = true);
/// layer_norm, and the mean and reciprocal deviation it used.
std::tuple<Tensor, Tensor, Tensor> native_layer_norm(const Tensor& input, IntArrayRef normalized_shape,
                                                     OptionalTensor weight, OptionalTensor bias, double eps);
/// Divides the last dimensions by the root of their mean square, then scales by weight.
Tensor rms_norm(const Tensor& input, IntArrayRef normalized_shape, OptionalTensor weight = std::nullopt,
                std::optional<double> eps = std::nullopt);
/// Shifts and scales each channel to mean 0 and variance 1 over the batch, or by the running values.
Tensor batch_norm(const Tensor& input, OptionalTensor weight, OptionalTensor bias, OptionalTensor running_mean,
                  OptionalTensor running_var, bool training, double momentum, double eps, bool cudnn_enabled = true);
/// batch_norm, and the mean and reciprocal deviation it used.
std::tuple<Tensor, Tensor, Tensor> native_batch_norm(const Tensor& input, OptionalTensor weight, OptionalTensor bias,
                                                     OptionalTensor running_mean, OptionalTensor running_var,
                                                     bool training, double momentum, double eps);
/// Shifts and scales each channel of each sample to mean 0 and variance 1.
Tensor instance_norm(const Tensor& input, OptionalTensor weight, OptionalTensor bias, OptionalTensor running_mean,
                     OptionalTensor running_var, bool use_input_stats, double momentum, double eps,
                     bool cudnn_enabled = true);
/// Shifts and scales each group of channels of each sample to mean 0 and variance 1.
Tensor group_norm(const Tensor& input, int64_t num_groups, OptionalTensor weight = std::nullopt,
                  OptionalTensor bias = std::nullopt, double eps = 1e-5, bool cudnn_enabled = true);
/// batch_norm where one value per channel is no batch to train on.
Tensor _batch_norm(const Tensor& input, OptionalTensor running_mean, OptionalTensor running_var,
                   OptionalTensor weight = std::nullopt, OptionalTensor bias = std::nullopt, bool training = false,
                   double momentum = 0.1, double eps = 1e-5);
/// instance_norm where one element is nothing to take the variance of.
Tensor _instance_norm(const Tensor& input, OptionalTensor running_mean = std::nullopt,
                      OptionalTensor running_var = std::nullopt, OptionalTensor weight = std::nullopt,
                      OptionalTensor bias = std::nullopt, bool use_input_stats = true, double momentum = 0.1,
                      double eps = 1e-5);
/// group_norm where one value per group is nothing to take the variance of.
Tensor _group_norm(const Tensor& input, int64_t num_groups, OptionalTensor weight = std::nullopt,
                   OptionalTensor bias = std::nullopt, double eps = 1e-5);
/// group_norm, and the mean and reciprocal deviation it used.
std::tuple<Tensor, Tensor, Tensor> native_group_norm(const Tensor& input, OptionalTensor weight, OptionalTensor bias,
                                                     int64_t N, int64_t C, int64_t HxW, int64_t group, double eps);
/// Divides by a power of the squares summed over neighbouring channels.
Tensor local_response_norm(const Tensor& input, int64_t size, double alpha = 0.0001, double beta = 0.75, double k = 1);
/// Divides by the p-norm along dim, at least eps.
Tensor normalize(const Tensor& input, double p = 2, int64_t dim = 1, double eps = 1e-12);
/// The norm over all dimensions but one, in a shape that broadcasts; over all for -1.
Tensor norm_except_dim(const Tensor& v, int64_t pow = 2, int64_t dim = 0);
/// The direction v with the lengths g along a dimension.
Tensor _weight_norm(const Tensor& v, const Tensor& g, int64_t dim = 0);

}  // namespace taut
