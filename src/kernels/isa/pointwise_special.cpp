// The kernels of the formulas in special.inc.
#include "kernels/pointwise_loops.h"

namespace taut::TAUT_ISA {
#include "ops/formulas/special.inc"
}  // namespace taut::TAUT_ISA
