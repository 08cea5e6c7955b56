// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// Tensors joined along a dimension.
Tensor cat(TensorList tensors, int64_t dim = 0);
/// Tensors joined along a dimension.
Tensor concat(TensorList tensors, int64_t dim = 0);
/// Tensors of one shape joined along a new dimension.
Tensor stack(TensorList tensors, int64_t dim = 0);
/// Tensors joined side by side.
Tensor hstack(TensorList tensors);
/// Tensors joined above each other.
Tensor vstack(TensorList tensors);
/// Tensors joined along the third dimension.
Tensor dstack(TensorList tensors);
/// Matrices along the diagonal of a larger one.
Tensor block_diag(TensorList tensors);
/// Coordinates of the grid that vectors span.
std::vector<Tensor> meshgrid(TensorList tensors);
std::vector<Tensor> meshgrid(TensorList tensors, std::string_view indexing);
/// All combinations of the vectors' elements, one row each.
Tensor cartesian_prod(TensorList tensors);
/// Copies side by side, that many along each dimension.
Tensor repeat(const Tensor& self, IntArrayRef repeats);
/// Copies side by side, that many along the last dimensions.
Tensor tile(const Tensor& self, IntArrayRef dims);
/// Each element several times.
Tensor repeat_interleave(const Tensor& repeats, std::optional<int64_t> output_size = std::nullopt);
Tensor repeat_interleave(const Tensor& self, const Tensor& repeats, std::optional<int64_t> dim = std::nullopt,
                         std::optional<int64_t> output_size = std::nullopt);
Tensor repeat_interleave(const Tensor& self, int64_t repeats, std::optional<int64_t> dim = std::nullopt,
                         std::optional<int64_t> output_size = std::nullopt);

}  // namespace taut
