// What the convolutions and pools of src/kernels and their instruction-set kernels agree on. A slab is a padded copy of
// a part of an image in which the columns that a window visits one after the other lie side by side, whatever the
// stride: see kernels/slab.h.
#pragma once
#include <cstdint>

#include "core/cpu.h"

namespace taut {

/// How one row of an image lies in a slab: the columns origin + phase[i] + q * step, q < length, for each phase i.
struct SlabRow {
  int64_t width;   // of the image
  int64_t origin;  // the image column of the slab's first; negative in the padding
  int64_t step;    // the stride of windows
  int64_t length;
  int64_t phases;
  const int64_t* phase;
};

/// Output columns [column, column + count) of a tile stand at slab + offset, offset + 1, ... for the first tap.
struct SlabSegment {
  int64_t column, count, offset;
};

/// Output positions as rows: depth x height rows of `width` contiguous columns, and where the first tap of each row
/// stands in the slab.
struct SlabGrid {
  int64_t depth, height, width;
  int64_t depth_step, height_step;
};

/// Loads go up to this many elements before and beyond a slab.
constexpr int64_t kSlabSlack = 32;

template <class T>
struct ConvKernels {
  /// `count` image rows (null: all of them padding) to slabs, what lies outside of the image becoming `padding`.
  void (*fill_rows)(const SlabRow& row, T* slab, int64_t slab_step, const T* image, int64_t image_step, int64_t count,
                    T padding);
  /// The way back; columns of the image that the slab does not hold become 0.
  void (*read_row)(const SlabRow& row, T* image, const T* slab);
  /// The columns [begin, end) of patches as packed panels of a matrix b (GemmKernels::pack): row k has slab[taps[k] +
  /// column]. `begin` is a multiple of the panel's width. Panels are `height` rows high; those from k on are left to
  /// the caller.
  void (*pack)(const T* slab, const int64_t* taps, int64_t k, const SlabSegment* segments, int64_t begin, int64_t end,
               int64_t height, T* packed);
  /// The same as rows of a matrix, `pitch` apart.
  void (*rows)(const T* slab, const int64_t* taps, int64_t k, const SlabSegment* segments, int64_t count, int64_t pitch,
               T* matrix);
  /// slab[taps[k] + column] += matrix[k][column].
  void (*add_rows)(T* slab, const int64_t* taps, int64_t k, const SlabSegment* segments, int64_t count, int64_t pitch,
                   const T* matrix);
  /// y = bias + sum over taps of weight[k] * slab[taps[k] + position].
  void (*filter)(const SlabGrid& grid, const T* slab, const int64_t* taps, int64_t k, const T* weight, T bias, T* y);
  /// slab[taps[k] + position] += weight[k] * g.
  void (*add_filter)(const SlabGrid& grid, T* slab, const int64_t* taps, int64_t k, const T* weight, const T* g);
  /// sums[k] += the sum over positions of g * slab[taps[k] + position].
  void (*correlate)(const SlabGrid& grid, const T* slab, const int64_t* taps, int64_t k, const T* g, T* sums);
  /// The greatest (a NaN above all) over the taps, and which it was: base + codes[k], the first of equals.
  /// `base` grows by depth_base, height_base and width_base from one position to the next. index may be null.
  void (*greatest)(const SlabGrid& grid, const T* slab, const int64_t* taps, int64_t k, const int32_t* codes,
                   int32_t base, int32_t depth_base, int32_t height_base, int32_t width_base, T* y, int64_t* index);
};

struct ConvTable {
  ConvKernels<float> f32;
  ConvKernels<double> f64;
};
TAUT_ISA_TABLE(ConvTable, conv_table)

}  // namespace taut
