// A block of rows of the image becomes planes: one for each channel, phase, point of the transform, and remainder of
// the row modulo the stride. Rows of tiles follow one another in a plane without a gap, so that what one tap reads for
// all tiles of a block is contiguous.
#include "kernels/stem.h"

#include <algorithm>

#include "core/parallel.h"
#include "kernels/isa/stem.h"

namespace taut::kernels {
namespace {

constexpr int64_t kBlock = 512;  // tiles whose planes stay in the L2 cache
constexpr int64_t kPoints = kStemPoints, kGroup = kStemChannels;

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// The value of a point (the one at infinity has none), and what a product of its numbers lacks: 1 / N'(point), where N
/// is the polynomial whose roots are the points, with and without 2.
constexpr double kValue[kPoints] = {0, 1, -1, 0.5, -0.5, 0, 2};
constexpr double kFour[kPoints] = {-2, -2. / 3, -2. / 9, 16. / 9, 16. / 15, 1, 2. / 45};
constexpr double kThree[kPoints] = {4, 2. / 3, 2. / 3, -8. / 3, -8. / 3, 1, 0};

float transformed(const float* w, int64_t count, bool four, int64_t point) {
  if (point == 5) return count == (four ? 4 : 3) ? w[2 * (count - 1)] : 0.f;
  double sum = 0, power = (four ? kFour : kThree)[point];
  for (int64_t t = 0; t < count; ++t, power *= kValue[point]) sum += power * static_cast<double>(w[2 * t]);
  return static_cast<float>(sum);
}

}  // namespace

bool stem_fits(const Conv& c) {
  const Windows& w = c.windows;
  return c.groups == 1 && c.in_channels <= 4 && c.out_channels >= 2 * kGroup && w.in[0] == 1 && w.out[0] == 1 &&
         w.kernel[0] == 1 && w.stride[1] == 2 && w.stride[2] == 2 && w.dilation[1] == 1 && w.dilation[2] == 1 &&
         w.kernel[2] > kStemTile && w.kernel[2] <= 2 * kStemTile && w.kernel[1] >= 3 &&
         w.out[1] * ceil_div(w.out[2], kStemTile) >= kBlock / 2;
}

void stem_images(const Conv& c, float* y, const float* x, const float* w, const float* bias,
                 const std::function<void(int64_t)>& again) {
  const StemTable& kernels = stem_table();
  const Windows& win = c.windows;
  const int64_t height = win.out[1], width = win.out[2], outputs = win.outputs(), inputs = win.inputs();
  const int64_t across = ceil_div(width, kStemTile), down = win.kernel[1], taps = win.kernel[2];
  const int64_t phase_taps[2] = {(taps + 1) / 2, taps / 2};
  const bool four[2] = {phase_taps[0] == 4, phase_taps[1] == 4};
  const int64_t first[2] = {0, four[0] ? kPoints : kPoints - 1}, planes = first[1] + (four[1] ? kPoints : kPoints - 1);
  const int64_t blocks = ceil_div(height, std::max<int64_t>(1, kBlock / across)), rows = ceil_div(height, blocks);
  const int64_t plane = (ceil_div((rows + down / 2) * across, 16) | 1) * 16 + kernels.padded;

  // The products of each point, and their weights in groups of channels.
  const int64_t k = c.in_channels * down * planes, groups = ceil_div(c.out_channels, kGroup);
  const Workspace<int64_t> offsets(k);
  const Workspace<float> weights(groups * kGroup * k);
  std::fill_n(weights.data(), groups * kGroup * k, 0.f);
  int64_t counts[kPoints] = {};
  for (int64_t p = 0, n = 0; p < kPoints; ++p)
    for (int64_t phase = 0; phase < 2; ++phase) {
      if (p == kPoints - 1 && !four[phase]) continue;
      for (int64_t i = 0; i < c.in_channels; ++i)
        for (int64_t h = 0; h < down; ++h, ++n, ++counts[p]) {
          offsets.data()[n] = ((i * 2 + h % 2) * planes + first[phase] + p) * plane + h / 2 * across;
          for (int64_t m = 0; m < c.out_channels; ++m)
            weights.data()[(m / kGroup * k + n) * kGroup + m % kGroup] =
                transformed(w + ((m * c.in_channels + i) * down + h) * taps + phase, phase_taps[phase], four[phase], p);
        }
    }

  const Workspace<bool> finite(c.batch * blocks);
  const bool whole = width % kStemTile == 0;  // otherwise the last tile of a row is cut
  parallel_for(c.batch * blocks, 1, [&](int64_t begin, int64_t end) {
    const int64_t line = 2 * kStemTile * (across + 1 + kernels.padded);
    const Workspace<float> image(c.in_channels * 2 * planes * plane), room(2 * line),
        cut(whole ? 0 : kGroup * kernels.tiles * kStemTile);
    float* const padded = room.data() + line;
    std::fill_n(padded, line, 0.f);
    const int64_t left = win.padding[2], count = std::min(win.in[2], line - left);
    for (int64_t task = begin; task < end; ++task) {
      const int64_t n = task / blocks, r0 = task % blocks * height / blocks, r1 = (task % blocks + 1) * height / blocks;
      for (int64_t i = 0; i < c.in_channels; ++i)
        for (int64_t h = 0; h < 2 * (r1 - r0 - 1) + down; ++h) {
          const int64_t at = 2 * r0 - win.padding[1] + h;
          const bool inside = at >= 0 && at < win.in[1];
          if (inside) std::copy_n(x + (n * c.in_channels + i) * inputs + at * win.in[2], count, padded + left);
          else std::fill_n(padded + left, count, 0.f);
          kernels.row(padded, across, four, room.data(),
                      image.data() + (i * 2 + h % 2) * planes * plane + h / 2 * across, plane);
        }
      const int64_t tiles = (r1 - r0) * across;
      bool good = true;
      for (int64_t j = 0; j < tiles; j += kernels.tiles) {
        const int64_t t = std::min(j, tiles - kernels.tiles), last = t + kernels.tiles;
        for (int64_t m = 0; m < c.out_channels; m += kGroup) {
          const int64_t channels = std::min(kGroup, c.out_channels - m);
          float* const result = y + (n * c.out_channels + m) * outputs + r0 * width;
          good &= kernels.product(image.data() + t, offsets.data(), counts, weights.data() + m * k,
                                  bias ? bias + m : nullptr, channels, whole ? result + t * kStemTile : cut.data(),
                                  whole ? outputs : kernels.tiles * kStemTile);
          for (int64_t at = t, end; !whole && at < last; at = end) {  // row by row
            end = std::min((at / across + 1) * across, last);
            const int64_t column = at % across * kStemTile, some = std::min((end - at) * kStemTile, width - column);
            for (int64_t i = 0; i < channels; ++i)
              std::copy_n(cut.data() + (i * kernels.tiles + at - t) * kStemTile, some,
                          result + i * outputs + at / across * width + column);
          }
        }
      }
      finite.data()[task] = good;
    }
  });
  for (int64_t n = 0; n < c.batch; ++n) {
    const bool* of = finite.data() + n * blocks;
    if (!std::all_of(of, of + blocks, [](bool f) { return f; })) again(n);
  }
}

}  // namespace taut::kernels
