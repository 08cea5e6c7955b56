// Matrix multiplication kernels: a register-tiled micro-kernel, dot products, packing, conversion.
#include "kernels/isa/gemm.h"

#include <type_traits>

#include "kernels/isa/vector.h"
#include "kernels/isa/wide.h"

namespace taut::TAUT_ISA {
namespace {

// The tile of c that lives in registers: kMaxRows x 2 vectors. AVX-512 has 32 registers, the others count on 16.
constexpr bool kManyRegisters = HWY_MAX_BYTES == 64;
constexpr int kMaxRows = kManyRegisters ? 14 : 6;
// Rows of a that are packed together, at least kMaxRows, and how deep.
constexpr int64_t kStripRows = kManyRegisters ? 16 : 8, kStripDepth = 384;
constexpr int64_t kPackedWidth = 256;  // columns of b from which on that pays,
constexpr int64_t kFar = 2048;         // and half as many where the columns of a are contiguous but so many bytes apart

/// What all tiles of a block share. Strides are in bytes: with elements the compiler makes a second copy of the loop
/// for the stride of one element.
template <class T>
struct TileShape {
  int64_t k, a_row, a_col, b_row, c_row, tail;
  T alpha, beta;
  const T* next;  // needed soon
  int64_t next_step;
  const T* old;  // what beta is for: the tile of c, or a row that takes the place of each of its own
  int64_t old_row;
  bool large;  // worth reading more code for
};

template <class T>
HWY_INLINE T* step(T* p, int64_t bytes) {
  using Byte = std::conditional_t<std::is_const_v<T>, const char, char>;
  return reinterpret_cast<T*>(reinterpret_cast<Byte*>(p) + bytes);
}

#if HWY_MAX_BYTES == 64
/// acc + *a * b in one instruction, which also reads *a. A compiler would read it once for all multiplications: more
/// instructions, and their number is what counts where another thread runs on the same core.
HWY_INLINE Vec<float> mul_add(const float* a, Vec<float> b, Vec<float> acc) {
  asm("vfmadd231ps %1%{1to16%}, %2, %0" : "+v"(acc.raw) : "m"(*a), "v"(b.raw));
  return acc;
}
HWY_INLINE Vec<double> mul_add(const double* a, Vec<double> b, Vec<double> acc) {
  asm("vfmadd231pd %1%{1to8%}, %2, %0" : "+v"(acc.raw) : "m"(*a), "v"(b.raw));
  return acc;
}
#else
template <class T>
HWY_INLINE Vec<T> mul_add(const T* a, Vec<T> b, Vec<T> acc) {
  return hn::MulAdd(hn::Set(Tag<T>(), *a), b, acc);
}
#endif

/// acc += *a * b, with `read` in as many instructions as there are vectors.
template <class T, int V>
HWY_INLINE void multiply_row(bool read, const T* a, const Vec<T> (&b)[V], Vec<T> (&acc)[V]) {
  if (read) {
#pragma GCC unroll 16
    for (int v = 0; v < V; ++v) acc[v] = mul_add(a, b[v], acc[v]);
  } else {
    const Vec<T> ai = hn::Set(Tag<T>(), *a);
#pragma GCC unroll 16
    for (int v = 0; v < V; ++v) acc[v] = hn::MulAdd(ai, b[v], acc[v]);
  }
}

/// c = alpha * acc + beta * old.
template <class T, int R, int V, bool kTail>
HWY_INLINE void finish(const TileShape<T>& x, Vec<T> (&acc)[R][V], T* c) {
  const Tag<T> d;
  const FirstLanes<T> tail(x.tail);
  const int64_t c_row = x.c_row;
  if (x.alpha != 1) {
    const Vec<T> alpha = hn::Set(d, x.alpha);
#pragma GCC unroll 16
    for (int i = 0; i < R; ++i)
#pragma GCC unroll 16
      for (int v = 0; v < V; ++v) acc[i][v] = hn::Mul(alpha, acc[i][v]);
  }
  if (x.beta != 0) {
    const Vec<T> beta = hn::Set(d, x.beta);
    const T* old = x.old;
#pragma GCC unroll 16
    for (int i = 0; i < R; ++i, old = step(old, x.old_row))
#pragma GCC unroll 16
      for (int v = 0; v < V; ++v) {
        const T* at = old + v * kLanes<T>;
        acc[i][v] = hn::MulAdd(beta, kTail && v == V - 1 ? tail.load(at) : hn::LoadU(d, at), acc[i][v]);
      }
  }
#pragma GCC unroll 16
  for (int i = 0; i < R; ++i, c = step(c, c_row))
#pragma GCC unroll 16
    for (int v = 0; v < V; ++v)
      if (kTail && v == V - 1) tail.store(acc[i][v], c + v * kLanes<T>);
      else hn::StoreU(acc[i][v], d, c + v * kLanes<T>);
}

/// R rows by V vectors of c. With kTail the last vector has only `tail` columns.
template <class T, int R, int V, bool kTail>
void micro(const TileShape<T>& x, const T* a, const T* b, T* c) {
  const Tag<T> d;
  const FirstLanes<T> tail(x.tail);
  const int64_t a_row = x.a_row, a_col = x.a_col, b_row = x.b_row;
  Vec<T> acc[R][V];
#pragma GCC unroll 16
  for (int i = 0; i < R; ++i)
#pragma GCC unroll 16
    for (int v = 0; v < V; ++v) acc[i][v] = hn::Zero(d);

  // One pointer for three rows: x86 addresses reach base, base + stride and base + 2 stride without arithmetic. With
  // AVX-512 for two: it multiplies by a number in memory in one instruction where the address is a base alone.
  constexpr int kEach = kManyRegisters ? 2 : 3, kGroups = (R + kEach - 1) / kEach;
  const T* base[kGroups];
#pragma GCC unroll 16
  for (int g = 0; g < kGroups; ++g) base[g] = step(a, kEach * g * a_row);
  const auto add = [&](int64_t column) HWY_ATTR {  // `column` bytes to the right in a
    Vec<T> bv[V];
#pragma GCC unroll 16
    for (int v = 0; v < V; ++v)
      bv[v] = kTail && v == V - 1 ? tail.load(b + v * kLanes<T>) : hn::LoadU(d, b + v * kLanes<T>);
#pragma GCC unroll 16
    for (int i = 0; i < R; ++i) {
      const T* at = step(base[i / kEach], i % kEach * a_row + column);
      multiply_row<T, V>(kManyRegisters && i % kEach == 0, at, bv, acc[i]);
    }
    b = step(b, b_row);
  };
  const auto advance = [&](int64_t bytes) HWY_ATTR {
#pragma GCC unroll 16
    for (int g = 0; g < kGroups; ++g) base[g] = step(base[g], bytes);
  };
  int64_t p = x.k;
  if constexpr (V == kVectors && !kTail)
    if (a_col == sizeof(T) && x.large) {  // the columns of a are reached by constant distances: fewer pointers to move
      // The rows that follow are needed next: where they lie close together, a line of them at a time.
      const T* next = step(a, a_row == p * a_col ? R * a_row : 0);
      for (; p >= 4; p -= 4, advance(4 * sizeof(T)), next = step(next, 256))
#pragma GCC unroll 4
        for (int64_t u = 0; u < 4; ++u) {
          __builtin_prefetch(step(next, 64 * u));
          add(u * static_cast<int64_t>(sizeof(T)));
        }
    }
  for (; p > 0; --p, advance(a_col)) add(0);
  finish<T, R, V, kTail>(x, acc, c);
}

/// The same for kMaxRows rows that lie side by side and whole vectors. kAhead: of a product so large that what comes
/// next is fetched ahead: b, c and the next rows of a, a little at a time so that none waits for another.
template <class T, bool kAhead>
HWY_NOINLINE void column_micro(const TileShape<T>& x, const T* a, const T* b, T* c) {
  constexpr int R = kMaxRows, V = kVectors, kGroup = 8, kPerLine = HWY_MAX_BYTES < 64 ? 64 / HWY_MAX_BYTES : 1;
  const Tag<T> d;
  const int64_t a_col = kAhead ? kStripRows * static_cast<int64_t>(sizeof(T)) : x.a_col;
  const int64_t b_row = x.b_row, ahead = 16 * b_row;
  Vec<T> acc[R][V];
#pragma GCC unroll 16
  for (int i = 0; i < R; ++i)
#pragma GCC unroll 16
    for (int v = 0; v < V; ++v) acc[i][v] = hn::Zero(d);
  const auto prefetch = [&](const T* row) HWY_ATTR {
#pragma GCC unroll 16
    for (int v = 0; v < V; v += kPerLine) __builtin_prefetch(row + v * kLanes<T>);
  };
  const auto add = [&]() HWY_ATTR {
    Vec<T> bv[V];
#pragma GCC unroll 16
    for (int v = 0; v < V; ++v) bv[v] = hn::LoadU(d, b + v * kLanes<T>);
    if constexpr (kAhead) prefetch(step(b, ahead));
#pragma GCC unroll 16
    for (int i = 0; i < R; ++i) multiply_row<T, V>(kManyRegisters && i % 3, a + i, bv, acc[i]);
    a = step(a, a_col);
    b = step(b, b_row);
  };
  int64_t p = x.k;
  if constexpr (kAhead) {
    const T *c_at = c, *next = x.next;
    for (int row = 0; p >= kGroup; p -= kGroup, ++row) {
      if (row < R) prefetch(c_at), c_at = step(c_at, x.c_row);
      __builtin_prefetch(next), next = step(next, x.next_step);
      for (int u = 0; u < kGroup; u += 2) add(), add();
    }
  }
  for (; p >= 2; p -= 2) add(), add();
  if (p > 0) add();
  finish<T, R, V, false>(x, acc, c);
}

template <class T>
using Micro = void (*)(const TileShape<T>&, const T* a, const T* b, T* c);

template <class T, int V, bool kTail>
constexpr Micro<T> kMicro[] = {
    micro<T, 1, V, kTail>,  micro<T, 2, V, kTail>,  micro<T, 3, V, kTail>,  micro<T, 4, V, kTail>,
    micro<T, 5, V, kTail>,  micro<T, 6, V, kTail>,
#if HWY_MAX_BYTES == 64
    micro<T, 7, V, kTail>,  micro<T, 8, V, kTail>,  micro<T, 9, V, kTail>,  micro<T, 10, V, kTail>,
    micro<T, 11, V, kTail>, micro<T, 12, V, kTail>, micro<T, 13, V, kTail>, micro<T, 14, V, kTail>,
#endif
};

/// Loads 128-bit blocks from `kLanes / per block` places, `stride` apart, into one vector.
template <class T>
HWY_INLINE Vec<T> gather_blocks(const T* p, int64_t stride) {
  const Tag<T> d;
  constexpr int kBlocks = HWY_MAX_BYTES / 16;
  Vec<T> v = hn::LoadDup128(d, p + (kBlocks - 1) * stride);
#pragma GCC unroll 4
  for (int i = kBlocks - 1; i > 0; --i)
    v = hn::IfThenElse(hn::FirstN(d, i * (16 / sizeof(T))), hn::LoadDup128(d, p + (i - 1) * stride), v);
  return v;
}

/// 16 bytes of k by one vector of columns, where b's columns are contiguous: loads along k, transposes in registers.
HWY_INLINE void transpose(const float* b, int64_t b_col, float* to, int64_t to_row) {
  const Tag<float> d;
  const hn::Repartition<double, Tag<float>> dd;
  const Vec<float> r0 = gather_blocks(b, 4 * b_col), r1 = gather_blocks(b + b_col, 4 * b_col);
  const Vec<float> r2 = gather_blocks(b + 2 * b_col, 4 * b_col), r3 = gather_blocks(b + 3 * b_col, 4 * b_col);
  const auto p = hn::BitCast(dd, hn::InterleaveLower(d, r0, r1)), q = hn::BitCast(dd, hn::InterleaveUpper(d, r0, r1));
  const auto r = hn::BitCast(dd, hn::InterleaveLower(d, r2, r3)), s = hn::BitCast(dd, hn::InterleaveUpper(d, r2, r3));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(dd, p, r)), d, to);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(dd, p, r)), d, to + to_row);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(dd, q, s)), d, to + 2 * to_row);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(dd, q, s)), d, to + 3 * to_row);
}
HWY_INLINE void transpose(const double* b, int64_t b_col, double* to, int64_t to_row) {
  const Tag<double> d;
  const Vec<double> r0 = gather_blocks(b, 2 * b_col), r1 = gather_blocks(b + b_col, 2 * b_col);
  hn::StoreU(hn::InterleaveLower(d, r0, r1), d, to);
  hn::StoreU(hn::InterleaveUpper(d, r0, r1), d, to + to_row);
}

/// One vector of columns of b, contiguous along k, as rows `to_row` apart.
template <class T>
HWY_INLINE void transpose_columns(int64_t k, const T* b, int64_t b_col, T* to, int64_t to_row) {
  constexpr int64_t kStep = 16 / sizeof(T);
  int64_t p = 0;
  for (; p + kStep <= k; p += kStep) transpose(b + p, b_col, to + p * to_row, to_row);
  for (; p < k; ++p)
#pragma GCC unroll 1
    for (int64_t l = 0; l < kLanes<T>; ++l) to[p * to_row + l] = b[l * b_col + p];
}

/// kStripRows rows of a, whose rows or columns are contiguous, as columns one after the other.
template <class T>
void pack_strip(int64_t k, const T* a, int64_t a_row, int64_t a_col, T* strip) {
  const Tag<T> d;
  for (int64_t l = 0; l < kStripRows; l += kLanes<T>)
    if (a_row == 1)
      for (int64_t p = 0; p < k; ++p) hn::StoreU(hn::LoadU(d, a + l + p * a_col), d, strip + p * kStripRows + l);
    else transpose_columns(k, a + l * a_row, a_row, strip + l, kStripRows);
}

template <class T>
void block(const GemmBlock<T>& x) {
  constexpr int64_t kPanel = kVectors * kLanes<T>, kSize = sizeof(T);
  TileShape<T> tile = {x.k,
                       x.a_row * kSize,
                       x.a_col * kSize,
                       x.b_row * kSize,
                       x.c_row * kSize,
                       0,
                       x.alpha,
                       x.beta,
                       x.a,
                       0,
                       nullptr,
                       x.row ? 0 : x.c_row * kSize,
                       x.m * x.n * x.k > int64_t{1} << 16};
  // Rows of a far apart fall into few sets of the caches: where each is read often, they are brought together.
  const bool far = x.a_row == 1 && x.a_col * kSize >= kFar;
  const bool pack = x.n >= (far ? kPackedWidth / 2 : kPackedWidth) && x.m >= kStripRows && x.k >= 16 &&
                    x.k <= kStripDepth && (x.a_row == 1 || x.a_col == 1);
  alignas(64) T packed[kStripRows * kStripDepth];
  if (pack) tile.a_row = kSize, tile.a_col = kStripRows * kSize;
  // Rows side by side have a kernel of their own. Others are shared out evenly: 16 rows are 8 + 8, not 14 + 2. Few when
  // k is so small that writing c is all.
  const bool columns = tile.a_row == kSize && x.m >= 3 * kMaxRows && x.k >= 8;
  const int64_t strips = x.k < 8 && x.n > kPanel ? (x.m + 3) / 4 : (x.m + kMaxRows - 1) / kMaxRows;
  const int64_t even = x.m / strips, more = strips - x.m % strips;  // the strips from `more` on have one row more
  for (int64_t s = 0, i = 0, rows; s < strips; ++s, i += rows) {
    const int64_t rest = x.m - i;
    if (!columns) rows = even + (s >= more);
    else if (rest > kMaxRows && rest < kMaxRows + 4) rows = rest / 2;  // a strip of a few rows waits for its sums
    else rows = rest < kMaxRows ? rest : kMaxRows;
    const T* a = x.a + i * x.a_row;
    if (pack) {
      const int64_t first = i < x.m - kStripRows ? i : x.m - kStripRows;
      pack_strip(x.k, x.a + first * x.a_row, x.a_row, x.a_col, packed);
      a = packed + (i - first);
      tile.next_step = (x.a_row == 1 ? x.a_col : x.a_row) * kSize;
    }
    for (int64_t j = 0; j < x.n; j += kPanel) {
      const int64_t width = x.n - j < kPanel ? x.n - j : kPanel;
      T* const c = x.c + i * x.c_row + j;
      tile.old = x.row ? x.row + j : c;
      if (columns && width == kPanel && rows == kMaxRows) {
        // A part of the next rows: their last elements in an eighth of the columns, or those in one line of cache.
        const int64_t part = j / kPanel;
        tile.next = x.a + (i + rows) * x.a_row +
                    (x.a_row == 1 ? kStripRows - 1 + part % 8 * (x.k / 8) * x.a_col : part * (64 / kSize) % x.k);
        (pack ? column_micro<T, true> : column_micro<T, false>)(tile, a, x.b + j * x.b_jump, c);
        continue;
      }
      const Micro<T>* micros = width == kPanel     ? kMicro<T, 2, false>
                               : width > kLanes<T> ? kMicro<T, 2, true>
                                                   : kMicro<T, 1, true>;
      tile.tail = width > kLanes<T> ? width - kLanes<T> : width;
      micros[rows - 1](tile, a, x.b + j * x.b_jump, c);
    }
  }
}

namespace wide {
/// R rows of a times S columns of b, both contiguous along k: vectors run along k.
template <class T, int R, int S>
HWY_INLINE void dot_tile(const GemmBlock<T>& x, int64_t i, int64_t j) {
  const Tag<T> d;
  Vec<T> acc[R][S];
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r)
#pragma GCC unroll 16
    for (int s = 0; s < S; ++s) acc[r][s] = hn::Zero(d);
  const T* a = x.a + i * x.a_row;
  const T* b = x.b + j * x.b_row;
  const int64_t a_row = x.a_row, b_row = x.b_row, k = x.k;
  const auto add = [&](int64_t p, auto load) HWY_ATTR {
    Vec<T> bv[S];
#pragma GCC unroll 16
    for (int s = 0; s < S; ++s) bv[s] = load(b + s * b_row + p);
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r) {
      const Vec<T> av = load(a + r * a_row + p);
#pragma GCC unroll 16
      for (int s = 0; s < S; ++s) acc[r][s] = hn::MulAdd(av, bv[s], acc[r][s]);
    }
  };
  int64_t p = 0;
  for (; p + kLanes<T> <= k; p += kLanes<T>) add(p, [&](const T* q) HWY_ATTR { return hn::LoadU(d, q); });
  if (p < k) add(p, [&](const T* q) HWY_ATTR { return load_part(q, k - p, T(0)); });
#pragma GCC unroll 16
  for (int r = 0; r < R; ++r)
#pragma GCC unroll 16
    for (int s = 0; s < S; ++s) {
      T* c = x.c + (i + r) * x.c_row + j + s;
      const T y = x.alpha * sum_of_lanes<T>(acc[r][s]);
      *c = x.beta != 0 ? y + x.beta * *c : y;
    }
}

template <class T>
void dots(const GemmBlock<T>& x) {
  constexpr int kSide = kManyRegisters ? 4 : 2;  // of a tile
  int64_t j = 0;
  for (; j + kSide <= x.n; j += kSide) {
    int64_t i = 0;
    for (; i + kSide <= x.m; i += kSide) dot_tile<T, kSide, kSide>(x, i, j);
    for (; i + 2 <= x.m; i += 2) dot_tile<T, 2, kSide>(x, i, j);
    for (; i < x.m; ++i) dot_tile<T, 1, kSide>(x, i, j);
  }
  for (; j < x.n; ++j) {
    int64_t i = 0;
    for (; i + kSide <= x.m; i += kSide) dot_tile<T, kSide, 1>(x, i, j);
    for (; i < x.m; ++i) dot_tile<T, 1, 1>(x, i, j);
  }
}
template <class T>
T dot(int64_t n, const T* x, const T* y) {
  const Tag<T> d;
  constexpr int64_t kStep = 4 * kLanes<T>;
  Vec<T> acc[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  int64_t i = 0;
  for (; i + kStep <= n; i += kStep)
#pragma GCC unroll 4
    for (int v = 0; v < 4; ++v)
      acc[v] = hn::MulAdd(hn::LoadU(d, x + i + v * kLanes<T>), hn::LoadU(d, y + i + v * kLanes<T>), acc[v]);
  for (; i + kLanes<T> <= n; i += kLanes<T>) acc[0] = hn::MulAdd(hn::LoadU(d, x + i), hn::LoadU(d, y + i), acc[0]);
  if (i < n) acc[1] = hn::MulAdd(load_part(x + i, n - i, T(0)), load_part(y + i, n - i, T(0)), acc[1]);
  return sum_of_lanes<T>(hn::Add(hn::Add(acc[0], acc[1]), hn::Add(acc[2], acc[3])));
}
}  // namespace wide

template <class T>
void pack(int64_t k, int64_t n, const T* b, int64_t b_row, int64_t b_col, T* packed) {
  const Tag<T> d;
  constexpr int64_t kPanel = kVectors * kLanes<T>;
  for (int64_t j = 0; j < n; j += kPanel, packed += k * kPanel) {
    const int64_t width = n - j < kPanel ? n - j : kPanel;
    const T* from = b + j * b_col;
    if (b_col == 1 && width == kPanel) {
      for (int64_t p = 0; p < k; ++p)
        for (int v = 0; v < kVectors; ++v)
          hn::StoreU(hn::LoadU(d, from + p * b_row + v * kLanes<T>), d, packed + p * kPanel + v * kLanes<T>);
      continue;
    }
    int64_t done = 0;  // columns packed by transposing whole vectors of them
    if (b_row == 1)
      for (; done + kLanes<T> <= width; done += kLanes<T>)
        transpose_columns(k, from + done * b_col, b_col, packed + done, kPanel);
    for (int64_t l = done; l < width; ++l)
      for (int64_t p = 0; p < k; ++p) packed[p * kPanel + l] = from[l * b_col + p * b_row];
  }
}

template <class T>
void transpose_matrix(int64_t rows, int64_t columns, const T* from, int64_t from_row, T* to, int64_t to_row) {
  constexpr int64_t kColumns = 64, kStep = 16 / sizeof(T);  // few pages at a time
  for (int64_t c0 = 0; c0 < columns; c0 += kColumns) {
    const int64_t end = columns - c0 < kColumns ? columns : c0 + kColumns;
    int64_t r = 0;
    for (; r + kLanes<T> <= rows; r += kLanes<T>) {
      int64_t c = c0;
      for (; c + kStep <= end; c += kStep) transpose(from + r * from_row + c, from_row, to + c * to_row + r, to_row);
      for (; c < end; ++c)
        for (int64_t l = r; l < r + kLanes<T>; ++l) to[c * to_row + l] = from[l * from_row + c];
    }
    for (; r < rows; ++r)
      for (int64_t c = c0; c < end; ++c) to[c * to_row + r] = from[r * from_row + c];
  }
}

template <class T>
void integer_block(const GemmBlock<T>& x) {
  constexpr int64_t kWidth = 64;
  for (int64_t j = 0; j < x.n; j += kWidth) {
    const int64_t width = x.n - j < kWidth ? x.n - j : kWidth;
    for (int64_t i = 0; i < x.m; ++i) {
      T acc[kWidth] = {};
      for (int64_t p = 0; p < x.k; ++p) {
        const T a = x.a[i * x.a_row + p * x.a_col];
        const T* b = x.b + p * x.b_row + j;
        if (width == kWidth)
          for (int64_t l = 0; l < kWidth; ++l) acc[l] += a * b[l];
        else
          for (int64_t l = 0; l < width; ++l) acc[l] += a * b[l];
      }
      T* c = x.c + i * x.c_row + j;
      for (int64_t l = 0; l < width; ++l) c[l] = x.alpha * acc[l] + (x.beta != 0 ? x.beta * c[l] : 0);
    }
  }
}

template <class T>
T integer_dot(int64_t n, const T* x, const T* y) {
  T sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

// bfloat16 is the upper half of a float. (The class of dtype.h has inline members, which must not leave this file.)
float bfloat16_to_float(uint16_t bits) { return __builtin_bit_cast(float, static_cast<uint32_t>(bits) << 16); }
uint16_t float_to_bfloat16(float f) {
  const uint32_t u = __builtin_bit_cast(uint32_t, f);
  return f != f ? uint16_t{0x7fc0} : static_cast<uint16_t>((u + 0x7fff + (u >> 16 & 1)) >> 16);
}
#if HWY_ARCH_X86 && HWY_TARGET > HWY_AVX2  // no instruction for it
float half_to_float(uint16_t bits) { return Half::to_float(bits); }
uint16_t float_to_half(float f) { return Half::from_float(f); }
#else
float half_to_float(uint16_t bits) {
  const hn::CappedTag<float, 1> d;
  const hn::Rebind<hwy::float16_t, decltype(d)> dh;
  return hn::GetLane(hn::PromoteTo(d, hn::Load(dh, reinterpret_cast<const hwy::float16_t*>(&bits))));
}
uint16_t float_to_half(float f) {
  const hn::CappedTag<float, 1> d;
  const hn::Rebind<hwy::float16_t, decltype(d)> dh;
  uint16_t bits;
  hn::Store(hn::DemoteTo(dh, hn::Set(d, f)), dh, reinterpret_cast<hwy::float16_t*>(&bits));
  return bits;
}
#endif

/// How the elements of a dtype are stored (Stored) and computed with (Work).
template <class S, class W>
struct Plain {
  using Stored = S;
  using Work = W;
  static W load(S v) { return static_cast<W>(v); }
  static S store(W v) { return static_cast<S>(v); }
};
struct Truth : Plain<uint8_t, uint32_t> {
  static uint8_t store(uint32_t v) { return v != 0; }
};
struct BFloat16Bits : Plain<uint16_t, float> {
  static float load(uint16_t v) { return bfloat16_to_float(v); }
  static uint16_t store(float v) { return float_to_bfloat16(v); }
};
struct HalfBits : Plain<uint16_t, float> {
  static float load(uint16_t v) { return half_to_float(v); }
  static uint16_t store(float v) { return float_to_half(v); }
};

template <class E>
void read(int64_t n, const void* from, int64_t stride, void* to) {
  const auto* x = static_cast<const typename E::Stored*>(from);
  auto* y = static_cast<typename E::Work*>(to);
  if (stride == 1)
    for (int64_t i = 0; i < n; ++i) y[i] = E::load(x[i]);
  else
    for (int64_t i = 0; i < n; ++i) y[i] = E::load(x[i * stride]);
}
template <class E>
void write(int64_t n, const void* from, void* to, int64_t stride, const void* alpha, const void* beta) {
  using W = typename E::Work;
  const auto* x = static_cast<const W*>(from);
  auto* y = static_cast<typename E::Stored*>(to);
  const W a = *static_cast<const W*>(alpha), b = *static_cast<const W*>(beta);
  if (b != 0)
    for (int64_t i = 0; i < n; ++i) y[i * stride] = E::store(a * x[i] + b * E::load(y[i * stride]));
  else if (stride == 1)
    for (int64_t i = 0; i < n; ++i) y[i] = E::store(a * x[i]);
  else
    for (int64_t i = 0; i < n; ++i) y[i * stride] = E::store(a * x[i]);
}
template <class E>
constexpr GemmConversion conversion = {read<E>, write<E>};

}  // namespace

extern const GemmTable gemm_table;
const GemmTable gemm_table = {
    {kVectors * kLanes<float>, kMaxRows, block<float>, wide::dots<float>, pack<float>, wide::dot<float>,
     transpose_matrix<float>},
    {kVectors * kLanes<double>, kMaxRows, block<double>, wide::dots<double>, pack<double>, wide::dot<double>,
     transpose_matrix<double>},
    {integer_block<uint32_t>, integer_dot<uint32_t>},
    {integer_block<uint64_t>, integer_dot<uint64_t>},
    {conversion<Truth>, conversion<Plain<uint8_t, uint32_t>>, conversion<Plain<int8_t, uint32_t>>,
     conversion<Plain<int16_t, uint32_t>>, conversion<Plain<int32_t, uint32_t>>, conversion<Plain<int64_t, uint64_t>>,
     conversion<HalfBits>, conversion<BFloat16Bits>, conversion<Plain<float, float>>,
     conversion<Plain<double, double>>},
};

}  // namespace taut::TAUT_ISA
