// Autocast: the first line of an op that PyTorch's autocast for the CPU computes in the short dtype (products,
// convolutions, attention) or in float32 (losses, long sums) is AUTOCAST(the same call, its tensors cast).
#pragma once
#include "autograd/autocast.h"
#include "autograd/state.h"
#include "taut/ops/types.h"
#include "taut/tensor.h"

namespace taut {

/// Does an op that is called now cast its tensors? Not within another op.
inline bool casts_now() { return autograd::autocast_state.enabled && !autograd::thread_state.raw; }

/// `t` in the short dtype, or in float32: if it holds real numbers of at most 32 bits.
Tensor as_short(const Tensor& t);
Tensor as_wide(const Tensor& t);
inline Tensor as_short(OptionalTensor t) { return t ? as_short(*t) : Tensor(); }
inline Tensor as_wide(OptionalTensor t) { return t ? as_wide(*t) : Tensor(); }

/// Within its scope nothing is cast.
class NoAutocast {
 public:
  NoAutocast() : before_(std::exchange(autograd::autocast_state.enabled, false)) {}
  ~NoAutocast() { autograd::autocast_state.enabled = before_; }
  NoAutocast(const NoAutocast&) = delete;

 private:
  bool before_;
};

/// The arguments are cast first, for the cache asks whether autocast is on.
#define AUTOCAST(function, ...)                            \
  if (casts_now()) [[unlikely]]                            \
  return [](auto&&... cast) {                              \
    const NoAutocast off;                                  \
    return function(static_cast<decltype(cast)>(cast)...); \
  }(__VA_ARGS__)

}  // namespace taut
