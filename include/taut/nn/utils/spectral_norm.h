// Spectral normalisation: a weight divided by its greatest singular value (Miyato and others, 2018).
#pragma once
#include "taut/nn/utils/weight_slot.h"

namespace taut::nn::utils {

namespace detail {
struct SpectralNorm {
  std::string name;
  int64_t n_power_iterations;
  double eps;
  int64_t dim;
};
/// The weight over u^T W v, where W has the outputs along `dim` as its rows. u and v are improved `iterations` times
/// first, in place: v before u, or u before v.
Tensor spectral_weight(const Tensor& weight, Tensor u, Tensor v, int64_t dim, int64_t iterations, double eps,
                       bool u_first = false);
/// First estimates of u and v, drawn at random.
std::tuple<Tensor, Tensor> spectral_vectors(const Tensor& weight, int64_t dim, double eps);
/// Without a dim: that of the outputs, which is 1 for transposed convolutions, else 0.
int64_t output_dim(const Module& module, std::optional<int64_t> dim);
void apply_spectral_norm(Module& module, const WeightSlot& slot, const SpectralNorm& how);
void remove_spectral_norm(Module& module, const WeightSlot& slot, const std::string& name, int64_t dim);
}  // namespace detail

/// Replaces the parameter `name` by `name_orig`, and keeps estimates of its first singular vectors in the buffers
/// `name_u` and `name_v`, which every call in training mode improves. Returns the module.
template <class M>
M spectral_norm(M module, const std::string& name = "weight", int64_t n_power_iterations = 1, double eps = 1e-12,
                std::optional<int64_t> dim = std::nullopt) {
  detail::apply_spectral_norm(*module, detail::weight_slot<detail::ModuleClass<M>>(name),
                              {name, n_power_iterations, eps, detail::output_dim(*module, dim)});
  return module;
}
/// The parameter `name` is back, with the value it had last; `dim` as it was given to spectral_norm.
template <class M>
M remove_spectral_norm(M module, const std::string& name = "weight", std::optional<int64_t> dim = std::nullopt) {
  detail::remove_spectral_norm(*module, detail::weight_slot<detail::ModuleClass<M>>(name), name,
                               detail::output_dim(*module, dim));
  return module;
}

}  // namespace taut::nn::utils
