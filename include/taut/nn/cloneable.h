// Modules that can be copied: `class LinearImpl : public Cloneable<LinearImpl>`, with reset() to make the parameters.
#pragma once
#include "taut/nn/module.h"

namespace taut::nn {

namespace detail {
/// Keeps the random stream as it was: a copy draws initial values only to overwrite them.
class KeepRandomState {
 public:
  KeepRandomState();
  ~KeepRandomState();
  KeepRandomState(const KeepRandomState&) = delete;

 private:
  Tensor state_;
};
}  // namespace detail

template <class Derived>
class Cloneable : public Module {
 public:
  using Module::Module;

  /// Makes parameters, buffers and submodules anew. The constructor of a module calls it, and so does clone().
  virtual void reset() = 0;

  std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const override {
    const detail::KeepRandomState keep;
    auto copy = std::make_shared<Derived>(static_cast<const Derived&>(*this));
    copy->parameters_.clear();
    copy->buffers_.clear();
    copy->children_.clear();
    copy->reset();
    copy->fill_from(*this, device);
    return copy;
  }

 private:
  template <class D>
  friend class Cloneable;
  void fill_from(const Cloneable& from, const std::optional<Device>& device) {
    const auto same = [&](const auto& mine, const auto& theirs, const char* what) {
      check(mine.size() == theirs.size(), "The cloned module does not have the same number of ", what,
            " as the original module after calling reset(). Are you sure you called register_", what,
            "() inside reset() and not the constructor?");
    };
    same(parameters_, from.parameters_, "parameter");
    same(buffers_, from.buffers_, "buffer");
    same(children_, from.children_, "module");
    copy_tensors(from);
    for (const auto& child : from.children_) children_[child.key()]->clone_(*child.value(), device);
  }
  void clone_(Module& other, const std::optional<Device>& device) override {
    const std::shared_ptr<Module> copy = other.clone(device);
    auto* same_class = dynamic_cast<Derived*>(copy.get());
    check(same_class != nullptr,
          "Attempted to clone submodule, but it is of a different type than the submodule it was to be cloned into");
    static_cast<Derived&>(*this) = *same_class;
  }
};

}  // namespace taut::nn
