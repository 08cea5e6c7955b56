#include "kernels/copy.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/maths.h"
#include "core/parallel.h"
#include "kernels/nest.h"
#include "kernels/pointwise_convert.h"
#include "taut/core/error.h"

namespace taut::kernels {
namespace {

constexpr int64_t kGrain = 32768;    // elements that are worth a chunk of their own
constexpr int64_t kTile = 512;       // elements that are converted through a buffer at a time
constexpr int64_t kShortRow = 4096;  // bytes of a row that vectors copy no slower than memcpy
constexpr int64_t kBlock = 64;       // side of the squares in which a matrix is transposed,
constexpr int64_t kTall = 512;       // or the height of stripes, as many rows as the processor remembers the pages of

/// Call f with an unsigned integer of the given size.
template <class F>
void visit_size(int64_t size, F&& f) {
  switch (size) {
    case 1: return f(uint8_t{});
    case 2: return f(uint16_t{});
    case 4: return f(uint32_t{});
    default: return f(uint64_t{});
  }
}
bool same_bits(ScalarType to, ScalarType from) { return to == from || (to == kByte && from == kBool); }

template <class U>
void move_row(U* to, int64_t ts, const U* from, int64_t fs, int64_t n) {
  if (ts == 1 && fs == 1) {
    if (n > 16) return void(std::memcpy(to, from, static_cast<size_t>(n) * sizeof(U)));
    for (int64_t i = 0; i < n; ++i) to[i] = from[i];
  } else if (ts == 1 && fs == 0) {
    const U x = *from;
    for (int64_t i = 0; i < n; ++i) to[i] = x;
  } else {
    for (int64_t i = 0; i < n; ++i) to[i * ts] = from[i * fs];
  }
}
void move_row(int64_t size, void* to, int64_t ts, const void* from, int64_t fs, int64_t n) {
  visit_size(size, [&]<class U>(U) { move_row(static_cast<U*>(to), ts, static_cast<const U*>(from), fs, n); });
}

void convert(ScalarType to_type, void* to, ScalarType from_type, const void* from, int64_t n);

/// to[i] = f(from[i])
template <class To, class From, class F>
void each(void* to, const void* from, int64_t n, F f) {
  for (int64_t i = 0; i < n; ++i) static_cast<To*>(to)[i] = static_cast<To>(f(static_cast<const From*>(from)[i]));
}
/// What a limited type is converted from and to: one that holds its numbers, or for uint64 their bits.
constexpr ScalarType wider(ScalarType t) { return is_float8(t) ? kFloat : t == kUInt16 ? kInt : kLong; }

/// Conversions from or to the limited types, by way of the wider ones.
void convert_limited(ScalarType to_type, void* to, ScalarType from_type, const void* from, int64_t n) {
  alignas(64) char middle[kTile * 8];
  for (int64_t i = 0; i < n; i += kTile) {
    const int64_t m = std::min(kTile, n - i);
    const char* x = static_cast<const char*>(from) + i * element_size(from_type);
    char* const y = static_cast<char*>(to) + i * element_size(to_type);
    if (is_limited(from_type)) {
      const bool to_double = from_type == kUInt64 && (is_floating_point(to_type) && to_type != kFloat);
      const bool to_float = from_type == kUInt64 && to_type == kFloat;
      if (is_float8(from_type))
        each<float, uint8_t>(middle, x, m, [=](uint8_t b) { return float8_to_float(b, from_type); });
      else if (to_double) each<double, uint64_t>(middle, x, m, [](uint64_t u) { return u; });
      else if (to_float) each<float, uint64_t>(middle, x, m, [](uint64_t u) { return u; });
      else if (from_type == kUInt16) each<int32_t, uint16_t>(middle, x, m, [](uint16_t u) { return u; });
      else if (from_type == kUInt32) each<int64_t, uint32_t>(middle, x, m, [](uint32_t u) { return u; });
      else std::memcpy(middle, x, static_cast<size_t>(m) * 8);
      convert(to_type, y, to_double ? kDouble : to_float ? kFloat : wider(from_type), middle, m);
      continue;
    }
    const ScalarType wide = wider(to_type);
    const bool large = to_type == kUInt64 && is_floating_point(from_type);  // may be beyond int64
    convert(large ? kDouble : wide, middle, from_type, x, m);
    if (is_float8(to_type)) each<uint8_t, float>(y, middle, m, [=](float f) { return float8_from_float(f, to_type); });
    else if (to_type == kUInt16) each<uint16_t, int32_t>(y, middle, m, [](int32_t v) { return v; });
    else if (to_type == kUInt32) each<uint32_t, int64_t>(y, middle, m, [](int64_t v) { return v; });
    else if (!large) std::memcpy(y, middle, static_cast<size_t>(m) * 8);
    else
      each<uint64_t, double>(y, middle, m, [](double d) {
        if (d >= 0x1p63 && d < 0x1p64) return static_cast<uint64_t>(d - 0x1p63) | uint64_t{1} << 63;
        return static_cast<uint64_t>(Scalar(d).toLong());
      });
  }
}

/// n contiguous elements from one type to another; the half-precision types go through float32.
void convert(ScalarType to_type, void* to, ScalarType from_type, const void* from, int64_t n) {
  const auto& cast = cast_table().cast;
  if (same_bits(to_type, from_type)) return void(std::memcpy(to, from, static_cast<size_t>(n * element_size(to_type))));
  if (is_limited(to_type) || is_limited(from_type)) [[unlikely]]
    return convert_limited(to_type, to, from_type, from, n);
  const int t = static_cast<int>(to_type), f = static_cast<int>(from_type), single = static_cast<int>(kFloat);
  if (cast[t][f]) return cast[t][f](to, from, n);
  float middle[kTile];
  for (int64_t i = 0; i < n; i += kTile) {
    const int64_t m = std::min(kTile, n - i);
    const char* const x = static_cast<const char*>(from) + i * element_size(from_type);
    char* const y = static_cast<char*>(to) + i * element_size(to_type);
    cast[single][f](middle, x, m);
    cast[t][single](y, middle, m);
  }
}

/// A square of a line of cache each way: every line of memory is read and written once, as a whole, since lines a power
/// of two apart drive each other out of the cache.
void transpose_16x16(uint32_t* to, int64_t ts, const uint32_t* from, int64_t fs) {
  typedef uint32_t V __attribute__((vector_size(16)));
  alignas(64) uint32_t x[16][16], y[16][16];
  for (int64_t i = 0; i < 16; ++i) {
    __builtin_prefetch(from + (i + 32) * fs);  // the block after the next
    std::memcpy(x[i], from + i * fs, 64);
  }
  for (int i = 0; i < 16; i += 4)
    for (int j = 0; j < 16; j += 4) {
      V a, b, c, d;
      std::memcpy(&a, x[i] + j, 16);
      std::memcpy(&b, x[i + 1] + j, 16);
      std::memcpy(&c, x[i + 2] + j, 16);
      std::memcpy(&d, x[i + 3] + j, 16);
      const V ac0 = __builtin_shufflevector(a, c, 0, 4, 1, 5), ac1 = __builtin_shufflevector(a, c, 2, 6, 3, 7);
      const V bd0 = __builtin_shufflevector(b, d, 0, 4, 1, 5), bd1 = __builtin_shufflevector(b, d, 2, 6, 3, 7);
      const V r[] = {__builtin_shufflevector(ac0, bd0, 0, 4, 1, 5), __builtin_shufflevector(ac0, bd0, 2, 6, 3, 7),
                     __builtin_shufflevector(ac1, bd1, 0, 4, 1, 5), __builtin_shufflevector(ac1, bd1, 2, 6, 3, 7)};
      for (int k = 0; k < 4; ++k) std::memcpy(y[j + k] + i, &r[k], 16);
    }
  for (int64_t j = 0; j < 16; ++j) std::memcpy(to + j * ts, y[j], 64);
}

/// to[j][i] = from[i][j] for a block of `rows` rows of `from`, each of `columns` contiguous elements.
template <class U>
void transpose(U* to, int64_t ts, const U* from, int64_t fs, int64_t rows, int64_t columns) {
  int64_t done = 0;  // columns
  if constexpr (sizeof(U) == 4) {
    for (; done + 16 <= columns; done += 16) {
      int64_t i = 0;
      for (; i + 16 <= rows; i += 16) transpose_16x16(to + done * ts + i, ts, from + i * fs + done, fs);
      for (; i < rows; ++i)
        for (int64_t j = done; j < done + 16; ++j) to[j * ts + i] = from[i * fs + j];
    }
  }
  constexpr int64_t step = 8;  // few enough streams of writes for the cache
  int64_t i = 0;
  for (; i + step <= rows; i += step)
    for (int64_t j = done; j < columns; ++j)
      for (int64_t k = 0; k < step; ++k) to[j * ts + i + k] = from[(i + k) * fs + j];
  for (; i < rows; ++i)
    for (int64_t j = done; j < columns; ++j) to[j * ts + i] = from[i * fs + j];
}

/// The loop `across`, along which `from` is contiguous, against the innermost loop, along which `to` is.
void copy_transposed(Nest<2>& nest, int across, char* to, ScalarType to_type, const char* from, ScalarType from_type) {
  const int inner = nest.dims - 1;
  const int64_t rows = nest.size[inner], row_stride = nest.stride[inner][1];
  const int64_t columns = nest.size[across], to_stride = nest.stride[across][0];
  nest.erase(inner);
  nest.erase(across);
  const int64_t to_size = element_size(to_type), from_size = element_size(from_type);
  const bool same = same_bits(to_type, from_type);
  const int64_t stripes = (columns + kBlock - 1) / kBlock;
  parallel_for(nest.numel() * stripes, std::max<int64_t>(1, kGrain / (kBlock * rows)), [&](int64_t begin, int64_t end) {
    alignas(64) char buffer[kBlock * kBlock * 8];
    for (int64_t item = begin; item < end; ++item) {
      const Cursor<2> at(nest, item / stripes);
      const int64_t j = item % stripes * kBlock, width = std::min(kBlock, columns - j);
      const int64_t step = same && to_size == 4 ? kTall : kBlock;
      for (int64_t i = 0; i < rows; i += step) {
        const int64_t height = std::min(step, rows - i);
        char* const y = to + (at.offset[0] + j * to_stride + i) * to_size;
        const char* x = from + (at.offset[1] + i * row_stride + j) * from_size;
        int64_t stride = row_stride;
        if (!same) {
          for (int64_t k = 0; k < height; ++k)
            convert(to_type, buffer + k * kBlock * to_size, from_type, x + k * row_stride * from_size, width);
          x = buffer;
          stride = kBlock;
        }
        visit_size(to_size, [&]<class U>(U) {
          transpose(reinterpret_cast<U*>(y), to_stride, reinterpret_cast<const U*>(x), stride, height, width);
        });
      }
    }
  });
}

/// Row by row, the rows of `to` in the order of memory.
void copy_rows(const Nest<2>& nest, char* to, ScalarType to_type, const char* from, ScalarType from_type) {
  const int inner = nest.dims - 1;
  const int64_t n = nest.dims ? nest.size[inner] : 1;
  const int64_t ts = nest.dims ? nest.stride[inner][0] : 1, fs = nest.dims ? nest.stride[inner][1] : 1;
  Nest<2> outer = nest;
  if (nest.dims) outer.erase(inner);
  const int64_t piece = std::min(n, kGrain), pieces = (n + piece - 1) / piece;
  const int64_t to_size = element_size(to_type), from_size = element_size(from_type);
  const bool same = same_bits(to_type, from_type);
  const int last = outer.dims - 1;
  const bool short_rows =
      same && ts == 1 && fs <= 1 && n * to_size <= kShortRow && last >= 0 && outer.stride[last][0] == n;
  parallel_for(outer.numel() * pieces, std::max<int64_t>(1, kGrain / piece), [&](int64_t begin, int64_t end) {
    Cursor<2> at(outer, begin / pieces);
    if (short_rows) {  // side by side
      const auto gather = conversions().gather[std::countr_zero(static_cast<uint64_t>(to_size))];
      for (int64_t rows; begin < end; begin += rows, at.advance(rows)) {
        rows = std::min(at.left(), end - begin);
        gather(from + at.offset[1] * to_size, outer.stride[last][1], fs, to + at.offset[0] * to_size, rows, n);
      }
      return;
    }
    auto walk = [&](auto&& row) {
      for (int64_t item = begin; item < end; ++item) {
        const int64_t i = item % pieces * piece;
        row(to + (at.offset[0] + i * ts) * to_size, from + (at.offset[1] + i * fs) * from_size, std::min(piece, n - i));
        if (item % pieces == pieces - 1) at.advance();
      }
    };
    if (!same) return walk([&](char* y, const char* x, int64_t m) { copy_row(to_type, y, ts, from_type, x, fs, m); });
    visit_size(to_size, [&]<class U>(U) {
      walk([&](char* y, const char* x, int64_t m) {
        move_row(reinterpret_cast<U*>(y), ts, reinterpret_cast<const U*>(x), fs, m);
      });
    });
  });
}

bool dense(const View& v) {
  int64_t expect = 1;
  for (int d = v.dim() - 1; d >= 0; --d) {
    if (v.sizes[d] == 1) continue;
    if (v.strides[d] != expect) return false;
    expect *= v.sizes[d];
  }
  return true;
}

/// n contiguous elements, all with the bits of the one at `value`.
void fill_dense(void* to, int64_t size, const void* value, int64_t n) {
  const auto* bytes = static_cast<const unsigned char*>(value);
  if (std::all_of(bytes, bytes + size, [&](unsigned char b) { return b == *bytes; })) {  // zeros, most of the time
    return parallel_for(n * size, kGrain * 8, [&](int64_t begin, int64_t end) {
      std::memset(static_cast<char*>(to) + begin, *bytes, static_cast<size_t>(end - begin));
    });
  }
  visit_size(size, [&]<class U>(U) {
    parallel_for(n, kGrain * 8 / size, [&](int64_t begin, int64_t end) {
      move_row(static_cast<U*>(to) + begin, 1, static_cast<const U*>(value), 0, end - begin);
    });
  });
}

template <class T>
bool holds(const Scalar& value) {
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, double>) {
    return true;
  } else if constexpr (std::is_integral_v<T>) {
    constexpr T low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
    if (value.is_floating_point() || value.is_complex()) {
      const double x = value.toDouble();
      return x >= static_cast<double>(low) && x <= static_cast<double>(high);
    }
    const int64_t x = value.toLong();  // a negative number may wrap into an unsigned type
    return x <= static_cast<int64_t>(high) && x >= (low == 0 ? -static_cast<int64_t>(high) : static_cast<int64_t>(low));
  } else {
    const double limit = std::is_same_v<T, Half> ? 65504 : std::is_same_v<T, BFloat16> ? 0x1.fep127 : 0x1.fffffep127;
    const double x = value.toDouble();
    return !std::isfinite(x) || std::abs(x) <= limit;
  }
}

/// The greatest finite number.
double float8_limit(ScalarType t) {
  return t == kFloat8_e4m3fn ? 448 : t == kFloat8_e4m3fnuz ? 240 : t == kFloat8_e8m0fnu ? 0x1p127 : 57344;
}

/// to[i] = formula(i) in the type T, then converted to that of the view.
template <class T, class Formula>
void generate(const View& to, Formula formula) {
  const int64_t n = to.numel();
  if (n == 0) return;
  const int64_t stride = to.dim() ? to.strides[0] : 1, size = element_size(to.dtype);
  parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
    T tile[kTile];
    for (int64_t i = begin; i < end; i += kTile) {
      const int64_t m = std::min(kTile, end - i);
      for (int64_t j = 0; j < m; ++j) tile[j] = formula(i + j);
      copy_row(to.dtype, to.ptr<char>() + i * stride * size, stride, dtype_of<T>, tile, 1, m);
    }
  });
}

void check_vector(const View& to, const char* name) {
  check(to.dim() <= 1, name, ": expected a view of at most 1 dimension, got ", to.sizes);
}

/// Call f(start, end, step, n) in the type torch.linspace computes in for the type of the view.
template <class F>
void spaced(const View& to, const Scalar& start, const Scalar& end, F&& f) {
  const int64_t n = to.numel();
  visit_dtype(to.dtype, [&]<class T>(T) {
    if constexpr (std::is_integral_v<T>) {
      const double a = start.to<T>(), b = end.to<T>();
      f(a, b, n > 1 ? (b - a) / static_cast<double>(n - 1) : 0, n);
    } else {
      using A = std::conditional_t<std::is_same_v<T, double>, double, float>;
      const A a = static_cast<T>(start.to<A>()), b = static_cast<T>(end.to<A>());
      const A width = static_cast<T>(b - a), last = static_cast<T>(static_cast<A>(n - 1));
      f(a, b, n > 1 ? static_cast<A>(static_cast<T>(width / last)) : A(0), n);
    }
  });
}

/// The real (0) or imaginary (1) parts of a complex view.
struct Part : View {
  int64_t steps[kMaxDims];
  Part(const View& z, int which) : View(z) {
    dtype = value_type(z.dtype);
    data = static_cast<char*>(z.data) + which * element_size(dtype);
    for (int d = 0; d < z.dim(); ++d) steps[d] = 2 * z.strides[d];
    strides = {steps, z.sizes.size()};
  }
};
/// Both, along a last dimension of their own.
struct Pairs : View {
  int64_t shape[kMaxDims + 1], steps[kMaxDims + 1];
  explicit Pairs(const View& z) : View(z) {
    const size_t n = z.sizes.size();
    dtype = value_type(z.dtype);
    for (size_t d = 0; d < n; ++d) shape[d] = z.sizes[d], steps[d] = 2 * z.strides[d];
    shape[n] = 2, steps[n] = 1;
    sizes = {shape, n + 1}, strides = {steps, n + 1};
  }
};

/// Copies of which one side is complex.
void copy_complex(const View& to, const View& from) {
  if (is_complex(to.dtype) && is_complex(from.dtype)) return copy(Pairs(to), Pairs(from));
  if (is_complex(to.dtype)) {
    copy(Part(to, 0), from);
    return fill(Part(to, 1), 0);
  }
  copy(to, Part(from, 0));
  if (to.dtype != kBool) return;
  const Part imag(from, 1);  // true where either part is not 0
  Nest<2> nest;
  for (int d = 0; d < to.dim(); ++d) nest.add(to.sizes[d], to.strides[d], imag.strides[d]);
  Cursor<2> at(nest, 0);
  for (int64_t n = to.numel(); n > 0; --n, at.advance()) {
    bool any;
    copy_row(kBool, &any, 1, imag.dtype, imag.ptr<char>() + at.offset[1] * element_size(imag.dtype), 1, 1);
    if (any) to.ptr<bool>()[at.offset[0]] = true;
  }
}

}  // namespace

void conjugate(const View& z) {
  if (dry || z.numel() == 0) return;
  const Part imag(z, 1);
  Nest<2> nest;
  for (int d = 0; d < imag.dim(); ++d) nest.add(imag.sizes[d], imag.strides[d], 0);
  visit_dtype(imag.dtype, [&]<class T>(T) {
    Cursor<2> at(nest, 0);
    for (int64_t n = imag.numel(); n > 0; --n, at.advance())
      imag.ptr<T>()[at.offset[0]] = T(-imag.ptr<T>()[at.offset[0]]);
  });
}

void copy_row(ScalarType to_type, void* to, int64_t ts, ScalarType from_type, const void* from, int64_t fs, int64_t n) {
  const int64_t to_size = element_size(to_type), from_size = element_size(from_type);
  if (same_bits(to_type, from_type)) return move_row(to_size, to, ts, from, fs, n);
  if (ts == 1 && fs == 1) return convert(to_type, to, from_type, from, n);
  alignas(64) char gathered[kTile * 8], converted[kTile * 8];
  for (int64_t i = 0; i < n; i += kTile) {
    const int64_t m = std::min(kTile, n - i);
    const char* x = static_cast<const char*>(from) + i * fs * from_size;
    char* const y = static_cast<char*>(to) + i * ts * to_size;
    if (fs != 1) {
      move_row(from_size, gathered, 1, x, fs, m);
      x = gathered;
    }
    if (ts == 1) {
      convert(to_type, y, from_type, x, m);
    } else {
      convert(to_type, converted, from_type, x, m);
      move_row(to_size, y, ts, converted, 1, m);
    }
  }
}

void copy(const View& to, const View& from) {
  if (dry || is_nowhere(to.data)) return;
  check(to.sizes == from.sizes, "copy: the sizes differ: ", to.sizes, " and ", from.sizes);
  if (is_complex(to.dtype) || is_complex(from.dtype)) [[unlikely]]
    return copy_complex(to, from);
  const int64_t n = to.numel(), to_size = element_size(to.dtype), from_size = element_size(from.dtype);
  if (n == 0 || (to.data == from.data && to.dtype == from.dtype && to.strides == from.strides)) return;
  if (dense(to) && dense(from) && n <= kGrain) return copy_row(to.dtype, to.data, 1, from.dtype, from.data, 1, n);
  Nest<2> nest;
  for (int d = 0; d < to.dim(); ++d) nest.add(to.sizes[d], to.strides[d], from.strides[d]);
  if (n <= 16) {
    Cursor<2> at(nest, 0);
    for (int64_t i = 0; i < n; ++i, at.advance())
      copy_row(to.dtype, to.ptr<char>() + at.offset[0] * to_size, 1, from.dtype,
               from.ptr<char>() + at.offset[1] * from_size, 1, 1);
    return;
  }
  nest.normalize();
  const int inner = nest.dims - 1;
  if (nest.dims > 1 && nest.stride[inner][0] == 1 && nest.stride[inner][1] > 1 && nest.size[inner] >= 4)
    for (int d = 0; d < inner; ++d)
      if (nest.stride[d][1] == 1 && nest.size[d] >= 4)
        return copy_transposed(nest, d, to.ptr<char>(), to.dtype, from.ptr<char>(), from.dtype);
  copy_rows(nest, to.ptr<char>(), to.dtype, from.ptr<char>(), from.dtype);
}

void join_rows(void* to, int64_t rows, const JoinPiece* pieces, size_t count) {
  if (dry) return;
  int64_t width = 0;
  for (size_t k = 0; k < count; ++k) width += pieces[k].bytes;
  const int64_t block = std::max<int64_t>(1, (16 << 10) / width);  // rows that stay in the cache meanwhile
  parallel_for(rows, std::max<int64_t>(1, 4 * kGrain / width), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; r += block) {
      char* start = static_cast<char*>(to) + r * width;
      for (size_t k = 0; k < count; ++k) {
        const int64_t bytes = pieces[k].bytes;
        const char* from = static_cast<const char*>(pieces[k].from) + r * bytes;
        const auto move = [&](auto size) {
          char* y = start;
          const char* x = from;
          for (int64_t i = std::min(block, end - r); i > 0; --i, y += width, x += bytes) std::memcpy(y, x, size);
        };
        switch (bytes) {
          case 4: move(std::integral_constant<size_t, 4>()); break;
          case 8: move(std::integral_constant<size_t, 8>()); break;
          case 16: move(std::integral_constant<size_t, 16>()); break;
          default: move(static_cast<size_t>(bytes));
        }
        start += bytes;
      }
    }
  });
}

bool holds(const Scalar& value, ScalarType dtype) {
  if (is_complex(dtype)) {
    const Complex<double> z = value.toComplexDouble();
    return holds(z.real(), value_type(dtype)) && holds(z.imag(), value_type(dtype));
  }
  if (value.is_complex() && dtype != kBool && value.toComplexDouble().imag() != 0) return false;
  if (is_float8(dtype)) {
    const double x = value.toDouble(), limit = float8_limit(dtype);
    return !std::isfinite(x) || (x <= limit && x >= (dtype == kFloat8_e8m0fnu ? 0 : -limit));
  }
  if (is_limited(dtype)) {  // unsigned: a negative integer may wrap
    if (!value.is_integral(true)) {
      const double x = value.toDouble();
      return x >= 0 && x <= std::ldexp(1, static_cast<int>(8 * element_size(dtype))) - 1;
    }
    const int64_t x = value.toLong(), most = dtype == kUInt64 ? INT64_MAX : (int64_t{1} << 8 * element_size(dtype)) - 1;
    return value.type() == kUInt64 ? dtype == kUInt64 : x <= most && x >= -most;
  }
  if (value.type() == kUInt64 && is_integral(dtype, false)) return false;
  return visit_dtype(dtype, [&]<class T>(T) { return holds<T>(value); });
}

void fill(const View& to, const Scalar& value) {
  if (dry || is_nowhere(to.data)) return;
  if (is_complex(to.dtype)) {
    const Complex<double> z = value.toComplexDouble();
    fill(Part(to, 0), z.real());
    return fill(Part(to, 1), z.imag());
  }
  alignas(8) char bits[8];
  if (is_limited(to.dtype)) {
    check((is_float8(to.dtype) && to.numel() == 1) || holds(value, to.dtype), "value cannot be converted to type ",
          to.dtype, " without overflow: ", value);
    if (value.is_integral(true)) {
      const int64_t whole = value.toLong();
      copy_row(to.dtype, bits, 1, value.type() == kUInt64 ? kUInt64 : kLong, &whole, 1, 1);
    } else {
      const double real = value.toDouble();
      copy_row(to.dtype, bits, 1, kDouble, &real, 1, 1);
    }
  }
  if (!is_limited(to.dtype))
    visit_dtype(to.dtype, [&]<class T>(T) {
      constexpr bool half = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
      check((half && to.numel() == 1) || holds<T>(value), "value cannot be converted to type ", to.dtype,
            " without overflow: ", value);
      T x;
      if constexpr (std::is_arithmetic_v<T>) x = value.to<T>();
      else x = T(static_cast<float>(value.toDouble()));
      std::memcpy(bits, &x, sizeof(T));
    });
  if (dense(to)) return fill_dense(to.data, element_size(to.dtype), bits, to.numel());
  constexpr int64_t zeros[kMaxDims] = {};
  copy(to, {bits, to.dtype, to.sizes, {zeros, to.sizes.size()}});
}

void arange(const View& to, const Scalar& start, const Scalar& step) {
  if (dry) return;
  check_vector(to, "arange");
  if (!is_floating_point(to.dtype)) {
    const uint64_t a = static_cast<uint64_t>(start.toLong()), s = static_cast<uint64_t>(step.toLong());
    return generate<int64_t>(to, [=](int64_t i) { return static_cast<int64_t>(a + s * static_cast<uint64_t>(i)); });
  }
  const double a = start.toDouble(), s = step.toDouble();
  // PyTorch rounds the first of every vector of 32 bytes, and goes on from there; the last ones stand alone.
  const auto by_vector = [&]<class T>(T) {
    constexpr int64_t lanes = 32 / sizeof(T);
    const int64_t whole = to.numel() / (2 * lanes) * (2 * lanes);
    generate<T>(to, [=](int64_t i) {
      const int64_t lane = i < whole ? i % lanes : 0;
      const T base = static_cast<T>(std::fma(s, static_cast<double>(i - lane), a));
      return static_cast<T>(std::fma(s, static_cast<double>(lane), static_cast<double>(base)));
    });
  };
  if (to.dtype == kFloat) by_vector(float{});
  else by_vector(double{});
}

void linspace(const View& to, const Scalar& start, const Scalar& end) {
  if (dry) return;
  check_vector(to, "linspace");
  // From both ends towards the middle, so that the ends are exact and the whole is symmetric.
  spaced(to, start, end, [&]<class A>(A a, A b, A step, int64_t n) {
    generate<A>(to, [=](int64_t i) {
      if (n == 1 || i < n / 2) return std::fma(step, static_cast<A>(i), a);
      return std::fma(-step, static_cast<A>(n - i - 1), b);
    });
  });
}

void logspace(const View& to, const Scalar& start, const Scalar& end, double base) {
  if (dry) return;
  check_vector(to, "logspace");
  spaced(to, start, end, [&]<class A>(A a, A b, A step, int64_t n) {
    generate<A>(to, [=](int64_t i) {
      const bool first = n == 1 || i < n / 2;
      return static_cast<A>(maths::pow(static_cast<A>(base), first ? std::fma(step, static_cast<A>(i), a)
                                                                   : std::fma(-step, static_cast<A>(n - i - 1), b)));
    });
  });
}

void eye(const View& to) {
  if (dry) return;
  check(to.dim() == 2, "eye: expected a matrix, got ", to.sizes);
  fill(to, false);
  if (to.numel() == 0) return;
  const int64_t sizes[] = {std::min(to.sizes[0], to.sizes[1])}, strides[] = {to.strides[0] + to.strides[1]};
  fill({to.data, to.dtype, sizes, strides}, true);
}

}  // namespace taut::kernels
