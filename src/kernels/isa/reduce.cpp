// Reductions of contiguous rows, and of columns side by side, for one instruction set.
#include "kernels/isa/reduce.h"

#include <type_traits>

#include "kernels/isa/wide.h"

HWY_BEFORE_NAMESPACE();
namespace taut::TAUT_ISA {
namespace {
namespace wide {
constexpr int64_t kRegisters = 4;
template <class T>
constexpr bool is_float = T(0.5) != T(0);

/// The type of the elements of a tag, Highway's or a wide one.
template <class D>
using Element = std::remove_cvref_t<decltype(element_of(D()))>;

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
TAUT_STEP_PER_PART V multiply(D d, V a, V b) {
  if constexpr (std::is_same_v<Element<D>, int64_t>) {  // no 64-bit product in this Highway
    int64_t x[kLanes<int64_t>], y[kLanes<int64_t>];
    hn::StoreU(a, d, x);
    hn::StoreU(b, d, y);
    for (size_t i = 0; i < sizeof(V) / sizeof(int64_t); ++i)
      x[i] = static_cast<int64_t>(static_cast<uint64_t>(x[i]) * static_cast<uint64_t>(y[i]));
    return hn::LoadU(d, x);
  } else {
    return hn::Mul(a, b);
  }
}
/// A NaN on either side stays. (IsNaN: x != x is false for a NaN in this Highway.)
template <class D, class V>
TAUT_STEP_PER_PART V greater(D, V a, V b) {
  if constexpr (is_float<Element<D>>) return hn::IfThenElse(hn::Or(hn::Ge(a, b), hn::IsNaN(a)), a, b);
  else return hn::Max(a, b);
}
template <class D, class V>
TAUT_STEP_PER_PART V less(D, V a, V b) {
  if constexpr (is_float<Element<D>>) return hn::IfThenElse(hn::Or(hn::Le(a, b), hn::IsNaN(a)), a, b);
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
struct Greatest : Plain {
  template <class D, class V>
  static HWY_INLINE V merge(D d, V a, V b) {
    return greater(d, a, b);
  }
  template <class T>
  static constexpr T empty() {
    return lowest<T>();
  }
};
struct Least : Plain {
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
struct MaxAbs : Greatest, Absolute {
  using Absolute::map;
};
struct MinAbs : Least, Absolute {
  using Absolute::map;
};

/// The first n lanes of a vector in memory; the others are 0.
template <class T>
HWY_INLINE Vec<T> load_part(const T* x, int64_t n) {
  return load_part(x, n, T(0));
}
/// All lanes of one vector.
template <class Op, class T>
HWY_INLINE T all_lanes(Vec<T> v) {
  return across<T>(v, [](auto d, auto a, auto b) HWY_ATTR { return Op::merge(d, a, b); });
}

/// A sum that began with a number begins at 0 after all: of numbers that are -0 it is 0.
template <class Op, class T>
HWY_INLINE Vec<T> begun(Vec<T> v) {
  if constexpr (is_float<T> && std::is_base_of_v<Sum, Op>) return hn::Add(hn::Zero(Tag<T>()), v);
  else return v;
}
/// The last elements come before the registers meet: late in a product every step may be a slow, denormal one.
template <class Op, class T>
HWY_INLINE T reduce_row(const T* x, int64_t n) {
  const Tag<T> d;
  constexpr int64_t N = kLanes<T>, R = kRegisters;
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
    return all_lanes<Op, T>(begun<Op, T>(acc[0]));
  }
  Vec<T> total = hn::Set(d, Op::template empty<T>());
  for (; i + N <= n; i += N) total = Op::merge(d, total, load(i));
  return all_lanes<Op, T>(with_rest(total));
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
      v = r > 0 ? Op::merge(d, load_result(y + j), v) : begun<Op, T>(v);
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
  using Op = std::conditional_t<Largest, Greatest, Least>;
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
  constexpr int64_t N = kLanes<T>, R = kRegisters;
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
  *static_cast<T*>(sum) = sum_of_lanes<T>(s[0]);
  *static_cast<T*>(squares) = sum_of_lanes<T>(q[0]);
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
  const TAUT_ISA::Tag<uint8_t> d;
  const TAUT_ISA::Tag<uint64_t> d64;
  constexpr int64_t N = TAUT_ISA::kLanes<uint8_t>;
  for (int64_t row = 0; row < count; ++row) {
    const uint8_t* const x = from + row * stride;
    auto total = native::Zero(d64), more = native::Zero(d64);
    int64_t i = 0;
    for (; i + 2 * N <= n; i += 2 * N) {
      total = native::Add(total, native::SumsOf8(native::LoadU(d, x + i)));
      more = native::Add(more, native::SumsOf8(native::LoadU(d, x + i + N)));
    }
    for (; i + N <= n; i += N) total = native::Add(total, native::SumsOf8(native::LoadU(d, x + i)));
    if (i < n) total = native::Add(total, native::SumsOf8(TAUT_ISA::load_part<uint8_t>(x + i, n - i, 0)));
    out[row] = static_cast<int64_t>(native::GetLane(native::SumOfLanes(d64, native::Add(total, more))));
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

/// Sums of eight by halves: first those of each pair, then the second pair of four takes the sum of the first, then the
/// second four. Eights wait for each other only in one addition.
void running_sums(float* y, const float* x, int64_t n) {
  const TAUT_ISA::Tag<double> d;
  const native::Rebind<float, TAUT_ISA::Tag<double>> f;
  constexpr int64_t N = TAUT_ISA::kLanes<double>, kEight = 8, kVectors = kEight / N;
  // For steps of w lanes: lane i takes that of the last one of the w before its own, if its own are the second w of 2
  // w.
  const auto places = [&](int64_t w) {
    alignas(64) int64_t i[N];
    for (int64_t k = 0; k < N; ++k) i[k] = k / w % 2 ? k / w * w - 1 : 0;
    return native::SetTableIndices(d, i);
  };
  const auto second = [&](int64_t w) HWY_ATTR {
    alignas(64) double m[N];
    for (int64_t k = 0; k < N; ++k) m[k] = k / w % 2 ? 1 : 0;
    return native::Gt(native::Load(d, m), native::Zero(d));
  };
  const auto one = places(1), two = places(2), four = places(4);
  const auto of_one = second(1), of_two = second(2), of_four = second(4);
  alignas(64) int64_t end[N];
  for (int64_t k = 0; k < N; ++k) end[k] = N - 1;
  const auto last = native::SetTableIndices(d, end);
  auto carry = native::Zero(d);
  int64_t i = 0;
  for (; i + kEight <= n; i += kEight) {
    TAUT_ISA::Vec<double> v[kVectors];
    for (int64_t k = 0; k < kVectors; ++k) {
      v[k] = native::PromoteTo(d, native::LoadU(f, x + i + k * N));
      v[k] = native::Add(v[k], native::IfThenElseZero(of_one, native::TableLookupLanes(v[k], one)));
      if constexpr (N > 2)
        v[k] = native::Add(v[k], native::IfThenElseZero(of_two, native::TableLookupLanes(v[k], two)));
      if constexpr (N > 4)
        v[k] = native::Add(v[k], native::IfThenElseZero(of_four, native::TableLookupLanes(v[k], four)));
    }
    for (int64_t w = 1; w < kVectors; w *= 2)  // in vectors
      for (int64_t k = 0; k < kVectors; ++k)
        if (k / w % 2) v[k] = native::Add(v[k], native::TableLookupLanes(v[k / w * w - 1], last));
    for (int64_t k = 0; k < kVectors; ++k)
      native::StoreU(native::DemoteTo(f, native::Add(v[k], carry)), f, y + i + k * N);
    carry = native::Add(carry, native::TableLookupLanes(v[kVectors - 1], last));
  }
  double sum = native::GetLane(carry);
  for (; i < n; ++i) y[i] = static_cast<float>(sum += static_cast<double>(x[i]));
}
}  // namespace wide
}  // namespace

#define K(Op, T) \
  { wide::rows<wide::Op, T>, wide::columns<wide::Op, T>, wide::merge<wide::Op, T> }
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
  { wide::extreme_row<L, T>, wide::extreme_columns<L, T> }
#define NX \
  { nullptr, nullptr }
#define EXTREMES(L) \
  { NX, NX, NX, NX, X(L, int32_t), X(L, int64_t), NX, NX, X(L, float), X(L, double) }
extern const ReduceTable reduce_table;
const ReduceTable reduce_table = {
    {WIDE(Sum), FLOATS(NanSum), WIDE(Prod), ALL(Greatest), ALL(Least), FLOATS(SumAbs), FLOATS(SumSquares),
     FLOATS(MaxAbs), FLOATS(MinAbs)},
    {EXTREMES(false), EXTREMES(true)},
    {{wide::deviation_row<float>, wide::deviation_columns<float>},
     {wide::deviation_row<double>, wide::deviation_columns<double>}},
    wide::count_rows,
    wide::count_columns,
    wide::running_sums,
};

}  // namespace taut::TAUT_ISA
HWY_AFTER_NAMESPACE();
