// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// The sum, mean, product, maximum or minimum of each segment of a dimension, given by their lengths or offsets.
Tensor segment_reduce(const Tensor& data, std::string_view reduce, OptionalTensor lengths = std::nullopt,
                      OptionalTensor indices = std::nullopt, OptionalTensor offsets = std::nullopt, int64_t axis = 0,
                      bool unsafe = false, const std::optional<Scalar>& initial = std::nullopt);
/// The numbers along dim, as int64 or float64, by exclusive or of their bits.
Tensor hash_tensor(const Tensor& self, IntArrayRef dim = IntArrayRef{}, bool keepdim = false, int64_t mode = 0);

}  // namespace taut
