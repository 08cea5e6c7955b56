// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// Zeroes each element with probability p and scales the others by 1 / (1 - p), while training.
Tensor& dropout_(Tensor& self, double p, bool train);
/// Dropout of whole channels.
Tensor feature_dropout(const Tensor& input, double p, bool train);
Tensor& feature_dropout_(Tensor& input, double p, bool train);
/// Dropout that keeps the mean and variance of what selu gives.
Tensor alpha_dropout(const Tensor& input, double p, bool train);
Tensor& alpha_dropout_(Tensor& input, double p, bool train);
/// alpha_dropout of whole channels.
Tensor feature_alpha_dropout(const Tensor& input, double p, bool train);
Tensor& feature_alpha_dropout_(Tensor& input, double p, bool train);
/// Dropout of whole channels of 1, 2 or 3 dimensions, with or without a batch.
Tensor _channel_dropout(const Tensor& input, double p, bool train, bool inplace, int64_t spatial);
/// A sample of the Gumbel-softmax distribution; hard ones are one-hot, with the gradient of the soft ones.
Tensor _gumbel_softmax(const Tensor& logits, const Scalar& tau = 1, bool hard = false, int64_t dim = -1,
                       std::optional<Generator> generator = std::nullopt);

}  // namespace taut
