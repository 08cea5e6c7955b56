// c10's small tools.
#pragma once
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "taut-torch/check.h"
#include "taut-torch/enums.h"
#include "taut-torch/names.h"

namespace c10 {
using std::get;
using std::get_if;
using std::holds_alternative;
using std::in_place;
using std::in_place_t;
using std::make_optional;
using std::monostate;
using std::nullopt;
using std::nullopt_t;
using std::optional;
using std::variant;
using std::visit;
using string_view = std::string_view;
template <class T>
using complex = taut::Complex<T>;
using DeviceIndex = int8_t;
using OptionalIntArrayRef = taut::OptionalIntArrayRef;
template <class T>
using OptionalArrayRef = std::optional<ArrayRef<T>>;
template <class T>
using MutableArrayRef = ArrayRef<T>;
using SymInt = int64_t;
using SymIntArrayRef = IntArrayRef;
using DispatchKey = DeviceType;

/// `for (auto i : c10::irange(n))`: the numbers from 0, or from `begin`, up to but without `end`.
template <class I>
class integer_range {
 public:
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = I;
    using difference_type = std::ptrdiff_t;
    using pointer = I*;
    using reference = I&;
    explicit iterator(I at) : at_(at) {}
    I operator*() const { return at_; }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    iterator operator++(int) {
      const iterator before = *this;
      ++at_;
      return before;
    }
    friend bool operator==(const iterator& a, const iterator& b) { return a.at_ == b.at_; }

   private:
    I at_;
  };
  integer_range(I begin, I end) : begin_(begin), end_(end) {}
  iterator begin() const { return begin_; }
  iterator end() const { return end_; }

 private:
  iterator begin_, end_;
};
template <class I>
requires std::is_integral_v<I> integer_range<I> irange(I end) { return {I{}, end < I{} ? I{} : end}; }
template <class I, class J>
requires(std::is_integral_v<I>&& std::is_integral_v<J>) integer_range<J> irange(I begin, J end) {
  const J first = static_cast<J>(begin);
  return {first, end < first ? first : end};
}

/// The elements of a container as text, with `separator` between them.
template <class Container>
std::string Join(const std::string& separator, const Container& container) {
  std::string text;
  bool first = true;
  for (const auto& x : container) {
    text += (first ? std::string() : separator) + taut::str(x);
    first = false;
  }
  return text;
}

/// A vector: that it needs no memory while short is libtorch's own business.
template <class T, unsigned N = 6>
class SmallVector : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  SmallVector(ArrayRef<T> list) : std::vector<T>(list.begin(), list.end()) {}
};
template <class T>
using SmallVectorImpl = std::vector<T>;
using DimVector = SmallVector<int64_t, 5>;

template <class C>
constexpr std::ptrdiff_t ssize(const C& c) {
  return static_cast<std::ptrdiff_t>(c.size());
}
template <class C>
int64_t multiply_integers(const C& list) {
  int64_t product = 1;
  for (const auto& x : list) product *= static_cast<int64_t>(x);
  return product;
}
template <class C>
int64_t sum_integers(const C& list) {
  int64_t sum = 0;
  for (const auto& x : list) sum += static_cast<int64_t>(x);
  return sum;
}
inline size_t hash_combine(size_t seed, size_t value) {
  return seed ^ (value + 0x9e3779b9 + (seed << 6U) + (seed >> 2U));
}
template <class F>
class ScopeExit {
 public:
  explicit ScopeExit(F f) : f_(std::move(f)) {}
  ~ScopeExit() {
    if (engaged_) f_();
  }
  ScopeExit(const ScopeExit&) = delete;
  void release() { engaged_ = false; }

 private:
  F f_;
  bool engaged_ = true;
};
template <class F>
ScopeExit<F> make_scope_exit(F f) {
  return ScopeExit<F>(std::move(f));
}
template <class... F>
struct overloaded : F... {
  explicit overloaded(F... f) : F(std::move(f))... {}
  using F::operator()...;
};
template <class T>
inline constexpr T pi = static_cast<T>(3.141592653589793238462643383279502884L);

template <class T>
std::ostream& operator<<(std::ostream& out, const ArrayRef<T>& list) {
  out << '[';
  for (size_t i = 0; i < list.size(); ++i) out << (i ? ", " : "") << list[i];
  return out << ']';
}

template <class T, unsigned N>
std::ostream& operator<<(std::ostream& out, const SmallVector<T, N>& list) {
  return out << ArrayRef<T>(list);
}

}  // namespace c10

// libtorch prints the containers of the standard library: up to 100 elements with spaces between them.
namespace std {
template <class A, class B>
ostream& operator<<(ostream& out, const pair<A, B>& p);
template <class... T>
ostream& operator<<(ostream& out, const vector<T...>& list);
template <class... T>
ostream& operator<<(ostream& out, const map<T...>& list);
template <class... T>
ostream& operator<<(ostream& out, const set<T...>& list);
}  // namespace std
namespace c10 {
template <class Iterator>
void PrintSequence(std::ostream& out, Iterator at, Iterator end) {
  constexpr int kMost = 100;
  for (int i = 0; at != end && i < kMost; ++i, ++at) out << (i ? " " : "") << *at;
  if (at != end) out << " ...";
}
}  // namespace c10
namespace std {
template <class A, class B>
ostream& operator<<(ostream& out, const pair<A, B>& p) {
  return out << '(' << p.first << ", " << p.second << ')';
}
template <class... T>
ostream& operator<<(ostream& out, const vector<T...>& list) {
  return c10::PrintSequence(out, list.begin(), list.end()), out;
}
template <class... T>
ostream& operator<<(ostream& out, const map<T...>& list) {
  return c10::PrintSequence(out, list.begin(), list.end()), out;
}
template <class... T>
ostream& operator<<(ostream& out, const set<T...>& list) {
  return c10::PrintSequence(out, list.begin(), list.end()), out;
}
}  // namespace std

#define C10_UNUSED [[maybe_unused]]
#define C10_NODISCARD [[nodiscard]]
#define C10_LIKELY(x) (__builtin_expect(static_cast<bool>(x), 1))
#define C10_UNLIKELY(x) (__builtin_expect(static_cast<bool>(x), 0))
#define C10_API
#define C10_EXPORT
#define C10_HOST_DEVICE
#define C10_ALWAYS_INLINE inline __attribute__((always_inline))
#define C10_NOINLINE __attribute__((noinline))
#define C10_DISABLE_COPY_AND_ASSIGN(Class) \
  Class(const Class&) = delete;            \
  Class& operator=(const Class&) = delete
#define C10_CONCATENATE_IMPL(a, b) a##b
#define C10_CONCATENATE(a, b) C10_CONCATENATE_IMPL(a, b)
#define C10_STRINGIZE_IMPL(x) #x
#define C10_STRINGIZE(x) C10_STRINGIZE_IMPL(x)
#define C10_ANONYMOUS_VARIABLE(prefix) C10_CONCATENATE(prefix, __LINE__)
