// Modules called one after the other.
#pragma once
#include "taut/nn/any.h"
#include "taut/nn/cloneable.h"

namespace taut::nn {

class SequentialImpl : public Cloneable<SequentialImpl> {
 public:
  using Iterator = std::vector<AnyModule>::iterator;
  using ConstIterator = std::vector<AnyModule>::const_iterator;

  SequentialImpl();
  SequentialImpl(const SequentialImpl&);
  SequentialImpl& operator=(const SequentialImpl&);
  ~SequentialImpl() override;
  template <class... Modules>
  requires(sizeof...(Modules) > 0 &&
           !(sizeof...(Modules) == 1 && (std::is_base_of_v<SequentialImpl, std::decay_t<Modules>> &&
                                         ...))) explicit SequentialImpl(Modules&&... modules) {
    (push_back(std::forward<Modules>(modules)), ...);
  }
  explicit SequentialImpl(const OrderedDict<std::string, AnyModule>& modules) {
    for (const auto& m : modules) push_back(m.key(), m.value());
  }
  explicit SequentialImpl(std::initializer_list<NamedAnyModule> modules) {
    for (const NamedAnyModule& m : modules) push_back(m.name(), m.module());
  }

  std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const override;
  void reset() override {}

  /// The first module gets the arguments, each other one what the one before it returned.
  template <class R = Tensor, class... Inputs>
  R forward(Inputs&&... inputs) {
    AnyValues arguments;
    (arguments.add(AnyValue(std::forward<Inputs>(inputs))), ...);
    AnyValue value = boxed_forward(std::move(arguments));
    if (R* result = value.template try_get<R>()) return std::move(*result);
    detail::throw_wrong_result(typeid(R), value.type_info());
  }

  AnyValue boxed_forward(AnyValues&& arguments);

  template <class M>
  requires std::is_base_of_v<Module, M>
  void push_back(std::shared_ptr<M> module) { push_back(std::to_string(size()), AnyModule(std::move(module))); }
  template <class M>
  requires std::is_base_of_v<Module, M>
  void push_back(std::string name, std::shared_ptr<M> module) {
    push_back(std::move(name), AnyModule(std::move(module)));
  }
  template <class M>
  requires std::is_base_of_v<Module, std::decay_t<M>>
  void push_back(M&& module) { push_back(std::make_shared<std::decay_t<M>>(std::forward<M>(module))); }
  template <class M>
  requires std::is_base_of_v<Module, std::decay_t<M>>
  void push_back(std::string name, M&& module) {
    push_back(std::move(name), std::make_shared<std::decay_t<M>>(std::forward<M>(module)));
  }
  template <class M>
  void push_back(const ModuleHolder<M>& holder) {
    push_back(holder.ptr());
  }
  template <class M>
  void push_back(std::string name, const ModuleHolder<M>& holder) {
    push_back(std::move(name), holder.ptr());
  }
  void push_back(const NamedAnyModule& named) { push_back(named.name(), named.module()); }
  void push_back(AnyModule module) { push_back(std::to_string(size()), std::move(module)); }
  void push_back(std::string name, AnyModule module);
  template <class Container>
  void extend(const Container& container) {
    for (const auto& module : container) push_back(module);
  }

  size_t size() const noexcept { return modules_.size(); }
  bool is_empty() const noexcept { return modules_.empty(); }
  Iterator begin() { return modules_.begin(); }
  Iterator end() { return modules_.end(); }
  ConstIterator begin() const { return modules_.begin(); }
  ConstIterator end() const { return modules_.end(); }
  template <class M>
  detail::contained_t<M>& at(size_t index) const {
    return any(index).get<detail::contained_t<M>>();
  }
  std::shared_ptr<Module> ptr(size_t index) const { return any(index).ptr(); }
  template <class M>
  std::shared_ptr<detail::contained_t<M>> ptr(size_t index) const {
    return any(index).ptr<M>();
  }
  std::shared_ptr<Module> operator[](size_t index) const { return ptr(index); }

  void pretty_print(std::ostream& stream) const override;

 private:
  const AnyModule& any(size_t index) const;
  std::vector<AnyModule> modules_;
};

extern template class Cloneable<SequentialImpl>;

/// `Sequential(Linear(10, 5), ReLU())`, or with names: `Sequential({{"fc", Linear(10, 5)}, {"act", ReLU()}})`.
class Sequential : public ModuleHolder<SequentialImpl> {
 public:
  using ModuleHolder<SequentialImpl>::ModuleHolder;
  using Impl = SequentialImpl;
  Sequential() = default;
  Sequential(std::initializer_list<NamedAnyModule> modules)
      : ModuleHolder<SequentialImpl>(std::make_shared<SequentialImpl>(modules)) {}
  template <class... Inputs>
  Tensor operator()(Inputs&&... inputs) {
    return detail::call(*get(), std::forward<Inputs>(inputs)...);
  }
};

}  // namespace taut::nn
