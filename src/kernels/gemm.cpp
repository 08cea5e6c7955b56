// How a matrix product is cut into blocks for the kernels of src/kernels/isa/gemm.cpp, and those shared among threads.
#include "kernels/gemm.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "core/interrupt.h"
#include "core/parallel.h"
#include "kernels/isa/gemm.h"
#include "kernels/workspace.h"
#include "taut/core/error.h"

namespace taut::kernels {
namespace {

// ---- float32 and float64

/// c = alpha * a * b + beta * c with contiguous rows of c: a block, save that the columns of b may be apart.
template <class T>
struct Product : GemmBlock<T> {
  int64_t b_col;
  const T* a_at(int64_t i, int64_t j) const { return this->a + i * this->a_row + j * this->a_col; }
  const T* b_at(int64_t i, int64_t j) const { return this->b + i * this->b_row + j * b_col; }
};

template <class T>
const GemmKernels<T>& kernels_for() {
  if constexpr (std::is_same_v<T, float>) return gemm_table().f32;
  else return gemm_table().f64;
}

// Tuned by measurement with AVX-512. Sizes of tiles do not change a result; depths, kMaxParts and dots_pay do.
constexpr int64_t kDepth = 256;                                          // k of a block: rows of a stay in L1
constexpr int64_t kBlockBytes = int64_t{1} << 20;                        // of b, packed: stays in L2
constexpr int64_t kTilesPerThread = 4, kTileSide = 512;                  // more than one if each is so wide
constexpr int64_t kTallRows = 128, kTallWidth = 256;                     // rows are shared out if each gets so many ...
constexpr int64_t kTallStrips = 4, kTallBytes = int64_t{16} << 20;       // ... in pieces not smaller, b not larger
constexpr int64_t kTallWork = int64_t{1} << 25, kPackColumns = 128;      // multiply-adds; columns packed at a time
constexpr int64_t kSerialWork = int64_t{1} << 20;                        // multiply-adds below which threads do not pay
constexpr int64_t kPackRows = 128, kPackBytes = 512 << 10;               // packing b pays from here on, or where ...
constexpr int64_t kPackLinesRows = 513, kLine = 64, kNearRows = 3072;    // ... its rows are lines so many bytes apart
constexpr int64_t kLongDepth = 8192, kLongArea = 65536, kMaxParts = 16;  // k is split if so long, c so small, into ...

int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// The smallest size that still makes ceil(total / most) parts, in multiples of `unit`.
int64_t even_part(int64_t total, int64_t most, int64_t unit = 1) {
  return ceil_div(ceil_div(total, ceil_div(total, most)), unit) * unit;
}

template <class T>
void scale_rows(const Product<T>& x) {
  for (int64_t i = 0; i < x.m; ++i)
    for (int64_t j = 0; j < x.n; ++j) {
      T& c = x.c[i * x.c_row + j];
      c = x.beta == 0 ? T(0) : x.beta * c;
    }
}

template <class T>
Product<T> part_of(Product<T> x, int64_t i, int64_t rows, int64_t j, int64_t columns) {
  x.m = std::min(rows, x.m - i);
  x.n = std::min(columns, x.n - j);
  x.a = x.a_at(i, 0);
  x.b = x.b_at(0, j);
  x.c += i * x.c_row + j;
  if (x.row) x.row += j;
  return x;
}

/// f(part) over tiles of at most rows x columns, those below each other first.
template <class T, class F>
void for_tiles(const Product<T>& x, int64_t rows, int64_t columns, F f) {
  const int64_t down = ceil_div(x.m, rows), across = ceil_div(x.n, columns);
  parallel_for(down * across, 1,
               [&](int64_t t, int64_t) { f(part_of(x, t % down * rows, rows, t / down * columns, columns)); });
}

/// A product in one piece; b is packed first where there is room for it.
template <class T>
void multiply_block(const Product<T>& x, T* packed) {
  const auto& kernels = kernels_for<T>();
  if (!packed) return kernels.block(x);
  kernels.pack(x.k, x.n, x.b, x.b_row, x.b_col, packed);
  GemmBlock<T> block = x;
  block.b = packed;
  block.b_row = kernels.panel;
  block.b_jump = x.k;
  kernels.block(block);
}

/// Many rows: the threads pack b together and then share out the rows, a few at a time, for one core may be slower than
/// another.
template <class T>
void multiply_tall(const Product<T>& x, int64_t threads) {
  const auto& kernels = kernels_for<T>();
  const int64_t panel = kernels.panel, depth = even_part(x.k, kDepth), depths = ceil_div(x.k, depth);
  const int64_t width = ceil_div(x.n, panel) * panel;
  const Workspace<T> packed(x.k * width);
  const auto packed_at = [&](int64_t p, int64_t j, int64_t k) { return packed.data() + p * width + j * k; };
  parallel_for(depths * ceil_div(x.n, kPackColumns), 1, [&](int64_t t, int64_t) {
    const int64_t p = t % depths * depth, k = std::min(depth, x.k - p), j = t / depths * kPackColumns;
    kernels.pack(k, std::min(kPackColumns, x.n - j), x.b_at(p, j), x.b_row, x.b_col, packed_at(p, j, k));
  });
  const int64_t strips = ceil_div(x.m, kernels.rows), columns = even_part(x.n, kBlockBytes / sizeof(T) / depth, panel);
  const int64_t down = threads * std::clamp<int64_t>(strips / threads / kTallStrips, 1, kTilesPerThread);
  const auto first_row = [&](int64_t i) { return strips * i / down * kernels.rows; };
  parallel_for(down * ceil_div(x.n, columns), 1, [&](int64_t t, int64_t) {
    const int64_t i = first_row(t % down), j = t / down * columns;
    const Product<T> tile = part_of(x, i, first_row(t % down + 1) - i, j, columns);
    GemmBlock<T> block = tile;
    block.b_row = panel;
    for (int64_t p = 0; p < x.k; p += depth, block.beta = 1, block.row = nullptr) {
      poll_interrupt();
      block.k = block.b_jump = std::min(depth, x.k - p);
      block.a = tile.a_at(0, p);
      block.b = packed_at(p, j, block.k);
      kernels.block(block);
    }
  });
}

/// Are the rows of b whole lines of cache that do not all fall into the same sets?
template <class T>
bool in_lines(const Product<T>& x) {
  const int64_t row = x.b_row * static_cast<int64_t>(sizeof(T));
  return row % kLine == 0 && row <= kNearRows && reinterpret_cast<uintptr_t>(x.b) % kLine == 0;
}

/// Tiles of c side by side, each with all of k: whoever computes a tile packs the part of b it reads (where that pays,
/// or must be), since lines that another core has just written are slow to get.
template <class T>
void multiply_blocked(const Product<T>& x, bool small) {
  const auto& kernels = kernels_for<T>();
  const int64_t size = sizeof(T), panel = kernels.panel, depth = even_part(x.k, kDepth);
  const bool pack =
      x.b_col != 1 || (x.m >= (in_lines(x) ? kPackLinesRows : kPackRows) && x.k * x.n * size >= kPackBytes);
  int64_t rows = x.m, columns = x.n;
  const int64_t worth = x.m * x.n * x.k / (kSerialWork / 2);  // so many threads
  if (const int64_t threads = std::min<int64_t>(worth, get_num_threads());
      threads > 1 && !small && !in_parallel_region()) {
    // Columns are shared out where each thread gets enough to make packing rows of a worth it, else rows.
    if (pack && x.n < threads * kTallWidth && x.m >= threads * kTallRows && x.m * x.n * x.k >= kTallWork &&
        x.k * x.n * size <= kTallBytes)
      return multiply_tall(x, threads);
    const auto parts = [&](int64_t total) {  // a multiple of threads
      return threads * std::clamp<int64_t>(total / threads / kTileSide, 1, kTilesPerThread);
    };
    if (pack || x.n > x.m) columns = even_part(x.n, std::max(ceil_div(x.n, parts(x.n)), 2 * panel), panel);
    if (const int64_t across = ceil_div(x.n, columns); across < threads)
      rows = even_part(x.m, std::max(ceil_div(x.m, ceil_div(parts(x.m), across)), 2 * kernels.rows));
  }
  // A b that must be packed for a few rows stays in L1 on its way.
  const int64_t most =
      even_part(columns, x.b_col != 1 && x.m <= kPackRows ? 2 * panel : kBlockBytes / size / depth, panel);
  for_tiles(x, rows, columns, [&](const Product<T>& tile) {
    const Workspace<T> packed(pack ? most * depth : 0);
    for (int64_t j = 0; j < tile.n; j += most) {
      Product<T> y = part_of(tile, 0, tile.m, j, most);
      for (int64_t p = 0; p < x.k; p += depth, y.beta = 1, y.row = nullptr) {
        poll_interrupt();
        y.k = std::min(depth, x.k - p);
        y.a = tile.a_at(0, p);
        y.b = tile.b_at(p, j);
        multiply_block(y, pack ? packed.data() : nullptr);
      }
    }
  });
}

template <class T>
void multiply(const Product<T>& x);

/// Few outputs and a long k: parts of k side by side, their results added in order.
template <class T>
void multiply_long(const Product<T>& x) {
  const int64_t parts = std::min(kMaxParts, x.k / 2048), depth = ceil_div(x.k, parts), area = x.m * x.n;
  const Workspace<T> scratch(area * parts);
  T* sums = scratch.data();
  parallel_for(parts, 1, [&](int64_t part, int64_t) {
    Product<T> y = x;
    y.k = std::min(depth, x.k - part * depth);
    y.a = x.a_at(0, part * depth);
    y.b = x.b_at(part * depth, 0);
    y.c = sums + part * area;
    y.c_row = x.n;
    y.alpha = 1;
    y.beta = 0;
    multiply(y);
  });
  parallel_for(area, 4096, [&](int64_t begin, int64_t end) {
    for (int64_t part = 1; part < parts; ++part)
      for (int64_t i = begin; i < end; ++i) sums[i] += sums[part * area + i];
    for (int64_t i = begin; i < end; ++i) {
      T& c = x.c[i / x.n * x.c_row + i % x.n];
      c = x.beta == 0 ? x.alpha * sums[i] : x.alpha * sums[i] + x.beta * c;
    }
  });
}

/// Adding up the lanes of a dot product costs as much as a few dozen steps of it, so it pays for long k or one row
/// only.
bool dots_pay(int64_t few, int64_t k) { return few == 1 || (few <= 8 && k >= 32 * few); }

/// With the row copied to where it would be read: for the ways to multiply that know none.
template <class T>
void multiply_copied(Product<T> x) {
  for (int64_t i = 0; i < x.m; ++i) std::copy_n(x.row, x.n, x.c + i * x.c_row);
  x.row = nullptr;
  multiply(x);
}

template <class T>
void multiply(const Product<T>& x) {
  if (x.k == 0) return x.row ? multiply_copied(x) : scale_rows(x);
  const auto& kernels = kernels_for<T>();
  const bool small = x.m * x.n * x.k <= kSerialWork && 8 * (x.m + x.n) * x.k <= kSerialWork;
  const bool b_by_column = x.b_row == 1 && x.b_col != 1;
  if (b_by_column && x.a_col != 1 && dots_pay(x.m, x.k)) {  // a few rows are worth a copy
    const Workspace<T> scratch(x.m * x.k);
    T* rows = scratch.data();
    for (int64_t i = 0; i < x.m; ++i)
      for (int64_t p = 0; p < x.k; ++p) rows[i * x.k + p] = *x.a_at(i, p);
    Product<T> y = x;
    y.a = rows, y.a_row = x.k, y.a_col = 1;
    return multiply(y);
  }
  const bool dots = b_by_column && x.a_col == 1 && dots_pay(std::min(x.m, x.n), x.k);
  const bool deep = x.k >= kLongDepth && x.m * x.n <= kLongArea;
  if (x.row && (dots || deep)) return multiply_copied(x);
  if (small && !dots && x.k <= kDepth) {
    if (x.b_col == 1) return multiply_block<T>(x, nullptr);
    return multiply_block(x, Workspace<T>((x.n + kernels.panel) * x.k).data());
  }
  if (deep) return multiply_long(x);
  if (!dots) return multiply_blocked(x, small);
  const bool wide = x.m <= x.n;
  const int64_t rows = small || wide ? x.m : 64, columns = small || !wide ? x.n : 64;
  for_tiles(x, rows, columns, [&](const Product<T>& part) {
    GemmBlock<T> block = part;
    block.b_row = part.b_col;
    kernels.dots(block);
  });
}

// ---- any dtype

/// The type a dtype is computed in.
enum class Work { F32, F64, U32, U64 };
Work work_of(ScalarType t) {
  switch (t) {
    case kDouble: return Work::F64;
    case kLong: return Work::U64;
    case kFloat:
    case kHalf:
    case kBFloat16: return Work::F32;
    default: return Work::U32;
  }
}
template <class F>
void visit_work(ScalarType t, F f) {
  switch (work_of(t)) {
    case Work::F32: return f(float{});
    case Work::F64: return f(double{});
    case Work::U32: return f(uint32_t{});
    case Work::U64: return f(uint64_t{});
  }
}
template <class T>
T factor(const Scalar& s, ScalarType t) {
  if constexpr (std::is_floating_point_v<T>) return s.to<T>();
  else return t == kBool ? s.toBool() : static_cast<T>(s.toLong());
}

const char* advance(const void* p, ScalarType t, int64_t elements) {
  return static_cast<const char*>(p) + elements * element_size(t);
}
char* advance(void* p, ScalarType t, int64_t elements) { return static_cast<char*>(p) + elements * element_size(t); }

/// A matrix as contiguous rows of the type it is computed in.
template <class T>
void read_matrix(ScalarType type, ConstMatrix x, T* to) {
  const auto read = gemm_table().conversion[static_cast<int>(type)].read;
  if (x.col_stride != 1 && x.row_stride == 1 && x.cols > 1) {  // walk along memory; the strided side is `to`, blocked
    constexpr int64_t kBlock = 32;
    parallel_for(x.rows, 4 * kBlock, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i += kBlock)
        for (int64_t j = 0; j < x.cols; j += kBlock) {
          const int64_t rows = std::min(kBlock, end - i), cols = std::min(kBlock, x.cols - j);
          T local[kBlock][kBlock];
          for (int64_t c = 0; c < cols; ++c) read(rows, advance(x.data, type, i + (j + c) * x.col_stride), 1, local[c]);
          for (int64_t r = 0; r < rows; ++r)
            for (int64_t c = 0; c < cols; ++c) to[(i + r) * x.cols + j + c] = local[c][r];
        }
    });
    return;
  }
  const int64_t grain = std::max<int64_t>(1, 65536 / std::max<int64_t>(1, x.cols));
  parallel_for(x.rows, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      read(x.cols, advance(x.data, type, i * x.row_stride), x.col_stride, to + i * x.cols);
  });
}

template <class T>
void write_matrix(ScalarType type, Matrix x, const T* from, T alpha, T beta) {
  const auto write = gemm_table().conversion[static_cast<int>(type)].write;
  const int64_t grain = std::max<int64_t>(1, 65536 / std::max<int64_t>(1, x.cols));
  parallel_for(x.rows, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      write(x.cols, from + i * x.cols, advance(x.data, type, i * x.row_stride), x.col_stride, &alpha, &beta);
  });
}

/// Through copies of all three matrices, in the type they are computed in: narrow types and odd layouts of c.
template <class T>
void gemm_converted(ScalarType type, const Matrix& c, const ConstMatrix& a, const ConstMatrix& b, T alpha, T beta) {
  const int64_t m = c.rows, n = c.cols, k = a.cols;
  const auto round_up = [](int64_t size) { return ceil_div(size, 16) * 16; };
  const Workspace<T> scratch(round_up(m * n) + round_up(m * k) + k * n);
  T* cs = scratch.data();
  T* as = cs + round_up(m * n);
  T* bs = as + round_up(m * k);
  read_matrix(type, a, as);
  read_matrix(type, b, bs);
  if constexpr (std::is_floating_point_v<T>) {
    multiply<T>({{m, n, k, as, k, 1, bs, n, 1, cs, n, 1, 0}, 1});
  } else {
    const auto block = [] {
      if constexpr (std::is_same_v<T, uint32_t>) return gemm_table().u32.block;
      else return gemm_table().u64.block;
    }();
    const int64_t grain = std::max<int64_t>(1, kSerialWork / 8 / std::max<int64_t>(1, n * k));
    parallel_for(m, grain, [&](int64_t begin, int64_t end) {
      block({end - begin, n, k, as + begin * k, k, 1, bs, n, 1, cs + begin * n, n, 1, 0});
    });
  }
  write_matrix(type, c, cs, alpha, beta);
}

/// May the rows of this matrix be taken as contiguous?
bool contiguous_rows(const Matrix& c) { return c.col_stride == 1 || c.cols == 1; }

/// A column times a row, of one product at least two by two. There is no sum, so 0 * -1 stays -0, as in PyTorch.
template <class T>
[[gnu::noinline]] void outer_product(const Matrix& c, const ConstMatrix& a, const ConstMatrix& b, T alpha, T beta) {
  const T* y = static_cast<const T*>(b.data);
  parallel_for(c.rows, std::max<int64_t>(1, 32768 / c.cols), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const T x = alpha * static_cast<const T*>(a.data)[i * a.row_stride];
      T* row = static_cast<T*>(c.data) + i * c.row_stride;
      if (beta != 0)
        for (int64_t j = 0; j < c.cols; ++j)
          row[j * c.col_stride] = x * y[j * b.col_stride] + beta * row[j * c.col_stride];
      else if (b.col_stride == 1 && c.col_stride == 1)
        for (int64_t j = 0; j < c.cols; ++j) row[j] = x * y[j];
      else
        for (int64_t j = 0; j < c.cols; ++j) row[j * c.col_stride] = x * y[j * b.col_stride];
    }
  });
}

/// With contiguous rows of c.
template <class T>
void gemm_rows(const Matrix& c, const ConstMatrix& a, const ConstMatrix& b, T alpha, T beta, const T* row) {
  // A stride that is never used is chosen to suit us.
  const int64_t a_col = a.cols == 1 ? 1 : a.col_stride, b_col = b.cols > 1 ? b.col_stride : b.row_stride == 1 ? 2 : 1;
  multiply<T>(
      {{c.rows, c.cols, a.cols, static_cast<const T*>(a.data), a.row_stride, a_col, static_cast<const T*>(b.data),
        b.row_stride, 1, static_cast<T*>(c.data), c.row_stride, alpha, beta, row},
       b_col});
}

template <class T>
void gemm_direct(ScalarType type, const Matrix& c, const ConstMatrix& a, const ConstMatrix& b, T alpha, T beta,
                 const T* row) {
  if (!contiguous_rows(c) && !contiguous_rows(c.transposed())) return gemm_converted<T>(type, c, a, b, alpha, beta);
  // A column as result is better computed as a row, and columns that are contiguous as rows.
  if (contiguous_rows(c.transposed()) && (c.cols == 1 || !contiguous_rows(c))) {
    if (row) std::fill_n(static_cast<T*>(c.data), c.rows, *row);  // one column
    return gemm_rows<T>(c.transposed(), b.transposed(), a.transposed(), alpha, beta, nullptr);
  }
  gemm_rows<T>(c, a, b, alpha, beta, row);
}

template <class T>
void gemm_one(ScalarType type, const Matrix& c, const ConstMatrix& a, const ConstMatrix& b, T alpha, T beta,
              const void* row = nullptr) {
  if constexpr (std::is_floating_point_v<T>)
    if (type == dtype_of<T>) return gemm_direct<T>(type, c, a, b, alpha, beta, static_cast<const T*>(row));
  gemm_converted<T>(type, c, a, b, alpha, beta);
}

void check_shapes(const char* op, ScalarType type, const Matrix& c, const ConstMatrix& a, const ConstMatrix& b) {
  check<TypeError>(type >= kBool && type < ScalarType::Undefined, op, ": expected matrices with a dtype");
  check<ValueError>(
      a.cols == b.rows && c.rows == a.rows && c.cols == b.cols && a.rows >= 0 && a.cols >= 0 && b.cols >= 0, op,
      ": cannot write the product of [", a.rows, ", ", a.cols, "] and [", b.rows, ", ", b.cols, "] to [", c.rows, ", ",
      c.cols, "]");
}

}  // namespace

void gemm(ScalarType type, const Matrix& c, const ConstMatrix& a, const ConstMatrix& b, Scalar alpha, Scalar beta,
          const void* row) {
  check_shapes("gemm", type, c, a, b);
  if (c.rows == 0 || c.cols == 0) return;
  check<ValueError>(!row || ((type == kFloat || type == kDouble) && c.col_stride == 1 && c.row_stride == c.cols),
                    "gemm: a row to begin with is for contiguous results in float32 and float64");
  visit_work(type, [&](auto zero) {
    using T = decltype(zero);
    const T alpha_t = factor<T>(alpha, type), beta_t = factor<T>(beta, type);
    if (a.cols == 1 && c.rows > 1 && c.cols > 1 && type == dtype_of<T> && !row)
      outer_product<T>(c, a, b, alpha_t, beta_t);
    else gemm_one<T>(type, c, a, b, alpha_t, beta_t, row);
  });
}

void batched_gemm(ScalarType type, Batch batch, Matrix c, ConstMatrix a, ConstMatrix b, Scalar alpha, Scalar beta) {
  check_shapes("batched_gemm", type, c, a, b);
  const size_t dims = batch.sizes.size();
  check<ValueError>(batch.c_strides.size() == dims && batch.a_strides.size() == dims && batch.b_strides.size() == dims,
                    "batched_gemm: expected ", dims, " batch strides for each matrix");
  int64_t count = 1;
  for (int64_t size : batch.sizes) count *= size;
  if (count == 0 || c.rows == 0 || c.cols == 0) return;
  if (count == 1) return gemm(type, c, a, b, alpha, beta);
  // All with the same b, and the rows of a and c evenly spaced throughout: one tall product.
  if (dims == 1 && batch.b_strides[0] == 0 && batch.a_strides[0] == a.rows * a.row_stride &&
      batch.c_strides[0] == c.rows * c.row_stride) {
    a.rows *= count;
    c.rows *= count;
    return gemm(type, c, a, b, alpha, beta);
  }
  const int64_t work = c.rows * c.cols * a.cols;
  // Large products are shared among threads one by one, small ones a fixed number at a time.
  const int64_t grain =
      work >= 8 * kSerialWork ? count : std::clamp<int64_t>(kSerialWork / 4 / std::max<int64_t>(1, work), 1, count);
  visit_work(type, [&](auto zero) {
    using T = decltype(zero);
    const T alpha_t = factor<T>(alpha, type), beta_t = factor<T>(beta, type);
    parallel_for(count, grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        Matrix ci = c;
        ConstMatrix ai = a, bi = b;
        int64_t rest = i, c_offset = 0, a_offset = 0, b_offset = 0;
        for (size_t d = dims; d-- > 0; rest /= batch.sizes[d]) {
          const int64_t index = rest % batch.sizes[d];
          c_offset += index * batch.c_strides[d];
          a_offset += index * batch.a_strides[d];
          b_offset += index * batch.b_strides[d];
        }
        ci.data = advance(c.data, type, c_offset);
        ai.data = advance(a.data, type, a_offset);
        bi.data = advance(b.data, type, b_offset);
        gemm_one<T>(type, ci, ai, bi, alpha_t, beta_t);
      }
    });
  });
}

void dot(ScalarType type, int64_t n, const void* x, int64_t incx, const void* y, int64_t incy, void* out) {
  check<TypeError>(type >= kBool && type < ScalarType::Undefined, "dot: expected vectors with a dtype");
  check<ValueError>(n >= 0, "dot: expected a length of at least 0, got ", n);
  constexpr int64_t kChunk = 4096, kGrain = 16 * kChunk;
  visit_work(type, [&](auto zero) {
    using T = decltype(zero);
    const auto& conversion = gemm_table().conversion[static_cast<int>(type)];
    const auto kernel = [] {
      if constexpr (std::is_same_v<T, float>) return gemm_table().f32.dot;
      else if constexpr (std::is_same_v<T, double>) return gemm_table().f64.dot;
      else if constexpr (std::is_same_v<T, uint32_t>) return gemm_table().u32.dot;
      else return gemm_table().u64.dot;
    }();
    const bool plain = type == kFloat || type == kDouble;
    const auto contiguous = [&](const void* v, int64_t inc, int64_t begin, int64_t count, T* buffer) -> const T* {
      const void* from = advance(v, type, begin * inc);
      if (plain && inc == 1) return static_cast<const T*>(from);
      conversion.read(count, from, inc, buffer);
      return buffer;
    };
    const auto chunk = [&](int64_t begin, int64_t count) {
      alignas(64) T xs[kChunk], ys[kChunk];
      return kernel(count, contiguous(x, incx, begin, count, xs), contiguous(y, incy, begin, count, ys));
    };
    T sum;
    const int64_t chunks = ceil_div(n, kChunk);
    if (chunks <= 1) {
      sum = chunk(0, n);
    } else {
      const Workspace<T> scratch(chunks);
      T* sums = scratch.data();
      parallel_for(chunks, kGrain / kChunk, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) sums[i] = chunk(i * kChunk, std::min(kChunk, n - i * kChunk));
      });
      for (int64_t step = 1; step < chunks; step *= 2)
        for (int64_t i = 0; i + step < chunks; i += 2 * step) sums[i] += sums[i + step];
      sum = sums[0];
    }
    const T one = 1, none = 0;
    conversion.write(1, &sum, out, 1, &one, &none);
  });
}

}  // namespace taut::kernels
