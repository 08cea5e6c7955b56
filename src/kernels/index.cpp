// Two loops do the work: gather_rows reads through offsets, scatter_rows writes through them; every op here only lays
// out strides for one of the two. Masked moves count per chunk first, so that each chunk knows where it writes.
#include "kernels/index.h"

#include <array>
#include <atomic>
#include <cstring>

#include "core/parallel.h"
#include "kernels/isa/reduce.h"
#include "kernels/slices.h"
#include "taut/core/error.h"

namespace taut::kernels {
namespace {

constexpr int64_t kGrain = 1 << 15;
constexpr int64_t kColumns = 128;  // at least so many neighbouring columns to one chunk of a scatter

char* advance(const View& v, int64_t elements) { return v.ptr<char>() + elements * element_size(v.dtype); }

// An index view as int64; int32 is widened into memory of its own.
struct Indices {
  const int64_t* data;
  IntArrayRef sizes, strides;

  explicit Indices(const View& v) : data(v.ptr<int64_t>()), sizes(v.sizes), strides(v.strides) {
    check<IndexError>(v.dtype == kLong || v.dtype == kInt,
                      "tensors used as indices must be long, int, byte or bool tensors, got ", v.dtype);
    if (v.dtype == kLong) return;
    const Nest<1> nest = row_major(v.sizes, v.strides);
    own_ = Scratch<int64_t>(nest.numel());
    own_strides_ = contiguous_strides(v.sizes);
    int64_t* to = own_.get();
    for_rows(nest, 0, nest.numel(), [&](const int64_t* at, int64_t n) {
      for (int64_t i = 0; i < n; ++i) *to++ = v.ptr<int32_t>()[at[0] + i * inner_strides(nest)[0]];
    });
    data = own_.get();
    strides = own_strides_;
  }

 private:
  Scratch<int64_t> own_;
  std::vector<int64_t> own_strides_;
};

// Its sign bit is set exactly when i is not in [low, size): two differences, no comparison, right for any int64.
uint64_t outside(int64_t i, int64_t low, int64_t size) {
  const uint64_t u = static_cast<uint64_t>(i);
  return (u - static_cast<uint64_t>(low)) | (static_cast<uint64_t>(size) - 1 - u);
}

// Its sign bit is set exactly when one of n indices is not in [low, size).
uint64_t any_outside(const int64_t* x, int64_t n, int64_t step, int64_t low, int64_t size) {
  uint64_t seen = 0;
  int64_t i = 0;
  if (step == 1) {  // by hand: compilers make shuffles of it
    typedef uint64_t Pair __attribute__((vector_size(16)));
    const uint64_t l = static_cast<uint64_t>(low), h = static_cast<uint64_t>(size) - 1;
    const Pair lows = {l, l}, highs = {h, h};
    Pair a, b, all = {}, more = {};
    for (; i + 4 <= n; i += 4) {
      std::memcpy(&a, x + i, sizeof a);
      std::memcpy(&b, x + i + 2, sizeof b);
      all |= (a - lows) | (highs - a);
      more |= (b - lows) | (highs - b);
    }
    all |= more;
    seen = all[0] | all[1];
  }
  if (step == 0) n = std::min<int64_t>(n, 1);
  for (; i < n; ++i) seen |= outside(x[i * step], low, size);
  return seen;
}

// Looks for an index that is not in [low, size). If `sum` is given, the index, counted from the start and times stride,
// is added to it, element by element in row-major order.
bool all_inside(const Nest<1>& nest, const int64_t* data, int64_t low, int64_t size, int64_t* sum = nullptr,
                int64_t stride = 1) {
  std::atomic<bool> ok{true};
  const int64_t step = inner_strides(nest)[0];
  parallel_for(nest.numel(), kGrain, [&](int64_t begin, int64_t end) {
    uint64_t seen = 0;
    int64_t position = begin;
    for_rows(nest, begin, end, [&](const int64_t* at, int64_t n) {
      const int64_t* x = data + at[0];
      seen |= any_outside(x, n, step, low, size);
      if (seen >> 63 || !sum) return;
      for (int64_t i = 0; i < n; ++i) {
        const int64_t index = x[i * step];
        sum[position + i] += (index < 0 ? index + size : index) * stride;
      }
      position += n;
    });
    if (seen >> 63) ok.store(false, std::memory_order_relaxed);
  });
  return ok.load();
}

int64_t first_outside(const Nest<1>& nest, const int64_t* data, int64_t low, int64_t size) {
  int64_t found = 0;
  bool done = false;
  for_rows(nest, 0, nest.numel(), [&](const int64_t* at, int64_t n) {
    for (int64_t i = 0; i < n && !done; ++i) {
      found = data[at[0] + i * inner_strides(nest)[0]];
      done = outside(found, low, size) >> 63;
    }
  });
  return found;
}

[[noreturn]] void throw_out_of_bounds(int64_t index, int dim, int64_t size) {
  throw IndexError(str("index ", index, " is out of bounds for dimension ", dim, " with size ", size));
}

void check_bounds(const Indices& index, int dim, int64_t size) {
  Nest<1> nest;  // an expanded dimension repeats the same indices: once is enough
  for (size_t d = 0; d < index.sizes.size(); ++d)
    nest.add(index.strides[d] == 0 ? std::min<int64_t>(index.sizes[d], 1) : index.sizes[d], index.strides[d]);
  nest.collapse();
  if (!all_inside(nest, index.data, 0, size)) throw_out_of_bounds(first_outside(nest, index.data, 0, size), dim, size);
}

// Where offsets are indices that nobody has checked: each is checked just before it is used, while it is in L1. For
// outputs that nobody sees if one of them is bad.
constexpr int64_t kChecked = -1;  // in place of a size
bool bad(const int64_t* x, int64_t n, int64_t step, int64_t size) {
  return size != kChecked && any_outside(x, n, step, 0, size) >> 63;
}

// o[i] = f[i + x[i] * step] for i in [0, n), with the strides bo, bf, bx. False if x[i] is not in [0, size).
using GatherRow = bool (*)(void* out, const void* in, const int64_t* x, int64_t n, int64_t bo, int64_t bf, int64_t bx,
                           int64_t step, int64_t size);

template <class T>
bool gather_row(void* out, const void* in, const int64_t* x, int64_t n, int64_t bo, int64_t bf, int64_t bx,
                int64_t step, int64_t size) {
  T* o = static_cast<T*>(out);
  const T* f = static_cast<const T*>(in);
  if (bo == 1 && bx == 1 && bf <= 1 && size != kChecked) {  // the check costs nothing beside the wait for memory
    const auto each = [&](auto place) {
      for (int64_t i = 0; i < n; ++i) {
        if (static_cast<uint64_t>(x[i]) >= static_cast<uint64_t>(size)) return false;
        o[i] = f[place(i)];
      }
      return true;
    };
    if (bf == 0 && step == 1) return each([&](int64_t i) { return x[i]; });
    return each([&](int64_t i) { return i * bf + x[i] * step; });
  }
  if (bad(x, n, bx, size)) return false;
  if (bx == 0) {
    f += *x * step;
    if (bo == 1 && bf == 1) std::memcpy(o, f, n * sizeof(T));
    else
      for (int64_t i = 0; i < n; ++i) o[i * bo] = f[i * bf];
  } else if (bo == 1 && bx == 1 && bf == 0 && step == 1) {
    for (int64_t i = 0; i < n; ++i) o[i] = f[x[i]];
  } else {
    for (int64_t i = 0; i < n; ++i) o[i * bo] = f[i * bf + x[i * bx] * step];
  }
  return true;
}

// out[p] = in[p + offset[p] * step]; the operands of the nest are out, in, offset. False if an offset is not in
// [0, size).
bool gather_rows(Nest<3>& nest, const View& out, const View& in, const int64_t* offset, int64_t step,
                 int64_t size = kChecked) {
  nest.collapse();
  const GatherRow row = visit_size(element_size(out.dtype), []<class T>(T) -> GatherRow { return gather_row<T>; });
  const int64_t* by = inner_strides(nest);
  const int64_t width = nest.dims ? nest.size[nest.dims - 1] : 0;
  std::atomic<bool> ok{true};
  if (nest.dims > 1 && by[0] == 1 && by[1] == 1 && by[2] == 0 && width > 0 && width <= kGrain) {  // rows
    const size_t bytes = static_cast<size_t>(width * element_size(out.dtype));
    nest.erase(nest.dims - 1);
    by = inner_strides(nest);
    parallel_for(nest.numel(), std::max<int64_t>(kGrain / width, 1), [&](int64_t begin, int64_t end) {
      for_rows(nest, begin, end, [&](const int64_t* at, int64_t n) {
        if (bad(offset + at[2], n, by[2], size)) return ok.store(false, std::memory_order_relaxed);
        for (int64_t i = 0; i < n; ++i)
          std::memcpy(advance(out, at[0] + i * by[0]),
                      advance(in, at[1] + i * by[1] + offset[at[2] + i * by[2]] * step), bytes);
      });
    });
    return ok.load();
  }
  parallel_for(nest.numel(), size == kChecked ? kGrain : kGrain / 8, [&](int64_t begin, int64_t end) {
    for_rows(nest, begin, end, [&](const int64_t* at, int64_t n) {
      if (!row(advance(out, at[0]), advance(in, at[1]), offset + at[2], n, by[0], by[1], by[2], step, size))
        ok.store(false, std::memory_order_relaxed);
    });
  });
  return ok.load();
}

// out[f + offset[f, s] * step] (op)= src[f, s] for every s, in order, and every f. Only elements of one f can meet.
struct Scatter {
  Nest<3> free;    // out, src, offset
  Nest<2> serial;  // src, offset
  int64_t step = 1;
};

// A free row of n times a serial row of m.
struct ScatterBlock {
  const int64_t* offset;
  int64_t n, m;
  int64_t bo, bs, bx;  // strides of the free row
  int64_t ms, mx;      // strides of the serial row
  int64_t step, size;  // size: which offsets there may be, or kChecked
  bool columns;        // free elements lie closer together in memory than those the offsets reach
  Scalar alpha;
  void (*add)(void* a, const void* b, int64_t n);  // whole rows: a += b; or null
};
// False if there is an offset out of bounds.
using ScatterRow = bool (*)(void* out, const void* src, const ScatterBlock& block);

template <class T, class Op>
bool scatter_row(void* out, const void* src, const ScatterBlock& block, Op op) {
  auto [x, n, m, bo, bs, bx, ms, mx, step, size, columns, alpha, add] = block;
  T* o = static_cast<T*>(out);
  const T* s = static_cast<const T*>(src);
  if (!columns) {
    for (int64_t i = 0; i < n; ++i, o += bo, s += bs, x += bx) {
      if (step == 1 && mx == 1 && ms == 1 && size != kChecked) {  // each step waits for memory, the check does not
        for (int64_t k = 0; k < m; ++k) {
          if (static_cast<uint64_t>(x[k]) >= static_cast<uint64_t>(size)) return false;
          op(o[x[k]], s[k]);
        }
        continue;
      }
      if (bad(x, m, mx, size)) return false;
      if (step == 1 && mx == 1 && ms == 1)
        for (int64_t k = 0; k < m; ++k) op(o[x[k]], s[k]);
      else
        for (int64_t k = 0; k < m; ++k) op(o[x[k * mx] * step], s[k * ms]);
    }
    return true;
  }
  for (int64_t k = 0; k < m; ++k, s += ms, x += mx) {
    if (bad(x, n, bx, size)) return false;
    if (bx != 0 || bo != 1 || bs != 1) {
      for (int64_t i = 0; i < n; ++i) op(o[i * bo + x[i * bx] * step], s[i * bs]);
      continue;
    }
    T* const row = o + *x * step;
    if (add) {
      add(row, s, n);
      continue;
    }
    int64_t i = 0;
    for (; i + 4 <= n; i += 4) {  // loads before stores, so that four become one
      T a[4] = {row[i], row[i + 1], row[i + 2], row[i + 3]};
      const T b[4] = {s[i], s[i + 1], s[i + 2], s[i + 3]};
      for (int l = 0; l < 4; ++l) op(a[l], b[l]);
      for (int l = 0; l < 4; ++l) row[i + l] = a[l];
    }
    for (; i < n; ++i) op(row[i], s[i]);
  }
  return true;
}

// The type in which one step of arithmetic is done.
template <class T>
using Math = std::conditional_t<std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>, float, T>;

template <class T>
T add_scaled(T a, T b, Math<T> alpha) {
  if constexpr (std::is_same_v<T, bool>) return a || (alpha && b);
  else if constexpr (std::is_integral_v<T>)  // wraps around
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(alpha) * static_cast<uint64_t>(b));
  else return static_cast<T>(Math<T>(a) + alpha * Math<T>(b));
}
template <class T>
T multiply(T a, T b) {
  if constexpr (std::is_same_v<T, bool>) return a && b;
  else if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  else return static_cast<T>(Math<T>(a) * Math<T>(b));
}

ScatterRow scatter_row_for(ScalarType dtype, ScatterMode mode) {
  if (mode == ScatterMode::Assign)
    return visit_size(element_size(dtype), []<class T>(T) -> ScatterRow {
      return [](void* out, const void* src, const ScatterBlock& block) {
        return scatter_row<T>(out, src, block, [](T& a, T b) { a = b; });
      };
    });
  return visit_dtype(dtype, [mode]<class T>(T) -> ScatterRow {
    switch (mode) {
      case ScatterMode::Add:
        return [](void* out, const void* src, const ScatterBlock& block) {
          const auto alpha = block.alpha.to<Math<T>>();
          return scatter_row<T>(out, src, block, [alpha](T& a, T b) { a = add_scaled<T>(a, b, alpha); });
        };
      case ScatterMode::Multiply:
        return [](void* out, const void* src, const ScatterBlock& block) {
          return scatter_row<T>(out, src, block, [](T& a, T b) { a = multiply<T>(a, b); });
        };
      case ScatterMode::Amax:  // b != b: NaN wins, and stays since nothing compares greater
        return [](void* out, const void* src, const ScatterBlock& block) {
          return scatter_row<T>(out, src, block, [](T& a, T b) { a = b > a || b != b ? b : a; });
        };
      default:
        return [](void* out, const void* src, const ScatterBlock& block) {
          return scatter_row<T>(out, src, block, [](T& a, T b) { a = b < a || b != b ? b : a; });
        };
    }
  });
}

bool scatter_rows(Scatter& plan, const View& out, const View& src, const int64_t* offset, ScatterMode mode,
                  Scalar alpha = 1, int64_t size = kChecked) {
  check<TypeError>(out.dtype == src.dtype, "expected self and source to have the same dtype, got ", out.dtype, " and ",
                   src.dtype);
  plan.free.collapse();
  plan.serial.collapse();
  const ScatterRow row = scatter_row_for(out.dtype, mode);
  const int64_t *by = inner_strides(plan.free), *serial_by = inner_strides(plan.serial), count = plan.serial.numel();
  const bool columns = plan.free.dims > 0 && by[0] <= plan.step;
  const bool whole_rows = columns && by[2] == 0 && get_num_threads() == 1;  // no use in reading src piecewise
  const int64_t least = whole_rows ? plan.free.numel() : columns ? kColumns : 1;
  const int64_t grain = std::max(kGrain / std::max<int64_t>(count, 1), least);
  const bool plain = mode == ScatterMode::Add && alpha.equal(1) && (out.dtype == kFloat || out.dtype == kDouble);
  const auto add = reduce_table().kernel[static_cast<int>(Combine::Sum)][static_cast<int>(out.dtype)].merge;
  std::atomic<bool> ok{true};
  parallel_for(plan.free.numel(), grain, [&](int64_t begin, int64_t end) {
    ScatterBlock block{nullptr,
                       0,
                       0,
                       by[0],
                       by[1],
                       by[2],
                       serial_by[0],
                       serial_by[1],
                       plan.step,
                       size,
                       columns,
                       alpha,
                       plain ? add : nullptr};
    for_rows(plan.free, begin, end, [&](const int64_t* at, int64_t n) {
      block.n = n;
      for_rows(plan.serial, 0, count, [&](const int64_t* serial_at, int64_t m) {
        block.m = m;
        block.offset = offset + at[2] + serial_at[1];
        if (!row(advance(out, at[0]), advance(src, at[1] + serial_at[0]), block))
          ok.store(false, std::memory_order_relaxed);
      });
    });
  });
  return ok.load();
}

// `index` has the dimensions of src, or just the one along dim.
bool scatter_along(const View& out, int dim, const Indices& index, bool one_dim, const View& src, ScatterMode mode,
                   Scalar alpha = 1, int64_t size = kChecked) {
  Scatter plan;
  const IntArrayRef sizes = one_dim ? src.sizes : index.sizes;
  for (int d = 0; d < static_cast<int>(sizes.size()); ++d) {
    const int64_t x = one_dim ? (d == dim && !index.strides.empty() ? index.strides[0] : 0) : index.strides[d];
    if (d == dim) plan.serial.add(sizes[d], stride_at(src, d), x);
    else plan.free.add(sizes[d], stride_at(out, d), stride_at(src, d), x);
  }
  plan.step = stride_at(out, dim);
  return scatter_rows(plan, out, src, index.data, mode, alpha, size);
}

// The common checks of the index_* family, whose index has one dimension: src is out with `dim` replaced.
void check_along(const char* op, const View& out, int dim, const View& index, const View& src) {
  check<IndexError>(index.dim() <= 1, op, "(): Index is supposed to be a vector, got shape ", index.sizes);
  bool same = out.dim() == src.dim();
  for (int d = 0; same && d < out.dim(); ++d) same = d == dim || out.sizes[d] == src.sizes[d];
  check(same, op, "(): source shape ", src.sizes, " must match self shape ", out.sizes, " apart from dimension ", dim);
  check(size_at(src, dim) == index.numel(), op, "(): Number of indices (", index.numel(),
        ") should be equal to source.size(dim) (", size_at(src, dim), ")");
}

}  // namespace

void gather(View out, View in, int dim, View index) {
  if (dry) return;
  check<TypeError>(out.dtype == in.dtype, "gather: expected self and out to have the same dtype, got ", in.dtype,
                   " and ", out.dtype);
  if (index.numel() == 0) return;
  check(std::max(in.dim(), 1) == std::max(index.dim(), 1),
        "Index tensor must have the same number of dimensions as input tensor");
  check(out.sizes == index.sizes, "gather: expected out to have the shape of index ", index.sizes, ", got ", out.sizes);
  for (int d = 0; d < index.dim(); ++d)
    check(d == dim || index.sizes[d] <= size_at(in, d), "Size does not match at dimension ", d, " expected index ",
          index.sizes, " to be no larger than self ", in.sizes, " apart from dimension ", dim);
  const Indices x(index);
  Nest<3> nest;
  for (int d = 0; d < index.dim(); ++d)
    nest.add(index.sizes[d], out.strides[d], d == dim ? 0 : stride_at(in, d), x.strides[d]);
  if (!gather_rows(nest, out, in, x.data, stride_at(in, dim), size_at(in, dim)))
    check_bounds(x, dim, size_at(in, dim));  // throws
}

void scatter(View out, int dim, View index, View src, ScatterMode mode, bool fresh) {
  if (dry) return;
  if (index.numel() == 0) return;
  const bool scalar = src.dim() == 0 && src.sizes != index.sizes;
  check(std::max(out.dim(), 1) == std::max(index.dim(), 1) &&
            (scalar || std::max(src.dim(), 1) == std::max(index.dim(), 1)),
        "Index tensor must have the same number of dimensions as self and src tensors");
  for (int d = 0; d < index.dim(); ++d)
    check((d == dim || index.sizes[d] <= size_at(out, d)) && (scalar || index.sizes[d] <= size_at(src, d)),
          "Expected index ", index.sizes, " to be no larger than self ", out.sizes, " apart from dimension ", dim,
          " and to be no larger size than src ", src.sizes);
  const Indices x(index);
  const int64_t size = size_at(out, dim);
  if (!fresh) check_bounds(x, dim, size);
  if (!scatter_along(out, dim, x, false, src, mode, 1, fresh ? size : kChecked)) check_bounds(x, dim, size);  // throws
}

void index_select(View out, View in, int dim, View index) {
  if (dry) return;
  check<TypeError>(out.dtype == in.dtype, "index_select: expected self and out to have the same dtype, got ", in.dtype,
                   " and ", out.dtype);
  check_along("index_select", in, dim, index, out);
  const Indices x(index);
  check_bounds(x, dim, size_at(in, dim));
  Nest<3> nest;
  for (int d = 0; d < out.dim(); ++d)
    nest.add(out.sizes[d], out.strides[d], d == dim ? 0 : in.strides[d],
             d == dim && !x.strides.empty() ? x.strides[0] : 0);
  gather_rows(nest, out, in, x.data, stride_at(in, dim));
}

void index_add(View out, int dim, View index, View src, Scalar alpha) {
  if (dry) return;
  check_along("index_add", out, dim, index, src);
  if (out.numel() == 0) return;  // whatever the indices say
  const Indices x(index);
  check_bounds(x, dim, size_at(out, dim));
  scatter_along(out, dim, x, true, src, ScatterMode::Add, alpha);
}

void index_copy(View out, int dim, View index, View src) { index_reduce(out, dim, index, src, ScatterMode::Assign); }

void index_reduce(View out, int dim, View index, View src, ScatterMode mode) {
  if (dry) return;
  check_along(mode == ScatterMode::Assign ? "index_copy" : "index_reduce", out, dim, index, src);
  if (out.numel() == 0 && size_at(out, dim) > 0) return;
  const Indices x(index);
  check_bounds(x, dim, size_at(out, dim));
  scatter_along(out, dim, x, true, src, mode);
}

void index_fill(View out, int dim, View index, View value) {
  if (dry) return;
  check<IndexError>(index.dim() <= 1, "index_fill_(): Index is supposed to be a vector, got shape ", index.sizes);
  check(value.numel() == 1, "index_fill_(): expected a value of one element, got shape ", value.sizes);
  const int64_t size = size_at(out, dim);
  if (out.numel() == 0 && size > 0) return;
  const Indices x(index);
  const Nest<1> nest = row_major(x.sizes, x.strides);
  Scratch<int64_t> offsets(nest.numel());
  std::fill_n(offsets.get(), nest.numel(), 0);
  if (!all_inside(nest, x.data, -size, size, offsets.get()))
    throw_out_of_bounds(first_outside(nest, x.data, -size, size), dim, size);
  Scatter plan;
  plan.serial.add(index.numel(), 0, 1);
  for (int d = 0; d < out.dim(); ++d)
    if (d != dim) plan.free.add(out.sizes[d], out.strides[d], 0, 0);
  plan.step = stride_at(out, dim);
  scatter_rows(plan, out, value, offsets.get(), ScatterMode::Assign);
}

namespace {

// How the dimensions of in[indices] come about: free dimensions of `in` around the dimensions of the index shape.
struct IndexLayout {
  int first = 0;          // the index shape starts at this dimension of the result
  IntArrayRef shape;      // of the indices
  std::vector<int> free;  // dimensions of `in` that no index touches

  IndexLayout(IntArrayRef in, ArrayRef<View> indices) {
    check<IndexError>(indices.size() <= in.size(), "too many indices for tensor of dimension ", in.size());
    free.reserve(in.size());
    const View* one = nullptr;
    bool adjacent = true;
    int last = -1;
    for (int d = 0; d < static_cast<int>(in.size()); ++d) {
      if (d >= static_cast<int>(indices.size()) || indices[d].dtype == ScalarType::Undefined) {
        free.push_back(d);
        continue;
      }
      if (!one) first = d, one = &indices[d];
      else adjacent &= last == d - 1;
      check<IndexError>(one->sizes == indices[d].sizes,
                        "index: the indices must have been broadcast to one shape, got ", one->sizes, " and ",
                        indices[d].sizes);
      last = d;
    }
    if (one) shape = one->sizes;
    if (!adjacent) first = 0;
  }

  std::vector<int64_t> result_shape(IntArrayRef in) const {
    std::vector<int64_t> out;
    out.reserve(free.size() + shape.size());
    for (int d : free) out.push_back(in[d]);
    out.insert(out.begin() + first, shape.begin(), shape.end());
    return out;
  }
  // The dimension of the result that holds free[i].
  int result_dim(int i) const { return i < first ? i : i + static_cast<int>(shape.size()); }

  // The offset in memory that the indices add up to, for each element of their shape in row-major order.
  Scratch<int64_t> offsets(const View& in, ArrayRef<View> indices, bool anything_moves) const {
    int64_t n = 1;
    for (int64_t s : shape) n *= s;
    Scratch<int64_t> sum(n);
    std::fill_n(sum.get(), std::max<int64_t>(n, 1), 0);
    for (int d = 0; d < static_cast<int>(indices.size()); ++d) {
      const int64_t size = in.sizes[d];
      // As PyTorch: where the result has no elements an index is looked at only if it points into nothing.
      if (indices[d].dtype == ScalarType::Undefined || (!anything_moves && size > 0)) continue;
      const Indices x(indices[d]);
      const Nest<1> nest = row_major(x.sizes, x.strides);
      if (!all_inside(nest, x.data, -size, size, sum.get(), in.strides[d]))
        throw_out_of_bounds(first_outside(nest, x.data, -size, size), d, size);
    }
    return sum;
  }
};

}  // namespace

std::vector<int64_t> index_shape(IntArrayRef in, ArrayRef<View> indices) {
  return IndexLayout(in, indices).result_shape(in);
}

void index(View out, View in, ArrayRef<View> indices) {
  if (dry) return;
  const IndexLayout layout(in.sizes, indices);
  const auto shape = layout.result_shape(in.sizes);
  check(out.sizes == IntArrayRef(shape), "index: expected out of shape ", IntArrayRef(shape), ", got ", out.sizes);
  check<TypeError>(out.dtype == in.dtype, "index: expected self and out to have the same dtype, got ", in.dtype,
                   " and ", out.dtype);
  const auto offsets = layout.offsets(in, indices, out.numel() > 0);
  std::vector<std::array<int64_t, 2>> strides(shape.size());  // of in and of the offsets
  for (size_t i = 0; i < layout.free.size(); ++i)
    strides[layout.result_dim(static_cast<int>(i))][0] = in.strides[layout.free[i]];
  const auto contiguous = contiguous_strides(layout.shape);
  for (size_t i = 0; i < contiguous.size(); ++i) strides[layout.first + i][1] = contiguous[i];
  Nest<3> nest;
  for (size_t d = 0; d < shape.size(); ++d) nest.add(shape[d], out.strides[d], strides[d][0], strides[d][1]);
  gather_rows(nest, out, in, offsets.get(), 1);
}

void index_rows(View out, View in, View index) {
  if (dry) return;
  const int64_t size = in.sizes[0], count = index.numel();
  int64_t bytes = element_size(in.dtype);  // of a row
  for (int d = 1; d < in.dim(); ++d) bytes *= in.sizes[d];
  const int64_t* at = index.ptr<int64_t>();
  const auto row = [&](int64_t i) {
    if (outside(at[i], -size, size) >> 63) [[unlikely]]
      throw_out_of_bounds(at[i], 0, size);
    return at[i] < 0 ? at[i] + size : at[i];
  };
  if (bytes == element_size(in.dtype))
    visit_size(bytes, [&]<class T>(T) {
      for (int64_t i = 0; i < count; ++i) out.ptr<T>()[i] = in.ptr<T>()[row(i)];
    });
  else
    for (int64_t i = 0; i < count; ++i)
      std::memcpy(out.ptr<char>() + i * bytes, in.ptr<char>() + row(i) * bytes, static_cast<size_t>(bytes));
}

void index_put(View self, ArrayRef<View> indices, View values, bool accumulate) {
  if (dry) return;
  const IndexLayout layout(self.sizes, indices);
  const auto shape = layout.result_shape(self.sizes);
  check(values.sizes == IntArrayRef(shape), "shape mismatch: value tensor of shape ", values.sizes,
        " cannot be broadcast to indexing result of shape ", IntArrayRef(shape));
  const auto offsets = layout.offsets(self, indices, values.numel() > 0);
  Scatter plan;
  for (size_t i = 0; i < layout.free.size(); ++i) {
    const int d = layout.free[i];
    plan.free.add(self.sizes[d], self.strides[d], values.strides[layout.result_dim(static_cast<int>(i))], 0);
  }
  const auto contiguous = contiguous_strides(layout.shape);
  for (size_t i = 0; i < layout.shape.size(); ++i)
    plan.serial.add(layout.shape[i], values.strides[layout.first + i], contiguous[i]);
  scatter_rows(plan, self, values, offsets.get(), accumulate ? ScatterMode::Add : ScatterMode::Assign);
}

namespace {

// Flat indices as offsets in the memory of `in`, in row-major order.
Scratch<int64_t> flat_offsets(const View& in, const View& index) {
  const Indices x(index);
  const Nest<1> nest = row_major(x.sizes, x.strides), target = row_major(in.sizes, in.strides);
  const int64_t n = nest.numel(), size = in.numel();
  Scratch<int64_t> offsets(n);
  std::fill_n(offsets.get(), n, 0);
  if (!all_inside(nest, x.data, -size, size, offsets.get()))
    throw IndexError(str("out of range: tried to access index ", first_outside(nest, x.data, -size, size),
                         " on a tensor of ", size, " elements."));
  if (target.dims > 1 || inner_strides(target)[0] != 1)
    parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) offsets[i] = Cursor<1>(target, offsets[i]).offset[0];
    });
  return offsets;
}

}  // namespace

void take(View out, View in, View index) {
  if (dry) return;
  check(out.sizes == index.sizes, "take: expected out to have the shape of index ", index.sizes, ", got ", out.sizes);
  check<TypeError>(out.dtype == in.dtype, "take: expected self and out to have the same dtype, got ", in.dtype, " and ",
                   out.dtype);
  const auto offsets = flat_offsets(in, index);
  const auto strides = contiguous_strides(index.sizes);
  Nest<3> nest;
  for (int d = 0; d < index.dim(); ++d) nest.add(index.sizes[d], out.strides[d], 0, strides[d]);
  gather_rows(nest, out, in, offsets.get(), 1);
}

void put(View self, View index, View src, bool accumulate) {
  if (dry) return;
  check(src.numel() == index.numel(), "put_(): Expected source and index to have the same number of elements, got ",
        src.numel(), " and ", index.numel());
  const auto offsets = flat_offsets(self, index);
  const auto strides = contiguous_strides(src.sizes);
  Scatter plan;
  for (int d = 0; d < src.dim(); ++d) plan.serial.add(src.sizes[d], src.strides[d], strides[d]);
  scatter_rows(plan, self, src, offsets.get(), accumulate ? ScatterMode::Add : ScatterMode::Assign);
}

}  // namespace taut::kernels
