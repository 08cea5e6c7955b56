// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// The sums of all elements up to each along dim.
Tensor cumsum(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt);
Tensor& cumsum_(Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt);
/// The products of all elements up to each along dim.
Tensor cumprod(const Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt);
Tensor& cumprod_(Tensor& self, int64_t dim, std::optional<ScalarType> dtype = std::nullopt);
/// The logarithms of the sums of exponentials up to each element along dim.
Tensor logcumsumexp(const Tensor& self, int64_t dim);
/// The largest element up to each along dim, and where it stands.
std::tuple<Tensor, Tensor> cummax(const Tensor& self, int64_t dim);
/// The smallest element up to each along dim, and where it stands.
std::tuple<Tensor, Tensor> cummin(const Tensor& self, int64_t dim);
/// The differences of neighbours along dim, n times.
Tensor diff(const Tensor& self, int64_t n = 1, int64_t dim = -1, OptionalTensor prepend = std::nullopt,
            OptionalTensor append = std::nullopt);

}  // namespace taut
