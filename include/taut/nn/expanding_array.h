// Sizes of D dimensions, given as one number for all of them or as a list: the kernel_size of a Conv2d.
#pragma once
#include <array>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <vector>

#include "taut/core/array_ref.h"
#include "taut/core/error.h"

namespace taut {

template <size_t D, class T = int64_t>
class ExpandingArray {
 public:
  ExpandingArray(std::initializer_list<T> list) : ExpandingArray(ArrayRef<T>(list)) {}
  ExpandingArray(const std::vector<T>& list) : ExpandingArray(ArrayRef<T>(list)) {}
  ExpandingArray(ArrayRef<T> list) {
    check<ValueError>(list.size() == D, "Expected ", D, " values, but instead got ", list.size());
    for (size_t i = 0; i < D; ++i) values_[i] = list[i];
  }
  ExpandingArray(T one) { values_.fill(one); }
  ExpandingArray(const std::array<T, D>& values) : values_(values) {}

  std::array<T, D>& operator*() { return values_; }
  const std::array<T, D>& operator*() const { return values_; }
  std::array<T, D>* operator->() { return &values_; }
  const std::array<T, D>* operator->() const { return &values_; }
  operator ArrayRef<T>() const { return values_; }
  T operator[](size_t i) const { return values_[i]; }
  size_t size() const { return D; }
  friend bool operator==(const ExpandingArray& a, const ExpandingArray& b) { return a.values_ == b.values_; }

  /// As Python prints a tuple: "(3, 3)", "(3,)".
  friend std::ostream& operator<<(std::ostream& out, const ExpandingArray& a) {
    out << '(';
    for (size_t i = 0; i < D; ++i) out << (i ? ", " : "") << a.values_[i];
    return out << (D == 1 ? ",)" : ")");
  }

 private:
  std::array<T, D> values_{};
};

/// The same where an element may be left open, as in the output size of an adaptive pool.
template <size_t D, class T = int64_t>
class ExpandingArrayWithOptionalElem {
 public:
  using Element = std::optional<T>;
  ExpandingArrayWithOptionalElem(std::initializer_list<Element> list)
      : ExpandingArrayWithOptionalElem(std::vector<Element>(list)) {}
  ExpandingArrayWithOptionalElem(const std::vector<Element>& list) {
    check<ValueError>(list.size() == D, "Expected ", D, " values, but instead got ", list.size());
    for (size_t i = 0; i < D; ++i) values_[i] = list[i];
  }
  ExpandingArrayWithOptionalElem(const std::vector<T>& list)
      : ExpandingArrayWithOptionalElem(std::vector<Element>(list.begin(), list.end())) {}
  ExpandingArrayWithOptionalElem(T one) { values_.fill(one); }
  ExpandingArrayWithOptionalElem(Element one) { values_.fill(one); }
  ExpandingArrayWithOptionalElem(std::nullopt_t) {}

  std::array<Element, D>& operator*() { return values_; }
  const std::array<Element, D>& operator*() const { return values_; }
  std::array<Element, D>* operator->() { return &values_; }
  const std::array<Element, D>* operator->() const { return &values_; }
  Element operator[](size_t i) const { return values_[i]; }
  size_t size() const { return D; }

  friend std::ostream& operator<<(std::ostream& out, const ExpandingArrayWithOptionalElem& a) {
    out << '(';
    for (size_t i = 0; i < D; ++i) {
      out << (i ? ", " : "");
      if (a.values_[i]) out << *a.values_[i];
      else out << "None";
    }
    return out << (D == 1 ? ",)" : ")");
  }

 private:
  std::array<Element, D> values_{};
};

}  // namespace taut
