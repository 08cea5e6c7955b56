// A value of any type: what AutogradContext::saved_data, archives and pickles hold.
#pragma once
#include <any>
#include <concepts>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "taut/tensor.h"

namespace taut {

class IValue;
template <class T>
class List;
template <class Key, class Value>
class Dict;

namespace detail {
template <class T>
inline constexpr bool is_vector = false;
template <class T>
inline constexpr bool is_vector<std::vector<T>> = true;
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_tuple = false;
template <class... T>
inline constexpr bool is_tuple<std::tuple<T...>> = true;
template <class T>
inline constexpr bool is_map = false;
template <class K, class V>
inline constexpr bool is_map<std::unordered_map<K, V>> = true;
template <class K, class V>
inline constexpr bool is_map<std::map<K, V>> = true;
/// What is boxed element by element; other vectors stay as they are.
template <class T>
inline constexpr bool is_plain =
    std::is_arithmetic_v<T> || std::is_same_v<T, std::string> || std::is_same_v<T, Tensor> || std::is_same_v<T, IValue>;
template <class T>
inline constexpr bool is_plain<std::vector<T>> = is_plain<T>;
}  // namespace detail

namespace ivalue {
/// Values that belong together; copies of an IValue share them, and so they do lists and dictionaries.
class Tuple;
using List = std::vector<IValue>;
using Dict = std::vector<std::pair<IValue, IValue>>;  // in order of insertion
}  // namespace ivalue

/// None, a number, a text, a tensor, a list, a dictionary, a tuple, or any other type. Numbers convert to each other;
/// what is of another type comes back as the type it went in.
class IValue {
 public:
  IValue() = default;
  IValue(std::nullopt_t) {}
  template <class T>
  requires(!std::is_same_v<std::remove_cvref_t<T>, IValue>) IValue(T&& value) {
    using V = std::decay_t<T>;
    if constexpr (requires { value.to_ivalue(); }) *this = value.to_ivalue();
    else if constexpr (std::is_arithmetic_v<V>) value_ = Scalar(value);
    else if constexpr (std::is_convertible_v<V, std::string_view>) value_ = std::string(std::string_view(value));
    else if constexpr (detail::is_optional<V>) {
      if (value) *this = IValue(*std::forward<T>(value));
    } else if constexpr ((detail::is_vector<V> && detail::is_plain<V>) || requires { value.vec(); })
      set_list(value);  // or a reference to a list: keep the list
    else if constexpr (detail::is_tuple<V>) std::apply([&](const auto&... x) { set_tuple({IValue(x)...}); }, value);
    else if constexpr (detail::is_map<V>) {
      set_dict();
      for (const auto& [k, v] : value) dict()->emplace_back(k, v);
    } else value_ = std::forward<T>(value);
  }

  bool isNone() const { return !value_.has_value(); }
  bool isTensor() const { return is<Tensor>(); }
  bool isScalar() const { return is<Scalar>(); }
  bool isInt() const { return isScalar() && toScalar().is_integral(false); }
  bool isDouble() const { return isScalar() && toScalar().is_floating_point(); }
  bool isBool() const { return isScalar() && toScalar().is_bool(); }
  bool isString() const { return is<std::string>(); }
  bool isDevice() const { return is<Device>(); }
  bool isTuple() const { return is<std::shared_ptr<ivalue::Tuple>>(); }
  bool isGenericDict() const { return is<std::shared_ptr<ivalue::Dict>>(); }
  bool isList() const { return is<std::shared_ptr<ivalue::List>>(); }
  // Lists all of whose elements are of one kind.
  bool isIntList() const { return all(&IValue::isInt); }
  bool isDoubleList() const { return all(&IValue::isDouble); }
  bool isBoolList() const { return all(&IValue::isBool); }
  bool isTensorList() const { return all(&IValue::isTensor); }
  /// "Tensor", "Int", ...
  const char* tagKind() const;

  /// Throws TypeError when the value is of another kind.
  template <class T>
  T to() const {
    if constexpr (std::is_same_v<T, IValue>) return *this;
    else if constexpr (requires { T::from_ivalue(*this); }) return T::from_ivalue(*this);
    else if constexpr (std::is_arithmetic_v<T>) return toScalar().to<T>();
    else if constexpr (detail::is_optional<T>) return isNone() ? T() : T(to<typename T::value_type>());
    else if constexpr (detail::is_vector<T> && detail::is_plain<T>) {
      T result;
      for (const IValue& x : *list()) result.push_back(x.to<typename T::value_type>());
      return result;
    } else if constexpr (detail::is_tuple<T>) {
      return to_tuple<T>(std::make_index_sequence<std::tuple_size_v<T>>());
    } else if constexpr (detail::is_map<T>) {
      T result;
      for (const auto& [k, v] : *dict())
        result.emplace(k.template to<typename T::key_type>(), v.template to<typename T::mapped_type>());
      return result;
    } else return get<T>();
  }
  template <class T>
  std::optional<T> toOptional() const {
    return to<std::optional<T>>();
  }
  int64_t toInt() const { return to<int64_t>(); }
  double toDouble() const { return to<double>(); }
  bool toBool() const { return to<bool>(); }
  Device toDevice() const { return get<Device>(); }
  const Scalar& toScalar() const { return get<Scalar>(); }
  const Tensor& toTensor() const { return get<Tensor>(); }
  const std::string& toStringRef() const { return get<std::string>(); }
  std::string_view toStringView() const { return toStringRef(); }
  std::vector<int64_t> toIntVector() const;
  std::vector<double> toDoubleVector() const;
  std::vector<Tensor> toTensorVector() const;
  ArrayRef<IValue> toListRef() const { return *list(); }
  List<IValue> toList() const;
  List<Tensor> toTensorList() const;
  List<int64_t> toIntList() const;
  List<double> toDoubleList() const;
  List<bool> toBoolList() const;
  Dict<IValue, IValue> toGenericDict() const;
  const std::shared_ptr<ivalue::Tuple>& toTuple() const { return get<std::shared_ptr<ivalue::Tuple>>(); }
  const std::shared_ptr<ivalue::List>& list() const { return get<std::shared_ptr<ivalue::List>>(); }
  const std::shared_ptr<ivalue::Dict>& dict() const { return get<std::shared_ptr<ivalue::Dict>>(); }
  const ivalue::List& elements() const;  // of a tuple

  bool is(const IValue& other) const;
  /// Numbers, texts and what is made of them by value; tensors when they are the same.
  friend bool operator==(const IValue& a, const IValue& b);
  friend std::ostream& operator<<(std::ostream& out, const IValue& value);

 private:
  template <class T>
  bool is() const {
    return value_.type() == typeid(T);
  }
  template <class T>
  const T& get() const {
    const T* v = std::any_cast<T>(&value_);
    if (!v) wrong_type(IValue::kind_of<T>());
    return *v;
  }
  template <class T>
  static constexpr const char* kind_of() {
    if constexpr (std::is_same_v<T, Tensor>) return "Tensor";
    else if constexpr (std::is_same_v<T, Scalar>) return "Scalar";
    else if constexpr (std::is_same_v<T, std::string>) return "String";
    else if constexpr (std::is_same_v<T, Device>) return "Device";
    else if constexpr (std::is_same_v<T, std::shared_ptr<ivalue::List>>) return "GenericList";
    else if constexpr (std::is_same_v<T, std::shared_ptr<ivalue::Dict>>) return "GenericDict";
    else if constexpr (std::is_same_v<T, std::shared_ptr<ivalue::Tuple>>) return "Tuple";
    else return "a value of the type asked for";
  }
  template <class T, size_t... I>
  T to_tuple(std::index_sequence<I...>) const {
    const ivalue::List& all = elements();
    check<TypeError>(all.size() == sizeof...(I), "Expected a tuple of ", sizeof...(I), " values but got ", all.size());
    return T(all[I].template to<std::tuple_element_t<I, T>>()...);
  }
  template <class C>
  void set_list(const C& values) {
    auto items = std::make_shared<ivalue::List>();
    for (const auto& x : values) items->push_back(static_cast<std::decay_t<decltype(values.front())>>(x));
    value_ = std::move(items);
  }
  void set_dict() { value_ = std::make_shared<ivalue::Dict>(); }
  void set_tuple(ivalue::List elements);
  bool all(bool (IValue::*holds)() const) const;
  [[noreturn]] void wrong_type(const char* wanted) const;

  std::any value_;
};

namespace ivalue {
class Tuple {
 public:
  explicit Tuple(List elements) : elements_(std::move(elements)) {}
  static std::shared_ptr<Tuple> create(List elements) { return std::make_shared<Tuple>(std::move(elements)); }
  template <class... T>
  requires(sizeof...(T) > 0) static std::shared_ptr<Tuple> create(const T&... values) {
    return create(List{IValue(values)...});
  }
  const List& elements() const { return elements_; }
  size_t size() const { return elements_.size(); }

 private:
  List elements_;
};
}  // namespace ivalue

inline const ivalue::List& IValue::elements() const { return toTuple()->elements(); }

}  // namespace taut
