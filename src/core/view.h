// What a kernel sees of a tensor: memory, element type, sizes and strides. Owns nothing.
#pragma once
#include <cstdint>

#include "core/dry.h"
#include "taut/core/array_ref.h"
#include "taut/core/dtype.h"

namespace taut {

constexpr int kMaxDims = 64;

struct View {
  void* data = nullptr;
  ScalarType dtype = kFloat;
  IntArrayRef sizes;    // both borrowed from the tensor
  IntArrayRef strides;  // in elements; 0 where broadcast; may be negative nowhere

  int dim() const { return static_cast<int>(sizes.size()); }
  int64_t numel() const {
    int64_t n = 1;
    for (int64_t s : sizes) n *= s;
    return n;
  }
  template <class T>
  T* ptr() const {
    return static_cast<T*>(data);
  }
};

/// Throws in place of reading what decides the shape of a result.
[[noreturn]] void throw_no_data();
inline void check_has_data(const View& v) {
  if (dry || is_nowhere(v.data)) [[unlikely]]
    throw_no_data();
}

}  // namespace taut
