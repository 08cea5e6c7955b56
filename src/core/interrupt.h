// How long work is stopped from outside, by Ctrl-C.
#pragma once
#include <utility>

namespace taut {

/// What long work of this thread calls now and then: between the nodes of a backward, between the chunks of a kernel.
/// It may throw, which ends the work.
using InterruptCheck = void (*)();
#if defined(__GNUC__)
__attribute__((tls_model("initial-exec")))
#endif
extern constinit thread_local InterruptCheck interrupt_check;

inline void poll_interrupt() {
  if (interrupt_check) interrupt_check();
}

/// Sets the check of this thread; with null what follows is not interrupted.
class Interruptible {
 public:
  explicit Interruptible(InterruptCheck check) : before_(std::exchange(interrupt_check, check)) {}
  ~Interruptible() { interrupt_check = before_; }
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  InterruptCheck before_;
};

}  // namespace taut
