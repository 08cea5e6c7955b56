// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// `length` slices along dim, from start on.
Tensor narrow(const Tensor& self, int64_t dim, int64_t start, int64_t length);
Tensor narrow(const Tensor& self, int64_t dim, const Tensor& start, int64_t length);
/// One slice along dim.
Tensor select(const Tensor& self, int64_t dim, int64_t index);
/// The slices along dim from start to end, step apart.
Tensor slice(const Tensor& self, int64_t dim = 0, std::optional<int64_t> start = std::nullopt,
             std::optional<int64_t> end = std::nullopt, int64_t step = 1);
/// Pieces along dim of this size (the last may be smaller) or these sizes.
std::vector<Tensor> split(const Tensor& self, int64_t split_size, int64_t dim = 0);
std::vector<Tensor> split(const Tensor& self, IntArrayRef split_size, int64_t dim = 0);
/// Pieces along dim of these sizes.
std::vector<Tensor> split_with_sizes(const Tensor& self, IntArrayRef split_sizes, int64_t dim = 0);
/// At most that many pieces along dim, of equal size but for the last.
std::vector<Tensor> chunk(const Tensor& self, int64_t chunks, int64_t dim = 0);
/// That many pieces along dim, or pieces ending at these indices.
std::vector<Tensor> tensor_split(const Tensor& self, int64_t sections, int64_t dim = 0);
std::vector<Tensor> tensor_split(const Tensor& self, IntArrayRef indices, int64_t dim = 0);
std::vector<Tensor> tensor_split(const Tensor& self, const Tensor& tensor_indices_or_sections, int64_t dim = 0);
/// Pieces side by side: along the second dimension, or the only one.
std::vector<Tensor> hsplit(const Tensor& self, int64_t sections);
std::vector<Tensor> hsplit(const Tensor& self, IntArrayRef indices);
/// Pieces above each other: along the first dimension.
std::vector<Tensor> vsplit(const Tensor& self, int64_t sections);
std::vector<Tensor> vsplit(const Tensor& self, IntArrayRef indices);
/// Parts along the third dimension.
std::vector<Tensor> dsplit(const Tensor& self, int64_t sections);
std::vector<Tensor> dsplit(const Tensor& self, IntArrayRef indices);
/// All slices along dim.
std::vector<Tensor> unbind(const Tensor& self, int64_t dim = 0);
/// Windows of a size along a dimension, step apart, as a new last dimension.
Tensor unfold(const Tensor& self, int64_t dimension, int64_t size, int64_t step);
/// The diagonal of two dimensions, as the last dimension.
Tensor diagonal(const Tensor& self, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1);
/// The diagonal of a matrix, or a matrix with this diagonal.
Tensor diag(const Tensor& self, int64_t diagonal = 0);
/// Matrices with these diagonals.
Tensor diag_embed(const Tensor& self, int64_t offset = 0, int64_t dim1 = -2, int64_t dim2 = -1);
/// self with one slice along dim replaced by src.
Tensor select_scatter(const Tensor& self, const Tensor& src, int64_t dim, int64_t index);
/// self with the slices from start to end along dim replaced by src.
Tensor slice_scatter(const Tensor& self, const Tensor& src, int64_t dim = 0,
                     std::optional<int64_t> start = std::nullopt, std::optional<int64_t> end = std::nullopt,
                     int64_t step = 1);
/// self with a diagonal replaced by src.
Tensor diagonal_scatter(const Tensor& self, const Tensor& src, int64_t offset = 0, int64_t dim1 = 0, int64_t dim2 = 1);

}  // namespace taut
