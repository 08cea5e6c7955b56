// What PyTorch's Python states by `assert`.
#pragma once
#include "taut/core/error.h"

namespace taut {

/// Arguments that do not go together; AssertionError in Python, where PyTorch's functions raise that.
class AssertionError : public ValueError {
 public:
  using ValueError::ValueError;
};

}  // namespace taut
