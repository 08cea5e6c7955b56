// The caching allocator. Every block is 64-byte aligned. Small blocks are kept per thread without a lock, large ones in
// an arena; both are bounded, and what does not fit goes back to the system. Blocks up to 1 KiB are cut from chunks that
// grow to huge pages, since a large graph is millions of them; these stay with the process.
#pragma once
#include <cstddef>
#include <cstdint>

#include "taut/core/runtime.h"

namespace taut {

/// At least `bytes` bytes; throws OutOfMemory, and then nothing has changed.
void* allocate(size_t bytes);
/// `bytes` as it was given to allocate.
void deallocate(void* block, size_t bytes) noexcept;

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
