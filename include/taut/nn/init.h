// Filling parameters: the initialisers of torch::nn::init, which draw PyTorch's numbers for a seed. Each fills `tensor`
// in place, outside autograd, and returns it; a generator may be given as the last argument.
#pragma once
#include <tuple>

#include "taut/nn/enums.h"
#include "taut/tensor.h"

namespace taut::nn::init {

using NonlinearityType = Keyword;  // kLinear, kConv1D ... kConvTranspose3D, kSigmoid, kTanh, kReLU, kLeakyReLU, kSELU
using FanModeType = Keyword;       // kFanIn, kFanOut

/// The factor that keeps the variance of activations through this nonlinearity; `param` is the slope of kLeakyReLU.
double calculate_gain(NonlinearityType nonlinearity, double param = 0.01);
/// Inputs and outputs of one unit of a weight: (size(1), size(0)), each times the size of a convolution's window.
std::tuple<int64_t, int64_t> _calculate_fan_in_and_fan_out(const Tensor& tensor);

Tensor constant_(Tensor tensor, Scalar value);
Tensor ones_(Tensor tensor);
Tensor zeros_(Tensor tensor);
/// The identity, as far as a matrix of this shape can be one.
Tensor eye_(Tensor matrix);
/// The weight of a convolution that passes its input on, in each group.
Tensor dirac_(Tensor tensor, int64_t groups = 1);

Tensor uniform_(Tensor tensor, double low = 0, double high = 1, std::optional<Generator> generator = std::nullopt);
Tensor normal_(Tensor tensor, double mean = 0, double std = 1, std::optional<Generator> generator = std::nullopt);
/// Normal numbers within [a, b].
Tensor trunc_normal_(Tensor tensor, double mean = 0, double std = 1, double a = -2, double b = 2,
                     std::optional<Generator> generator = std::nullopt);
Tensor xavier_uniform_(Tensor tensor, double gain = 1.0, std::optional<Generator> generator = std::nullopt);
Tensor xavier_normal_(Tensor tensor, double gain = 1.0, std::optional<Generator> generator = std::nullopt);
Tensor kaiming_uniform_(Tensor tensor, double a = 0, FanModeType mode = kFanIn,
                        NonlinearityType nonlinearity = kLeakyReLU, std::optional<Generator> generator = std::nullopt);
Tensor kaiming_normal_(Tensor tensor, double a = 0, FanModeType mode = kFanIn,
                       NonlinearityType nonlinearity = kLeakyReLU, std::optional<Generator> generator = std::nullopt);
/// Orthonormal rows (or columns, if there are fewer of them), all dimensions but the first seen as one.
Tensor orthogonal_(Tensor tensor, double gain = 1.0, std::optional<Generator> generator = std::nullopt);
/// Normal numbers, and zeros in this fraction of each column.
Tensor sparse_(Tensor tensor, double sparsity, double std = 0.01, std::optional<Generator> generator = std::nullopt);

}  // namespace taut::nn::init
