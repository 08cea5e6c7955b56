// The layout of slabs.
#include "kernels/slab.h"

#include "taut/core/error.h"

namespace taut::kernels {

Slab::Slab(const Windows& windows, int64_t begin, int64_t end) : w_(windows) {
  // A range within one row needs only some columns, one within a plane only some rows.
  int64_t a = begin, b = end - 1, inner = w_.outputs();
  bool whole = false;
  for (int d = 0; d < 3; ++d) {
    inner /= w_.out[d];
    first_[d] = whole ? 0 : a / inner;
    last_[d] = whole ? w_.out[d] - 1 : b / inner;
    whole |= first_[d] != last_[d];
    a %= inner, b %= inner;
    origin_[d] = first_[d] * w_.stride[d] - w_.padding[d];
    extent_[d] = (last_[d] - first_[d]) * w_.stride[d] + (w_.kernel[d] - 1) * w_.dilation[d] + 1;
  }
  const int64_t step = w_.stride[2];
  for (int64_t k = 0; k < w_.kernel[2]; ++k) {
    const int64_t phase = k * w_.dilation[2] % step;
    if (std::find(phase_.begin(), phase_.end(), phase) == phase_.end()) phase_.push_back(phase);
  }
  const int64_t length = last_[2] - first_[2] + 1 + (w_.kernel[2] - 1) * w_.dilation[2] / step;
  for (int64_t k = 0; k < w_.kernel[2]; ++k) {
    const int64_t x = k * w_.dilation[2];
    const auto slot = std::find(phase_.begin(), phase_.end(), x % step) - phase_.begin();
    column_.push_back(slot * length + x / step);
  }
  pitch_ = static_cast<int64_t>(phase_.size()) * length;
  // Far fewer than overflow: there are many channels and images.
  check<OutOfMemory>(!__builtin_mul_overflow(extent_[1], pitch_, &plane_) &&
                         !__builtin_mul_overflow(extent_[0], plane_, &channel_) && channel_ < int64_t{1} << 40,
                     "out of memory: windows that reach over ", extent_[0], " x ", extent_[1], " x ", extent_[2],
                     " elements");
  row_ = {w_.in[2], origin_[2], step, length, static_cast<int64_t>(phase_.size()), phase_.data()};
}

void Slab::taps(int64_t begin, int64_t end, int64_t* to) const {
  int64_t x = begin % w_.kernel[2], y = begin / w_.kernel[2] % w_.kernel[1];
  int64_t z = begin / w_.kernel[2] / w_.kernel[1] % w_.kernel[0], channel = 0;
  for (int64_t k = begin; k < end;) {
    const int64_t row = channel + z * w_.dilation[0] * plane_ + y * w_.dilation[1] * pitch_;
    for (; x < w_.kernel[2] && k < end; ++x, ++k) *to++ = row + column_[static_cast<size_t>(x)];
    x = 0;
    if (++y < w_.kernel[1]) continue;
    y = 0;
    if (++z < w_.kernel[0]) continue;
    z = 0;
    channel += channel_;
  }
}

int64_t Slab::segments(int64_t begin, int64_t end, SlabSegment* to) const {
  const int64_t width = w_.out[2];
  int64_t count = 0;
  for (int64_t p = begin; p < end; ++count) {
    const int64_t x = p % width, y = p / width % w_.out[1], z = p / width / w_.out[1];
    const int64_t n = std::min(width - x, end - p);
    to[count] = {p - begin, n,
                 (z - first_[0]) * w_.stride[0] * plane_ + (y - first_[1]) * w_.stride[1] * pitch_ + x - first_[2]};
    p += n;
  }
  return count;
}

}  // namespace taut::kernels
