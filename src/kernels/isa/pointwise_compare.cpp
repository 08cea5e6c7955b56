// The kernels of the formulas in compare.inc.
#include "kernels/pointwise_loops.h"

namespace taut::TAUT_ISA {
#include "ops/formulas/compare.inc"
}  // namespace taut::TAUT_ISA
