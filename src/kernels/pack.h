// A pack: one SIMD register that reads like a number, and the vector maths on it.
//
// What a formula may say (every number type has all of it; * marks what derivatives use, so tensors need only those):
//   + - * / unary-  < > <= >= == !=  & | !  where abs sign sqrt max min (nan wins) not_negative                  *
//   trunc floor_div exp exp2 log log1p sin cos sinh cosh tanh sigmoid erf digamma polygamma(n, x) pow            *
//   ^ floor ceil round trunc_div fmod remainder copysign hypot expm1 log2 log10 tan asin acos atan atan2 asinh acosh
//   atanh erfc erfinv lgamma; integers only: bit_and bit_or bit_xor bit_not shift_left shift_right
//
// A lane's result never depends on its neighbours, nor on the instruction set if that has fused multiply-add: libm,
// whose bits differ between machines, is only asked for what is exact (fmod). Polynomials are Chebyshev fits of our
// own, in rising powers.
#pragma once
#include <hwy/highway.h>

#include "kernels/isa/vector.h"
#include "kernels/num.h"
#include "kernels/pointwise.h"

namespace taut::TAUT_ISA {

template <class T>
struct Pack {
  using D = Tag<T>;
  using V = Vec<T>;
  using DU = hn::RebindToUnsigned<D>;
  using Bits = hwy::MakeUnsigned<T>;
  static constexpr int kLanes = TAUT_ISA::kLanes<T>;
  static constexpr bool kSingle = sizeof(T) == 4;
  static constexpr int kMantissa = kSingle ? 23 : 52;
  static constexpr bool kFma = HWY_NATIVE_FMA;

  struct Mask {
    hn::Mask<D> m;
    friend HWY_INLINE Mask operator&(Mask a, Mask b) { return {hn::And(a.m, b.m)}; }
    friend HWY_INLINE Mask operator|(Mask a, Mask b) { return {hn::Or(a.m, b.m)}; }
    friend HWY_INLINE Mask operator^(Mask a, Mask b) { return {hn::Xor(a.m, b.m)}; }
    friend HWY_INLINE Mask operator!(Mask a) { return {hn::Not(a.m)}; }
    friend HWY_INLINE Mask operator==(Mask a, Mask b) { return !(a ^ b); }
    friend HWY_INLINE bool all(Mask a) { return hn::AllTrue(D(), a.m); }
  };
  V v;

  HWY_INLINE Pack(V x) : v(x) {}
  HWY_INLINE Pack(double x) : v(hn::Set(D(), static_cast<T>(x))) {}
  HWY_INLINE Pack(Attribute x) : Pack(x.real) {}
  static HWY_INLINE Pack load(const T* p) { return hn::LoadU(D(), p); }
  HWY_INLINE void store(T* p) const { hn::StoreU(v, D(), p); }

  friend HWY_INLINE Pack operator+(Pack a, Pack b) { return hn::Add(a.v, b.v); }
  friend HWY_INLINE Pack operator-(Pack a, Pack b) { return hn::Sub(a.v, b.v); }
  friend HWY_INLINE Pack operator*(Pack a, Pack b) { return hn::Mul(a.v, b.v); }
  friend HWY_INLINE Pack operator/(Pack a, Pack b) { return hn::Div(a.v, b.v); }
  friend HWY_INLINE Pack operator-(Pack a) { return hn::Neg(a.v); }
  friend HWY_INLINE Mask operator<(Pack a, Pack b) { return {hn::Lt(a.v, b.v)}; }
  friend HWY_INLINE Mask operator>(Pack a, Pack b) { return {hn::Gt(a.v, b.v)}; }
  friend HWY_INLINE Mask operator<=(Pack a, Pack b) { return {hn::Le(a.v, b.v)}; }
  friend HWY_INLINE Mask operator>=(Pack a, Pack b) { return {hn::Ge(a.v, b.v)}; }
  friend HWY_INLINE Mask operator==(Pack a, Pack b) { return {hn::Eq(a.v, b.v)}; }
  friend HWY_INLINE Mask operator!=(Pack a, Pack b) { return !(a == b); }  // Highway's Ne is false for nan
  friend HWY_INLINE Mask not_negative(Pack a) { return a >= 0; }
  friend HWY_INLINE Pack where(Mask c, Pack a, Pack b) { return hn::IfThenElse(c.m, a.v, b.v); }
  friend HWY_INLINE Pack fma(Pack a, Pack b, Pack c) { return hn::MulAdd(a.v, b.v, c.v); }

  friend HWY_INLINE Pack max(Pack a, Pack b) { return where(a != a, a, larger_of(a.v, b.v)); }
  friend HWY_INLINE Pack min(Pack a, Pack b) { return where(a != a, a, smaller_of(a.v, b.v)); }
  /// A nan stays, as in at_most.
  friend HWY_INLINE Pack limit(Pack x, double low, double high) {
    return smaller_of(Pack(high).v, larger_of(Pack(low).v, x.v));
  }
  friend HWY_INLINE Pack at_most(double high, Pack x) { return smaller_of(Pack(high).v, x.v); }
  friend HWY_INLINE Pack abs(Pack a) { return hn::Abs(a.v); }
  friend HWY_INLINE Pack sign(Pack a) { return where(a > 0, 1, where(a < 0, -1, 0)); }
  friend HWY_INLINE Pack copysign(Pack a, Pack b) { return hn::CopySign(a.v, b.v); }
  friend HWY_INLINE Pack sqrt(Pack a) { return hn::Sqrt(a.v); }
  friend HWY_INLINE Pack floor(Pack a) { return hn::Floor(a.v); }
  friend HWY_INLINE Pack ceil(Pack a) { return hn::Ceil(a.v); }
  friend HWY_INLINE Pack round(Pack a) { return hn::Round(a.v); }
  friend HWY_INLINE Pack trunc(Pack a) { return hn::Trunc(a.v); }
  friend HWY_INLINE Pack trunc_div(Pack a, Pack b) { return trunc(a / b); }

  // Lane by lane, as Num computes it.
#define TAUT_LANES1(name)                                         \
  friend HWY_NOINLINE Pack name(Pack a) {                         \
    return lanes(a, a, [](Num<T> x, Num<T>) { return name(x); }); \
  }
#define TAUT_LANES2(name)                                              \
  friend HWY_NOINLINE Pack name(Pack a, Pack b) {                      \
    return lanes(a, b, [](Num<T> x, Num<T> y) { return name(x, y); }); \
  }
  TAUT_LANES1(lgamma)
  TAUT_LANES1(digamma)
  TAUT_LANES1(erfinv)
  TAUT_LANES2(fmod)
  TAUT_LANES2(remainder)
  TAUT_LANES2(floor_div)
#undef TAUT_LANES1
#undef TAUT_LANES2
  friend HWY_NOINLINE Pack polygamma(double n, Pack a) {
    return lanes(a, a, [n](Num<T> x, Num<T>) { return polygamma(n, x); });
  }

  // Exponentials.
  friend HWY_INLINE Pack exp(Pack x) { return exp_sum<false>(x, 0); }
  friend HWY_INLINE Pack exp2(Pack x) {
    x = kSingle ? limit(x, -151, 129) : limit(x, -1077, 1025);
    const Pack t = x + kMagic, n = t - kMagic;
    return scale(exp_near((x - n) * 0.6931471805599453), t);
  }
  friend HWY_INLINE Pack expm1(Pack x) {
    const Pack z = kSingle ? limit(x, -30, 89) : limit(x, -50, 710);
    Pack n = 0;
    const Pack r = reduce(z, n);
    // 2 (2^(n-1) (p + 1) - 1/2): 2^n alone would overflow one step too early.
    const Pack half = power_of_two(n - 1), y = 2 * fma(half, expm1_near(r), half - 0.5);
    return where(abs(x) < 1e-17, x, y);
  }
  friend HWY_INLINE Pack sigmoid(Pack x) { return 1 / (1 + exp(-x)); }
  friend HWY_INLINE Pack tanh(Pack x) {
    Pack n = 0;  // as expm1 does it, for arguments that are neither negative nor large
    const Pack r = reduce(2 * at_most(20, abs(x)), n);
    const Pack power = power_of_two(n), e = fma(power, expm1_near(r), power - 1);
    return hn::CopySign((e / (e + 2)).v, x.v);
  }
  friend HWY_NOINLINE Pack sinh(Pack x) {
    const Pack a = abs(x), e = expm1(a);
    Pack y = 0.5 * (e + e / (e + 1));
    const Mask large = a > (kSingle ? 80 : 700);
    if (!all(!large)) {
      const Pack half = exp(0.5 * a);
      y = where(large, 0.5 * half * half, y);
    }
    return hn::CopySign(y.v, x.v);
  }
  friend HWY_NOINLINE Pack cosh(Pack x) {
    const Pack a = abs(x), e = exp(a);
    Pack y = 0.5 * e + 0.5 / e;
    const Mask large = a > (kSingle ? 80 : 700);
    if (!all(!large)) {
      const Pack half = exp(0.5 * a);
      y = where(large, 0.5 * half * half, y);
    }
    return y;
  }

  // Logarithms.
  friend HWY_INLINE Pack log(Pack x) { return log_sum<false>(x, 0); }
  friend HWY_INLINE Pack log1p(Pack x) {
    const Pack u = 1 + x, back = u - 1;
    const Pack lost = (1 - (u - back)) + (x - back);  // what rounding took from 1 + x
    return where(x == 0, x, log_sum<true>(u, lost / u));
  }
  friend HWY_INLINE Pack log2(Pack x) {
    Pack k = 0;
    const Pack m = split(x, k);
    const Pack y = fma(1.4426950408889634, log_near(m - 1, 0), k);
    return log_edges(x, y);
  }
  friend HWY_NOINLINE Pack log10(Pack x) {
    // With digits to spare, so that powers of ten come out whole.
    if constexpr (kSingle) {
      return in_double(x, x, [](auto a, auto) HWY_ATTR { return log(a) * 0.4342944819032518; });
    } else if constexpr (kFma) {
      Pack low = 0;
      const Pack high = log_in_two(x, low), y = high * 0.4342944819032518;
      const Pack rest = fma(high, 0.4342944819032518, -y) + fma(high, 1.098319650216765e-17, low * 0.4342944819032518);
      return log_edges(x, y + rest);
    } else {
      return lanes(x, x, [](Num<T> a, Num<T>) { return log10(a); });
    }
  }
  friend HWY_NOINLINE Pack asinh(Pack x) {
    const Pack a = abs(x), s = a * a;
    const Mask large = a > (kSingle ? 4096.0 : 268435456.0);
    const Pack z = where(large, a, a + s / (1 + sqrt(1 + s)));
    const Pack y = where(large, log(a) + 0.6931471805599453, log1p(z));
    return hn::CopySign(y.v, x.v);
  }
  friend HWY_NOINLINE Pack acosh(Pack x) {
    const Pack t = x - 1;
    const Mask large = x > (kSingle ? 4096.0 : 268435456.0);
    const Pack y = where(large, log(x) + 0.6931471805599453, log1p(t + sqrt(2 * t + t * t)));
    return where(x < 1, __builtin_nan(""), y);
  }
  friend HWY_NOINLINE Pack atanh(Pack x) {
    const Pack a = abs(x);
    return hn::CopySign((0.5 * log1p(2 * a / (1 - a))).v, x.v);
  }

  // Trigonometry.
  friend HWY_NOINLINE Pack sin(Pack x) {
    Pack r = 0;
    const auto q = quadrant(x, r);
    return where(x == 0, x, flip(where(odd(q), cos_near(r), sin_near(r)), q));
  }
  friend HWY_NOINLINE Pack cos(Pack x) {
    Pack r = 0;
    const auto q = quadrant(x, r);
    return flip(where(odd(q), sin_near(r), cos_near(r)), hn::Add(q, hn::Set(DU(), 1)));
  }
  friend HWY_NOINLINE Pack tan(Pack x) {
    Pack r = 0;
    const Mask swap = odd(quadrant(x, r));
    const Pack s = sin_near(r), c = cos_near(r);
    return where(x == 0, x, where(swap, -c, s) / where(swap, s, c));
  }
  friend HWY_NOINLINE Pack asin(Pack x) {
    const Pack a = abs(x);
    const Mask large = a >= 0.5;
    const Pack z = where(large, 0.5 * (1 - a), a * a), s = where(large, sqrt(z), a);
    const Pack p = s * z * asin_series(z);
    const Pack y = where(large, kHalfPi - 2 * (s + (p - kHalfPiLow / 2)), s + p);
    return hn::CopySign(y.v, x.v);
  }
  friend HWY_NOINLINE Pack acos(Pack x) {
    const Pack a = abs(x);
    const Mask large = a >= 0.5;
    const Pack z = where(large, 0.5 * (1 - a), a * a), s = where(large, sqrt(z), a);
    const Pack p = s * z * asin_series(z);
    const Pack near = kHalfPi - (x - (kHalfPiLow - copysign(p, x)));
    const Pack right = 2 * (s + p), left = 2 * (kHalfPi - (s + (p - kHalfPiLow)));
    return where(large, where(x > 0, right, left), near);
  }
  friend HWY_NOINLINE Pack atan(Pack x) {
    const Pack a = abs(x);
    const Mask large = a > 2.414213562373095, middle = a > 0.4142135623730950;
    const Pack t = where(large, -1 / a, where(middle, (a - 1) / (a + 1), a)), z = t * t;
    Pack p = 0;
    if constexpr (kSingle) {
      p = poly(z, -0.333333317604345559, 0.199995403149579694, -0.14263949753605724, 0.107436683248300981,
               -0.0645171886935895807);
    } else {
      p = poly(z, -0.333333333333333302, 0.199999999999955165, -0.142857142846656808, 0.111111110151870187,
               -0.0909090457530648908, 0.0769218312537689209, -0.066645105255089366, 0.0585814090486632828,
               -0.0508540783458948426, 0.0392304477847930952, -0.0191754047111049337);
    }
    const Pack base = where(large, kHalfPi, where(middle, kHalfPi / 2, 0));
    const Pack low = where(large, kHalfPiLow, where(middle, kHalfPiLow / 2, 0));
    return hn::CopySign((base + (t + fma(t * z, p, low))).v, x.v);
  }
  friend HWY_NOINLINE Pack atan2(Pack a, Pack b) {
    if constexpr (kSingle) return in_double(a, b, [](auto y, auto x) HWY_ATTR { return atan2(y, x); });
    const Pack y = abs(a), x = abs(b), inf = __builtin_inf();
    const Pack low = where(y < x, y, x), high = where(y < x, x, y);
    // Two zeros, or two infinities, are as if equal to 0, or to each other.
    const Pack q = where(high == 0, 0, where(low == inf, 1, low / high));
    Pack angle = atan(q);
    angle = where(y > x, kHalfPi - (angle - kHalfPiLow), angle);
    const Mask left = {
        hn::RebindMask(D(), hn::TestBit(hn::BitCast(DU(), b.v), hn::Set(DU(), Bits{1} << (8 * sizeof(T) - 1))))};
    angle = where(left, 2 * kHalfPi - (angle - 2 * kHalfPiLow), angle);
    return where((a != a) | (b != b), a + b, hn::CopySign(angle.v, a.v));
  }
  friend HWY_NOINLINE Pack hypot(Pack a, Pack b) {
    const Pack inf = __builtin_inf();
    Pack y = 0;
    if constexpr (kSingle) {
      y = in_double(a, b, [](auto x, auto z) HWY_ATTR { return sqrt(fma(x, x, z * z)); });
    } else {  // brought to where squares neither overflow nor vanish
      const Pack m = max(abs(a), abs(b));
      const Pack factor = where(m > 0x1p500, 0x1p-600, where(m < 0x1p-400, 0x1p600, 1));
      const Pack x = a * factor, z = b * factor;
      y = sqrt(fma(x, x, z * z)) / factor;
    }
    return where((abs(a) == inf) | (abs(b) == inf), inf, y);
  }

  // The error function.
  friend HWY_NOINLINE Pack erf(Pack x) {
    const Pack a = abs(x), near = erf_near(x);
    const Mask small = a < 0.75;
    if (all(small)) return near;
    Pack far = 0;
    if constexpr (kSingle) {
      const Pack b = at_most(4, a);  // the logarithm of erfc is nearly a parabola
      const Pack p = poly(b, -0.0000213152746164293198, -1.12843397281142762, -0.635840655422522611,
                          -0.105165817462132243, 0.02284902855571259, -0.00320598453167127329, 0.000213196985023999648);
      far = 1 - exp_sum<false, false>(p, 0);
    } else {
      const Pack b = limit(a, 0, 6.5);
      far = 1 - exp(-(b * b)) * erfcx(b);
    }
    return where(small, near, hn::CopySign(far.v, x.v));
  }
  friend HWY_NOINLINE Pack erfc(Pack x) {
    const Pack near = 1 - erf_near(x), a = limit(abs(x), 0, kSingle ? 10.5 : 27.5);
    const Mask small = (x > -0.75) & (x < 0.5);
    if (all(small)) return near;
    // exp(-a^2) to the last bit needs more of a^2 than one number holds: head^2 is exact, the rest is small.
    const Pack head = hn::And(a.v, hn::BitCast(D(), hn::Set(DU(), ~Bits{0} << (kSingle ? 12 : 27))));
    const Pack tail = exp_sum<true>(-(head * head), -((a - head) * (a + head))) * erfcx(a);
    return where(small, near, where(x < 0, 2 - tail, tail));
  }

  /// The probability that a normal number is below x. The binary logarithm of the tail is nearly a parabola.
  friend HWY_INLINE Pack normal_cdf(Pack x) {
    if constexpr (!kSingle) return 0.5 * (1 + erf(0.7071067811865476 * x));
    const Pack a = at_most(10.75, abs(x));  // of which nothing is left
    const Pack p = poly(a, -0.999999966, -1.15110648, -0.459197479, -0.0525313785, 0.00711929941, -0.000183793855,
                        -0.000165080507, 3.458507e-05, -2.40628714e-06);
    const Pack t = p + kMagic, n = t - kMagic;
    const Pack power =
        poly(p - n, 1, 0.693147206, 0.240226469, 0.0555032878, 0.00961848897, 0.00133999312, 0.000153458087);
    const Pack tail = scale(power, t);
    return where(x < 0, tail, 1 - tail);
  }

  friend HWY_NOINLINE Pack pow(Pack a, Pack b) {
    const Pack big = kSingle ? 3.4028234663852886e38 : 1.7976931348623157e308, base = abs(a);
    const Mask easy = (a > 0) & (a <= big) & (abs(b) <= big);
    Pack y = 0;
    if constexpr (kSingle)
      y = in_double(base, b, [](auto x, auto e) HWY_ATTR { return exp(limit(e * log(x), -110, 90)); });
    else if constexpr (kFma) y = pow_double(base, b);
    else return lanes(a, b, [](Num<T> x, Num<T> e) { return pow(x, e); });
    if (HWY_LIKELY(all(easy))) return y;
    // A negative base has only whole powers, odd ones of its sign.
    const Mask whole = floor(b) == b, odd = whole & (floor(0.5 * b) != 0.5 * b);
    const Pack inf = __builtin_inf(), nan = __builtin_nan("");
    y = where((a == 0) | (base == inf), where((a == 0) == (b < 0), inf, 0), y);
    y = where(odd, hn::CopySign(y.v, a.v), where((a < 0) & (base <= big) & !whole, nan, y));
    y = where(abs(b) == inf, where(base == 1, 1, where((base > 1) == (b > 0), inf, 0)), y);
    y = where((a != a) | (b != b), nan, y);
    return where((a == 1) | (b == 0), 1, y);
  }

 private:
  using HalfD = hn::Half<D>;
  static constexpr T kLog2e = T(1.4426950408889634);
  static constexpr T kLn2 = kSingle ? T(0.693359375) : T(6.93147180369123816490e-01);  // short: n * kLn2 is exact
  static constexpr T kLn2Low = kSingle ? T(-2.12194440054690583e-4) : T(1.90821492927058770002e-10);
  static constexpr T kHalfPi = T(1.5707963267948966);
  static constexpr T kHalfPiLow = kSingle ? T(-4.371139000186241e-8) : T(6.123233995736766e-17);

  template <class F>
  static HWY_INLINE Pack lanes(Pack a, Pack b, F f) {
    alignas(64) T x[kLanes], y[kLanes];
    hn::Store(a.v, D(), x), hn::Store(b.v, D(), y);
    for (int i = 0; i < kLanes; ++i) x[i] = f(Num<T>::of(x[i]), Num<T>::of(y[i])).v;
    return hn::Load(D(), x);
  }
  /// f(a, b), computed in double.
  template <class F>
  static HWY_INLINE Pack in_double(Pack a, Pack b, F f) {
    using P = Pack<double>;
    const auto part = [&](auto x, auto y) HWY_ATTR {
      return hn::DemoteTo(HalfD(), f(P(hn::PromoteTo(P::D(), x)), P(hn::PromoteTo(P::D(), y))).v);
    };
    return hn::Combine(D(), part(hn::UpperHalf(HalfD(), a.v), hn::UpperHalf(HalfD(), b.v)),
                       part(hn::LowerHalf(HalfD(), a.v), hn::LowerHalf(HalfD(), b.v)));
  }

  static HWY_INLINE Pack poly(Pack, double c) { return c; }
  template <class... C>
  static HWY_INLINE Pack poly(Pack x, double c, C... rest) {
    if constexpr (sizeof...(C) < 5) return fma(poly(x, rest...), x, c);
    // A long chain of multiplications waits for itself: two of half the length do not.
    const Pack z = x * x;
    return fma(every_other(z, rest...), x, every_other(z, c, rest...));
  }
  template <class... C>
  static HWY_INLINE Pack every_other(Pack, double c, C...) {
    return c;
  }
  template <class... C>
  static HWY_INLINE Pack every_other(Pack z, double c, double, double next, C... rest) {
    return fma(every_other(z, next, rest...), z, c);
  }

  /// 2^n for a whole n of a normal result: the number is written into the exponent by way of a large constant.
  static HWY_INLINE Pack power_of_two(Pack n) {
    const Pack t = n + (kSingle ? 0x1.8p23 + 127 : 0x1.8p52 + 1023);
    return hn::BitCast(D(), hn::ShiftLeft<kMantissa>(hn::BitCast(DU(), t.v)));
  }
  /// Added to n, leaves n + 2 * bias in the low bits; subtracted again, gives n as a whole number.
  static constexpr T kMagic = kSingle ? T(0x1.8p23 + 254) : T(0x1.8p52 + 2046);
  /// y 2^n for t = n + kMagic. In two steps, so that it overflows to inf and underflows through the denormals as it
  /// should; AVX-512 has an instruction for it.
  static HWY_INLINE Pack scale(Pack y, Pack t) {
#if HWY_TARGET <= HWY_AVX3
    if constexpr (kSingle) return V{_mm512_scalef_ps(y.v.raw, (t - kMagic).v.raw)};
    else return V{_mm512_scalef_pd(y.v.raw, (t - kMagic).v.raw)};
#else
    const auto bits = hn::BitCast(DU(), t.v), half = hn::ShiftRight<1>(bits);
    return y * Pack(hn::BitCast(D(), hn::ShiftLeft<kMantissa>(half))) *
           Pack(hn::BitCast(D(), hn::ShiftLeft<kMantissa>(hn::Sub(bits, half))));
#endif
  }
  /// x - n log(2), n the whole number that makes it smallest.
  static HWY_INLINE Pack reduce(Pack x, Pack& n) {
    n = fma(x, kLog2e, kMagic) - kMagic;
    return fma(n, -kLn2Low, fma(n, -kLn2, x));
  }
  /// (exp(r) - 1 - r) / r^2 for |r| <= log(2) / 2
  static HWY_INLINE Pack exp_tail(Pack r) {
    if constexpr (kSingle) {
      return poly(r, 0.5, 0.166665766661199283, 0.0416665542129841503, 0.0083632328836826182, 0.00139262508314976117);
    } else {
      return poly(r, 0.500000000000001069, 0.166666666666664116, 0.0416666666665295535, 0.00833333333349483521,
                  0.00138888889438020658, 0.000198412695062249522, 0.0000248014929093615811, 2.7557586314408426e-6,
                  2.76303196148705803e-7, 2.50001932557302624e-8);
    }
  }
  static HWY_INLINE Pack expm1_near(Pack r) { return fma(r * r, exp_tail(r), r); }
  static HWY_INLINE Pack exp_near(Pack r) { return fma(fma(exp_tail(r), r, 1), r, 1); }
  /// exp(x + low), low much smaller than x; only if kLimit, x may be anything.
  template <bool kLow, bool kLimit = true>
  static HWY_INLINE Pack exp_sum(Pack x, Pack low) {
    if constexpr (kLimit) x = kSingle ? limit(x, -105, 90) : limit(x, -746, 711);
    const Pack t = fma(kLow ? x + low : x, kLog2e, kMagic), n = t - kMagic;
    Pack r = fma(n, -kLn2Low, fma(n, -kLn2, x));
    if constexpr (kLow) r = r + low;
    return scale(exp_near(r), t);
  }

  /// x = m 2^k with m in [sqrt(1/2), sqrt(2)), for positive finite x.
  static HWY_INLINE Pack split(Pack x, Pack& k) {
#if HWY_TARGET <= HWY_AVX3
    Pack m = 0;
    if constexpr (kSingle) {
      k = V{_mm512_getexp_ps(x.v.raw)};
      m = V{_mm512_getmant_ps(x.v.raw, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_src)};
    } else {
      k = V{_mm512_getexp_pd(x.v.raw)};
      m = V{_mm512_getmant_pd(x.v.raw, _MM_MANT_NORM_1_2, _MM_MANT_SIGN_src)};
    }
    const Mask large = m >= 1.4142135623730951;
    k = where(large, k + 1, k);
    return where(large, 0.5 * m, m);
#else
    constexpr Bits unit = kSingle ? 0x3f800000 : static_cast<Bits>(0x3ff0000000000000);
    constexpr Bits root = kSingle ? 0x3f3504f3 : static_cast<Bits>(0x3fe6a09e667f3bcd);
    constexpr Bits fraction = (Bits{1} << kMantissa) - 1;
    const Mask tiny = x < (kSingle ? 0x1p-126 : 0x1p-1022);
    x = where(tiny, x * 0x1p54, x);
    const auto bits = hn::Add(hn::BitCast(DU(), x.v), hn::Set(DU(), unit - root));
    // The exponent as a number: its bits under those of 2^mantissa.
    constexpr double large = kSingle ? 0x1p23 : 0x1p52;
    const auto exponent = hn::Or(hn::ShiftRight<kMantissa>(bits), hn::BitCast(DU(), Pack(large).v));
    k = Pack(hn::BitCast(D(), exponent)) - (large + (kSingle ? 127 : 1023)) - where(tiny, 54, 0);
    return hn::BitCast(D(), hn::Add(hn::And(bits, hn::Set(DU(), fraction)), hn::Set(DU(), root)));
#endif
  }
  /// log(1 + f) + low for 1 + f in [sqrt(1/2), sqrt(2)): f - f^2 / 2 + f^3 (...); the many digits of a double by way of
  /// s = f / (2 + f), as 2 atanh(s).
  static HWY_INLINE Pack log_near(Pack f, Pack low) {
    if constexpr (kSingle) {
      const Pack p = poly(f, 0.333333317075891061, -0.250008232370485498, 0.200012281889293055, -0.16623277570962721,
                          0.142016639942677695, -0.131608902608340006, 0.1276266438316531, -0.0763401991885825876);
      const Pack z = f * f;
      return f + fma(-0.5, z, fma(f * z, p, low));
    }
    const Pack s = f / (2 + f), z = s * s, half = 0.5 * f * f;
    const Pack p = poly(z, 0.666666666666666969, 0.399999999998993107, 0.285714286260633804, 0.222222111204492985,
                        0.181828901703139702, 0.153316868686384283, 0.146168789190298208);
    return f - (half - fma(s, half + z * p, low));
  }
  /// A logarithm y of x put right where x is not positive and finite.
  static HWY_INLINE Pack log_edges(Pack x, Pack y) {
    const Pack inf = __builtin_inf();
    constexpr Bits largest = kSingle ? 0x7f7fffff : static_cast<Bits>(0x7fefffffffffffff);
    const auto place = hn::Sub(hn::BitCast(DU(), x.v), hn::Set(DU(), 1));
    if (HWY_LIKELY(hn::AllTrue(DU(), hn::Lt(place, hn::Set(DU(), largest))))) return y;
    y = where(x < inf, y, x);
    return where(x <= 0, where(x == 0, -inf, __builtin_nan("")), y);
  }
  /// log(x) + low
  template <bool kLow>
  static HWY_INLINE Pack log_sum(Pack x, Pack low) {
    Pack k = 0;
    const Pack m = split(x, k);
    const Pack rest = kLow ? fma(k, kLn2Low, low) : k * kLn2Low;
    return log_edges(x, fma(k, kLn2, log_near(m - 1, rest)));
  }

  /// x = n pi/2 + r; the low bits of the result are those of n.
  static HWY_INLINE hn::Vec<DU> quadrant(Pack x, Pack& r) {
    const Pack magic = kSingle ? 0x1.8p23 : 0x1.8p52, t = fma(x, 0.6366197723675814, magic), n = t - magic;
    if constexpr (kSingle) {  // pieces short enough that n times each is exact
      r = fma(n, -1.5703125, x);
      r = fma(n, -0.0004837512969970703, r);
      r = fma(n, -7.549533620476723e-08, r);
      r = fma(n, -2.5633441515945188e-12, r);
    } else {
      r = fma(n, -1.5707963267341256, x);
      r = fma(n, -6.077100506303966e-11, r);
      r = fma(n, -2.0222662487959506e-21, r);
    }
    const auto q = hn::BitCast(DU(), t.v);
    const Mask near = abs(x) <= (kSingle ? 8192 : 1e6);
    return HWY_LIKELY(all(near)) ? q : far_quadrant(x, near, q, r);
  }
  /// The same lane by lane where x is not near.
  static HWY_NOINLINE hn::Vec<DU> far_quadrant(Pack x, Mask near, hn::Vec<DU> q, Pack& r) {
    alignas(64) T from[kLanes], rest[kLanes], done[kLanes];
    alignas(64) Bits n[kLanes];
    hn::Store(x.v, D(), from), hn::Store(r.v, D(), rest), hn::Store(where(near, 1, 0).v, D(), done);
    hn::Store(q, DU(), n);
    for (int i = 0; i < kLanes; ++i) {
      if (done[i] != 0) continue;
      double left;
      n[i] = static_cast<Bits>(special::quadrant(from[i], left));
      rest[i] = static_cast<T>(left);
    }
    r = hn::Load(D(), rest);
    return hn::Load(DU(), n);
  }
  static HWY_INLINE Mask odd(hn::Vec<DU> q) { return {hn::RebindMask(D(), hn::TestBit(q, hn::Set(DU(), 1)))}; }
  /// -y where the second bit of q is set.
  static HWY_INLINE Pack flip(Pack y, hn::Vec<DU> q) {
    const auto sign = hn::ShiftLeft < kSingle ? 30 : 62 > (hn::And(q, hn::Set(DU(), 2)));
    return hn::Xor(y.v, hn::BitCast(D(), sign));
  }
  static HWY_INLINE Pack sin_near(Pack r) {
    const Pack z = r * r;
    Pack p = 0;
    if constexpr (kSingle) {
      p = poly(z, -0.166666666638530441, 0.00833333187383708804, -0.00019840086263755442, 2.72498646551395837e-6);
    } else {
      p = poly(z, -0.166666666666666646, 0.0083333333333309461, -0.0001984126983675497, 2.75573161006830291e-6,
               -2.50511314554279474e-8, 1.59181012302741203e-10);
    }
    return fma(r * z, p, r);
  }
  static HWY_INLINE Pack cos_near(Pack r) {
    const Pack z = r * r, half = 0.5 * z, w = 1 - half;
    Pack p = 0;
    if constexpr (kSingle) {
      p = poly(z, 0.0416666666643193295, -0.00138888876712881087, 0.0000248005999835317089, -2.73009081679965387e-7);
    } else {
      p = poly(z, 0.0416666666666666654, -0.00138888888888873957, 0.0000248015872987634332, -2.75573172705603241e-7,
               2.08761460246897466e-9, -1.13826148685563246e-11);
    }
    return w + fma(z * z, p, (1 - w) - half);
  }
  /// (asin(s) - s) / s^3 for z = s^2 <= 1/4
  static HWY_INLINE Pack asin_series(Pack z) {
    if constexpr (kSingle) {
      return poly(z, 0.166666663374309071, 0.0750009454349742348, 0.0445994015285121837, 0.0311006627354945679,
                  0.0171492383576772532, 0.0336908472028301195);
    } else {
      return poly(z, 0.166666666666666678, 0.0749999999999843293, 0.0446428571463554298, 0.0303819441385312473,
                  0.0223721729421498879, 0.0173523927208699729, 0.0139712129735529333, 0.0114791774151849059,
                  0.0103228143501857793, 0.0054575067186403583, 0.0174008794426940224, -0.0148518870712472032,
                  0.0287578513674215647);
    }
  }

  /// erf(x) for |x| < 1
  static HWY_INLINE Pack erf_near(Pack x) {
    const Pack z = x * x;
    Pack p = 0;
    if constexpr (kSingle) {
      p = poly(z, 0.128379167061543415, -0.376126384680287104, 0.112837824952368445, -0.0268654307276702429,
               0.0052210318078580228, -0.000848408040553510629, 0.00011265959025606609, -9.66704457148699642e-6);
    } else {
      p = poly(z, 0.128379167095512574, -0.376126389031837481, 0.112837916709548787, -0.0268661706450767932,
               0.00522397762481801447, -0.000854832698083378991, 0.000120553311116427109, -0.0000149255952668311816,
               1.6461000484121368e-6, -1.6350312701054695e-7, 1.46597752740474358e-8, -1.13728488567916737e-9,
               5.9571761477489114e-11);
    }
    return fma(x, p, x);
  }
  /// exp(x^2) erfc(x) for x >= 1/2: (1 + 2x) times it is smooth in (x - 3) / (x + 3).
  static HWY_INLINE Pack erfcx(Pack x) {
    const Pack u = (x - 3) / (x + 3);
    Pack p = 0;
    if constexpr (kSingle) {
      p = poly(u, 1.2530080574731912, -0.135621050341858197, -0.047562215257977083, 0.129642775052451197,
               -0.119275295635211539, 0.0683360075484294561, -0.0237552610287336144, 0.00240087809582624813,
               0.00182234892403456161, -0.000544952487675981668);
    } else {
      p = poly(u, 1.25300805826972961, -0.135621106124580784, -0.0475622943534352638, 0.129645158702712525,
               -0.119273663416292578, 0.0683080273457886902, -0.0237705148943560215, 0.00252939178380630106,
               0.00188869005300709586, -0.000779831946529358998, -0.000105157563214346784, 0.000125097324338421162,
               4.93940621760044331e-6, -0.0000200924688138299735, -7.0280207320131421e-7, 3.45158397697371254e-6,
               3.05493176784969511e-7, -5.8315057182432465e-7, -8.63521969868815098e-8, 7.08602294863471161e-8,
               9.41363843349117392e-9);
    }
    return p / (1 + 2 * x);
  }

  /// The logarithm of a positive finite a in two numbers, the second much smaller; needs a true fused multiply-add.
  static HWY_INLINE Pack log_in_two(Pack a, Pack& low) {
    Pack k = 0;
    const Pack f = split(a, k) - 1;
    // log(1 + f) = 2s + 2/3 s^3 + s^5 (...), s = f / (2 + f); each name_ is what `name` lost to rounding.
    const Pack d = 2 + f, d_ = f - (d - 2);
    const Pack s = f / d, s_ = (fma(-s, d, f) - s * d_) / d;
    const Pack z = s * s, z_ = fma(s, s, -z) + 2 * s * s_;
    const Pack c = s * z, c_ = fma(s, z, -c) + s * z_ + s_ * z;
    const Pack t = c * 0.6666666666666666,
               t_ = fma(c, 0.6666666666666666, -t) + (c * 3.700743415417188e-17 + c_ * 0.6666666666666666);
    const Pack tail = c * z *
                      poly(z, 0.400000000000000271, 0.285714285713383871, 0.222222222711561893, 0.181818082387557468,
                           0.153855754366769716, 0.132859361587816503, 0.129138806050997413);
    const Pack whole = k * kLn2, twice = 2 * s;
    const Pack sum = whole + twice, sum_ = twice - (sum - whole);
    const Pack log = sum + t;
    low = (t - (log - sum)) + sum_ + (2 * s_ + t_ + tail + k * kLn2Low);
    return log;
  }
  /// pow for positive finite a, finite b.
  static HWY_INLINE Pack pow_double(Pack a, Pack b) {
    Pack low = 0;
    const Pack log = log_in_two(a, low);
    const Pack power = b * log, power_ = fma(b, log, -power) + b * low;
    return exp_sum<true>(limit(power, -800, 800), where(abs(power) < 800, power_, 0));
  }
};

/// Gradient times partial.
template <class T>
HWY_INLINE Pack<T> times(Pack<T> g, Pack<T> p) {
  return g * p;
}
template <class T>
HWY_INLINE Pack<T> times(Pack<T> g, double p) {
  return g * p;
}
template <class T>
HWY_INLINE Pack<T> times(Pack<T> g, typename Pack<T>::Mask p) {
  return where(p, g, 0);
}
template <class T>
HWY_INLINE Pack<T> times(Pack<T> g, One) {
  return g;
}
template <class T>
HWY_INLINE Pack<T> times(Pack<T> g, MinusOne) {
  return -g;
}
template <class T>
HWY_INLINE Pack<T> times(Pack<T>, Zero) {
  return 0;
}

}  // namespace taut::TAUT_ISA
