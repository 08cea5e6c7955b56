#include "taut/nn/utils/spectral_norm.h"

#include <cmath>

#include "taut/autograd.h"
#include "taut/factories.h"

namespace taut::nn::utils::detail {
namespace {

Tensor normalized(const Tensor& x, double eps) { return x / x.norm().clamp_min(eps); }

/// Outputs by everything else.
Tensor as_matrix(const Tensor& weight, int64_t dim) {
  return (dim == 0 ? weight : weight.movedim(dim, 0)).reshape({weight.size(dim), -1});
}

Tensor weight_of(const Module& module, const SpectralNorm& how, bool iterate) {
  const Tensor weight = own_parameter(module, how.name + "_orig", "spectral_norm");
  const auto buffers = module.named_buffers(/*recurse=*/false);
  Tensor u = buffers[how.name + "_u"], v = buffers[how.name + "_v"];
  const Tensor matrix = as_matrix(weight, how.dim);
  if (iterate) {
    NoGradGuard no_grad;
    const Tensor m = matrix.detach();
    for (int64_t i = 0; i < how.n_power_iterations; ++i) {
      v.copy_(normalized(m.t().mv(u), how.eps));
      u.copy_(normalized(m.mv(v), how.eps));
    }
    // The graph keeps copies: the next call overwrites the buffers.
    u = u.clone(), v = v.clone();
  }
  return weight / u.dot(matrix.mv(v));
}

}  // namespace

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
  const int64_t height = weight.size(how.dim), width = height ? weight.numel() / height : 0;
  const Tensor u = normalized(empty({height}, weight.scalar_type()).normal_(0, 1), how.eps);
  const Tensor v = normalized(empty({width}, weight.scalar_type()).normal_(0, 1), how.eps);
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
