// The kernels of the formulas in loss.inc.
#include "kernels/pointwise_loops.h"

namespace taut::TAUT_ISA {
#include "ops/formulas/loss.inc"
}  // namespace taut::TAUT_ISA
