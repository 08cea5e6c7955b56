// A tensor once more: what an object of another class is made of.
#pragma once
#include "taut/tensor.h"

namespace taut {

/// A view of all of a tensor that autograd follows.
Tensor alias_of(const Tensor& t);

}  // namespace taut
