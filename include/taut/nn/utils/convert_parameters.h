// All parameters as one vector, and back.
#pragma once
#include <vector>

#include "taut/tensor.h"

namespace taut::nn::utils {

/// One after the other; autograd can follow.
Tensor parameters_to_vector(const std::vector<Tensor>& parameters);
/// The parameters become views of `vec`, which has at least as many elements as all of them.
void vector_to_parameters(const Tensor& vec, const std::vector<Tensor>& parameters);

}  // namespace taut::nn::utils
