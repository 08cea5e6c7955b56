// The caching allocator. Every block is 64-byte aligned. Small blocks are kept per thread without a lock, large ones in
// an arena; both are bounded, and what does not fit goes back to the system. Blocks up to 1 KiB are cut from chunks
// that grow to huge pages, since a large graph is millions of them; these stay with the process.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

#include "taut/core/runtime.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TAUT_NO_CACHE 1  // a cache would hide errors from the sanitizer
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TAUT_NO_CACHE 1
#endif
#endif

namespace taut {

/// At least `bytes` bytes; throws OutOfMemory, and then nothing has changed.
void* allocate(size_t bytes);
/// `bytes` as it was given to allocate.
void deallocate(void* block, size_t bytes) noexcept;

namespace detail {

struct Block {
  Block* next;
};
/// The blocks that one thread keeps. Only the thread itself changes it; the counters are read by others.
struct FreeBlocks {
  static constexpr int kClasses = 40;                  // by 64 bytes up to 1 KiB, then four per doubling up to 64 KiB
  static constexpr size_t kBound = size_t{768} << 20;  // bytes kept at most
  Block* free[kClasses] = {};
  std::atomic<size_t> cached{0};

  Block* pop(int index, size_t bytes) {
    Block* b = free[index];
    if (!b) return nullptr;
    free[index] = b->next;
    __builtin_prefetch(b->next, 1);  // the next call will want it, and after a large graph it is far away
    cached.store(cached.load(std::memory_order_relaxed) - bytes, std::memory_order_relaxed);
    return b;
  }
  bool push(void* p, int index, size_t bytes) {
    const size_t now = cached.load(std::memory_order_relaxed) + bytes;
    if (now > kBound) return false;
    free[index] = new (p) Block{free[index]};
    cached.store(now, std::memory_order_relaxed);
    return true;
  }
};
#if defined(__GNUC__)
__attribute__((tls_model("initial-exec")))
#endif
extern constinit thread_local FreeBlocks* free_blocks;  // null before the first allocation, and after the thread's end

}  // namespace detail

/// allocate and deallocate for a size that is known when compiling: a few instructions when the thread has a block.
template <size_t Bytes>
inline void* allocate_fixed() {
  static_assert(Bytes > 0 && Bytes <= 1024);
#ifndef TAUT_NO_CACHE
  constexpr int k = (Bytes + 63) / 64;
  if (detail::FreeBlocks* f = detail::free_blocks)
    if (void* p = f->pop(k - 1, k * 64)) return p;
#endif
  return allocate(Bytes);
}
template <size_t Bytes>
inline void deallocate_fixed(void* p) noexcept {
#ifndef TAUT_NO_CACHE
  constexpr int k = (Bytes + 63) / 64;
  if (detail::FreeBlocks* f = detail::free_blocks)
    if (f->push(p, k - 1, k * 64)) return;
#endif
  deallocate(p, Bytes);
}

/// For containers that come and go with every call: their memory stays in the cache.
template <class T>
struct CachingAllocator {
  using value_type = T;
  CachingAllocator() = default;
  template <class U>
  CachingAllocator(const CachingAllocator<U>&) {}
  T* allocate(size_t n) { return static_cast<T*>(taut::allocate(n * sizeof(T))); }
  void deallocate(T* p, size_t n) noexcept { taut::deallocate(p, n * sizeof(T)); }
  friend bool operator==(const CachingAllocator&, const CachingAllocator&) { return true; }
};

}  // namespace taut
