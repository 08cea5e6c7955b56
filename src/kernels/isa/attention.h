// What src/kernels/attention.cpp and the kernels of every instruction set agree on. Plain data only.
#pragma once
#include "core/cpu.h"
#include "taut/core/dtype.h"

namespace taut {

/// Tiles hold the scores of `rows` keys (one below the other, `stride` elements apart) for a few queries (side by
/// side), so that what belongs to a query is a column: nothing is ever added across lanes. In a tile at the diagonal,
/// row r of column c is masked when r > c + diagonal.
template <class T>
struct AttentionKernels {
  /// One step of softmax over the rows of a tile as wide as a panel of the matrix product: scores, which are logarithms
  /// to base 2, become their powers of 2, relative to 2^top. If a score is far above `top`, it is raised, and what was
  /// relative to it brought there: `sum` of the rows so far and the columns of `o` (`o_rows` below each other).
  void (*softmax_step)(T* scores, int64_t rows, int64_t diagonal, T* top, T* sum, T* o, int64_t o_rows);
  /// After the last step: `lse` becomes the natural logarithm of the sum of exponentials, and the columns of `o` are
  /// divided by the sum.
  void (*softmax_end)(const T* top, const T* sum, T* lse, T* o, int64_t o_rows);
  /// `scores` become probabilities p = 2^(score - lse), `dp` becomes p (dp - delta). `width` is a multiple of the
  /// lanes.
  void (*backward_tile)(T* scores, T* dp, int64_t stride, int64_t rows, int64_t width, int64_t diagonal, const T* lse,
                        const T* delta);
  /// x *= factor; n is a multiple of the lanes.
  void (*scale)(T* x, int64_t n, T factor);
};
struct AttentionTable {
  AttentionKernels<float> f32;
  AttentionKernels<double> f64;
};
TAUT_ISA_TABLE(AttentionTable, attention_table)

}  // namespace taut
