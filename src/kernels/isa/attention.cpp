// The parts of attention that are not matrix products: softmax in steps, and its derivative, on tiles of scores.
#include "kernels/isa/attention.h"

#include "kernels/isa/vector.h"

HWY_BEFORE_NAMESPACE();
namespace taut::TAUT_ISA {
namespace {

template <class T>
constexpr int64_t kPanel = kVectors* kLanes<T>;
template <class T>
constexpr T kInfinity = static_cast<T>(__builtin_inf());

// A sum may grow to 2^8 times the greatest term it began with before all is brought to a greater one.
template <class T>
constexpr T kSlack = 8;

/// 2^x for x up to 127; 0 far below the smallest normal result, a NaN for a NaN. float32 to 2 ulp: x = k + r, and a
/// polynomial for 2^r.
HWY_INLINE Vec<float> exp2(Vec<float> x) {
  const Tag<float> d;
  x = larger_of(hn::Set(d, -127.f), x);             // x when it is a NaN
  const auto round = hn::Set(d, 12582912.f + 127);  // 1.5 * 2^23 + 127: adding it leaves the exponent in the low bits
  const auto shifted = hn::Add(x, round);
  const auto r = hn::Sub(x, hn::Sub(shifted, round));
  auto p = hn::MulAdd(hn::Set(d, 1.32647273e-3f), r, hn::Set(d, 9.67151299e-3f));
  p = hn::MulAdd(p, r, hn::Set(d, 5.55073358e-2f));
  p = hn::MulAdd(p, r, hn::Set(d, 0.240222424f));
  p = hn::MulAdd(p, r, hn::Set(d, 0.693147004f));
  p = hn::MulAdd(p, r, hn::Set(d, 1.f));
  const auto power = hn::BitCast(d, hn::ShiftLeft<23>(hn::BitCast(Tag<int32_t>(), shifted)));
  return hn::Mul(p, power);
}
HWY_INLINE Vec<double> exp2(Vec<double> x) {
  const Tag<double> d;
  return hn::IfThenElse(hn::IsNaN(x), x, hn::Exp(d, hn::Mul(x, hn::Set(d, 0.6931471805599453))));
}

/// `other` in the lanes of columns [c, c + lanes) that row r masks.
template <class T>
HWY_INLINE Vec<T> masked(Vec<T> x, int64_t r, int64_t c, int64_t diagonal, T other) {
  const Tag<T> d;
  const int64_t n = r - diagonal - c;
  if (n <= 0) return x;
  return hn::IfThenElse(hn::FirstN(d, static_cast<size_t>(n < kLanes<T> ? n : kLanes<T>)), hn::Set(d, other), x);
}

template <class T>
void softmax_step(T* scores, int64_t rows, int64_t diagonal, T* top, T* sum, T* o, int64_t o_rows) {
  const Tag<T> d;
  constexpr int64_t N = kLanes<T>, W = kPanel<T>;
  const Vec<T> none = hn::Set(d, -kInfinity<T>);
  Vec<T> old[kVectors], best[kVectors], other[kVectors], total[kVectors], base[kVectors];
#pragma GCC unroll 2
  for (int v = 0; v < kVectors; ++v) old[v] = best[v] = other[v] = hn::LoadU(d, top + v * N), total[v] = hn::Zero(d);
  for (int64_t r = diagonal < 0 ? 0 : diagonal + 1; r < rows; ++r)
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      T* const at = scores + r * W + v * N;
      hn::StoreU(masked<T>(hn::LoadU(d, at), r, v * N, diagonal, -kInfinity<T>), d, at);
    }
  const auto raise_best = [&](Vec<T>(&to)[kVectors], int64_t r) HWY_ATTR {  // may miss a NaN, which the sum will not
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) to[v] = larger_of(hn::LoadU(d, scores + r * W + v * N), to[v]);
  };
  int64_t r = 0;
  for (; r + 2 <= rows; r += 2) raise_best(best, r), raise_best(other, r + 1);  // neither waits for the other
  if (r < rows) raise_best(best, r);
  bool raise = false;
#pragma GCC unroll 2
  for (int v = 0; v < kVectors; ++v) {  // each lane for itself: which queries share a vector must not matter
    best[v] = larger_of(best[v], other[v]);
    const auto higher = hn::Gt(best[v], hn::Add(old[v], hn::Set(d, kSlack<T>)));
    raise = raise || !hn::AllFalse(d, higher);
    best[v] = hn::IfThenElse(higher, best[v], old[v]);
    base[v] = hn::IfThenZeroElse(hn::Eq(best[v], none), best[v]);
  }
  for (r = 0; r < rows; ++r)
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      T* const at = scores + r * W + v * N;
      const Vec<T> e = exp2(hn::Sub(hn::LoadU(d, at), base[v]));
      total[v] = hn::Add(total[v], e);
      hn::StoreU(e, d, at);
    }
#pragma GCC unroll 2
  for (int v = 0; v < kVectors; ++v) {
    Vec<T> before = hn::LoadU(d, sum + v * N);
    if (raise) {
      const Vec<T> factor = exp2(hn::Sub(old[v], base[v]));
      before = hn::Mul(before, factor);
      hn::StoreU(best[v], d, top + v * N);
      for (int64_t e = 0; e < o_rows; ++e) {
        T* const at = o + e * W + v * N;
        hn::StoreU(hn::Mul(hn::LoadU(d, at), factor), d, at);
      }
    }
    hn::StoreU(hn::Add(before, total[v]), d, sum + v * N);
  }
}

/// The greatest score adds at least 1 to the sum, but for rounding; where it does not, it is infinite or there is a
/// NaN, and all become NaN. A query whose keys are all masked gets zeros, and a logarithm from which backward makes
/// zeros.
template <class T>
void softmax_end(const T* top, const T* sum, T* lse, T* o, int64_t o_rows) {
  const Tag<T> d;
  constexpr int64_t N = kLanes<T>, W = kPanel<T>;
  const auto nan = hn::Set(d, static_cast<T>(__builtin_nan(""))), infinity = hn::Set(d, kInfinity<T>);
  for (int64_t c = 0; c < W; c += N) {
    const Vec<T> s = hn::LoadU(d, sum + c),
                 t = hn::Mul(hn::LoadU(d, top + c), hn::Set(d, static_cast<T>(0.6931471805599453)));
    const auto good = hn::Ge(s, hn::Set(d, T(0.5))), masked = hn::Eq(s, hn::Zero(d));
    const Vec<T> bad = hn::IfThenElse(masked, hn::Zero(d), nan), bad_lse = hn::IfThenElse(masked, infinity, nan);
    hn::StoreU(hn::IfThenElse(good, hn::Add(t, hn::Log(d, s)), bad_lse), d, lse + c);
    const Vec<T> factor = hn::IfThenElse(good, hn::Div(hn::Set(d, T(1)), s), bad);
    for (int64_t e = 0; e < o_rows; ++e) {
      T* const at = o + e * W + c;
      hn::StoreU(hn::Mul(hn::LoadU(d, at), factor), d, at);
    }
  }
}

template <class T>
void backward_tile(T* scores, T* dp, int64_t stride, int64_t rows, int64_t width, int64_t diagonal, const T* lse,
                   const T* delta) {
  const Tag<T> d;
  constexpr int64_t N = kLanes<T>;
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t c = 0; c < width; c += N) {
      T *const s = scores + r * stride + c, *const g = dp + r * stride + c;
      Vec<T> p = exp2(hn::Sub(hn::LoadU(d, s), hn::LoadU(d, lse + c)));
      if (r > diagonal) p = masked<T>(p, r, c, diagonal, T(0));
      hn::StoreU(p, d, s);
      hn::StoreU(hn::Mul(p, hn::Sub(hn::LoadU(d, g), hn::LoadU(d, delta + c))), d, g);
    }
}

template <class T>
void scale(T* x, int64_t n, T factor) {
  const Tag<T> d;
  const Vec<T> f = hn::Set(d, factor);
  for (int64_t i = 0; i < n; i += kLanes<T>) hn::StoreU(hn::Mul(hn::LoadU(d, x + i), f), d, x + i);
}

}  // namespace

#define K(T) \
  { softmax_step<T>, softmax_end<T>, backward_tile<T>, scale<T> }
extern const AttentionTable attention_table;
const AttentionTable attention_table = {K(float), K(double)};

}  // namespace taut::TAUT_ISA
HWY_AFTER_NAMESPACE();
