// Modules by name, registered, and called by whoever holds the dictionary.
#pragma once
#include "taut/nn/cloneable.h"

namespace taut::nn {

class ModuleDictImpl : public Cloneable<ModuleDictImpl> {
 public:
  using Dict = OrderedDict<std::string, std::shared_ptr<Module>>;
  using Iterator = Dict::Iterator;
  using ConstIterator = Dict::ConstIterator;

  ModuleDictImpl() = default;
  explicit ModuleDictImpl(const std::vector<std::pair<std::string, std::shared_ptr<Module>>>& modules) {
    update(modules);
  }
  explicit ModuleDictImpl(const Dict& modules) { update(modules); }

  std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const override;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;

  std::vector<std::pair<std::string, std::shared_ptr<Module>>> items() const { return children_.pairs(); }
  std::vector<std::string> keys() const { return children_.keys(); }
  std::vector<std::shared_ptr<Module>> values() const { return children_.values(); }
  Iterator begin() { return children_.begin(); }
  Iterator end() { return children_.end(); }
  ConstIterator begin() const { return children_.begin(); }
  ConstIterator end() const { return children_.end(); }
  size_t size() const noexcept { return children_.size(); }
  bool empty() const noexcept { return children_.is_empty(); }
  bool contains(const std::string& key) const noexcept { return children_.contains(key); }
  void clear() { children_.clear(); }
  std::shared_ptr<Module> pop(const std::string& key);
  /// Adds a module, or replaces the one of that name.
  void insert(const std::string& key, std::shared_ptr<Module> module);
  template <class M>
  void insert(const std::string& key, const ModuleHolder<M>& holder) {
    insert(key, std::shared_ptr<Module>(holder.ptr()));
  }
  void update(const std::vector<std::pair<std::string, std::shared_ptr<Module>>>& modules) {
    for (const auto& m : modules) insert(m.first, m.second);
  }
  /// From an OrderedDict or another ModuleDict.
  template <class Container>
  void update(const Container& modules) {
    for (const auto& m : modules) insert(m.key(), m.value());
  }
  std::shared_ptr<Module> operator[](const std::string& key) const;
  template <class M>
  detail::contained_t<M>& at(const std::string& key) const {
    auto* m = dynamic_cast<detail::contained_t<M>*>((*this)[key].get());
    if (!m) detail::throw_wrong_entry(key, typeid(detail::contained_t<M>));
    return *m;
  }
};
TAUT_MODULE(ModuleDict);

}  // namespace taut::nn
