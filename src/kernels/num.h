// One number that reads like a pack of them: float and double as libm computes them (what tests compare the vector
// maths with, and what that falls back on without fused multiply-add), int64_t as every integer dtype and bool is
// computed: wrapping, never undefined.
#pragma once
#include <cstdint>
#include <type_traits>

#include "kernels/pointwise.h"
#include "kernels/special.h"

namespace taut::TAUT_ISA {

template <class T>
struct Num {
  static constexpr bool kInteger = std::is_integral_v<T>;
  using Unsigned = std::conditional_t<!kInteger, T, std::conditional_t<sizeof(T) == 8, uint64_t, uint32_t>>;  // wraps
  static constexpr int kBits = 8 * sizeof(T);

  struct Mask {
    bool m;
    friend Mask operator&(Mask a, Mask b) { return {static_cast<bool>(a.m & b.m)}; }
    friend Mask operator|(Mask a, Mask b) { return {static_cast<bool>(a.m | b.m)}; }
    friend Mask operator^(Mask a, Mask b) { return {a.m != b.m}; }
    friend Mask operator!(Mask a) { return {!a.m}; }
  };
  T v;

  Num(double x) : v(from(x)) {}
  Num(Attribute x) : v(kInteger ? static_cast<T>(x.whole) : static_cast<T>(x.real)) {}
  static Num of(T x) {
    Num r(0.0);
    r.v = x;
    return r;
  }

  friend Num operator+(Num a, Num b) { return of(static_cast<T>(Unsigned(a.v) + Unsigned(b.v))); }
  friend Num operator-(Num a, Num b) { return of(static_cast<T>(Unsigned(a.v) - Unsigned(b.v))); }
  friend Num operator*(Num a, Num b) { return of(static_cast<T>(Unsigned(a.v) * Unsigned(b.v))); }
  friend Num operator-(Num a) {
    if constexpr (kInteger) return of(static_cast<T>(0 - Unsigned(a.v)));
    else return of(-a.v);
  }
  friend Num operator/(Num a, Num b) {
    if constexpr (kInteger) return trunc_div(a, b);
    else return of(a.v / b.v);
  }
  friend Mask operator<(Num a, Num b) { return {a.v < b.v}; }
  friend Mask operator>(Num a, Num b) { return {a.v > b.v}; }
  friend Mask operator<=(Num a, Num b) { return {a.v <= b.v}; }
  friend Mask operator>=(Num a, Num b) { return {a.v >= b.v}; }
  friend Mask operator==(Num a, Num b) { return {a.v == b.v}; }
  friend Mask operator!=(Num a, Num b) { return {a.v != b.v}; }
  friend Mask not_negative(Num a) { return {a.v >= 0}; }
  friend Num where(Mask c, Num a, Num b) { return c.m ? a : b; }

  friend Num max(Num a, Num b) { return a.v != a.v || a.v > b.v ? a : b; }
  friend Num min(Num a, Num b) { return a.v != a.v || a.v < b.v ? a : b; }
  friend Num abs(Num a) {
    if constexpr (kInteger) return a.v < 0 ? -a : a;
    else return of(__builtin_copysign(a.v, T(0)));
  }
  friend Num sign(Num a) { return a.v > 0 ? 1 : a.v < 0 ? -1 : 0; }
  friend Num copysign(Num a, Num b) {
    if constexpr (kInteger) return (a.v < 0) != (b.v < 0) ? -a : a;
    else return of(static_cast<T>(__builtin_copysign(a.v, b.v)));
  }

  // Whole-number results.
  friend Num floor(Num a) {
    if constexpr (kInteger) return a;
    else return of(static_cast<T>(__builtin_floor(a.v)));
  }
  friend Num ceil(Num a) {
    if constexpr (kInteger) return a;
    else return of(static_cast<T>(__builtin_ceil(a.v)));
  }
  friend Num round(Num a) {
    if constexpr (kInteger) return a;
    else return of(static_cast<T>(__builtin_nearbyint(a.v)));
  }
  friend Num trunc(Num a) {
    if constexpr (kInteger) return a;
    else return of(static_cast<T>(__builtin_trunc(a.v)));
  }
  friend Num trunc_div(Num a, Num b) {
    if constexpr (!kInteger) return trunc(a / b);
    else {
      if (b.v == 0) special::throw_zero_division();
      return b.v == -1 ? -a : of(a.v / b.v);  // INT64_MIN / -1 would trap
    }
  }
  friend Num fmod(Num a, Num b) {
    if constexpr (kInteger) {
      if (b.v == 0) special::throw_zero_division();
      return b.v == -1 ? Num(0) : of(a.v % b.v);
    } else if constexpr (sizeof(T) == 4) {
      return of(__builtin_fmodf(a.v, b.v));
    } else {
      return of(__builtin_fmod(a.v, b.v));
    }
  }
  friend Num remainder(Num a, Num b) {
    const Num r = fmod(a, b);
    return r.v != 0 && (r.v < 0) != (b.v < 0) ? r + b : r;
  }
  friend Num floor_div(Num a, Num b) {
    if constexpr (kInteger) {
      const Num q = trunc_div(a, b), r = fmod(a, b);
      return r.v != 0 && (r.v < 0) != (b.v < 0) ? q - 1 : q;
    } else {  // as Python: consistent with remainder, where floor(a / b) may be one off
      if (b.v == 0) return a / b;
      const Num r = fmod(a, b);
      Num q = (a - r) / b;
      if (r.v != 0 && (r.v < 0) != (b.v < 0)) q = q - 1;
      if (q.v == 0) return copysign(0, a / b);
      const Num whole = floor(q);
      return q.v - whole.v > T(0.5) ? whole + 1 : whole;
    }
  }
  friend Num pow(Num a, Num b) {
    if constexpr (kInteger) {
      if (b.v < 0) return a.v == 1 ? Num(1) : a.v == -1 ? Num(b.v % 2 ? -1 : 1) : Num(0);
      Num r = 1;
      for (uint64_t e = static_cast<uint64_t>(b.v); e; e >>= 1, a = a * a)
        if (e & 1) r = r * a;
      return r;
    } else if constexpr (sizeof(T) == 4) {
      return of(__builtin_powf(a.v, b.v));
    } else {
      return of(__builtin_pow(a.v, b.v));
    }
  }

  // Integers only. A shift by all bits or more, or by a negative count, leaves only the sign (right) or nothing (left).
  friend Num bit_and(Num a, Num b) { return of(a.v & b.v); }
  friend Num bit_or(Num a, Num b) { return of(a.v | b.v); }
  friend Num bit_xor(Num a, Num b) { return of(a.v ^ b.v); }
  friend Num bit_not(Num a) { return of(~a.v); }
  friend Num shift_left(Num a, Num b) {
    return of(static_cast<uint64_t>(b.v) < kBits ? static_cast<T>(static_cast<uint64_t>(a.v) << b.v) : 0);
  }
  friend Num shift_right(Num a, Num b) {
    return of(a.v >> (static_cast<uint64_t>(b.v) < kBits ? b.v : kBits - (T(-1) < T(0))));
  }

  // Floats only.
#define TAUT_LIBM1(name)                                               \
  friend Num name(Num a) {                                             \
    if constexpr (sizeof(T) == 4) return of(__builtin_##name##f(a.v)); \
    else return of(__builtin_##name(a.v));                             \
  }
#define TAUT_LIBM2(name)                                                    \
  friend Num name(Num a, Num b) {                                           \
    if constexpr (sizeof(T) == 4) return of(__builtin_##name##f(a.v, b.v)); \
    else return of(__builtin_##name(a.v, b.v));                             \
  }
  TAUT_LIBM1(sqrt)
  TAUT_LIBM1(exp)
  TAUT_LIBM1(exp2)
  TAUT_LIBM1(expm1)
  TAUT_LIBM1(log)
  TAUT_LIBM1(log2)
  TAUT_LIBM1(log10)
  TAUT_LIBM1(log1p)
  TAUT_LIBM1(sin)
  TAUT_LIBM1(cos)
  TAUT_LIBM1(tan)
  TAUT_LIBM1(asin)
  TAUT_LIBM1(acos)
  TAUT_LIBM1(atan)
  TAUT_LIBM1(sinh)
  TAUT_LIBM1(cosh)
  TAUT_LIBM1(tanh)
  TAUT_LIBM1(asinh)
  TAUT_LIBM1(acosh)
  TAUT_LIBM1(atanh)
  TAUT_LIBM1(erf)
  TAUT_LIBM1(erfc)
  TAUT_LIBM2(atan2)
  TAUT_LIBM2(hypot)
#undef TAUT_LIBM1
#undef TAUT_LIBM2
  friend Num sigmoid(Num a) { return 1 / (1 + exp(-a)); }
  friend Num lgamma(Num a) { return special::lgamma(a.v); }
  friend Num erfinv(Num a) { return special::erfinv(a.v); }
  friend Num digamma(Num a) { return special::digamma(a.v); }
  friend Num polygamma(double n, Num a) { return special::polygamma(n, a.v); }

 private:
  static T from(double x) {
    if constexpr (!kInteger) return static_cast<T>(x);
    else
      return static_cast<T>(x >= -9223372036854775808.0 && x < 9223372036854775808.0 ? static_cast<int64_t>(x)
                                                                                     : INT64_MIN);
  }
};

}  // namespace taut::TAUT_ISA
