// The kernels of the formulas in activation.inc.
#include "kernels/pointwise_loops.h"

namespace taut::TAUT_ISA {
#include "ops/formulas/activation.inc"
}  // namespace taut::TAUT_ISA
