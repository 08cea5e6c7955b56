// Conversion of contiguous elements from one type to another, for one instruction set.
#include <hwy/highway.h>

#include "kernels/copy.h"

HWY_BEFORE_NAMESPACE();
namespace taut::TAUT_ISA {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
constexpr bool is_float = false;
template <>
constexpr bool is_float<float> = true;
template <>
constexpr bool is_float<double> = true;

/// To an integer as x86 converts: what does not fit becomes the smallest number. Replacing the input first keeps it
/// defined behaviour and leaves a loop that vectorises.
template <class I, class F>
inline I to_int(F x) {
  constexpr F low = sizeof(I) == 8 ? F(-9223372036854775808.0) : F(-2147483648.0);
  return static_cast<I>(x >= low && x < -low ? x : low);
}
template <class To, class From>
inline To convert(From x) {
  if constexpr (sizeof(To) == sizeof(bool) && To(2) == To(1)) return x != 0;
  else if constexpr (is_float<From> && !is_float<To>) {
    // PyTorch takes uint8 from a double through int64, the other small types through int32.
    if constexpr (sizeof(To) == 8 || (To(-1) > To(0) && sizeof(From) == 8)) return static_cast<To>(to_int<int64_t>(x));
    else return static_cast<To>(to_int<int32_t>(x));
  } else return static_cast<To>(x);
}
template <class To, class From>
void cast(void* to, const void* from, int64_t n) {
  To* const t = static_cast<To*>(to);
  const From* const f = static_cast<const From*>(from);
  if (static_cast<const void*>(t) == from || n < 16) {  // in place, or too short to be worth a vector
    for (int64_t i = 0; i < n; ++i) t[i] = convert<To>(f[i]);
    return;
  }
  To* __restrict const y = t;
  const From* __restrict const x = f;
  for (int64_t i = 0; i < n; ++i) y[i] = convert<To>(x[i]);
}

using F32 = hn::ScalableTag<float>;
using U32 = hn::ScalableTag<uint32_t>;
using U16 = hn::Rebind<uint16_t, U32>;
using F16 = hn::Rebind<hwy::float16_t, F32>;
constexpr int64_t kLanes = HWY_LANES(float);

inline void widen_bf16(const uint16_t* x, float* y) {
  hn::StoreU(hn::BitCast(F32(), hn::ShiftLeft<16>(hn::PromoteTo(U32(), hn::LoadU(U16(), x)))), F32(), y);
}
inline void narrow_bf16(const float* x, uint16_t* y) {  // to nearest, ties to even; a NaN becomes PyTorch's
  const auto f = hn::LoadU(F32(), x);
  const auto u = hn::BitCast(U32(), f), odd = hn::And(hn::ShiftRight<16>(u), hn::Set(U32(), 1));
  const auto r = hn::ShiftRight<16>(hn::Add(u, hn::Add(odd, hn::Set(U32(), 0x7fff))));
  const auto s = hn::IfThenElse(hn::RebindMask(U32(), hn::Eq(f, f)), r, hn::Set(U32(), 0x7fc0));
  hn::StoreU(hn::DemoteTo(U16(), hn::BitCast(hn::RebindToSigned<U32>(), s)), U16(), y);
}
#if HWY_TARGET <= HWY_AVX2
inline void widen_f16(const uint16_t* x, float* y) {
  hn::StoreU(hn::PromoteTo(F32(), hn::LoadU(F16(), reinterpret_cast<const hwy::float16_t*>(x))), F32(), y);
}
inline void narrow_f16(const float* x, uint16_t* y) {
  hn::StoreU(hn::DemoteTo(F16(), hn::LoadU(F32(), x)), F16(), reinterpret_cast<hwy::float16_t*>(y));
}
#else  // without hardware; Highway's own emulation turns an infinity into a number
inline void widen_f16(const uint16_t* x, float* y) {
  for (int64_t i = 0; i < kLanes; ++i) {
    uint32_t u = static_cast<uint32_t>(x[i] & 0x7fff) << 13;
    float f;
    __builtin_memcpy(&f, &u, 4);
    f *= 0x1p112f;  // the exponent's new bias; a subnormal becomes normal
    __builtin_memcpy(&u, &f, 4);
    u |= ((x[i] & 0x7c00) == 0x7c00 ? 0x7f800000u : 0u) | static_cast<uint32_t>(x[i] & 0x8000) << 16;
    __builtin_memcpy(y + i, &u, 4);
  }
}
inline uint16_t half_bits(float f) {  // to nearest, ties to even
  uint32_t u;
  __builtin_memcpy(&u, &f, 4);
  const uint32_t sign = u >> 16 & 0x8000;
  u &= 0x7fffffff;
  if (u > 0x7f800000) return static_cast<uint16_t>(sign | 0x7e00 | (u >> 13 & 0x3ff));
  if (u >= 0x477ff000) return static_cast<uint16_t>(sign | 0x7c00);
  if (u < 0x38800000) {  // subnormal: let a float addition round at the right bit
    float a;
    __builtin_memcpy(&a, &u, 4);
    a += 0.5f;
    __builtin_memcpy(&u, &a, 4);
    return static_cast<uint16_t>(sign | (u - 0x3f000000));
  }
  return static_cast<uint16_t>(sign | ((u - 0x38000000 + 0xfff + (u >> 13 & 1)) >> 13));
}
inline void narrow_f16(const float* x, uint16_t* y) {
  for (int64_t i = 0; i < kLanes; ++i) y[i] = half_bits(x[i]);
}
#endif

/// n elements by whole vectors; the last ones by way of a buffer.
template <class To, class From, void Convert(const From*, To*)>
void by_vector(void* to, const void* from, int64_t n) {
  To* const y = static_cast<To*>(to);
  const From* const x = static_cast<const From*>(from);
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) Convert(x + i, y + i);
  if (i == n) return;
  From a[kLanes] = {};
  To b[kLanes];
  __builtin_memcpy(a, x + i, static_cast<size_t>(n - i) * sizeof(From));
  Convert(a, b);
  __builtin_memcpy(y + i, b, static_cast<size_t>(n - i) * sizeof(To));
}
using Bits = uint16_t;
}  // namespace

// A bool is stored as 0 or 1 and read as a uint8, of which loops vectorise.
#define ROW(To)                                                                                                      \
  {                                                                                                                  \
    cast<To, uint8_t>, cast<To, uint8_t>, cast<To, int8_t>, cast<To, int16_t>, cast<To, int32_t>, cast<To, int64_t>, \
        nullptr, nullptr, cast<To, float>, cast<To, double>                                                          \
  }
#define NONE nullptr, nullptr, nullptr, nullptr, nullptr, nullptr
extern const CastTable cast_table;
const CastTable cast_table = {{
    ROW(bool),
    {nullptr, nullptr, cast<uint8_t, int8_t>, cast<uint8_t, int16_t>, cast<uint8_t, int32_t>, cast<uint8_t, int64_t>,
     nullptr, nullptr, cast<uint8_t, float>, cast<uint8_t, double>},
    ROW(int8_t),
    ROW(int16_t),
    ROW(int32_t),
    ROW(int64_t),
    {NONE, nullptr, nullptr, by_vector<Bits, float, narrow_f16>, nullptr},
    {NONE, nullptr, nullptr, by_vector<Bits, float, narrow_bf16>, nullptr},
    {cast<float, uint8_t>, cast<float, uint8_t>, cast<float, int8_t>, cast<float, int16_t>, cast<float, int32_t>,
     cast<float, int64_t>, by_vector<float, Bits, widen_f16>, by_vector<float, Bits, widen_bf16>, nullptr,
     cast<float, double>},
    ROW(double),
}};
#undef ROW
#undef NONE

}  // namespace taut::TAUT_ISA
HWY_AFTER_NAMESPACE();
