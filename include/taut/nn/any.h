// Any module behind one type, called with any arguments: what a Sequential is made of.
#pragma once
#include <any>
#include <memory>
#include <string>
#include <typeinfo>
#include <vector>

#include "taut/nn/module.h"

namespace taut::nn {

namespace detail {
/// "std::vector<int>", from what the compiler calls it.
std::string demangled(const std::type_info& type);
[[noreturn]] void throw_wrong_value(const std::type_info& wanted, const std::type_info& given);
[[noreturn]] void throw_wrong_argument(size_t place, const std::type_info& wanted, const std::type_info& given);
[[noreturn]] void throw_wrong_cast(const std::type_info& wanted, const std::type_info& given);
}  // namespace detail

/// A value of any type that can be copied.
class AnyValue {
 public:
  template <class T>
  requires(!std::is_same_v<std::decay_t<T>, AnyValue>) explicit AnyValue(T&& value) : value_(std::forward<T>(value)) {}

  /// The value, if it is of exactly this type; otherwise null, or an exception that names both types.
  template <class T>
  T* try_get() {
    return std::any_cast<T>(&value_);
  }
  template <class T>
  T get() {
    T* value = try_get<T>();
    if (!value) detail::throw_wrong_value(typeid(T), type_info());
    return *value;
  }
  const std::type_info& type_info() const { return value_.type(); }

 private:
  std::any value_;
};

namespace detail {

struct AnyModulePlaceholder {
  virtual ~AnyModulePlaceholder() = default;
  virtual AnyValue forward(std::vector<AnyValue>&& arguments) = 0;
  virtual std::shared_ptr<Module> ptr() const = 0;
  virtual const std::type_info& type_info() const = 0;
  virtual std::unique_ptr<AnyModulePlaceholder> copy() const = 0;
  virtual std::unique_ptr<AnyModulePlaceholder> clone_module(const std::optional<Device>& device) const = 0;
};

[[noreturn]] void throw_wrong_count(const std::string& module, size_t wanted, size_t required, size_t given);

template <class M, class R, class... A>
struct AnyModuleHolder final : AnyModulePlaceholder {
  explicit AnyModuleHolder(std::shared_ptr<M> module) : module(std::move(module)) {}

  AnyValue forward(std::vector<AnyValue>&& arguments) override {
    constexpr size_t kCount = sizeof...(A);
    std::vector<AnyValue> all = std::move(arguments);
    if (all.size() != kCount) {
      Module& m = *module;
      const size_t required = m._forward_has_default_args() ? m._forward_num_required_args() : kCount;
      if (all.size() < required || all.size() > kCount) throw_wrong_count(m.name(), kCount, required, all.size());
      all = m._forward_populate_default_args(std::move(all));
    }
    return invoke(all, std::index_sequence_for<A...>());
  }
  std::shared_ptr<Module> ptr() const override { return module; }
  const std::type_info& type_info() const override { return typeid(M); }
  std::unique_ptr<AnyModulePlaceholder> copy() const override { return std::make_unique<AnyModuleHolder>(module); }
  std::unique_ptr<AnyModulePlaceholder> clone_module(const std::optional<Device>& device) const override {
    return std::make_unique<AnyModuleHolder>(std::dynamic_pointer_cast<M>(module->clone(device)));
  }

  std::shared_ptr<M> module;

 private:
  template <class T>
  static std::decay_t<T>& argument(std::vector<AnyValue>& all, size_t i) {
    auto* p = all[i].try_get<std::decay_t<T>>();
    if (!p) throw_wrong_argument(i, typeid(std::decay_t<T>), all[i].type_info());
    return *p;
  }
  template <size_t... I>
  AnyValue invoke(std::vector<AnyValue>& all, std::index_sequence<I...>) {
    if constexpr (std::is_void_v<R>) {
      call(*module, static_cast<A>(argument<A>(all, I))...);
      return AnyValue(0);
    } else {
      return AnyValue(call(*module, static_cast<A>(argument<A>(all, I))...));
    }
  }
};

/// A module that takes boxed arguments itself: a Sequential.
template <class M>
struct BoxedModuleHolder final : AnyModulePlaceholder {
  explicit BoxedModuleHolder(std::shared_ptr<M> module) : module(std::move(module)) {}
  AnyValue forward(std::vector<AnyValue>&& arguments) override { return module->boxed_forward(std::move(arguments)); }
  std::shared_ptr<Module> ptr() const override { return module; }
  const std::type_info& type_info() const override { return typeid(M); }
  std::unique_ptr<AnyModulePlaceholder> copy() const override { return std::make_unique<BoxedModuleHolder>(module); }
  std::unique_ptr<AnyModulePlaceholder> clone_module(const std::optional<Device>& device) const override {
    return std::make_unique<BoxedModuleHolder>(std::dynamic_pointer_cast<M>(module->clone(device)));
  }
  std::shared_ptr<M> module;
};

template <class M, class C, class R, class... A>
std::unique_ptr<AnyModulePlaceholder> hold_as(std::shared_ptr<M> module, R (C::*)(A...)) {
  return std::make_unique<AnyModuleHolder<M, R, A...>>(std::move(module));
}
template <class M, class C, class R, class... A>
std::unique_ptr<AnyModulePlaceholder> hold_as(std::shared_ptr<M> module, R (C::*)(A...) const) {
  return std::make_unique<AnyModuleHolder<M, R, A...>>(std::move(module));
}
template <class M>
std::unique_ptr<AnyModulePlaceholder> hold(std::shared_ptr<M> module) {
  check(module != nullptr, "an empty module holder cannot be part of a Sequential or an AnyModule");
  if constexpr (requires { module->boxed_forward({}); }) return std::make_unique<BoxedModuleHolder<M>>(module);
  else return hold_as(std::move(module), &M::forward);
}

}  // namespace detail

/// Any module that has one forward().
class AnyModule {
 public:
  AnyModule() = default;
  template <class M>
  requires std::is_base_of_v<Module, M>
  explicit AnyModule(std::shared_ptr<M> module) : content_(detail::hold(std::move(module))) {}
  template <class M>
  requires std::is_base_of_v<Module, M>
  explicit AnyModule(M&& module) : AnyModule(std::make_shared<M>(std::move(module))) {}
  template <class M>
  explicit AnyModule(const ModuleHolder<M>& holder) : AnyModule(holder.ptr()) {}
  AnyModule(const AnyModule& o) : content_(o.content_ ? o.content_->copy() : nullptr) {}
  AnyModule(AnyModule&&) = default;
  AnyModule& operator=(AnyModule o) {
    content_ = std::move(o.content_);
    return *this;
  }
  template <class M>
  requires std::is_base_of_v<Module, M> AnyModule& operator=(std::shared_ptr<M> module) {
    return *this = AnyModule(std::move(module));
  }

  AnyModule clone(const std::optional<Device>& device = std::nullopt) const {
    AnyModule copy;
    if (content_) copy.content_ = content_->clone_module(device);
    return copy;
  }

  /// The arguments must have exactly the types forward() takes (without const and &).
  template <class... Args>
  AnyValue any_forward(Args&&... args) {
    std::vector<AnyValue> list;
    list.reserve(sizeof...(Args));
    (list.emplace_back(std::forward<Args>(args)), ...);
    return boxed_forward(std::move(list));
  }
  AnyValue boxed_forward(std::vector<AnyValue>&& arguments) { return content("forward").forward(std::move(arguments)); }
  template <class R = Tensor, class... Args>
  R forward(Args&&... args) {
    return any_forward(std::forward<Args>(args)...).template get<R>();
  }

  /// The module as one of class M, or in the holder M; an exception when it is of another.
  template <class M>
  requires(!detail::is_module_holder<M>) M& get() const {
    auto* m = dynamic_cast<M*>(ptr().get());
    if (!m) detail::throw_wrong_cast(typeid(M), type_info());
    return *m;
  }
  template <class M>
  requires detail::is_module_holder<M> M get()
  const { return M(ptr<M>()); }
  std::shared_ptr<Module> ptr() const { return content("ptr").ptr(); }
  template <class M>
  std::shared_ptr<detail::contained_t<M>> ptr() const {
    get<detail::contained_t<M>>();
    return std::dynamic_pointer_cast<detail::contained_t<M>>(ptr());
  }
  const std::type_info& type_info() const { return content("type_info").type_info(); }
  bool is_empty() const noexcept { return content_ == nullptr; }

 private:
  detail::AnyModulePlaceholder& content(const char* method) const {
    check(content_ != nullptr, "Cannot call ", method, "() on an empty AnyModule: assign it a module first");
    return *content_;
  }
  std::unique_ptr<detail::AnyModulePlaceholder> content_;
};

/// A module and its name, for Sequential({{"fc", Linear(3, 4)}, {"act", ReLU()}}).
class NamedAnyModule {
 public:
  template <class M>
  NamedAnyModule(std::string name, M&& module) : name_(std::move(name)), module_(std::forward<M>(module)) {}
  const std::string& name() const { return name_; }
  AnyModule& module() { return module_; }
  const AnyModule& module() const { return module_; }

 private:
  std::string name_;
  AnyModule module_;
};

}  // namespace taut::nn

// In the protected part of a module whose forward() has default arguments, so that it can be called with fewer of them
// through AnyModule and Sequential: FORWARD_HAS_DEFAULT_ARGS({1, AnyValue(2)}, {2, AnyValue(3.0)})
#define FORWARD_HAS_DEFAULT_ARGS(...)                                                                             \
  bool _forward_has_default_args() override { return true; }                                                      \
  unsigned int _forward_num_required_args() override {                                                            \
    const std::vector<std::pair<unsigned int, ::taut::nn::AnyValue>> defaults = {__VA_ARGS__};                    \
    return defaults.front().first;                                                                                \
  }                                                                                                               \
  std::vector<::taut::nn::AnyValue> _forward_populate_default_args(std::vector<::taut::nn::AnyValue>&& arguments) \
      override {                                                                                                  \
    const std::vector<std::pair<unsigned int, ::taut::nn::AnyValue>> defaults = {__VA_ARGS__};                    \
    std::vector<::taut::nn::AnyValue> all = std::move(arguments);                                                 \
    for (const auto& d : defaults)                                                                                \
      if (d.first >= all.size()) all.push_back(d.second);                                                         \
    return all;                                                                                                   \
  }
