#include "kernels/sample.h"

#include <algorithm>

#include "core/dry.h"
#include "core/parallel.h"
#include "kernels/workspace.h"

namespace taut::kernels {
namespace {

constexpr int64_t kGrain = 1 << 14;       // results that are worth a chunk of their own
constexpr int64_t kChannelsTogether = 8;  // share the taps on the way to the gradient of the image

template <class T>
const SampleKernels<T>& sample_kernels() {
  if constexpr (std::is_same_v<T, float>) return sample_table().f32;
  else return sample_table().f64;
}

int64_t pixels_of(const SampleShape& s) { return s.size[0] * s.size[1] * (s.dims == 3 ? s.size[2] : 1); }

/// The taps of one chunk of points after the other.
template <class T>
class Chunk {
 public:
  Chunk(const GridSample& s, const T* grid) : s_(s), grid_(grid), taps_(1) {}
  /// Of the image b, the points from `first` on.
  void find(int64_t b, int64_t first, bool slopes) {
    begin = first;
    size = std::min<int64_t>(kSampleChunk, s_.points - first);
    const int dims = s_.shape.dims;
    const T* from = grid_ + (b * s_.points + first) * dims;
    for (int d = 0; d < dims; ++d) {
      for (int64_t i = 0; i < size; ++i) coordinate_[d][i] = from[i * dims + d];
      std::fill(coordinate_[d] + size, coordinate_[d] + std::min<int64_t>(kSampleChunk, size + 16), T(0));
    }
    sample_kernels<T>().taps(s_.shape, coordinate_, size, slopes, *taps_.data());
  }
  const SampleTaps<T>& taps() const { return *taps_.data(); }
  int64_t begin = 0, size = 0;

 private:
  const GridSample& s_;
  const T* grid_;
  Workspace<SampleTaps<T>> taps_;
  alignas(64) T coordinate_[3][kSampleChunk];
};

/// f(chunk, image) for every chunk of points of every image.
template <class T, class F>
void for_chunks(const GridSample& s, const T* grid, bool slopes, F f) {
  const int64_t chunks = (s.points + kSampleChunk - 1) / kSampleChunk;
  const int64_t grain = std::max<int64_t>(1, kGrain / (kSampleChunk * std::max<int64_t>(s.channels, 1)));
  parallel_for(s.batch * chunks, grain, [&](int64_t begin, int64_t end) {
    Chunk<T> chunk(s, grid);
    for (int64_t i = begin; i < end; ++i) {
      chunk.find(i / chunks, i % chunks * kSampleChunk, slopes);
      f(chunk, i / chunks);
    }
  });
}

template <class T>
void forward(const GridSample& s, T* y, const T* image, const T* grid) {
  const int64_t pixels = pixels_of(s.shape);
  const int count = s.shape.taps;
  for_chunks<T>(s, grid, false, [&](const Chunk<T>& chunk, int64_t b) {
    for (int64_t c = b * s.channels; c < (b + 1) * s.channels; ++c)
      sample_kernels<T>().sum(chunk.taps(), count, chunk.size, image + c * pixels, y + c * s.points + chunk.begin);
  });
}

template <class T>
void backward_grid(const GridSample& s, T* to, const T* g, const T* image, const T* grid) {
  const int64_t pixels = pixels_of(s.shape);
  const int count = s.shape.taps, dims = s.shape.dims;
  for_chunks<T>(s, grid, true, [&](const Chunk<T>& chunk, int64_t b) {
    alignas(64) T sums[kSampleTaps][kSampleChunk] = {};
    for (int64_t c = b * s.channels; c < (b + 1) * s.channels; ++c)
      sample_kernels<T>().dots(chunk.taps(), count, chunk.size, image + c * pixels, g + c * s.points + chunk.begin,
                               sums);
    T* const at = to + (b * s.points + chunk.begin) * dims;
    for (int d = 0; d < dims; ++d) {
      T total[kSampleChunk] = {};
      for (int t = 0; t < count; ++t)
        for (int64_t i = 0; i < chunk.size; ++i) total[i] += chunk.taps().slope[d][t][i] * sums[t][i];
      for (int64_t i = 0; i < chunk.size; ++i) at[i * dims + d] = total[i];
    }
  });
}

/// Some channels of one image have one owner.
template <class T>
void backward_image(const GridSample& s, T* to, const T* g, const T* grid) {
  const int64_t pixels = pixels_of(s.shape), blocks = (s.channels + kChannelsTogether - 1) / kChannelsTogether;
  const int count = s.shape.taps;
  parallel_for(s.batch * blocks, 1, [&](int64_t begin, int64_t end) {
    Chunk<T> chunk(s, grid);
    for (int64_t i = begin; i < end; ++i) {
      const int64_t b = i / blocks, first = b * s.channels + i % blocks * kChannelsTogether;
      const int64_t last = std::min(first + kChannelsTogether, (b + 1) * s.channels);
      std::fill(to + first * pixels, to + last * pixels, T(0));
      for (int64_t p = 0; p < s.points; p += kSampleChunk) {
        chunk.find(b, p, false);
        for (int64_t c = first; c < last; ++c)
          for (int t = 0; t < count; ++t) {
            const auto* offset = chunk.taps().offset[t];
            const T *weight = chunk.taps().weight[t], *from = g + c * s.points + p;
            T* const plane = to + c * pixels;
            for (int64_t j = 0; j < chunk.size; ++j)
              if (offset[j] >= 0) plane[offset[j]] += weight[j] * from[j];
          }
      }
    }
  });
}

template <class F>
void visit(ScalarType type, F f) {
  if (type == kDouble) f(double{});
  else f(float{});
}

}  // namespace

void grid_sample(ScalarType type, const GridSample& s, void* y, const void* image, const void* grid) {
  if (dry) return;
  visit(type,
        [&]<class T>(T) { forward(s, static_cast<T*>(y), static_cast<const T*>(image), static_cast<const T*>(grid)); });
}

void grid_sample_backward(ScalarType type, const GridSample& s, void* image_grad, void* grid_grad, const void* g,
                          const void* image, const void* grid) {
  if (dry) return;
  visit(type, [&]<class T>(T) {
    const auto *from = static_cast<const T*>(g), *points = static_cast<const T*>(grid);
    if (image_grad) backward_image(s, static_cast<T*>(image_grad), from, points);
    if (grid_grad) backward_grid(s, static_cast<T*>(grid_grad), from, static_cast<const T*>(image), points);
  });
}

}  // namespace taut::kernels
