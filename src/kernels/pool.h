// Pooling over contiguous planes, one after the other: every window of a plane becomes one number. Bits do not depend
// on the number of threads: a plane has one owner.
#pragma once
#include "kernels/slab.h"
#include "taut/core/dtype.h"

namespace taut::kernels {

// Types are float32 and float64, where nothing else is said.

/// The greatest of each window (a NaN above all; of equals the first) and where in the plane it was. index may be null.
/// int64 too.
void max_pool(ScalarType type, int64_t planes, const Windows& w, void* y, int64_t* index, const void* x);

/// How the sum over a window is divided: by `divisor`, else (0) by its number of elements.
struct AveragePool {
  Windows windows;
  int64_t padding_behind[3];  // what of it counts, as far as windows reach
  bool count_padding;
  int64_t divisor;
};
void avg_pool(ScalarType type, int64_t planes, const AveragePool& pool, void* y, const void* x);
void avg_pool_backward(ScalarType type, int64_t planes, const AveragePool& pool, void* dx, const void* dy);

/// Windows that cut a plane into out[0] x out[1] x out[2] parts of about the same size.
struct AdaptivePool {
  int64_t in[3], out[3];
};
void adaptive_avg_pool(ScalarType type, int64_t planes, const AdaptivePool& pool, void* y, const void* x);
void adaptive_avg_pool_backward(ScalarType type, int64_t planes, const AdaptivePool& pool, void* dx, const void* dy);
void adaptive_max_pool(ScalarType type, int64_t planes, const AdaptivePool& pool, void* y, int64_t* index,
                       const void* x);

/// Windows of one size at places drawn by the samples: three numbers per plane in [0, 1), for depth, height and width.
struct FractionalPool {
  int64_t in[3], out[3], kernel[3];
};
void fractional_max_pool(ScalarType type, int64_t planes, const FractionalPool& pool, void* y, int64_t* index,
                         const void* x, const void* samples);

/// For each plane: to[index[i]] = from[i], or += ; zero elsewhere. Throws IndexError, before anything is written, when
/// an index is outside of a plane of `size` elements.
void scatter_planes(ScalarType type, int64_t planes, int64_t size, int64_t n, void* to, const void* from,
                    const int64_t* index, bool add);
/// For each plane: to[i] = from[index[i]].
void gather_planes(ScalarType type, int64_t planes, int64_t size, int64_t n, void* to, const void* from,
                   const int64_t* index);

/// Every plane's windows as columns: [planes, taps, outputs]; and the transposed map, which adds them up.
void im2col(ScalarType type, int64_t planes, const Windows& w, void* columns, const void* x);
void col2im(ScalarType type, int64_t planes, const Windows& w, void* x, const void* columns);

}  // namespace taut::kernels
