// Checks that all losses share, and the last step of each.
#pragma once
#include "ops/op.h"

namespace taut {

/// The losses as they are, their mean or their sum. `node` is what the graph calls the loss, where PyTorch does it in
/// one op.
Tensor reduce_loss(const Tensor& loss, int64_t reduction, const char* op, const char* node = nullptr);
/// The sum and the mean of all elements of floats, called `node` in the graph.
Tensor sum_as(const Tensor& self, const char* node);
Tensor mean_as(const Tensor& self, const char* node);
void check_reduction(int64_t reduction, const char* op);
/// Throws when autograd is asked for the gradient of an argument that has none.
void check_constant(OptionalTensor t, const char* op, const char* argument);

}  // namespace taut
