// A map that keeps the order of insertion, as libtorch has it.
#pragma once
#include <initializer_list>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "taut/core/error.h"

namespace taut {

template <class Key, class Value>
class OrderedDict {
 public:
  /// A key and a value; `*item` and `item->` are the value.
  class Item {
   public:
    Item(Key key, Value value) : pair_(std::move(key), std::move(value)) {}
    const Key& key() const { return pair_.first; }
    Value& value() { return pair_.second; }
    const Value& value() const { return pair_.second; }
    Value& operator*() { return value(); }
    const Value& operator*() const { return value(); }
    Value* operator->() { return &value(); }
    const Value* operator->() const { return &value(); }
    const std::pair<Key, Value>& pair() const { return pair_; }

   private:
    std::pair<Key, Value> pair_;
  };
  using Iterator = typename std::vector<Item>::iterator;
  using ConstIterator = typename std::vector<Item>::const_iterator;

  /// `key_description`: what a key is called in messages.
  explicit OrderedDict(std::string key_description = "Key") : key_description_(std::move(key_description)) {}
  OrderedDict(std::initializer_list<Item> items) : OrderedDict("Key") {
    for (const Item& i : items) insert(i.key(), i.value());
  }

  const std::string& key_description() const { return key_description_; }
  size_t size() const { return items_.size(); }
  bool is_empty() const { return items_.empty(); }
  bool empty() const { return items_.empty(); }
  Iterator begin() { return items_.begin(); }
  Iterator end() { return items_.end(); }
  ConstIterator begin() const { return items_.begin(); }
  ConstIterator end() const { return items_.end(); }
  Item& front() { return some("front").front(); }
  const Item& front() const { return const_cast<OrderedDict*>(this)->front(); }
  Item& back() { return some("back").back(); }
  const Item& back() const { return const_cast<OrderedDict*>(this)->back(); }
  const std::vector<Item>& items() const { return items_; }

  Item& operator[](size_t index) { return item(index); }
  const Item& operator[](size_t index) const { return item(index); }
  Value& operator[](const Key& key) { return *found(key); }
  const Value& operator[](const Key& key) const { return *const_cast<OrderedDict*>(this)->found(key); }
  Value* find(const Key& key) {
    const auto i = index_.find(key);
    return i == index_.end() ? nullptr : &items_[i->second].value();
  }
  const Value* find(const Key& key) const { return const_cast<OrderedDict*>(this)->find(key); }
  bool contains(const Key& key) const { return index_.count(key) > 0; }

  void reserve(size_t n) { items_.reserve(n); }
  /// Adds a new key; throws when it is there already.
  Value& insert(Key key, Value value) {
    check<ValueError>(!contains(key), key_description_, " '", key, "' already defined");
    index_.emplace(key, items_.size());
    items_.emplace_back(std::move(key), std::move(value));
    return items_.back().value();
  }
  void update(const OrderedDict& other) {
    for (const Item& i : other) insert(i.key(), i.value());
  }
  void erase(const Key& key) {
    check<IndexError>(contains(key), "Key '", key, "' doesn't exist: no ", key_description_, " has this name");
    const size_t at = index_[key];
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(at));
    index_.erase(key);
    for (auto& [k, i] : index_) i -= i > at;
  }
  void clear() {
    items_.clear();
    index_.clear();
  }

  std::vector<Key> keys() const {
    std::vector<Key> list;
    for (const Item& i : items_) list.push_back(i.key());
    return list;
  }
  std::vector<Value> values() const {
    std::vector<Value> list;
    for (const Item& i : items_) list.push_back(i.value());
    return list;
  }
  std::vector<std::pair<Key, Value>> pairs() const {
    std::vector<std::pair<Key, Value>> list;
    for (const Item& i : items_) list.push_back(i.pair());
    return list;
  }

 private:
  std::vector<Item>& some(const char* method) {
    check<IndexError>(!items_.empty(), "Called ", method, "() on an empty OrderedDict");
    return items_;
  }
  Item& item(size_t i) {
    check<IndexError>(i < size(), "Index ", i, " is out of bounds for a dictionary of ", size(), " items");
    return items_[i];
  }
  const Item& item(size_t i) const { return const_cast<OrderedDict*>(this)->item(i); }
  Value* found(const Key& key) {
    Value* value = find(key);
    check<IndexError>(value != nullptr, key_description_, " '", key, "' is not defined");
    return value;
  }

  std::string key_description_;
  std::vector<Item> items_;
  std::unordered_map<Key, size_t> index_;
};

}  // namespace taut
