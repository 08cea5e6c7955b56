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
  /// `*this = other`, which is of the same class.
  virtual void assign(const Module& other) = 0;
};
}  // namespace detail

template <class Derived>
class Cloneable : public detail::CloneableBase {
 public:
  using CloneableBase::CloneableBase;

 protected:
  CloneableBase* shallow_copy() const override { return new Derived(static_cast<const Derived&>(*this)); }
  void assign(const Module& other) override { static_cast<Derived&>(*this) = static_cast<const Derived&>(other); }
};

}  // namespace taut::nn
