// The base of every layer and model: named parameters, buffers and submodules.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

#include "taut/nn/pimpl.h"
#include "taut/tensor.h"
#include "taut/tensor_dict.h"

namespace taut {
namespace nn {
class Module;
}
// Compiled in the library, not by every program.
extern template class OrderedDict<std::string, std::shared_ptr<nn::Module>>;
}  // namespace taut

namespace taut::serialize {
class OutputArchive;
class InputArchive;
}  // namespace taut::serialize

namespace taut::nn {

class AnyValue;
namespace detail {
class CloneableBase;
[[noreturn]] void throw_wrong_entry(const std::string& key, const std::type_info& wanted);
}  // namespace detail

/// What load_state_dict() found when it was not strict.
struct IncompatibleKeys {
  std::vector<std::string> missing_keys, unexpected_keys;
};

class Module : public std::enable_shared_from_this<Module> {
 public:
  using Tensors = std::vector<Tensor>;
  using ModuleApplyFunction = std::function<void(Module&)>;
  using ConstModuleApplyFunction = std::function<void(const Module&)>;
  using NamedModuleApplyFunction = std::function<void(const std::string&, Module&)>;
  using ConstNamedModuleApplyFunction = std::function<void(const std::string&, const Module&)>;
  using ModulePointerApplyFunction = std::function<void(const std::shared_ptr<Module>&)>;
  using NamedModulePointerApplyFunction = std::function<void(const std::string&, const std::shared_ptr<Module>&)>;

  // Not in the class: a file that defines a module would compile them for every list and dictionary below.
  Module();
  explicit Module(std::string name);
  virtual ~Module();
  Module(const Module&);
  Module& operator=(const Module&);

  /// The name of the class, as PyTorch prints it: "Linear".
  const std::string& name() const;
  /// A copy with parameters and buffers of its own; classes derived from Cloneable have it.
  virtual std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const;

  /// Calls a function for this module, then for every one below.
  void apply(const ModuleApplyFunction& function);
  void apply(const ConstModuleApplyFunction& function) const;
  void apply(const NamedModuleApplyFunction& function, const std::string& name_prefix = {});
  void apply(const ConstNamedModuleApplyFunction& function, const std::string& name_prefix = {}) const;
  void apply(const ModulePointerApplyFunction& function) const;
  void apply(const NamedModulePointerApplyFunction& function, const std::string& name_prefix = {}) const;

  /// Each tensor once, even when modules share it.
  std::vector<Tensor> parameters(bool recurse = true) const;
  OrderedDict<std::string, Tensor> named_parameters(bool recurse = true) const;
  std::vector<Tensor> buffers(bool recurse = true) const;
  OrderedDict<std::string, Tensor> named_buffers(bool recurse = true) const;
  std::vector<std::shared_ptr<Module>> modules(bool include_self = true) const;
  OrderedDict<std::string, std::shared_ptr<Module>> named_modules(const std::string& name_prefix = {},
                                                                  bool include_self = true) const;
  std::vector<std::shared_ptr<Module>> children() const;
  OrderedDict<std::string, std::shared_ptr<Module>> named_children() const;

  virtual void train(bool on = true);
  void eval() { train(false); }
  virtual bool is_training() const noexcept { return training_; }
  virtual void to(Device device, Dtype dtype, bool non_blocking = false);
  virtual void to(Dtype dtype, bool non_blocking = false);
  virtual void to(Device device, bool non_blocking = false);
  virtual void zero_grad(bool set_to_none = true);
  Module& requires_grad_(bool requires_grad = true);

  /// Parameters and persistent buffers by their full names; the tensors share memory with the module.
  OrderedDict<std::string, Tensor> state_dict(const std::string& prefix = {}) const;
  /// Copies the values in. Anything missing, left over or of another shape is listed in one error, and nothing is
  /// changed; with `strict` off only shapes matter.
  IncompatibleKeys load_state_dict(const OrderedDict<std::string, Tensor>& state, bool strict = true);

  /// Parameters and buffers into an archive, and those of submodules into archives of their names; and out of it again.
  virtual void save(serialize::OutputArchive& archive) const;
  virtual void load(serialize::InputArchive& archive);
  /// Is it saved with the module it is a part of?
  virtual bool is_serializable() const { return true; }

  /// This module as a module of that class, or null: `m.as<nn::Linear>()`, `m.as<nn::LinearImpl>()`.
  template <class M>
  auto* as() noexcept {
    return dynamic_cast<detail::contained_t<M>*>(this);
  }
  template <class M>
  const auto* as() const noexcept {
    return dynamic_cast<const detail::contained_t<M>*>(this);
  }

  virtual void pretty_print(std::ostream& stream) const;

  // Hooks, as in Python. They run when the module is called through its holder, `linear(x)`, or in a Sequential; not
  // when forward() is called itself. A hook may return nothing, or tensors that take the place of those it was given.
  // Registering returns a number for remove_hook().
  using ForwardPreHook = std::function<Tensors(Module&, const Tensors& inputs)>;
  using ForwardHook = std::function<Tensors(Module&, const Tensors& inputs, const Tensors& outputs)>;
  using BackwardPreHook = std::function<Tensors(Module&, const Tensors& grad_outputs)>;
  using BackwardHook = std::function<Tensors(Module&, const Tensors& grad_inputs, const Tensors& grad_outputs)>;
  template <class F>
  unsigned register_forward_pre_hook(F hook) {
    return add_hook(forward_pre_hooks_, returning<Module&, const Tensors&>(std::move(hook)));
  }
  template <class F>
  unsigned register_forward_hook(F hook) {
    return add_hook(forward_hooks_, returning<Module&, const Tensors&, const Tensors&>(std::move(hook)));
  }
  template <class F>
  unsigned register_full_backward_pre_hook(F hook) {
    return add_hook(backward_pre_hooks_, returning<Module&, const Tensors&>(std::move(hook)));
  }
  template <class F>
  unsigned register_full_backward_hook(F hook) {
    return add_hook(backward_hooks_, returning<Module&, const Tensors&, const Tensors&>(std::move(hook)));
  }
  void remove_hook(unsigned handle);
  bool has_hooks() const { return next_hook_ != 0; }
  /// What a call does around forward() when there are hooks; `state` carries from the first to the second.
  std::shared_ptr<void> before_forward(Tensors& inputs);
  void after_forward(const Tensors& inputs, Tensors& outputs, const std::shared_ptr<void>& state);

  // What AnyModule asks about default arguments; FORWARD_HAS_DEFAULT_ARGS answers.
  virtual bool _forward_has_default_args() { return false; }
  virtual unsigned int _forward_num_required_args();
  virtual std::vector<AnyValue> _forward_populate_default_args(std::vector<AnyValue>&& arguments);

  Tensor& register_parameter(std::string name, Tensor tensor, bool requires_grad = true);
  /// A buffer that is not persistent is no part of the state_dict.
  Tensor& register_buffer(std::string name, Tensor tensor, bool persistent = true);
  template <class M>
  std::shared_ptr<M> register_module(std::string name, std::shared_ptr<M> module) {
    add_child(std::move(name), module);
    return module;
  }
  template <class M>
  std::shared_ptr<M> register_module(std::string name, ModuleHolder<M> module_holder) {
    return register_module(std::move(name), module_holder.ptr());
  }
  template <class M>
  std::shared_ptr<M> replace_module(const std::string& name, std::shared_ptr<M> module) {
    children_[name] = module;
    return module;
  }
  template <class M>
  std::shared_ptr<M> replace_module(const std::string& name, ModuleHolder<M> module_holder) {
    return replace_module(name, module_holder.ptr());
  }
  void unregister_module(const std::string& name) {
    check<IndexError>(children_.contains(name), "No Module with name `", name, "` is registered");
    children_.erase(name);
  }
  void unregister_parameter(const std::string& name) { parameters_.erase(name); }
  void unregister_buffer(const std::string& name) { buffers_.erase(name); }

 protected:
  friend class detail::CloneableBase;
  /// Does a list of equal submodules print as one line, as ModuleList does?
  virtual bool prints_repeats_once() const { return false; }
  virtual void clone_(Module& other, const std::optional<Device>& device);
  /// Own parameters and buffers get the values, dtypes and flags of another module's.
  void copy_tensors(const Module& from);

  OrderedDict<std::string, Tensor> parameters_{"Parameter"};
  OrderedDict<std::string, Tensor> buffers_{"Buffer"};
  OrderedDict<std::string, std::shared_ptr<Module>> children_{"Submodule"};

 private:
  template <class... A, class F>
  static auto returning(F hook) {
    if constexpr (std::is_void_v<std::invoke_result_t<F&, A...>>)
      return [hook = std::move(hook)](A... a) mutable {
        hook(a...);
        return Tensors();
      };
    else if constexpr (std::is_same_v<std::invoke_result_t<F&, A...>, Tensor>)
      return [hook = std::move(hook)](A... a) mutable { return Tensors{hook(a...)}; };
    else return hook;
  }
  template <class Hook>
  unsigned add_hook(std::vector<std::pair<unsigned, Hook>>& list, std::type_identity_t<Hook> hook) {
    list.emplace_back(next_hook_, std::move(hook));
    return next_hook_++;
  }
  void add_child(std::string name, std::shared_ptr<Module> module);
  bool is_persistent(const std::string& buffer) const;
  void convert(const std::function<Tensor(const Tensor&)>& f);
  void print(std::ostream& stream, const std::string& indent) const;
  std::shared_ptr<Module> self() const;
  friend std::ostream& operator<<(std::ostream& stream, const Module& module);

  mutable std::string name_;
  mutable const std::type_info* named_ = nullptr;  // the class that name_ is of, when it was not given
  std::vector<std::string> not_persistent_;
  std::vector<std::pair<unsigned, ForwardPreHook>> forward_pre_hooks_;
  std::vector<std::pair<unsigned, ForwardHook>> forward_hooks_;
  std::vector<std::pair<unsigned, BackwardPreHook>> backward_pre_hooks_;
  std::vector<std::pair<unsigned, BackwardHook>> backward_hooks_;
  unsigned next_hook_ = 0;
  bool training_ = true;
};

/// The module and all below it, indented, as PyTorch prints it.
std::ostream& operator<<(std::ostream& stream, const Module& module);

serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const std::shared_ptr<Module>& module);
serialize::InputArchive& operator>>(serialize::InputArchive& archive, const std::shared_ptr<Module>& module);
template <class M>
serialize::OutputArchive& operator<<(serialize::OutputArchive& archive, const ModuleHolder<M>& module) {
  return archive << std::shared_ptr<Module>(module.ptr());
}
template <class M>
serialize::InputArchive& operator>>(serialize::InputArchive& archive, ModuleHolder<M>& module) {
  return archive >> std::shared_ptr<Module>(module.ptr());
}

}  // namespace taut::nn
