// Sparse tensors: those elements that are not zero, and where they are. Most ops on them have the names they have
// elsewhere (add, mul, mm, sum, transpose, ...); what does not know them says so.
#pragma once
#include "taut/tensor.h"

namespace taut {

/// Where the values of a coalesced tensor are, and the values: x.indices() and x.values(). (Functions of those names
/// would be in the way of a program's own.)
Tensor sparse_indices(const Tensor& self);
Tensor sparse_values(const Tensor& self);

/// By coordinates: `indices` [dimensions, n] says where the n `values` are; what is named more than once is added up.
/// Without `size`, the least that has room for all of them.
Tensor sparse_coo_tensor(const Tensor& indices, const Tensor& values, const TensorOptions& options = {},
                         std::optional<bool> is_coalesced = std::nullopt);
Tensor sparse_coo_tensor(const Tensor& indices, const Tensor& values, IntArrayRef size,
                         const TensorOptions& options = {}, std::optional<bool> is_coalesced = std::nullopt);
/// With no elements.
Tensor sparse_coo_tensor(IntArrayRef size, const TensorOptions& options = {});
/// The same, trusting that indices are within the size.
Tensor _sparse_coo_tensor_unsafe(const Tensor& indices, const Tensor& values, IntArrayRef size,
                                 const TensorOptions& options = {}, std::optional<bool> is_coalesced = std::nullopt);

/// A matrix row by row: elements crow_indices[i] up to crow_indices[i + 1] are those of row i, in the columns
/// col_indices.
Tensor sparse_csr_tensor(const Tensor& crow_indices, const Tensor& col_indices, const Tensor& values,
                         const TensorOptions& options = {});
Tensor sparse_csr_tensor(const Tensor& crow_indices, const Tensor& col_indices, const Tensor& values, IntArrayRef size,
                         const TensorOptions& options = {});
/// Column by column.
Tensor sparse_csc_tensor(const Tensor& ccol_indices, const Tensor& row_indices, const Tensor& values,
                         const TensorOptions& options = {});
Tensor sparse_csc_tensor(const Tensor& ccol_indices, const Tensor& row_indices, const Tensor& values, IntArrayRef size,
                         const TensorOptions& options = {});
/// The same of blocks: values are [n, rows of a block, columns, ...], and indices count blocks.
Tensor sparse_bsr_tensor(const Tensor& crow_indices, const Tensor& col_indices, const Tensor& values,
                         const TensorOptions& options = {});
Tensor sparse_bsr_tensor(const Tensor& crow_indices, const Tensor& col_indices, const Tensor& values, IntArrayRef size,
                         const TensorOptions& options = {});
Tensor sparse_bsc_tensor(const Tensor& ccol_indices, const Tensor& row_indices, const Tensor& values,
                         const TensorOptions& options = {});
Tensor sparse_bsc_tensor(const Tensor& ccol_indices, const Tensor& row_indices, const Tensor& values, IntArrayRef size,
                         const TensorOptions& options = {});
/// Whichever of the four `options` has as layout. Dimensions of the indices before the last are those of a batch.
Tensor sparse_compressed_tensor(const Tensor& compressed_indices, const Tensor& plain_indices, const Tensor& values,
                                const TensorOptions& options);
Tensor sparse_compressed_tensor(const Tensor& compressed_indices, const Tensor& plain_indices, const Tensor& values,
                                IntArrayRef size, const TensorOptions& options);

/// The size of another tensor of coordinates; elements stay.
const Tensor& resize_as_sparse_(const Tensor& self, const Tensor& the_template);

/// Throws unless the indices are what a tensor of this size may have: in range, sorted where they must be.
void _validate_sparse_coo_tensor_args(const Tensor& indices, const Tensor& values, IntArrayRef size,
                                      std::optional<bool> is_coalesced = std::nullopt);
void _validate_sparse_compressed_tensor_args(const Tensor& compressed_indices, const Tensor& plain_indices,
                                             const Tensor& values, IntArrayRef size, Layout layout);

}  // namespace taut
