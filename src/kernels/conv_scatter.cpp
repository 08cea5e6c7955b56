// The gradient of a convolution's images where it is no convolution itself: products w^T y give every patch of it, and
// the patches are added up in slabs (kernels/slab.h), each by one owner.
#include "kernels/conv_parts.h"

namespace taut::kernels {
namespace {

template <class T>
class PatchSums {
 public:
  PatchSums(const Conv& c, T* x, const T* y, const T* w, const T* bias)
      : c_(c),
        x_(x),
        y_(y),
        w_(w),
        bias_(bias),
        slab_(c.windows),
        taps_(c.windows.taps()),
        k_(c.in_channels * taps_),
        m_(c.out_channels),
        outputs_(c.windows.outputs()),
        inputs_(c.windows.inputs()),
        together_(images_together(c.batch, outputs_)),
        blocks_(ceil_div(c.batch, together_)),
        columns_(together_ > 1 ? together_ * outputs_ : even_part(outputs_, kTile, kWidestPanel<T>)),
        channels_(channels_of_a_task()),
        parts_(ceil_div(c.in_channels, channels_)),
        chunks_(std::clamp<int64_t>(ceil_div(2 * kEnoughTasks, c.groups * parts_), 1, blocks_)),
        chunk_(ceil_div(blocks_, chunks_)),
        rows_(even_part(channels_ * taps_, kRows)),
        depth_(std::min(m_, kDepth)),
        pitch_(spread(columns_)),
        weight_row_(spread(m_)) {}

  void run() const {
    const int64_t work = channels_ * taps_ * outputs_ * m_ * chunk_ * together_;
    run_tasks(c_.groups * parts_ * chunks_, work, [&](int64_t begin, int64_t end) {
      const Room room(*this);
      for (int64_t task = begin; task < end; ++task) run_task(task, room);
    });
  }

 private:
  /// The memory of a thread.
  struct Room {
    Workspace<T> buffer, product, weights, packed, gathered;
    Offsets offsets;
    Workspace<SlabSegment> segments;
    explicit Room(const PatchSums& s)
        : buffer(s.slab_.room(s.channels_ * s.together_)),
          product(s.rows_ * s.pitch_),
          weights(s.channels_ * s.taps_ * s.weight_row_),
          packed(s.m_ * ceil_div(s.columns_, s.gemm_.panel) * s.gemm_.panel),
          gathered(s.together_ > 1 ? s.depth_ * s.columns_ : 0),
          offsets(s.channels_ * s.taps_),
          segments(s.together_ * s.slab_.most_segments(s.columns_)) {
      s.slab_.taps(0, s.channels_ * s.taps_, offsets.data());
    }
    T* slabs() const { return buffer.data() + kSlabSlack; }
  };
  /// Some channels of one group, in some images.
  struct Share {
    int64_t group, channel, channels, image, images;
  };

  /// A task owns some images, and some channels of them: all, unless the weight would not stay in the cache or there
  /// are few images.
  int64_t channels_of_a_task() const {
    const int64_t all = c_.in_channels,
                  most = k_ * m_ > kCachedWeight ? std::clamp<int64_t>(kRows / taps_, 1, all) : all;
    return std::min(most, ceil_div(all, std::max<int64_t>(1, kEnoughTasks / 2 / (c_.groups * blocks_))));
  }

  void run_task(int64_t task, const Room& room) const {
    const int64_t group = task % c_.groups, channel = task / c_.groups % parts_ * channels_;
    const int64_t channels = std::min(channels_, c_.in_channels - channel);
    const int64_t first = task / c_.groups / parts_ * chunk_;
    if (channels <= 0 || first >= blocks_) return;
    gemm_.transpose(m_, channels * taps_, w_ + group * m_ * k_ + channel * taps_, k_, room.weights.data(), weight_row_);
    for (int64_t b = first; b < std::min(first + chunk_, blocks_); ++b) {
      const int64_t image = b * together_;
      const Share share{group, channel, channels, image, std::min(together_, c_.batch - image)};
      std::fill_n(room.slabs(), share.images * slab_step(share), T(0));
      for (int64_t p0 = 0; p0 < outputs_; p0 += columns_) add_windows(share, p0, room);
      write_images(share, room);
    }
  }
  int64_t slab_step(const Share& s) const { return s.channels * slab_.channel(); }

  /// Adds the patches of up to columns_ windows from p0 on to the slabs.
  void add_windows(const Share& s, int64_t p0, const Room& room) const {
    const int64_t windows = std::min(columns_, outputs_ - p0), columns = s.images * windows;
    pack(s, p0, windows, room);
    const int64_t wide = packed_width(columns), patches = s.channels * taps_;
    const int64_t count = stacked_segments(slab_, p0, p0 + windows, s.images, slab_step(s), room.segments.data());
    for (int64_t i = 0; i < patches; i += rows_) {
      const int64_t rows = std::min(rows_, patches - i);
      for (int64_t k0 = 0; k0 < m_; k0 += depth_) {
        const int64_t d = std::min(depth_, m_ - k0);
        gemm_.block({rows, columns, d, room.weights.data() + i * weight_row_ + k0, weight_row_, 1,
                     room.packed.data() + k0 * wide, gemm_.panel, d, room.product.data(), pitch_, T(1),
                     k0 ? T(1) : T(0)});
      }
      conv_kernels<T>().add_rows(room.slabs(), room.offsets.data() + i, rows, room.segments.data(), count, pitch_,
                                 room.product.data());
    }
  }
  int64_t packed_width(int64_t columns) const { return ceil_div(columns, gemm_.panel) * gemm_.panel; }
  void pack(const Share& s, int64_t p0, int64_t windows, const Room& room) const {
    const int64_t columns = s.images * windows, wide = packed_width(columns), image_step = c_.groups * m_ * outputs_;
    const T* const from = y_ + (s.image * c_.groups + s.group) * m_ * outputs_ + p0;
    for (int64_t k0 = 0; k0 < m_; k0 += depth_) {
      const int64_t d = std::min(depth_, m_ - k0);
      const T* source = from + k0 * outputs_;
      int64_t row = outputs_;
      if (s.images > 1) {
        gather_rows(room.gathered.data(), columns, source, outputs_, image_step, s.images, d, windows);
        source = room.gathered.data(), row = columns;
      }
      gemm_.pack(d, columns, source, row, 1, room.packed.data() + k0 * wide);
    }
  }

  void write_images(const Share& s, const Room& room) const {
    for (int64_t i = 0; i < s.images; ++i) {
      T* const to = x_ + (((s.image + i) * c_.groups + s.group) * c_.in_channels + s.channel) * inputs_;
      slab_.read(to, room.slabs() + i * slab_step(s), s.channels);
      for (int64_t j = 0; bias_ && j < s.channels; ++j) {
        const T bias = bias_[s.group * c_.in_channels + s.channel + j];
        for (int64_t p = 0; p < inputs_; ++p) to[j * inputs_ + p] += bias;
      }
    }
  }

  const GemmKernels<T>& gemm_ = gemm_kernels<T>();
  const Conv& c_;
  T* x_;
  const T *y_, *w_, *bias_;
  Slab slab_;
  int64_t taps_, k_, m_, outputs_, inputs_;
  int64_t together_, blocks_, columns_;        // images in a tile, such groups of images, windows in a tile
  int64_t channels_, parts_, chunks_, chunk_;  // a task has `channels_` channels and `chunk_` blocks
  int64_t rows_, depth_, pitch_, weight_row_;
};

}  // namespace

template <class T>
void scatter_patches(const Conv& c, T* x, const T* y, const T* w, const T* bias) {
  PatchSums<T>(c, x, y, w, bias).run();
}
template void scatter_patches(const Conv&, float*, const float*, const float*, const float*);
template void scatter_patches(const Conv&, double*, const double*, const double*, const double*);

}  // namespace taut::kernels
