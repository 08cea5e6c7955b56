// Module holders: `Linear` is a handle to a shared `LinearImpl`. TAUT_MODULE(Linear) makes it.
#pragma once
#include <memory>
#include <optional>
#include <ostream>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "taut/tensor.h"

namespace taut::nn {

class Module;

namespace detail {

[[noreturn]] void throw_empty_holder();
/// The owner of a new module. std::make_shared would be compiled anew for every class.
std::shared_ptr<Module> owned(Module* module);
/// forward() of a module that takes a tensor and returns one, with its hooks around it.
Tensor call_hooked(Module& module, Tensor input, Tensor (*forward)(Module& module, Tensor& input));
struct ModuleHolderIndicator {};
template <class M>
constexpr bool is_module_holder = std::is_base_of_v<ModuleHolderIndicator, std::decay_t<M>>;

template <class M, bool = is_module_holder<M>>
struct Contained {
  using type = M;
};
template <class M>
struct Contained<M, true> {
  using type = typename M::ContainedType;
};
/// LinearImpl for Linear as well as for LinearImpl.
template <class M>
using contained_t = typename Contained<M>::type;

/// Calls f for every tensor in a result: in tuples, pairs, vectors and optionals too.
template <class F>
void each_tensor(Tensor& t, F&& f) {
  f(t);
}
template <class T, class F>
void each_tensor(std::optional<T>& t, F&& f) {
  if (t) each_tensor(*t, f);
}
template <class... T, class F>
void each_tensor(std::tuple<T...>& t, F&& f);
template <class F>
void each_tensor(std::vector<Tensor>& list, F&& f) {
  for (Tensor& t : list) f(t);
}
template <class A, class B, class F>
void each_tensor(std::pair<A, B>& p, F&& f) {
  each_tensor(p.first, f);
  each_tensor(p.second, f);
}
template <class T, class F>
void each_tensor(T&, F&&) {}  // a number, an option
template <class... T, class F>
void each_tensor(std::tuple<T...>& t, F&& f) {
  std::apply([&](T&... x) { (each_tensor(x, f), ...); }, t);
}
template <class T>
std::vector<Tensor> tensors_of(T& value) {
  std::vector<Tensor> list;
  each_tensor(value, [&](Tensor& t) { list.push_back(t); });
  return list;
}
template <class T>
void put_tensors(T& value, const std::vector<Tensor>& list) {
  size_t k = 0;
  each_tensor(value, [&](Tensor& t) { t = list[k++]; });
}

/// forward() with the hooks of the module around it, for any arguments and results.
template <class M, class... Args>
auto call_with_hooks(M& module, Args&&... args) -> decltype(module.forward(std::forward<Args>(args)...)) {
  std::tuple<std::decay_t<Args>...> held(std::forward<Args>(args)...);
  std::vector<Tensor> inputs = tensors_of(held);
  const std::shared_ptr<void> state = module.before_forward(inputs);
  put_tensors(held, inputs);
  auto forward = [&](auto&... a) { return module.forward(static_cast<Args>(a)...); };
  if constexpr (std::is_void_v<decltype(module.forward(std::forward<Args>(args)...))>) {
    std::apply(forward, held);
  } else {
    auto result = std::apply(forward, held);
    std::vector<Tensor> outputs = tensors_of(result);
    module.after_forward(inputs, outputs, state);
    put_tensors(result, outputs);
    return result;
  }
}

/// forward(), with the hooks of the module around it.
template <class M, class... Args>
auto call(M& module, Args&&... args) -> decltype(module.forward(std::forward<Args>(args)...)) {
  using Signature = std::tuple<decltype(module.forward(std::forward<Args>(args)...)), std::decay_t<Args>...>;
  if (!module.has_hooks()) [[likely]]
    return module.forward(std::forward<Args>(args)...);
  if constexpr (std::is_same_v<Signature, std::tuple<Tensor, Tensor>>)
    return call_hooked(module, std::forward<Args>(args)..., [](Module& m, Tensor& input) {
      return static_cast<M&>(m).forward(static_cast<Args>(input)...);
    });
  else return call_with_hooks(module, std::forward<Args>(args)...);
}

}  // namespace detail

/// A shared pointer to a module that can be made as the module itself is made, and called. It is kept as a pointer to
/// Module: pointers to each of the many classes would cost every file that includes them.
template <class M>
class ModuleHolder : detail::ModuleHolderIndicator {
 public:
  using ContainedType = M;

  /// Default-constructs the module.
  ModuleHolder() : impl_(detail::owned(new M())) {}
  /// Empty, to be filled later.
  ModuleHolder(std::nullptr_t) {}
  template <class Head, class... Tail>
  requires(!(std::is_base_of_v<ModuleHolder, std::decay_t<Head>> && sizeof...(Tail) == 0) &&
           !std::is_convertible_v<Head, std::shared_ptr<M>>) explicit ModuleHolder(Head&& head, Tail&&... tail)
      : impl_(detail::owned(new M(std::forward<Head>(head), std::forward<Tail>(tail)...))) {}
  ModuleHolder(std::shared_ptr<M> module) : impl_(std::move(module)) {}

  explicit operator bool() const { return impl_ != nullptr; }
  M* operator->() { return get(); }
  const M* operator->() const { return get(); }
  M& operator*() { return *get(); }
  const M& operator*() const { return *get(); }
  std::shared_ptr<M> ptr() const { return std::shared_ptr<M>(impl_, get()); }
  M* get() const {
    if (!impl_) [[unlikely]]
      detail::throw_empty_holder();
    return static_cast<M*>(impl_.get());
  }
  bool is_empty() const noexcept { return impl_ == nullptr; }

  template <class... Args>
  decltype(auto) operator()(Args&&... args) {
    return detail::call(*get(), std::forward<Args>(args)...);
  }
  template <class Arg>
  decltype(auto) operator[](Arg&& arg) {
    return (*get())[std::forward<Arg>(arg)];
  }

 private:
  std::shared_ptr<Module> impl_;
};

template <class M>
std::ostream& operator<<(std::ostream& stream, const ModuleHolder<M>& module) {
  return stream << *module;
}

}  // namespace taut::nn

/// Defines the holder `Name` of the module class `Impl`.
#define TAUT_MODULE_IMPL(Name, ImplType)                                \
  class Name : public ::taut::nn::ModuleHolder<ImplType> { /* NOLINT */ \
   public:                                                              \
    using ::taut::nn::ModuleHolder<ImplType>::ModuleHolder;             \
    using Impl = ImplType;                                              \
  }
/// Defines the holder `Name` of the module class `NameImpl`.
#define TAUT_MODULE(Name) TAUT_MODULE_IMPL(Name, Name##Impl)
