// Rows of tiles are transformed with the channels innermost, so that every lane is used however small the images are;
// then the 16 numbers of all tiles of a block are matrix products with the 16 numbers of the weights.
#include "kernels/winograd.h"

#include <algorithm>

#include "core/parallel.h"
#include "kernels/isa/gemm.h"
#include "kernels/isa/winograd.h"

namespace taut::kernels {
namespace {

constexpr int64_t kWeightPlanes = kWinogradWeights * kWinogradWeights;
constexpr int64_t kTaps = 3 * 3;
constexpr int64_t kBlock = 1 << 17;      // elements of transformed tiles that stay in the L2 cache
constexpr int64_t kTiles = 112;          // transformed together at least, since all weights are read for a block
constexpr int64_t kWeights = 1 << 18;    // of one tap; more are not worth reading so often,
constexpr int64_t kSums = 1 << 14;       // nor are more sums of their gradient worth reading and writing
constexpr int64_t kParts = 8;            // of that gradient,
constexpr int64_t kPartsRoom = 1 << 20;  // and the elements that they may have together
constexpr int64_t kFewTiles = 16;        // of an image, for which the weights are not worth a transform
constexpr float one = 1;

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
/// At least n, such that planes so far apart fall into different sets of the cache.
int64_t spread(int64_t n) { return (ceil_div(n, 16) | 1) * 16; }

void add_parts(float* to, const float* from, int64_t parts, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    to[i] = from[i];
    for (int64_t p = 1; p < parts; ++p) to[i] += from[p * n + i];
  }
}

struct Size {
  int64_t height, width;
  int64_t area() const { return height * width; }
};

/// The rows of an image that a row of tiles sees, with its channels innermost and zeros around them.
class Strip {
 public:
  const float* rows[5];

  /// Tiles see `height` rows, and are `step` apart.
  Strip(int64_t height, int64_t step, Size image, Size padding, int64_t columns, int64_t channels)
      : height_(height),
        step_(step),
        image_(image),
        padding_(padding),
        columns_(columns),
        channels_(channels),
        data_(height * columns * channels) {
    std::fill_n(data_.data(), height * columns * channels, 0.f);
  }
  /// The i-th row of tiles of an image.
  void load(const float* image, int64_t i) {
    const bool next = image == last_ && i == i_ + 1;  // then some rows are here already
    const int64_t row = columns_ * channels_, width = std::min(image_.width, columns_ - padding_.width);
    for (int64_t q = i * step_ + (next ? height_ - step_ : 0); q < i * step_ + height_; ++q) {
      float* const to = data_.data() + q % height_ * row;
      const int64_t y = q - padding_.height;
      if (y < 0 || y >= image_.height) std::fill_n(to, row, 0.f);
      else
        gemm_table().f32.transpose(channels_, width, image + y * image_.width, image_.area(),
                                   to + padding_.width * channels_, channels_);
    }
    for (int64_t r = 0; r < height_; ++r) rows[r] = data_.data() + (i * step_ + r) % height_ * row;
    last_ = image, i_ = i;
  }

 private:
  int64_t height_, step_;
  Size image_, padding_;
  int64_t columns_, channels_;
  const float* last_ = nullptr;
  int64_t i_ = 0;
  Workspace<float> data_;
};

/// Rows of tiles of all images, one after the other, and how many are transformed together.
struct Rows {
  Rows(const WinogradScheme& s, int64_t batch, Size result, int64_t channels)
      : down(ceil_div(result.height, s.out)),
        across(ceil_div(result.width, s.out)),
        columns((across - 1) * s.step + s.in),
        planes(s.points * s.points),
        count(batch * down),
        block(std::clamp<int64_t>(std::max(kBlock / (planes * channels * across), kTiles / across), 1,
                                  ceil_div(count, 2))),
        pitch(channels < 256 ? channels : channels + 16),  // rows 1 or 2 KiB apart would share sets of the cache
        plane(spread(block * across * pitch)) {}
  int64_t down, across, columns, planes, count, block, pitch, plane;
};

Size size_of(const int64_t (&s)[3]) { return {s[1], s[2]}; }

/// The plane of the weights that the plane p of tiles is multiplied with.
int64_t weight_plane(const WinogradScheme& s, int64_t p) {
  return s.weight[p / s.points] * kWinogradWeights + s.weight[p % s.points];
}

/// The weights as matrices [channels, outputs] in panels: one after the other, with all planes of each.
void transform_weights(const WinogradScheme& scheme, const float* w, int64_t channels, int64_t outputs, bool turned,
                       int64_t plane, float* to) {
  const auto& gemm = gemm_table().f32;
  const bool flip = turned && scheme.out == scheme.step;  // the last tap comes first
  parallel_for(ceil_div(outputs, gemm.panel), 1, [&](int64_t begin, int64_t end) {
    const Workspace<float> taps((turned ? 1 : channels) * kTaps * gemm.panel);
    for (int64_t j = begin; j < end; ++j) {
      const int64_t first = j * gemm.panel, width = std::min(gemm.panel, outputs - first);
      float* const u = to + j * kWeightPlanes * plane;
      if (!turned) gemm.pack(channels * kTaps, width, w + first * channels * kTaps, 1, channels * kTaps, taps.data());
      for (int64_t c = 0; c < channels; ++c) {
        const float* g = taps.data() + (turned ? 0 : c * kTaps * gemm.panel);
        if (turned) gemm.pack(kTaps, width, w + (c * outputs + first) * kTaps, 1, kTaps, taps.data());
        scheme.weights(flip ? g + (kTaps - 1) * gemm.panel : g, flip ? -gemm.panel : gemm.panel, width,
                       u + c * gemm.panel, plane);
      }
    }
  });
}

}  // namespace

bool winograd_fits(const Conv& c, bool turned) {
  const Windows& w = c.windows;
  const int64_t stride = w.stride[1], most = std::max(c.in_channels, c.out_channels);
  for (int d = 0; d < 3; ++d)
    if (w.stride[d] != (d ? stride : 1) || w.dilation[d] != 1 || w.kernel[d] != (d ? 3 : 1) || w.padding[d] > 2)
      return false;
  if (stride > 2 || (stride == 2 && turned && (w.padding[1] != 1 || w.padding[2] != 1))) return false;
  const int64_t tiles = ceil_div(w.out[1], 2) * ceil_div(w.out[2], 2), direct = kTaps * w.outputs();
  return w.in[0] == 1 && w.out[0] == 1 && c.in_channels * c.out_channels <= kWeights && c.groups == 1 &&
         c.in_channels % kWinogradChannels == 0 && c.out_channels % kWinogradChannels == 0 &&
         std::min(c.in_channels, c.out_channels) >= 2 * kWinogradChannels && tiles >= kFewTiles &&
         5 * tiles * (stride == 1 ? 4 * 4 : 5 * 5) <= 4 * direct &&
         kWeightPlanes * most * std::max(w.out[2], w.in[2]) <= 8 * kBlock;
}

void winograd_images(const Conv& c, bool turned, float* to, const float* from, const float* w, const float* bias,
                     const std::function<void(int64_t)>& again) {
  const auto& gemm = gemm_table().f32;
  const Windows& win = c.windows;
  const bool strided = win.stride[1] == 2;
  const WinogradScheme& scheme = !strided ? winograd_table().same
                                 : turned ? winograd_table().up
                                          : winograd_table().down;
  const int64_t channels = turned ? c.out_channels : c.in_channels, outputs = turned ? c.in_channels : c.out_channels;
  const Size image = size_of(turned ? win.out : win.in), result = size_of(turned ? win.in : win.out);
  const Size padding = !turned   ? size_of(win.padding)
                       : strided ? Size{0, 0}
                                 : Size{2 - win.padding[1], 2 - win.padding[2]};
  const Rows rows(scheme, c.batch, result, channels);
  const int64_t panel = gemm.panel, weight_step = spread(channels * panel);
  const Workspace<float> weights(ceil_div(outputs, panel) * kWeightPlanes * weight_step);
  transform_weights(scheme, w, channels, outputs, turned, weight_step, weights.data());
  const Workspace<bool> finite(rows.count);
  std::fill_n(finite.data(), rows.count, true);
  parallel_for(ceil_div(rows.count, rows.block), 1, [&](int64_t begin, int64_t end) {
    const int64_t product_plane = spread(rows.block * rows.across * panel);
    const Workspace<float> tiles(rows.planes * rows.plane), products(rows.planes * product_plane),
        lines(scheme.out * result.width * panel);
    Strip strip(scheme.in, scheme.step, image, padding, rows.columns, channels);
    for (int64_t first = begin * rows.block; first < end * rows.block; first += rows.block) {
      const int64_t last = std::min(first + rows.block, rows.count), count = (last - first) * rows.across;
      for (int64_t r = first; r < last; ++r) {
        strip.load(from + r / rows.down * channels * image.area(), r % rows.down);
        scheme.image(strip.rows, rows.across, channels, tiles.data() + (r - first) * rows.across * rows.pitch,
                     rows.pitch, rows.plane);
      }
      for (int64_t j = 0; j < outputs; j += panel) {
        const int64_t width = std::min(panel, outputs - j);
        const float* const u = weights.data() + j / panel * kWeightPlanes * weight_step;
        for (int64_t p = 0; p < rows.planes; ++p)
          gemm.block({count, width, channels, tiles.data() + p * rows.plane, rows.pitch, 1,
                      u + weight_plane(scheme, p) * weight_step, panel, channels, products.data() + p * product_plane,
                      panel, 1, 0});
        for (int64_t r = first; r < last; ++r) {
          const int64_t y = scheme.out * (r % rows.down), height = std::min(scheme.out, result.height - y);
          finite.data()[r] &=
              scheme.result(products.data() + (r - first) * rows.across * panel, product_plane, rows.across, width,
                            bias ? bias + j : nullptr, height, result.width, lines.data());
          gemm.transpose(height * result.width, width, lines.data(), panel,
                         to + (r / rows.down * outputs + j) * result.area() + y * result.width, result.area());
        }
      }
    }
  });
  for (int64_t n = 0; n < c.batch; ++n) {
    const bool* of = finite.data() + n * rows.down;
    if (!std::all_of(of, of + rows.down, [](bool f) { return f; })) again(n);
  }
}

bool winograd_weight(const Conv& c, float* w, const float* y, const float* x, float* bias) {
  const auto& gemm = gemm_table().f32;
  const Windows& win = c.windows;
  const WinogradScheme& scheme = win.stride[1] == 2 ? winograd_table().down : winograd_table().same;
  const int64_t channels = c.in_channels, outputs = c.out_channels, panel = gemm.panel;
  const Size image = size_of(win.in), result = size_of(win.out);
  const Rows rows(scheme, c.batch, result, channels);
  const int64_t blocks = ceil_div(rows.count, rows.block), plane = spread(channels * outputs),
                area = kWeightPlanes * plane;
  if (channels * outputs > kSums) return false;
  const int64_t part = ceil_div(blocks, std::clamp<int64_t>(kPartsRoom / area, 1, kParts));
  const int64_t parts = ceil_div(blocks, part), panels = ceil_div(outputs, panel);
  const Workspace<float> sums(parts * area), bias_sums(parts * outputs);
  parallel_for(parts, 1, [&](int64_t begin, int64_t end) {
    const int64_t panel_step = rows.block * rows.across * panel, gradient_plane = spread(panels * panel_step);
    const Workspace<float> tiles(rows.planes * rows.plane), gradients(rows.planes * gradient_plane);
    Strip strip(scheme.in, scheme.step, image, size_of(win.padding), rows.columns, channels);
    Strip lines(2, 2, result, {0, 0}, 2 * rows.across, outputs);
    for (int64_t i = begin; i < end; ++i) {
      float* const sum = sums.data() + i * area;
      float beta = 0;
      for (int64_t b = i * part; b < std::min((i + 1) * part, blocks); ++b, beta = 1) {
        const int64_t first = b * rows.block, last = std::min(first + rows.block, rows.count);
        for (int64_t r = first; r < last; ++r) {
          const int64_t n = r / rows.down, at = (r - first) * rows.across;
          strip.load(x + n * channels * image.area(), r % rows.down);
          scheme.image(strip.rows, rows.across, channels, tiles.data() + at * rows.pitch, rows.pitch, rows.plane);
          lines.load(y + n * outputs * result.area(), r % rows.down);
          scheme.gradient(lines.rows, rows.across, outputs, gradients.data() + at * panel, panel_step, gradient_plane);
        }
        for (int64_t j = 0; bias && j < outputs; j += panel)
          gemm.block({1, std::min(panel, outputs - j), (last - first) * rows.across, &one, 0, 0,
                      gradients.data() + (scheme.points + 1) * gradient_plane + j / panel * panel_step, panel, 1,
                      bias_sums.data() + i * outputs + j, outputs, 1, beta});
        for (int64_t p = 0; p < rows.planes; ++p) {
          const int64_t to = weight_plane(scheme, p);
          const bool more = p / scheme.points == kWinogradWeights || p % scheme.points == kWinogradWeights;
          for (int64_t j = 0; j < outputs; j += panel)
            gemm.block({channels, std::min(panel, outputs - j), (last - first) * rows.across,
                        tiles.data() + p * rows.plane, 1, rows.pitch,
                        gradients.data() + p * gradient_plane + j / panel * panel_step, panel, 1, sum + to * plane + j,
                        outputs, 1, more ? 1 : beta});
        }
      }
    }
  });
  const Workspace<float> taps(channels * kTaps * outputs);
  bool finite = true;
  if (bias) add_parts(bias, bias_sums.data(), parts, outputs);
  for (int64_t i = 0; i < channels; ++i)
    finite &= scheme.weight_gradient(sums.data() + i * outputs, parts, area, plane, outputs,
                                     taps.data() + i * kTaps * outputs);
  gemm.transpose(channels * kTaps, outputs, taps.data(), outputs, w, channels * kTaps);
  return finite;
}

}  // namespace taut::kernels
