#include "taut/nn/utils/convert_parameters.h"

namespace taut::nn::utils {

Tensor parameters_to_vector(const std::vector<Tensor>& parameters) {
  check<ValueError>(!parameters.empty(), "parameters_to_vector: expected at least one parameter");
  std::vector<Tensor> flat;
  flat.reserve(parameters.size());
  for (const Tensor& p : parameters) {
    check(p.defined(), "parameters_to_vector: a parameter is undefined");
    flat.push_back(p.reshape({-1}));
  }
  return cat(flat);
}

void vector_to_parameters(const Tensor& vec, const std::vector<Tensor>& parameters) {
  check(vec.defined(), "vector_to_parameters: the vector is undefined");
  check<ValueError>(vec.dim() == 1, "vector_to_parameters: expected a vector, got a tensor of shape ", vec.sizes());
  int64_t total = 0;
  for (const Tensor& p : parameters) {
    check(p.defined(), "vector_to_parameters: a parameter is undefined");
    total += p.numel();
  }
  check<ValueError>(total <= vec.numel(), "vector_to_parameters: the parameters have ", total,
                    " elements, but the vector has ", vec.numel());
  int64_t at = 0;
  for (const Tensor& p : parameters) {
    p.set_data(vec.detach().narrow(0, at, p.numel()).reshape(p.sizes()).data());
    at += p.numel();
  }
}

}  // namespace taut::nn::utils
