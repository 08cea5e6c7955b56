// What indexing and sorting share: rows of strided operands, elements moved as bits, scratch memory.
#pragma once
#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/allocator.h"
#include "core/view.h"
#include "kernels/nest.h"

namespace taut::kernels {

/// An element as bits, for code that does no arithmetic: it exists once per size, not once per dtype. May alias any
/// type.
template <class T>
struct [[gnu::may_alias]] Bits {
  T v;
};

/// f(Bits of that many bytes)
template <class F>
decltype(auto) visit_size(int64_t bytes, F&& f) {
  switch (bytes) {
    case 1: return f(Bits<uint8_t>{});
    case 2: return f(Bits<uint16_t>{});
    case 4: return f(Bits<uint32_t>{});
    default: return f(Bits<uint64_t>{});
  }
}

/// Uninitialised memory for n elements, given back at the end of the scope.
template <class T>
class Scratch {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Scratch() = default;
  explicit Scratch(int64_t n) : data_(static_cast<T*>(allocate(bytes(n)))), n_(n) {}
  Scratch(Scratch&& o) noexcept : data_(std::exchange(o.data_, nullptr)), n_(o.n_) {}
  Scratch& operator=(Scratch&& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(n_, o.n_);
    return *this;
  }
  ~Scratch() {
    if (data_) deallocate(data_, bytes(n_));
  }
  T* get() const { return data_; }
  T& operator[](int64_t i) const { return data_[i]; }

 private:
  static size_t bytes(int64_t n) { return static_cast<size_t>(std::max<int64_t>(n, 1)) * sizeof(T); }
  T* data_ = nullptr;
  int64_t n_ = 0;
};

/// f(offsets, n) for each innermost row, or part of one, among the steps [begin, end) of a nest, in order.
template <int K, class F>
void for_rows(const Nest<K>& nest, int64_t begin, int64_t end, F&& f) {
  if (begin >= end) return;
  for (Cursor<K> cursor(nest, begin);;) {
    const int64_t n = std::min(cursor.left(), end - begin);
    f(cursor.offset, n);
    if ((begin += n) >= end) return;
    cursor.advance(n);
  }
}

/// The strides of the innermost loop; zeros if there is none.
template <int K>
const int64_t* inner_strides(const Nest<K>& nest) {
  static constexpr int64_t none[K] = {};
  return nest.dims ? nest.stride[nest.dims - 1] : none;
}

/// The loops over one view in row-major order.
inline Nest<1> row_major(IntArrayRef sizes, IntArrayRef strides) {
  Nest<1> nest;
  for (size_t d = 0; d < sizes.size(); ++d) nest.add(sizes[d], strides[d]);
  nest.collapse();
  return nest;
}

/// The loops over two views of one shape in row-major order.
inline Nest<2> row_major(IntArrayRef sizes, IntArrayRef a, IntArrayRef b) {
  Nest<2> nest;
  for (size_t d = 0; d < sizes.size(); ++d) nest.add(sizes[d], a[d], b[d]);
  nest.collapse();
  return nest;
}

inline std::vector<int64_t> contiguous_strides(IntArrayRef sizes) {
  std::vector<int64_t> strides(sizes.size());
  int64_t n = 1;
  for (size_t d = sizes.size(); d-- > 0; n *= sizes[d]) strides[d] = n;
  return strides;
}

/// A view of no dimensions counts as one of size 1.
inline int64_t size_at(const View& v, int dim) { return v.dim() == 0 ? 1 : v.sizes[dim]; }
inline int64_t stride_at(const View& v, int dim) { return v.dim() == 0 ? 0 : v.strides[dim]; }

}  // namespace taut::kernels
