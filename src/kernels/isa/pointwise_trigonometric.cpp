// The kernels of the formulas in trigonometric.inc.
#include "kernels/pointwise_loops.h"

namespace taut::TAUT_ISA {
#include "ops/formulas/trigonometric.inc"
}  // namespace taut::TAUT_ISA
