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
  Vec<T> old[kVectors], best[kVectors], total[kVectors], factor[kVectors];
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
      best[v] = greater<T>(best[v], x);
    }
  for (int64_t r = 0; r < rows; ++r)
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      T* const at = scores + r * W + v * N;
      const Vec<T> e = exp(hn::Sub(hn::LoadU(d, at), best[v]));
      total[v] = hn::Add(total[v], e);
      hn::StoreU(e, d, at);
    }
  bool same = true;
#pragma GCC unroll 2
  for (int v = 0; v < kVectors; ++v) {
    same = same && hn::AllTrue(d, hn::Eq(old[v], best[v]));
    factor[v] = exp(hn::Sub(old[v], best[v]));
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

/// The greatest score adds exactly 1 to the sum; where it does not, it is infinite or a NaN, and all become NaN. A
/// query whose keys are all masked gets zeros, and a logarithm from which backward makes zeros.
template <class T>
void softmax_end(const T* top, T* sum, T* lse) {
  const Tag<T> d;
  const auto nan = hn::Set(d, static_cast<T>(__builtin_nan(""))), infinity = hn::Set(d, kInfinity<T>);
  for (int64_t c = 0; c < kPanel<T>; c += kLanes<T>) {
    const Vec<T> s = hn::LoadU(d, sum + c), t = hn::LoadU(d, top + c);
    const auto good = hn::Ge(s, hn::Set(d, T(1))), masked = hn::Eq(t, hn::Neg(infinity));
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
      const Vec<T> x = hn::Sub(hn::LoadU(d, s), hn::LoadU(d, lse + c));
      Vec<T> p = hn::IfThenElse(hn::IsNaN(x), x, exp(x));
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
