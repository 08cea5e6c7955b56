// The gradient of a convolution's weight: tiles of patches times tiles of y, summed in a fixed number of parts that are
// added in order.
#include "kernels/conv_parts.h"

namespace taut::kernels {
namespace {

template <class T>
class PatchCorrelation {
 public:
  PatchCorrelation(const Conv& c, T* w, const T* y, const T* x, T* bias)
      : c_(c),
        win_(c.windows),
        w_(w),
        y_(y),
        x_(x),
        bias_(bias),
        taps_(win_.taps()),
        k_(c.in_channels * taps_),
        m_(c.out_channels),
        outputs_(win_.outputs()),
        inputs_(win_.inputs()),
        along_(vectors_along()),
        upright_(along_ != Along::Channels),
        together_(images_together(c.batch, outputs_)),
        columns_(together_ > 1 ? together_ * outputs_
                               : even_part(outputs_, along_ == Along::Positions ? kLongTile : kTile)),
        tiles_(together_ > 1 ? 1 : ceil_div(outputs_, columns_)),
        all_(ceil_div(c.batch, together_) * tiles_),
        pitch_(spread(columns_)),
        rows_(taps_ <= kRows ? even_part(c.in_channels, kRows / taps_) * taps_ : even_part(k_, kRows)),
        width_(even_part(m_, upright_ ? kRows : 2 * kTile, upright_ ? 1 : gemm_.panel)),
        down_(ceil_div(k_, rows_)),
        across_(ceil_div(m_, width_)),
        owners_(c.groups * down_ * across_),
        part_(tiles_of_a_part()),
        parts_(ceil_div(all_, part_)),
        direct_(upright_ && parts_ == 1),
        sums_(direct_ ? 0 : parts_ * area()),
        bias_sums_(bias ? parts_ * channels() : 0),
        ones_(bias ? columns_ : 0) {
    if (bias) std::fill_n(ones_.data(), columns_, T(1));
  }

  void run() const {
    run_tasks(owners_ * parts_, part_ * rows_ * width_ * columns_, [&](int64_t begin, int64_t end) {
      const Room room(*this);
      for (int64_t task = begin; task < end; ++task) run_task(task, room);
    });
    for (int64_t i = 0; bias_ && i < channels(); ++i) {
      bias_[i] = bias_sums_.data()[i];
      for (int64_t p = 1; p < parts_; ++p) bias_[i] += bias_sums_.data()[p * channels() + i];
    }
    if (direct_) return;
    parallel_for(area(), 1 << 14, [&](int64_t begin, int64_t end) {
      for (int64_t p = 1; p < parts_; ++p)
        for (int64_t i = begin; i < end; ++i) sums_.data()[i] += sums_.data()[p * area() + i];
      if (upright_) std::copy(sums_.data() + begin, sums_.data() + end, w_ + begin);
    });
    if (!upright_) transpose_sums();
  }

 private:
  /// What vectors run along: positions (both operands as they are), rows of patches, or channels of y. The first two
  /// give the gradient as it lies, [m, k], the last one its transpose.
  enum class Along { Positions, Patches, Channels };
  /// The memory of a thread.
  struct Room {
    Workspace<T> patches, gathered, packed;
    Offsets offsets;
    Workspace<SlabSegment> segments;
    explicit Room(const PatchCorrelation& p)
        : patches(p.rows_ * p.pitch_),
          gathered(p.together_ > 1 || p.rows_evict_each_other() ? p.width_ * p.pitch_ : 0),
          packed(p.along_ == Along::Positions ? 0 : p.packed_rows() * p.columns_),
          offsets(p.rows_),
          segments(p.together_ * (p.columns_ / p.win_.out[2] + 2)) {}
  };
  /// Rows [row, row + rows) of k and columns [column, column + columns) of m, of one group, in one part of the sum.
  struct Share {
    int64_t group, row, rows, column, columns, part;
  };
  /// Windows [begin, begin + windows) of some images.
  struct Tile {
    int64_t image, images, begin, windows;
    int64_t columns() const { return images * windows; }
  };
  /// Contiguous rows, `step` apart.
  struct Rows {
    const T* data;
    int64_t step;
  };

  int64_t area() const { return c_.groups * k_ * m_; }
  int64_t channels() const { return c_.groups * m_; }
  int64_t packed_rows() const { return ceil_div(std::max(rows_, width_), gemm_.panel) * gemm_.panel; }
  bool rows_evict_each_other() const { return outputs_ * int64_t{sizeof(T)} % 2048 == 0; }
  /// What has to be transposed should be little.
  Along vectors_along() const {
    const int64_t positions = c_.batch * outputs_;
    if (std::min(k_, m_) < 16) return Along::Positions;
    return k_ * positions < m_ * positions + k_ * m_ ? Along::Patches : Along::Channels;
  }
  /// All of them, unless there are few owners and much to do.
  int64_t tiles_of_a_part() const {
    const bool whole = owners_ >= kEnoughTasks || owners_ * all_ * rows_ * width_ * columns_ < 4 * kTaskWork;
    return whole ? all_ : ceil_div(all_, ceil_div(kEnoughTasks, owners_));
  }

  void run_task(int64_t task, const Room& room) const {
    const int64_t owner = task % owners_, part = task / owners_;
    const int64_t column = owner % across_ * width_, row = owner / across_ % down_ * rows_;
    const Share s{owner / across_ / down_, row, std::min(rows_, k_ - row), column, std::min(width_, m_ - column), part};
    T beta = 0;
    for (int64_t t = part * part_; t < std::min(all_, (part + 1) * part_); ++t, beta = 1) {
      const int64_t image = t / tiles_ * together_, begin = t % tiles_ * columns_;
      const Tile tile{image, std::min(together_, c_.batch - image), begin,
                      std::min(together_ > 1 ? outputs_ : columns_, outputs_ - begin)};
      multiply(s, tile.columns(), rows_of_y(s, tile, room), rows_of_patches(s, tile, room), beta, room.packed.data());
    }
  }

  Rows rows_of_y(const Share& s, const Tile& t, const Room& room) const {
    const T* const from = y_ + ((t.image * c_.groups + s.group) * m_ + s.column) * outputs_ + t.begin;
    if (t.images == 1 && !(rows_evict_each_other() && upright_)) return {from, outputs_};
    gather_rows(room.gathered.data(), pitch_, from, outputs_, channels() * outputs_, t.images, s.columns, t.windows);
    return {room.gathered.data(), pitch_};
  }

  Rows rows_of_patches(const Share& s, const Tile& t, const Room& room) const {
    const int64_t channel = s.row / taps_, planes = ceil_div(s.row + s.rows, taps_) - channel;
    const int64_t image_step = c_.groups * c_.in_channels * inputs_;
    const T* const from = x_ + ((t.image * c_.groups + s.group) * c_.in_channels + channel) * inputs_;
    T* const patches = room.patches.data();
    if (win_.pointwise()) {
      if (t.images == 1 && along_ == Along::Patches) return {from + t.begin, inputs_};
      gather_rows(patches, pitch_, from + t.begin, inputs_, image_step, t.images, s.rows, t.windows);
      return {patches, pitch_};
    }
    const Slab slab(win_, t.begin, t.begin + t.windows);
    const int64_t step = planes * slab.channel();
    const Workspace<T> buffer(slab.room(planes * t.images));
    T* const slabs = buffer.data() + kSlabSlack;
    for (int64_t i = 0; i < t.images; ++i) slab.fill(slabs + i * step, from + i * image_step, planes);
    slab.taps(s.row, s.row + s.rows, room.offsets.data());
    const int64_t count = stacked_segments(slab, t.begin, t.begin + t.windows, t.images, step, room.segments.data());
    conv_kernels<T>().rows(slabs, room.offsets.data(), s.rows, room.segments.data(), count, pitch_, patches);
    return {patches, pitch_};
  }

  /// Adds the products of two tiles with so many columns to the share's sums, and what the tile of y adds to the bias.
  void multiply(const Share& s, int64_t columns, Rows y, Rows x, T beta, T* packed) const {
    T* const sum = (direct_ ? w_ : sums_.data() + s.part * area()) + s.group * k_ * m_ +
                   (upright_ ? s.column * k_ + s.row : s.row * m_ + s.column);
    T* const bias = bias_ && s.row == 0 ? bias_sums_.data() + s.part * channels() + s.group * m_ + s.column : nullptr;
    const T* const ones = ones_.data();
    if (bias && upright_) gemm_.dots({s.columns, 1, columns, y.data, y.step, 1, ones, 0, 1, bias, 1, T(1), beta});
    switch (along_) {
      case Along::Positions:
        gemm_.dots({s.columns, s.rows, columns, y.data, y.step, 1, x.data, x.step, 1, sum, k_, T(1), beta});
        return;
      case Along::Patches:
        gemm_.pack(columns, s.rows, x.data, 1, x.step, packed);
        gemm_.block({s.columns, s.rows, columns, y.data, y.step, 1, packed, gemm_.panel, columns, sum, k_, T(1), beta});
        return;
      case Along::Channels:
        gemm_.pack(columns, s.columns, y.data, 1, y.step, packed);
        gemm_.block({s.rows, s.columns, columns, x.data, x.step, 1, packed, gemm_.panel, columns, sum, m_, T(1), beta});
        if (bias)
          gemm_.block({1, s.columns, columns, ones, 0, 0, packed, gemm_.panel, columns, bias, s.columns, T(1), beta});
        return;
    }
  }

  void transpose_sums() const {
    const int64_t strip = 2 * gemm_.panel, strips = ceil_div(k_, strip);
    parallel_for(c_.groups * strips, std::max<int64_t>(1, (1 << 14) / (strip * m_)), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t group = i / strips * k_ * m_, row = i % strips * strip;
        gemm_.transpose(std::min(strip, k_ - row), m_, sums_.data() + group + row * m_, m_, w_ + group + row, k_);
      }
    });
  }

  const GemmKernels<T>& gemm_ = gemm_kernels<T>();
  const Conv& c_;
  const Windows& win_;
  T* w_;
  const T *y_, *x_;
  T* bias_;
  int64_t taps_, k_, m_, outputs_, inputs_;
  Along along_;
  bool upright_;
  int64_t together_, columns_, tiles_, all_, pitch_;  // images and columns in a tile, tiles of an image, tiles, row
  int64_t rows_, width_, down_, across_, owners_;     // an owner has rows_ of k and width_ of m
  int64_t part_, parts_;                              // tiles in a part, and parts
  bool direct_;                                       // into the gradient itself
  Workspace<T> sums_, bias_sums_, ones_;
};

}  // namespace

template <class T>
void correlate_patches(const Conv& c, T* w, const T* y, const T* x, T* bias) {
  PatchCorrelation<T>(c, w, y, x, bias).run();
}
template void correlate_patches(const Conv&, float*, const float*, const float*, float*);
template void correlate_patches(const Conv&, double*, const double*, const double*, double*);

}  // namespace taut::kernels
