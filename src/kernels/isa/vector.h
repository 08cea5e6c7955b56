// What several kernels of one instruction set share: vector types, loads and stores of a part, a fast exponential.
#pragma once
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <cstdint>
#include <type_traits>

/// Whether loads and stores of a part are instructions that leave the rest of memory alone; Highway's own substitute
/// reads all of it.
#define TAUT_MASKED_LOADS (HWY_TARGET <= HWY_AVX2)

HWY_BEFORE_NAMESPACE();
namespace taut::TAUT_ISA {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::ScalableTag<T>;
template <class T>
using Vec = hn::Vec<Tag<T>>;
template <class T>
constexpr int64_t kLanes = HWY_LANES(T);
constexpr int kVectors = 2;  // of a packed panel, in matrix products and convolutions

/// The first n lanes of a vector in memory: what follows is neither read nor written, its lanes are `rest`.
template <class T>
struct FirstLanes {
  static constexpr bool kMasked = TAUT_MASKED_LOADS && sizeof(T) >= 4;
  using Count = std::conditional_t<kMasked, hn::Mask<Tag<T>>, int64_t>;
  Count count;

  HWY_INLINE explicit FirstLanes(int64_t n) {
    if constexpr (kMasked) count = hn::FirstN(Tag<T>(), static_cast<size_t>(n));
    else count = n;
  }
  HWY_INLINE Vec<T> load(const T* x, T rest) const {
    const Tag<T> d;
    if constexpr (kMasked) {
      return hn::IfThenElse(count, hn::MaskedLoad(count, d, x), hn::Set(d, rest));
    } else {
      HWY_ALIGN T lanes[kLanes<T>];
      for (int64_t i = 0; i < kLanes<T>; ++i) lanes[i] = i < count ? x[i] : rest;
      return hn::Load(d, lanes);
    }
  }
  HWY_INLINE Vec<T> load(const T* x) const {
    if constexpr (kMasked) return hn::MaskedLoad(count, Tag<T>(), x);
    else return load(x, T(0));
  }
  HWY_INLINE void store(Vec<T> v, T* x) const {
    const Tag<T> d;
    if constexpr (kMasked) {
      hn::BlendedStore(v, count, d, x);
    } else {
      HWY_ALIGN T lanes[kLanes<T>];
      hn::Store(v, d, lanes);
      for (int64_t i = 0; i < count; ++i) x[i] = lanes[i];
    }
  }
};
template <class T>
HWY_INLINE Vec<T> load_part(const T* x, int64_t n, T rest) {
  return FirstLanes<T>(n).load(x, rest);
}
template <class T>
HWY_INLINE void store_part(Vec<T> v, T* x, int64_t n) {
  FirstLanes<T>(n).store(v, x);
}

/// a > b ? a : b and a < b ? a : b, as x86 has them: b where one is a NaN or both are zeros.
template <class V>
HWY_INLINE V larger_of(V a, V b) {
#if HWY_ARCH_X86
  return hn::Max(a, b);
#else
  return hn::IfThenElse(hn::Gt(a, b), a, b);
#endif
}
template <class V>
HWY_INLINE V smaller_of(V a, V b) {
#if HWY_ARCH_X86
  return hn::Min(a, b);
#else
  return hn::IfThenElse(hn::Lt(a, b), a, b);
#endif
}

/// e^x for x up to 88; 0 below the smallest normal result, and for a NaN. float32 to 1 ulp: x = k log(2) + r, and a
/// polynomial for e^r.
HWY_INLINE Vec<float> exp(Vec<float> x) {
  const Tag<float> d;
  const Tag<int32_t> di;
  const auto round = hn::Set(d, 12582912.f);  // 1.5 * 2^23: adding it leaves k in the low bits
  const auto shifted = hn::MulAdd(x, hn::Set(d, 1.44269504f), round);
  const auto k = hn::Sub(shifted, round);
  auto r = hn::NegMulAdd(k, hn::Set(d, 0.693359375f), x);
  r = hn::NegMulAdd(k, hn::Set(d, -2.12194440e-4f), r);
  auto q = hn::MulAdd(hn::Set(d, 1.38144754e-3f), r, hn::Set(d, 8.36877618e-3f));
  q = hn::MulAdd(q, r, hn::Set(d, 4.16683927e-2f));
  q = hn::MulAdd(q, r, hn::Set(d, 0.166665196f));
  q = hn::MulAdd(q, r, hn::Set(d, 0.49999994f));
  const auto e = hn::Add(hn::MulAdd(hn::Mul(q, r), r, r), hn::Set(d, 1.f));
  const auto scaled = hn::Add(hn::BitCast(di, e), hn::ShiftLeft<23>(hn::BitCast(di, shifted)));
  return hn::IfThenElseZero(hn::Ge(x, hn::Set(d, -87.3365f)), hn::BitCast(d, scaled));
}
HWY_INLINE Vec<double> exp(Vec<double> x) { return hn::Exp(Tag<double>(), x); }
template <class T>
HWY_INLINE Vec<T> log(Vec<T> x) {
  return hn::Log(Tag<T>(), x);
}

}  // namespace
}  // namespace taut::TAUT_ISA
HWY_AFTER_NAMESPACE();
