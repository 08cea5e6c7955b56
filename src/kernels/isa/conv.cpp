// The inner loops of convolution and pooling: to slabs and back, from slabs to matrices, and windows taken directly.
#include "kernels/isa/conv.h"

#include <type_traits>

#include "kernels/isa/vector.h"
#include "kernels/isa/wide.h"

namespace taut::TAUT_ISA {
namespace {

template <class T>
HWY_INLINE T smaller(T a, T b) {
  return a < b ? a : b;
}

/// The q for which origin + phase + q * step lies in the image.
struct Range {
  int64_t begin, end;
};
HWY_INLINE int64_t steps_to(int64_t distance, int64_t step, int64_t most) {
  if (distance <= 0) return 0;
  return smaller(step == 1 ? distance : (distance + step - 1) / step, most);
}
HWY_INLINE Range inside(const SlabRow& row, int64_t phase) {
  const int64_t first = row.origin + phase;
  const Range r = {steps_to(-first, row.step, row.length), steps_to(row.width - first, row.step, row.length)};
  return r.end < r.begin ? Range{r.begin, r.begin} : r;
}

template <class T>
void copy_row(T* to, const T* from, int64_t n) {
  const Tag<T> d;
  int64_t i = 0;
  for (; i + kLanes<T> <= n; i += kLanes<T>) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
  if (i < n) {
    const FirstLanes<T> tail(n - i);
    tail.store(tail.load(from + i), to + i);
  }
}

constexpr bool kMaskedLoads = TAUT_MASKED_LOADS;

/// Lanes [begin, end).
template <class T>
HWY_INLINE hn::Mask<Tag<T>> lanes_between(int64_t begin, int64_t end) {
  const Tag<T> d;
  const auto bound = [](int64_t n) { return static_cast<size_t>(n < 0 ? 0 : n > kLanes<T> ? kLanes<T> : n); };
  return hn::AndNot(hn::FirstN(d, bound(begin)), hn::FirstN(d, bound(end)));
}

/// One phase of rows whose columns are Step apart, vector by vector, for all rows at once.
template <class T, int Step>
void fill_phase(T* slab, int64_t slab_step, const T* image, int64_t image_step, int64_t count, int64_t length,
                int64_t first, int64_t width, T padding) {
  const Tag<T> d;
  const Vec<T> pad = hn::Set(d, padding);
  for (int64_t q = 0; q < length; q += kLanes<T>) {
    // Image columns first + Step * q and following; those outside of [0, width) are padding.
    const int64_t at = first + Step * q;
    const auto low = lanes_between<T>(-at, width - at);
    const auto high = lanes_between<T>(-at - kLanes<T>, width - at - kLanes<T>);
    const bool whole = q + kLanes<T> <= length;
    const FirstLanes<T> tail(whole ? kLanes<T> : length - q);
    T* to = slab + q;
    const T* from = image + at;
    for (int64_t r = 0; r < count; ++r, to += slab_step, from += image_step) {
      Vec<T> v = hn::IfThenElse(low, hn::MaskedLoad(low, d, from), pad);
      if constexpr (Step == 2)
        v = hn::ConcatEven(d, hn::IfThenElse(high, hn::MaskedLoad(high, d, from + kLanes<T>), pad), v);
      if (whole) hn::StoreU(v, d, to);
      else tail.store(v, to);
    }
  }
}

template <class T>
void fill_rows(const SlabRow& row, T* slab, int64_t slab_step, const T* image, int64_t image_step, int64_t count,
               T padding) {
  if (!image) {
    for (int64_t r = 0; r < count; ++r, slab += slab_step)
      for (int64_t q = 0; q < row.phases * row.length; ++q) slab[q] = padding;
    return;
  }
  for (int64_t i = 0; i < row.phases; ++i, slab += row.length) {
    const int64_t first = row.origin + row.phase[i];
    if (kMaskedLoads && row.step == 1) {
      fill_phase<T, 1>(slab, slab_step, image, image_step, count, row.length, first, row.width, padding);
    } else if (kMaskedLoads && row.step == 2) {
      fill_phase<T, 2>(slab, slab_step, image, image_step, count, row.length, first, row.width, padding);
    } else {
      const Range in = inside(row, row.phase[i]);
      T* to = slab;
      const T* from = image + first;
      for (int64_t r = 0; r < count; ++r, to += slab_step, from += image_step) {
        for (int64_t q = 0; q < in.begin; ++q) to[q] = padding;
        for (int64_t q = in.begin; q < in.end; ++q) to[q] = from[q * row.step];
        for (int64_t q = in.end; q < row.length; ++q) to[q] = padding;
      }
    }
  }
}

template <class T>
void read_row(const SlabRow& row, T* image, const T* slab) {
  int64_t held = 0;
  for (int64_t i = 0; i < row.phases; ++i) {
    const Range in = inside(row, row.phase[i]);
    held += in.end - in.begin;
  }
  if (held < row.width)
    for (int64_t x = 0; x < row.width; ++x) image[x] = 0;
  for (int64_t i = 0; i < row.phases; ++i, slab += row.length) {
    const Range in = inside(row, row.phase[i]);
    T* to = image + row.origin + row.phase[i] + in.begin * row.step;
    const T* from = slab + in.begin;
    const int64_t n = in.end - in.begin;
    if (row.step == 1) copy_row(to, from, n);
    else if (row.step == 2)
      for (int64_t q = 0; q < n; ++q) to[2 * q] = from[q];
    else
      for (int64_t q = 0; q < n; ++q) to[q * row.step] = from[q];
  }
}

template <class T>
void pack(const T* slab, const int64_t* taps, int64_t k, const SlabSegment* segments, int64_t begin, int64_t end,
          int64_t height, T* packed) {
  const Tag<T> d;
  constexpr int64_t kPanel = kVectors * kLanes<T>;
  for (int64_t j = begin; j < end; j += kLanes<T>) {
    const int64_t from_begin = j - begin;
    T* to = packed + from_begin / kPanel * kPanel * height + from_begin % kPanel;
    while (segments->column + segments->count <= j) ++segments;
    const int64_t last = smaller(j + kLanes<T>, end);
    // A vector over several rows of the image: each later row replaces the lanes from its first one on.
    constexpr int kMost = 4;
    const T* from[kMost];
    hn::Mask<Tag<T>> later[kMost];
    int rows = 0;
    const SlabSegment* s = segments;
    for (;; ++s) {
      from[rows] = slab + s->offset + (j - s->column);
      later[rows] = hn::Not(hn::FirstN(d, static_cast<size_t>(s->column > j ? s->column - j : 0)));
      ++rows;
      if (s->column + s->count >= last || rows == kMost) break;
    }
    const T *a = from[0], *b = from[1], *c = from[2], *e = from[3];
    if (rows == 1) {
      for (int64_t p = 0; p < k; ++p) hn::StoreU(hn::LoadU(d, a + taps[p]), d, to + p * kPanel);
    } else if (rows == 2) {
      const auto second = later[1];
      for (int64_t p = 0; p < k; ++p)
        hn::StoreU(hn::IfThenElse(second, hn::LoadU(d, b + taps[p]), hn::LoadU(d, a + taps[p])), d, to + p * kPanel);
    } else if (rows == 3) {
      const auto second = later[1], third = later[2];
      for (int64_t p = 0; p < k; ++p) {
        const Vec<T> v = hn::IfThenElse(second, hn::LoadU(d, b + taps[p]), hn::LoadU(d, a + taps[p]));
        hn::StoreU(hn::IfThenElse(third, hn::LoadU(d, c + taps[p]), v), d, to + p * kPanel);
      }
    } else {
      const auto second = later[1], third = later[2], fourth = later[3];
      for (int64_t p = 0; p < k; ++p) {
        Vec<T> v = hn::IfThenElse(second, hn::LoadU(d, b + taps[p]), hn::LoadU(d, a + taps[p]));
        v = hn::IfThenElse(third, hn::LoadU(d, c + taps[p]), v);
        hn::StoreU(hn::IfThenElse(fourth, hn::LoadU(d, e + taps[p]), v), d, to + p * kPanel);
      }
    }
    while (s->column + s->count < last) {  // rows shorter than a quarter of a vector
      ++s;
      const T* more = slab + s->offset + (j - s->column);
      const auto rest = hn::Not(hn::FirstN(d, static_cast<size_t>(s->column - j)));
      for (int64_t p = 0; p < k; ++p)
        hn::StoreU(hn::IfThenElse(rest, hn::LoadU(d, more + taps[p]), hn::LoadU(d, to + p * kPanel)), d,
                   to + p * kPanel);
    }
  }
}

template <class T>
void rows(const T* slab, const int64_t* taps, int64_t k, const SlabSegment* segments, int64_t count, int64_t pitch,
          T* matrix) {
  for (int64_t p = 0; p < k; ++p, matrix += pitch)
    for (int64_t s = 0; s < count; ++s)
      copy_row(matrix + segments[s].column, slab + segments[s].offset + taps[p], segments[s].count);
}

template <class T>
void add_rows(T* slab, const int64_t* taps, int64_t k, const SlabSegment* segments, int64_t count, int64_t pitch,
              const T* matrix) {
  const Tag<T> d;
  for (int64_t p = 0; p < k; ++p, matrix += pitch)
    for (int64_t s = 0; s < count; ++s) {
      T* to = slab + segments[s].offset + taps[p];
      const T* from = matrix + segments[s].column;
      const int64_t n = segments[s].count;
      int64_t i = 0;
      for (; i + kLanes<T> <= n; i += kLanes<T>)
        hn::StoreU(hn::Add(hn::LoadU(d, to + i), hn::LoadU(d, from + i)), d, to + i);
      if (i < n) {
        const FirstLanes<T> tail(n - i);
        tail.store(hn::Add(tail.load(to + i), tail.load(from + i)), to + i);
      }
    }
}

/// R rows of one vector of columns each.
template <class T, int R>
HWY_INLINE void filter_tile(const T* slab, int64_t row_step, const int64_t* taps, int64_t k, const T* weight, T bias,
                            Vec<T> (&acc)[R]) {
  const Tag<T> d;
#pragma GCC unroll 8
  for (int r = 0; r < R; ++r) acc[r] = hn::Set(d, bias);
  for (int64_t p = 0; p < k; ++p) {
    const Vec<T> w = hn::Set(d, weight[p]);
    const T* from = slab + taps[p];
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) acc[r] = hn::MulAdd(w, hn::LoadU(d, from + r * row_step), acc[r]);
  }
}

template <class T, int R>
HWY_INLINE void filter_rows(const SlabGrid& grid, const T* slab, const int64_t* taps, int64_t k, const T* weight,
                            T bias, T* y) {
  const Tag<T> d;
  Vec<T> acc[R];
  int64_t j = 0;
  for (; j + kLanes<T> <= grid.width; j += kLanes<T>) {
    filter_tile<T, R>(slab + j, grid.height_step, taps, k, weight, bias, acc);
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) hn::StoreU(acc[r], d, y + r * grid.width + j);
  }
  if (j < grid.width) {
    const FirstLanes<T> tail(grid.width - j);
    filter_tile<T, R>(slab + j, grid.height_step, taps, k, weight, bias, acc);
#pragma GCC unroll 8
    for (int r = 0; r < R; ++r) tail.store(acc[r], y + r * grid.width + j);
  }
}

template <class T>
void filter(const SlabGrid& grid, const T* slab, const int64_t* taps, int64_t k, const T* weight, T bias, T* y) {
  for (int64_t z = 0; z < grid.depth; ++z) {
    const T* at = slab + z * grid.depth_step;
    int64_t h = 0;
    for (; h + 8 <= grid.height; h += 8, at += 8 * grid.height_step, y += 8 * grid.width)
      filter_rows<T, 8>(grid, at, taps, k, weight, bias, y);
    if (h + 4 <= grid.height) {
      filter_rows<T, 4>(grid, at, taps, k, weight, bias, y);
      h += 4, at += 4 * grid.height_step, y += 4 * grid.width;
    }
    if (h + 2 <= grid.height) {
      filter_rows<T, 2>(grid, at, taps, k, weight, bias, y);
      h += 2, at += 2 * grid.height_step, y += 2 * grid.width;
    }
    if (h < grid.height) {
      filter_rows<T, 1>(grid, at, taps, k, weight, bias, y);
      y += grid.width;
    }
  }
}

template <class T>
void add_filter(const SlabGrid& grid, T* slab, const int64_t* taps, int64_t k, const T* weight, const T* g) {
  const Tag<T> d;
  for (int64_t z = 0; z < grid.depth; ++z)
    for (int64_t h = 0; h < grid.height; ++h, g += grid.width) {
      T* at = slab + z * grid.depth_step + h * grid.height_step;
      for (int64_t p = 0; p < k; ++p) {
        const Vec<T> w = hn::Set(d, weight[p]);
        T* to = at + taps[p];
        int64_t j = 0;
        for (; j + kLanes<T> <= grid.width; j += kLanes<T>)
          hn::StoreU(hn::MulAdd(w, hn::LoadU(d, g + j), hn::LoadU(d, to + j)), d, to + j);
        if (j < grid.width) {
          const FirstLanes<T> tail(grid.width - j);
          tail.store(hn::MulAdd(w, tail.load(g + j), tail.load(to + j)), to + j);
        }
      }
    }
}

namespace wide {
template <class T, int K>
HWY_INLINE void correlate_taps(const SlabGrid& grid, const T* slab, const int64_t* taps, const T* g, T* sums) {
  const Tag<T> d;
  Vec<T> acc[K];
#pragma GCC unroll 16
  for (int p = 0; p < K; ++p) acc[p] = hn::Zero(d);
  for (int64_t z = 0; z < grid.depth; ++z)
    for (int64_t h = 0; h < grid.height; ++h, g += grid.width) {
      const T* at = slab + z * grid.depth_step + h * grid.height_step;
      int64_t j = 0;
      for (; j + kLanes<T> <= grid.width; j += kLanes<T>) {
        const Vec<T> gv = hn::LoadU(d, g + j);
#pragma GCC unroll 16
        for (int p = 0; p < K; ++p) acc[p] = hn::MulAdd(gv, hn::LoadU(d, at + taps[p] + j), acc[p]);
      }
      if (j < grid.width) {
        const int64_t rest = grid.width - j;
        const Vec<T> gv = load_part(g + j, rest, T(0));
#pragma GCC unroll 16
        for (int p = 0; p < K; ++p) acc[p] = hn::MulAdd(gv, load_part(at + taps[p] + j, rest, T(0)), acc[p]);
      }
    }
#pragma GCC unroll 16
  for (int p = 0; p < K; ++p) sums[p] += sum_of_lanes<T>(acc[p]);
}

template <class T>
void correlate(const SlabGrid& grid, const T* slab, const int64_t* taps, int64_t k, const T* g, T* sums) {
  int64_t p = 0;
  if constexpr (kManyRegisters) {
    for (; p + 9 <= k; p += 9) correlate_taps<T, 9>(grid, slab, taps + p, g, sums + p);
    for (; p + 5 <= k; p += 5) correlate_taps<T, 5>(grid, slab, taps + p, g, sums + p);
  }
  for (; p + 3 <= k; p += 3) correlate_taps<T, 3>(grid, slab, taps + p, g, sums + p);
  for (; p < k; ++p) correlate_taps<T, 1>(grid, slab, taps + p, g, sums + p);
}
}  // namespace wide

template <class T>
void greatest(const SlabGrid& grid, const T* slab, const int64_t* taps, int64_t k, const int32_t* codes, int32_t base,
              int32_t depth_base, int32_t height_base, int32_t width_base, T* y, int64_t* index) {
  using I = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;  // lanes as wide as those of T
  const Tag<T> d;
  const Tag<I> di;
  const auto steps = hn::Mul(hn::Iota(di, 0), hn::Set(di, width_base));
  for (int64_t z = 0; z < grid.depth; ++z)
    for (int64_t h = 0; h < grid.height; ++h, y += grid.width) {
      const T* at = slab + z * grid.depth_step + h * grid.height_step;
      const I row = static_cast<I>(base + z * depth_base + h * height_base);
      for (int64_t j = 0; j < grid.width; j += kLanes<T>) {
        Vec<T> best = hn::LoadU(d, at + taps[0] + j);
        if (!index) {
          for (int64_t p = 1; p < k; ++p) {
            const Vec<T> v = hn::LoadU(d, at + taps[p] + j);
            best = hn::IfThenElse(hn::Or(hn::Gt(v, best), hn::IsNaN(v)), v, best);
          }
        }
        auto code = hn::Set(di, codes[0]);
        if (index) {
          for (int64_t p = 1; p < k; ++p) {
            const Vec<T> v = hn::LoadU(d, at + taps[p] + j);
            const auto take = hn::Or(hn::Gt(v, best), hn::IsNaN(v));
            best = hn::IfThenElse(take, v, best);
            code = hn::IfThenElse(hn::RebindMask(di, take), hn::Set(di, codes[p]), code);
          }
          code = hn::Add(code, hn::Add(steps, hn::Set(di, static_cast<I>(row + j * width_base))));
        }
        const int64_t n = smaller<int64_t>(kLanes<T>, grid.width - j);
        if (n == kLanes<T>) hn::StoreU(best, d, y + j);
        else FirstLanes<T>(n).store(best, y + j);
        if (!index) continue;
        HWY_ALIGN I lanes[kLanes<T>];
        hn::Store(code, di, lanes);
        for (int64_t l = 0; l < n; ++l) index[j + l] = lanes[l];
      }
      if (index) index += grid.width;
    }
}

template <class T>
constexpr ConvKernels<T> kernels = {fill_rows<T>,  read_row<T>,        pack<T>,    rows<T>, add_rows<T>, filter<T>,
                                    add_filter<T>, wide::correlate<T>, greatest<T>};

}  // namespace

extern const ConvTable conv_table;
const ConvTable conv_table = {kernels<float>, kernels<double>};

}  // namespace taut::TAUT_ISA
