// What the kernels of matrix products and convolutions share: vector types, panels, and the last lanes of a row.
#pragma once
#include "kernels/isa/vector.h"

namespace taut::TAUT_ISA {
namespace {

constexpr int kVectors = 2;  // of a packed panel

/// The first n lanes of a vector in memory; what follows is not touched.
template <class T>
struct FirstLanes {
#if !TAUT_MASKED_LOADS  // lane by lane
  int64_t n;
  HWY_INLINE explicit FirstLanes(int64_t count) : n(count) {}
  HWY_INLINE Vec<T> load(const T* p) const {
    HWY_ALIGN T lanes[kLanes<T>] = {};
    for (int64_t i = 0; i < n; ++i) lanes[i] = p[i];
    return hn::Load(Tag<T>(), lanes);
  }
  HWY_INLINE void store(Vec<T> v, T* p) const {
    HWY_ALIGN T lanes[kLanes<T>];
    hn::Store(v, Tag<T>(), lanes);
    for (int64_t i = 0; i < n; ++i) p[i] = lanes[i];
  }
#else
  hn::Mask<Tag<T>> mask;
  HWY_INLINE explicit FirstLanes(int64_t count) : mask(hn::FirstN(Tag<T>(), static_cast<size_t>(count))) {}
  HWY_INLINE Vec<T> load(const T* p) const { return hn::MaskedLoad(mask, Tag<T>(), p); }
  HWY_INLINE void store(Vec<T> v, T* p) const { hn::BlendedStore(v, mask, Tag<T>(), p); }
#endif
};

}  // namespace
}  // namespace taut::TAUT_ISA
