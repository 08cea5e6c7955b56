// c10::intrusive_ptr, which is a shared pointer here.
#pragma once
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

#include "taut-torch/names.h"

namespace c10 {

namespace impl {
using GenericList = List<IValue>;
using GenericDict = Dict<IValue, IValue>;
}  // namespace impl

/// The base of what an intrusive_ptr holds.
class intrusive_ptr_target : public std::enable_shared_from_this<intrusive_ptr_target> {
 public:
  virtual ~intrusive_ptr_target() = default;

 protected:
  intrusive_ptr_target() = default;
  intrusive_ptr_target(const intrusive_ptr_target&) : std::enable_shared_from_this<intrusive_ptr_target>() {}
  intrusive_ptr_target& operator=(const intrusive_ptr_target&) { return *this; }
};

/// A shared pointer by libtorch's name.
template <class T>
class intrusive_ptr {
 public:
  using element_type = T;
  intrusive_ptr() = default;
  intrusive_ptr(std::nullptr_t) {}
  intrusive_ptr(std::shared_ptr<T> p) : p_(std::move(p)) {}
  template <class U>
  requires std::is_convertible_v<U*, T*> intrusive_ptr(const intrusive_ptr<U>& o) : p_(o.shared()) {}
  template <class... Args>
  static intrusive_ptr make(Args&&... args) {
    return intrusive_ptr(std::make_shared<T>(std::forward<Args>(args)...));
  }
  /// Shares what another intrusive_ptr holds.
  static intrusive_ptr reclaim_copy(T* p) {
    return p ? intrusive_ptr(std::static_pointer_cast<T>(p->shared_from_this())) : intrusive_ptr();
  }
  T* get() const noexcept { return p_.get(); }
  T* operator->() const noexcept { return p_.get(); }
  T& operator*() const noexcept { return *p_; }
  explicit operator bool() const noexcept { return p_ != nullptr; }
  bool defined() const noexcept { return p_ != nullptr; }
  void reset() noexcept { p_.reset(); }
  void swap(intrusive_ptr& o) noexcept { p_.swap(o.p_); }
  size_t use_count() const noexcept { return static_cast<size_t>(p_.use_count()); }
  bool unique() const noexcept { return use_count() == 1; }
  bool is_uniquely_owned() const noexcept { return unique(); }
  const std::shared_ptr<T>& shared() const noexcept { return p_; }
  friend bool operator==(const intrusive_ptr& a, const intrusive_ptr& b) { return a.p_ == b.p_; }
  friend bool operator==(const intrusive_ptr& a, std::nullptr_t) { return a.p_ == nullptr; }

 private:
  std::shared_ptr<T> p_;
};
template <class T, class... Args>
intrusive_ptr<T> make_intrusive(Args&&... args) {
  return intrusive_ptr<T>::make(std::forward<Args>(args)...);
}
template <class To, class From>
intrusive_ptr<To> static_intrusive_pointer_cast(const intrusive_ptr<From>& p) {
  return std::static_pointer_cast<To>(p.shared());
}
template <class To, class From>
intrusive_ptr<To> dynamic_intrusive_pointer_cast(const intrusive_ptr<From>& p) {
  return std::dynamic_pointer_cast<To>(p.shared());
}
template <class T>
class weak_intrusive_ptr {
 public:
  explicit weak_intrusive_ptr(const intrusive_ptr<T>& p) : p_(p.shared()) {}
  intrusive_ptr<T> lock() const { return p_.lock(); }
  bool expired() const { return p_.expired(); }
  size_t use_count() const { return static_cast<size_t>(p_.use_count()); }

 private:
  std::weak_ptr<T> p_;
};

}  // namespace c10

template <class T>
struct std::hash<c10::intrusive_ptr<T>> {
  size_t operator()(const c10::intrusive_ptr<T>& p) const { return std::hash<T*>()(p.get()); }
};
