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

/// Runs every line through Step: `step(carry, x)` returns the next result, `step.index(i)` the index beside it.
/// Where the lines lie side by side in memory, a group of them is walked at once. From the end, Step sees places of no
/// meaning.
template <class T, class Step>
void scan(const char* name, const View& out, const View& indices, const View& in, int dim, bool from_end = false) {
  check(out.sizes == in.sizes, name, ": expected an output of ", in.sizes, ", got ", out.sizes);
  check(!indices.data || indices.sizes == in.sizes, name, ": expected indices of ", in.sizes, ", got ", indices.sizes);
  if (in.numel() == 0) return;
  const int rank = in.dim();
  check<IndexError>(rank == 0 || (dim >= 0 && dim < rank), name, ": dimension ", dim, " of ", in.sizes);
  Nest<3> lines;
  for (int d = 0; d < rank; ++d)
    if (d != dim) lines.add(in.sizes[d], in.strides[d], out.strides[d], indices.data ? indices.strides[d] : 0);
  lines.normalize();
  const int64_t n = rank ? in.sizes[dim] : 1;
  const int64_t xs = rank ? in.strides[dim] : 1, ys = rank ? out.strides[dim] : 1;
  const int64_t is = rank && indices.data ? indices.strides[dim] : 1;
  const int64_t x_size = element_size(in.dtype), y_size = element_size(out.dtype);
  const char* const x = in.ptr<char>();
  char* const y = out.ptr<char>();
  int64_t* const at = indices.ptr<int64_t>();

  const int inner = lines.dims - 1;
  if (std::is_same_v<Step, Sum<double>> && xs == 1 && ys == 1 && !from_end && in.dtype == kFloat && out.dtype == kFloat)
    return parallel_for(lines.numel(), std::max<int64_t>(1, kGrain / n), [&](int64_t begin, int64_t end) {
      Cursor<3> line(lines, begin);
      for (int64_t l = begin; l < end; ++l, line.advance())
        reduce_table().running_sums(out.ptr<float>() + line.offset[1], in.ptr<float>() + line.offset[0], n);
    });
  if (xs == 1 || lines.dims == 0 || lines.stride[inner][0] != 1) {  // line by line
    parallel_for(lines.numel(), std::max<int64_t>(1, kGrain / n), [&](int64_t begin, int64_t end) {
      T tiles[kTogether][kTile];
      Cursor<3> line(lines, begin);
      for (int64_t l = begin; l < end;) {
        const int64_t count = at ? 1 : std::min(kTogether, end - l);
        int64_t from[kTogether], to[kTogether];
        int64_t* const index = at + line.offset[2];
        for (int64_t c = 0; c < count; ++c, line.advance()) from[c] = line.offset[0], to[c] = line.offset[1];
        Step steps[kTogether];
        for (int64_t i = 0; i < n; i += kTile) {
          const int64_t m = std::min(kTile, n - i), start = from_end ? n - i - m : i;
          const int64_t first = from_end ? m - 1 : 0, next = from_end ? -1 : 1;  // within the tile
          for (int64_t c = 0; c < count; ++c)
            copy_row(dtype_of<T>, tiles[c], 1, in.dtype, x + (from[c] + start * xs) * x_size, xs, m);
          if (at) {
            for (int64_t k = 0; k < m; ++k) {
              tiles[0][k] = steps[0](tiles[0][k], i + k);
              index[(i + k) * is] = steps[0].index();
            }
          } else if (count == kTogether) {
            [&]<size_t... C>(std::index_sequence<C...>) {
              Step own[] = {steps[C]...};  // in registers
              for (int64_t t = 0, k = first; t < m; ++t, k += next) ((tiles[C][k] = own[C](tiles[C][k], i + k)), ...);
              ((steps[C] = own[C]), ...);
            }
            (std::make_index_sequence<kTogether>());
          } else {
            for (int64_t c = 0; c < count; ++c) {
              Step step = steps[c];
              for (int64_t t = 0, k = first; t < m; ++t, k += next) tiles[c][k] = step(tiles[c][k], i + k);
              steps[c] = step;
            }
          }
          for (int64_t c = 0; c < count; ++c)
            copy_row(out.dtype, y + (to[c] + start * ys) * y_size, ys, dtype_of<T>, tiles[c], 1, m);
        }
        l += count;
      }
    });
    return;
  }
  const int64_t count = lines.size[inner], groups = (count + kWidth - 1) / kWidth;
  const int64_t y_step = lines.stride[inner][1], i_step = lines.stride[inner][2];
  Nest<3> outer = lines;
  outer.erase(inner);
  parallel_for(outer.numel() * groups, std::max<int64_t>(1, kGrain / (n * kWidth)), [&](int64_t begin, int64_t end) {
    T tile[kWidth];
    for (int64_t item = begin; item < end; ++item) {
      const Cursor<3> group(outer, item / groups);
      const int64_t j = item % groups * kWidth, w = std::min(kWidth, count - j);
      Step steps[kWidth];
      for (int64_t t = 0; t < n; ++t) {
        const int64_t i = from_end ? n - 1 - t : t;
        copy_row(dtype_of<T>, tile, 1, in.dtype, x + (group.offset[0] + i * xs + j) * x_size, 1, w);
        for (int64_t k = 0; k < w; ++k) tile[k] = steps[k](tile[k], i);
        if (at)
          for (int64_t k = 0; k < w; ++k) at[group.offset[2] + i * is + (j + k) * i_step] = steps[k].index();
        copy_row(out.dtype, y + (group.offset[1] + i * ys + j * y_step) * y_size, y_step, dtype_of<T>, tile, 1, w);
      }
    }
  });
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
  visit_carry(out.dtype, [&]<class T>(T) { scan<T, Sum<T>>("cumsum", out, {}, in, dim, from_end); });
}
void cumprod(const View& out, const View& in, int dim) {
  visit_carry(out.dtype, [&]<class T>(T) { scan<T, Product<T>>("cumprod", out, {}, in, dim); });
}
void logcumsumexp(const View& out, const View& in, int dim) {
  check<TypeError>(is_floating_point(out.dtype), "logcumsumexp: expected a floating-point output, got ", out.dtype);
  visit_carry(out.dtype, [&]<class T>(T) {
    if constexpr (!std::is_integral_v<T>) scan<T, LogSumExp<T>>("logcumsumexp", out, {}, in, dim);
  });
}
void cummax(const View& values, const View& indices, const View& in, int dim) {
  extreme<true>("cummax", values, indices, in, dim);
}
void cummin(const View& values, const View& indices, const View& in, int dim) {
  extreme<false>("cummin", values, indices, in, dim);
}

}  // namespace taut::kernels
