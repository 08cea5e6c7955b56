#include "taut/nn/utils/weight_norm.h"

#include "taut/autograd.h"
#include "taut/ops/norm.h"

namespace taut::nn::utils::detail {

Tensor own_parameter(const Module& module, const std::string& name, const char* op) {
  const auto parameters = module.named_parameters(/*recurse=*/false);
  const Tensor* found = parameters.find(name);
  check<ValueError>(found && found->defined(), op, ": the module ", module.name(), " has no parameter '", name, "'");
  return *found;
}
bool has_parameter(const Module& module, const std::string& name) {
  return module.named_parameters(/*recurse=*/false).contains(name);
}
void put_back(Module& module, const WeightSlot& slot, const std::string& name, const Tensor& value) {
  slot(module) = module.register_parameter(name, value.detach());
}

namespace {

constexpr int64_t kWhole = -1;

Tensor weight_of(const Module& module, const std::string& name, std::optional<int64_t> dim) {
  const auto parameters = module.named_parameters(/*recurse=*/false);
  return _weight_norm(parameters[name + "_v"], parameters[name + "_g"], dim.value_or(kWhole));
}
/// Which dim the lengths are along can be seen from their shape.
std::optional<int64_t> dim_of(const Tensor& v, const Tensor& g) {
  if (g.dim() == 0) return std::nullopt;
  for (int64_t d = 0; d < g.dim(); ++d)
    if (g.size(d) != 1) return d;
  for (int64_t d = 0; d < v.dim(); ++d)
    if (v.size(d) == 1) return d;
  return 0;
}

}  // namespace

void apply_weight_norm(Module& module, const WeightSlot& slot, const std::string& name, std::optional<int64_t> dim) {
  check(!has_parameter(module, name + "_g"),
        "weight_norm: Cannot register two weight_norm hooks on the same parameter ", name);
  const Tensor weight = own_parameter(module, name, "weight_norm");
  check<IndexError>(!dim || (*dim >= kWhole && *dim < weight.dim()), "weight_norm: dim ", dim.value_or(0),
                    " is out of range for a parameter of shape ", weight.sizes());
  module.unregister_parameter(name);
  module.register_parameter(name + "_g", norm_except_dim(weight.detach(), 2, dim.value_or(kWhole)));
  module.register_parameter(name + "_v", weight.detach());
  slot(module) = weight_of(module, name, dim);
  module.register_forward_pre_hook([=](Module& m, const Module::Tensors&) {
    if (has_parameter(m, name + "_g")) slot(m) = weight_of(m, name, dim);  // else it was removed
  });
}

void remove_weight_norm(Module& module, const WeightSlot& slot, const std::string& name) {
  check<ValueError>(has_parameter(module, name + "_g"), "remove_weight_norm: weight_norm of '", name, "' not found in ",
                    module.name());
  const auto parameters = module.named_parameters(/*recurse=*/false);
  const Tensor weight = weight_of(module, name, dim_of(parameters[name + "_v"], parameters[name + "_g"])).detach();
  module.unregister_parameter(name + "_g");
  module.unregister_parameter(name + "_v");
  put_back(module, slot, name, weight);
}

}  // namespace taut::nn::utils::detail
