// What the ways to compute a convolution have in common, and those that have a file of their own.
#pragma once
#include "core/parallel.h"
#include "kernels/conv.h"
#include "kernels/isa/gemm.h"

namespace taut::kernels {

// Sizes of tiles do not change a result, except kDepth, kTile and the parts in conv_weight.cpp, and where tiles of
// windows end in conv_scatter.cpp: those are the same for every instruction set.
constexpr int64_t kDepth = 256;             // rows of patches in a block
constexpr int64_t kTile = 256;              // columns of patches in a tile
constexpr int64_t kLongTile = 1024;         // the same where dot products run along it
constexpr int64_t kRows = 252;              // rows of a result that are computed together
constexpr int64_t kCachedWeight = 1 << 17;  // elements of a weight that stay in the L2 cache beside a tile
constexpr int64_t kEnoughTasks = 8;         // fewer are split further
constexpr int64_t kTaskWork = 1 << 18;      // multiply-adds that are worth a task of their own

inline int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
/// The smallest size that still makes ceil(total / most) parts, in multiples of `unit`.
inline int64_t even_part(int64_t total, int64_t most, int64_t unit = 1) {
  return ceil_div(ceil_div(total, ceil_div(total, most)), unit) * unit;
}

/// The columns of a packed panel where vectors are longest.
template <class T>
constexpr int64_t kWidestPanel = 128 / sizeof(T);

template <class T>
const GemmKernels<T>& gemm_kernels() {
  if constexpr (std::is_same_v<T, float>) return gemm_table().f32;
  else return gemm_table().f64;
}

/// `count` tasks, so many at a time that threads are worth it.
template <class F>
void run_tasks(int64_t count, int64_t work, F f) {
  parallel_for(count, std::clamp<int64_t>(kTaskWork / std::max<int64_t>(work, 1), 1, std::max<int64_t>(count, 1)), f);
}

using Offsets = Workspace<int64_t>;

/// At least n, such that rows so far apart fall into different sets of the cache.
inline int64_t spread(int64_t n) { return (ceil_div(n, 16) | 1) * 16; }

/// Rows of several images, `image_step` apart, side by side.
template <class T>
void gather_rows(T* to, int64_t to_row, const T* from, int64_t from_row, int64_t image_step, int64_t images,
                 int64_t rows, int64_t width) {
  const Workspace<SlabSegment> segments(images);
  const Offsets offsets(rows);
  for (int64_t n = 0; n < images; ++n) segments.data()[n] = {n * width, width, n * image_step};
  for (int64_t i = 0; i < rows; ++i) offsets.data()[i] = i * from_row;
  conv_kernels<T>().rows(from, offsets.data(), rows, segments.data(), images, to_row, to);
}

/// The windows [begin, end) of `images` slabs that lie `step` apart, one after the other.
inline int64_t stacked_segments(const Slab& slab, int64_t begin, int64_t end, int64_t images, int64_t step,
                                SlabSegment* to) {
  int64_t count = slab.segments(begin, end, to);
  for (int64_t i = 1, n = count; i < images; ++i)
    for (int64_t j = 0; j < n; ++j, ++count)
      to[count] = {to[j].column + i * (end - begin), to[j].count, to[j].offset + i * step};
  return count;
}

/// How many images go into one tile: small ones would leave lanes unused.
inline int64_t images_together(int64_t batch, int64_t outputs) {
  return outputs > kTile / 2 ? 1 : std::clamp<int64_t>(kTile / outputs, 1, batch);
}

// One filter per channel (depthwise.cpp).

inline bool is_depthwise(const Conv& c) { return c.in_channels == 1 && c.groups > 1 && c.out_channels <= 4; }
template <class T>
void depthwise_forward(const Conv& c, T* y, const T* x, const T* w, const T* bias);
template <class T>
void depthwise_input(const Conv& c, T* x, const T* y, const T* w, const T* bias);
template <class T>
void depthwise_weight(const Conv& c, T* w, const T* y, const T* x, T* bias);

/// The gradient of the images: products w^T y give every patch of it, which are added up (conv_scatter.cpp).
template <class T>
void scatter_patches(const Conv& c, T* x, const T* y, const T* w, const T* bias);
/// The gradient of the weight: tiles of patches times tiles of y (conv_weight.cpp).
template <class T>
void correlate_patches(const Conv& c, T* w, const T* y, const T* x, T* bias);

}  // namespace taut::kernels
