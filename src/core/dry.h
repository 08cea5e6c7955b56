// Note [Meta tensors] in docs/architecture.md: tensors with shapes, dtypes and strides but no memory.
#pragma once
#include <atomic>
#include <cstdint>

namespace taut {

/// Set while an op only works out shapes: what it makes is meta, and kernels do nothing.
#if defined(__GNUC__)
__attribute__((tls_model("initial-exec")))
#endif
extern constinit thread_local bool dry;

/// Has there ever been a meta tensor? Until then nobody looks for any.
extern constinit std::atomic<bool> meta_seen;
inline bool meta_used() { return meta_seen.load(std::memory_order_relaxed); }

/// Where the elements of meta tensors are said to be: from an address on that no memory has, so that their places can
/// be told from each other, and one that is read all the same is found out at once.
constexpr uintptr_t kNowhere = uintptr_t{1} << 55;
inline bool is_nowhere(const void* p) { return reinterpret_cast<uintptr_t>(p) >= kNowhere; }

/// Within its scope what is made is meta, or, with false, is not.
class DryScope {
 public:
  explicit DryScope(bool on = true) : before_(dry) {
    dry = on;
    if (on) meta_seen.store(true, std::memory_order_relaxed);
  }
  ~DryScope() { dry = before_; }
  DryScope(const DryScope&) = delete;

 private:
  bool before_;
};

}  // namespace taut
