// Softmax and log-softmax along one dimension, and their derivatives.
#pragma once
#include "core/view.h"

namespace taut::kernels {

/// y = exp(x) / sum(exp(x)) along `dim`, or the logarithm of it. Floating-point views of any layout and of the same
/// sizes; the half types are computed in float32. y may be x.
void softmax(const View& y, const View& x, int dim, bool log);

/// The gradient dx from the gradient g of y: (g - sum(g y)) y, or g - exp(y) sum(g) for the logarithm.
void softmax_backward(const View& dx, const View& g, const View& y, int dim, bool log);

/// y = log(sum(exp(x))) over each of the contiguous rows of x; y contiguous, both of float32 or of float64.
void logsumexp(const View& y, const View& x);

}  // namespace taut::kernels
