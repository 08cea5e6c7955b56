// The steps of optimisers over lists of parameters.
#pragma once
#include "core/view.h"
#include "kernels/isa/optim.h"

namespace taut::kernels {

using StepLoop = void (*)(const StepRow* rows, int64_t count);

/// One parameter that is not plain contiguous float32 or float64: views of the same sizes and dtype, of the parameter,
/// its gradient and the states that are there.
struct StridedStep {
  View views[kStepStreams];
  unsigned there;  // as bits
  const void* numbers;
};

/// One step over all of them: `rows` are whole contiguous parameters of float32 (or float64 where `wide`). No two may
/// share memory. Half types are computed in float32.
void optim_step(StepLoop run, bool wide, const StepRow* rows, int64_t count);
void optim_step(const StepLoop (&run)[2], const StridedStep& item);

}  // namespace taut::kernels
