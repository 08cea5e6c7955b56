// Writing into tensors that were expanded: what PyTorch allows some ops, and others not.
#pragma once
#include "taut/tensor.h"

namespace taut {

/// Are several of its elements one, since it was expanded?
bool is_expanded(const Tensor& t);
/// `value` into such a tensor wherever `mask`, of its shape, says so for one of the elements that are one.
Tensor& fill_expanded_(Tensor& self, const Tensor& mask, const Tensor& value);

}  // namespace taut
