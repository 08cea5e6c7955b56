// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// A copy.
Tensor alias_copy(const Tensor& self);
/// A copy that is not part of the graph.
Tensor detach_copy(const Tensor& self);
/// as_strided, copied.
Tensor as_strided_copy(const Tensor& self, IntArrayRef size, IntArrayRef stride,
                       std::optional<int64_t> storage_offset = std::nullopt);
/// diagonal, copied.
Tensor diagonal_copy(const Tensor& self, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1);
/// expand, copied.
Tensor expand_copy(const Tensor& self, IntArrayRef size, bool implicit = false);
/// narrow, copied.
Tensor narrow_copy(const Tensor& self, int64_t dim, int64_t start, int64_t length);
/// permute, copied.
Tensor permute_copy(const Tensor& self, IntArrayRef dims);
/// select, copied.
Tensor select_copy(const Tensor& self, int64_t dim, int64_t index);
/// A slice along dim, copied.
Tensor slice_copy(const Tensor& self, int64_t dim = 0, std::optional<int64_t> start = std::nullopt,
                  std::optional<int64_t> end = std::nullopt, int64_t step = 1);
/// split, copied.
std::vector<Tensor> split_copy(const Tensor& self, int64_t split_size, int64_t dim = 0);
/// split_with_sizes, copied.
std::vector<Tensor> split_with_sizes_copy(const Tensor& self, IntArrayRef split_sizes, int64_t dim = 0);
/// squeeze, copied.
Tensor squeeze_copy(const Tensor& self);
Tensor squeeze_copy(const Tensor& self, int64_t dim);
Tensor squeeze_copy(const Tensor& self, IntArrayRef dim);
/// t, copied.
Tensor t_copy(const Tensor& self);
/// transpose, copied.
Tensor transpose_copy(const Tensor& self, int64_t dim0, int64_t dim1);
/// unbind, copied.
std::vector<Tensor> unbind_copy(const Tensor& self, int64_t dim = 0);
/// Tensor.unfold, copied.
Tensor unfold_copy(const Tensor& self, int64_t dimension, int64_t size, int64_t step);
/// unsqueeze, copied.
Tensor unsqueeze_copy(const Tensor& self, int64_t dim);
/// Tensor.view, copied.
Tensor view_copy(const Tensor& self, IntArrayRef size);
Tensor view_copy(const Tensor& self, ScalarType dtype);
/// view_as_real, copied.
Tensor view_as_real_copy(const Tensor& self);
/// view_as_complex, copied.
Tensor view_as_complex_copy(const Tensor& self);

}  // namespace taut
