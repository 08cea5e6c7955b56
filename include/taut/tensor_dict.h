// Named tensors in order, as modules and optimisers save them.
#pragma once
#include <string>

#include "taut/ordered_dict.h"
#include "taut/tensor.h"

namespace taut {

// Compiled in the library, not by every program.
extern template class OrderedDict<std::string, Tensor>;

}  // namespace taut
