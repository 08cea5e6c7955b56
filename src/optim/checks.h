// What optimisers refuse.
#pragma once
#include <cmath>

#include "taut/tensor.h"

namespace taut::optim {

inline void check_grad(const Tensor& p, const Tensor& g) {
  check<ValueError>(g.sizes() == p.sizes(), "step: a gradient of shape ", g.sizes(), " for a parameter of shape ",
                    p.sizes());
  check<TypeError>(g.scalar_type() == p.scalar_type(), "step: a gradient of ", g.scalar_type(), " for a parameter of ",
                   p.scalar_type());
}

inline void check_lr(double lr) { check<ValueError>(lr >= 0 && std::isfinite(lr), "Invalid learning rate: ", lr); }
/// A value that must not be negative: "Invalid momentum value: -1".
inline void check_value(const char* name, double v) {
  check<ValueError>(v >= 0 && std::isfinite(v), "Invalid ", name, " value: ", v);
}

}  // namespace taut::optim
