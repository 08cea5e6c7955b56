// Dropout of whole channels, and for self-normalising networks. Plain `dropout` is in taut/factories.h.
#pragma once
#include "taut/tensor.h"

namespace taut {

Tensor& dropout_(Tensor& self, double p, bool train);
/// Zeroes whole channels: the noise has the shape [batch, channels, 1, ...].
Tensor feature_dropout(const Tensor& input, double p, bool train);
Tensor& feature_dropout_(Tensor& self, double p, bool train);
/// Keeps mean and variance of what selu gives: what is dropped becomes selu's lower limit, then all is scaled.
Tensor alpha_dropout(const Tensor& input, double p, bool train);
Tensor& alpha_dropout_(Tensor& self, double p, bool train);
Tensor feature_alpha_dropout(const Tensor& input, double p, bool train);
Tensor& feature_alpha_dropout_(Tensor& self, double p, bool train);

}  // namespace taut
