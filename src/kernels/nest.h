// Nested loops over strided operands: drop what does not loop, put the longest strides outermost, join what walks as
// one, then visit the innermost rows.
#pragma once
#include <algorithm>
#include <cstdint>

#include "core/view.h"

namespace taut::kernels {

/// Loops over K operands that share their sizes; strides are in elements. The last dimension is the innermost.
template <int K>
struct Nest {
  int dims = 0;
  int64_t size[kMaxDims];
  int64_t stride[kMaxDims][K];

  /// One more loop, inside the others. A loop of one step is dropped.
  template <class... Strides>
  void add(int64_t n, Strides... strides) {
    static_assert(sizeof...(Strides) == K);
    if (n == 1) return;
    size[dims] = n;
    int k = 0;
    ((stride[dims][k++] = strides), ...);
    ++dims;
  }
  int64_t numel() const {
    int64_t n = 1;
    for (int d = 0; d < dims; ++d) n *= size[d];
    return n;
  }

  /// Order by the strides of the operand `lead` (ties: of the last one), largest outermost; a broadcast loop, of stride
  /// 0, goes to the very outside so that what it repeats stays in cache. Then join neighbours.
  void normalize(int lead = 0) {
    auto outer = [&](int a, int b) {  // does loop a belong outside of loop b?
      auto key = [](int64_t s) { return s == 0 ? INT64_MAX : s; };
      const int64_t x = key(stride[a][lead]), y = key(stride[b][lead]);
      return x != y ? x > y : stride[a][K - 1] > stride[b][K - 1];
    };
    for (int d = 1; d < dims; ++d)
      for (int e = d; e > 0 && outer(e, e - 1); --e) swap(e, e - 1);
    collapse();
  }

  /// Join each loop with the one inside it where every operand walks both as one.
  void collapse() {
    if (dims == 0) return;
    int to = 0;
    for (int d = 1; d < dims; ++d) {
      bool join = true;
      for (int k = 0; k < K; ++k) join &= stride[to][k] == stride[d][k] * size[d];
      if (join) size[to] *= size[d];
      else size[++to] = size[d];
      for (int k = 0; k < K; ++k) stride[to][k] = stride[d][k];
    }
    dims = to + 1;
  }

  void swap(int a, int b) {
    std::swap(size[a], size[b]);
    for (int k = 0; k < K; ++k) std::swap(stride[a][k], stride[b][k]);
  }
  /// Take the loop d out.
  void erase(int d) {
    for (--dims; d < dims; ++d) swap(d, d + 1);
  }
};

/// A position in the loops of a nest: where each operand stands.
template <int K>
class Cursor {
 public:
  /// At the step `start` of all the steps counted in order.
  Cursor(const Nest<K>& nest, int64_t start) : nest_(nest) {
    for (int k = 0; k < K; ++k) offset[k] = 0;
    for (int d = nest.dims - 1; d >= 0; --d) {
      at_[d] = start % nest.size[d];
      start /= nest.size[d];
      for (int k = 0; k < K; ++k) offset[k] += at_[d] * nest.stride[d][k];
    }
  }
  /// Steps left in the innermost loop.
  int64_t left() const { return nest_.dims ? nest_.size[nest_.dims - 1] - at_[nest_.dims - 1] : 1; }
  /// Go on by n steps, which must not exceed left().
  void advance(int64_t n = 1) {
    int d = nest_.dims - 1;
    if (d < 0) return;
    at_[d] += n;
    for (int k = 0; k < K; ++k) offset[k] += n * nest_.stride[d][k];
    while (at_[d] == nest_.size[d] && d > 0) {
      for (int k = 0; k < K; ++k) offset[k] += nest_.stride[d - 1][k] - at_[d] * nest_.stride[d][k];
      at_[d] = 0;
      ++at_[--d];
    }
  }
  int64_t offset[K];

 private:
  const Nest<K>& nest_;
  int64_t at_[kMaxDims];
};

}  // namespace taut::kernels
