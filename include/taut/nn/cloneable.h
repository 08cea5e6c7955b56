// Modules that can be copied: `class LinearImpl : public Cloneable<LinearImpl>`, with reset() to make the parameters.
#pragma once
#include "taut/nn/module.h"

namespace taut::nn {

namespace detail {
/// What does not depend on the class: there are many, and every file that includes them pays for templates.
class CloneableBase : public Module {
 public:
  using Module::Module;
  /// Makes parameters, buffers and submodules anew. The constructor of a module calls it, and so does clone().
  virtual void reset() = 0;
  std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const override;

 protected:
  void clone_(Module& other, const std::optional<Device>& device) override;
  /// A copy that shares tensors and submodules with this module.
  virtual CloneableBase* shallow_copy() const = 0;
  /// `*this = other`; false when that is of another class.
  virtual bool assign(const Module& other) = 0;
};
}  // namespace detail

template <class Derived>
class Cloneable : public detail::CloneableBase {
 public:
  using CloneableBase::CloneableBase;

 protected:
  CloneableBase* shallow_copy() const override { return new Derived(static_cast<const Derived&>(*this)); }
  bool assign(const Module& other) override {
    const auto* same = dynamic_cast<const Derived*>(&other);
    if (same) static_cast<Derived&>(*this) = *same;
    return same != nullptr;
  }
};

}  // namespace taut::nn
