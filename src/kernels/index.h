// Reading and writing elements that integers choose: gather, scatter, advanced indexing.
// Index views are int64 or int32 of any strides. Every index is checked before anything is written, except into `fresh`
// outputs, which nobody sees if one is bad; a bad one throws IndexError. Where several indices name one element they
// act in index order, whatever the number of threads.
#pragma once
#include <cstdint>
#include <vector>

#include "core/view.h"
#include "taut/core/scalar.h"

namespace taut::kernels {

/// What scatter does with the old element and the new one. Amax and Amin let NaN through.
enum class ScatterMode { Assign, Add, Multiply, Amax, Amin };

/// out[i][j] = in[index[i][j]][j] for dim 0; `out` is fresh and has the shape of `index`. No negative indices.
void gather(View out, View in, int dim, View index);
/// out[index[i][j]][j] (op)= src[i][j] for dim 0; a scalar src is a view whose strides are all 0. No negative indices.
void scatter(View out, int dim, View index, View src, ScatterMode mode, bool fresh = false);

/// The slices of `in` along dim that the 1-d `index` names. No negative indices, here and in the next three.
void index_select(View out, View in, int dim, View index);
/// out.select(dim, index[i]) += alpha * src.select(dim, i)
void index_add(View out, int dim, View index, View src, Scalar alpha = 1);
void index_copy(View out, int dim, View index, View src);
void index_reduce(View out, int dim, View index, View src, ScatterMode mode);
/// Every slice that `index` (negative counts from the end) names becomes `value`, a view of one element of out's dtype.
void index_fill(View out, int dim, View index, View value);

/// The shape of in[indices]: one view for each leading dimension, all of one shape; dtype Undefined stands for `:`.
/// The index shape replaces the indexed dimensions if they are adjacent, else it comes first.
std::vector<int64_t> index_shape(IntArrayRef in, ArrayRef<View> indices);
/// out = in[indices]; negative indices count from the end.
void index(View out, View in, ArrayRef<View> indices);
/// The same for one int64 index of the first dimension, all three contiguous; by the calling thread alone.
void index_rows(View out, View in, View index);
/// self[indices] = values, or += if accumulate; `values` has the shape index_shape gives.
void index_put(View self, ArrayRef<View> indices, View values, bool accumulate);

/// out[i] = in.flatten()[index[i]]; negative indices count from the end.
void take(View out, View in, View index);
/// self.flatten()[index[i]] = src[i], or += if accumulate.
void put(View self, View index, View src, bool accumulate);

}  // namespace taut::kernels
