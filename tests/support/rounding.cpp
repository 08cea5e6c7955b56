#include "support/rounding.h"

#include <cmath>

#include "support/sample.h"

namespace taut::test {

std::string beyond_rounding(const Tensor& got, const Tensor& reference, double unit) {
  if (got.sizes() != reference.sizes()) return str("has sizes ", got.sizes(), ", not ", reference.sizes());
  const std::vector<double> a = values_of(got), b = values_of(reference);
  for (size_t k = 0; k < a.size(); ++k) {
    if (a[k] == b[k] || (std::isnan(a[k]) && std::isnan(b[k]))) continue;
    if (!(std::abs(a[k] - b[k]) <= kMargin * unit) || std::isinf(b[k]))
      return str("element ", k, " is ", a[k], ", which is ", std::abs(a[k] - b[k]) / unit, " units from ", b[k]);
  }
  return {};
}

}  // namespace taut::test
