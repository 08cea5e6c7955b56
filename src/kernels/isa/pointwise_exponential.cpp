// The kernels of the formulas in exponential.inc.
#include "kernels/pointwise_loops.h"

namespace taut::TAUT_ISA {
#include "ops/formulas/exponential.inc"
}  // namespace taut::TAUT_ISA
