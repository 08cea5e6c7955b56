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

/// The images of a convolution's result, or with `turned` those of its gradient.
class ImagePass {
 public:
  ImagePass(const Conv& c, bool turned, float* to, const float* from, const float* w, const float* bias)
      : scheme_(scheme_of(c, turned)),
        to_(to),
        from_(from),
        bias_(bias),
        batch_(c.batch),
        channels_(turned ? c.out_channels : c.in_channels),
        outputs_(turned ? c.in_channels : c.out_channels),
        image_(size_of(turned ? c.windows.out : c.windows.in)),
        result_(size_of(turned ? c.windows.in : c.windows.out)),
        padding_(padding_of(c.windows, turned)),
        rows_(scheme_, c.batch, result_, channels_),
        product_plane_(spread(rows_.block * rows_.across * panel_)),
        weight_step_(spread(channels_ * panel_)),
        weights_(ceil_div(outputs_, panel_) * kWeightPlanes * weight_step_),
        finite_(rows_.count) {
    transform_weights(scheme_, w, channels_, outputs_, turned, weight_step_, weights_.data());
    std::fill_n(finite_.data(), rows_.count, true);
  }

  /// again(n) for every image whose result is not finite.
  void run(const std::function<void(int64_t)>& again) const {
    parallel_for(ceil_div(rows_.count, rows_.block), 1, [&](int64_t begin, int64_t end) {
      Room room(*this);
      for (int64_t first = begin * rows_.block; first < end * rows_.block; first += rows_.block)
        run_block(first, std::min(first + rows_.block, rows_.count), room);
    });
    for (int64_t n = 0; n < batch_; ++n) {
      const bool* of = finite_.data() + n * rows_.down;
      if (!std::all_of(of, of + rows_.down, [](bool f) { return f; })) again(n);
    }
  }

 private:
  /// The memory of a thread.
  struct Room {
    Workspace<float> tiles, products, lines;
    Strip strip;
    explicit Room(const ImagePass& p)
        : tiles(p.rows_.planes * p.rows_.plane),
          products(p.rows_.planes * p.product_plane_),
          lines(p.scheme_.out * p.result_.width * p.panel_),
          strip(p.scheme_.in, p.scheme_.step, p.image_, p.padding_, p.rows_.columns, p.channels_) {}
  };

  static const WinogradScheme& scheme_of(const Conv& c, bool turned) {
    if (c.windows.stride[1] == 1) return winograd_table().same;
    return turned ? winograd_table().up : winograd_table().down;
  }
  static Size padding_of(const Windows& w, bool turned) {
    if (!turned) return size_of(w.padding);
    return w.stride[1] == 2 ? Size{0, 0} : Size{2 - w.padding[1], 2 - w.padding[2]};
  }

  /// The rows [first, last) of tiles: transformed, multiplied with a panel of weights after the other, and transformed
  /// back.
  void run_block(int64_t first, int64_t last, Room& room) const {
    for (int64_t r = first; r < last; ++r) {
      room.strip.load(from_ + r / rows_.down * channels_ * image_.area(), r % rows_.down);
      scheme_.image(room.strip.rows, rows_.across, channels_,
                    room.tiles.data() + (r - first) * rows_.across * rows_.pitch, rows_.pitch, rows_.plane);
    }
    for (int64_t j = 0; j < outputs_; j += panel_) {
      const float* const u = weights_.data() + j / panel_ * kWeightPlanes * weight_step_;
      for (int64_t p = 0; p < rows_.planes; ++p)
        gemm_.block({(last - first) * rows_.across, std::min(panel_, outputs_ - j), channels_,
                     room.tiles.data() + p * rows_.plane, rows_.pitch, 1, u + weight_plane(scheme_, p) * weight_step_,
                     panel_, channels_, room.products.data() + p * product_plane_, panel_, 1, 0});
      for (int64_t r = first; r < last; ++r)
        finite_.data()[r] &= write_row(r, j, room.products.data() + (r - first) * rows_.across * panel_, room);
    }
  }
  /// Row r of tiles of the outputs from j on; is it finite?
  bool write_row(int64_t r, int64_t j, const float* products, const Room& room) const {
    const int64_t y = scheme_.out * (r % rows_.down), height = std::min(scheme_.out, result_.height - y);
    const int64_t width = std::min(panel_, outputs_ - j);
    const bool finite = scheme_.result(products, product_plane_, rows_.across, width, bias_ ? bias_ + j : nullptr,
                                       height, result_.width, room.lines.data());
    gemm_.transpose(height * result_.width, width, room.lines.data(), panel_,
                    to_ + (r / rows_.down * outputs_ + j) * result_.area() + y * result_.width, result_.area());
    return finite;
  }

  const GemmKernels<float>& gemm_ = gemm_table().f32;
  const int64_t panel_ = gemm_.panel;
  const WinogradScheme& scheme_;
  float* to_;
  const float *from_, *bias_;
  int64_t batch_, channels_, outputs_;
  Size image_, result_, padding_;
  Rows rows_;
  int64_t product_plane_, weight_step_;
  Workspace<float> weights_;
  Workspace<bool> finite_;  // rows of tiles
};

/// The gradient of the weight, in parts that are added in order.
class WeightPass {
 public:
  WeightPass(const Conv& c, const float* y, const float* x, bool bias)
      : scheme_(c.windows.stride[1] == 2 ? winograd_table().down : winograd_table().same),
        y_(y),
        x_(x),
        bias_(bias),
        channels_(c.in_channels),
        outputs_(c.out_channels),
        image_(size_of(c.windows.in)),
        result_(size_of(c.windows.out)),
        padding_(size_of(c.windows.padding)),
        rows_(scheme_, c.batch, result_, channels_),
        blocks_(ceil_div(rows_.count, rows_.block)),
        plane_(spread(channels_ * outputs_)),
        area_(kWeightPlanes * plane_),
        part_(ceil_div(blocks_, std::clamp<int64_t>(kPartsRoom / area_, 1, kParts))),
        parts_(ceil_div(blocks_, part_)),
        panel_step_(rows_.block * rows_.across * panel_),
        gradient_plane_(spread(ceil_div(outputs_, panel_) * panel_step_)),
        sums_(parts_ * area_),
        bias_sums_(parts_ * outputs_) {}

  /// Is the gradient of the weight finite?
  bool run(float* w, float* bias) const {
    parallel_for(parts_, 1, [&](int64_t begin, int64_t end) {
      Room room(*this);
      for (int64_t i = begin; i < end; ++i) {
        float beta = 0;
        for (int64_t b = i * part_; b < std::min((i + 1) * part_, blocks_); ++b, beta = 1) add_block(i, b, beta, room);
      }
    });
    if (bias) add_parts(bias, bias_sums_.data(), parts_, outputs_);
    const Workspace<float> taps(channels_ * kTaps * outputs_);
    bool finite = true;
    for (int64_t i = 0; i < channels_; ++i)
      finite &= scheme_.weight_gradient(sums_.data() + i * outputs_, parts_, area_, plane_, outputs_,
                                        taps.data() + i * kTaps * outputs_);
    gemm_.transpose(channels_ * kTaps, outputs_, taps.data(), outputs_, w, channels_ * kTaps);
    return finite;
  }

 private:
  /// The memory of a thread.
  struct Room {
    Workspace<float> tiles, gradients;
    Strip strip, lines;
    explicit Room(const WeightPass& p)
        : tiles(p.rows_.planes * p.rows_.plane),
          gradients(p.rows_.planes * p.gradient_plane_),
          strip(p.scheme_.in, p.scheme_.step, p.image_, p.padding_, p.rows_.columns, p.channels_),
          lines(2, 2, p.result_, {0, 0}, 2 * p.rows_.across, p.outputs_) {}
  };

  /// Adds the products of one block of rows of tiles to part i, or writes them when beta is 0.
  void add_block(int64_t i, int64_t block, float beta, Room& room) const {
    const int64_t first = block * rows_.block, last = std::min(first + rows_.block, rows_.count);
    const int64_t count = (last - first) * rows_.across;
    for (int64_t r = first; r < last; ++r) transform_row(r, (r - first) * rows_.across, room);
    for (int64_t j = 0; bias_ && j < outputs_; j += panel_)
      gemm_.block({1, std::min(panel_, outputs_ - j), count, &one, 0, 0,
                   room.gradients.data() + (scheme_.points + 1) * gradient_plane_ + j / panel_ * panel_step_, panel_, 1,
                   bias_sums_.data() + i * outputs_ + j, outputs_, 1, beta});
    for (int64_t p = 0; p < rows_.planes; ++p) {
      float* const sum = sums_.data() + i * area_ + weight_plane(scheme_, p) * plane_;
      // Planes that share their weights with an earlier one are added to it.
      const bool more = p / scheme_.points == kWinogradWeights || p % scheme_.points == kWinogradWeights;
      for (int64_t j = 0; j < outputs_; j += panel_)
        gemm_.block({channels_, std::min(panel_, outputs_ - j), count, room.tiles.data() + p * rows_.plane, 1,
                     rows_.pitch, room.gradients.data() + p * gradient_plane_ + j / panel_ * panel_step_, panel_, 1,
                     sum + j, outputs_, 1, more ? 1 : beta});
    }
  }
  /// Row r of tiles, the first of which is number `at` of its block.
  void transform_row(int64_t r, int64_t at, Room& room) const {
    const int64_t n = r / rows_.down;
    room.strip.load(x_ + n * channels_ * image_.area(), r % rows_.down);
    scheme_.image(room.strip.rows, rows_.across, channels_, room.tiles.data() + at * rows_.pitch, rows_.pitch,
                  rows_.plane);
    room.lines.load(y_ + n * outputs_ * result_.area(), r % rows_.down);
    scheme_.gradient(room.lines.rows, rows_.across, outputs_, room.gradients.data() + at * panel_, panel_step_,
                     gradient_plane_);
  }

  const GemmKernels<float>& gemm_ = gemm_table().f32;
  const int64_t panel_ = gemm_.panel;
  const WinogradScheme& scheme_;
  const float *y_, *x_;
  bool bias_;
  int64_t channels_, outputs_;
  Size image_, result_, padding_;
  Rows rows_;
  int64_t blocks_, plane_, area_;  // blocks of rows; elements of a plane of sums, and of all planes
  int64_t part_, parts_, panel_step_, gradient_plane_;
  Workspace<float> sums_, bias_sums_;
};

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
  ImagePass(c, turned, to, from, w, bias).run(again);
}

bool winograd_weight(const Conv& c, float* w, const float* y, const float* x, float* bias) {
  if (c.in_channels * c.out_channels > kSums) return false;
  return WeightPass(c, y, x, bias != nullptr).run(w, bias);
}

}  // namespace taut::kernels
