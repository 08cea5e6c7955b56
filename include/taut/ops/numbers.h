// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// The greatest common divisor.
Tensor gcd(const Tensor& self, const Tensor& other);
Tensor& gcd_(Tensor& self, const Tensor& other);
/// The least common multiple.
Tensor lcm(const Tensor& self, const Tensor& other);
Tensor& lcm_(Tensor& self, const Tensor& other);
/// The number next to self in the direction of other.
Tensor nextafter(const Tensor& self, const Tensor& other);
Tensor& nextafter_(Tensor& self, const Tensor& other);
/// Numbers as mantissa * 2^exponent, with a mantissa in [1/2, 1).
std::tuple<Tensor, Tensor> frexp(const Tensor& self);
/// self * 2^other.
Tensor ldexp(const Tensor& self, const Tensor& other);
Tensor& ldexp_(Tensor& self, const Tensor& other);

}  // namespace taut
