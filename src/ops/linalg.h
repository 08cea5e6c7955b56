// Matrix products for ops that are made of them.
#pragma once
#include "taut/tensor.h"

namespace taut {

/// matmul of matrices or batches of them, whose operands a program may overwrite before backward: Note [Kept values].
Tensor matmul_keeping(const Tensor& a, const Tensor& b);

}  // namespace taut
