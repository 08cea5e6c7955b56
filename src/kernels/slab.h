// Windows sliding over images, and slabs: a padded copy of the part of an image that some windows see. Within a slab
// the columns are sorted by their remainder modulo the stride, so that what one tap of the window reads in neighbouring
// windows is contiguous: everything built on it is loops over contiguous rows, for any stride, dilation and padding.
#pragma once
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/allocator.h"
#include "kernels/isa/conv.h"
#include "kernels/workspace.h"

namespace taut::kernels {

/// Depth, height, width; fewer dimensions are preceded by ones. `padding` is what lies before the image; how much lies
/// behind it follows from `out`.
struct Windows {
  int64_t in[3], out[3], kernel[3], stride[3], padding[3], dilation[3];

  int64_t inputs() const { return in[0] * in[1] * in[2]; }
  int64_t outputs() const { return out[0] * out[1] * out[2]; }
  int64_t taps() const { return kernel[0] * kernel[1] * kernel[2]; }
  /// Does every window see exactly the element at its own position?
  bool pointwise() const {
    for (int d = 0; d < 3; ++d)
      if (kernel[d] != 1 || stride[d] != 1 || padding[d] != 0 || in[d] != out[d]) return false;
    return true;
  }
};

template <class T>
const ConvKernels<T>& conv_kernels() {
  if constexpr (std::is_same_v<T, float>) return conv_table().f32;
  else return conv_table().f64;
}

/// The layout of the slab that the windows number [begin, end) see, counted in rows of the output.
class Slab {
 public:
  Slab(const Windows& windows, int64_t begin, int64_t end);
  explicit Slab(const Windows& windows) : Slab(windows, 0, windows.outputs()) {}
  Slab(const Slab&) = delete;
  Slab& operator=(const Slab&) = delete;

  int64_t channel() const { return channel_; }  // elements per channel
  /// Elements of `channels` channels with the room that loads may touch before and behind.
  int64_t room(int64_t channels) const { return channels * channel_ + 2 * kSlabSlack; }
  /// Where the taps [begin, end) of all channels stand, from the slab of the channel begin / taps().
  void taps(int64_t begin, int64_t end, int64_t* to) const;
  /// The windows [begin, end), which must be among the slab's own, as runs of contiguous columns; returns how many.
  int64_t segments(int64_t begin, int64_t end, SlabSegment* to) const;
  int64_t most_segments(int64_t count) const { return count / w_.out[2] + 2; }
  /// All windows of the slab, when they are whole rows.
  SlabGrid grid() const {
    return {last_[0] - first_[0] + 1, last_[1] - first_[1] + 1, last_[2] - first_[2] + 1, w_.stride[0] * plane_,
            w_.stride[1] * pitch_};
  }

  /// Copies `channels` images that follow one another to the slab, with `padding` around them.
  template <class T>
  void fill(T* slab, const T* image, int64_t channels, T padding = 0) const {
    const auto fill_rows = conv_kernels<T>().fill_rows;
    const int64_t width = w_.in[2], plane = w_.in[1] * width;
    // Rows [first, last) of the slab lie in the image.
    const int64_t first = std::clamp<int64_t>(-origin_[1], 0, extent_[1]);
    const int64_t last = std::clamp<int64_t>(w_.in[1] - origin_[1], first, extent_[1]);
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t z = 0; z < extent_[0]; ++z) {
        if (!uses(0, z)) continue;
        const int64_t iz = origin_[0] + z;
        const bool in = iz >= 0 && iz < w_.in[0];
        T* const to = slab + c * channel_ + z * plane_;
        const int64_t begin = in ? first : 0, end = in ? last : 0;
        if (begin > 0) fill_rows(row_, to, pitch_, nullptr, 0, begin, padding);
        if (begin < end)
          fill_rows(row_, to + begin * pitch_, pitch_,
                    image + (c * w_.in[0] + iz) * plane + (origin_[1] + begin) * width, width, end - begin, padding);
        if (end < extent_[1]) fill_rows(row_, to + end * pitch_, pitch_, nullptr, 0, extent_[1] - end, padding);
      }
  }
  /// The way back for a slab of all windows: every element of the images is written.
  template <class T>
  void read(T* image, const T* slab, int64_t channels) const {
    const auto read_row = conv_kernels<T>().read_row;
    const int64_t width = w_.in[2];
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t z = 0; z < w_.in[0]; ++z)
        for (int64_t y = 0; y < w_.in[1]; ++y, image += width) {
          const int64_t sz = z - origin_[0], sy = y - origin_[1];
          if (sz < extent_[0] && sy < extent_[1] && uses(0, sz) && uses(1, sy) && sz >= 0 && sy >= 0)
            read_row(row_, image, slab + c * channel_ + sz * plane_ + sy * pitch_);
          else std::fill_n(image, width, T(0));
        }
  }

 private:
  /// Does a tap of some window fall on the row (or plane) number i of the slab?
  bool uses(int d, int64_t i) const {
    if (w_.stride[d] == 1) return true;
    for (int64_t k = 0; k < w_.kernel[d]; ++k)
      if (i >= k * w_.dilation[d] && (i - k * w_.dilation[d]) % w_.stride[d] == 0) return true;
    return false;
  }
  Windows w_;
  int64_t first_[3], last_[3];  // windows
  int64_t origin_[3], extent_[3];
  int64_t pitch_, plane_, channel_;
  SlabRow row_;
  std::vector<int64_t, CachingAllocator<int64_t>> phase_, column_;  // column_: of each tap of a row
};

}  // namespace taut::kernels
