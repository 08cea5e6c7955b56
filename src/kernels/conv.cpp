// Convolution as matrix products whose patches are packed tile by tile from slabs (kernels/slab.h), straight into the
// panels of the gemm kernels: the matrix of all patches never exists.
#include "kernels/conv.h"

#include <cstring>

#include "core/dry.h"
#include "kernels/conv_parts.h"
#include "kernels/stem.h"
#include "kernels/winograd.h"

namespace taut::kernels {
namespace {

// ---- forward

/// Rows of patches per block: whole channels where they fit.
int64_t block_depth(int64_t taps, int64_t depth) {
  depth = std::max<int64_t>(depth, 1);
  return taps <= kDepth ? even_part(depth, kDepth / taps * taps, taps) : even_part(depth, kDepth);
}

/// c [m, n] = column vector [m] repeated.
template <class T>
void repeat_column(T* c, int64_t row, int64_t m, int64_t n, const T* column) {
  for (int64_t i = 0; i < m; ++i) std::fill_n(c + i * row, n, column[i]);
}

/// A matrix [m, k] whose rows are `row` apart and whose columns are `col` apart.
template <class T>
struct Factor {
  const T* data;
  int64_t row, col;
};

/// For each group y [m, outputs] = a [m, channels * taps] * patches of x [channels] + bias, where m = out_channels.
template <class T>
class PatchProduct {
 public:
  PatchProduct(const Conv& c, T* y, const T* x, Factor<T> a, int64_t a_group, const T* bias)
      : c_(c),
        w_(c.windows),
        y_(y),
        x_(x),
        a_(a),
        a_group_(a_group),
        bias_(bias),
        taps_(w_.taps()),
        k_(c.in_channels * taps_),
        m_(c.out_channels),
        outputs_(w_.outputs()),
        inputs_(w_.inputs()),
        pointwise_(w_.pointwise()),
        with_ones_(bias && !pointwise_ && worth_a_copy(c)),
        depth_(pointwise_ ? even_part(std::max<int64_t>(k_, 1), kDepth) : block_depth(taps_, k_)),
        together_(images_together(c.batch, outputs_)),
        columns_(even_part(together_ * outputs_, kTile, gemm_.panel)),
        weight_row_(spread(k_ + with_ones_)),
        weights_(copies_weights() ? c.groups * m_ * weight_row_ : 0) {
    if (!copies_weights()) return;
    for (int64_t i = 0; i < c.groups * m_; ++i) {
      T* to = weights_.data() + i * weight_row_;
      const T* from = a.data + i / m_ * a_group + i % m_ * a.row;
      if (a.col == 1) std::copy_n(from, k_, to);
      else
        for (int64_t p = 0; p < k_; ++p) to[p] = from[p * a.col];
      if (with_ones_) to[k_] = bias[i];
    }
    a_ = {weights_.data(), weight_row_, 1};
    a_group_ = m_ * weight_row_;
  }

  void run() const {
    const int64_t tiles = together_ > 1 ? 1 : ceil_div(outputs_, columns_), blocks = ceil_div(c_.batch, together_);
    const int64_t tasks = blocks * c_.groups * tiles;
    const auto tile = [&](int64_t task) {
      const int64_t image = task / tiles / c_.groups * together_, p0 = task % tiles * columns_;
      return Tile{task / tiles % c_.groups, image, std::min(together_, c_.batch - image), p0,
                  std::min(together_ > 1 ? outputs_ : columns_, outputs_ - p0)};
    };
    if (tasks >= kEnoughTasks || m_ < 56 || k_ * columns_ * m_ < 4 * kTaskWork)
      return run_tasks(tasks, m_ * columns_ * k_, [&](int64_t begin, int64_t end) {
        const Workspace<T> packed((depth_ + 1) * columns_);
        for (int64_t task = begin; task < end; ++task) multiply(tile(task), packed.data());
      });
    // Few tiles: each block is packed by all threads, and its rows are shared out.
    const Workspace<T> packed((depth_ + 1) * columns_);
    const int64_t part = even_part(m_, std::max<int64_t>(28, ceil_div(m_, kEnoughTasks)));
    for (int64_t task = 0; task < tasks; ++task) {
      const Tile t = tile(task);
      Rows rows(*this, t);
      for (int64_t k0 = 0; k0 < k_; k0 += depth_) {
        pack_together(t, k0, packed.data());
        parallel_for(m_, part, [&](int64_t begin, int64_t end) {
          rows.add(k0, packed.data(), 0, t.columns(), begin, end - begin);
        });
      }
      rows.finish();
    }
  }

 private:
  /// Windows [begin, begin + windows) of some images of one group.
  struct Tile {
    int64_t group, image, images, begin, windows;
    int64_t columns() const { return images * windows; }
  };

  /// The rows of a tile of the result. With several images they are gathered first, and then sent to each.
  class Rows {
   public:
    Rows(const PatchProduct& p, const Tile& t) : p_(p), t_(t), gathered_(t.images > 1 ? p.m_ * t.columns() : 0) {
      to_ = t.images > 1 ? gathered_.data() : p.result(t, 0, 0);
      step_ = t.images > 1 ? t.columns() : p.outputs_;
      if (p.bias_ && !p.with_ones_) {
        repeat_column(to_, step_, p.m_, t.columns(), p.bias_ + t.group * p.m_);
        beta_ = 1;
      }
    }
    /// Adds the product of some rows with the columns [begin, end) of the packed rows k0 and following.
    void add(int64_t k0, const T* packed, int64_t begin, int64_t end, int64_t first, int64_t count) const {
      const int64_t depth = p_.depth_at(k0);
      p_.gemm_.block({count, end - begin, depth, factor(k0) + first * p_.a_.row, p_.a_.row, p_.a_.col, packed,
                      p_.gemm_.panel, depth, to_ + first * step_ + begin, step_, T(1), beta(k0)});
    }
    /// The same for all rows and columns, with rows of b that are `row` apart instead of packed.
    void add_plain(int64_t k0, const T* b, int64_t row) const {
      p_.gemm_.block({p_.m_, t_.columns(), p_.depth_at(k0), factor(k0), p_.a_.row, p_.a_.col, b, row, 1, to_, step_,
                      T(1), beta(k0)});
    }
    void finish() const {
      if (p_.k_ == 0 && !p_.bias_)
        for (int64_t i = 0; i < p_.m_; ++i) std::fill_n(to_ + i * step_, t_.columns(), T(0));
      for (int64_t n = 0; t_.images > 1 && n < t_.images; ++n)
        for (int64_t i = 0; i < p_.m_; ++i)
          std::copy_n(to_ + i * step_ + n * t_.windows, t_.windows, p_.result(t_, n, i));
    }

   private:
    const T* factor(int64_t k0) const { return p_.a_.data + t_.group * p_.a_group_ + k0 * p_.a_.col; }
    T beta(int64_t k0) const { return k0 > 0 ? T(1) : beta_; }
    const PatchProduct& p_;
    const Tile& t_;
    Workspace<T> gathered_;
    T* to_;
    int64_t step_;
    T beta_ = 0;
  };

  T* result(const Tile& t, int64_t n, int64_t row) const {
    return y_ + (((t.image + n) * c_.groups + t.group) * m_ + row) * outputs_ + t.begin;
  }
  const T* image(const Tile& t, int64_t n, int64_t channel) const {
    return x_ + (((t.image + n) * c_.groups + t.group) * c_.in_channels + channel) * inputs_;
  }
  /// Enough columns that a copy of the weights costs little.
  static bool worth_a_copy(const Conv& c) { return c.batch * c.windows.outputs() >= 256; }
  /// With a bias the copy has it as one more column, which a row of ones multiplies. Rows that are a multiple of 2 KiB
  /// apart share a few sets of the L1 cache and evict each other.
  bool copies_weights() const {
    return with_ones_ || (worth_a_copy(c_) && m_ > 8 && (a_.col != 1 || a_.row * int64_t{sizeof(T)} % 2048 == 0));
  }

  bool last(int64_t k0) const { return k0 + depth_ >= k_; }
  /// Rows of the block at k0; the last one has that of ones too.
  int64_t depth_at(int64_t k0) const { return std::min(depth_, k_ - k0) + ones_at(k0); }
  int64_t ones_at(int64_t k0) const { return with_ones_ && last(k0); }
  int64_t channels_at(int64_t k0) const { return ceil_div(std::min(k0 + depth_, k_), taps_) - k0 / taps_; }

  void fill_ones(int64_t k0, int64_t columns, T* packed) const {
    const int64_t height = depth_at(k0), panel = gemm_.panel;
    for (int64_t j = 0; ones_at(k0) && j < columns; j += panel)
      std::fill_n(packed + j * height + (height - 1) * panel, panel, T(1));
  }

  /// Slabs of the channels that a block of k reads, for all images of a tile.
  struct Patches {
    Slab slab;
    int64_t step;
    Workspace<T> buffer;
    Workspace<SlabSegment> segments;
    Workspace<int64_t> taps;
    Patches(const PatchProduct& p, const Tile& t)
        : slab(p.w_, t.begin, t.begin + t.windows),
          step((p.taps_ <= kDepth ? ceil_div(p.depth_, p.taps_) : 2) * slab.channel()),
          buffer(t.images * step + 2 * kSlabSlack),
          segments(t.images * slab.most_segments(t.windows)),
          taps(p.depth_) {
      stacked_segments(slab, t.begin, t.begin + t.windows, t.images, step, segments.data());
    }
    T* room() const { return buffer.data() + kSlabSlack; }
    void fill(const PatchProduct& p, const Tile& t, int64_t k0) const {
      for (int64_t n = 0; n < t.images; ++n)
        slab.fill(room() + n * step, p.image(t, n, k0 / p.taps_), p.channels_at(k0));
      slab.taps(k0, std::min(k0 + p.depth_, p.k_), taps.data());
    }
    void pack(const PatchProduct& p, int64_t k0, int64_t begin, int64_t end, T* packed) const {
      p.kernels_.pack(room(), taps.data(), p.depth_at(k0) - p.ones_at(k0), segments.data(), begin, end, p.depth_at(k0),
                      packed);
      p.fill_ones(k0, end - begin, packed);
    }
  };

  /// All panels of the block at k0, of a convolution with windows of one element.
  void pack_pointwise(const Tile& t, int64_t k0, T* packed) const {
    if (t.images == 1) return gemm_.pack(depth_at(k0), t.columns(), image(t, 0, k0) + t.begin, inputs_, 1, packed);
    const Workspace<T> rows(depth_at(k0) * t.columns());
    gather(t, k0, rows.data());
    gemm_.pack(depth_at(k0), t.columns(), rows.data(), t.columns(), 1, packed);
  }
  /// All panels of the block at k0, by several threads.
  void pack_together(const Tile& t, int64_t k0, T* packed) const {
    if (pointwise_) return pack_pointwise(t, k0, packed);
    const Patches patches(*this, t);
    patches.fill(*this, t, k0);
    parallel_for(t.columns(), 4 * gemm_.panel, [&](int64_t begin, int64_t end) {
      patches.pack(*this, k0, begin, end, packed + begin * depth_at(k0));
    });
  }
  /// Rows of several images side by side.
  void gather(const Tile& t, int64_t k0, T* rows) const {
    gather_rows(rows, t.columns(), image(t, 0, k0), inputs_, c_.groups * c_.in_channels * inputs_, t.images,
                depth_at(k0), t.windows);
  }

  void multiply(const Tile& t, T* packed) const {
    const Rows rows(*this, t);
    if (pointwise_) {
      for (int64_t k0 = 0; k0 < k_; k0 += depth_) {
        if (m_ >= 48) {  // packing pays when many rows read the panels
          pack_pointwise(t, k0, packed);
          rows.add(k0, packed, 0, t.columns(), 0, m_);
        } else if (t.images == 1) {
          rows.add_plain(k0, image(t, 0, k0) + t.begin, inputs_);
        } else {
          gather(t, k0, packed);
          rows.add_plain(k0, packed, t.columns());
        }
      }
      return rows.finish();
    }
    const Patches patches(*this, t);
    for (int64_t k0 = 0; k0 < k_; k0 += depth_) {
      patches.fill(*this, t, k0);
      for (int64_t j = 0; j < t.columns(); j += gemm_.panel) {  // each panel is read while it is in the cache
        const int64_t end = std::min(j + gemm_.panel, t.columns());
        patches.pack(*this, k0, j, end, packed);
        rows.add(k0, packed, j, end, 0, m_);
      }
    }
    rows.finish();
  }

  const GemmKernels<T>& gemm_ = gemm_kernels<T>();
  const ConvKernels<T>& kernels_ = conv_kernels<T>();
  const Conv& c_;
  const Windows& w_;
  T* y_;
  const T* x_;
  Factor<T> a_;
  int64_t a_group_;
  const T* bias_;
  int64_t taps_, k_, m_, outputs_, inputs_;
  bool pointwise_, with_ones_;
  int64_t depth_, together_, columns_, weight_row_;
  Workspace<T> weights_;
};

// ---- the gradient of the images

/// With stride 1 it is a convolution of y with the weights turned around.
template <class T>
void turned_product(const Conv& c, T* x, const T* y, const T* w, const T* bias) {
  const int64_t taps = c.windows.taps(), k = c.out_channels * taps;
  Conv turned = c;
  std::swap(turned.in_channels, turned.out_channels);
  for (int d = 0; d < 3; ++d) {
    std::swap(turned.windows.in[d], turned.windows.out[d]);
    turned.windows.padding[d] = c.windows.dilation[d] * (c.windows.kernel[d] - 1) - c.windows.padding[d];
  }
  const Workspace<T> weights(c.groups * c.in_channels * k);
  constexpr int64_t kStrip = 16;  // of y's channels: few pages at a time
  const int64_t strips = ceil_div(c.out_channels, kStrip);
  parallel_for(c.groups * strips, std::max<int64_t>(1, (1 << 14) / (kStrip * c.in_channels * taps)),
               [&](int64_t begin, int64_t end) {
                 for (int64_t s = begin; s < end; ++s) {
                   const int64_t g = s / strips, m0 = s % strips * kStrip, m1 = std::min(m0 + kStrip, c.out_channels);
                   for (int64_t i = 0; i < c.in_channels; ++i)
                     for (int64_t m = m0; m < m1; ++m) {
                       const T* from = w + ((g * c.out_channels + m) * c.in_channels + i) * taps;
                       std::reverse_copy(from, from + taps, weights.data() + (g * c.in_channels + i) * k + m * taps);
                     }
                 }
               });
  PatchProduct<T>(turned, x, y, {weights.data(), k, 1}, c.in_channels * k, bias).run();
}

/// Not for so many weights that a copy of them would go through memory.
bool turns(const Conv& c) {
  const Windows& w = c.windows;
  return w.stride[0] == 1 && w.stride[1] == 1 && w.stride[2] == 1 &&
         c.groups * c.in_channels * c.out_channels * w.taps() <= 1 << 20;
}

template <class F>
void visit(ScalarType type, F f) {
  if (type == kDouble) f(double{});
  else f(float{});
}

bool empty(const Conv& c) { return c.batch == 0 || c.groups == 0; }

/// Runs direct(conv, to, from) for all images, or Winograd's way where it fits.
template <class T, class F>
void each_image(const Conv& c, bool turned, T* to, const T* from, const T* w, const T* bias, F direct) {
  if constexpr (std::is_same_v<T, float>) {
    const auto again = [&](int64_t n) {
      Conv one = c;
      one.batch = 1;
      const int64_t x = n * c.in_channels * c.windows.inputs(), y = n * c.out_channels * c.windows.outputs();
      direct(one, to + (turned ? x : y), from + (turned ? y : x));
    };
    if (winograd_fits(c, turned)) return winograd_images(c, turned, to, from, w, bias, again);
    if (!turned && stem_fits(c)) return stem_images(c, to, from, w, bias, again);
  }
  direct(c, to, from);
}

}  // namespace

void conv_forward(ScalarType type, const Conv& conv, void* y, const void* x, const void* w, const void* bias) {
  if (dry) return;
  if (empty(conv) || conv.out_channels == 0 || conv.windows.outputs() == 0) return;
  visit(type, [&](auto zero) {
    using T = decltype(zero);
    const auto *xs = static_cast<const T*>(x), *ws = static_cast<const T*>(w), *b = static_cast<const T*>(bias);
    const int64_t k = conv.in_channels * conv.windows.taps();
    if (is_depthwise(conv)) depthwise_forward(conv, static_cast<T*>(y), xs, ws, b);
    else
      each_image(conv, false, static_cast<T*>(y), xs, ws, b, [&](const Conv& c, T* to, const T* from) {
        PatchProduct<T>(c, to, from, {ws, k, 1}, c.out_channels * k, b).run();
      });
  });
}

void conv_input(ScalarType type, const Conv& conv, void* x, const void* y, const void* w, const void* bias) {
  if (dry) return;
  if (empty(conv) || conv.in_channels == 0 || conv.windows.inputs() == 0) return;
  visit(type, [&](auto zero) {
    using T = decltype(zero);
    T* const xs = static_cast<T*>(x);
    const auto *ys = static_cast<const T*>(y), *ws = static_cast<const T*>(w), *b = static_cast<const T*>(bias);
    const int64_t k = conv.in_channels * conv.windows.taps();
    if (conv.out_channels == 0 || conv.windows.outputs() == 0) {
      const int64_t inputs = conv.windows.inputs(), channels = conv.groups * conv.in_channels;
      for (int64_t i = 0; i < conv.batch * channels; ++i)
        std::fill_n(xs + i * inputs, inputs, b ? b[i % channels] : T(0));
    } else if (conv.windows.pointwise()) {
      Conv turned = conv;
      std::swap(turned.in_channels, turned.out_channels);
      PatchProduct<T>(turned, xs, ys, {ws, 1, k}, conv.out_channels * k, b).run();
    } else if (is_depthwise(conv)) {
      depthwise_input(conv, xs, ys, ws, b);
    } else {
      each_image(conv, true, xs, ys, ws, b, [&](const Conv& c, T* to, const T* from) {
        if (turns(c)) turned_product(c, to, from, ws, b);
        else scatter_patches(c, to, from, ws, b);
      });
    }
  });
}

void conv_weight(ScalarType type, const Conv& conv, void* w, const void* y, const void* x, void* bias) {
  if (dry) return;
  const int64_t count = conv.groups * conv.out_channels * conv.in_channels * conv.windows.taps();
  if (count == 0) return;
  if (empty(conv) || conv.windows.outputs() == 0 || conv.windows.inputs() == 0)
    return void(std::memset(w, 0, static_cast<size_t>(count * element_size(type))));
  visit(type, [&](auto zero) {
    using T = decltype(zero);
    const auto *ys = static_cast<const T*>(y), *xs = static_cast<const T*>(x);
    T* const b = static_cast<T*>(bias);
    if constexpr (std::is_same_v<T, float>) {
      if (winograd_fits(conv) && winograd_weight(conv, static_cast<T*>(w), ys, xs, b)) return;
      if (stem_fits(conv) && stem_weight(conv, static_cast<T*>(w), ys, xs, b)) return;
    }
    if (is_depthwise(conv)) depthwise_weight(conv, static_cast<T*>(w), ys, xs, b);
    else correlate_patches(conv, static_cast<T*>(w), ys, xs, b);
  });
}

}  // namespace taut::kernels
