// What src/kernels/stem.cpp and its instruction-set kernels agree on. Windows step over two columns at a time: those
// with the same remainder are a phase, in which windows are half as wide and step over one. Four windows side by side
// are a tile.
#pragma once
#include <cstdint>

#include "core/cpu.h"

namespace taut {

constexpr int64_t kStemTile = 4;      // windows of a tile, and the most taps of a phase
constexpr int64_t kStemPoints = 7;    // numbers that a tile of a phase becomes; one less when it has at most 3 taps
constexpr int64_t kStemChannels = 8;  // channels of the result that are computed together

struct StemTable {
  int64_t tiles;   // of a result that are computed together
  int64_t padded;  // what rows of tiles are written in multiples of
  int64_t rows;    // of a correlation that are computed together
  int64_t panel;   // channels of a gradient, innermost

  /// One row of an image with its padding, as 8 columns per tile and 8 more, to the planes of both phases, `plane`
  /// apart. `four`: has the phase 4 taps? Reads 8 * padded elements beyond the row; `room` has as many as the row and
  /// these.
  void (*row)(const float* row, int64_t tiles, const bool (&four)[2], float* room, float* to, int64_t plane);
  /// `tiles` tiles of kStemChannels channels of the result, of which `channels` are written, `step` apart. For each
  /// point, counts[point] numbers of image and weights are multiplied: those at `offsets`, and as many times
  /// kStemChannels weights. Is all of it finite?
  bool (*product)(const float* image, const int64_t* offsets, const int64_t (&counts)[kStemPoints],
                  const float* weights, const float* bias, int64_t channels, float* to, int64_t step);
  /// Tiles of the gradient of the result, a panel for each window, to a panel for each tile in the plane of each point.
  void (*gradient)(const float* from, int64_t tiles, float* to, int64_t plane);
  /// sums[r] += the sum over tiles of image[offsets[r] + tile] * gradient[tile], for `rows` panels, `step` apart.
  void (*correlate)(const float* image, const int64_t* offsets, int64_t tiles, const float* gradient, float* sums,
                    int64_t step);
};
TAUT_ISA_TABLE(StemTable, stem_table)

}  // namespace taut
