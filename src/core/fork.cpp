#include "core/fork.h"

#include <pthread.h>

#include <algorithm>
#include <vector>

namespace taut {

std::atomic<uint32_t> ObjectMutex::process{1};

/// What happens around a fork.
struct ForkHandlers {
  std::mutex mutex;  // guards the list
  std::vector<ForkSafeMutex*> all;

  static ForkHandlers& get() {
    static auto* made = [] {  // never destroyed: locks of statics end late
      pthread_atfork([] { get().lock(); }, [] { get().unlock(); },
                     [] {
                       get().unlock();
                       ObjectMutex::process.fetch_add(1, std::memory_order_relaxed);
                     });
      return new ForkHandlers;
    }();
    return *made;
  }

  /// All of them, in whatever order other threads nest them: wait for one only while holding none.
  void lock() {
    mutex.lock();
    const size_t n = all.size();
    for (size_t first = 0, taken = 0; taken < n;) {
      all[first]->lock();
      for (taken = 1; taken < n && all[(first + taken) % n]->try_lock();) ++taken;
      if (taken == n) return;
      const size_t busy = (first + taken) % n;
      while (taken > 0) all[(first + --taken) % n]->unlock();
      first = busy;
    }
  }
  void unlock() {
    for (ForkSafeMutex* m : all) m->unlock();
    mutex.unlock();
  }
};

ForkSafeMutex::ForkSafeMutex() {
  ForkHandlers& h = ForkHandlers::get();
  std::lock_guard lock(h.mutex);
  h.all.push_back(this);
}
ForkSafeMutex::~ForkSafeMutex() {
  ForkHandlers& h = ForkHandlers::get();
  std::lock_guard lock(h.mutex);
  h.all.erase(std::find(h.all.begin(), h.all.end(), this));
}

}  // namespace taut
