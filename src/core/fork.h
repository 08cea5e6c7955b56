// Locks and fork(): in the child there is only the thread that forked, and nobody to open a lock that another one held.
#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>

namespace taut {

/// A mutex that the thread that forks holds while it does: it is free in the child, and what it guards is whole. For
/// the few that live long.
class ForkSafeMutex : public std::mutex {
 public:
  ForkSafeMutex();
  ~ForkSafeMutex();
};

/// A small mutex, one of many. If a thread held it at a fork, it is free in the child, and what it guards may be half
/// changed.
class ObjectMutex {
 public:
  void lock() {
    while (!try_lock()) holder_.wait(process.load(std::memory_order_relaxed), std::memory_order_relaxed);
  }
  bool try_lock() {
    const uint32_t self = process.load(std::memory_order_relaxed);
    uint32_t holder = holder_.load(std::memory_order_relaxed);
    return holder != self && holder_.compare_exchange_strong(holder, self, std::memory_order_acquire);
  }
  void unlock() {
    // Not a store: it could still be on its way when notify_one looks for waiters and finds none, while one falls
    // asleep.
    holder_.exchange(0);
    holder_.notify_one();
  }

 private:
  static std::atomic<uint32_t> process;  // 1, and one more in the child of each fork
  std::atomic<uint32_t> holder_{0};      // the process that locked it; 0: free

  friend struct ForkHandlers;
};

}  // namespace taut
