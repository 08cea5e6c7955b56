// What a matrix does to whom it resists: torch.linalg.LinAlgError in Python.
#pragma once
#include "taut/core/error.h"

namespace taut {

/// A matrix that is singular, not positive-definite, or whose eigenvalues were not found; says which one of a batch.
class LinAlgError : public Error {
 public:
  using Error::Error;
};

}  // namespace taut
