// All of it is copying rows of bits; flip and roll only choose where a block starts and which way it is walked.
#include "kernels/rearrange.h"

#include <cstring>
#include <vector>

#include "core/parallel.h"
#include "kernels/slices.h"
#include "taut/core/error.h"

namespace taut::kernels {
namespace {

constexpr int64_t kGrain = 1 << 15;

void check_like(const char* op, const View& out, const View& in) {
  check<TypeError>(out.dtype == in.dtype, op, ": expected self and out to have the same dtype, got ", in.dtype, " and ",
                   out.dtype);
  check(out.sizes == in.sizes, op, ": expected self and out to have the same shape, got ", in.sizes, " and ",
        out.sizes);
}

// The columns [begin, end) of row i that a triangle holds.
struct Span {
  int64_t begin, end;
};
Span lower_span(int64_t i, int64_t columns, int64_t diagonal) {
  const int64_t end = diagonal >= columns - i ? columns : std::max<int64_t>(i + diagonal + 1, 0);
  return {0, std::min(end, columns)};
}
Span upper_span(int64_t i, int64_t columns, int64_t diagonal) {
  const int64_t begin = diagonal >= columns - i ? columns : std::max<int64_t>(i + diagonal, 0);
  return {std::min(begin, columns), columns};
}
using SpanOf = Span (*)(int64_t i, int64_t columns, int64_t diagonal);

using CopyRow = void (*)(void* out, const void* in, int64_t n, int64_t to, int64_t from);
template <class T>
void copy_row(void* out, const void* in, int64_t n, int64_t to, int64_t from) {
  T* o = static_cast<T*>(out);
  const T* f = static_cast<const T*>(in);
  if (to == 1 && from == 1) return void(std::memcpy(o, f, n * sizeof(T)));
  for (int64_t i = 0; i < n; ++i) o[i * to] = f[i * from];
}
template <class T>
void zero_row(void* out, const void*, int64_t n, int64_t to, int64_t) {
  T* o = static_cast<T*>(out);
  for (int64_t i = 0; i < n; ++i) o[i * to] = T{};
}
CopyRow copy_row_for(ScalarType dtype) {
  return visit_size(element_size(dtype), []<class T>(T) -> CopyRow { return copy_row<T>; });
}
CopyRow zero_row_for(ScalarType dtype) {
  return visit_size(element_size(dtype), []<class T>(T) -> CopyRow { return zero_row<T>; });
}

void triangle(const char* op, const View& out, const View& in, int64_t diagonal, SpanOf span_of) {
  check(in.dim() >= 2, op, ": input tensor must have at least 2 dimensions, got shape ", in.sizes);
  check_like(op, out, in);
  const int row_dim = in.dim() - 2, column_dim = in.dim() - 1;
  const int64_t rows = in.sizes[row_dim], columns = in.sizes[column_dim], bytes = element_size(in.dtype);
  const int64_t to = out.strides[column_dim], from = in.strides[column_dim];
  if (out.numel() == 0) return;
  Nest<2> nest;
  for (int d = 0; d < column_dim; ++d) nest.add(in.sizes[d], out.strides[d], in.strides[d]);
  const CopyRow copy = copy_row_for(in.dtype), zero = zero_row_for(in.dtype);
  parallel_for(out.numel() / columns, std::max<int64_t>(kGrain / columns, 1), [&](int64_t begin, int64_t end) {
    for (Cursor<2> at(nest, begin); begin < end; ++begin, at.advance()) {
      const Span span = span_of(begin % rows, columns, diagonal);
      char* o = out.ptr<char>() + at.offset[0] * bytes;
      const char* f = in.ptr<char>() + at.offset[1] * bytes;
      zero(o, nullptr, span.begin, to, 0);
      zero(o + span.end * to * bytes, nullptr, columns - span.end, to, 0);
      if (out.data != in.data)
        copy(o + span.begin * to * bytes, f + span.begin * from * bytes, span.end - span.begin, to, from);
    }
  });
}

int64_t count(int64_t rows, int64_t columns, int64_t diagonal, SpanOf span_of) {
  int64_t n = 0;
  for (int64_t i = 0; i < rows; ++i) {
    const Span span = span_of(i, columns, diagonal);
    n += span.end - span.begin;
  }
  return n;
}

void indices(const char* op, const View& out, int64_t rows, int64_t columns, int64_t diagonal, SpanOf span_of) {
  const int64_t n = count(rows, columns, diagonal, span_of);
  check((out.dtype == kLong || out.dtype == kInt) && out.dim() == 2 && out.sizes[0] == 2 && out.sizes[1] == n, op,
        ": expected an int64 or int32 result of shape [2, ", n, "], got ", out.dtype, " ", out.sizes);
  const auto write = [&]<class T>(T) {
    T *row = out.ptr<T>(), *column = row + out.strides[0];
    for (int64_t i = 0; i < rows; ++i) {
      const Span span = span_of(i, columns, diagonal);
      for (int64_t j = span.begin; j < span.end; ++j, row += out.strides[1], column += out.strides[1]) {
        *row = static_cast<T>(i);
        *column = static_cast<T>(j);
      }
    }
  };
  if (out.dtype == kLong) write(int64_t{});
  else write(int32_t{});
}

// Copies a block; the offsets say where it starts. Strides may be negative.
void copy_block(const View& out, int64_t out_start, const View& in, int64_t in_start, Nest<2>& nest) {
  nest.collapse();
  const int64_t *by = inner_strides(nest), bytes = element_size(in.dtype);
  const CopyRow copy = copy_row_for(in.dtype);
  parallel_for(nest.numel(), kGrain, [&](int64_t begin, int64_t end) {
    for_rows(nest, begin, end, [&](const int64_t* at, int64_t n) {
      copy(out.ptr<char>() + (out_start + at[0]) * bytes, in.ptr<char>() + (in_start + at[1]) * bytes, n, by[0], by[1]);
    });
  });
}

}  // namespace

void tril(View out, View in, int64_t diagonal) {
  if (dry) return;
  triangle("tril", out, in, diagonal, lower_span);
}
void triu(View out, View in, int64_t diagonal) {
  if (dry) return;
  triangle("triu", out, in, diagonal, upper_span);
}

void tril_indices(View out, int64_t rows, int64_t columns, int64_t diagonal) {
  if (dry) return;
  indices("tril_indices", out, rows, columns, diagonal, lower_span);
}
void triu_indices(View out, int64_t rows, int64_t columns, int64_t diagonal) {
  if (dry) return;
  indices("triu_indices", out, rows, columns, diagonal, upper_span);
}

void flip(View out, View in, IntArrayRef dims) {
  if (dry) return;
  check_like("flip", out, in);
  std::vector<bool> flipped(in.dim());
  for (int64_t d : dims) {
    if (in.dim() == 0) continue;
    check(!flipped[d], "dim ", d, " appears multiple times in the list of dims");
    flipped[d] = true;
  }
  if (in.numel() == 0) return;  // of any sizes, whose product need not fit
  Nest<2> nest;
  int64_t start = 0;
  for (int d = 0; d < in.dim(); ++d) {
    nest.add(in.sizes[d], out.strides[d], flipped[d] ? -in.strides[d] : in.strides[d]);
    if (flipped[d]) start += (in.sizes[d] - 1) * in.strides[d];
  }
  copy_block(out, 0, in, start, nest);
}

void roll(View out, View in, IntArrayRef shifts, IntArrayRef dims) {
  if (dry) return;
  check_like("roll", out, in);
  check(shifts.size() == dims.size(), "shifts and dimensions must align. shifts: ", shifts.size(),
        ", dims:", dims.size());
  if (in.numel() == 0) return;
  std::vector<int64_t> shift(in.dim());
  for (size_t k = 0; k < dims.size(); ++k) {
    if (in.dim() == 0) continue;
    const int64_t n = in.sizes[dims[k]], s = shifts[k] % n;
    shift[dims[k]] = (shift[dims[k]] + s + n) % n;
  }
  std::vector<int> rolled;  // each of them is cut in two, so that there are 2^rolled blocks
  for (int d = 0; d < in.dim(); ++d)
    if (shift[d] != 0) rolled.push_back(d);
  for (uint64_t block = 0; block < uint64_t{1} << rolled.size(); ++block) {
    int64_t to = 0, from = 0;
    std::vector<int64_t> sizes = in.sizes.vec();
    for (size_t k = 0; k < rolled.size(); ++k) {
      const int d = rolled[k];
      if (block >> k & 1) {  // the end, which comes first
        from += (sizes[d] - shift[d]) * in.strides[d];
        sizes[d] = shift[d];
      } else {
        to += shift[d] * out.strides[d];
        sizes[d] -= shift[d];
      }
    }
    Nest<2> nest;
    for (int d = 0; d < in.dim(); ++d) nest.add(sizes[d], out.strides[d], in.strides[d]);
    copy_block(out, to, in, from, nest);
  }
}

void repeat_interleave(View out, View repeats) {
  if (dry) return;
  check(repeats.dim() == 1 && (repeats.dtype == kLong || repeats.dtype == kInt),
        "repeats has to be a 1-d tensor of int64 or int32, got ", repeats.dtype, " ", repeats.sizes);
  const auto times = [&](int64_t i) -> int64_t {
    const int64_t at = i * repeats.strides[0];
    return repeats.dtype == kLong ? repeats.ptr<int64_t>()[at] : repeats.ptr<int32_t>()[at];
  };
  const int64_t n = repeats.sizes[0], room = out.numel();
  int64_t total = 0;
  for (int64_t i = 0; i < n; ++i) {
    check(times(i) >= 0, "repeats can not be negative, got ", times(i));
    check(times(i) <= room - total, "repeat_interleave: the repeats add up to more than the ", room,
          " elements of the result");
    total += times(i);
  }
  check(out.dtype == kLong && out.dim() == 1 && total == room, "repeat_interleave: expected an int64 result of ", total,
        " elements, got ", out.dtype, " ", out.sizes);
  int64_t* to = out.ptr<int64_t>();
  for (int64_t i = 0; i < n; ++i)
    for (int64_t k = times(i); k > 0; --k, to += out.strides[0]) *to = i;
}

}  // namespace taut::kernels
