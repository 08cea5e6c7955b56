// Elements moved by a rule: triangles, flips, rolls; and the indices such rules stand for.
#pragma once
#include <cstdint>

#include "core/view.h"

namespace taut::kernels {

/// The matrices in the last two dimensions with zeros above (tril) or below (triu) the diagonal. `out` may be `in`.
void tril(View out, View in, int64_t diagonal);
void triu(View out, View in, int64_t diagonal);

/// The rows and columns of a triangle's elements, row by row: out is int64 or int32 [2, count].
void tril_indices(View out, int64_t rows, int64_t columns, int64_t diagonal);
void triu_indices(View out, int64_t rows, int64_t columns, int64_t diagonal);

/// `in` with the order along each of `dims` reversed.
void flip(View out, View in, IntArrayRef dims);
/// `in` with element i along dims[k] moved to i + shifts[k], around the end. A dimension may be named twice.
void roll(View out, View in, IntArrayRef shifts, IntArrayRef dims);

/// i written repeats[i] times, for each i in turn: out is int64 of sum(repeats) elements; repeats is int64 or int32.
void repeat_interleave(View out, View repeats);

}  // namespace taut::kernels
