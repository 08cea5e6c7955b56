// Copies between any two layouts and element types, and the simple ways to fill memory.
#pragma once
#include "core/cpu.h"
#include "core/view.h"
#include "taut/core/scalar.h"

namespace taut {

/// Converts n contiguous elements. null where the bits are the same (bool to uint8) or the way leads through float32
/// (the half-precision types).
using CastRow = void (*)(void* to, const void* from, int64_t n);
struct CastTable {
  CastRow cast[kRealCount][kRealCount];  // [to][from]
};
TAUT_ISA_TABLE(CastTable, cast_table)

namespace kernels {

/// to = from, element by element, with PyTorch's conversions: towards zero to an integer, then modulo its range (what
/// x86 does with what does not fit); to bool: != 0. The views have the same sizes; `from` may repeat elements. They
/// may be the same view, but must not overlap otherwise. A number becomes complex with an imaginary part of 0, a
/// complex one loses its imaginary part.
void copy(const View& to, const View& from);

/// The imaginary part of every number of a complex view changes its sign.
void conjugate(const View& z);

/// The inside of copy: n elements of a row, strides in elements.
void copy_row(ScalarType to_type, void* to, int64_t to_stride, ScalarType from_type, const void* from,
              int64_t from_stride, int64_t n);

/// Matrices of `rows` rows side by side: each row of `to` is the row of each piece, in order.
struct JoinPiece {
  const void* from;
  int64_t bytes;  // of a row
};
void join_rows(void* to, int64_t rows, const JoinPiece* pieces, size_t count);

/// Every element becomes `value`; throws when the type of the view cannot hold it. A single 16-bit float may become
/// infinite, as in PyTorch.
void fill(const View& to, const Scalar& value);
/// Is the number within the range of the dtype? A negative one may wrap into uint8, as in PyTorch.
bool holds(const Scalar& value, ScalarType dtype);

/// start + i step along a view of one dimension, with the roundings of torch.arange.
void arange(const View& to, const Scalar& start, const Scalar& step);
/// Evenly spaced from start to end, both included, with the roundings of torch.linspace.
void linspace(const View& to, const Scalar& start, const Scalar& end);
/// base to the power of linspace(start, end).
void logspace(const View& to, const Scalar& start, const Scalar& end, double base);
/// Ones on the diagonal of a matrix, zeros elsewhere.
void eye(const View& to);

}  // namespace kernels
}  // namespace taut
