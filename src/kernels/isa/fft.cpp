// Fourier transforms, a lane each, for one instruction set: passes of small butterflies between rows (Stockham's order,
// which needs no sorting), the way into lanes and back, and what real numbers and prime lengths need.
#include "kernels/isa/fft.h"

#include <algorithm>
#include <utility>

#include "kernels/isa/vector.h"

HWY_BEFORE_NAMESPACE();
namespace taut::TAUT_ISA {
namespace {

template <class T>
struct Z {
  Vec<T> re, im;
};
template <class T>
HWY_INLINE Z<T> operator+(Z<T> a, Z<T> b) {
  return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}
template <class T>
HWY_INLINE Z<T> operator-(Z<T> a, Z<T> b) {
  return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}
template <class T>
HWY_INLINE Z<T> operator*(Z<T> a, Z<T> b) {
  return {hn::NegMulAdd(a.im, b.im, hn::Mul(a.re, b.re)), hn::MulAdd(a.im, b.re, hn::Mul(a.re, b.im))};
}
/// -i a
template <class T>
HWY_INLINE Z<T> turned(Z<T> a) {
  return {a.im, hn::Neg(a.re)};
}
template <class T>
HWY_INLINE Z<T> everywhere(const T* z) {
  return {hn::Set(Tag<T>(), z[0]), hn::Set(Tag<T>(), z[1])};
}
/// Where in a row the parts are.
template <class T>
struct Parts {
  int64_t re, im;
  explicit Parts(bool inverse) : re(inverse ? kFftLanes<T> : 0), im(inverse ? 0 : kFftLanes<T>) {}
  HWY_INLINE Z<T> load(const T* x) const { return {hn::LoadU(Tag<T>(), x + re), hn::LoadU(Tag<T>(), x + im)}; }
  HWY_INLINE void store(Z<T> z, T* x) const {
    hn::StoreU(z.re, Tag<T>(), x + re);
    hn::StoreU(z.im, Tag<T>(), x + im);
  }
};

// ---- butterflies

template <class T>
HWY_INLINE void butterfly2(Z<T>& a, Z<T>& b) {
  const Z<T> sum = a + b;
  b = a - b;
  a = sum;
}
template <class T>
HWY_INLINE void butterfly4(Z<T>& a, Z<T>& b, Z<T>& c, Z<T>& d) {
  butterfly2(a, c);
  butterfly2(b, d);
  d = turned(d);
  const Z<T> last = c - d;
  butterfly2(a, b);
  const Z<T> second = c + d;
  c = b;
  b = second;
  d = last;
}
/// Any odd number of them: a[k] + a[n - k] times cosines, a[k] - a[n - k] times sines.
template <class T>
HWY_INLINE void butterfly_odd(int n, Z<T>* a, const T* circle) {
  const int half = n / 2;
  Z<T> made[kFftLeaf];
  Z<T> sum = a[0];
  for (int j = 1; j <= half; ++j) {
    butterfly2(a[j], a[n - j]);
    sum = sum + a[j];
  }
  for (int k = 1; k <= half; ++k) {
    Z<T> even = a[0], odd = everywhere(circle);
    odd.re = odd.im;  // zero
    for (int j = 1, at = k; j <= half; ++j, at = at + k < n ? at + k : at + k - n) {
      const Z<T> w = everywhere(circle + 2 * at);
      even = {hn::MulAdd(a[j].re, w.re, even.re), hn::MulAdd(a[j].im, w.re, even.im)};
      odd = {hn::MulAdd(a[n - j].re, w.im, odd.re), hn::MulAdd(a[n - j].im, w.im, odd.im)};
    }
    const Z<T> side = {odd.im, odd.re};  // of i times it
    made[k] = {hn::Sub(even.re, side.re), hn::Add(even.im, side.im)};
    made[n - k] = {hn::Add(even.re, side.re), hn::Sub(even.im, side.im)};
  }
  a[0] = sum;
  for (int k = 1; k < n; ++k) a[k] = made[k];
}
template <class T, int R>
HWY_INLINE void butterfly(Z<T>* a, const T* circle) {
  if constexpr (R == 2) {
    butterfly2(a[0], a[1]);
  } else if constexpr (R == 4) {
    butterfly4(a[0], a[1], a[2], a[3]);
  } else if constexpr (R == 8) {
    butterfly4(a[0], a[2], a[4], a[6]);
    butterfly4(a[1], a[3], a[5], a[7]);
    const auto c = hn::Set(Tag<T>(), T(0.70710678118654752440));
    a[3] = {hn::Mul(c, hn::Add(a[3].re, a[3].im)), hn::Mul(c, hn::Sub(a[3].im, a[3].re))};
    a[5] = turned(a[5]);
    a[7] = {hn::Mul(c, hn::Sub(a[7].im, a[7].re)), hn::Neg(hn::Mul(c, hn::Add(a[7].re, a[7].im)))};
    for (int k = 0; k < 8; k += 2) butterfly2(a[k], a[k + 1]);
    // Sums are at 0, 2, 4, 6, differences behind them: in the order of their frequencies.
    const Z<T> b1 = a[2], b2 = a[4], b3 = a[6], b4 = a[1], b5 = a[3], b6 = a[5];
    a[1] = b1, a[2] = b2, a[3] = b3, a[4] = b4, a[5] = b5, a[6] = b6;
  } else {
    butterfly_odd<T>(R, a, circle);
  }
}

/// What a pass is given: x[q + s (p + m k)] for k < radix become y[q + s (radix p + k)], for p < m and q < s; strides
/// between rows in numbers.
template <class T>
struct PassOf {
  const T* x;
  int64_t x_row;
  T* y;
  int64_t y_row, s, m;
  const T *turns, *circle;
  Parts<T> parts;
};
template <class T, int R>
HWY_NOINLINE void pass(const PassOf<T>& a, [[maybe_unused]] int radix) {
  constexpr bool kAny = R == 0;  // a radix that has no code of its own
  const int r = kAny ? radix : R;
  Z<T> z[kAny ? kFftLeaf : R];
  for (int64_t p = 0; p < a.m; ++p) {
    const T* turns = a.turns + p * 2 * (r - 1);
    for (int64_t q = 0; q < a.s; ++q) {
      const T* x = a.x + (q + a.s * p) * a.x_row;
      T* y = a.y + (q + a.s * p * r) * a.y_row;
      const int64_t x_step = a.s * a.m * a.x_row, y_step = a.s * a.y_row;
      for (int64_t v = 0; v < kFftLanes<T>; v += kLanes<T>) {
        if constexpr (kAny) {
          for (int k = 0; k < r; ++k) z[k] = a.parts.load(x + k * x_step + v);
          butterfly_odd(r, z, a.circle);
          for (int k = 0; k < r; ++k)
            a.parts.store(p && k ? z[k] * everywhere(turns + 2 * (k - 1)) : z[k], y + k * y_step + v);
        } else {
#pragma GCC unroll 8
          for (int k = 0; k < R; ++k) z[k] = a.parts.load(x + k * x_step + v);
          butterfly<T, R>(z, a.circle);
          if (p != 0) {
#pragma GCC unroll 8
            for (int k = 1; k < R; ++k) z[k] = z[k] * everywhere(turns + 2 * (k - 1));
          }
#pragma GCC unroll 8
          for (int k = 0; k < R; ++k) a.parts.store(z[k], y + k * y_step + v);
        }
      }
    }
  }
}
template <class T>
void any_pass(int radix, const PassOf<T>& a) {
  switch (radix) {
    case 2: return pass<T, 2>(a, 2);
    case 3: return pass<T, 3>(a, 3);
    case 4: return pass<T, 4>(a, 4);
    case 5: return pass<T, 5>(a, 5);
    case 8: return pass<T, 8>(a, 8);
    default: return pass<T, 0>(a, radix);
  }
}

/// A transform in each lane of the rows of x, `x_row` numbers apart, into those of y. May overwrite neither x nor what
/// is between them.
template <class T>
void in_lanes(const FftPlan<T>& plan, const T* x, int64_t x_row, T* y, int64_t y_row, Parts<T> parts, T* room) {
  constexpr int64_t kRow = kFftRow<T>;
  if (!plan.columns) {
    int64_t s = 1, m = plan.n;
    for (int i = 0; i < plan.passes; ++i) {
      const int radix = plan.radix[i];
      m /= radix;
      const bool last = i + 1 == plan.passes;
      T* to = last ? y : room + i % 2 * plan.n * kRow;
      any_pass<T>(radix, {x, x_row, to, last ? y_row : kRow, s, m, plan.turns[i], plan.circle[i], parts});
      x = to, x_row = kRow;
      s *= radix;
    }
    return;
  }
  const int64_t n1 = plan.columns->n, n2 = plan.rows->n;
  T* between = room;
  T* column = between + plan.n * kRow;
  T* more = column + n1 * kRow;
  for (int64_t c = 0; c < n2; ++c) {
    in_lanes(*plan.columns, x + c * x_row, n2 * x_row, column, kRow, parts, more);
    const int64_t group = c / kFftLanes<T>, lane = c % kFftLanes<T>;
    const T* twiddles = plan.twiddles + (plan.steps ? 0 : group * n1 * kRow) + lane;
    for (int64_t k = 0; k < n1; ++k) {
      const T w[2] = {twiddles[k * kRow], twiddles[k * kRow + kFftLanes<T>]};
      Z<T> turn = everywhere(w);
      if (plan.steps) turn = turn * everywhere(plan.steps + (group * n1 + k) * 2);
      for (int64_t v = 0; v < kFftLanes<T>; v += kLanes<T>)
        parts.store(parts.load(column + k * kRow + v) * turn, between + (k * n2 + c) * kRow + v);
    }
  }
  for (int64_t k = 0; k < n1; ++k)
    in_lanes(*plan.rows, between + k * n2 * kRow, kRow, y + k * y_row, n1 * y_row, parts, more);
}

// ---- into lanes and back

/// One block of 16 bytes of every fourth row of floats, of every second one of doubles.
template <class T, class D>
HWY_INLINE hn::Vec<D> load_blocks(D d, const T* x, int64_t row) {
  if constexpr (hn::MaxLanes(D()) * sizeof(T) == 16) {
    return hn::LoadU(d, x);
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, load_blocks(half, x + static_cast<int64_t>(hn::MaxLanes(half)) * row, row),
                       load_blocks(half, x, row));
  }
}
/// y[j][i] = scale x[i][j]
template <class T>
HWY_NOINLINE void transpose(int64_t rows, int64_t cols, const T* x, int64_t x_row, T* y, int64_t y_row, T scale) {
  constexpr int64_t kBlock = 16 / sizeof(T), kWide = kLanes<T>;
  const Tag<T> d;
  const auto by = hn::Set(d, scale);
  const int64_t full_rows = rows / kWide * kWide, full_cols = cols / kBlock * kBlock;
  for (int64_t j = 0; j < full_cols; j += kBlock)
    for (int64_t i = 0; i < full_rows; i += kWide) {
      const T* from = x + i * x_row + j;
      T* to = y + j * y_row + i;
      if constexpr (kBlock == 4) {
        const auto p = load_blocks(d, from, x_row), q = load_blocks(d, from + x_row, x_row),
                   r = load_blocks(d, from + 2 * x_row, x_row), s = load_blocks(d, from + 3 * x_row, x_row);
        const auto a = hn::InterleaveLower(d, p, r), b = hn::InterleaveLower(d, q, s);
        const auto e = hn::InterleaveUpper(d, p, r), f = hn::InterleaveUpper(d, q, s);
        hn::StoreU(hn::Mul(hn::InterleaveLower(d, a, b), by), d, to);
        hn::StoreU(hn::Mul(hn::InterleaveUpper(d, a, b), by), d, to + y_row);
        hn::StoreU(hn::Mul(hn::InterleaveLower(d, e, f), by), d, to + 2 * y_row);
        hn::StoreU(hn::Mul(hn::InterleaveUpper(d, e, f), by), d, to + 3 * y_row);
      } else {
        const auto a = load_blocks(d, from, x_row), b = load_blocks(d, from + x_row, x_row);
        hn::StoreU(hn::Mul(hn::InterleaveLower(d, a, b), by), d, to);
        hn::StoreU(hn::Mul(hn::InterleaveUpper(d, a, b), by), d, to + y_row);
      }
    }
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = i < full_rows ? full_cols : 0; j < cols; ++j) y[j * y_row + i] = scale * x[i * x_row + j];
}
/// A row from `count` complex numbers that are side by side, and back.
template <class T>
HWY_INLINE void load_row(int64_t count, const T* x, T* row) {
  const Tag<T> d;
  if (count == kFftLanes<T>) {
    for (int64_t v = 0; v < kFftLanes<T>; v += kLanes<T>) {
      Vec<T> re, im;
      hn::LoadInterleaved2(d, x + 2 * v, re, im);
      hn::StoreU(re, d, row + v);
      hn::StoreU(im, d, row + kFftLanes<T> + v);
    }
    return;
  }
  for (int64_t l = 0; l < kFftLanes<T>; ++l) {
    row[l] = l < count ? x[2 * l] : T(0);
    row[kFftLanes<T> + l] = l < count ? x[2 * l + 1] : T(0);
  }
}
template <class T>
HWY_INLINE void store_row(int64_t count, const T* row, T* x, T scale) {
  const Tag<T> d;
  const auto by = hn::Set(d, scale);
  if (count == kFftLanes<T>) {
    for (int64_t v = 0; v < kFftLanes<T>; v += kLanes<T>)
      hn::StoreInterleaved2(hn::Mul(hn::LoadU(d, row + v), by), hn::Mul(hn::LoadU(d, row + kFftLanes<T> + v), by), d,
                            x + 2 * v);
    return;
  }
  for (int64_t l = 0; l < count; ++l) x[2 * l] = scale * row[l], x[2 * l + 1] = scale * row[kFftLanes<T> + l];
}

/// See `mirror`, in lanes: rows k and m - k of x make row k of y, which holds the numbers of a complex transform of
/// length m on one side and half a spectrum on the other.
template <class T>
void mirror_rows(int64_t m, const T* x, const T* u, bool to_half, T* y) {
  constexpr int64_t kRow = kFftRow<T>;
  const Tag<T> d;
  const Parts<T> parts(false);
  const auto sign = hn::Set(d, T(to_half ? 1 : -1));
  for (int64_t v = 0; v < kFftLanes<T>; v += kLanes<T>) {
    const Z<T> first = parts.load(x + v);
    if (to_half) {  // both real, and to be halved
      const Z<T> sums = {hn::Add(first.re, first.im), hn::Sub(first.re, first.im)};
      parts.store({hn::Add(sums.re, sums.re), hn::Zero(d)}, y + v);
      parts.store({hn::Add(sums.im, sums.im), hn::Zero(d)}, y + m * kRow + v);
    } else {
      const Z<T> last = parts.load(x + m * kRow + v);
      parts.store({hn::Add(first.re, last.re), hn::Sub(first.re, last.re)}, y + v);
    }
    for (int64_t k = 1; k < m; ++k) {
      const Z<T> a = parts.load(x + k * kRow + v), r = parts.load(x + (m - k) * kRow + v), b = {r.re, hn::Neg(r.im)};
      const Z<T> w = {hn::Set(d, u[2 * k]), hn::Mul(hn::Set(d, u[2 * k + 1]), sign)};
      parts.store((a + b) + (a - b) * w, y + k * kRow + v);
    }
  }
}

template <class T>
void lines(const FftPlan<T>& plan, FftEnds ends, const T* mirror, int64_t count, const T* x, int64_t x_line, T* y,
           int64_t y_line, bool inverse, T scale, T* room) {
  constexpr int64_t kRow = kFftRow<T>;
  const int64_t n = plan.n, from = n + (ends == FftEnds::FromHalf), to = n + (ends == FftEnds::ToHalf);
  T *rows = room, *others = room + (n + 1) * kRow, *more = others + (n + 1) * kRow;
  if (count < kFftLanes<T>) std::fill(rows, rows + from * kRow, T(0));
  transpose<T>(count, 2 * from, x, x_line, rows, kFftLanes<T>, 1);
  if (ends == FftEnds::FromHalf) {
    mirror_rows(n, rows, mirror, false, others);
    std::swap(rows, others);
  }
  in_lanes(plan, rows, kRow, rows, kRow, Parts<T>(inverse), more);
  if (ends == FftEnds::ToHalf) {
    mirror_rows(n, rows, mirror, true, others);
    std::swap(rows, others);
  }
  transpose<T>(2 * to, count, rows, kFftLanes<T>, y, y_line, scale);
}
template <class T>
void beside(const FftPlan<T>& plan, int64_t count, const T* x, T* y, int64_t step, bool inverse, T scale, T* room) {
  constexpr int64_t kRow = kFftRow<T>;
  for (int64_t j = 0; j < plan.n; ++j) load_row(count, x + j * step, room + j * kRow);
  in_lanes(plan, room, kRow, room, kRow, Parts<T>(inverse), room + plan.n * kRow);
  for (int64_t j = 0; j < plan.n; ++j) store_row(count, room + j * kRow, y + j * step, scale);
}

template <class T>
void columns(const FftPlan<T>& plan, int64_t group, const T* x, T* between, bool inverse, T* room) {
  constexpr int64_t kRow = kFftRow<T>, kMost = kFftLanes<T>;
  const int64_t n1 = plan.columns->n, n2 = plan.rows->n, first = group * kMost, count = std::min(kMost, n2 - first);
  const Parts<T> parts(inverse), plain(false);
  for (int64_t j = 0; j < n1; ++j) load_row(count, x + 2 * (first + n2 * j), room + j * kRow);
  in_lanes(*plan.columns, room, kRow, room, kRow, parts, room + n1 * kRow);
  const T* twiddles = plan.twiddles + (plan.steps ? 0 : group * n1 * kRow);
  for (int64_t k = 0; k < n1; ++k)
    for (int64_t v = 0; v < kMost; v += kLanes<T>) {
      Z<T> turn = plain.load(twiddles + k * kRow + v);
      if (plan.steps) turn = turn * everywhere(plan.steps + (group * n1 + k) * 2);
      parts.store(parts.load(room + k * kRow + v) * turn, room + k * kRow + v);
    }
  for (int64_t k = 0; k < n1; k += kMost) {
    T* tile = between + (k / kMost * n2 + first) * kRow;
    const int64_t height = std::min(kMost, n1 - k);
    if (height < kMost) std::fill(tile, tile + count * kRow, T(0));
    for (const int64_t part : {int64_t{0}, kMost})
      transpose<T>(height, count, room + k * kRow + part, kRow, tile + part, kRow, 1);
  }
}
template <class T>
void rows(const FftPlan<T>& plan, int64_t group, T* between, T* y, bool inverse, T scale, T* room) {
  constexpr int64_t kRow = kFftRow<T>, kMost = kFftLanes<T>;
  const int64_t n1 = plan.columns->n, n2 = plan.rows->n, first = group * kMost, count = std::min(kMost, n1 - first);
  T* of_group = between + group * n2 * kRow;
  in_lanes(*plan.rows, of_group, kRow, of_group, kRow, Parts<T>(inverse), room);
  for (int64_t k = 0; k < n2; ++k) store_row(count, of_group + k * kRow, y + 2 * (first + n1 * k), scale);
}

// ---- along a transform

template <class T>
HWY_INLINE Z<T> load_pairs(const T* x) {
  Z<T> z;
  hn::LoadInterleaved2(Tag<T>(), x, z.re, z.im);
  return z;
}
template <class T>
HWY_INLINE void store_pairs(Z<T> z, Vec<T> scale, T* x) {
  hn::StoreInterleaved2(hn::Mul(z.re, scale), hn::Mul(z.im, scale), Tag<T>(), x);
}
template <class T>
HWY_INLINE void mirror_vector(const T* x, const T* back, const T* u, Vec<T> sign, Vec<T> scale, T* y) {
  const Tag<T> d;
  const Z<T> a = load_pairs(x), r = load_pairs(back), w = load_pairs(u);
  const Z<T> b = {hn::Reverse(d, r.re), hn::Neg(hn::Reverse(d, r.im))};
  store_pairs<T>((a + b) + (a - b) * Z<T>{w.re, hn::Mul(w.im, sign)}, scale, y);
}
template <class T>
void mirror(int64_t m, const T* x, const T* u, bool conjugate, T* y, T scale) {
  constexpr int64_t kWide = kLanes<T>;
  const auto sign = hn::Set(Tag<T>(), T(conjugate ? -1 : 1)), by = hn::Set(Tag<T>(), scale);
  int64_t k = 1;
  for (; k + kWide <= m; k += kWide)
    mirror_vector(x + 2 * k, x + 2 * (m - k - kWide + 1), u + 2 * k, sign, by, y + 2 * k);
  if (const int64_t left = m - k; left > 0) {
    HWY_ALIGN T ahead[2 * kWide] = {}, back[2 * kWide] = {}, turn[2 * kWide] = {}, made[2 * kWide];
    std::copy(x + 2 * k, x + 2 * m, ahead);
    std::copy(x + 2, x + 2 * (left + 1), back + 2 * (kWide - left));
    std::copy(u + 2 * k, u + 2 * m, turn);
    mirror_vector<T>(ahead, back, turn, sign, by, made);
    std::copy(made, made + 2 * left, y + 2 * k);
  }
}
template <class T>
HWY_INLINE void multiply_vector(const T* x, bool swap_x, const T* w, T* y, bool swap_y, Vec<T> scale) {
  const Z<T> a = load_pairs(x), z = (swap_x ? Z<T>{a.im, a.re} : a) * load_pairs(w);
  store_pairs<T>(swap_y ? Z<T>{z.im, z.re} : z, scale, y);
}
template <class T>
void multiply(int64_t n, const T* x, bool swap_x, const T* w, T* y, bool swap_y, T scale) {
  constexpr int64_t kWide = kLanes<T>;
  const auto by = hn::Set(Tag<T>(), scale);
  int64_t i = 0;
  for (; i + kWide <= n; i += kWide) multiply_vector(x + 2 * i, swap_x, w + 2 * i, y + 2 * i, swap_y, by);
  if (i < n) {
    HWY_ALIGN T from[2 * kWide] = {}, with[2 * kWide] = {}, made[2 * kWide];
    std::copy(x + 2 * i, x + 2 * n, from);
    std::copy(w + 2 * i, w + 2 * n, with);
    multiply_vector<T>(from, swap_x, with, made, swap_y, by);
    std::copy(made, made + 2 * (n - i), y + 2 * i);
  }
}

template <class T>
constexpr FftKernels<T> kernels_of() {
  return {lines<T>, beside<T>, columns<T>, rows<T>, mirror<T>, multiply<T>};
}
}  // namespace

extern const FftTable fft_table;
const FftTable fft_table = {kernels_of<float>(), kernels_of<double>()};

}  // namespace taut::TAUT_ISA
HWY_AFTER_NAMESPACE();
