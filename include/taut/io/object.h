// What a .pt file can hold: numbers, texts, tensors, and lists and dictionaries of them.
#pragma once
#include <concepts>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "taut/ordered_dict.h"
#include "taut/tensor.h"

namespace taut::io {

/// A value of Python's plain types. A handle: copies share texts, lists and dictionaries, which cannot be changed.
class Object {
 public:
  enum class Kind : uint8_t { None, Bool, Int, Float, String, Tensor, Dtype, List, Tuple, Dict };
  using List = std::vector<Object>;
  using Dict = std::vector<std::pair<Object, Object>>;  // in order of insertion

  Object() = default;
  template <std::same_as<bool> B>
  Object(B b) : kind_(Kind::Bool), int_(b) {}
  template <std::integral I>
  requires(!std::same_as<I, bool>) Object(I i) : kind_(Kind::Int), int_(static_cast<int64_t>(i)) {}
  Object(double d) : kind_(Kind::Float), double_(d) {}
  Object(std::string s) : kind_(Kind::String), data_(std::make_shared<std::string>(std::move(s))) {}
  Object(const char* s) : Object(std::string(s)) {}
  Object(const taut::Tensor& t) : kind_(Kind::Tensor), data_(std::make_shared<taut::Tensor>(t)) {}
  Object(ScalarType t) : kind_(Kind::Dtype), int_(static_cast<int64_t>(t)) {}
  Object(List l) : kind_(Kind::List), data_(std::make_shared<List>(std::move(l))) {}
  Object(Dict d) : kind_(Kind::Dict), data_(std::make_shared<Dict>(std::move(d))) {}
  Object(const std::vector<taut::Tensor>& tensors);
  Object(const OrderedDict<std::string, taut::Tensor>& tensors);
  static Object tuple(List l) {
    Object o(std::move(l));
    o.kind_ = Kind::Tuple;
    return o;
  }

  Kind kind() const { return kind_; }
  bool is_none() const { return kind_ == Kind::None; }
  bool is_tensor() const { return kind_ == Kind::Tensor; }
  bool is_list() const { return kind_ == Kind::List || kind_ == Kind::Tuple; }
  bool is_dict() const { return kind_ == Kind::Dict; }
  bool is_string() const { return kind_ == Kind::String; }

  /// Conversions throw TypeError and say what the object is instead. An int is a double too, a tuple a list.
  bool to_bool() const;
  int64_t to_int() const;
  double to_double() const;
  const std::string& to_string() const;
  const taut::Tensor& to_tensor() const;
  ScalarType to_dtype() const;
  const List& to_list() const;
  const Dict& to_dict() const;

  /// Of a list or a dictionary.
  size_t size() const;
  const Object& operator[](size_t index) const;
  /// The value of a key that is a text; null, or IndexError, when it is not there.
  const Object* find(const std::string& key) const;
  const Object& at(const std::string& key) const;

  /// The tensors of a dictionary by name; those of nested dictionaries and lists have names like "model.fc.0".
  /// Whatever is no tensor is left out.
  OrderedDict<std::string, taut::Tensor> state_dict() const;

 private:
  friend class Unpickler;
  Kind kind_ = Kind::None;
  union {
    int64_t int_ = 0;
    double double_;
  };
  std::shared_ptr<void> data_;  // std::string, Tensor, List or Dict
};

/// "a dictionary", "an int", ... for messages.
const char* kind_name(Object::Kind kind);

}  // namespace taut::io
