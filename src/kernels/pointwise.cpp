// The drivers: one loop nest for every op, dtype and layout, that hands kernels contiguous operands of their own number
// type. What is not so already (strided, transposed, broadcast, another dtype) passes through a tile in L1.
#include "kernels/pointwise.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "core/parallel.h"
#include "kernels/copy.h"
#include "kernels/pointwise_convert.h"
#include "kernels/special.h"
#include "kernels/workspace.h"
#include "taut/core/error.h"

namespace taut {

namespace {

constexpr int kMaxOperands = 8;         // backward of three inputs: g, 3 x, y, 3 dx
constexpr int64_t kTile = 1024;         // elements that pass through L1 at a time
constexpr int64_t kTurned = 32;         // inner side of a tile of which some operand is transposed
constexpr int64_t kRow = 64;            // the same where the loop is called for each row
constexpr int64_t kFar = 2048;          // bytes between rows: no processor foresees reads so far apart
constexpr int64_t kGrain = 32768;       // elements a thread takes at a time
constexpr int64_t kSerial = 64 * 1024;  // below this, threads cost more than they give
constexpr int64_t kShort = 256;         // elements of a tile that holds one number
constexpr int64_t kRepeated = 8;        // times that inputs repeat themselves, to compute once and copy

constexpr ScalarType kNumberType[] = {kFloat, kDouble, kLong};

struct Operand {
  char* data;  // null: an output nobody wants, or an input nobody reads
  ScalarType dtype;
  bool output, converts;     // converts: not of the type that the loop works on
  int64_t stride[kMaxDims];  // in elements
};

/// A loop nest over all operands. Deliberately not initialised: it is large, and only `dims` and `count` of it are
/// used.
struct Nest {
  int dims, count;
  int64_t size[kMaxDims];
  Operand op[kMaxOperands];
};

void add_operand(Nest& nest, const View& v, bool output, bool converts) {
  Operand& o = nest.op[nest.count++];
  o.data = static_cast<char*>(v.data);
  o.dtype = v.dtype;
  o.output = output;
  o.converts = converts;
  const int skip = nest.dims - v.dim();
  if (!o.data) {
    std::fill_n(o.stride, nest.dims, 0);
    return;
  }
  check(skip >= 0, "pointwise: an operand of sizes ", v.sizes, " has more dimensions than the result");
  for (int d = 0; d < skip; ++d) o.stride[d] = 0;
  for (int d = skip; d < nest.dims; ++d) {
    const int64_t s = v.sizes[d - skip];
    check(s == nest.size[d] || (s == 1 && !output), "pointwise: an operand of sizes ", v.sizes,
          " does not broadcast to the result's ", IntArrayRef(nest.size, nest.dims));
    o.stride[d] = s == 1 ? 0 : v.strides[d - skip];
  }
}

/// Is dimension a to be inside b? The first operand that walks them differently decides, outputs first.
bool inside(const Nest& nest, int a, int b) {
  for (const bool output : {true, false})
    for (int k = 0; k < nest.count; ++k) {
      const Operand& o = nest.op[k];
      if (o.output != output || !o.data || o.stride[a] == o.stride[b]) continue;
      if (o.stride[a] == 0 || o.stride[b] == 0) continue;
      return o.stride[a] < o.stride[b];
    }
  return false;
}
void swap_dims(Nest& nest, int a, int b) {
  std::swap(nest.size[a], nest.size[b]);
  for (int k = 0; k < nest.count; ++k) std::swap(nest.op[k].stride[a], nest.op[k].stride[b]);
}

/// Drop dimensions of one, put the nearest elements innermost, and join dimensions that every operand walks as one.
void simplify(Nest& nest) {
  int to = 0;
  for (int d = 0; d < nest.dims; ++d) {
    if (nest.size[d] == 1) continue;
    nest.size[to] = nest.size[d];
    for (int k = 0; k < nest.count; ++k) nest.op[k].stride[to] = nest.op[k].stride[d];
    ++to;
  }
  nest.dims = to;
  for (int i = 1; i < nest.dims; ++i)  // insertion: stable, and nearly always already in order
    for (int j = i; j > 0 && inside(nest, j - 1, j); --j) swap_dims(nest, j - 1, j);
  to = 0;
  for (int d = 1; d < nest.dims; ++d) {
    bool join = true;
    for (int k = 0; k < nest.count; ++k) join &= nest.op[k].stride[to] == nest.op[k].stride[d] * nest.size[d];
    if (join) nest.size[to] *= nest.size[d];
    else nest.size[++to] = nest.size[d];
    for (int k = 0; k < nest.count; ++k) nest.op[k].stride[to] = nest.op[k].stride[d];
  }
  if (nest.dims > 0) nest.dims = to + 1;
  if (nest.dims == 0) {  // one element
    nest.dims = 1, nest.size[0] = 1;
    for (int k = 0; k < nest.count; ++k) nest.op[k].stride[0] = 1;
  }
}

/// How a nest is cut into boxes: all of the dimensions from `first` on, `step` of them at a time.
struct Boxes {
  int first;
  int64_t step[kMaxDims], count[kMaxDims];  // count: boxes along each dimension
  int64_t total, elements;                  // boxes, and elements in a whole one
  bool by_row;                              // a box has two dimensions, and the loop is called for each row
};

/// If some operand runs fastest along another dimension than the innermost, bring that one next to it: squares of the
/// two keep what is read and what is written both in L1.
bool bring_together(Nest& nest) {
  const int inner = nest.dims - 1;
  for (int k = 0; k < nest.count; ++k) {
    const Operand& o = nest.op[k];
    if (!o.data || o.stride[inner] <= 1) continue;
    for (int d = 0; d < inner; ++d) {
      if (o.stride[d] != 1 || nest.size[d] < 8 || nest.size[inner] < 8) continue;
      for (int j = d; j < inner - 1; ++j) swap_dims(nest, j, j + 1);
      return true;
    }
  }
  return false;
}

void cut(Nest& nest, Boxes& boxes, bool staged) {
  const int inner = nest.dims - 1;
  const int64_t limit = staged ? kTile : kGrain;
  std::copy_n(nest.size, nest.dims, boxes.step);
  boxes.by_row = false;
  if (nest.dims > 1 && bring_together(nest)) {
    std::copy_n(nest.size, nest.dims, boxes.step);
    boxes.first = inner - 1;
    boxes.by_row = nest.size[inner] >= kRow;  // rows that are far apart come too late without a tile
    for (int k = 0; k < nest.count; ++k) {
      const Operand& o = nest.op[k];
      boxes.by_row &= o.stride[inner] != 1 || o.stride[inner - 1] * element_size(o.dtype) < kFar;
    }
    boxes.step[inner] = std::min(nest.size[inner], boxes.by_row ? kRow : kTurned);
    boxes.step[inner - 1] = std::min(nest.size[inner - 1], kTile / boxes.step[inner]);
  } else {
    boxes.first = inner;
    int64_t inside = 1;  // whole dimensions, as many as fit, then a part of the next
    while (boxes.first > 0 && inside * nest.size[boxes.first] <= limit) inside *= nest.size[boxes.first--];
    const int64_t part = std::min(nest.size[boxes.first], std::max<int64_t>(1, limit / inside));
    // A row or two of the next dimension are not worth leaving the contiguous ones for.
    if (boxes.first < inner && part == 1 && nest.size[boxes.first] > 1) ++boxes.first;
    else boxes.step[boxes.first] = part;
  }
  boxes.total = boxes.elements = 1;
  for (int d = 0; d < nest.dims; ++d) {
    if (d < boxes.first) boxes.step[d] = 1;
    boxes.count[d] = (nest.size[d] + boxes.step[d] - 1) / boxes.step[d];
    boxes.total *= boxes.count[d];
    boxes.elements *= boxes.step[d];
  }
}

/// One box: how many elements along each of its dimensions, outermost first.
struct Box {
  int dims;
  int64_t size[kMaxDims];
};

template <class U>
void copy_row(U* to, int64_t to_stride, const U* from, int64_t from_stride, int64_t n) {
  if (to_stride == 1 && from_stride == 1) {
    constexpr int64_t many = 32 / sizeof(U);
    if (n > 16 * many) return void(std::memcpy(to, from, static_cast<size_t>(n) * sizeof(U)));
    int64_t i = 0;  // a short row is quicker than the call
    for (; i + many <= n; i += many) std::memcpy(to + i, from + i, 32);
    for (; i < n; ++i) to[i] = from[i];
  } else {
    for (int64_t i = 0; i < n; ++i) to[i * to_stride] = from[i * from_stride];
  }
}

/// Four rows of four, turned.
void transpose_4x4(uint32_t* to, int64_t to_row, const uint32_t* from, int64_t from_row) {
  typedef uint32_t Row __attribute__((vector_size(16)));
  Row a, b, c, d;
  std::memcpy(&a, from, 16);
  std::memcpy(&b, from + from_row, 16);
  std::memcpy(&c, from + 2 * from_row, 16);
  std::memcpy(&d, from + 3 * from_row, 16);
  const Row ac = __builtin_shufflevector(a, c, 0, 4, 1, 5), ac_high = __builtin_shufflevector(a, c, 2, 6, 3, 7);
  const Row bd = __builtin_shufflevector(b, d, 0, 4, 1, 5), bd_high = __builtin_shufflevector(b, d, 2, 6, 3, 7);
  a = __builtin_shufflevector(ac, bd, 0, 4, 1, 5);
  b = __builtin_shufflevector(ac, bd, 2, 6, 3, 7);
  c = __builtin_shufflevector(ac_high, bd_high, 0, 4, 1, 5);
  d = __builtin_shufflevector(ac_high, bd_high, 2, 6, 3, 7);
  std::memcpy(to, &a, 16);
  std::memcpy(to + to_row, &b, 16);
  std::memcpy(to + 2 * to_row, &c, 16);
  std::memcpy(to + 3 * to_row, &d, 16);
}
/// to[j][i] = from[i][j] for `rows` rows of `columns` in `from`.
template <class U>
void transpose(U* to, int64_t to_row, const U* from, int64_t from_row, int64_t rows, int64_t columns) {
  int64_t i = 0;
  if constexpr (sizeof(U) == 4) {
    for (; i + 4 <= rows; i += 4) {
      // The rows that come next, of the next tile too.
      for (int64_t k = i + 32; from_row * 4 >= kFar && k < i + 36; ++k)
        for (int64_t j = 0; j < columns; j += 16) __builtin_prefetch(from + k * from_row + j);
      int64_t j = 0;
      for (; j + 4 <= columns; j += 4) transpose_4x4(to + j * to_row + i, to_row, from + i * from_row + j, from_row);
      for (; j < columns; ++j)
        for (int64_t k = i; k < i + 4; ++k) to[j * to_row + k] = from[k * from_row + j];
    }
  }
  for (; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) to[j * to_row + i] = from[i * from_row + j];
}

/// Between the box of an operand (strides `s`) and a contiguous tile.
template <class U>
void copy_box(char* data, char* tile, const Box& box, const int64_t* s, bool output) {
  U* x = reinterpret_cast<U*>(data);
  U* t = reinterpret_cast<U*>(tile);
  const int inner = box.dims - 1;
  const int64_t n = box.size[inner];
  int64_t at[kMaxDims];
  std::fill_n(at, box.dims, 0);
  if (inner > 0 && s[inner - 1] == 1 && s[inner] > 1) {  // transposed: along the operand's own rows
    const int64_t m = box.size[inner - 1];
    for (;;) {
      if (output) transpose(x, s[inner], t, n, m, n);
      else transpose(t, n, x, s[inner], n, m);
      t += n * m;
      int d = inner - 2;
      for (; d >= 0; --d) {
        x += s[d];
        if (++at[d] < box.size[d]) break;
        x -= at[d] * s[d], at[d] = 0;
      }
      if (d < 0) return;
    }
  }
  const bool gathered = !output && s[inner] != 1;  // two dimensions at a time
  const int64_t rows = gathered && inner > 0 ? box.size[inner - 1] : 1;
  for (;;) {
    if (gathered)
      conversions().gather[std::countr_zero(sizeof(U))](x, inner > 0 ? s[inner - 1] : 0, s[inner], t, rows, n);
    else {
      if (inner > 0 && s[inner] == 1 && s[inner - 1] * static_cast<int64_t>(sizeof(U)) >= kFar)  // for the next box
        for (int64_t i = n; i < 2 * n; i += 64 / static_cast<int64_t>(sizeof(U))) {
          if (output) __builtin_prefetch(x + i, 1);
          else __builtin_prefetch(x + i);
        }
      if (output) copy_row(x, s[inner], t, 1, n);
      else copy_row(t, 1, x, s[inner], n);
    }
    t += rows * n;
    int d = inner - (gathered ? 2 : 1);
    for (; d >= 0; --d) {
      x += s[d];
      if (++at[d] < box.size[d]) break;
      x -= at[d] * s[d], at[d] = 0;
    }
    if (d < 0) return;
  }
}
void copy_box(int64_t size, char* data, char* tile, const Box& box, const int64_t* s, bool output) {
  switch (size) {
    case 1: return copy_box<uint8_t>(data, tile, box, s, output);
    case 2: return copy_box<uint16_t>(data, tile, box, s, output);
    case 4: return copy_box<uint32_t>(data, tile, box, s, output);
    default: return copy_box<uint64_t>(data, tile, box, s, output);
  }
}

bool contiguous(const Box& box, const int64_t* s) {
  int64_t expected = 1;
  for (int d = box.dims - 1; d >= 0; --d) {
    if (box.size[d] != 1 && s[d] != expected) return false;
    expected *= box.size[d];
  }
  return true;
}

/// Walks boxes one after the other. Operands that are contiguous and of the number type are passed as they are, the
/// others by way of a tile. Row by row, those whose rows are contiguous need no tile.
class BoxWalk {
 public:
  BoxWalk(const Nest& nest, const Boxes& boxes, Loop loop, const void* op, int number, int64_t begin)
      : nest_(nest), boxes_(boxes), loop_(loop), op_(op), number_(number) {
    int64_t rest = begin;
    for (int d = nest.dims - 1; d >= 0; --d) at_[d] = rest % boxes.count[d], rest /= boxes.count[d];
    for (int k = 0; k < nest.count; ++k) {
      const Operand& o = nest.op[k];
      part_[k].where = o.data;
      for (int d = 0; d < nest.dims; ++d) {
        jump_[d][k] = boxes.step[d] * o.stride[d] * element_size(o.dtype);
        if (o.data) part_[k].where += at_[d] * jump_[d][k];
      }
    }
    box_.dims = nest.dims - boxes.first;
    std::fill_n(box_.size, box_.dims, 0);
  }

  void run(int64_t boxes) {
    for (; boxes > 0; --boxes, advance()) {
      measure();
      for (int k = 0; k < nest_.count; ++k)
        if (staged(k) && !nest_.op[k].output) load(k);
      call();
      for (int k = 0; k < nest_.count; ++k)
        if (staged(k) && nest_.op[k].output) store(k);
    }
  }

 private:
  /// An operand's part of a box, and how the loop sees it.
  struct Part {
    char* where;                   // its memory in the operand
    bool flat, in_rows, direct;    // contiguous as a whole, contiguous rows, passed as it is
    int64_t pitch, row_bytes;      // from row to row, in the operand and in what the loop sees
    const char* loaded = nullptr;  // what an input's tile holds, so that a broadcast one is filled once:
    int64_t loaded_n = 0, loaded_inner = 0;
  };

  bool staged(int k) const { return nest_.op[k].data && !part_[k].direct; }
  const int64_t* strides(int k) const { return nest_.op[k].stride + boxes_.first; }

  /// The sizes of the box, and if the last one had others, how each operand lies in it.
  void measure() {
    bool as_before = true;
    n_ = 1;
    for (int d = boxes_.first; d < nest_.dims; ++d) {
      const int64_t size = std::min(boxes_.step[d], nest_.size[d] - at_[d] * boxes_.step[d]);
      as_before &= box_.size[d - boxes_.first] == size;
      box_.size[d - boxes_.first] = size;
      n_ *= size;
    }
    if (as_before) return;
    inner_ = box_.size[box_.dims - 1], rows_ = boxes_.by_row ? box_.size[0] : 1;
    const int last = nest_.dims - 1;
    for (int k = 0; k < nest_.count; ++k) {
      const Operand& o = nest_.op[k];
      Part& p = part_[k];
      p.flat = contiguous(box_, strides(k));
      p.in_rows = boxes_.by_row && o.stride[last] == 1;
      p.direct = (p.flat || p.in_rows) && !o.converts;
      p.pitch = boxes_.by_row ? o.stride[last - 1] * element_size(o.dtype) : 0;
      p.row_bytes =
          p.in_rows && p.direct ? p.pitch : inner_ * element_size(o.converts ? kNumberType[number_] : o.dtype);
    }
  }

  /// Brings an input to its tile.
  void load(int k) {
    const Operand& o = nest_.op[k];
    Part& p = part_[k];
    if (p.loaded == p.where && p.loaded_n == n_ && p.loaded_inner == inner_) return;
    p.loaded = p.where, p.loaded_n = n_, p.loaded_inner = inner_;
    if (p.in_rows) {  // and converts
      for (int64_t r = 0; r < rows_; ++r)
        convert_.load[static_cast<int>(o.dtype)][number_](p.where + r * p.pitch, tiles_[k] + r * p.row_bytes, inner_);
      return;
    }
    char* source = p.where;
    if (!p.flat) {
      source = o.converts ? raw_ : tiles_[k];
      copy_box(element_size(o.dtype), p.where, source, box_, strides(k), false);
    }
    if (o.converts) convert_.load[static_cast<int>(o.dtype)][number_](source, tiles_[k], n_);
  }
  /// Brings a tile to its output.
  void store(int k) {
    const Operand& o = nest_.op[k];
    const Part& p = part_[k];
    if (p.in_rows) {
      for (int64_t r = 0; r < rows_; ++r)
        convert_.store[static_cast<int>(o.dtype)][number_](tiles_[k] + r * p.row_bytes, p.where + r * p.pitch, inner_);
      return;
    }
    char* source = tiles_[k];
    if (o.converts) {
      source = p.flat ? p.where : raw_;
      convert_.store[static_cast<int>(o.dtype)][number_](tiles_[k], source, n_);
    }
    if (!p.flat) copy_box(element_size(o.dtype), p.where, source, box_, strides(k), true);
  }

  void call() {
    const void* in[kMaxOperands];
    void* out[kMaxOperands];
    for (int k = 0, i = 0, j = 0; k < nest_.count; ++k) {
      char* const p = !nest_.op[k].data ? nullptr : part_[k].direct ? part_[k].where : tiles_[k];
      if (nest_.op[k].output) out[j++] = p;
      else in[i++] = p;
    }
    for (int64_t r = 0; r < rows_; ++r) {
      loop_(op_, in, out, n_ / rows_);
      for (int k = 0, i = 0, j = 0; r + 1 < rows_ && k < nest_.count; ++k) {
        const int64_t step = nest_.op[k].data ? part_[k].row_bytes : 0;
        if (nest_.op[k].output) out[j] = static_cast<char*>(out[j]) + step, ++j;
        else in[i] = static_cast<const char*>(in[i]) + step, ++i;
      }
    }
  }

  /// On to the next box.
  void advance() {
    for (int d = nest_.dims - 1; d >= 0; --d) {
      const bool more = ++at_[d] < boxes_.count[d];
      for (int k = 0; k < nest_.count; ++k)
        if (part_[k].where) part_[k].where += more ? jump_[d][k] : -jump_[d][k] * (boxes_.count[d] - 1);
      if (more) return;
      at_[d] = 0;
    }
  }

  // What is not initialised here is large, and only a part of it is used.
  alignas(64) char tiles_[kMaxOperands][kTile * 8];
  alignas(64) char raw_[kTile * 8];  // between an operand and its conversion
  const Nest& nest_;
  const Boxes& boxes_;
  Loop loop_;
  const void* op_;
  int number_;
  const Conversions& convert_ = conversions();
  int64_t at_[kMaxDims];                  // the number of the box along each dimension,
  int64_t jump_[kMaxDims][kMaxOperands];  // and how far each operand moves, in bytes, to the next one
  Part part_[kMaxOperands];
  Box box_;
  int64_t n_, inner_, rows_;  // elements of the box, of a row, and the times that the loop is called
};

/// Are all operands of the type of the loop and their rows contiguous, but for some inputs whose rows are one number?
bool has_columns(const Nest& nest) {
  const int inner = nest.dims - 1;
  const int64_t n = nest.size[inner];
  if (inner == 0 || n < (n % 16 ? 2 * kShort : kShort)) return false;  // the rest of a row takes long
  bool any = false;
  for (int k = 0; k < nest.count; ++k) {
    const Operand& o = nest.op[k];
    const bool column = !o.output && o.stride[inner] == 0;
    if (!o.data || o.converts || !(column || o.stride[inner] == 1)) return false;
    any |= column;
  }
  return any;
}

/// Such a nest row by row. The numbers are repeated in short tiles, which the loop reads several times.
[[gnu::noinline]] void run_columns(const Nest& nest, Loop loop, const void* op) {
  const int inner = nest.dims - 1;
  const int64_t n = nest.size[inner], pieces = n / kShort, step = ((n + pieces - 1) / pieces + 15) / 16 * 16;
  const auto body = [&](int64_t begin, int64_t end) {
    alignas(64) char tiles[kMaxOperands][2 * kShort * 8];
    for (int64_t row = begin; row < end; ++row) {
      const void* in[kMaxOperands];
      void* out[kMaxOperands];
      int ins = 0, outs = 0;
      for (int k = 0; k < nest.count; ++k) {
        const Operand& o = nest.op[k];
        const int64_t size = element_size(o.dtype);
        int64_t rest = row, offset = 0;
        for (int d = inner - 1; d > 0; rest /= nest.size[d--]) offset += rest % nest.size[d] * o.stride[d];
        char* p = o.data + (offset + rest * o.stride[0]) * size;
        if (o.stride[inner] == 0) {
          conversions().gather[std::countr_zero(static_cast<uint64_t>(size))](p, 0, 0, tiles[k], 1, std::min(n, step));
          p = tiles[k];
        }
        if (o.output) out[outs++] = p;
        else in[ins++] = p;
      }
      loop(op, in, out, std::min(n, step));
      for (int64_t i = step; i < n; i += step) {
        ins = outs = 0;
        for (int k = 0; k < nest.count; ++k) {
          const int64_t bytes = nest.op[k].stride[inner] * step * element_size(nest.op[k].dtype);
          if (nest.op[k].output) out[outs] = static_cast<char*>(out[outs]) + bytes, ++outs;
          else in[ins] = static_cast<const char*>(in[ins]) + bytes, ++ins;
        }
        loop(op, in, out, std::min(n - i, step));
      }
    }
  };
  int64_t rows = 1;
  for (int d = 0; d < inner; ++d) rows *= nest.size[d];
  if (rows * n < kSerial) return body(0, rows);
  parallel_for(rows, std::max<int64_t>(1, kGrain / n), body);
}

void run(Nest& nest, Loop loop, const void* op, int number) {
  simplify(nest);
  if (has_columns(nest)) return run_columns(nest, loop, op);
  bool staged = false;
  for (int k = 0; k < nest.count; ++k) {
    const Operand& o = nest.op[k];
    if (o.data) staged |= o.converts || o.stride[nest.dims - 1] != 1;
  }
  if (nest.dims > 1) staged = true;  // rows shorter than a grain may have to be gathered
  Boxes boxes;
  cut(nest, boxes, staged);
  int64_t n = 1;
  for (int d = 0; d < nest.dims; ++d) n *= nest.size[d];
  const auto body = [&](int64_t begin, int64_t end) { BoxWalk(nest, boxes, loop, op, number, begin).run(end - begin); };
  if (n < kSerial) return body(0, boxes.total);
  parallel_for(boxes.total, std::max<int64_t>(1, kGrain / boxes.elements), body);
}

/// Dimensions along which all inputs repeat themselves are left to a copy of what is computed without them. The output
/// is the last operand. False, and nothing done, where too little is repeated.
bool run_once(Nest& nest, Loop loop, const void* op, int number) {
  Operand& out = nest.op[nest.count - 1];
  int64_t size[kMaxDims], to[kMaxDims], from[kMaxDims], all = 1, distinct = 1;
  for (int d = nest.dims - 1; d >= 0; --d) {
    const bool repeated = std::all_of(nest.op, &out, [&](const Operand& o) { return o.stride[d] == 0; });
    size[d] = nest.size[d], to[d] = out.stride[d], from[d] = repeated ? 0 : distinct;
    all *= size[d];
    if (!repeated) distinct *= size[d];
  }
  if (all < kTile || all / kRepeated < distinct) return false;
  const kernels::Workspace<char> once(distinct * element_size(out.dtype));
  const size_t dims = static_cast<size_t>(nest.dims);
  const View result{out.data, out.dtype, {size, dims}, {to, dims}};
  out.data = once.data();
  std::copy_n(from, dims, out.stride);
  for (size_t d = 0; d < dims; ++d)
    if (from[d] == 0) nest.size[d] = 1;
  run(nest, loop, op, number);
  kernels::copy(result, {once.data(), result.dtype, result.sizes, {from, dims}});
  return true;
}

/// Elements of a contiguous view, or -1.
int64_t flat_numel(const View& v) {
  int64_t n = 1;
  for (int d = v.dim() - 1; d >= 0; --d) {
    if (v.sizes[d] != 1 && v.strides[d] != n) return -1;
    n *= v.sizes[d];
  }
  return n;
}
/// The same sizes and (being contiguous) layout as a contiguous view.
bool matches(const View& a, const View& b) {
  return a.sizes == b.sizes && (a.strides == b.strides || flat_numel(a) >= 0);
}
bool is_single(const View& v) {
  for (int64_t s : v.sizes)
    if (s != 1) return false;
  return true;
}

/// Contiguous operands of the type of the loop, and single numbers of any: no nest at all.
struct Flat {
  const void* in[kMaxOperands];
  void* out[kMaxOperands];
  int ins = 0, outs = 0, number;
  ScalarType type, out_type;
  unsigned singles = 0;          // bit k: input k is a single number,
  int64_t single[kMaxOperands];  // kept here in the number type

  bool add_input(const View& v, const View& like) {
    if (v.dtype == type && matches(v, like)) {
      in[ins++] = v.data;
      return true;
    }
    if (v.dim() > like.dim() || !is_single(v)) return false;
    conversions().load[static_cast<int>(v.dtype)][number](v.data, &single[ins], 1);
    singles |= 1u << ins;
    in[ins] = &single[ins];
    ++ins;
    return true;
  }
  /// The operands from element `begin` on.
  Flat from(int64_t begin) const {
    Flat f = *this;
    for (int k = 0; k < ins; ++k)
      if (in[k] && !(singles >> k & 1)) f.in[k] = static_cast<const char*>(in[k]) + begin * element_size(type);
    for (int k = 0; k < outs; ++k)
      if (out[k]) f.out[k] = static_cast<char*>(out[k]) + begin * element_size(out_type);
    return f;
  }
};

/// Single numbers are repeated in a tile, and the loop runs a tile at a time.
[[gnu::noinline]] void run_singles(const Flat& flat, Loop loop, const void* op, int64_t n) {
  alignas(64) char tiles[kMaxOperands][kTile * 8];
  const int64_t step = std::min(n, kTile * 8 / element_size(flat.type));
  Flat f = flat;
  for (int k = 0; k < f.ins; ++k) {
    if (!(f.singles >> k & 1)) continue;
    const Box box{1, {step}};
    const int64_t again = 0;
    copy_box(element_size(f.type), reinterpret_cast<char*>(&f.single[k]), tiles[k], box, &again, false);
    f.in[k] = tiles[k];
  }
  for (int64_t done = 0; done < n; done += step) {
    const Flat part = f.from(done);
    loop(op, part.in, part.out, std::min(step, n - done));
  }
}
void run_flat(const Flat& flat, Loop loop, const void* op, int64_t n) {
  const bool tiled = flat.singles && n > 1;
  if (n < kSerial) return tiled ? run_singles(flat, loop, op, n) : loop(op, flat.in, flat.out, n);
  parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
    const Flat part = flat.from(begin);
    if (tiled) run_singles(part, loop, op, end - begin);
    else loop(op, part.in, part.out, end - begin);
  });
}

void start(Nest& nest, const View& shape) {
  check(shape.dim() <= kMaxDims, "pointwise: at most ", kMaxDims, " dimensions, got ", shape.dim());
  nest.dims = shape.dim();
  nest.count = 0;
  std::copy(shape.sizes.begin(), shape.sizes.end(), nest.size);
}
void need(Loop loop, Number number) {
  check<NotImplementedError>(loop != nullptr, "pointwise: no kernel for ", kNumberType[static_cast<int>(number)]);
}

/// The dtype, below int64, of all inputs but single numbers that fit it; kLong if there is none.
ScalarType common_small_type(const View* in, int n_in) {
  const View* const first = std::find_if_not(in, in + n_in - 1, is_single);
  if (first->dtype >= kLong) return kLong;
  for (int k = 0; k < n_in; ++k) {
    if (in[k].dtype == first->dtype) continue;
    if (!is_single(in[k]) || first->dtype == kBool) return kLong;
    int64_t x;
    conversions().load[static_cast<int>(in[k].dtype)][static_cast<int>(Number::i64)](in[k].data, &x, 1);
    const int64_t bits = 8 * element_size(first->dtype), low = first->dtype == kByte ? 0 : -(int64_t{1} << (bits - 1));
    if (x < low || x >= low + (int64_t{1} << bits)) return kLong;
  }
  return first->dtype;
}

}  // namespace

void pointwise_forward(const PointwiseKernels& kernels, const void* op, Number number, const View& out, const View* in,
                       int n_in) {
  if (dry) return;
  const int index = static_cast<int>(number);
  Loop loop = kernels.forward[index];
  need(loop, number);
  if (out.numel() == 0) return;
  ScalarType type = kNumberType[index], out_type = type;
  if (number == Number::i64 && kernels.native[0]) {
    const ScalarType small = common_small_type(in, n_in);
    if (small != kLong && out.dtype == (kernels.to_bool ? kBool : small))
      loop = kernels.native[static_cast<int>(small)], type = small, out_type = out.dtype;
  }
  const int64_t n = out.dtype == out_type ? flat_numel(out) : -1;
  if (n >= 0) {
    Flat flat;
    flat.number = index;
    flat.type = type, flat.out_type = out_type;
    bool ok = true;
    for (int k = 0; ok && k < n_in; ++k) ok = flat.add_input(in[k], out);
    flat.out[flat.outs++] = out.data;
    if (ok) return run_flat(flat, loop, op, n);
  }
  Nest nest;
  start(nest, out);
  int64_t single[kMaxOperands];
  for (int k = 0; k < n_in; ++k) {
    View v = in[k];
    if (type < kLong && v.dtype != type) {  // a single number that fits
      conversions().load[static_cast<int>(v.dtype)][index](v.data, &single[k], 1);
      v.data = &single[k], v.dtype = type;
    }
    add_operand(nest, v, false, v.dtype != type);
  }
  add_operand(nest, out, true, out.dtype != out_type);
  if (!run_once(nest, loop, op, index)) run(nest, loop, op, index);
}

void pointwise_backward(const PointwiseKernels& kernels, const void* op, Number number, const View& g, const View* in,
                        const View& result, const View* dx, int n_in) {
  if (dry) return;
  const int index = static_cast<int>(number);
  const Loop loop = kernels.backward[index];
  need(loop, number);
  const ScalarType type = kNumberType[index];
  const int64_t n = g.dtype == type ? flat_numel(g) : -1;
  if (n >= 0) {
    Flat flat;
    flat.number = index;
    flat.type = flat.out_type = type;
    flat.in[flat.ins++] = g.data;
    bool ok = true;
    const auto add = [&](const View& v) {
      if (v.data) return flat.add_input(v, g);
      flat.in[flat.ins++] = nullptr;
      return true;
    };
    for (int k = 0; ok && k < n_in; ++k) {
      ok = add(in[k]) && (!dx[k].data || (dx[k].dtype == type && matches(dx[k], g)));
      flat.out[flat.outs++] = dx[k].data;
    }
    if (ok && add(result)) return run_flat(flat, loop, op, n);
  }
  if (g.numel() == 0) return;
  Nest nest;
  start(nest, g);
  const auto add = [&](const View& v, bool output) { add_operand(nest, v, output, v.dtype != type); };
  add(g, false);
  for (int k = 0; k < n_in; ++k) add(in[k], false);
  add(result, false);
  for (int k = 0; k < n_in; ++k) add(dx[k], true);
  run(nest, loop, op, index);
}

void check_divisor(const View& divisor) {
  if (dry) return;
  const int64_t n = divisor.numel();
  if (n == 0 || is_floating_point(divisor.dtype)) return;
  Nest nest;
  start(nest, divisor);
  add_operand(nest, divisor, false, divisor.dtype != kLong);
  const Loop find_zero = [](const void*, const void* const* in, void* const*, int64_t n) {
    const int64_t* const x = static_cast<const int64_t*>(in[0]);
    for (int64_t i = 0; i < n; ++i)
      if (x[i] == 0) special::throw_zero_division();
  };
  run(nest, find_zero, nullptr, static_cast<int>(Number::i64));
}

}  // namespace taut
