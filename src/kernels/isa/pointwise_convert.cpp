// Contiguous conversions between the dtypes of tensors and the number types that kernels compute in.
#include "kernels/pointwise_convert.h"

#include <hwy/highway.h>

#include <type_traits>

namespace taut::TAUT_ISA {

namespace hn = hwy::HWY_NAMESPACE;

namespace {

struct BHalf {};  // bfloat16
struct FHalf {};  // float16

/// Never undefined: what does not fit becomes the smallest number, as x86 has it; integers wrap.
template <class To, class From>
To cast(From x) {
  if constexpr (std::is_same_v<To, bool>) return x != From(0);
  else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>)
    return static_cast<To>(
        x >= From(-9223372036854775808.0) && x < From(9223372036854775808.0) ? static_cast<int64_t>(x) : INT64_MIN);
  else return static_cast<To>(x);
}
template <class From, class To>
void convert(const void* from, void* to, int64_t n) {
  const From* const x = static_cast<const From*>(from);
  To* const y = static_cast<To*>(to);
  for (int64_t i = 0; i < n; ++i) y[i] = cast<To>(x[i]);
}

using F32 = hn::ScalableTag<float>;
using U32 = hn::ScalableTag<uint32_t>;
using U16 = hn::Rebind<uint16_t, U32>;
using F16 = hn::Rebind<hwy::float16_t, F32>;
constexpr int64_t kLanes = HWY_LANES(float);

template <class Kind>
hn::Vec<F32> widen(const uint16_t* p) {
  if constexpr (std::is_same_v<Kind, BHalf>)
    return hn::BitCast(F32(), hn::ShiftLeft<16>(hn::PromoteTo(U32(), hn::LoadU(U16(), p))));
  else if constexpr (HWY_TARGET <= HWY_AVX2)
    return hn::PromoteTo(F32(), hn::LoadU(F16(), reinterpret_cast<const hwy::float16_t*>(p)));
  else {  // no instruction for it, and Highway's emulation knows neither inf nor nan
    const auto h = hn::PromoteTo(U32(), hn::LoadU(U16(), p));
    const auto sign = hn::ShiftLeft<16>(hn::And(h, hn::Set(U32(), 0x8000)));
    const auto bits = hn::ShiftLeft<13>(hn::And(h, hn::Set(U32(), 0x7fff)));
    const auto bias = hn::Set(U32(), 112u << 23), normal = hn::Add(bits, bias);
    const auto magic = hn::Set(F32(), 0x1p-14f);  // a denormal is what the bits add to it
    const auto small = hn::Sub(hn::BitCast(F32(), hn::Add(bits, hn::BitCast(U32(), magic))), magic);
    using I32 = hn::RebindToSigned<U32>;
    const auto is_small = hn::RebindMask(U32(), hn::Lt(hn::BitCast(I32(), bits), hn::Set(I32(), 0x400 << 13)));
    const auto is_large = hn::RebindMask(U32(), hn::Gt(hn::BitCast(I32(), bits), hn::Set(I32(), (0x7c00 << 13) - 1)));
    const auto r = hn::IfThenElse(is_large, hn::Add(normal, bias), normal);
    return hn::BitCast(F32(), hn::Or(hn::IfThenElse(is_small, hn::BitCast(U32(), small), r), sign));
  }
}
/// To nearest, ties to even; a nan stays one.
template <class Kind>
void narrow(hn::Vec<F32> f, uint16_t* p) {
  const auto u = hn::BitCast(U32(), f);
  const auto number = hn::RebindMask(U32(), hn::Eq(f, f));
  hn::Vec<U32> r;
  if constexpr (std::is_same_v<Kind, BHalf>) {
    const auto odd = hn::And(hn::ShiftRight<16>(u), hn::Set(U32(), 1));
    r = hn::ShiftRight<16>(hn::Add(u, hn::Add(odd, hn::Set(U32(), 0x7fff))));
    r = hn::IfThenElse(number, r, hn::Set(U32(), 0x7fc0));
  } else {  // in integers, as not every instruction set rounds halves the same way
    const auto sign = hn::And(hn::ShiftRight<16>(u), hn::Set(U32(), 0x8000));
    const auto a = hn::And(u, hn::Set(U32(), 0x7fffffff));
    const auto odd = hn::And(hn::ShiftRight<13>(a), hn::Set(U32(), 1));
    const auto rebiased = hn::Sub(a, hn::Set(U32(), 112u << 23));
    const auto normal = hn::ShiftRight<13>(hn::Add(rebiased, hn::Add(odd, hn::Set(U32(), 0xfff))));
    // Below 2^-14: adding 1/2 puts the bits of the denormal, rounded, at the bottom.
    const auto shifted = hn::Add(hn::BitCast(F32(), a), hn::Set(F32(), 0.5f));
    const auto small = hn::Sub(hn::BitCast(U32(), shifted), hn::Set(U32(), 0x3f000000));
    using I32 = hn::RebindToSigned<U32>;
    const auto signed_a = hn::BitCast(I32(), a);
    const auto is_small = hn::RebindMask(U32(), hn::Lt(signed_a, hn::Set(I32(), 113 << 23)));
    const auto is_large = hn::RebindMask(U32(), hn::Gt(signed_a, hn::Set(I32(), 0x477fefff)));
    r = hn::IfThenElse(is_small, small, normal);
    r = hn::IfThenElse(is_large, hn::Set(U32(), 0x7c00), r);
    r = hn::IfThenElse(number, r, hn::Set(U32(), 0x7e00));
    r = hn::Or(r, sign);
  }
  hn::StoreU(hn::DemoteTo(U16(), hn::BitCast(hn::RebindToSigned<U32>(), r)), U16(), p);
}
/// In packs; the last few by way of a buffer, so that nothing outside is touched.
template <class Kind, class To>
void from_half(const void* from, void* to, int64_t n) {
  const uint16_t* const x = static_cast<const uint16_t*>(from);
  To* const y = static_cast<To*>(to);
  alignas(64) float f[kLanes];
  uint16_t h[kLanes] = {};
  for (int64_t i = 0; i < n; i += kLanes) {
    const int64_t m = n - i < kLanes ? n - i : kLanes;
    const uint16_t* p = x + i;
    if (m < kLanes) {
      for (int64_t j = 0; j < m; ++j) h[j] = p[j];
      p = h;
    }
    if (std::is_same_v<To, float> && m == kLanes) {
      hn::StoreU(widen<Kind>(p), F32(), reinterpret_cast<float*>(y + i));
    } else {
      hn::Store(widen<Kind>(p), F32(), f);
      for (int64_t j = 0; j < m; ++j) y[i + j] = cast<To>(f[j]);
    }
  }
}
template <class Kind, class From>
void to_half(const void* from, void* to, int64_t n) {
  const From* const x = static_cast<const From*>(from);
  uint16_t* const y = static_cast<uint16_t*>(to);
  alignas(64) float f[kLanes] = {};
  uint16_t h[kLanes];
  for (int64_t i = 0; i < n; i += kLanes) {
    const int64_t m = n - i < kLanes ? n - i : kLanes;
    if (std::is_same_v<From, float> && m == kLanes) {
      narrow<Kind>(hn::LoadU(F32(), reinterpret_cast<const float*>(x + i)), y + i);
      continue;
    }
    for (int64_t j = 0; j < m; ++j) f[j] = static_cast<float>(x[i + j]);
    if (m == kLanes) narrow<Kind>(hn::Load(F32(), f), y + i);
    else {
      narrow<Kind>(hn::Load(F32(), f), h);
      for (int64_t j = 0; j < m; ++j) y[i + j] = h[j];
    }
  }
}

/// A row of at least a vector: x as it is, or its first element again and again. The last vector overlaps.
template <class D, class U>
HWY_INLINE bool row_of_vectors(D d, const U* x, bool again, U* y, int64_t n) {
  const int64_t last = n - static_cast<int64_t>(hn::MaxLanes(d));
  if (last < 0) return false;
  const auto first = hn::Set(d, *x);
  for (int64_t i = 0; i < last; i += static_cast<int64_t>(hn::MaxLanes(d)))
    hn::StoreU(again ? first : hn::LoadU(d, x + i), d, y + i);
  hn::StoreU(again ? first : hn::LoadU(d, x + last), d, y + last);
  return true;
}

template <class U>
void gather(const void* from, int64_t row_stride, int64_t stride, void* to, int64_t rows, int64_t n) {
  const hn::ScalableTag<U> d;
  const hn::CappedTag<U, sizeof(U) < 4 ? 8 / sizeof(U) : 16 / sizeof(U)> least;
  constexpr int64_t lanes = HWY_LANES(U);
  const U* x = static_cast<const U*>(from);
  U* y = static_cast<U*>(to);
  if (stride <= 1 && n >= static_cast<int64_t>(hn::MaxLanes(least))) {
    for (int64_t r = 0; r < rows; ++r, x += row_stride, y += n)
      row_of_vectors(d, x, stride == 0, y, n) || row_of_vectors(least, x, stride == 0, y, n);
    return;
  }
  for (int64_t r = 0; r < rows; ++r, x += row_stride, y += n) {
    int64_t i = 0;
    if constexpr (sizeof(U) >= 4) {
      if (stride == 2)  // up to, but not with, the last element: nothing is read after it
        for (; i + lanes < n; i += lanes)
          hn::StoreU(hn::ConcatEven(d, hn::LoadU(d, x + 2 * i + lanes), hn::LoadU(d, x + 2 * i)), d, y + i);
    }
    for (; i < n; ++i) y[i] = x[i * stride];
  }
}

}  // namespace

#define TAUT_LOAD(T) \
  { convert<T, float>, convert<T, double>, convert<T, int64_t> }
#define TAUT_STORE(T) \
  { convert<float, T>, convert<double, T>, convert<int64_t, T> }
#define TAUT_LOAD_HALF(K) \
  { from_half<K, float>, from_half<K, double>, from_half<K, int64_t> }
#define TAUT_STORE_HALF(K) \
  { to_half<K, float>, to_half<K, double>, to_half<K, int64_t> }

extern const Conversions conversions;
constexpr Conversions conversions = {
    // A bool is a byte of 0 or 1, and bytes vectorise.
    {TAUT_LOAD(uint8_t), TAUT_LOAD(uint8_t), TAUT_LOAD(int8_t), TAUT_LOAD(int16_t), TAUT_LOAD(int32_t),
     TAUT_LOAD(int64_t), TAUT_LOAD_HALF(FHalf), TAUT_LOAD_HALF(BHalf), TAUT_LOAD(float), TAUT_LOAD(double)},
    {TAUT_STORE(bool), TAUT_STORE(uint8_t), TAUT_STORE(int8_t), TAUT_STORE(int16_t), TAUT_STORE(int32_t),
     TAUT_STORE(int64_t), TAUT_STORE_HALF(FHalf), TAUT_STORE_HALF(BHalf), TAUT_STORE(float), TAUT_STORE(double)},
    {gather<uint8_t>, gather<uint16_t>, gather<uint32_t>, gather<uint64_t>}};

}  // namespace taut::TAUT_ISA
