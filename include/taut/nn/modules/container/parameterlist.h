// Parameters in a list or by name.
#pragma once
#include "taut/nn/cloneable.h"

namespace taut::nn {

class ParameterListImpl : public Cloneable<ParameterListImpl> {
 public:
  using Dict = OrderedDict<std::string, Tensor>;
  ParameterListImpl() = default;
  template <class... Tensors>
  requires(sizeof...(Tensors) > 0 &&
           (std::is_convertible_v<Tensors, Tensor> && ...)) explicit ParameterListImpl(Tensors&&... parameters) {
    (append(std::forward<Tensors>(parameters)), ...);
  }

  std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const override;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;

  void append(Tensor parameter);
  void append(const Dict::Item& item) { append(item.value()); }
  template <class Container>
  void extend(const Container& container) {
    for (const auto& p : container) append(p);
  }
  template <class Container>
  ParameterListImpl& operator+=(const Container& container) {
    extend(container);
    return *this;
  }
  size_t size() const noexcept { return parameters_.size(); }
  bool is_empty() const noexcept { return parameters_.is_empty(); }
  Tensor& at(size_t index);
  const Tensor& at(size_t index) const { return const_cast<ParameterListImpl*>(this)->at(index); }
  Tensor& operator[](size_t index) { return at(index); }
  const Tensor& operator[](size_t index) const { return at(index); }
  Dict::Iterator begin() { return parameters_.begin(); }
  Dict::Iterator end() { return parameters_.end(); }
  Dict::ConstIterator begin() const { return parameters_.begin(); }
  Dict::ConstIterator end() const { return parameters_.end(); }
};
TAUT_MODULE(ParameterList);

class ParameterDictImpl : public Cloneable<ParameterDictImpl> {
 public:
  using Dict = OrderedDict<std::string, Tensor>;
  ParameterDictImpl() = default;
  explicit ParameterDictImpl(const Dict& parameters) { update(parameters); }

  std::shared_ptr<Module> clone(const std::optional<Device>& device = std::nullopt) const override;
  void reset() override {}
  void pretty_print(std::ostream& stream) const override;

  /// Adds a parameter, or replaces the one of that name.
  Tensor& insert(std::string key, Tensor parameter);
  /// From an OrderedDict or another ParameterDict.
  template <class Container>
  void update(const Container& parameters) {
    for (const auto& p : parameters) insert(p.key(), p.value());
  }
  Tensor pop(const std::string& key);
  std::vector<std::string> keys() const { return parameters_.keys(); }
  std::vector<Tensor> values() const { return parameters_.values(); }
  size_t size() const noexcept { return parameters_.size(); }
  bool empty() const noexcept { return parameters_.is_empty(); }
  bool contains(const std::string& key) const noexcept { return parameters_.contains(key); }
  void clear() { parameters_.clear(); }
  Tensor& get(const std::string& key) { return parameters_[key]; }
  Tensor& operator[](const std::string& key) { return parameters_[key]; }
  Dict::Iterator begin() { return parameters_.begin(); }
  Dict::Iterator end() { return parameters_.end(); }
  Dict::ConstIterator begin() const { return parameters_.begin(); }
  Dict::ConstIterator end() const { return parameters_.end(); }
};
TAUT_MODULE(ParameterDict);

}  // namespace taut::nn
