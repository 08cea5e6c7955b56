// Weight normalisation: a weight as a direction and a length that are learnt apart (Salimans and Kingma, 2016).
#pragma once
#include "taut/nn/utils/weight_slot.h"

namespace taut::nn::utils {

namespace detail {
void apply_weight_norm(Module& module, const WeightSlot& slot, const std::string& name, std::optional<int64_t> dim);
void remove_weight_norm(Module& module, const WeightSlot& slot, const std::string& name);
}  // namespace detail

/// Replaces the parameter `name` by `name_g`, its length along `dim` (without one, of the whole), and `name_v`, its
/// direction. The weight is computed before every call of the module through its holder. Returns the module.
template <class M>
M weight_norm(M module, const std::string& name = "weight", std::optional<int64_t> dim = 0) {
  detail::apply_weight_norm(*module, detail::weight_slot<detail::ModuleClass<M>>(name), name, dim);
  return module;
}
/// The parameter `name` is back, with the value it had last.
template <class M>
M remove_weight_norm(M module, const std::string& name = "weight") {
  detail::remove_weight_norm(*module, detail::weight_slot<detail::ModuleClass<M>>(name), name);
  return module;
}

}  // namespace taut::nn::utils
