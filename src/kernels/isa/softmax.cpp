// Softmax and its logarithm, along contiguous rows and along columns side by side, for one instruction set.
#include "kernels/isa/softmax.h"

#include "kernels/isa/wide.h"

HWY_BEFORE_NAMESPACE();
namespace taut::TAUT_ISA {
namespace {
namespace wide {
// Sums are taken block by block: a long flat one would lose digits.
constexpr int64_t kBlock = 2048, kRows = 32;

template <class T>
HWY_INLINE T max_row(const T* x, int64_t n) {
  const Tag<T> d;
  constexpr int64_t N = kLanes<T>;
  const T low = -static_cast<T>(__builtin_inf());
  Vec<T> a = hn::Set(d, low), b = a, c = a, e = a;
  int64_t i = 0;
  for (; i + 4 * N <= n; i += 4 * N) {
    a = greater<T>(a, hn::LoadU(d, x + i));
    b = greater<T>(b, hn::LoadU(d, x + i + N));
    c = greater<T>(c, hn::LoadU(d, x + i + 2 * N));
    e = greater<T>(e, hn::LoadU(d, x + i + 3 * N));
  }
  for (; i + N <= n; i += N) a = greater<T>(a, hn::LoadU(d, x + i));
  if (i < n) b = greater<T>(b, load_part(x + i, n - i, low));
  const Vec<T> best = greater<T>(greater<T>(a, b), greater<T>(c, e));
  if (!hn::AllFalse(d, hn::IsNaN(best))) return static_cast<T>(__builtin_nan(""));
  return across<T>(best, [](auto, auto u, auto v) HWY_ATTR { return larger_of(u, v); });
}

/// The last step: divide by the sum, or subtract its logarithm. The greatest element adds exactly 1 to the sum; where
/// it does not, it is infinite or a NaN, and all become NaN.
template <bool Log, class T>
HWY_INLINE Vec<T> final_factor(Vec<T> sum) {
  const Tag<T> d;
  const auto nan = hn::Set(d, static_cast<T>(__builtin_nan("")));
  return hn::IfThenElse(hn::Ge(sum, hn::Set(d, T(1))), Log ? log<T>(sum) : hn::Div(hn::Set(d, T(1)), sum), nan);
}
/// v is x for the logarithm, else the exponential. Two subtractions: where |x| is large, the sum of the two constants
/// would round away the logarithm.
template <bool Log, class T>
HWY_INLINE Vec<T> final_step(Vec<T> v, Vec<T> top, Vec<T> factor) {
  return Log ? hn::Sub(hn::Sub(v, top), factor) : hn::Mul(v, factor);
}

/// The sum of exp(x - top), block by block. Not for the logarithm, the exponentials are left in y.
template <bool Log, class T>
HWY_INLINE T exponentials(T* y, const T* x, int64_t n, T greatest) {
  const Tag<T> d;
  constexpr int64_t N = kLanes<T>;
  const auto top = hn::Set(d, greatest);
  const auto part = [&](Vec<T> v) HWY_ATTR { return exp(hn::Sub(v, top)); };
  Vec<T> total = hn::Zero(d);
  for (int64_t begin = 0; begin < n; begin += kBlock) {
    const int64_t end = n - begin < kBlock ? n : begin + kBlock;
    Vec<T> a = hn::Zero(d), b = a;
    int64_t i = begin;
    for (; i + 2 * N <= end; i += 2 * N) {
      const Vec<T> u = part(hn::LoadU(d, x + i)), v = part(hn::LoadU(d, x + i + N));
      a = hn::Add(a, u);
      b = hn::Add(b, v);
      if (!Log) hn::StoreU(u, d, y + i);
      if (!Log) hn::StoreU(v, d, y + i + N);
    }
    for (; i < end; i += N) {
      const int64_t m = end - i < N ? end - i : N;
      const Vec<T> v = part(load_part(x + i, m, -static_cast<T>(__builtin_inf())));
      a = hn::Add(a, v);
      if (!Log) store_part(v, y + i, m);
    }
    total = hn::Add(total, hn::Add(a, b));
  }
  return sum_of_lanes<T>(total);
}
/// A vector of short rows at a time shares one logarithm or division.
template <bool Log, class T>
void rows(void* to, int64_t ys, const void* from, int64_t xs, int64_t n, int64_t count) {
  const Tag<T> d;
  constexpr int64_t N = kLanes<T>, kShort = 512;
  const int64_t together = n <= kShort ? N : 1;
  for (int64_t first = 0; first < count; first += together) {
    const int64_t m = count - first < together ? count - first : together;
    T* const y = static_cast<T*>(to) + first * ys;
    const T* const x = static_cast<const T*>(from) + first * xs;
    T tops[N], sums[N] = {};
    for (int64_t r = 0; r < m; ++r) {
      tops[r] = max_row(x + r * xs, n);
      sums[r] = exponentials<Log, T>(y + r * ys, x + r * xs, n, tops[r]);
    }
    hn::StoreU(final_factor<Log, T>(hn::LoadU(d, sums)), d, sums);
    for (int64_t r = 0; r < m; ++r) {
      const auto top = hn::Set(d, tops[r]), factor = hn::Set(d, sums[r]);
      const T* const source = Log ? x + r * xs : y + r * ys;
      T* const result = y + r * ys;
      int64_t i = 0;
      for (; i + N <= n; i += N) hn::StoreU(final_step<Log, T>(hn::LoadU(d, source + i), top, factor), d, result + i);
      if (i < n) store_part(final_step<Log, T>(load_part(source + i, n - i, T(0)), top, factor), result + i, n - i);
    }
  }
}

/// One vector of columns; load and store know how many of its lanes are there.
template <bool Log, class T, class Load, class Store>
HWY_INLINE void column(T* y, int64_t ys, const T* x, int64_t xs, int64_t n, Load load, Store store) {
  const Tag<T> d;
  Vec<T> top = load(x);
  for (int64_t i = 1; i < n; ++i) top = greater<T>(top, load(x + i * xs));
  Vec<T> total = hn::Zero(d);
  for (int64_t begin = 0; begin < n; begin += kRows) {
    Vec<T> sum = hn::Zero(d);
    for (int64_t i = begin; i < n && i < begin + kRows; ++i) {
      const Vec<T> v = exp(hn::Sub(load(x + i * xs), top));
      sum = hn::Add(sum, v);
      if (!Log) store(v, y + i * ys);
    }
    total = hn::Add(total, sum);
  }
  const auto factor = final_factor<Log, T>(total);
  for (int64_t i = 0; i < n; ++i)
    store(final_step<Log, T>(load(Log ? x + i * xs : y + i * ys), top, factor), y + i * ys);
}
template <bool Log, class T>
void columns(void* to, int64_t ys, const void* from, int64_t xs, int64_t n, int64_t width) {
  const Tag<T> d;
  constexpr int64_t N = kLanes<T>;
  T* const y = static_cast<T*>(to);
  const T* const x = static_cast<const T*>(from);
  int64_t j = 0;
  for (; j + N <= width; j += N)
    column<Log>(
        y + j, ys, x + j, xs, n, [&](const T* p) HWY_ATTR { return hn::LoadU(d, p); },
        [&](Vec<T> v, T* p) HWY_ATTR { hn::StoreU(v, d, p); });
  if (const int64_t m = width - j; m > 0)
    column<Log>(
        y + j, ys, x + j, xs, n, [&](const T* p) HWY_ATTR { return load_part(p, m, T(0)); },
        [&](Vec<T> v, T* p) HWY_ATTR { store_part(v, p, m); });
}

/// softmax: (g - sum(g y)) y; its logarithm: g - exp(y) sum(g)
template <bool Log, class T>
HWY_INLINE Vec<T> term(Vec<T> g, Vec<T> y, Vec<T> sum) {
  return Log ? hn::Add(sum, g) : hn::MulAdd(g, y, sum);
}
template <bool Log, class T>
HWY_INLINE Vec<T> gradient(Vec<T> g, Vec<T> y, Vec<T> sum) {
  if constexpr (!Log) return hn::Mul(hn::Sub(g, sum), y);
  else return hn::IfThenElse(hn::IsNaN(y), y, hn::NegMulAdd(exp(y), sum, g));  // exp knows no nan
}
template <bool Log, class T>
HWY_INLINE void backward_row(T* dx, const T* g, const T* y, int64_t n) {
  const Tag<T> d;
  constexpr int64_t N = kLanes<T>;
  Vec<T> total = hn::Zero(d);
  for (int64_t begin = 0; begin < n; begin += kBlock) {
    const int64_t end = n - begin < kBlock ? n : begin + kBlock;
    Vec<T> a = hn::Zero(d), b = a;
    int64_t i = begin;
    for (; i + 2 * N <= end; i += 2 * N) {
      a = term<Log, T>(hn::LoadU(d, g + i), hn::LoadU(d, y + i), a);
      b = term<Log, T>(hn::LoadU(d, g + i + N), hn::LoadU(d, y + i + N), b);
    }
    for (; i < end; i += N) {
      const int64_t m = end - i < N ? end - i : N;
      a = term<Log, T>(load_part(g + i, m, T(0)), load_part(y + i, m, T(0)), a);
    }
    total = hn::Add(total, hn::Add(a, b));
  }
  const auto sum = hn::Set(d, sum_of_lanes<T>(total));
  int64_t i = 0;
  for (; i + N <= n; i += N) hn::StoreU(gradient<Log, T>(hn::LoadU(d, g + i), hn::LoadU(d, y + i), sum), d, dx + i);
  if (const int64_t m = n - i; m > 0)
    store_part(gradient<Log, T>(load_part(g + i, m, T(0)), load_part(y + i, m, T(0)), sum), dx + i, m);
}
template <bool Log, class T>
void backward_rows(void* to, int64_t ds, const void* grad, int64_t gs, const void* result, int64_t ys, int64_t n,
                   int64_t count) {
  for (int64_t r = 0; r < count; ++r)
    backward_row<Log, T>(static_cast<T*>(to) + r * ds, static_cast<const T*>(grad) + r * gs,
                         static_cast<const T*>(result) + r * ys, n);
}
template <bool Log, class T>
void backward_columns(void* to, int64_t ds, const void* grad, int64_t gs, const void* result, int64_t ys, int64_t n,
                      int64_t width) {
  const Tag<T> d;
  constexpr int64_t N = kLanes<T>;
  T* const dx = static_cast<T*>(to);
  const T* const g = static_cast<const T*>(grad);
  const T* const y = static_cast<const T*>(result);
  const auto column = [&](int64_t j, auto load, auto store) HWY_ATTR {
    Vec<T> total = hn::Zero(d);
    for (int64_t begin = 0; begin < n; begin += kRows) {
      Vec<T> sum = hn::Zero(d);
      for (int64_t i = begin; i < n && i < begin + kRows; ++i)
        sum = term<Log, T>(load(g + i * gs + j), load(y + i * ys + j), sum);
      total = hn::Add(total, sum);
    }
    for (int64_t i = 0; i < n; ++i)
      store(gradient<Log, T>(load(g + i * gs + j), load(y + i * ys + j), total), dx + i * ds + j);
  };
  int64_t j = 0;
  for (; j + N <= width; j += N)
    column(
        j, [&](const T* p) HWY_ATTR { return hn::LoadU(d, p); }, [&](Vec<T> v, T* p) HWY_ATTR { hn::StoreU(v, d, p); });
  if (const int64_t m = width - j; m > 0)
    column(
        j, [&](const T* p) HWY_ATTR { return load_part(p, m, T(0)); },
        [&](Vec<T> v, T* p) HWY_ATTR { store_part(v, p, m); });
}

/// The sum of part(place, lanes) over a row in two strands, each added up block by block.
template <class T, class F>
HWY_INLINE T sum_row(int64_t n, F part) {
  const Tag<T> d;
  constexpr int64_t N = kLanes<T>;
  Vec<T> total = hn::Zero(d);
  for (int64_t begin = 0; begin < n; begin += kBlock) {
    const int64_t end = n - begin < kBlock ? n : begin + kBlock;
    Vec<T> a = hn::Zero(d), b = a;
    int64_t i = begin;
    for (; i + 2 * N <= end; i += 2 * N) {
      a = hn::Add(a, part(i, N));
      b = hn::Add(b, part(i + N, N));
    }
    for (; i < end; i += N) a = hn::Add(a, part(i, end - i < N ? end - i : N));
    total = hn::Add(total, hn::Add(a, b));
  }
  return sum_of_lanes<T>(total);
}
template <class T>
HWY_INLINE Vec<T> load_some(const T* x, int64_t n, T rest) {
  return HWY_LIKELY(n == kLanes<T>) ? hn::LoadU(Tag<T>(), x) : load_part(x, n, rest);
}

template <class T>
void row_sums(const void* from, int64_t n, double* top, double* sum) {
  const T* const x = static_cast<const T*>(from);
  const T greatest = max_row(x, n);
  const auto shift = hn::Set(Tag<T>(), greatest);
  *top = greatest;
  *sum = sum_row<T>(n, [&](int64_t i, int64_t m) HWY_ATTR {
    return exp(hn::Sub(load_some(x + i, m, -static_cast<T>(__builtin_inf())), shift));
  });
}
template <class T>
double row_weighted(const void* from, const void* weight, int64_t n) {
  const T* const x = static_cast<const T*>(from);
  const T* const w = static_cast<const T*>(weight);
  if (!w) return sum_row<T>(n, [&](int64_t i, int64_t m) HWY_ATTR { return load_some(x + i, m, T(0)); });
  return sum_row<T>(
      n, [&](int64_t i, int64_t m) HWY_ATTR { return hn::Mul(load_some(x + i, m, T(0)), load_some(w + i, m, T(0))); });
}
/// The logarithm comes in two parts, as in final_step.
template <class T>
void row_gradient(void* to, const void* from, double lse, double scale, double share, const void* weight, int64_t n) {
  const Tag<T> d;
  constexpr int64_t N = kLanes<T>;
  T* const dx = static_cast<T*>(to);
  const T* const x = static_cast<const T*>(from);
  const T* const w = static_cast<const T*>(weight);
  const T high = static_cast<T>(lse);
  const auto top = hn::Set(d, high), rest = hn::Set(d, static_cast<T>(lse - static_cast<double>(high)));
  const auto factor = hn::Set(d, static_cast<T>(scale)), less = hn::Set(d, static_cast<T>(share));
  const auto part = [&](Vec<T> v) HWY_ATTR { return hn::Mul(factor, exp(hn::Sub(hn::Sub(v, top), rest))); };
  int64_t i = 0;
  if (w) {
    for (; i + N <= n; i += N)
      hn::StoreU(hn::NegMulAdd(less, hn::LoadU(d, w + i), part(hn::LoadU(d, x + i))), d, dx + i);
    if (const int64_t m = n - i; m > 0)
      store_part(hn::NegMulAdd(less, load_part(w + i, m, T(0)), part(load_part(x + i, m, T(0)))), dx + i, m);
  } else {
    for (; i + 2 * N <= n; i += 2 * N) {
      const Vec<T> a = part(hn::LoadU(d, x + i)), b = part(hn::LoadU(d, x + i + N));
      hn::StoreU(hn::Sub(a, less), d, dx + i);
      hn::StoreU(hn::Sub(b, less), d, dx + i + N);
    }
    for (; i < n; i += N) {
      const int64_t m = n - i < N ? n - i : N;
      store_part(hn::Sub(part(load_part(x + i, m, T(0))), less), dx + i, m);
    }
  }
}
}  // namespace wide
}  // namespace

#define K(Log, T) \
  { wide::rows<Log, T>, wide::columns<Log, T>, wide::backward_rows<Log, T>, wide::backward_columns<Log, T> }
extern const SoftmaxTable softmax_table;
const SoftmaxTable softmax_table = {{{K(false, float), K(false, double)}, {K(true, float), K(true, double)}},
                                    {{wide::row_sums<float>, wide::row_weighted<float>, wide::row_gradient<float>},
                                     {wide::row_sums<double>, wide::row_weighted<double>, wide::row_gradient<double>}}};

}  // namespace taut::TAUT_ISA
HWY_AFTER_NAMESPACE();
