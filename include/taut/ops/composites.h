// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// The indices of the elements that are not zero, one row for each.
Tensor argwhere(const Tensor& self);
/// True where the imaginary part is zero.
Tensor isreal(const Tensor& self);
/// True where an element is among the test elements.
Tensor isin(const Tensor& elements, const Tensor& test_elements, bool assume_unique = false, bool invert = false);
Tensor isin(const Tensor& elements, const Scalar& test_element, bool assume_unique = false, bool invert = false);
Tensor isin(const Scalar& element, const Tensor& test_elements, bool assume_unique = false, bool invert = false);
/// The covariance matrix of variables that are rows; how often each column counts, and how much.
Tensor cov(const Tensor& self, int64_t correction = 1, OptionalTensor fweights = std::nullopt,
           OptionalTensor aweights = std::nullopt);
/// The correlation coefficients of variables that are rows.
Tensor corrcoef(const Tensor& self);
/// The powers of the elements of a vector, one row for each; from the highest to 0, or the other way round.
Tensor vander(const Tensor& x, std::optional<int64_t> N = std::nullopt, bool increasing = false);
/// A matrix with these elements on a diagonal, and zeros beside it.
Tensor diagflat(const Tensor& self, int64_t offset = 0);
/// Tensors side by side; those of one dimension become columns.
Tensor column_stack(TensorList tensors);
/// All combinations of r elements of a vector.
Tensor combinations(const Tensor& self, int64_t r = 2, bool with_replacement = false);
/// The sum over the dimensions that were broadcast from this size.
Tensor sum_to_size(const Tensor& self, IntArrayRef size);

}  // namespace taut
