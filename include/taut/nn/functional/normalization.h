// Normalisation as functions.
#pragma once
#include "taut/nn/options/normalization.h"

namespace taut::nn::functional {

// Written by tools/layers.py from src/nn/layers/normalization.txt; do not edit.
// clang-format off
/// Each element divided by a power of the mean square of its neighbour channels.
Tensor local_response_norm(const Tensor& input, const LocalResponseNormFuncOptions& options);
/// Each channel with mean 0 and variance 1 over the batch (or by running statistics), then scaled and shifted.
Tensor batch_norm(const Tensor& input, const Tensor& running_mean, const Tensor& running_var,
                  const BatchNormFuncOptions& options = {});
/// Each channel of each sample with mean 0 and variance 1, then scaled and shifted.
Tensor instance_norm(const Tensor& input, const InstanceNormFuncOptions& options = {});
/// The last dimensions with mean 0 and variance 1, then scaled and shifted.
Tensor layer_norm(const Tensor& input, const LayerNormFuncOptions& options);
/// The last dimensions divided by the root of their mean square, then scaled.
Tensor rms_norm(const Tensor& input, const RMSNormFuncOptions& options);
/// Each group of channels with mean 0 and variance 1, then scaled and shifted.
Tensor group_norm(const Tensor& input, const GroupNormFuncOptions& options);
// clang-format on

Tensor normalize(const Tensor& input, NormalizeFuncOptions options = {});

}  // namespace taut::nn::functional
