// Convolution as matrix products whose patches are packed tile by tile from slabs (kernels/slab.h), straight into the
// panels of the gemm kernels: the matrix of all patches never exists. Depthwise convolutions take windows directly.
#include "kernels/conv.h"

#include <cstring>

#include "core/parallel.h"
#include "kernels/isa/gemm.h"
#include "kernels/stem.h"
#include "kernels/winograd.h"

namespace taut::kernels {
namespace {

// Sizes of tiles do not change a result, except kDepth, and kTile and the parts in conv_weight.
constexpr int64_t kDepth = 256;             // rows of patches in a block
constexpr int64_t kTile = 256;              // columns of patches in a tile
constexpr int64_t kLongTile = 1024;         // the same where dot products run along it
constexpr int64_t kRows = 252;              // rows of a result that are computed together
constexpr int64_t kCachedWeight = 1 << 17;  // elements of a weight that stay in the L2 cache beside a tile
constexpr int64_t kEnoughTasks = 8;         // fewer are split further
constexpr int64_t kTaskWork = 1 << 18;      // multiply-adds that are worth a task of their own

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }
/// The smallest size that still makes ceil(total / most) parts, in multiples of `unit`.
int64_t even_part(int64_t total, int64_t most, int64_t unit = 1) {
  return ceil_div(ceil_div(total, ceil_div(total, most)), unit) * unit;
}

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
int64_t spread(int64_t n) { return (ceil_div(n, 16) | 1) * 16; }

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

// ---- one filter per channel

bool depthwise(const Conv& c) { return c.in_channels == 1 && c.groups > 1 && c.out_channels <= 4; }

template <class T>
void depthwise_forward(const Conv& c, T* y, const T* x, const T* w, const T* bias) {
  const auto& kernels = conv_kernels<T>();
  const Slab slab(c.windows);
  const int64_t taps = c.windows.taps(), outputs = c.windows.outputs(), inputs = c.windows.inputs();
  const SlabGrid grid = slab.grid();
  const Offsets offsets(taps);
  slab.taps(0, taps, offsets.data());
  run_tasks(c.batch * c.groups, outputs * (taps + 8) * c.out_channels / 4, [&](int64_t begin, int64_t end) {
    const Workspace<T> buffer(slab.room(1));
    T* const room = buffer.data() + kSlabSlack;
    for (int64_t i = begin; i < end; ++i) {
      slab.fill(room, x + i * inputs, 1);
      for (int64_t m = 0; m < c.out_channels; ++m) {
        const int64_t channel = i % c.groups * c.out_channels + m;
        kernels.filter(grid, room, offsets.data(), taps, w + channel * taps, bias ? bias[channel] : T(0),
                       y + (i * c.out_channels + m) * outputs);
      }
    }
  });
}

/// The elements i = first + q * stride of an image along one dimension, q < count, and the taps that reach them from
/// result q + shift.
struct Phase {
  int64_t first, count;
  std::vector<int64_t> tap, shift;
};
std::vector<Phase> phases_of(const Windows& w, int d) {
  std::vector<Phase> list;
  for (int64_t r = 0; r < std::min(w.stride[d], w.in[d]); ++r) {
    Phase p{r, (w.in[d] - r + w.stride[d] - 1) / w.stride[d], {}, {}};
    for (int64_t k = 0; k < w.kernel[d]; ++k) {
      const int64_t distance = r + w.padding[d] - k * w.dilation[d];
      if (distance % w.stride[d] == 0) p.tap.push_back(k), p.shift.push_back(distance / w.stride[d]);
    }
    list.push_back(p);
  }
  return list;
}

/// Elements with the same remainder modulo the stride are reached by the same taps: each kind is a filter of stride 1.
template <class T>
void depthwise_input(const Conv& c, T* x, const T* y, const T* w, const T* bias) {
  const auto& kernels = conv_kernels<T>();
  const Windows& win = c.windows;
  const int64_t taps = win.taps(), outputs = win.outputs(), inputs = win.inputs();
  const std::vector<Phase> phases[3] = {phases_of(win, 0), phases_of(win, 1), phases_of(win, 2)};
  Windows around = {};  // a window that covers all shifts
  for (int d = 0; d < 3; ++d) {
    int64_t least = 0, most = 0, count = 1;
    for (const Phase& p : phases[d]) {
      count = std::max(count, p.count);
      for (int64_t s : p.shift) least = std::min(least, s), most = std::max(most, s);
    }
    around.in[d] = win.out[d];
    around.out[d] = count;
    around.kernel[d] = most - least + 1;
    around.stride[d] = around.dilation[d] = 1;
    around.padding[d] = -least;
  }
  const Slab slab(around);
  const Offsets places(around.taps());
  slab.taps(0, around.taps(), places.data());
  struct Kind {
    int64_t first;
    SlabGrid grid;
    std::vector<int64_t> tap, offset;
  };
  std::vector<Kind> kinds;
  for (const Phase& z : phases[0])
    for (const Phase& v : phases[1])
      for (const Phase& u : phases[2]) {
        Kind kind{(z.first * win.in[1] + v.first) * win.in[2] + u.first, slab.grid(), {}, {}};
        kind.grid.depth = z.count, kind.grid.height = v.count, kind.grid.width = u.count;
        for (size_t i = 0; i < z.tap.size(); ++i)
          for (size_t j = 0; j < v.tap.size(); ++j)
            for (size_t k = 0; k < u.tap.size(); ++k) {
              kind.tap.push_back((z.tap[i] * win.kernel[1] + v.tap[j]) * win.kernel[2] + u.tap[k]);
              kind.offset.push_back(
                  places.data()[((z.shift[i] + around.padding[0]) * around.kernel[1] + v.shift[j] + around.padding[1]) *
                                    around.kernel[2] +
                                u.shift[k] + around.padding[2]]);
            }
        kinds.push_back(kind);
      }
  const bool whole = kinds.size() == 1 && c.out_channels == 1;  // then the filter writes the image itself
  run_tasks(c.batch * c.groups, outputs * (taps + 8) * c.out_channels / 4, [&](int64_t begin, int64_t end) {
    const Workspace<T> buffer(slab.room(c.out_channels)), weights(taps * c.out_channels), part(inputs);
    const Offsets offsets(taps * c.out_channels);
    T* const room = buffer.data() + kSlabSlack;
    for (int64_t i = begin; i < end; ++i) {
      const int64_t g = i % c.groups;
      slab.fill(room, y + i * c.out_channels * outputs, c.out_channels);
      for (const Kind& kind : kinds) {
        int64_t n = 0;
        for (int64_t m = 0; m < c.out_channels; ++m)
          for (size_t k = 0; k < kind.tap.size(); ++k, ++n) {
            weights.data()[n] = w[(g * c.out_channels + m) * taps + kind.tap[k]];
            offsets.data()[n] = m * slab.channel() + kind.offset[k];
          }
        T* const to = x + i * inputs;
        kernels.filter(kind.grid, room, offsets.data(), n, weights.data(), bias ? bias[g] : T(0),
                       whole ? to : part.data());
        if (whole) continue;
        const T* from = part.data();
        for (int64_t z = 0; z < kind.grid.depth; ++z)
          for (int64_t v = 0; v < kind.grid.height; ++v, from += kind.grid.width) {
            T* row = to + kind.first + (z * win.stride[0] * win.in[1] + v * win.stride[1]) * win.in[2];
            if (win.stride[2] == 2)
              for (int64_t u = 0; u < kind.grid.width; ++u) row[2 * u] = from[u];
            else
              for (int64_t u = 0; u < kind.grid.width; ++u) row[u * win.stride[2]] = from[u];
          }
      }
    }
  });
}

template <class T>
void depthwise_weight(const Conv& c, T* w, const T* y, const T* x, T* bias) {
  const auto& kernels = conv_kernels<T>();
  const Slab slab(c.windows);
  const int64_t taps = c.windows.taps(), outputs = c.windows.outputs(), inputs = c.windows.inputs();
  const SlabGrid grid = slab.grid();
  const Offsets offsets(taps);
  slab.taps(0, taps, offsets.data());
  std::fill_n(w, c.groups * c.out_channels * taps, T(0));
  if (bias) std::fill_n(bias, c.groups * c.out_channels, T(0));
  const Workspace<T> ones(bias ? outputs : 0);
  if (bias) std::fill_n(ones.data(), outputs, T(1));
  run_tasks(c.groups, c.batch * outputs * (taps + 8) * c.out_channels / 4, [&](int64_t begin, int64_t end) {
    const Workspace<T> buffer(slab.room(1));
    T* const room = buffer.data() + kSlabSlack;
    for (int64_t g = begin; g < end; ++g)
      for (int64_t n = 0; n < c.batch; ++n) {
        slab.fill(room, x + (n * c.groups + g) * inputs, 1);
        for (int64_t m = 0; m < c.out_channels; ++m) {
          const int64_t channel = g * c.out_channels + m;
          const T* const of = y + (n * c.groups * c.out_channels + channel) * outputs;
          kernels.correlate(grid, room, offsets.data(), taps, of, w + channel * taps);
          if (bias) bias[channel] += gemm_kernels<T>().dot(outputs, of, ones.data());
        }
      }
  });
}

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

/// The windows [begin, end) of `images` slabs that lie `step` apart, one after the other.
int64_t stacked_segments(const Slab& slab, int64_t begin, int64_t end, int64_t images, int64_t step, SlabSegment* to) {
  int64_t count = slab.segments(begin, end, to);
  for (int64_t i = 1, n = count; i < images; ++i)
    for (int64_t j = 0; j < n; ++j, ++count)
      to[count] = {to[j].column + i * (end - begin), to[j].count, to[j].offset + i * step};
  return count;
}

/// How many images go into one tile: small ones would leave lanes unused.
int64_t images_together(int64_t batch, int64_t outputs) {
  return outputs > kTile / 2 ? 1 : std::clamp<int64_t>(kTile / outputs, 1, batch);
}

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

/// Products w^T y give every patch of the gradient; they are added up in slabs, each by one owner.
template <class T>
void scatter_patches(const Conv& c, T* x, const T* y, const T* w, const T* bias) {
  const auto& gemm = gemm_kernels<T>();
  const auto& kernels = conv_kernels<T>();
  const Windows& win = c.windows;
  const int64_t taps = win.taps(), k = c.in_channels * taps, m = c.out_channels;
  const int64_t outputs = win.outputs(), inputs = win.inputs();
  const Slab slab(win);
  const int64_t together = images_together(c.batch, outputs), blocks = ceil_div(c.batch, together);
  const int64_t columns = together > 1 ? together * outputs : even_part(outputs, kTile, gemm.panel);
  // A task owns some images, and some channels of them: all, unless the weight would not stay in the cache or there are
  // few images.
  int64_t channels = k * m > kCachedWeight ? std::clamp<int64_t>(kRows / taps, 1, c.in_channels) : c.in_channels;
  channels = std::min(channels, ceil_div(c.in_channels, std::max<int64_t>(1, kEnoughTasks / 2 / (c.groups * blocks))));
  const int64_t parts = ceil_div(c.in_channels, channels);
  const int64_t chunks = std::clamp<int64_t>(ceil_div(2 * kEnoughTasks, c.groups * parts), 1, blocks);
  const int64_t chunk = ceil_div(blocks, chunks), pitch = spread(columns), weight_row = spread(m);
  const int64_t rows = even_part(channels * taps, kRows), depth = std::min(m, kDepth);
  run_tasks(
      c.groups * parts * chunks, channels * taps * outputs * m * chunk * together, [&](int64_t begin, int64_t end) {
        const Workspace<T> buffer(slab.room(channels * together)), product(rows * pitch),
            weights(channels * taps * weight_row), packed(m * ceil_div(columns, gemm.panel) * gemm.panel),
            gathered(together > 1 ? depth * columns : 0);
        const Offsets offsets(channels * taps);
        const Workspace<SlabSegment> segments(together * slab.most_segments(columns));
        slab.taps(0, channels * taps, offsets.data());
        T* const room = buffer.data() + kSlabSlack;
        for (int64_t task = begin; task < end; ++task) {
          const int64_t g = task % c.groups, c0 = task / c.groups % parts * channels,
                        first = task / c.groups / parts * chunk;
          const int64_t n = std::min(channels, c.in_channels - c0), step = n * slab.channel();
          if (n <= 0 || first >= blocks) continue;
          gemm.transpose(m, n * taps, w + g * m * k + c0 * taps, k, weights.data(), weight_row);
          for (int64_t b = first; b < std::min(first + chunk, blocks); ++b) {
            const int64_t image = b * together, images = std::min(together, c.batch - image);
            const T* const from = y + (image * c.groups + g) * m * outputs;
            std::fill_n(room, images * step, T(0));
            for (int64_t p0 = 0; p0 < outputs; p0 += columns) {
              const int64_t windows = std::min(columns, outputs - p0), cols = images * windows;
              const int64_t wide = ceil_div(cols, gemm.panel) * gemm.panel;
              const int64_t count = stacked_segments(slab, p0, p0 + windows, images, step, segments.data());
              for (int64_t k0 = 0; k0 < m; k0 += depth) {
                const int64_t d = std::min(depth, m - k0);
                const T* source = from + k0 * outputs + p0;
                if (images > 1)
                  gather_rows(gathered.data(), cols, source, outputs, c.groups * m * outputs, images, d, windows);
                gemm.pack(d, cols, images > 1 ? gathered.data() : source, images > 1 ? cols : outputs, 1,
                          packed.data() + k0 * wide);
              }
              for (int64_t i = 0; i < n * taps; i += rows) {
                const int64_t r = std::min(rows, n * taps - i);
                for (int64_t k0 = 0; k0 < m; k0 += depth) {
                  const int64_t d = std::min(depth, m - k0);
                  gemm.block({r, cols, d, weights.data() + i * weight_row + k0, weight_row, 1,
                              packed.data() + k0 * wide, gemm.panel, d, product.data(), pitch, T(1), k0 ? T(1) : T(0)});
                }
                kernels.add_rows(room, offsets.data() + i, r, segments.data(), count, pitch, product.data());
              }
            }
            for (int64_t i = 0; i < images; ++i) {
              T* const to = x + (((image + i) * c.groups + g) * c.in_channels + c0) * inputs;
              slab.read(to, room + i * step, n);
              if (bias)
                for (int64_t j = 0; j < n; ++j)
                  for (int64_t p = 0; p < inputs; ++p) to[j * inputs + p] += bias[g * c.in_channels + c0 + j];
            }
          }
        }
      });
}

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

// ---- the gradient of the weight

/// Tiles of patches times tiles of y, summed in a fixed number of parts that are added in order.
template <class T>
void correlate_patches(const Conv& c, T* w, const T* y, const T* x, T* bias) {
  const auto& gemm = gemm_kernels<T>();
  const auto& kernels = conv_kernels<T>();
  const Windows& win = c.windows;
  const int64_t taps = win.taps(), k = c.in_channels * taps, m = c.out_channels;
  const int64_t outputs = win.outputs(), inputs = win.inputs();
  const bool pointwise = win.pointwise();
  // Vectors run along positions (both operands as they are), along channels of y, or along rows of patches: what has to
  // be transposed for it should be little. The first and the last give the gradient as it lies, [m, k].
  const int64_t positions = c.batch * outputs;
  const bool dots = std::min(k, m) < 16, flip = !dots && k * positions < m * positions + k * m, upright = dots || flip;
  const int64_t together = images_together(c.batch, outputs), blocks = ceil_div(c.batch, together);
  const int64_t columns = together > 1 ? together * outputs : even_part(outputs, dots ? kLongTile : kTile);
  const int64_t tiles = together > 1 ? 1 : ceil_div(outputs, columns), all = blocks * tiles, pitch = spread(columns);
  // A task owns some rows and columns of the gradient, and a part of the tiles.
  const int64_t rows = taps <= kRows ? even_part(c.in_channels, kRows / taps) * taps : even_part(k, kRows);
  const int64_t width = even_part(m, upright ? kRows : 2 * kTile, upright ? 1 : gemm.panel);
  const int64_t down = ceil_div(k, rows), across = ceil_div(m, width), owners = c.groups * down * across;
  const bool whole = owners >= kEnoughTasks || owners * all * rows * width * columns < 4 * kTaskWork;
  const int64_t part = whole ? all : ceil_div(all, ceil_div(kEnoughTasks, owners)), parts = ceil_div(all, part);
  const int64_t area = c.groups * k * m;
  const bool direct = upright && parts == 1;
  const bool alias = outputs * int64_t{sizeof(T)} % 2048 == 0;  // rows of y would evict each other
  const int64_t channels = c.groups * m;
  const Workspace<T> sums(direct ? 0 : parts * area), bias_sums(bias ? parts * channels : 0), ones(bias ? columns : 0);
  if (bias) std::fill_n(ones.data(), columns, T(1));
  run_tasks(owners * parts, part * rows * width * columns, [&](int64_t begin, int64_t end) {
    const int64_t most = std::max(rows, width);
    const Workspace<T> patches(rows * pitch), gathered(together > 1 || alias ? width * pitch : 0),
        packed(dots ? 0 : ceil_div(most, gemm.panel) * gemm.panel * columns);
    const Offsets offsets(rows);
    const Workspace<SlabSegment> segments(together * (columns / win.out[2] + 2));
    for (int64_t task = begin; task < end; ++task) {
      const int64_t piece = task / owners, owner = task % owners;
      const int64_t j0 = owner % across * width, i0 = owner / across % down * rows, g = owner / across / down;
      const int64_t n = std::min(width, m - j0), r = std::min(rows, k - i0);
      const int64_t c0 = i0 / taps, planes = ceil_div(i0 + r, taps) - c0;
      T* const sum = (direct ? w : sums.data() + piece * area) + g * k * m + (upright ? j0 * k + i0 : i0 * m + j0);
      T beta = 0;
      for (int64_t t = piece * part; t < std::min(all, (piece + 1) * part); ++t, beta = 1) {
        const int64_t image = t / tiles * together, images = std::min(together, c.batch - image);
        const int64_t p0 = t % tiles * columns, windows = std::min(together > 1 ? outputs : columns, outputs - p0);
        const int64_t cols = images * windows, x_step = c.groups * c.in_channels * inputs;
        const T* const from = x + ((image * c.groups + g) * c.in_channels + c0) * inputs;
        const T* of = y + ((image * c.groups + g) * m + j0) * outputs + p0;
        int64_t of_row = outputs;
        if (images > 1 || (alias && upright)) {
          gather_rows(gathered.data(), pitch, of, outputs, c.groups * m * outputs, images, n, windows);
          of = gathered.data(), of_row = pitch;
        }
        const T* rows_of_x = patches.data();
        int64_t x_row = pitch;
        if (pointwise && images == 1 && flip) {
          rows_of_x = from + p0, x_row = inputs;
        } else if (pointwise) {
          gather_rows(patches.data(), pitch, from + p0, inputs, x_step, images, r, windows);
        } else {
          const Slab slab(win, p0, p0 + windows);
          const int64_t step = planes * slab.channel();
          const Workspace<T> buffer(slab.room(planes * images));
          T* const room = buffer.data() + kSlabSlack;
          for (int64_t i = 0; i < images; ++i) slab.fill(room + i * step, from + i * x_step, planes);
          slab.taps(i0, i0 + r, offsets.data());
          const int64_t count = stacked_segments(slab, p0, p0 + windows, images, step, segments.data());
          kernels.rows(room, offsets.data(), r, segments.data(), count, pitch, patches.data());
        }
        T* const to = bias && i0 == 0 ? bias_sums.data() + piece * channels + g * m + j0 : nullptr;
        if (to && upright) gemm.dots({n, 1, cols, of, of_row, 1, ones.data(), 0, 1, to, 1, T(1), beta});
        if (dots) {
          gemm.dots({n, r, cols, of, of_row, 1, rows_of_x, x_row, 1, sum, k, T(1), beta});
        } else if (flip) {
          gemm.pack(cols, r, rows_of_x, 1, x_row, packed.data());
          gemm.block({n, r, cols, of, of_row, 1, packed.data(), gemm.panel, cols, sum, k, T(1), beta});
        } else {
          gemm.pack(cols, n, of, 1, of_row, packed.data());
          gemm.block({r, n, cols, rows_of_x, x_row, 1, packed.data(), gemm.panel, cols, sum, m, T(1), beta});
          if (to) gemm.block({1, n, cols, ones.data(), 0, 0, packed.data(), gemm.panel, cols, to, n, T(1), beta});
        }
      }
    }
  });
  for (int64_t i = 0; bias && i < channels; ++i) {
    bias[i] = bias_sums.data()[i];
    for (int64_t p = 1; p < parts; ++p) bias[i] += bias_sums.data()[p * channels + i];
  }
  if (direct) return;
  parallel_for(area, 1 << 14, [&](int64_t begin, int64_t end) {
    for (int64_t p = 1; p < parts; ++p)
      for (int64_t i = begin; i < end; ++i) sums.data()[i] += sums.data()[p * area + i];
    if (upright) std::copy(sums.data() + begin, sums.data() + end, w + begin);
  });
  if (upright) return;
  const int64_t strip = 2 * gemm.panel, strips = ceil_div(k, strip);
  parallel_for(c.groups * strips, std::max<int64_t>(1, (1 << 14) / (strip * m)), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t g = i / strips, row = i % strips * strip;
      gemm.transpose(std::min(strip, k - row), m, sums.data() + g * k * m + row * m, m, w + g * k * m + row, k);
    }
  });
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
  if (empty(conv) || conv.out_channels == 0 || conv.windows.outputs() == 0) return;
  visit(type, [&](auto zero) {
    using T = decltype(zero);
    const auto *xs = static_cast<const T*>(x), *ws = static_cast<const T*>(w), *b = static_cast<const T*>(bias);
    const int64_t k = conv.in_channels * conv.windows.taps();
    if (depthwise(conv)) depthwise_forward(conv, static_cast<T*>(y), xs, ws, b);
    else
      each_image(conv, false, static_cast<T*>(y), xs, ws, b, [&](const Conv& c, T* to, const T* from) {
        PatchProduct<T>(c, to, from, {ws, k, 1}, c.out_channels * k, b).run();
      });
  });
}

void conv_input(ScalarType type, const Conv& conv, void* x, const void* y, const void* w, const void* bias) {
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
    } else if (depthwise(conv)) {
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
    if (depthwise(conv)) depthwise_weight(conv, static_cast<T*>(w), ys, xs, b);
    else correlate_patches(conv, static_cast<T*>(w), ys, xs, b);
  });
}

}  // namespace taut::kernels
