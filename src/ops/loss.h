// Checks that all losses share, and the last step of each.
#pragma once
#include "ops/op.h"

namespace taut {

/// The losses as they are, their mean or their sum.
Tensor reduce_loss(const Tensor& loss, int64_t reduction, const char* op);
void check_reduction(int64_t reduction, const char* op);
/// Throws when autograd is asked for the gradient of an argument that has none.
void check_constant(OptionalTensor t, const char* op, const char* argument);
void check_positive(double value, const char* op, const char* argument);
void check_finite(double value, const char* op, const char* argument);

}  // namespace taut
