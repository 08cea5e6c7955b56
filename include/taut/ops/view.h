// Written by tools/op_headers.py from the rows of src/ops; do not edit.
#pragma once
#include "taut/ops/types.h"

namespace taut {

/// The same elements in another shape, sharing memory.
Tensor view(const Tensor& self, IntArrayRef size);
Tensor view(const Tensor& self, ScalarType dtype);
/// The same elements in the shape of other, sharing memory.
Tensor view_as(const Tensor& self, const Tensor& other);
/// The same elements in another shape, sharing memory where that can be.
Tensor reshape(const Tensor& self, IntArrayRef shape);
/// The same elements in the shape of other, sharing memory where that can be.
Tensor reshape_as(const Tensor& self, const Tensor& other);
/// Dimensions start_dim to end_dim as one.
Tensor flatten(const Tensor& self, int64_t start_dim = 0, int64_t end_dim = -1);
/// One dimension as several.
Tensor unflatten(const Tensor& self, int64_t dim, IntArrayRef sizes);
/// All dimensions as one.
Tensor ravel(const Tensor& self);
/// Without dimensions of size 1: all of them, or those named.
Tensor squeeze(const Tensor& self);
Tensor& squeeze_(Tensor& self);
Tensor squeeze(const Tensor& self, int64_t dim);
Tensor& squeeze_(Tensor& self, int64_t dim);
Tensor squeeze(const Tensor& self, IntArrayRef dim);
Tensor& squeeze_(Tensor& self, IntArrayRef dim);
/// With a new dimension of size 1.
Tensor unsqueeze(const Tensor& self, int64_t dim);
Tensor& unsqueeze_(Tensor& self, int64_t dim);
/// With two dimensions exchanged.
Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1);
Tensor& transpose_(Tensor& self, int64_t dim0, int64_t dim1);
/// With two dimensions exchanged.
Tensor swapaxes(const Tensor& self, int64_t axis0, int64_t axis1);
Tensor& swapaxes_(Tensor& self, int64_t axis0, int64_t axis1);
/// With two dimensions exchanged.
Tensor swapdims(const Tensor& self, int64_t dim0, int64_t dim1);
Tensor& swapdims_(Tensor& self, int64_t dim0, int64_t dim1);
/// The transpose of a matrix.
Tensor t(const Tensor& self);
Tensor& t_(Tensor& self);
/// The last two dimensions exchanged, of complex numbers the conjugate.
Tensor adjoint(const Tensor& self);
/// The dimensions in another order.
Tensor permute(const Tensor& self, IntArrayRef dims);
/// Dimensions moved to other places, the rest in order.
Tensor movedim(const Tensor& self, IntArrayRef source, IntArrayRef destination);
Tensor movedim(const Tensor& self, int64_t source, int64_t destination);
/// Dimensions moved to other places, the rest in order.
Tensor moveaxis(const Tensor& self, IntArrayRef source, IntArrayRef destination);
Tensor moveaxis(const Tensor& self, int64_t source, int64_t destination);
/// Dimensions of size 1 repeated to these sizes, without copying.
Tensor expand(const Tensor& self, IntArrayRef size, bool implicit = false);
/// Expanded to the shape of other.
Tensor expand_as(const Tensor& self, const Tensor& other);
/// Expanded to these sizes.
Tensor broadcast_to(const Tensor& self, IntArrayRef size);
/// All expanded to their common shape.
std::vector<Tensor> broadcast_tensors(TensorList tensors);
/// With at least one dimension.
Tensor atleast_1d(const Tensor& self);
/// With at least two dimensions.
Tensor atleast_2d(const Tensor& self);
/// With at least three dimensions.
Tensor atleast_3d(const Tensor& self);

}  // namespace taut
