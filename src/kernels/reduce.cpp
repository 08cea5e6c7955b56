#include "kernels/reduce.h"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>

#include "core/maths.h"
#include "core/parallel.h"
#include "kernels/copy.h"
#include "kernels/isa/reduce.h"
#include "kernels/nest.h"
#include "taut/core/error.h"

namespace taut::kernels {
namespace {

// How the work is cut. The pieces are merged as a balanced tree: rounding errors grow with the logarithm of the number
// of pieces. A segment is a complete subtree, so where the segments begin does not change the bits.
constexpr int64_t kRowPiece = 4096;    // elements of one row
constexpr int64_t kColumnPiece = 64;   // rows of a block of columns
constexpr int64_t kSegment = 16;       // pieces that one thread merges at once, at most
constexpr int64_t kWidth = 512;        // columns side by side
constexpr int64_t kStagedWidth = 128;  // the same when they pass through a buffer
constexpr int64_t kGrain = 32768;      // elements that are worth a chunk of their own

/// What to reduce with: accumulators of some size, made from contiguous elements of the type `input`.
struct Fold {
  Fold(ScalarType input, int64_t bytes, bool any_order) : input(input), bytes(bytes), any_order(any_order) {}
  virtual ~Fold() = default;
  /// acc[i] from the n elements at x + i * stride, for i < count; `first` is the index of the first of them.
  virtual void rows(char* acc, const char* x, int64_t n, int64_t stride, int64_t count, int64_t first) const = 0;
  /// acc[j] from the elements x[j + r * stride] for r < rows, for j < width.
  virtual void columns(char* acc, const char* x, int64_t stride, int64_t rows, int64_t width, int64_t first) const = 0;
  virtual void merge(char* a, const char* b, int64_t n) const = 0;

  ScalarType input;
  int64_t bytes;   // of one accumulator
  bool any_order;  // `first` is not read: elements may be regrouped
};

/// Memory for a while; on the stack when it is little.
class Scratch {
 public:
  explicit Scratch(int64_t bytes) {
    if (bytes > static_cast<int64_t>(sizeof(little_))) much_.reset(new char[static_cast<size_t>(bytes)]);
  }
  char* data() { return much_ ? much_.get() : little_; }

 private:
  alignas(64) char little_[512];
  std::unique_ptr<char[]> much_;
};

using Kept = Nest<3>;  // strides of the input and of two outputs
using Reduced = Nest<1>;

/// Merge `count` groups of n accumulators into the first, pairwise.
void merge_tree(const Fold& f, char* parts, int64_t count, int64_t n) {
  const int64_t bytes = n * f.bytes;
  for (int64_t step = 1; step < count; step *= 2)
    for (int64_t i = 0; i + step < count; i += 2 * step) f.merge(parts + i * bytes, parts + (i + step) * bytes, n);
}

struct Job {
  const Fold& f;
  const Kept& kept;
  const Reduced& reduced;
  const char* x;
  ScalarType dtype;
  char* acc;  // contiguous, in the order of `kept`

  int64_t size() const { return element_size(dtype); }

  /// n elements of the reduced loops, from the step `start` on, into a buffer of the type of the fold.
  void gather(char* to, const char* from, int64_t start, int64_t n) const {
    Cursor<1> at(reduced, start);
    const int64_t stride = reduced.dims ? reduced.stride[reduced.dims - 1][0] : 1;
    for (int64_t i = 0; i < n;) {
      const int64_t m = std::min(n - i, at.left());
      copy_row(f.input, to + i * element_size(f.input), 1, dtype, from + at.offset[0] * size(), stride, m);
      at.advance(m);
      i += m;
    }
  }

  /// Results that fit one piece each: many rows at a time.
  void short_rows(bool direct) const {
    const int64_t n = reduced.numel(), count = kept.numel(), wide = element_size(f.input);
    const int64_t step = kept.dims ? kept.stride[kept.dims - 1][0] : 0;
    const bool packed = reduced.dims == 1 && reduced.stride[0][0] == 1 && step == n;
    parallel_for(count, std::max<int64_t>(1, kGrain / n), [&](int64_t begin, int64_t end) {
      Cursor<3> at(kept, begin);
      if (direct) {
        for (int64_t i = begin; i < end;) {
          const int64_t m = std::min(end - i, at.left());
          f.rows(acc + i * f.bytes, x + at.offset[0] * size(), n, step, m, 0);
          at.advance(m);
          i += m;
        }
        return;
      }
      Scratch tile(kRowPiece * wide);
      for (int64_t i = begin; i < end;) {
        int64_t m = std::min(end - i, kRowPiece / n);
        if (packed) {
          m = std::min(m, at.left());
          copy_row(f.input, tile.data(), 1, dtype, x + at.offset[0] * size(), 1, m * n);
          at.advance(m);
        } else {
          for (int64_t k = 0; k < m; ++k, at.advance())
            gather(tile.data() + k * n * wide, x + at.offset[0] * size(), 0, n);
        }
        f.rows(acc + i * f.bytes, tile.data(), n, n, m, 0);
        i += m;
      }
    });
  }

  /// The innermost loop is reduced, or nothing is contiguous.
  void rows() const {
    const int inner = reduced.dims - 1;
    const int64_t all = reduced.numel(), row = reduced.dims ? reduced.size[inner] : 1;
    const bool direct =
        reduced.dims && dtype == f.input && reduced.stride[inner][0] == 1 && (reduced.dims == 1 || row >= 128);
    const int64_t length = direct ? row : all, per_row = (length + kRowPiece - 1) / kRowPiece;
    const int64_t pieces = all / length * per_row;
    if (pieces == 1) return short_rows(direct);
    Reduced outer = reduced;
    if (direct) outer.erase(inner);
    const int64_t segments = (pieces + kSegment - 1) / kSegment, outputs = kept.numel();
    Scratch partial(segments > 1 ? outputs * segments * f.bytes : 0);
    const int64_t work = all / segments;
    parallel_for(outputs * segments, std::max<int64_t>(1, kGrain / work), [&](int64_t begin, int64_t end) {
      Scratch tile(direct ? 0 : kRowPiece * element_size(f.input));
      alignas(64) char parts[kSegment * 32];
      for (int64_t item = begin; item < end; ++item) {
        const char* const base = x + Cursor<3>(kept, item / segments).offset[0] * size();
        const int64_t first = item % segments * kSegment, count = std::min(kSegment, pieces - first);
        for (int64_t k = 0; k < count; ++k) {
          const int64_t at = (first + k) % per_row * kRowPiece, n = std::min(kRowPiece, length - at);
          const char* from = tile.data();
          if (direct) from = base + (Cursor<1>(outer, (first + k) / per_row).offset[0] + at) * size();
          else gather(tile.data(), base, at, n);
          f.rows(parts + k * f.bytes, from, n, 0, 1, at);
        }
        merge_tree(f, parts, count, 1);
        std::memcpy((segments > 1 ? partial.data() : acc) + item * f.bytes, parts, static_cast<size_t>(f.bytes));
      }
    });
    if (segments == 1) return;
    for (int64_t i = 0; i < outputs; ++i) {
      char* const parts = partial.data() + i * segments * f.bytes;
      merge_tree(f, parts, segments, 1);
      std::memcpy(acc + i * f.bytes, parts, static_cast<size_t>(f.bytes));
    }
  }

  /// How a reduction of columns is cut into tiles of columns, and these into segments of pieces of rows.
  struct ColumnCut {
    Kept results;                           // the kept loops but for the columns,
    Reduced outer;                          // and the reduced ones but for the rows
    int64_t columns, rows = 1, stride = 0;  // stride: from row to row
    int64_t together = 1, tall;             // rows that are taken as one, and how many such there are
    int64_t width, tiles;                   // columns in a tile
    int64_t per_run, pieces;                // pieces of the rows, and of all that is reduced
    int64_t segment = 1, segments;          // pieces in a segment

    explicit ColumnCut(const Job& job) : results(job.kept), outer(job.reduced) {
      columns = results.size[results.dims - 1];
      results.erase(results.dims - 1);
      const int inner = outer.dims - 1;
      if (outer.dims) {
        rows = outer.size[inner], stride = outer.stride[inner][0];
        outer.erase(inner);
      }
      // A few columns alone would fill no vector: take several rows as one, and merge their parts in the end.
      if (job.f.any_order && job.reduced.dims == 1 && stride == columns)
        while (together * 2 * columns <= kStagedWidth && rows / (together * 2) >= 8) together *= 2;
      tall = rows / together;
      width = std::min(columns, job.dtype != job.f.input ? kStagedWidth : kWidth);
      tiles = (columns + width - 1) / width;
      per_run = (tall + kColumnPiece - 1) / kColumnPiece, pieces = outer.numel() * per_run;
      while (segment < kSegment && segment * kColumnPiece * together * width < kGrain) segment *= 2;
      segments = (pieces + segment - 1) / segment;
    }
    int64_t items() const { return results.numel() * tiles * segments; }
    /// Elements of an item.
    int64_t work() const {
      return std::max<int64_t>(1, std::min(segment, pieces) * std::min(kColumnPiece, tall) * together * width);
    }
  };
  /// The memory of a thread.
  struct ColumnRoom {
    Scratch parts, joined, tile;
    ColumnRoom(const Job& job, const ColumnCut& cut)
        : parts(std::min(cut.segment, cut.pieces) * cut.width * job.f.bytes),
          joined(cut.together > 1 ? (cut.together + 1) * cut.width * job.f.bytes : 0),
          tile(job.dtype != job.f.input ? kColumnPiece * cut.together * cut.width * element_size(job.f.input) : 0) {}
  };

  /// The innermost loop is kept, and contiguous: whole rows are merged with each other.
  void columns() const {
    const ColumnCut cut(*this);
    const int64_t segments = cut.segments;
    Scratch partial(segments > 1 ? kept.numel() * segments * f.bytes : 0);
    parallel_for(cut.items(), std::max<int64_t>(1, kGrain / cut.work()), [&](int64_t begin, int64_t end) {
      ColumnRoom room(*this, cut);
      for (int64_t item = begin; item < end; ++item) column_segment(cut, item, partial.data(), room);
    });
    if (segments == 1) return;
    parallel_for(cut.results.numel() * cut.tiles, std::max<int64_t>(1, kGrain / (segments * cut.width)),
                 [&](int64_t begin, int64_t end) {
                   for (int64_t item = begin; item < end; ++item) {
                     const int64_t j = item % cut.tiles * cut.width, w = std::min(cut.width, cut.columns - j);
                     const int64_t at = item / cut.tiles * cut.columns + j;
                     char* const parts = partial.data() + at * segments * f.bytes;
                     merge_tree(f, parts, segments, w);
                     std::memcpy(acc + at * f.bytes, parts, static_cast<size_t>(w * f.bytes));
                   }
                 });
  }
  /// One segment of a tile: into the result, or where there are several, into `partial`.
  void column_segment(const ColumnCut& cut, int64_t item, char* partial, ColumnRoom& room) const {
    const int64_t s = item % cut.segments, j = item / cut.segments % cut.tiles * cut.width;
    const int64_t w = std::min(cut.width, cut.columns - j), result = item / (cut.segments * cut.tiles);
    const int64_t first = s * cut.segment, count = std::min(cut.segment, cut.pieces - first);
    const int64_t at = result * cut.columns + j;
    char* const target = cut.segments == 1 ? acc + at * f.bytes : partial + (at * cut.segments + s * w) * f.bytes;
    const char* const base = x + (Cursor<3>(cut.results, result).offset[0] + j) * size();
    for (int64_t k = 0; k < count; ++k) {
      char* const part = count == 1 ? target : room.parts.data() + k * w * f.bytes;
      column_piece(cut, first + k, w, base, part, room);
    }
    if (count == 1) return;
    merge_tree(f, room.parts.data(), count, w);
    std::memcpy(target, room.parts.data(), static_cast<size_t>(w * f.bytes));
  }
  void column_piece(const ColumnCut& cut, int64_t piece, int64_t w, const char* base, char* part,
                    ColumnRoom& room) const {
    const int64_t at = piece % cut.per_run * kColumnPiece, n = std::min(kColumnPiece, cut.tall - at);
    const int64_t together = cut.together, stride = cut.stride;
    const char* const from =
        base + (Cursor<1>(cut.outer, piece / cut.per_run).offset[0] + at * together * stride) * size();
    if (together == 1) return block(part, from, stride, n, w, at, room.tile);
    char* const joined = room.joined.data();
    block(joined, from, together * stride, n, together * w, at, room.tile);
    for (int64_t half = together / 2; half >= 1; half /= 2) f.merge(joined, joined + half * w * f.bytes, half * w);
    if (at + n == cut.tall) {
      char* const last = joined + together * w * f.bytes;
      for (int64_t r = cut.tall * together; r < cut.rows; ++r) {
        block(last, base + r * stride * size(), stride, 1, w, 0, room.tile);
        f.merge(joined, last, w);
      }
    }
    std::memcpy(part, joined, static_cast<size_t>(w * f.bytes));
  }
  /// One block of columns, converted first if need be.
  void block(char* to, const char* from, int64_t stride, int64_t rows, int64_t width, int64_t first,
             Scratch& tile) const {
    if (dtype == f.input) return f.columns(to, from, stride, rows, width, first);
    const int64_t wide = element_size(f.input);
    for (int64_t r = 0; r < rows; ++r)
      copy_row(f.input, tile.data() + r * width * wide, 1, dtype, from + r * stride * size(), 1, width);
    f.columns(to, tile.data(), width, rows, width, first);
  }

  void run() const {
    const bool column = kept.dims && kept.stride[kept.dims - 1][0] == 1 &&
                        (reduced.dims == 0 || reduced.stride[reduced.dims - 1][0] != 1);
    if (column) columns();
    else rows();
  }
};

/// The loops of a reduction: those that are kept, with the outputs' strides, and those that are not.
struct Loops {
  Kept kept;
  Reduced reduced;

  Loops(const char* name, const View& in, const View& out, const View& second) {
    check(out.dim() == in.dim() && second.dim() == in.dim(), name, ": ", in.dim(),
          " dimensions expected in the output");
    for (int d = 0; d < in.dim(); ++d) {
      const bool keep = out.sizes[d] == in.sizes[d];
      check((keep || out.sizes[d] == 1) && second.sizes[d] == out.sizes[d], name, ": cannot reduce ", in.sizes, " to ",
            out.sizes);
      if (keep) kept.add(in.sizes[d], in.strides[d], out.strides[d], second.strides[d]);
      else reduced.add(in.sizes[d], in.strides[d]);
    }
    kept.normalize();
    reduced.normalize();
  }
  /// Is the operand k contiguous in the order of the results?
  bool contiguous(int k) const {
    int64_t expect = 1;
    for (int d = kept.dims - 1; d >= 0; expect *= kept.size[d--])
      if (kept.stride[d][k] != expect) return false;
    return true;
  }
  /// Write results, `step` elements apart at `from`, to the output k.
  void write(int k, const View& out, ScalarType dtype, const char* from, int64_t step) const {
    int64_t to[kMaxDims], strides[kMaxDims];
    for (int d = kept.dims - 1; d >= 0; --d) {
      to[d] = kept.stride[d][k];
      strides[d] = step;
      step *= kept.size[d];
    }
    const size_t n = static_cast<size_t>(kept.dims);
    copy({out.data, out.dtype, {kept.size, n}, {to, n}},
         {const_cast<char*>(from), dtype, {kept.size, n}, {strides, n}});
  }
};

const ReduceKernel& kernel(Combine what, ScalarType type) {
  return reduce_table().kernel[static_cast<int>(what)][static_cast<int>(type)];
}

/// One of the table's combinations; the accumulator has the type of the elements.
struct Simple final : Fold {
  Simple(Combine what, ScalarType type) : Fold(type, element_size(type), true), k(kernel(what, type)) {}
  void rows(char* acc, const char* x, int64_t n, int64_t stride, int64_t count, int64_t) const override {
    k.rows(acc, x, n, stride, count);
  }
  void columns(char* acc, const char* x, int64_t stride, int64_t rows, int64_t width, int64_t) const override {
    k.columns(acc, x, stride, rows, width);
  }
  void merge(char* a, const char* b, int64_t n) const override { k.merge(a, b, n); }
  const ReduceKernel& k;
};

/// How many are not zero.
struct Count final : Fold {
  Count() : Fold(kBool, 8, true) {}
  void rows(char* acc, const char* x, int64_t n, int64_t stride, int64_t count, int64_t) const override {
    reduce_table().count_rows(reinterpret_cast<int64_t*>(acc), reinterpret_cast<const uint8_t*>(x), n, stride, count);
  }
  void columns(char* acc, const char* x, int64_t stride, int64_t rows, int64_t width, int64_t) const override {
    reduce_table().count_columns(reinterpret_cast<int64_t*>(acc), reinterpret_cast<const uint8_t*>(x), stride, rows,
                                 width);
  }
  void merge(char* a, const char* b, int64_t n) const override { kernel(Combine::Sum, kLong).merge(a, b, n); }
};

/// The sum of |x|^p.
template <class T>
struct PowerSum final : Fold {
  explicit PowerSum(double p) : Fold(dtype_of<T>, sizeof(T), true), p(static_cast<T>(p)) {}
  void powers(T* y, const char* x, int64_t n) const {
    constexpr int64_t kSome = 64;
    double base[kSome], power[kSome];
    std::fill_n(power, kSome, static_cast<double>(p));
    for (int64_t begin = 0; begin < n; begin += kSome) {
      const int64_t m = std::min(kSome, n - begin);
      for (int64_t i = 0; i < m; ++i) base[i] = std::abs(reinterpret_cast<const T*>(x)[begin + i]);
      maths_table().pow(base, base, power, m);
      for (int64_t i = 0; i < m; ++i) y[begin + i] = static_cast<T>(base[i]);
    }
  }
  void rows(char* acc, const char* x, int64_t n, int64_t stride, int64_t count, int64_t) const override {
    T tile[kRowPiece];
    for (int64_t i = 0; i < count; ++i) {
      powers(tile, x + i * stride * static_cast<int64_t>(sizeof(T)), n);
      sum.rows(acc + i * bytes, tile, n, 0, 1);
    }
  }
  void columns(char* acc, const char* x, int64_t stride, int64_t rows, int64_t width, int64_t) const override {
    T tile[kWidth];
    powers(reinterpret_cast<T*>(acc), x, width);
    for (int64_t r = 1; r < rows; ++r) {
      powers(tile, x + r * stride * static_cast<int64_t>(sizeof(T)), width);
      sum.merge(acc, tile, width);
    }
  }
  void merge(char* a, const char* b, int64_t n) const override { sum.merge(a, b, n); }
  const T p;
  const ReduceKernel& sum = kernel(Combine::Sum, dtype_of<T>);
};

/// Value and index of the first extreme.
template <class T>
struct Extreme final : Fold {
  struct Acc {
    T value;
    alignas(8) int64_t index;
  };
  explicit Extreme(bool largest)
      : Fold(dtype_of<T>, sizeof(Acc), false),
        largest(largest),
        k(reduce_table().extreme[largest][static_cast<int>(dtype_of<T>)]) {}
  void rows(char* acc, const char* x, int64_t n, int64_t stride, int64_t count, int64_t first) const override {
    for (int64_t i = 0; i < count; ++i) {
      const T* const row = reinterpret_cast<const T*>(x) + i * stride;
      const int64_t at = k.row(row, n);
      reinterpret_cast<Acc*>(acc)[i] = {row[at], first + at};
    }
  }
  void columns(char* acc, const char* x, int64_t stride, int64_t rows, int64_t width, int64_t first) const override {
    using I = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
    T best[kWidth];
    I at[kWidth];
    k.columns(best, at, x, stride, rows, width);
    for (int64_t j = 0; j < width; ++j) reinterpret_cast<Acc*>(acc)[j] = {best[j], first + at[j]};
  }
  void merge(char* a, const char* b, int64_t n) const override {  // a comes first: a tie leaves it
    Acc* const x = reinterpret_cast<Acc*>(a);
    const Acc* const y = reinterpret_cast<const Acc*>(b);
    for (int64_t i = 0; i < n; ++i) {
      const T v = y[i].value, best = x[i].value;
      if ((largest ? v > best : v < best) || (v != v && best == best)) x[i] = y[i];
    }
  }
  const bool largest;
  const ExtremeKernel& k;
};

/// Number, mean and sum of squared differences. Within a piece in two passes, across pieces by Chan's formula.
struct Moment {
  double mean, m2, count;
};
template <class T>
struct Moments final : Fold {
  Moments() : Fold(dtype_of<T>, sizeof(Moment), true) {}
  /// `sum` and `squares` are of the differences from `center`, which is the mean but for a rounding.
  static Moment moment(T center, T sum, T squares, int64_t n) {
    const double s = sum, count = static_cast<double>(n);
    if (!std::isfinite(center)) return {center, std::numeric_limits<double>::quiet_NaN(), count};
    if (std::isinf(squares)) return {center, squares, count};
    return {center + s / count, std::max(0.0, squares - s * s / count), count};
  }
  void rows(char* acc, const char* x, int64_t n, int64_t stride, int64_t count, int64_t) const override {
    for (int64_t i = 0; i < count; ++i) {
      const char* const row = x + i * stride * static_cast<int64_t>(sizeof(T));
      T center, s, q;
      total.rows(&center, row, n, 0, 1);
      center /= static_cast<T>(n);
      deviation.row(row, n, &center, &s, &q);
      reinterpret_cast<Moment*>(acc)[i] = moment(center, s, q, n);
    }
  }
  void columns(char* acc, const char* x, int64_t stride, int64_t rows, int64_t width, int64_t) const override {
    T center[kWidth], s[kWidth], q[kWidth];
    total.columns(center, x, stride, rows, width);
    for (int64_t j = 0; j < width; ++j) center[j] /= static_cast<T>(rows);
    deviation.columns(x, stride, rows, width, center, s, q);
    for (int64_t j = 0; j < width; ++j) reinterpret_cast<Moment*>(acc)[j] = moment(center[j], s[j], q[j], rows);
  }
  void merge(char* a, const char* b, int64_t n) const override {
    Moment* const x = reinterpret_cast<Moment*>(a);
    const Moment* const y = reinterpret_cast<const Moment*>(b);
    for (int64_t i = 0; i < n; ++i) {
      const double count = x[i].count + y[i].count, delta = y[i].mean - x[i].mean;
      if (std::isfinite(delta)) {
        x[i].m2 += y[i].m2 + delta * delta * (x[i].count * y[i].count / count);
        x[i].mean += delta * (y[i].count / count);
      } else if (std::isfinite(x[i].mean) && std::isfinite(y[i].mean)) {  // too far apart for their squares
        x[i].m2 = std::numeric_limits<double>::infinity();
        x[i].mean = x[i].mean * (x[i].count / count) + y[i].mean * (y[i].count / count);
      } else {
        x[i].m2 = std::numeric_limits<double>::quiet_NaN();
        x[i].mean += y[i].mean;  // infinite or NaN, as it must be
      }
      x[i].count = count;
    }
  }
  const ReduceKernel& total = kernel(Combine::Sum, dtype_of<T>);
  const DeviationKernel& deviation = reduce_table().deviation[sizeof(T) == 8];
};

/// The type in which the numbers of a type are added up.
ScalarType sum_type(ScalarType t) { return t == kDouble ? kDouble : is_floating_point(t) ? kFloat : kLong; }

/// The number of elements when they lie in order without gaps, else 0.
int64_t packed_numel(const View& v) {
  int64_t n = 1;
  for (int d = v.dim() - 1; d >= 0; n *= v.sizes[d--])
    if (v.sizes[d] != 1 && v.strides[d] != n) return 0;
  return n;
}

/// Reduce, then `finish` the contiguous results, which have the type `type`.
template <class Finish>
void reduce_with(const Fold& f, ScalarType type, const Loops& loops, const View& out, const View& in, Finish&& finish) {
  const bool direct = out.dtype == type && loops.contiguous(1);
  const int64_t outputs = loops.kept.numel();
  Scratch results(direct ? 0 : outputs * f.bytes);
  char* const acc = direct ? out.ptr<char>() : results.data();
  Job{f, loops.kept, loops.reduced, in.ptr<char>(), in.dtype, acc}.run();
  finish(acc, outputs);
  if (!direct) loops.write(1, out, type, acc, 1);
}

}  // namespace

void reduce(Reduction what, const View& out, const View& in) {
  if (dry) return;
  if (what == Reduction::Sum && out.dtype == in.dtype && (in.dtype == kFloat || in.dtype == kDouble) &&
      out.dim() == in.dim() && out.numel() == 1) {  // a loss: nothing to plan
    const int64_t n = packed_numel(in);
    if (n > 0 && n <= kRowPiece) return kernel(Combine::Sum, in.dtype).rows(out.ptr<char>(), in.ptr<char>(), n, n, 1);
  }
  const Loops loops("reduce", in, out, out);
  if (loops.kept.numel() == 0) return;
  if (loops.reduced.numel() == 0) {
    check<IndexError>(what != Reduction::Max && what != Reduction::Min,
                      "reduce: expected a dimension to reduce with a non-zero size, got ", in.sizes);
    return fill(out, what == Reduction::Prod || what == Reduction::All ? 1 : 0);
  }
  const auto run = [&](const Fold& f, ScalarType type) { reduce_with(f, type, loops, out, in, [](char*, int64_t) {}); };
  const auto simple = [&](Combine c, ScalarType type) { run(Simple(c, type), type); };
  const ScalarType sum = sum_type(out.dtype);
  switch (what) {
    case Reduction::Sum: return sum == kLong && in.dtype == kBool ? run(Count(), kLong) : simple(Combine::Sum, sum);
    case Reduction::NanSum: return simple(is_floating_point(sum) ? Combine::NanSum : Combine::Sum, sum);
    case Reduction::Prod: return simple(Combine::Prod, sum);
    case Reduction::Any: return simple(Combine::Max, kBool);
    case Reduction::All: return simple(Combine::Min, kBool);
    case Reduction::CountNonzero: return run(Count(), kLong);
    case Reduction::Max:
    case Reduction::Min:
      check<TypeError>(out.dtype == in.dtype, "reduce: expected a ", in.dtype, " output, got ", out.dtype);
      return simple(what == Reduction::Max ? Combine::Max : Combine::Min,
                    is_floating_point(in.dtype) ? sum_type(in.dtype) : in.dtype);
  }
}

void reduce_index(bool largest, const View& values, const View& indices, const View& in, int dim) {
  if (dry) return;
  const View& shape = indices.data ? indices : values;
  if (in.dim() > 0) {
    check<IndexError>(dim >= 0 && dim < in.dim(), "reduce_index: dimension ", dim, " of ", in.sizes);
    for (int d = 0; d < in.dim(); ++d)
      check(shape.dim() == in.dim() && shape.sizes[d] == (d == dim ? 1 : in.sizes[d]), "reduce_index: cannot reduce ",
            in.sizes, " along ", dim, " to ", shape.sizes);
  }
  const Loops loops("reduce_index", in, values.data ? values : shape, shape);
  if (loops.kept.numel() == 0) return;
  check<IndexError>(loops.reduced.numel() > 0, "reduce_index: expected reduction dim ", dim,
                    " to have non-zero size, got ", in.sizes);
  const auto run = [&]<class T>(T) {
    const Extreme<T> f(largest);
    Scratch results(loops.kept.numel() * f.bytes);
    char* const acc = results.data();
    Job{f, loops.kept, loops.reduced, in.ptr<char>(), in.dtype, acc}.run();
    using Acc = typename Extreme<T>::Acc;
    if (values.data) loops.write(1, values, dtype_of<T>, acc, sizeof(Acc) / sizeof(T));
    if (indices.data) loops.write(2, indices, kLong, acc + offsetof(Acc, index), sizeof(Acc) / 8);
  };
  switch (in.dtype) {
    case kDouble: return run(double{});
    case kFloat:
    case kHalf:
    case kBFloat16: return run(float{});
    case kLong: return run(int64_t{});
    default: return run(int32_t{});
  }
}

void moments(const View& mean, const View& m2, const View& in) {
  if (dry) return;
  const Loops loops("moments", in, mean, m2);
  if (loops.kept.numel() == 0) return;
  if (loops.reduced.numel() == 0) {
    fill(mean, std::numeric_limits<double>::quiet_NaN());
    return fill(m2, 0);
  }
  const auto run = [&](const Fold& f) {
    Scratch results(loops.kept.numel() * f.bytes);
    Job{f, loops.kept, loops.reduced, in.ptr<char>(), in.dtype, results.data()}.run();
    loops.write(1, mean, kDouble, results.data() + offsetof(Moment, mean), sizeof(Moment) / sizeof(double));
    loops.write(2, m2, kDouble, results.data() + offsetof(Moment, m2), sizeof(Moment) / sizeof(double));
  };
  if (in.dtype == kDouble || mean.dtype == kDouble || !is_floating_point(in.dtype)) run(Moments<double>());
  else run(Moments<float>());
}

void norm(const View& out, const View& in, double p) {
  if (dry) return;
  check<TypeError>(is_floating_point(out.dtype), "norm: expected a floating-point output, got ", out.dtype);
  const Loops loops("norm", in, out, out);
  if (loops.kept.numel() == 0) return;
  if (loops.reduced.numel() == 0) {
    check<IndexError>(!std::isinf(p), "norm: the infinity norm of nothing does not exist, got ", in.sizes);
    return fill(out, p < 0 ? std::numeric_limits<double>::infinity() : 0);
  }
  if (p == 0) return reduce_with(Count(), kLong, loops, out, in, [](char*, int64_t) {});
  const auto run = [&]<class T>(T) {
    const ScalarType type = dtype_of<T>;
    const auto roots = [&](auto root) {
      return [=](char* acc, int64_t n) {
        for (int64_t i = 0; i < n; ++i) reinterpret_cast<T*>(acc)[i] = root(reinterpret_cast<T*>(acc)[i]);
      };
    };
    const auto simple = [&](Combine c, auto root) { reduce_with(Simple(c, type), type, loops, out, in, roots(root)); };
    const auto same = [](T x) { return x; };
    if (p == 1) return simple(Combine::SumAbs, same);
    if (p == 2) return simple(Combine::SumSquares, [](T x) { return std::sqrt(x); });
    if (std::isinf(p)) return simple(p > 0 ? Combine::MaxAbs : Combine::MinAbs, same);
    reduce_with(PowerSum<T>(p), type, loops, out, in, roots([=](T x) { return static_cast<T>(maths::pow(x, 1 / p)); }));
  };
  if (out.dtype == kDouble) run(double{});
  else run(float{});
}

}  // namespace taut::kernels
