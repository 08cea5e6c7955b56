// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// x where it is positive, else 0.
Tensor relu(const Tensor& self);
Tensor& relu_(Tensor& self);
/// x held within [0, 6].
Tensor relu6(const Tensor& self);
Tensor& relu6_(Tensor& self);
/// x times the probability that a normal number is below x; `approximate="tanh"` for the formula with tanh.
Tensor gelu(const Tensor& self, std::string_view approximate = "none");
Tensor& gelu_(Tensor& self, std::string_view approximate = "none");
/// x * sigmoid(x).
Tensor silu(const Tensor& self);
Tensor& silu_(Tensor& self);
/// x * tanh(softplus(x)).
Tensor mish(const Tensor& self);
Tensor& mish_(Tensor& self);
/// x where it is positive, else alpha * (exp(x) - 1).
Tensor elu(const Tensor& self, const Scalar& alpha = 1, const Scalar& scale = 1, const Scalar& input_scale = 1);
Tensor& elu_(Tensor& self, const Scalar& alpha = 1, const Scalar& scale = 1, const Scalar& input_scale = 1);
/// elu with the constants that keep mean and variance.
Tensor selu(const Tensor& self);
Tensor& selu_(Tensor& self);
/// x where it is positive, else alpha * (exp(x / alpha) - 1).
Tensor celu(const Tensor& self, const Scalar& alpha = 1);
Tensor& celu_(Tensor& self, const Scalar& alpha = 1);
/// x where it is positive, else negative_slope * x.
Tensor leaky_relu(const Tensor& self, const Scalar& negative_slope = 0.01);
Tensor& leaky_relu_(Tensor& self, const Scalar& negative_slope = 0.01);
/// x where it is positive, else weight * x, with one weight or one per channel.
Tensor prelu(const Tensor& self, const Tensor& weight);
/// x held within [min_val, max_val].
Tensor hardtanh(const Tensor& self, const Scalar& min_val = -1, const Scalar& max_val = 1);
Tensor& hardtanh_(Tensor& self, const Scalar& min_val = -1, const Scalar& max_val = 1);
/// x / 6 + 1/2 held within [0, 1].
Tensor hardsigmoid(const Tensor& self);
Tensor& hardsigmoid_(Tensor& self);
/// x * hardsigmoid(x).
Tensor hardswish(const Tensor& self);
Tensor& hardswish_(Tensor& self);
/// x where |x| > lambd, else 0.
Tensor hardshrink(const Tensor& self, const Scalar& lambd = 0.5);
/// x / (1 + |x|).
Tensor softsign(const Tensor& self);
/// x - tanh(x).
Tensor tanhshrink(const Tensor& self);
/// x moved towards 0 by lambd, 0 where |x| <= lambd.
Tensor softshrink(const Tensor& self, const Scalar& lambd = 0.5);
/// log(1 + exp(beta x)) / beta, and x itself where beta x exceeds threshold.
Tensor softplus(const Tensor& self, const Scalar& beta = 1, const Scalar& threshold = 20);
/// x where it exceeds threshold, else value.
Tensor threshold(const Tensor& self, const Scalar& threshold, const Scalar& value);
Tensor& threshold_(Tensor& self, const Scalar& threshold, const Scalar& value);
/// log(sigmoid(x)) without overflow.
Tensor log_sigmoid(const Tensor& self);
/// The first half along dim times the sigmoid of the second half.
Tensor glu(const Tensor& self, int64_t dim = -1);

}  // namespace taut
