// Reductions of contiguous rows, and of columns side by side, for one instruction set.
#include "kernels/isa/reduce.h"

#include <hwy/highway.h>

#include <type_traits>

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
template <class T>
constexpr int64_t kRegisters = 256 / (kLanes<T> * sizeof(T));  // 64 lanes of float32, on every instruction set
template <class T>
constexpr bool is_float = T(0.5) != T(0);

template <class T>
constexpr T lowest() {
  if constexpr (is_float<T>) return -static_cast<T>(__builtin_inf());
  else if constexpr (T(-1) > T(0)) return 0;
  else return static_cast<T>(T(1) << (sizeof(T) * 8 - 1));
}
template <class T>
constexpr T highest() {
  if constexpr (is_float<T>) return static_cast<T>(__builtin_inf());
  else return static_cast<T>(~lowest<T>());
}

// Each combination: map one vector of elements, merge two vectors of results, and the result of nothing.
struct Plain {
  template <class D, class V>
  static HWY_INLINE V map(D, V x) {
    return x;
  }
};
template <class D, class V>
HWY_INLINE V multiply(D d, V a, V b) {
  if constexpr (sizeof(hn::TFromD<D>) == 8 && !is_float<hn::TFromD<D>>) {  // no 64-bit product in this Highway
    int64_t x[hn::MaxLanes(D())], y[hn::MaxLanes(D())];
    hn::StoreU(a, d, x);
    hn::StoreU(b, d, y);
    for (size_t i = 0; i < hn::MaxLanes(D()); ++i)
      x[i] = static_cast<int64_t>(static_cast<uint64_t>(x[i]) * static_cast<uint64_t>(y[i]));
    return hn::LoadU(d, x);
  } else {
    return hn::Mul(a, b);
  }
}
/// A NaN on either side stays. (IsNaN: x != x is false for a NaN in this Highway.)
template <class D, class V>
HWY_INLINE V greater(D, V a, V b) {
  if constexpr (is_float<hn::TFromD<D>>) return hn::IfThenElse(hn::Or(hn::Ge(a, b), hn::IsNaN(a)), a, b);
  else return hn::Max(a, b);
}
template <class D, class V>
HWY_INLINE V less(D, V a, V b) {
  if constexpr (is_float<hn::TFromD<D>>) return hn::IfThenElse(hn::Or(hn::Le(a, b), hn::IsNaN(a)), a, b);
  else return hn::Min(a, b);
}
struct Sum : Plain {
  template <class D, class V>
  static HWY_INLINE V merge(D, V a, V b) {
    return hn::Add(a, b);
  }
  template <class T>
  static constexpr T empty() {
    return 0;
  }
};
struct NanSum : Sum {
  template <class D, class V>
  static HWY_INLINE V map(D, V x) {
    return hn::IfThenElseZero(hn::Eq(x, x), x);
  }
};
struct Prod : Plain {
  template <class D, class V>
  static HWY_INLINE V merge(D d, V a, V b) {
    return multiply(d, a, b);
  }
  template <class T>
  static constexpr T empty() {
    return 1;
  }
};
struct Max : Plain {
  template <class D, class V>
  static HWY_INLINE V merge(D d, V a, V b) {
    return greater(d, a, b);
  }
  template <class T>
  static constexpr T empty() {
    return lowest<T>();
  }
};
struct Min : Plain {
  template <class D, class V>
  static HWY_INLINE V merge(D d, V a, V b) {
    return less(d, a, b);
  }
  template <class T>
  static constexpr T empty() {
    return highest<T>();
  }
};
struct Absolute {
  template <class D, class V>
  static HWY_INLINE V map(D, V x) {
    return hn::Abs(x);
  }
};
struct SumAbs : Sum, Absolute {
  using Absolute::map;
};
struct SumSquares : Sum {
  template <class D, class V>
  static HWY_INLINE V map(D, V x) {
    return hn::Mul(x, x);
  }
};
struct MaxAbs : Max, Absolute {
  using Absolute::map;
};
struct MinAbs : Min, Absolute {
  using Absolute::map;
};

/// The first n lanes of a vector in memory; the others are anything.
template <class T>
HWY_INLINE Vec<T> load_part(const T* x, int64_t n) {
  const Tag<T> d;
#if HWY_TARGET <= HWY_AVX2
  if constexpr (sizeof(T) >= 4) return hn::MaskedLoad(hn::FirstN(d, static_cast<size_t>(n)), d, x);
#endif
  T part[kLanes<T>] = {};
  for (int64_t i = 0; i < n; ++i) part[i] = x[i];
  return hn::LoadU(d, part);
}
template <class T>
HWY_INLINE void store_part(Vec<T> v, T* x, int64_t n) {
  const Tag<T> d;
#if HWY_TARGET <= HWY_AVX2
  if constexpr (sizeof(T) >= 4) return hn::BlendedStore(v, hn::FirstN(d, static_cast<size_t>(n)), d, x);
#endif
  T part[kLanes<T>];
  hn::StoreU(v, d, part);
  for (int64_t i = 0; i < n; ++i) x[i] = part[i];
}

/// All lanes of one vector, by halves.
template <class Op, class D>
HWY_INLINE hn::TFromD<D> across(D, hn::Vec<D> v) {
  if constexpr (hn::MaxLanes(D()) == 1) return hn::GetLane(v);
  else {
    const hn::Half<D> half;
    return across<Op>(half, Op::merge(half, hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  }
}

/// The last elements come before the registers meet: late in a product every step may be a slow, denormal one.
template <class Op, class T>
HWY_INLINE T reduce_row(const T* x, int64_t n) {
  const Tag<T> d;
  constexpr int64_t N = kLanes<T>, R = kRegisters<T>;
  const auto load = [&](int64_t i) HWY_ATTR { return Op::map(d, hn::LoadU(d, x + i)); };
  int64_t i = 0;
  const auto with_rest = [&](Vec<T> v) HWY_ATTR {
    if (i == n) return v;
    const auto part = Op::map(d, load_part(x + i, n - i)), empty = hn::Set(d, Op::template empty<T>());
    return Op::merge(d, v, hn::IfThenElse(hn::FirstN(d, static_cast<size_t>(n - i)), part, empty));
  };
  if (n >= R * N) {
    Vec<T> acc[R];
    for (int64_t r = 0; r < R; ++r) acc[r] = load(r * N);
    for (i = R * N; i + R * N <= n; i += R * N)
#pragma GCC unroll 16
      for (int64_t r = 0; r < R; ++r) acc[r] = Op::merge(d, acc[r], load(i + r * N));
#pragma GCC unroll 16
    for (int64_t r = 0; r < R - 1; ++r) {
      if (i + N > n) break;
      acc[r] = Op::merge(d, acc[r], load(i));
      i += N;
    }
    acc[R - 1] = with_rest(acc[R - 1]);
#pragma GCC unroll 4
    for (int64_t step = 1; step < R; step *= 2)
#pragma GCC unroll 16
      for (int64_t r = 0; r + step < R; r += 2 * step) acc[r] = Op::merge(d, acc[r], acc[r + step]);
    return across<Op>(d, acc[0]);
  }
  Vec<T> total = hn::Set(d, Op::template empty<T>());
  for (; i + N <= n; i += N) total = Op::merge(d, total, load(i));
  return across<Op>(d, with_rest(total));
}
template <class Op, class T>
void rows(void* out, const void* from, int64_t n, int64_t stride, int64_t count) {
  T* const y = static_cast<T*>(out);
  const T* const x = static_cast<const T*>(from);
  for (int64_t i = 0; i < count; ++i) y[i] = reduce_row<Op>(x + i * stride, n);
}

/// Eight rows at a time: few enough streams for the prefetcher, and the results are read and written an eighth as
/// often.
template <class Op, class T>
void columns(void* out, const void* from, int64_t stride, int64_t rows, int64_t width) {
  const Tag<T> d;
  constexpr int64_t N = kLanes<T>;
  T* const y = static_cast<T*>(out);
  for (int64_t r = 0; r < rows; r += 8) {
    const T* const x = static_cast<const T*>(from) + r * stride;
    const int64_t m = rows - r < 8 ? rows - r : 8;
    const auto block = [&](int64_t j, auto load, auto load_result, auto store) HWY_ATTR {
      Vec<T> v;
      if (m == 8) {
        const auto get = [&](int64_t k) HWY_ATTR { return Op::map(d, load(x + k * stride + j)); };
        v = Op::merge(d, Op::merge(d, Op::merge(d, get(0), get(1)), Op::merge(d, get(2), get(3))),
                      Op::merge(d, Op::merge(d, get(4), get(5)), Op::merge(d, get(6), get(7))));
      } else {
        v = Op::map(d, load(x + j));
        for (int64_t k = 1; k < m; ++k) v = Op::merge(d, v, Op::map(d, load(x + k * stride + j)));
      }
      if (r > 0) v = Op::merge(d, load_result(y + j), v);
      store(v, y + j);
    };
    const auto load = [&](const T* p) HWY_ATTR { return hn::LoadU(d, p); };
    int64_t j = 0;
    for (; j + N <= width; j += N) block(j, load, load, [&](Vec<T> v, T* p) HWY_ATTR { hn::StoreU(v, d, p); });
    if (const int64_t part = width - j; part > 0) {
      const auto load_some = [&](const T* p) HWY_ATTR { return load_part(p, part); };
      block(j, load_some, load_some, [&](Vec<T> v, T* p) HWY_ATTR { store_part(v, p, part); });
    }
  }
}
template <class Op, class T>
void merge(void* a, const void* b, int64_t n) {
  const Tag<T> d;
  constexpr int64_t N = kLanes<T>;
  T* const x = static_cast<T*>(a);
  const T* const y = static_cast<const T*>(b);
  int64_t i = 0;
  for (; i + N <= n; i += N) hn::StoreU(Op::merge(d, hn::LoadU(d, x + i), hn::LoadU(d, y + i)), d, x + i);
  if (i < n) store_part(Op::merge(d, load_part(x + i, n - i), load_part(y + i, n - i)), x + i, n - i);
}

template <bool Largest, class T>
int64_t extreme_row(const void* from, int64_t n) {
  using Op = std::conditional_t<Largest, Max, Min>;
  const Tag<T> d;
  const T* const x = static_cast<const T*>(from);
  const T best = reduce_row<Op>(x, n);
  const auto wanted = hn::Set(d, best);
  int64_t i = 0;
  const auto found = [&](Vec<T> v) HWY_ATTR {
    if constexpr (is_float<T>) return best == best ? hn::Eq(v, wanted) : hn::IsNaN(v);
    else return hn::Eq(v, wanted);
  };
  for (; i + kLanes<T> <= n; i += kLanes<T>)
    if (const auto mask = found(hn::LoadU(d, x + i)); !hn::AllFalse(d, mask)) return i + hn::FindFirstTrue(d, mask);
  return i + (i < n ? hn::FindFirstTrue(d, found(load_part(x + i, n - i))) : 0);
}
template <bool Largest, class T>
void extreme_columns(void* best, void* at, const void* from, int64_t stride, int64_t rows, int64_t width) {
  using I = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
  const Tag<T> d;
  const Tag<I> di;
  constexpr int64_t N = kLanes<T>;
  const T* const x = static_cast<const T*>(from);
  const auto block = [&](int64_t j, auto load, auto store) HWY_ATTR {
    Vec<T> value = load(x + j);
    Vec<I> row = hn::Zero(di);
    for (int64_t r = 1; r < rows; ++r) {
      const Vec<T> v = load(x + r * stride + j);
      auto better = Largest ? hn::Gt(v, value) : hn::Lt(v, value);
      if constexpr (is_float<T>)  // the first NaN beats all others
        better = hn::Or(better, hn::AndNot(hn::IsNaN(value), hn::IsNaN(v)));
      value = hn::IfThenElse(better, v, value);
      row = hn::IfThenElse(hn::RebindMask(di, better), hn::Set(di, static_cast<I>(r)), row);
    }
    store(value, row, static_cast<T*>(best) + j, static_cast<I*>(at) + j);
  };
  int64_t j = 0;
  for (; j + N <= width; j += N)
    block(
        j, [&](const T* p) HWY_ATTR { return hn::LoadU(d, p); },
        [&](Vec<T> v, Vec<I> r, T* p, I* q) HWY_ATTR {
          hn::StoreU(v, d, p);
          hn::StoreU(r, di, q);
        });
  if (const int64_t part = width - j; part > 0)
    block(
        j, [&](const T* p) HWY_ATTR { return load_part(p, part); },
        [&](Vec<T> v, Vec<I> r, T* p, I* q) HWY_ATTR {
          store_part(v, p, part);
          store_part(r, q, part);
        });
}

template <class T>
void deviation_row(const void* from, int64_t n, const void* center, void* sum, void* squares) {
  const Tag<T> d;
  constexpr int64_t N = kLanes<T>, R = kRegisters < T >> 4 ? kRegisters<T> / 2 : 4;
  const T* const x = static_cast<const T*>(from);
  const auto mean = hn::Set(d, *static_cast<const T*>(center));
  Vec<T> s[R], q[R];
  for (int64_t r = 0; r < R; ++r) s[r] = q[r] = hn::Zero(d);
  const auto take = [&](Vec<T>& s, Vec<T>& q, Vec<T> e) HWY_ATTR {
    s = hn::Add(s, e);
    q = hn::MulAdd(e, e, q);
  };
  int64_t i = 0;
  for (; i + R * N <= n; i += R * N)
#pragma GCC unroll 16
    for (int64_t r = 0; r < R; ++r) take(s[r], q[r], hn::Sub(hn::LoadU(d, x + i + r * N), mean));
  for (; i + N <= n; i += N) take(s[0], q[0], hn::Sub(hn::LoadU(d, x + i), mean));
  if (i < n) {
    const auto e = hn::Sub(load_part(x + i, n - i), mean);
    take(s[0], q[0], hn::IfThenElseZero(hn::FirstN(d, static_cast<size_t>(n - i)), e));
  }
#pragma GCC unroll 4
  for (int64_t step = 1; step < R; step *= 2)
#pragma GCC unroll 16
    for (int64_t r = 0; r + step < R; r += 2 * step) {
      s[r] = hn::Add(s[r], s[r + step]);
      q[r] = hn::Add(q[r], q[r + step]);
    }
  *static_cast<T*>(sum) = across<Sum>(d, s[0]);
  *static_cast<T*>(squares) = across<Sum>(d, q[0]);
}
template <class T>
void deviation_columns(const void* from, int64_t stride, int64_t rows, int64_t width, const void* center, void* sum,
                       void* squares) {
  const Tag<T> d;
  constexpr int64_t N = kLanes<T>;
  const T* const c = static_cast<const T*>(center);
  T* const ss = static_cast<T*>(sum);
  T* const qq = static_cast<T*>(squares);
  for (int64_t j = 0; j < width; ++j) ss[j] = qq[j] = 0;
  for (int64_t r = 0; r < rows; r += 8) {
    const T* const x = static_cast<const T*>(from) + r * stride;
    const int64_t m = rows - r < 8 ? rows - r : 8;
    const auto block = [&](int64_t j, auto load, auto store) HWY_ATTR {
      const Vec<T> mean = load(c + j);
      Vec<T> s = load(ss + j), q = load(qq + j);
      for (int64_t k = 0; k < m; ++k) {
        const Vec<T> e = hn::Sub(load(x + k * stride + j), mean);
        s = hn::Add(s, e);
        q = hn::MulAdd(e, e, q);
      }
      store(s, ss + j);
      store(q, qq + j);
    };
    int64_t j = 0;
    for (; j + N <= width; j += N)
      block(
          j, [&](const T* p) HWY_ATTR { return hn::LoadU(d, p); },
          [&](Vec<T> v, T* p) HWY_ATTR { hn::StoreU(v, d, p); });
    if (const int64_t part = width - j; part > 0)
      block(
          j, [&](const T* p) HWY_ATTR { return load_part(p, part); },
          [&](Vec<T> v, T* p) HWY_ATTR { store_part(v, p, part); });
  }
}

void count_rows(int64_t* out, const uint8_t* from, int64_t n, int64_t stride, int64_t count) {
  const Tag<uint8_t> d;
  const Tag<uint64_t> d64;
  constexpr int64_t N = kLanes<uint8_t>;
  for (int64_t row = 0; row < count; ++row) {
    const uint8_t* const x = from + row * stride;
    auto total = hn::Zero(d64), more = hn::Zero(d64);
    int64_t i = 0;
    for (; i + 2 * N <= n; i += 2 * N) {
      total = hn::Add(total, hn::SumsOf8(hn::LoadU(d, x + i)));
      more = hn::Add(more, hn::SumsOf8(hn::LoadU(d, x + i + N)));
    }
    for (; i + N <= n; i += N) total = hn::Add(total, hn::SumsOf8(hn::LoadU(d, x + i)));
    if (i < n) total = hn::Add(total, hn::SumsOf8(load_part(x + i, n - i)));
    out[row] = static_cast<int64_t>(across<Sum>(d64, hn::Add(total, more)));
  }
}
void count_columns(int64_t* out, const uint8_t* x, int64_t stride, int64_t rows, int64_t width) {
  uint8_t sums[64];
  for (int64_t j = 0; j < width; j += 64) {
    const int64_t w = width - j < 64 ? width - j : 64;
    columns<Sum, uint8_t>(sums, x + j, stride, rows, w);
    for (int64_t k = 0; k < w; ++k) out[j + k] = sums[k];
  }
}

/// Each vector's own running sums by doubling steps, so that vectors wait for each other only in one addition.
void running_sums(float* y, const float* x, int64_t n) {
  const Tag<double> d;
  const hn::Rebind<float, Tag<double>> f;
  constexpr int64_t N = kLanes<double>;
  const auto places = [&](int64_t back) {  // of the lane so many back
    alignas(64) int64_t i[N];
    for (int64_t k = 0; k < N; ++k) i[k] = k < back ? 0 : k - back;
    return hn::SetTableIndices(d, i);
  };
  const auto lane = hn::Iota(d, 0);
  const auto one = places(1), two = places(2), four = places(4);
  const auto from_one = hn::Ge(lane, hn::Set(d, 1.0)), from_two = hn::Ge(lane, hn::Set(d, 2.0)),
             from_four = hn::Ge(lane, hn::Set(d, 4.0));
  alignas(64) int64_t end[N];
  for (int64_t k = 0; k < N; ++k) end[k] = N - 1;
  const auto last = hn::SetTableIndices(d, end);
  auto carry = hn::Zero(d);
  int64_t i = 0;
  for (; i + N <= n; i += N) {
    auto v = hn::PromoteTo(d, hn::LoadU(f, x + i));
    v = hn::Add(v, hn::IfThenElseZero(from_one, hn::TableLookupLanes(v, one)));
    if constexpr (N > 2) v = hn::Add(v, hn::IfThenElseZero(from_two, hn::TableLookupLanes(v, two)));
    if constexpr (N > 4) v = hn::Add(v, hn::IfThenElseZero(from_four, hn::TableLookupLanes(v, four)));
    hn::StoreU(hn::DemoteTo(f, hn::Add(v, carry)), f, y + i);
    carry = hn::Add(carry, hn::TableLookupLanes(v, last));
  }
  double sum = hn::GetLane(carry);
  for (; i < n; ++i) y[i] = static_cast<float>(sum += static_cast<double>(x[i]));
}
}  // namespace

#define K(Op, T) \
  { rows<Op, T>, columns<Op, T>, merge<Op, T> }
#define NO \
  { nullptr, nullptr, nullptr }
#define FLOATS(Op) \
  { NO, NO, NO, NO, NO, NO, NO, NO, K(Op, float), K(Op, double) }
#define WIDE(Op) \
  { NO, NO, NO, NO, NO, K(Op, int64_t), NO, NO, K(Op, float), K(Op, double) }
#define ALL(Op)                                                                                            \
  {                                                                                                        \
    K(Op, uint8_t), K(Op, uint8_t), K(Op, int8_t), K(Op, int16_t), K(Op, int32_t), K(Op, int64_t), NO, NO, \
        K(Op, float), K(Op, double)                                                                        \
  }
#define X(L, T) \
  { extreme_row<L, T>, extreme_columns<L, T> }
#define NX \
  { nullptr, nullptr }
#define EXTREMES(L) \
  { NX, NX, NX, NX, X(L, int32_t), X(L, int64_t), NX, NX, X(L, float), X(L, double) }
extern const ReduceTable reduce_table;
const ReduceTable reduce_table = {
    {WIDE(Sum), FLOATS(NanSum), WIDE(Prod), ALL(Max), ALL(Min), FLOATS(SumAbs), FLOATS(SumSquares), FLOATS(MaxAbs),
     FLOATS(MinAbs)},
    {EXTREMES(false), EXTREMES(true)},
    {{deviation_row<float>, deviation_columns<float>}, {deviation_row<double>, deviation_columns<double>}},
    count_rows,
    count_columns,
    running_sums,
};

}  // namespace taut::TAUT_ISA
HWY_AFTER_NAMESPACE();
