// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// A sparse tensor of these values at these places.
Tensor _sparse_coo_tensor(const Tensor& indices, const Tensor& values, OptionalIntArrayRef size = std::nullopt,
                          std::optional<bool> is_coalesced = std::nullopt);
/// A sparse matrix row by row or column by column.
Tensor _sparse_compressed_tensor(const Tensor& compressed_indices, const Tensor& plain_indices, const Tensor& values,
                                 OptionalIntArrayRef size = std::nullopt, std::string_view layout = "SparseCsr",
                                 bool check_invariants = false);
/// A tensor of another layout that has no elements yet.
Tensor _empty_sparse(IntArrayRef size, std::string_view layout, std::optional<ScalarType> dtype = std::nullopt);
/// The elements of a sparse tensor sorted, those of one place added up.
Tensor coalesce(const Tensor& self);
/// Where the elements of a sparse tensor are, sorted or not.
Tensor _indices(const Tensor& self);
/// The elements of a sparse tensor, outside the graph.
Tensor _values(const Tensor& self);
/// Where each row of a CSR matrix begins.
Tensor crow_indices(const Tensor& self);
/// The columns of the elements of a CSR matrix.
Tensor col_indices(const Tensor& self);
/// Where each column of a CSC matrix begins.
Tensor ccol_indices(const Tensor& self);
/// The rows of the elements of a CSC matrix.
Tensor row_indices(const Tensor& self);
/// A copy of where each row of a matrix begins.
Tensor crow_indices_copy(const Tensor& self);
/// A copy of the columns of the elements.
Tensor col_indices_copy(const Tensor& self);
/// A copy of where each column of a matrix begins.
Tensor ccol_indices_copy(const Tensor& self);
/// A copy of the rows of the elements.
Tensor row_indices_copy(const Tensor& self);
/// A copy of where the elements of a coalesced sparse tensor are.
Tensor indices_copy(const Tensor& self);
/// A copy of the elements of a coalesced sparse tensor.
Tensor values_copy(const Tensor& self);
/// All elements of a sparse tensor, zeros too.
Tensor to_dense(const Tensor& self, std::optional<ScalarType> dtype = std::nullopt,
                std::optional<bool> masked_grad = std::nullopt);
/// The elements that are not zero, by coordinates.
Tensor to_sparse(const Tensor& self);
Tensor to_sparse(const Tensor& self, int64_t sparse_dim);
/// The elements that are not zero, row by row.
Tensor to_sparse_csr(const Tensor& self, std::optional<int64_t> dense_dim = std::nullopt);
/// The elements that are not zero, column by column.
Tensor to_sparse_csc(const Tensor& self, std::optional<int64_t> dense_dim = std::nullopt);
/// The blocks that are not all zero, row by row.
Tensor to_sparse_bsr(const Tensor& self, IntArrayRef blocksize, std::optional<int64_t> dense_dim = std::nullopt);
/// The blocks that are not all zero, column by column.
Tensor to_sparse_bsc(const Tensor& self, IntArrayRef blocksize, std::optional<int64_t> dense_dim = std::nullopt);
/// The elements at the places where mask has some.
Tensor sparse_mask(const Tensor& self, const Tensor& mask);

}  // namespace taut
