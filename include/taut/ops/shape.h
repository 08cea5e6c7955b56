// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// The elements in reverse order along dims.
Tensor flip(const Tensor& self, IntArrayRef dims);
/// Columns in reverse order.
Tensor fliplr(const Tensor& self);
/// Rows in reverse order.
Tensor flipud(const Tensor& self);
/// Moved along dims; what leaves at one end comes in at the other.
Tensor roll(const Tensor& self, IntArrayRef shifts, IntArrayRef dims = IntArrayRef{});
/// Turned by 90 degrees, k times.
Tensor rot90(const Tensor& self, int64_t k = 1, IntArrayRef dims = {0, 1});
/// Zeros above a diagonal.
Tensor tril(const Tensor& self, int64_t diagonal = 0);
Tensor& tril_(Tensor& self, int64_t diagonal = 0);
/// Zeros below a diagonal.
Tensor triu(const Tensor& self, int64_t diagonal = 0);
Tensor& triu_(Tensor& self, int64_t diagonal = 0);
/// Wider at both ends of the last dimensions: constant, reflect, replicate or circular.
Tensor pad(const Tensor& self, IntArrayRef pad, std::string_view mode = "constant",
           std::optional<double> value = std::nullopt);
/// Wider at both ends of the last dimensions, by a constant.
Tensor constant_pad_nd(const Tensor& self, IntArrayRef pad, const Scalar& value = 0);
/// A 1 at the place each number names, among zeros.
Tensor one_hot(const Tensor& self, int64_t num_classes = -1);

}  // namespace taut
