// Where a module keeps the tensor it computes with: the member that a reparametrisation puts a new value in before
// every call.
#pragma once
#include <concepts>
#include <functional>
#include <string>

#include "taut/nn/module.h"
#include "taut/nn/pimpl.h"

namespace taut::nn::utils::detail {

using WeightSlot = std::function<Tensor&(Module&)>;

/// The class behind a holder or a shared pointer.
template <class M>
using ModuleClass = std::remove_cvref_t<decltype(*std::declval<M&>())>;

/// The member `weight` or `bias` of a module of class `M`.
template <class M>
WeightSlot weight_slot(const std::string& name) {
  if constexpr (requires(M & m) {
                  { (m.weight) } -> std::same_as<Tensor&>;
                })
    if (name == "weight") return [](Module& m) -> Tensor& { return static_cast<M&>(m).weight; };
  if constexpr (requires(M & m) {
                  { (m.bias) } -> std::same_as<Tensor&>;
                })
    if (name == "bias") return [](Module& m) -> Tensor& { return static_cast<M&>(m).bias; };
  throw ValueError("the module has no member '" + name + "' that can be computed anew for every call");
}

/// The parameter or buffer of that name, of the module itself.
Tensor own_parameter(const Module& module, const std::string& name, const char* op);
bool has_parameter(const Module& module, const std::string& name);
/// The parameter is now called `name`; the member holds it again.
void put_back(Module& module, const WeightSlot& slot, const std::string& name, const Tensor& value);

}  // namespace taut::nn::utils::detail
