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
  /// One step of softmax over the rows of a tile as wide as a panel of the matrix product: scores become exponentials.
  /// `top` and `sum` of the rows so far, and the columns of `o` (`o_rows` of them below each other), are brought to the
  /// new greatest score.
  void (*softmax_step)(T* scores, int64_t rows, int64_t diagonal, T* top, T* sum, T* o, int64_t o_rows);
  /// After the last step: sum becomes its reciprocal, and `lse` the logarithm of the sum of exponentials.
  void (*softmax_end)(const T* top, T* sum, T* lse);
  /// `scores` become probabilities p = e^(score - lse), `dp` becomes p (dp - delta). `width` is a multiple of the
  /// lanes.
  void (*backward_tile)(T* scores, T* dp, int64_t stride, int64_t rows, int64_t width, int64_t diagonal, const T* lse,
                        const T* delta);
  /// to = x * factor
  void (*scale)(T* to, const T* x, int64_t n, T factor);
};
struct AttentionTable {
  AttentionKernels<float> f32;
  AttentionKernels<double> f64;
};
TAUT_ISA_TABLE(AttentionTable, attention_table)

}  // namespace taut
