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
[[noreturn]] void throw_empty_any_module(const char* method);
[[noreturn]] void throw_wrong_result(const std::type_info& wanted, const std::type_info& given);
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
using DefaultArgument = std::pair<unsigned int, AnyValue>;  // its place and its value
/// The place of the first.
unsigned int first_default(std::initializer_list<DefaultArgument> defaults);
/// The arguments, and the defaults for those that are missing.
std::vector<AnyValue> with_defaults(std::vector<AnyValue>&& arguments, std::initializer_list<DefaultArgument> defaults);
}  // namespace detail

/// The arguments of a call. A list of its own, which no program compiles anew.
class AnyValues {
 public:
  AnyValues();
  AnyValues(AnyValues&&) noexcept;
  ~AnyValues();
  void add(AnyValue value);
  AnyValue& operator[](size_t i);
  /// As many as forward() takes, the defaults for those that are missing; an exception when there are none.
  void complete(Module& module, size_t wanted);

 private:
  std::vector<AnyValue> list_;
};

namespace detail {

/// A module and how it is called with boxed arguments. Only the call is compiled for each class.
struct AnyModuleContent {
  using Call = AnyValue (*)(Module& module, AnyValues&& arguments);
  std::shared_ptr<Module> module;
  const std::type_info* type;
  Call call;
};

template <class T>
std::decay_t<T>& argument(AnyValues& all, size_t i) {
  auto* p = all[i].try_get<std::decay_t<T>>();
  if (!p) throw_wrong_argument(i, typeid(std::decay_t<T>), all[i].type_info());
  return *p;
}
template <class M, class... A, size_t... I>
AnyValue call_boxed(M& module, AnyValues& all, std::index_sequence<I...>) {
  if constexpr (std::is_void_v<decltype(module.forward(std::declval<A>()...))>) {
    call(module, static_cast<A>(argument<A>(all, I))...);
    return AnyValue(0);
  } else {
    return AnyValue(call(module, static_cast<A>(argument<A>(all, I))...));
  }
}
template <class M, class... A>
AnyModuleContent::Call boxed_call() {
  return [](Module& module, AnyValues&& arguments) {
    AnyValues all = std::move(arguments);
    all.complete(module, sizeof...(A));
    return call_boxed<M, A...>(static_cast<M&>(module), all, std::index_sequence_for<A...>());
  };
}
template <class M, class C, class R, class... A>
AnyModuleContent::Call boxed_call(R (C::*)(A...)) {
  return boxed_call<M, A...>();
}
template <class M, class C, class R, class... A>
AnyModuleContent::Call boxed_call(R (C::*)(A...) const) {
  return boxed_call<M, A...>();
}
template <class M>
AnyModuleContent hold(std::shared_ptr<Module> module) {
  check(module != nullptr, "an empty module holder cannot be part of a Sequential or an AnyModule");
  AnyModuleContent::Call call;
  if constexpr (requires(M & m) { m.boxed_forward({}); })  // a module that takes boxed arguments itself: a Sequential
    call = [](Module& m, AnyValues&& a) { return static_cast<M&>(m).boxed_forward(std::move(a)); };
  else call = boxed_call<M>(&M::forward);
  return {std::move(module), &typeid(M), call};
}

}  // namespace detail

/// Any module that has one forward().
class AnyModule {
 public:
  AnyModule() = default;
  template <class M>
  requires std::is_base_of_v<Module, M>
  explicit AnyModule(std::shared_ptr<M> module) : content_(detail::hold<M>(std::move(module))) {}
  template <class M>
  requires std::is_base_of_v<Module, M>
  explicit AnyModule(M&& module) : AnyModule(std::make_shared<M>(std::move(module))) {}
  template <class M>
  explicit AnyModule(const ModuleHolder<M>& holder) : AnyModule(holder.ptr()) {}
  template <class M>
  requires std::is_base_of_v<Module, M> AnyModule& operator=(std::shared_ptr<M> module) {
    return *this = AnyModule(std::move(module));
  }

  AnyModule clone(const std::optional<Device>& device = std::nullopt) const;

  /// The arguments must have exactly the types forward() takes (without const and &).
  template <class... Args>
  AnyValue any_forward(Args&&... args) {
    AnyValues list;
    (list.add(AnyValue(std::forward<Args>(args))), ...);
    return boxed_forward(std::move(list));
  }
  AnyValue boxed_forward(AnyValues&& arguments) {
    const detail::AnyModuleContent& c = content("forward");
    return c.call(*c.module, std::move(arguments));
  }
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
  std::shared_ptr<Module> ptr() const { return content("ptr").module; }
  template <class M>
  std::shared_ptr<detail::contained_t<M>> ptr() const {
    get<detail::contained_t<M>>();
    return std::dynamic_pointer_cast<detail::contained_t<M>>(ptr());
  }
  const std::type_info& type_info() const { return *content("type_info").type; }
  bool is_empty() const noexcept { return content_.module == nullptr; }

 private:
  const detail::AnyModuleContent& content(const char* method) const {
    if (!content_.module) detail::throw_empty_any_module(method);
    return content_;
  }
  detail::AnyModuleContent content_ = {};
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
  unsigned int _forward_num_required_args() override { return ::taut::nn::detail::first_default({__VA_ARGS__}); } \
  std::vector<::taut::nn::AnyValue> _forward_populate_default_args(std::vector<::taut::nn::AnyValue>&& arguments) \
      override {                                                                                                  \
    return ::taut::nn::detail::with_defaults(std::move(arguments), {__VA_ARGS__});                                \
  }
