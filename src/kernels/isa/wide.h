// Vectors of 64 bytes on every instruction set. Whoever adds lanes to each other uses these: sums then run in the same
// lanes, and have the same bits, everywhere. A file's kernels stand inside `namespace wide`, where Tag, Vec, kLanes and
// hn:: mean these vectors; with AVX-512 they are Highway's own, else several of those side by side.
#pragma once
#include <type_traits>

#include "kernels/isa/vector.h"

HWY_BEFORE_NAMESPACE();
namespace taut::TAUT_ISA {
namespace {
namespace native = hwy::HWY_NAMESPACE;

namespace wide {
constexpr int64_t kBytes = 64;
template <class T>
constexpr int64_t kLanes = kBytes / static_cast<int64_t>(sizeof(T));
constexpr bool kManyRegisters = HWY_MAX_BYTES == 64;  // 32 of these vectors; the others have room for 8

#if HWY_MAX_BYTES == 64
#define TAUT_STEP_PER_PART HWY_INLINE
namespace hn = native;
using TAUT_ISA::exp;
using TAUT_ISA::load_part;
using TAUT_ISA::log;
using TAUT_ISA::store_part;
using TAUT_ISA::Tag;
using TAUT_ISA::Vec;
#else
using namespace hwy::HWY_NAMESPACE;
namespace hn = wide;

constexpr int kParts = kBytes / HWY_MAX_BYTES;
// Functions and loops that take a step for each part. x86-64-v2, which has four parts and few users, is kept small.
#if HWY_ARCH_X86 && HWY_MAX_BYTES == 16
#define TAUT_STEP_PER_PART HWY_NOINLINE
constexpr int kUnrolledParts = 1;
#else
#define TAUT_STEP_PER_PART HWY_INLINE
constexpr int kUnrolledParts = kParts;
#endif
template <class T>
constexpr int64_t kPart = TAUT_ISA::kLanes<T>;  // lanes of a part
template <class T>
struct Tag {};
template <class T>
struct Vec {
  TAUT_ISA::Vec<T> part[kParts];
};
template <class T>
struct Mask {
  native::Mask<TAUT_ISA::Tag<T>> part[kParts];
};
template <class T>
TAUT_ISA::Tag<T> part_of(Tag<T>) {
  return {};
}
/// to.part[i] = f(i) for all parts.
template <class To, class F>
HWY_INLINE To each_part(F f) {
  To to;
#pragma GCC unroll kUnrolledParts
  for (int i = 0; i < kParts; ++i) to.part[i] = f(i);
  return to;
}
// The names of Highway, for these vectors besides its own.
#define TAUT_PARTS_OF_ONE(name)                                                        \
  using native::name;                                                                  \
  template <class T>                                                                   \
  HWY_INLINE Vec<T> name(Vec<T> a) {                                                   \
    return each_part<Vec<T>>([&](int i) HWY_ATTR { return native::name(a.part[i]); }); \
  }
#define TAUT_PARTS_OF_TWO(name, Result)                                                              \
  using native::name;                                                                                \
  template <class T>                                                                                 \
  HWY_INLINE Result<T> name(Vec<T> a, Vec<T> b) {                                                    \
    return each_part<Result<T>>([&](int i) HWY_ATTR { return native::name(a.part[i], b.part[i]); }); \
  }
#define TAUT_PARTS_OF_THREE(name)                                                                            \
  using native::name;                                                                                        \
  template <class T>                                                                                         \
  HWY_INLINE Vec<T> name(Vec<T> a, Vec<T> b, Vec<T> c) {                                                     \
    return each_part<Vec<T>>([&](int i) HWY_ATTR { return native::name(a.part[i], b.part[i], c.part[i]); }); \
  }
TAUT_PARTS_OF_ONE(Abs)
TAUT_PARTS_OF_TWO(Add, Vec)
TAUT_PARTS_OF_TWO(Sub, Vec)
TAUT_PARTS_OF_TWO(Mul, Vec)
TAUT_PARTS_OF_TWO(Div, Vec)
TAUT_PARTS_OF_TWO(Max, Vec)
TAUT_PARTS_OF_TWO(Min, Vec)
TAUT_PARTS_OF_TWO(Eq, Mask)
TAUT_PARTS_OF_TWO(Ge, Mask)
TAUT_PARTS_OF_TWO(Le, Mask)
TAUT_PARTS_OF_TWO(Gt, Mask)
TAUT_PARTS_OF_TWO(Lt, Mask)
TAUT_PARTS_OF_THREE(MulAdd)
TAUT_PARTS_OF_THREE(NegMulAdd)
#undef TAUT_PARTS_OF_ONE
#undef TAUT_PARTS_OF_TWO
#undef TAUT_PARTS_OF_THREE
using native::AllFalse;
using native::AndNot;
using native::FindFirstTrue;
using native::FirstN;
using native::IfThenElse;
using native::IfThenElseZero;
using native::IsNaN;
using native::LoadU;
using native::MaxLanes;
using native::Or;
using native::RebindMask;
using native::Set;
using native::StoreU;
using native::Stream;
using native::Zero;
template <class T>
HWY_INLINE Vec<T> Set(Tag<T> d, std::type_identity_t<T> x) {
  return each_part<Vec<T>>([&](int) HWY_ATTR { return native::Set(part_of(d), x); });
}
template <class T>
HWY_INLINE Vec<T> Zero(Tag<T> d) {
  return each_part<Vec<T>>([&](int) HWY_ATTR { return native::Zero(part_of(d)); });
}
template <class T>
HWY_INLINE Vec<T> LoadU(Tag<T> d, const T* x) {
  return each_part<Vec<T>>([&](int i) HWY_ATTR { return native::LoadU(part_of(d), x + i * kPart<T>); });
}
template <class T>
HWY_INLINE void StoreU(Vec<T> v, Tag<T> d, T* x) {
#pragma GCC unroll kUnrolledParts
  for (int i = 0; i < kParts; ++i) native::StoreU(v.part[i], part_of(d), x + i * kPart<T>);
}
template <class T>
HWY_INLINE void Stream(Vec<T> v, Tag<T> d, T* x) {
#pragma GCC unroll kUnrolledParts
  for (int i = 0; i < kParts; ++i) native::Stream(v.part[i], part_of(d), x + i * kPart<T>);
}
/// n lanes of all, as lanes of part i.
template <class T>
HWY_INLINE int64_t lanes_of(int64_t n, int i) {
  const int64_t rest = n - i * kPart<T>;
  return rest < 0 ? 0 : rest < kPart<T> ? rest : kPart<T>;
}
template <class T>
TAUT_STEP_PER_PART Mask<T> FirstN(Tag<T> d, size_t n) {
  return each_part<Mask<T>>([&](int i) HWY_ATTR {
    return native::FirstN(part_of(d), static_cast<size_t>(lanes_of<T>(static_cast<int64_t>(n), i)));
  });
}
template <class T>
TAUT_STEP_PER_PART Vec<T> load_part(const T* x, int64_t n, T rest) {
  return each_part<Vec<T>>([&](int i)
                               HWY_ATTR { return TAUT_ISA::load_part(x + i * kPart<T>, lanes_of<T>(n, i), rest); });
}
template <class T>
TAUT_STEP_PER_PART void store_part(Vec<T> v, T* x, int64_t n) {
#pragma GCC unroll kUnrolledParts
  for (int i = 0; i < kParts; ++i) TAUT_ISA::store_part(v.part[i], x + i * kPart<T>, lanes_of<T>(n, i));
}
template <class T>
HWY_INLINE Mask<T> IsNaN(Vec<T> v) {
  return each_part<Mask<T>>([&](int i) HWY_ATTR { return native::IsNaN(v.part[i]); });
}
template <class T>
HWY_INLINE Mask<T> Or(Mask<T> a, Mask<T> b) {
  return each_part<Mask<T>>([&](int i) HWY_ATTR { return native::Or(a.part[i], b.part[i]); });
}
template <class T>
HWY_INLINE Mask<T> AndNot(Mask<T> a, Mask<T> b) {
  return each_part<Mask<T>>([&](int i) HWY_ATTR { return native::AndNot(a.part[i], b.part[i]); });
}
template <class T, class U>
HWY_INLINE Mask<T> RebindMask(Tag<T> d, Mask<U> m) {
  return each_part<Mask<T>>([&](int i) HWY_ATTR { return native::RebindMask(part_of(d), m.part[i]); });
}
template <class T>
HWY_INLINE Vec<T> IfThenElse(Mask<T> m, Vec<T> a, Vec<T> b) {
  return each_part<Vec<T>>([&](int i) HWY_ATTR { return native::IfThenElse(m.part[i], a.part[i], b.part[i]); });
}
template <class T>
HWY_INLINE Vec<T> IfThenElseZero(Mask<T> m, Vec<T> a) {
  return each_part<Vec<T>>([&](int i) HWY_ATTR { return native::IfThenElseZero(m.part[i], a.part[i]); });
}
template <class T>
HWY_INLINE bool AllFalse(Tag<T> d, Mask<T> m) {
  bool none = true;
#pragma GCC unroll kUnrolledParts
  for (int i = 0; i < kParts; ++i) none = none && native::AllFalse(part_of(d), m.part[i]);
  return none;
}
template <class T>
HWY_INLINE int64_t FindFirstTrue(Tag<T> d, Mask<T> m) {
  for (int i = 0; i < kParts; ++i)
    if (!native::AllFalse(part_of(d), m.part[i])) return i * kPart<T> + native::FindFirstTrue(part_of(d), m.part[i]);
  return -1;
}
template <class T>
HWY_INLINE Vec<T> exp(Vec<T> x) {
  return each_part<Vec<T>>([&](int i) HWY_ATTR { return TAUT_ISA::exp(x.part[i]); });
}
template <class T>
HWY_INLINE Vec<T> log(Vec<T> x) {
  return each_part<Vec<T>>([&](int i) HWY_ATTR { return TAUT_ISA::log<T>(x.part[i]); });
}
#endif

template <class D>
native::TFromD<D> element_of(D);
#if HWY_MAX_BYTES != 64
template <class T>
T element_of(Tag<T>);
#endif

/// All lanes of a vector as one, by halves: merge(lower half, upper half), and so on.
template <class D, class F>
HWY_INLINE native::TFromD<D> across_native(D, native::Vec<D> v, F merge) {
  if constexpr (native::MaxLanes(D()) == 1) return native::GetLane(v);
  else {
    const native::Half<D> half;
    return across_native(half, merge(half, native::LowerHalf(half, v), native::UpperHalf(half, v)), merge);
  }
}
template <class T, class F>
HWY_INLINE T across(Vec<T> v, F merge) {
  const TAUT_ISA::Tag<T> d;
#if HWY_MAX_BYTES == 64
  return across_native(d, v, merge);
#else
#pragma GCC unroll 2
  for (int half = kParts / 2; half > 0; half /= 2)
#pragma GCC unroll 2
    for (int i = 0; i < half; ++i) v.part[i] = merge(d, v.part[i], v.part[i + half]);
  return across_native(d, v.part[0], merge);
#endif
}
template <class T>
HWY_INLINE T sum_of_lanes(Vec<T> v) {
  return across<T>(v, [](auto, auto a, auto b) HWY_ATTR { return native::Add(a, b); });
}
template <class T>
TAUT_STEP_PER_PART Vec<T> greater(Vec<T> a, Vec<T> b) {  // a NaN on either side stays
  return hn::IfThenElse(hn::Or(hn::Ge(a, b), hn::IsNaN(a)), a, b);
}

}  // namespace wide
}  // namespace
}  // namespace taut::TAUT_ISA
HWY_AFTER_NAMESPACE();
