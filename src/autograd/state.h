// What autograd keeps per thread.
#pragma once
#include <cstdint>

namespace taut::autograd {

struct Task;

/// A vmap that is at work: Note [Batching].
struct Level {
  enum class Randomness : uint8_t { Error, Same, Different };
  int64_t id;    // of all that were ever opened, by all threads
  int64_t size;  // how many items
  Randomness randomness;
  const Level* outer;
};

struct ThreadState {
  bool grad_mode = true;
  bool inference = false;
  bool raw = false;              // inside an op: compute only, see RawScope
  bool forward_off = false;      // tangents are being computed: do not compute tangents of that
  int depth = 0;                 // of backward calls inside backward calls
  uint64_t step = 0;             // ops run so far
  Task* task = nullptr;          // the backward that is running here
  bool batched = false;          // derivatives of batched tensors are computed: by public ops
  const Level* level = nullptr;  // the innermost vmap
};
#if defined(__GNUC__)
__attribute__((tls_model("initial-exec")))
#endif
extern constinit thread_local ThreadState thread_state;

/// Process-wide, as in PyTorch.
struct GlobalState {
  bool anomaly = false, check_nan = true;
  int64_t dual_level = -1;       // the forward-mode level that is open, or -1
  uint64_t dual_generation = 0;  // counts levels, so that the tangents of one that was left are stale
};
extern GlobalState global_state;

}  // namespace taut::autograd
