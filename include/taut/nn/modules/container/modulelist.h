// A list of modules that are registered, and called by whoever holds the list.
#pragma once
#include "taut/nn/cloneable.h"

namespace taut::nn {

class ModuleListImpl : public Cloneable<ModuleListImpl> {
 public:
  using Iterator = std::vector<std::shared_ptr<Module>>::iterator;
  using ConstIterator = std::vector<std::shared_ptr<Module>>::const_iterator;

  ModuleListImpl() = default;
  template <class... Modules>
  requires(sizeof...(Modules) > 0 &&
           !(sizeof...(Modules) == 1 && (std::is_base_of_v<ModuleListImpl, std::decay_t<Modules>> &&
                                         ...))) explicit ModuleListImpl(Modules&&... modules) {
    (push_back(std::forward<Modules>(modules)), ...);
  }

  std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const override;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;

  void push_back(std::shared_ptr<Module> module);
  template <class M>
  requires std::is_base_of_v<Module, std::decay_t<M>>
  void push_back(M&& module) {
    push_back(std::shared_ptr<Module>(std::make_shared<std::decay_t<M>>(std::forward<M>(module))));
  }
  template <class M>
  void push_back(const ModuleHolder<M>& holder) {
    push_back(std::shared_ptr<Module>(holder.ptr()));
  }
  template <class Container>
  void extend(const Container& container) {
    for (const auto& module : container) push_back(module);
  }
  /// Before the module at `index`.
  void insert(size_t index, std::shared_ptr<Module> module);
  template <class M>
  void insert(size_t index, const ModuleHolder<M>& holder) {
    insert(index, std::shared_ptr<Module>(holder.ptr()));
  }

  size_t size() const noexcept { return modules_.size(); }
  bool is_empty() const noexcept { return modules_.empty(); }
  Iterator begin() { return modules_.begin(); }
  Iterator end() { return modules_.end(); }
  ConstIterator begin() const { return modules_.begin(); }
  ConstIterator end() const { return modules_.end(); }
  std::shared_ptr<Module> ptr(size_t index) const;
  template <class M>
  std::shared_ptr<detail::contained_t<M>> ptr(size_t index) const {
    return std::dynamic_pointer_cast<detail::contained_t<M>>(ptr(index));
  }
  template <class M>
  detail::contained_t<M>& at(size_t index) const {
    auto* m = dynamic_cast<detail::contained_t<M>*>(ptr(index).get());
    if (!m) detail::throw_wrong_entry(std::to_string(index), typeid(detail::contained_t<M>));
    return *m;
  }
  std::shared_ptr<Module> operator[](size_t index) const { return ptr(index); }

 private:
  bool prints_repeats_once() const override { return true; }
  std::vector<std::shared_ptr<Module>> modules_;
};
TAUT_MODULE(ModuleList);

}  // namespace taut::nn
