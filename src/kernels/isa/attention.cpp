// The parts of attention that are not matrix products: softmax in steps, and its derivative, on tiles of scores.
#include "kernels/isa/attention.h"

#include "kernels/isa/vector.h"

HWY_BEFORE_NAMESPACE();
namespace taut::TAUT_ISA {
namespace {

constexpr int kVectors = 2;  // a panel of the matrix product
template <class T>
constexpr int64_t kPanel = kVectors* kLanes<T>;
template <class T>
constexpr T kInfinity = static_cast<T>(__builtin_inf());

template <class T>
constexpr T kLog2E = static_cast<T>(1.4426950408889634);

/// 2^x for x up to 1; 0 far below the smallest normal result, a NaN for a NaN. float32 to 2 ulp: x = k + r, and a
/// polynomial for 2^r.
HWY_INLINE Vec<float> exp2(Vec<float> x) {
  const Tag<float> d;
  x = hn::Max(hn::Set(d, -127.f), x);               // x when it is a NaN
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
  const Vec<T> log2e = hn::Set(d, kLog2E<T>), none = hn::Set(d, -kInfinity<T>);
  Vec<T> old[kVectors], best[kVectors], total[kVectors], base[kVectors], factor[kVectors];
#pragma GCC unroll 2
  for (int v = 0; v < kVectors; ++v) old[v] = best[v] = hn::LoadU(d, top + v * N), total[v] = hn::Zero(d);
  for (int64_t r = 0; r < rows; ++r)
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      T* const at = scores + r * W + v * N;
      Vec<T> x = hn::LoadU(d, at);
      if (r > diagonal) {
        x = masked<T>(x, r, v * N, diagonal, -kInfinity<T>);
        hn::StoreU(x, d, at);
      }
      best[v] = hn::Max(x, best[v]);  // may miss a NaN, which the sum will not
    }
#pragma GCC unroll 2
  for (int v = 0; v < kVectors; ++v) base[v] = hn::IfThenZeroElse(hn::Eq(best[v], none), hn::Mul(best[v], log2e));
  for (int64_t r = 0; r < rows; ++r)
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      T* const at = scores + r * W + v * N;
      const Vec<T> e = exp2(hn::MulSub(hn::LoadU(d, at), log2e, base[v]));
      total[v] = hn::Add(total[v], e);
      hn::StoreU(e, d, at);
    }
  bool same = true;
#pragma GCC unroll 2
  for (int v = 0; v < kVectors; ++v) {
    same = same && hn::AllTrue(d, hn::Eq(old[v], best[v]));
    factor[v] = exp2(hn::MulSub(old[v], log2e, base[v]));
    hn::StoreU(hn::MulAdd(hn::LoadU(d, sum + v * N), factor[v], total[v]), d, sum + v * N);
    hn::StoreU(best[v], d, top + v * N);
  }
  if (same) return;
  for (int64_t e = 0; e < o_rows; ++e)
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      T* const at = o + e * W + v * N;
      hn::StoreU(hn::Mul(hn::LoadU(d, at), factor[v]), d, at);
    }
}

/// The greatest score adds 1 to the sum, but for rounding; where it does not, it is infinite or there is a NaN, and all
/// become NaN. A query whose keys are all masked gets zeros, and a logarithm from which backward makes zeros.
template <class T>
void softmax_end(const T* top, T* sum, T* lse) {
  const Tag<T> d;
  const auto nan = hn::Set(d, static_cast<T>(__builtin_nan(""))), infinity = hn::Set(d, kInfinity<T>);
  for (int64_t c = 0; c < kPanel<T>; c += kLanes<T>) {
    const Vec<T> s = hn::LoadU(d, sum + c), t = hn::LoadU(d, top + c);
    const auto good = hn::Ge(s, hn::Set(d, T(0.5))), masked = hn::Eq(s, hn::Zero(d));
    const Vec<T> bad_sum = hn::IfThenElse(masked, hn::Zero(d), nan), bad_lse = hn::IfThenElse(masked, infinity, nan);
    hn::StoreU(hn::IfThenElse(good, hn::Add(t, hn::Log(d, s)), bad_lse), d, lse + c);
    hn::StoreU(hn::IfThenElse(good, hn::Div(hn::Set(d, T(1)), s), bad_sum), d, sum + c);
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
      Vec<T> p = exp2(hn::Mul(hn::Sub(hn::LoadU(d, s), hn::LoadU(d, lse + c)), hn::Set(d, kLog2E<T>)));
      if (r > diagonal) p = masked<T>(p, r, c, diagonal, T(0));
      hn::StoreU(p, d, s);
      hn::StoreU(hn::Mul(p, hn::Sub(hn::LoadU(d, g), hn::LoadU(d, delta + c))), d, g);
    }
}

template <class T>
void scale(T* to, const T* x, int64_t n, T factor) {
  const Tag<T> d;
  constexpr int64_t N = kLanes<T>;
  const Vec<T> f = hn::Set(d, factor);
  int64_t i = 0;
  for (; i + N <= n; i += N) hn::StoreU(hn::Mul(hn::LoadU(d, x + i), f), d, to + i);
  if (i < n) store_part(hn::Mul(load_part(x + i, n - i, T(0)), f), to + i, n - i);
}

}  // namespace

#define K(T) \
  { softmax_step<T>, softmax_end<T>, backward_tile<T>, scale<T> }
extern const AttentionTable attention_table;
const AttentionTable attention_table = {K(float), K(double)};

}  // namespace taut::TAUT_ISA
HWY_AFTER_NAMESPACE();
