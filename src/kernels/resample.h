// Weighted sums along one dimension: what every kind of resizing is made of, and its transpose.
#pragma once
#include <cstdint>
#include <vector>

#include "taut/core/dtype.h"

namespace taut::kernels {

/// y[o] = sum of weight[k] x[index[k]] over k in [start[o], start[o + 1]).
struct Taps {
  int64_t inputs = 0;
  std::vector<int64_t> start{0}, index;
  std::vector<double> weight;
  int64_t outputs() const { return static_cast<int64_t>(start.size()) - 1; }
  void add(int64_t i, double w) { index.push_back(i), weight.push_back(w); }
  void close() { start.push_back(static_cast<int64_t>(index.size())); }
  /// The same weights seen from the inputs.
  Taps transposed() const;
};

/// Applies taps along the middle dimension of contiguous float32 or float64 [outer, inputs, inner].
void resample(ScalarType dtype, void* y, const void* x, int64_t outer, int64_t inner, const Taps& taps);

}  // namespace taut::kernels
