// Normalisation: over rows, channels, groups of channels, neighbouring channels, and to unit length.
#pragma once
#include "taut/tensor.h"

namespace taut {

/// (input - mean) / sqrt(var + eps) * weight + bias over the last dimensions, which have the sizes `normalized_shape`.
Tensor layer_norm(const Tensor& input, IntArrayRef normalized_shape, OptionalTensor weight = std::nullopt,
                  OptionalTensor bias = std::nullopt, double eps = 1e-5, bool cudnn_enable = true);
/// The same with the means and the inverse standard deviations, which carry no gradient.
std::tuple<Tensor, Tensor, Tensor> native_layer_norm(const Tensor& input, IntArrayRef normalized_shape,
                                                     OptionalTensor weight, OptionalTensor bias, double eps);
/// input / sqrt(mean(input^2) + eps) * weight; eps is the dtype's epsilon when absent.
Tensor rms_norm(const Tensor& input, IntArrayRef normalized_shape, OptionalTensor weight = std::nullopt,
                std::optional<double> eps = std::nullopt);

/// Normalises each channel (dimension 1) by the statistics of the batch, which also move the running ones, or when not
/// training by the running ones.
Tensor batch_norm(const Tensor& input, OptionalTensor weight, OptionalTensor bias, OptionalTensor running_mean,
                  OptionalTensor running_var, bool training, double momentum, double eps, bool cudnn_enabled = true);
/// The same with the mean and inverse standard deviation of each channel (empty when not training).
std::tuple<Tensor, Tensor, Tensor> native_batch_norm(const Tensor& input, OptionalTensor weight, OptionalTensor bias,
                                                     OptionalTensor running_mean, OptionalTensor running_var,
                                                     bool training, double momentum, double eps);
/// Batch normalisation of each sample by itself.
Tensor instance_norm(const Tensor& input, OptionalTensor weight, OptionalTensor bias, OptionalTensor running_mean,
                     OptionalTensor running_var, bool use_input_stats, double momentum, double eps,
                     bool cudnn_enabled = true);

/// Layer normalisation over each of `num_groups` groups of channels.
Tensor group_norm(const Tensor& input, int64_t num_groups, OptionalTensor weight = std::nullopt,
                  OptionalTensor bias = std::nullopt, double eps = 1e-5, bool cudnn_enabled = true);
std::tuple<Tensor, Tensor, Tensor> native_group_norm(const Tensor& input, OptionalTensor weight, OptionalTensor bias,
                                                     int64_t N, int64_t C, int64_t HxW, int64_t group, double eps);

/// input / (k + alpha mean(input^2 over `size` neighbouring channels))^beta
Tensor local_response_norm(const Tensor& input, int64_t size, double alpha = 1e-4, double beta = 0.75, double k = 1);
/// input / max(norm(input along dim), eps)
Tensor normalize(const Tensor& input, double p = 2, int64_t dim = 1, double eps = 1e-12);

}  // namespace taut
