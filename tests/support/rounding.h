// How float32 results are judged; python/tests/rounding.py says why, and is the same rule.
#pragma once
#include <string>

#include "taut/taut.h"

namespace taut::test {

constexpr double kMargin = 8;

/// The first element that is further from its float64 reference than rounding explains, in words; empty when there is
/// none. `unit` is what the golden file has beside the values.
std::string beyond_rounding(const Tensor& got, const Tensor& reference, double unit);

}  // namespace taut::test
