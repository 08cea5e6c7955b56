// Intrusive reference counts. While the process has one thread they are plain additions.
#pragma once
#include <atomic>
#include <cstdint>
#include <utility>
#if defined(__GLIBC__) && __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define TAUT_SINGLE_THREADED __libc_single_threaded
#else
#define TAUT_SINGLE_THREADED false
#endif

namespace taut {

class RefCount {
 public:
  void retain() noexcept {
    if (TAUT_SINGLE_THREADED) n_.store(n_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    else n_.fetch_add(1, std::memory_order_relaxed);
  }
  /// True when this was the last reference.
  bool release() noexcept {
    if (TAUT_SINGLE_THREADED) {
      const uint32_t n = n_.load(std::memory_order_relaxed) - 1;
      n_.store(n, std::memory_order_relaxed);
      return n == 0;
    }
    return n_.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }
  uint32_t count() const noexcept { return n_.load(std::memory_order_acquire); }

 private:
  std::atomic<uint32_t> n_{1};
};

/// Shared ownership of a T with retain() and release().
template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  /// Takes over a reference that the caller owns.
  static Ref adopt(T* p) {
    Ref r;
    r.p_ = p;
    return r;
  }
  static Ref share(T* p) {
    if (p) p->retain();
    return adopt(p);
  }
  Ref(const Ref& o) : p_(o.p_) {
    if (p_) p_->retain();
  }
  Ref(Ref&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
  Ref& operator=(Ref o) noexcept {
    std::swap(p_, o.p_);
    return *this;
  }
  ~Ref() {
    if (p_) p_->release();
  }
  T* get() const { return p_; }
  T* operator->() const { return p_; }
  T& operator*() const { return *p_; }
  explicit operator bool() const { return p_ != nullptr; }
  T* detach() { return std::exchange(p_, nullptr); }
  friend bool operator==(const Ref& a, const Ref& b) { return a.p_ == b.p_; }

 private:
  T* p_ = nullptr;
};

}  // namespace taut
