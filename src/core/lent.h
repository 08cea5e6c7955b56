// Tensors that stand for others while these are lent: Note [Lent parameters].
#pragma once
#include "core/tensor_impl.h"

namespace taut {

/// `own` looks as what was lent to it; it may be no BatchedImpl, so its hidden dimensions are here.
struct Lent {
  const TensorImpl* own;
  HiddenDims hidden;
  const Lent* outer;
};
extern constinit thread_local const Lent* lent;
inline const Lent* find_lent(const TensorImpl* t) {
  const Lent* l = lent;
  while (l && l->own != t) l = l->outer;
  return l;
}

}  // namespace taut
