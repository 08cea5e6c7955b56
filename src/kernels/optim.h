// The steps of optimisers over lists of parameters.
#pragma once
#include "core/view.h"
#include "kernels/isa/optim.h"

namespace taut::kernels {

/// One parameter that is not plain contiguous float32 or float64: views of the same sizes and dtype, the parameter, its
/// gradient and `states` more.
struct StridedStep {
  View views[kStepStreams];
  int states;
  double a, b, c;
};

/// One step over all of them: `rows` are whole contiguous parameters of float32 (or float64 where `wide`). No two may
/// share memory. Half types are computed in float32.
void optim_step(StepRule rule, const StepNumbers& numbers, bool wide, const StepRow* rows, int64_t count);
void optim_step(StepRule rule, const StepNumbers& numbers, const StridedStep& item);

}  // namespace taut::kernels
