// Lists and dictionaries of one type, which an IValue can hold: libtorch's c10::List and c10::Dict.
#pragma once
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "taut/autograd/ivalue.h"

namespace taut {

/// A list that its copies share.
template <class T>
class List {
 public:
  using value_type = T;
  using size_type = size_t;
  /// An element that can be read as a T and assigned.
  class Reference {
   public:
    Reference(IValue* at) : at_(at) {}
    operator T() const { return get(); }
    T get() const { return at_->to<T>(); }
    const Reference& operator=(const T& value) const {
      *at_ = IValue(value);
      return *this;
    }
    // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): get() is a copy
    const Reference& operator=(const Reference& other) const { return *this = other.get(); }
    Reference(const Reference&) = default;
    friend bool operator==(const Reference& a, const T& b) { return IValue(a.get()) == IValue(b); }

   private:
    IValue* at_;
  };
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Reference;
    explicit Iterator(IValue* at) : at_(at) {}
    Reference operator*() const { return at_; }
    Iterator& operator++() { return ++at_, *this; }
    Iterator operator++(int) { return Iterator(at_++); }
    Iterator operator+(std::ptrdiff_t n) const { return Iterator(at_ + n); }
    std::ptrdiff_t operator-(const Iterator& o) const { return at_ - o.at_; }
    bool operator==(const Iterator& o) const { return at_ == o.at_; }
    IValue* place() const { return at_; }

   private:
    IValue* at_;
  };
  using iterator = Iterator;
  using const_iterator = Iterator;

  List() : items_(std::make_shared<ivalue::List>()) {}
  List(std::initializer_list<T> values) : List() {
    for (const T& v : values) push_back(v);
  }
  explicit List(ArrayRef<T> values) : List() {
    for (const T& v : values) push_back(v);
  }

  size_t size() const { return items_->size(); }
  bool empty() const { return items_->empty(); }
  T get(size_t i) const { return place(i)->template to<T>(); }
  T extract(size_t i) const { return std::exchange(*place(i), IValue()).template to<T>(); }
  void set(size_t i, const T& value) const { *place(i) = IValue(value); }
  Reference operator[](size_t i) const { return place(i); }
  Iterator begin() const { return Iterator(items_->data()); }
  Iterator end() const { return Iterator(items_->data() + size()); }
  void push_back(const T& value) const { items_->emplace_back(value); }
  template <class... Args>
  void emplace_back(Args&&... args) const {
    push_back(T(std::forward<Args>(args)...));
  }
  void pop_back() const { items_->pop_back(); }
  Iterator insert(Iterator at, const T& value) const {
    const auto i = at - begin();
    items_->insert(items_->begin() + i, IValue(value));
    return begin() + i;
  }
  Iterator erase(Iterator at) const {
    const auto i = at - begin();
    items_->erase(items_->begin() + i);
    return begin() + i;
  }
  void append(const List& other) const { items_->insert(items_->end(), other.items_->begin(), other.items_->end()); }
  void clear() const { items_->clear(); }
  void reserve(size_t n) const { items_->reserve(n); }
  void resize(size_t n) const { resize(n, T{}); }
  void resize(size_t n, const T& value) const { items_->resize(n, IValue(value)); }
  std::vector<T> vec() const {
    std::vector<T> values;
    for (const IValue& v : *items_) values.push_back(v.to<T>());
    return values;
  }
  List copy() const { return List(std::make_shared<ivalue::List>(*items_)); }
  bool is(const List& other) const { return items_ == other.items_; }
  friend bool operator==(const List& a, const List& b) { return *a.items_ == *b.items_; }

  IValue to_ivalue() const { return items_; }
  static List from_ivalue(const IValue& value) { return List(value.list()); }

 private:
  explicit List(std::shared_ptr<ivalue::List> items) : items_(std::move(items)) {}
  IValue* place(size_t i) const {
    if (i >= size()) throw std::out_of_range("List: no element " + std::to_string(i));
    return items_->data() + i;
  }
  std::shared_ptr<ivalue::List> items_;
};

/// A dictionary that its copies share, in the order of insertion.
template <class Key, class Value>
class Dict {
 public:
  using key_type = Key;
  using mapped_type = Value;
  class Entry {
   public:
    explicit Entry(std::pair<IValue, IValue>* at) : at_(at) {}
    Key key() const { return at_->first.template to<Key>(); }
    Value value() const { return at_->second.template to<Value>(); }
    template <class V>
    void setValue(V&& value) const {
      at_->second = IValue(Value(std::forward<V>(value)));
    }

   private:
    std::pair<IValue, IValue>* at_;
  };
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Entry;
    using difference_type = std::ptrdiff_t;
    using pointer = const Entry*;
    using reference = const Entry&;
    explicit Iterator(std::pair<IValue, IValue>* at) : at_(at), entry_(at) {}
    const Entry& operator*() const { return entry_; }
    const Entry* operator->() const { return &entry_; }
    Iterator& operator++() {
      entry_ = Entry(++at_);
      return *this;
    }
    Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    bool operator==(const Iterator& o) const { return at_ == o.at_; }
    std::pair<IValue, IValue>* place() const { return at_; }

   private:
    std::pair<IValue, IValue>* at_;
    Entry entry_;
  };
  using iterator = Iterator;
  using const_iterator = Iterator;

  Dict() : items_(std::make_shared<ivalue::Dict>()) {}
  size_t size() const { return items_->size(); }
  bool empty() const { return items_->empty(); }
  Iterator begin() const { return Iterator(items_->data()); }
  Iterator end() const { return Iterator(items_->data() + size()); }
  /// Leaves the value of a key that is there.
  std::pair<Iterator, bool> insert(const Key& key, const Value& value) const {
    const Iterator known = find(key);
    if (!(known == end())) return {known, false};
    items_->emplace_back(IValue(key), IValue(value));
    return {Iterator(&items_->back()), true};
  }
  std::pair<Iterator, bool> insert_or_assign(const Key& key, const Value& value) const {
    const auto [at, is_new] = insert(key, value);
    if (!is_new) at->setValue(value);
    return {at, is_new};
  }
  Iterator find(const Key& key) const {
    const IValue wanted(key);
    for (auto& item : *items_)
      if (item.first == wanted) return Iterator(&item);
    return end();
  }
  bool contains(const Key& key) const { return !(find(key) == end()); }
  Value at(const Key& key) const {
    const Iterator found = find(key);
    if (found == end()) throw std::out_of_range("Argument passed to at() was not in the map.");
    return found->value();
  }
  size_t erase(const Key& key) const {
    const Iterator found = find(key);
    if (found == end()) return 0;
    erase(found);
    return 1;
  }
  void erase(Iterator at) const { items_->erase(items_->begin() + (at.place() - items_->data())); }
  void clear() const { items_->clear(); }
  void reserve(size_t n) const { items_->reserve(n); }
  Dict copy() const { return Dict(std::make_shared<ivalue::Dict>(*items_)); }
  bool is(const Dict& other) const { return items_ == other.items_; }
  friend bool operator==(const Dict& a, const Dict& b) { return *a.items_ == *b.items_; }

  IValue to_ivalue() const { return items_; }
  static Dict from_ivalue(const IValue& value) { return Dict(value.dict()); }

 private:
  explicit Dict(std::shared_ptr<ivalue::Dict> items) : items_(std::move(items)) {}
  std::shared_ptr<ivalue::Dict> items_;
};

inline List<IValue> IValue::toList() const { return List<IValue>::from_ivalue(*this); }
inline List<Tensor> IValue::toTensorList() const { return List<Tensor>::from_ivalue(*this); }
inline List<int64_t> IValue::toIntList() const { return List<int64_t>::from_ivalue(*this); }
inline List<double> IValue::toDoubleList() const { return List<double>::from_ivalue(*this); }
inline List<bool> IValue::toBoolList() const { return List<bool>::from_ivalue(*this); }
inline Dict<IValue, IValue> IValue::toGenericDict() const { return Dict<IValue, IValue>::from_ivalue(*this); }

}  // namespace taut
