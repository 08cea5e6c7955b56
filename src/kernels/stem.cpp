// A block of rows of the image becomes planes: one for each channel, phase, point of the transform, and remainder of
// the row modulo the stride. Rows of tiles follow one another in a plane without a gap, so that what one tap reads for
// all tiles of a block is contiguous.
#include "kernels/stem.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "kernels/isa/gemm.h"
#include "kernels/isa/stem.h"

namespace taut::kernels {
namespace {

constexpr int64_t kBlock = 512;  // tiles whose planes stay in the L2 cache
constexpr int64_t kSome = 64;    // tiles of a gradient that stay in the L1 cache
constexpr int64_t kParts = 8;    // of the gradient of the weight
constexpr int64_t kPoints = kStemPoints, kGroup = kStemChannels;
constexpr float one = 1;

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Gt: the part of tap t of `most` (3 or 4) in a point. Its power there, over N'(point), where N is the polynomial
/// whose roots are the points; the point at infinity sees the last tap only.
float part_of(int64_t t, int64_t most, int64_t point) {
  constexpr double value[kPoints] = {0, 1, -1, 0.5, -0.5, 0, 2};
  constexpr double scale[2][kPoints] = {{4, 2. / 3, 2. / 3, -8. / 3, -8. / 3},
                                        {-2, -2. / 3, -2. / 9, 16. / 9, 16. / 15, 0, 2. / 45}};
  if (point == 5) return t == most - 1 ? 1.f : 0.f;
  double power = scale[most - 3][point];
  for (int64_t i = 0; i < t; ++i) power *= value[point];
  return static_cast<float>(power);
}

struct Stem {
  const StemTable& kernels = stem_table();
  const Conv& c;
  const Windows& win = c.windows;
  const int64_t height = win.out[1], width = win.out[2], down = win.kernel[1], taps = win.kernel[2];
  const int64_t across = ceil_div(width, kStemTile);
  const bool whole = width % kStemTile == 0;  // otherwise the last tile of a row is cut
  const bool four[2] = {taps > 6, taps > 7};  // taps of a phase; otherwise three, of which the last may be missing
  const int64_t first[2] = {0, four[0] ? kPoints : kPoints - 1}, planes = first[1] + (four[1] ? kPoints : kPoints - 1);
  const int64_t blocks = ceil_div(height, std::max<int64_t>(1, kBlock / across)), rows = ceil_div(height, blocks);
  const int64_t plane = (ceil_div((rows + down / 2) * across, 16) | 1) * 16 + kernels.padded;
  const int64_t unit;                // products of a point come in multiples of it
  int64_t start[kPoints + 1] = {0};  // of the products of each point: both phases, channels, rows of taps
  Workspace<int64_t> offsets;        // where they find the image

  Stem(const Conv& conv, int64_t products_unit) : c(conv), unit(products_unit), offsets(count_products()) {
    each_product([&](int64_t n, int64_t p, int64_t phase, int64_t i, int64_t h) {
      offsets.data()[n] = ((i * 2 + h % 2) * planes + first[phase] + p) * plane + h / 2 * across;
    });
  }
  int64_t count_products() {
    for (int64_t p = 0; p < kPoints; ++p) start[p + 1] = start[p] + ceil_div(products(p), unit) * unit;
    return start[kPoints];
  }
  /// Of a point; the last one belongs to phases of four taps only.
  int64_t products(int64_t p) const { return (p < kPoints - 1 ? 2 : four[0] + four[1]) * c.in_channels * down; }
  /// f(product, point, phase, channel, row of taps), with some again to fill the last unit.
  template <class F>
  void each_product(F f) const {
    for (int64_t p = 0; p < kPoints; ++p)
      for (int64_t n = start[p]; n < start[p + 1]; ++n) {
        const int64_t i = (n - start[p]) % products(p);
        f(n, p, i / (c.in_channels * down), i / down % c.in_channels, i % down);
      }
  }
  int64_t taps_of(int64_t phase) const { return (taps + 1 - phase) / 2; }
  float part(int64_t phase, int64_t t, int64_t point) const { return part_of(t, four[phase] ? 4 : 3, point); }

  /// Rows [begin, end) of the result belong to a block.
  int64_t begin(int64_t block) const { return block % blocks * height / blocks; }
  int64_t end(int64_t block) const { return (block % blocks + 1) * height / blocks; }

  struct Image {
    int64_t line;
    Workspace<float> planes, room;
    explicit Image(const Stem& s)
        : line(2 * kStemTile * (s.across + 1 + s.kernels.padded)),
          planes(s.c.in_channels * 2 * s.planes * s.plane),
          room(2 * line) {
      std::fill_n(room.data(), 2 * line, 0.f);
    }
    void load(const Stem& s, const float* x, int64_t block) const {
      const Windows& w = s.win;
      float* const padded = room.data() + line;
      const int64_t left = w.padding[2], count = std::min(w.in[2], line - left);
      for (int64_t i = 0; i < s.c.in_channels; ++i)
        for (int64_t h = 0; h < 2 * (s.end(block) - s.begin(block) - 1) + s.down; ++h) {
          const int64_t at = 2 * s.begin(block) - w.padding[1] + h;
          const float* from = x + (block / s.blocks * s.c.in_channels + i) * w.inputs() + at * w.in[2];
          if (at >= 0 && at < w.in[1]) std::copy_n(from, count, padded + left);
          else std::fill_n(padded + left, count, 0.f);
          s.kernels.row(padded, s.across, s.four, room.data(),
                        planes.data() + (i * 2 + h % 2) * s.planes * s.plane + h / 2 * s.across, s.plane);
        }
    }
  };

  /// f(tile, tiles, column, columns) for the runs of the tiles [begin, end) of a block whose windows are contiguous in
  /// the result: columns are counted from the first of the block.
  template <class F>
  void each_run(int64_t begin, int64_t end, F f) const {
    if (whole) return void(f(begin, end - begin, begin * kStemTile, (end - begin) * kStemTile));
    for (int64_t t = begin, next; t < end; t = next) {
      next = std::min((t / across + 1) * across, end);
      const int64_t x = t % across * kStemTile;
      f(t, next - t, t / across * width + x, std::min((next - t) * kStemTile, width - x));
    }
  }
};

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
  const Stem s(c, 1);
  const int64_t outputs = c.windows.outputs(), together = s.kernels.tiles, k = s.start[kPoints];
  const int64_t groups = ceil_div(c.out_channels, kGroup);
  const Workspace<float> weights(groups * kGroup * k);
  std::fill_n(weights.data(), groups * kGroup * k, 0.f);
  s.each_product([&](int64_t n, int64_t p, int64_t phase, int64_t i, int64_t h) {
    float part[kStemTile];
    for (int64_t t = 0; t < s.taps_of(phase); ++t) part[t] = s.part(phase, t, p);
    for (int64_t m = 0; m < c.out_channels; ++m) {
      const float* from = w + ((m * c.in_channels + i) * s.down + h) * s.taps + phase;
      float& to = weights.data()[(m / kGroup * k + n) * kGroup + m % kGroup];
      for (int64_t t = 0; t < s.taps_of(phase); ++t) to += part[t] * from[2 * t];
    }
  });
  int64_t counts[kPoints];
  for (int64_t p = 0; p < kPoints; ++p) counts[p] = s.start[p + 1] - s.start[p];

  const Workspace<bool> finite(c.batch * s.blocks);
  parallel_for(c.batch * s.blocks, 1, [&](int64_t begin, int64_t end) {
    const Stem::Image image(s);
    const Workspace<float> cut(s.whole ? 0 : kGroup * together * kStemTile);
    for (int64_t block = begin; block < end; ++block) {
      image.load(s, x, block);
      const int64_t tiles = (s.end(block) - s.begin(block)) * s.across;
      bool good = true;
      for (int64_t j = 0; j < tiles; j += together) {
        const int64_t first = std::min(j, tiles - together);
        for (int64_t m = 0; m < c.out_channels; m += kGroup) {
          const int64_t channels = std::min(kGroup, c.out_channels - m);
          float* const to = y + (block / s.blocks * c.out_channels + m) * outputs + s.begin(block) * s.width;
          good &= s.kernels.product(image.planes.data() + first, s.offsets.data(), counts, weights.data() + m * k,
                                    bias ? bias + m : nullptr, channels, s.whole ? to + first * kStemTile : cut.data(),
                                    s.whole ? outputs : together * kStemTile);
          if (s.whole) continue;
          s.each_run(first, first + together, [&](int64_t tile, int64_t, int64_t column, int64_t columns) {
            for (int64_t i = 0; i < channels; ++i)
              std::copy_n(cut.data() + (i * together + tile - first) * kStemTile, columns, to + i * outputs + column);
          });
        }
      }
      finite.data()[block] = good;
    }
  });
  for (int64_t n = 0; n < c.batch; ++n) {
    const bool* of = finite.data() + n * s.blocks;
    if (!std::all_of(of, of + s.blocks, [](bool f) { return f; })) again(n);
  }
}

bool stem_weight(const Conv& c, float* w, const float* y, const float* x, float* bias) {
  const auto& gemm = gemm_table().f32;
  const Stem s(c, stem_table().rows);
  const int64_t outputs = c.windows.outputs(), panel = s.kernels.panel, rows = s.kernels.rows, k = s.start[kPoints];
  const int64_t channels = ceil_div(c.out_channels, panel) * panel, area = (k + 1) * channels;  // the last: of the bias
  const int64_t blocks = c.batch * s.blocks, part = ceil_div(blocks, kParts), parts = ceil_div(blocks, part);
  const Workspace<float> sums(parts * area);
  parallel_for(parts, 1, [&](int64_t begin, int64_t end) {
    const Stem::Image image(s);
    const Workspace<float> windows(kSome * kStemTile * panel), gradients(kPoints * kSome * panel);
    std::fill_n(windows.data(), kSome * kStemTile * panel, 0.f);
    for (int64_t i = begin; i < end; ++i) {
      float* const sum = sums.data() + i * area;
      std::fill_n(sum, area, 0.f);
      for (int64_t block = i * part; block < std::min((i + 1) * part, blocks); ++block) {
        image.load(s, x, block);
        const int64_t tiles = (s.end(block) - s.begin(block)) * s.across;
        for (int64_t first = 0; first < tiles; first += kSome) {
          const int64_t count = std::min(kSome, tiles - first);
          for (int64_t m = 0; m < c.out_channels; m += panel) {
            const float* from = y + (block / s.blocks * c.out_channels + m) * outputs + s.begin(block) * s.width;
            s.each_run(first, first + count, [&](int64_t tile, int64_t n, int64_t column, int64_t columns) {
              float* const to = windows.data() + (tile - first) * kStemTile * panel;
              gemm.transpose(std::min(panel, c.out_channels - m), columns, from + column, outputs, to, panel);
              std::fill(to + columns * panel, to + n * kStemTile * panel, 0.f);
            });
            s.kernels.gradient(windows.data(), count, gradients.data(), kSome * panel);
            for (int64_t p = 0; p < kPoints; ++p)
              for (int64_t n = s.start[p]; n < s.start[p + 1]; n += rows)
                s.kernels.correlate(image.planes.data() + first, s.offsets.data() + n, count,
                                    gradients.data() + p * kSome * panel, sum + n * channels + m, channels);
            gemm.block({1, panel, count, &one, 0, 0, gradients.data() + kSome * panel, panel, 1, sum + k * channels + m,
                        channels, 1, 1});
          }
        }
      }
    }
  });
  for (int64_t p = 1; p < parts; ++p)
    for (int64_t i = 0; i < area; ++i) sums.data()[i] += sums.data()[p * area + i];
  std::fill_n(w, c.out_channels * c.in_channels * s.down * s.taps, 0.f);
  s.each_product([&](int64_t n, int64_t p, int64_t phase, int64_t i, int64_t h) {
    if (n - s.start[p] >= s.products(p)) return;  // again
    for (int64_t t = 0; t < s.taps_of(phase); ++t)
      for (int64_t m = 0; m < c.out_channels; ++m)
        w[((m * c.in_channels + i) * s.down + h) * s.taps + 2 * t + phase] +=
            s.part(phase, t, p) * sums.data()[n * channels + m];
  });
  if (bias) std::copy_n(sums.data() + k * channels, c.out_channels, bias);
  return std::all_of(w, w + c.out_channels * c.in_channels * s.down * s.taps, [](float v) { return std::isfinite(v); });
}

}  // namespace taut::kernels
