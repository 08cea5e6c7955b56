// Normalisation as functions.
#pragma once
#include "taut/nn/options/batchnorm.h"
#include "taut/nn/options/instancenorm.h"
#include "taut/nn/options/normalization.h"

namespace taut::nn::functional {

Tensor batch_norm(const Tensor& input, const Tensor& running_mean, const Tensor& running_var,
                  const BatchNormFuncOptions& options = {});
Tensor instance_norm(const Tensor& input, const InstanceNormFuncOptions& options = {});
Tensor layer_norm(const Tensor& input, const LayerNormFuncOptions& options);
Tensor rms_norm(const Tensor& input, const RMSNormFuncOptions& options);
Tensor group_norm(const Tensor& input, const GroupNormFuncOptions& options);
Tensor local_response_norm(const Tensor& input, const LocalResponseNormFuncOptions& options);
Tensor normalize(const Tensor& input, NormalizeFuncOptions options = {});

}  // namespace taut::nn::functional
