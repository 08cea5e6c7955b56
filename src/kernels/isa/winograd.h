// What src/kernels/winograd.cpp and its instruction-set kernels agree on. Channels are innermost everywhere, in whole
// vectors: multiples of kWinogradChannels. The points x points numbers that a tile becomes lie in as many planes,
// `plane` apart.
#pragma once
#include <cstdint>

#include "core/cpu.h"

namespace taut {

constexpr int64_t kWinogradChannels = 16;
constexpr int64_t kWinogradWeights = 4;  // numbers that 3 weights become

/// Per dimension: tiles of `in` elements, `step` apart, become `points` numbers, each is multiplied with one of those
/// of the weights, and these become `out` results.
struct WinogradScheme {
  int64_t in, step, points, out;
  int64_t weight[5];  // of each point

  /// Tiles of an image, given its rows; the numbers of the next tile follow `next` later.
  void (*image)(const float* const* rows, int64_t tiles, int64_t channels, float* to, int64_t next, int64_t plane);
  /// One panel of products to tiles of a result of height x width positions (height at most `out`); `from` and `to` are
  /// a panel apart. bias may be null. Is all of it finite?
  bool (*result)(const float* from, int64_t plane, int64_t tiles, int64_t channels, const float* bias, int64_t height,
                 int64_t width, float* to);
  /// Tiles of a gradient of the result, to panels of channels (GemmKernels::pack) that are `panels` apart.
  void (*gradient)(const float* const* rows, int64_t tiles, int64_t channels, float* to, int64_t panels, int64_t plane);
  /// 3 x 3 weights, `tap` apart, of one panel.
  void (*weights)(const float* from, int64_t tap, int64_t channels, float* to, int64_t plane);
  /// Sums of products, in parts that are added, to 3 x 3 gradients of weights, `channels` apart. Is all of it finite?
  bool (*weight_gradient)(const float* from, int64_t parts, int64_t part, int64_t plane, int64_t channels, float* to);
};

struct WinogradTable {
  WinogradScheme same;  // stride 1
  WinogradScheme down;  // stride 2
  WinogradScheme up;    // from the gradient of such a result to that of the images, with padding 1
};
TAUT_ISA_TABLE(WinogradTable, winograd_table)

}  // namespace taut
