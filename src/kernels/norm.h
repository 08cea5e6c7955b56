// Layer, RMS, batch and group normalisation and their derivatives, over contiguous float32 or float64 memory. Every
// array of a call has the same dtype; weights and biases may be null.
#pragma once
#include "taut/core/dtype.h"

namespace taut::kernels {

/// y = (x - mean) rstd w + b for each of `rows` rows of n numbers; mean and rstd have one number a row. Without `mean`
/// (null) nothing is subtracted: RMS normalisation.
struct LayerNorm {
  ScalarType dtype;
  int64_t rows, n;
  void forward(void* y, void* mean, void* rstd, const void* x, const void* w, const void* b, double eps) const;
  /// Any of dx, dw and db may be null.
  void backward(void* dx, void* dw, void* db, const void* g, const void* x, const void* mean, const void* rstd,
                const void* w) const;
};

/// x is [batch, channels, n]; statistics have one number a channel, over the batch and n.
struct BatchNorm {
  ScalarType dtype;
  int64_t batch, channels, n;
  /// The mean and the mean squared deviation from it.
  void statistics(void* mean, void* var, const void* x) const;
  /// y = (x - mean) invstd w + b
  void apply(void* y, const void* x, const void* mean, const void* invstd, const void* w, const void* b) const;
  /// In training the statistics depend on x. Any of dx, dw and db may be null.
  void backward(void* dx, void* dw, void* db, const void* g, const void* x, const void* mean, const void* invstd,
                const void* w, bool training) const;
};

/// x is [batch, groups, channels, n]; statistics have one number for each group of each sample, w and b one a channel.
struct GroupNorm {
  ScalarType dtype;
  int64_t batch, groups, channels, n;  // channels: of one group
  void forward(void* y, void* mean, void* rstd, const void* x, const void* w, const void* b, double eps) const;
  void backward(void* dx, void* dw, void* db, const void* g, const void* x, const void* mean, const void* rstd,
                const void* w) const;
};

}  // namespace taut::kernels
