// What src/kernels/winograd.cpp and its instruction-set kernels agree on. Channels are innermost everywhere, in whole
// vectors: multiples of kWinogradChannels. The 16 numbers that a tile becomes lie in 16 planes, `plane` apart.
#pragma once
#include <cstdint>

#include "core/cpu.h"

namespace taut {

constexpr int64_t kWinogradChannels = 16;

struct WinogradTable {
  /// 4 x 4 tiles of an image, 2 columns apart, given its rows; the numbers of the next tile follow `next` later.
  void (*image)(const float* const (&rows)[4], int64_t tiles, int64_t channels, float* to, int64_t next, int64_t plane);
  /// 2 x 2 tiles of a gradient, to panels of channels (GemmKernels::pack) that are `panels` apart.
  void (*gradient)(const float* const (&rows)[2], int64_t tiles, int64_t channels, float* to, int64_t panels,
                   int64_t plane);
  /// One panel of products to the 2 x 2 tiles of a result of height x width positions (height at most 2); `from` and
  /// `to` are a panel apart. bias may be null. Is all of it finite?
  bool (*result)(const float* from, int64_t plane, int64_t tiles, int64_t channels, const float* bias, int64_t height,
                 int64_t width, float* to);
  /// 3 x 3 weights, `tap` apart, of one panel.
  void (*weight)(const float* from, int64_t tap, int64_t channels, float* to, int64_t plane);
  /// Sums of products, in parts that are added, to 3 x 3 gradients of weights, `channels` apart. Is all of it finite?
  bool (*weight_gradient)(const float* from, int64_t parts, int64_t part, int64_t plane, int64_t channels, float* to);
};
TAUT_ISA_TABLE(WinogradTable, winograd_table)

}  // namespace taut
