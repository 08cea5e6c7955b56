// What src/kernels/sample.cpp and its instruction-set kernels agree on. Plain data only.
#pragma once
#include <cstdint>
#include <type_traits>

#include "core/cpu.h"

namespace taut {

enum class SampleMode { Bilinear, Nearest, Bicubic };
enum class SamplePadding { Zeros, Border, Reflection };

constexpr int kSampleChunk = 256;  // points that are worked on together
constexpr int kSampleTaps = 16;    // pixels that one point reads, at most

/// How points name pixels of an image: dimension 0 is x, then y, then z.
struct SampleShape {
  int dims;
  int64_t size[3];  // of the image
  SampleMode mode;
  SamplePadding padding;
  bool align_corners;
  int along, taps;  // pixels along one dimension, and in all
};

/// Point i is the sum over t of weight[t][i] * image[offset[t][i]]; a negative offset stands for a pixel of 0.
template <class T>
struct SampleTaps {
  using Offset = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
  alignas(64) Offset offset[kSampleTaps][kSampleChunk];
  alignas(64) T weight[kSampleTaps][kSampleChunk];
  alignas(64) T slope[3][kSampleTaps][kSampleChunk];  // the derivatives of the weight by the coordinates
};

/// n is at most kSampleChunk.
template <class T>
struct SampleKernels {
  /// The taps of the points coordinate[dimension][i]; reads up to the next multiple of a vector.
  void (*taps)(const SampleShape& shape, const T (*coordinate)[kSampleChunk], int64_t n, bool slopes,
               SampleTaps<T>& to);
  void (*sum)(const SampleTaps<T>& taps, int count, int64_t n, const T* image, T* y);
  /// sums[t][i] += g[i] * the pixel of tap t.
  void (*dots)(const SampleTaps<T>& taps, int count, int64_t n, const T* image, const T* g, T (*sums)[kSampleChunk]);
};

struct SampleTable {
  SampleKernels<float> f32;
  SampleKernels<double> f64;
};
TAUT_ISA_TABLE(SampleTable, sample_table)

}  // namespace taut
