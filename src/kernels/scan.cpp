#include "kernels/scan.h"

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "core/maths.h"
#include "core/parallel.h"
#include "kernels/copy.h"
#include "kernels/isa/reduce.h"
#include "kernels/nest.h"
#include "taut/core/error.h"

namespace taut::kernels {
namespace {

constexpr int64_t kTile = 256;     // elements of one line that pass through a buffer at a time
constexpr int64_t kTogether = 8;   // lines walked in step, as each step of one waits for the last
constexpr int64_t kWidth = 64;     // lines side by side
constexpr int64_t kGrain = 32768;  // elements that are worth a chunk of their own

template <class T>
struct Sum {
  T carry = 0;
  T operator()(T x, int64_t) {
    if constexpr (std::is_integral_v<T>)
      carry = static_cast<T>(static_cast<uint64_t>(carry) + static_cast<uint64_t>(x));
    else carry += x;
    return carry;
  }
  int64_t index() const { return 0; }
};

/// Runs every line along a dimension through a Step: `step(x, i)` returns the result at place i, `step.index()` the
/// index beside it. From the end, Step sees places of no meaning.
template <class T, class Step>
class Scan {
 public:
  Scan(const View& out, const View& indices, const View& in, int dim, bool from_end)
      : in_(in), out_(out), index_(indices.ptr<int64_t>()), from_end_(from_end) {
    for (int d = 0; d < in.dim(); ++d)
      if (d != dim) lines_.add(in.sizes[d], in.strides[d], out.strides[d], index_ ? indices.strides[d] : 0);
    lines_.normalize();
    if (in.dim() == 0) return;
    n_ = in.sizes[dim];
    in_step_ = in.strides[dim], out_step_ = out.strides[dim];
    if (index_) index_step_ = indices.strides[dim];
  }

  void run() const {
    const bool contiguous = in_step_ == 1 && out_step_ == 1, floats = in_.dtype == kFloat && out_.dtype == kFloat;
    if (std::is_same_v<Step, Sum<double>> && contiguous && floats && !from_end_) running_sums();
    else if (in_step_ == 1 || lines_.dims == 0 || lines_.stride[lines_.dims - 1][0] != 1) line_by_line();
    else side_by_side();
  }

 private:
  /// Copies `count` elements from element `from` of the input on, `step` apart, to a tile.
  void load(T* tile, int64_t from, int64_t step, int64_t count) const {
    copy_row(dtype_of<T>, tile, 1, in_.dtype, in_.ptr<char>() + from * in_size_, step, count);
  }
  void store(const T* tile, int64_t to, int64_t step, int64_t count) const {
    copy_row(out_.dtype, out_.ptr<char>() + to * out_size_, step, dtype_of<T>, tile, 1, count);
  }

  void running_sums() const {
    parallel_for(lines_.numel(), std::max<int64_t>(1, kGrain / n_), [&](int64_t begin, int64_t end) {
      Cursor<3> line(lines_, begin);
      for (int64_t l = begin; l < end; ++l, line.advance())
        reduce_table().running_sums(out_.ptr<float>() + line.offset[1], in_.ptr<float>() + line.offset[0], n_);
    });
  }

  void line_by_line() const {
    parallel_for(lines_.numel(), std::max<int64_t>(1, kGrain / n_), [&](int64_t begin, int64_t end) {
      T tiles[kTogether][kTile];
      Cursor<3> line(lines_, begin);
      for (int64_t l = begin; l < end;) {
        const int64_t count = index_ ? 1 : std::min(kTogether, end - l);
        walk_lines(line, count, tiles);
        l += count;
      }
    });
  }
  /// `count` lines from the cursor on, which it leaves behind it.
  void walk_lines(Cursor<3>& line, int64_t count, T (*tiles)[kTile]) const {
    int64_t from[kTogether], to[kTogether];
    int64_t* const index = index_ ? index_ + line.offset[2] : nullptr;
    for (int64_t c = 0; c < count; ++c, line.advance()) from[c] = line.offset[0], to[c] = line.offset[1];
    Step steps[kTogether];
    for (int64_t i = 0; i < n_; i += kTile) {
      const int64_t m = std::min(kTile, n_ - i), start = from_end_ ? n_ - i - m : i;
      for (int64_t c = 0; c < count; ++c) load(tiles[c], from[c] + start * in_step_, in_step_, m);
      if (index) walk_indexed(steps[0], tiles[0], i, m, index);
      else walk_tiles(steps, tiles, count, i, m);
      for (int64_t c = 0; c < count; ++c) store(tiles[c], to[c] + start * out_step_, out_step_, m);
    }
  }
  void walk_indexed(Step& step, T* tile, int64_t i, int64_t m, int64_t* index) const {
    for (int64_t k = 0; k < m; ++k) {
      tile[k] = step(tile[k], i + k);
      index[(i + k) * index_step_] = step.index();
    }
  }
  void walk_tiles(Step* steps, T (*tiles)[kTile], int64_t count, int64_t i, int64_t m) const {
    const int64_t first = from_end_ ? m - 1 : 0, next = from_end_ ? -1 : 1;
    if (count == kTogether) {
      [&]<size_t... C>(std::index_sequence<C...>) {
        Step own[] = {steps[C]...};  // in registers
        for (int64_t t = 0, k = first; t < m; ++t, k += next) ((tiles[C][k] = own[C](tiles[C][k], i + k)), ...);
        ((steps[C] = own[C]), ...);
      }
      (std::make_index_sequence<kTogether>());
      return;
    }
    for (int64_t c = 0; c < count; ++c) {
      Step step = steps[c];
      for (int64_t t = 0, k = first; t < m; ++t, k += next) tiles[c][k] = step(tiles[c][k], i + k);
      steps[c] = step;
    }
  }

  /// Lines that lie side by side in memory: a group of them is walked at once.
  void side_by_side() const {
    const int inner = lines_.dims - 1;
    const int64_t count = lines_.size[inner], groups = (count + kWidth - 1) / kWidth;
    Nest<3> outer = lines_;
    outer.erase(inner);
    parallel_for(outer.numel() * groups, std::max<int64_t>(1, kGrain / (n_ * kWidth)), [&](int64_t begin, int64_t end) {
      for (int64_t item = begin; item < end; ++item) {
        const int64_t j = item % groups * kWidth;
        walk_group(Cursor<3>(outer, item / groups), j, std::min(kWidth, count - j));
      }
    });
  }
  /// The lines [j, j + width) of a group that begins at the cursor.
  void walk_group(const Cursor<3>& group, int64_t j, int64_t width) const {
    const int inner = lines_.dims - 1;
    const int64_t out_next = lines_.stride[inner][1], index_next = lines_.stride[inner][2];
    T tile[kWidth];
    Step steps[kWidth];
    for (int64_t t = 0; t < n_; ++t) {
      const int64_t i = from_end_ ? n_ - 1 - t : t;
      load(tile, group.offset[0] + i * in_step_ + j, 1, width);
      for (int64_t k = 0; k < width; ++k) tile[k] = steps[k](tile[k], i);
      for (int64_t k = 0; index_ && k < width; ++k)
        index_[group.offset[2] + i * index_step_ + (j + k) * index_next] = steps[k].index();
      store(tile, group.offset[1] + i * out_step_ + j * out_next, out_next, width);
    }
  }

  const View in_, out_;
  const int64_t in_size_ = element_size(in_.dtype), out_size_ = element_size(out_.dtype);
  int64_t* index_;  // null: none are wanted
  bool from_end_;
  Nest<3> lines_;  // where each line begins in input, output and indices
  int64_t n_ = 1, in_step_ = 1, out_step_ = 1, index_step_ = 1;
};

template <class T, class Step>
void scan(const char* name, const View& out, const View& indices, const View& in, int dim, bool from_end = false) {
  check(out.sizes == in.sizes, name, ": expected an output of ", in.sizes, ", got ", out.sizes);
  check(!indices.data || indices.sizes == in.sizes, name, ": expected indices of ", in.sizes, ", got ", indices.sizes);
  if (in.numel() == 0) return;
  check<IndexError>(in.dim() == 0 || (dim >= 0 && dim < in.dim()), name, ": dimension ", dim, " of ", in.sizes);
  Scan<T, Step>(out, indices, in, dim, from_end).run();
}

template <class T>
struct Product {
  T carry = 1;
  T operator()(T x, int64_t) {
    if constexpr (std::is_integral_v<T>)
      carry = static_cast<T>(static_cast<uint64_t>(carry) * static_cast<uint64_t>(x));
    else carry *= x;
    return carry;
  }
  int64_t index() const { return 0; }
};
template <class T>
struct LogSumExp {
  T carry = -std::numeric_limits<T>::infinity();
  T operator()(T x, int64_t) {
    const T low = x < carry || x != x ? x : carry, high = x < carry ? carry : x;
    if (low != high || std::isfinite(low)) carry = static_cast<T>(maths::log1p(maths::exp(low - high))) + high;
    else carry = x;  // two equal infinities
    return carry;
  }
  int64_t index() const { return 0; }
};
template <bool Largest, class T>
struct Extreme {
  T carry = {};
  int64_t at = -1;
  T operator()(T x, int64_t i) {
    if (at < 0 || x != x || (Largest ? x >= carry : x <= carry)) {  // neither holds when the carry is a NaN
      carry = x;
      at = i;
    }
    return carry;
  }
  int64_t index() const { return at; }
};

/// Calls f with the type in which results of the type t are carried along.
template <class F>
void visit_carry(ScalarType t, F&& f) {
  if (t == kHalf || t == kBFloat16) f(float{});
  else if (is_floating_point(t)) f(double{});
  else f(int64_t{});
}

template <bool Largest>
void extreme(const char* name, const View& values, const View& indices, const View& in, int dim) {
  check<TypeError>(!indices.data || indices.dtype == kLong, name, ": expected int64 indices, got ", indices.dtype);
  visit_carry(in.dtype, [&]<class T>(T) { scan<T, Extreme<Largest, T>>(name, values, indices, in, dim); });
}

}  // namespace

void cumsum(const View& out, const View& in, int dim, bool from_end) {
  if (dry) return;
  visit_carry(out.dtype, [&]<class T>(T) { scan<T, Sum<T>>("cumsum", out, {}, in, dim, from_end); });
}
void cumprod(const View& out, const View& in, int dim) {
  if (dry) return;
  visit_carry(out.dtype, [&]<class T>(T) { scan<T, Product<T>>("cumprod", out, {}, in, dim); });
}
void logcumsumexp(const View& out, const View& in, int dim) {
  if (dry) return;
  check<TypeError>(is_floating_point(out.dtype), "logcumsumexp: expected a floating-point output, got ", out.dtype);
  visit_carry(out.dtype, [&]<class T>(T) {
    if constexpr (!std::is_integral_v<T>) scan<T, LogSumExp<T>>("logcumsumexp", out, {}, in, dim);
  });
}
void cummax(const View& values, const View& indices, const View& in, int dim) {
  if (dry) return;
  extreme<true>("cummax", values, indices, in, dim);
}
void cummin(const View& values, const View& indices, const View& in, int dim) {
  if (dry) return;
  extreme<false>("cummin", values, indices, in, dim);
}

}  // namespace taut::kernels
