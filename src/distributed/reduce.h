// Sums and their kin of raw numbers.
#pragma once
#include "taut/distributed.h"

namespace taut::distributed {
/// into[i] = op(into[i], from[i]).
void reduce_into(void* into, const void* from, int64_t n, ScalarType dtype, ReduceOp op);
/// Throws if numbers of this dtype cannot be reduced so.
void check_reduction(ScalarType dtype, ReduceOp op, const char* what);
const char* name_of(ReduceOp op);
}  // namespace taut::distributed
