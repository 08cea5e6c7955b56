// What autocast keeps per thread: whether it is on, and the dtype it casts to. Ops ask (src/ops/autocast.h);
// checkpoints put back what was.
#pragma once
#include "taut/core/dtype.h"

namespace taut::autograd {

struct AutocastState {
  bool enabled = false, cache = true;
  ScalarType dtype = kBFloat16;
};
#if defined(__GNUC__)
__attribute__((tls_model("initial-exec")))
#endif
extern constinit thread_local AutocastState autocast_state;

/// Within its scope another state holds.
class AutocastScope {
 public:
  explicit AutocastScope(const AutocastState& state) : before_(autocast_state) { autocast_state = state; }
  ~AutocastScope() { autocast_state = before_; }
  AutocastScope(const AutocastScope&) = delete;

 private:
  AutocastState before_;
};

}  // namespace taut::autograd
