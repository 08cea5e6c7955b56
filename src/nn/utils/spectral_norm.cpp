#include "taut/nn/utils/spectral_norm.h"

#include <cmath>

#include "taut/autograd.h"
#include "taut/factories.h"
#include "taut/ops/norm.h"

namespace taut::nn::utils::detail {

namespace {

/// Outputs by everything else.
Tensor as_matrix(const Tensor& weight, int64_t dim) {
  return (dim == 0 ? weight : weight.movedim(dim, 0)).reshape({weight.size(dim), -1});
}

Tensor weight_of(const Module& module, const SpectralNorm& how, bool iterate) {
  const auto buffers = module.named_buffers(/*recurse=*/false);
  return spectral_weight(own_parameter(module, how.name + "_orig", "spectral_norm"), buffers[how.name + "_u"],
                         buffers[how.name + "_v"], how.dim, iterate ? how.n_power_iterations : 0, how.eps);
}

}  // namespace

Tensor spectral_weight(const Tensor& weight, Tensor u, Tensor v, int64_t dim, int64_t iterations, double eps,
                       bool u_first) {
  const Tensor matrix = as_matrix(weight, dim);
  if (iterations > 0) {
    NoGradGuard no_grad;
    const Tensor m = matrix.detach();
    const auto improve_u = [&] { u.copy_(normalize(m.mv(v), 2, 0, eps)); };
    for (int64_t i = 0; i < iterations; ++i) {
      if (u_first) improve_u();
      v.copy_(normalize(m.t().mv(u), 2, 0, eps));
      if (!u_first) improve_u();
    }
  }
  u = u.clone(), v = v.clone();  // for the graph: the next call overwrites the buffers
  return weight / u.dot(matrix.mv(v));
}

std::tuple<Tensor, Tensor> spectral_vectors(const Tensor& weight, int64_t dim, double eps) {
  NoGradGuard no_grad;
  const int64_t height = weight.size(dim), width = height ? weight.numel() / height : 0;
  const auto drawn = [&](int64_t n) { return normalize(empty({n}, weight.scalar_type()).normal_(0, 1), 2, 0, eps); };
  const Tensor u = drawn(height);
  return {u, drawn(width)};
}

int64_t output_dim(const Module& module, std::optional<int64_t> dim) {
  return dim ? *dim : module.name().starts_with("ConvTranspose") ? 1 : 0;
}

void apply_spectral_norm(Module& module, const WeightSlot& slot, const SpectralNorm& how) {
  const std::string& name = how.name;
  check(!has_parameter(module, name + "_orig"),
        "spectral_norm: Cannot register two spectral_norm hooks on the same parameter ", name);
  const Tensor weight = own_parameter(module, name, "spectral_norm");
  check<ValueError>(
      how.n_power_iterations > 0,
      "spectral_norm: Expected n_power_iterations to be positive, but got n_power_iterations=", how.n_power_iterations);
  check<ValueError>(std::isfinite(how.eps) && how.eps >= 0, "spectral_norm: eps must be a number from 0 on, got ",
                    how.eps);
  check<IndexError>(how.dim >= 0 && how.dim < weight.dim(), "spectral_norm: dim ", how.dim,
                    " is out of range for a parameter of shape ", weight.sizes());
  const auto [u, v] = spectral_vectors(weight, how.dim, how.eps);
  module.unregister_parameter(name);
  module.register_parameter(name + "_orig", weight);
  module.register_buffer(name + "_u", u);
  module.register_buffer(name + "_v", v);
  slot(module) = weight.detach();
  module.register_forward_pre_hook([=](Module& m, const Module::Tensors&) {
    if (has_parameter(m, name + "_orig")) slot(m) = weight_of(m, how, m.is_training());  // else it was removed
  });
}

void remove_spectral_norm(Module& module, const WeightSlot& slot, const std::string& name, int64_t dim) {
  check<ValueError>(has_parameter(module, name + "_orig"), "remove_spectral_norm: spectral_norm of '", name,
                    "' not found in ", module.name());
  const Tensor original = own_parameter(module, name + "_orig", "remove_spectral_norm");
  const int64_t outputs = module.named_buffers(/*recurse=*/false)[name + "_u"].numel();
  check<ValueError>(dim >= 0 && dim < original.dim() && original.size(dim) == outputs, "remove_spectral_norm: dim ",
                    dim, " is not the one that was given to spectral_norm: the parameter has shape ", original.sizes(),
                    ", and ", outputs, " outputs");
  const Tensor weight = weight_of(module, {name, 0, 0, dim}, false).detach();
  module.unregister_parameter(name + "_orig");
  module.unregister_buffer(name + "_u");
  module.unregister_buffer(name + "_v");
  put_back(module, slot, name, weight);
}

}  // namespace taut::nn::utils::detail
