// The kernels of the formulas in arithmetic.inc.
#include "kernels/pointwise_loops.h"

namespace taut::TAUT_ISA {
#include "ops/formulas/arithmetic.inc"
}  // namespace taut::TAUT_ISA
