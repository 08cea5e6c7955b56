// Borrowed arrays, so that `{2, 3}`, a vector, an array or a single number can be passed where a list is expected.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <iterator>
#include <optional>
#include <type_traits>
#include <vector>

namespace taut {

[[noreturn]] void throw_no_element(size_t index, size_t size);
[[noreturn]] void throw_no_slice(size_t start, size_t count, size_t size);

/// A pointer and a length; owns nothing.
template <class T>
class ArrayRef {
 public:
  constexpr ArrayRef() = default;
  constexpr ArrayRef(const T* data, size_t size) : data_(data), size_(size) {}
  constexpr ArrayRef(const T* begin, const T* end) : data_(begin), size_(static_cast<size_t>(end - begin)) {}
  constexpr ArrayRef(const T& one) : data_(&one), size_(1) {}
  constexpr ArrayRef(const std::vector<T>& v) : data_(v.data()), size_(v.size()) {}
  template <size_t N>
  constexpr ArrayRef(const std::array<T, N>& a) : data_(a.data()), size_(N) {}
  template <size_t N>
  constexpr ArrayRef(const T (&a)[N]) : data_(a), size_(N) {}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winit-list-lifetime"
#endif
  constexpr ArrayRef(std::initializer_list<T> list) : data_(list.begin()), size_(list.size()) {}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

  constexpr const T* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T* begin() const { return data_; }
  constexpr const T* end() const { return data_ + size_; }
  constexpr const T& operator[](size_t i) const { return data_[i]; }
  constexpr const T& front() const { return data_[0]; }
  constexpr const T& back() const { return data_[size_ - 1]; }
  constexpr const T* cbegin() const { return begin(); }
  constexpr const T* cend() const { return end(); }
  constexpr auto rbegin() const { return std::reverse_iterator(end()); }
  constexpr auto rend() const { return std::reverse_iterator(begin()); }
  /// The element, or an exception.
  constexpr const T& at(size_t i) const {
    if (i >= size_) throw_no_element(i, size_);
    return data_[i];
  }
  constexpr bool equals(ArrayRef o) const { return *this == o; }
  template <class F>
  bool allMatch(const F& holds) const {
    for (const T& x : *this)
      if (!holds(x)) return false;
    return true;
  }
  constexpr ArrayRef slice(size_t start, size_t count) const {
    if (start + count > size_) throw_no_slice(start, count, size_);
    return {data_ + start, count};
  }
  constexpr ArrayRef slice(size_t start) const {
    if (start > size_) throw_no_slice(start, 0, size_);
    return {data_ + start, size_ - start};
  }
  std::vector<T> vec() const { return std::vector<T>(begin(), end()); }  // braces would make two bools of two pointers
  operator std::vector<T>() const { return vec(); }
  friend bool operator==(const ArrayRef& a, const ArrayRef& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i)
      if (!(a[i] == b[i])) return false;
    return true;
  }

 private:
  const T* data_ = nullptr;
  size_t size_ = 0;
};

using IntArrayRef = ArrayRef<int64_t>;

/// A list that may be absent.
class OptionalIntArrayRef {
 public:
  OptionalIntArrayRef() = default;
  OptionalIntArrayRef(std::nullopt_t) {}
  OptionalIntArrayRef(IntArrayRef a) : value_(a), has_(true) {}
  OptionalIntArrayRef(const std::vector<int64_t>& v) : value_(v), has_(true) {}
  OptionalIntArrayRef(std::initializer_list<int64_t> l) : value_(l), has_(true) {}
  template <class T>
  requires(std::is_class_v<T>&& std::is_convertible_v<const T&, IntArrayRef>) OptionalIntArrayRef(const T& list)
      : value_(list), has_(true) {}
  OptionalIntArrayRef(const int64_t& one) : value_(one), has_(true) {}
  bool has_value() const { return has_; }
  explicit operator bool() const { return has_; }
  IntArrayRef value() const { return value_; }
  IntArrayRef operator*() const { return value_; }
  const IntArrayRef* operator->() const { return &value_; }

 private:
  IntArrayRef value_;
  bool has_ = false;
};

/// "[2, 3]"
std::ostream& operator<<(std::ostream& out, IntArrayRef list);

}  // namespace taut
