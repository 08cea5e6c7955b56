// Each chunk of the mask is counted first, so that every chunk knows where its part of the result starts.
#include "kernels/masked.h"

#include <vector>

#include "core/parallel.h"
#include "kernels/slices.h"
#include "taut/core/error.h"

namespace taut::kernels {
namespace {

constexpr int64_t kChunk = 1 << 14;
constexpr int64_t kPlaces = 512;  // of a row at a time

// The bits that must all be 0 in a zero: everything but the sign of a floating-point number.
uint64_t zero_mask(ScalarType dtype) {
  const uint64_t ones = ~uint64_t{0} >> (64 - 8 * element_size(dtype));
  return is_floating_point(dtype) ? ones >> 1 : ones;
}

using CountRow = int64_t (*)(const View& in, int64_t start, int64_t n, int64_t step, uint64_t mask);
template <class T>
int64_t count_row(const View& in, int64_t start, int64_t n, int64_t step, uint64_t mask) {
  using U = decltype(T::v);
  const T* data = in.ptr<T>() + start;
  const U bits = static_cast<U>(mask);
  int64_t count = 0;
  for (int64_t i = 0; i < n; i += 255) {  // so many can be counted in lanes of any size
    const int64_t end = std::min(n, i + 255);
    U part = 0;
    if (step == 1)
      for (int64_t j = i; j < end; ++j) part = static_cast<U>(part + ((data[j].v & bits) != 0));
    else
      for (int64_t j = i; j < end; ++j) part = static_cast<U>(part + ((data[j * step].v & bits) != 0));
    count += static_cast<int64_t>(part);
  }
  return count;
}

// Where each chunk of kChunk elements starts to write; the total comes last.
std::vector<int64_t> chunk_starts(const View& in) {
  const Nest<1> nest = row_major(in.sizes, in.strides);
  const int64_t chunks = (nest.numel() + kChunk - 1) / kChunk, step = inner_strides(nest)[0];
  const uint64_t mask = zero_mask(in.dtype);
  const CountRow row = visit_size(element_size(in.dtype), []<class T>(T) -> CountRow { return count_row<T>; });
  std::vector<int64_t> starts(chunks + 1);
  parallel_for(nest.numel(), kChunk, [&](int64_t begin, int64_t end) {
    for_rows(nest, begin, end,
             [&](const int64_t* at, int64_t n) { starts[begin / kChunk + 1] += row(in, at[0], n, step, mask); });
  });
  for (int64_t c = 0; c < chunks; ++c) starts[c + 1] += starts[c];
  return starts;
}

// Writes the coordinates of what is not 0 in the elements [begin, end): first the places within a row, without a branch
// that nobody could predict, then all coordinates of those.
using CoordinateRows = void (*)(const View& out, const View& in, int64_t written, int64_t begin, int64_t end);
template <class T>
void coordinate_rows(const View& out, const View& in, int64_t written, int64_t begin, int64_t end) {
  const T* data = in.ptr<T>();
  const uint64_t mask = zero_mask(in.dtype);
  const int last = in.dim() - 1;
  const int64_t row = out.strides[0], column = out.strides[1], step = in.strides[last];
  int64_t* to = out.ptr<int64_t>() + written * row;
  int64_t counter[kMaxDims], where = 0, rest = begin;
  for (int d = last; d >= 0; --d) {
    counter[d] = rest % in.sizes[d];
    rest /= in.sizes[d];
    where += counter[d] * in.strides[d];
  }
  while (begin < end) {
    const int64_t stop = std::min(in.sizes[last], counter[last] + end - begin);
    begin += stop - counter[last];
    while (counter[last] < stop) {
      int64_t places[kPlaces + 1], found = 0;
      const int64_t pause = std::min(stop, counter[last] + kPlaces);
      for (int64_t i = counter[last]; i < pause; ++i, where += step) {
        places[found] = i;
        found += (data[where].v & mask) != 0;
      }
      counter[last] = pause;
      for (int d = 0; d < last; ++d)
        for (int64_t k = 0; k < found; ++k) to[k * row + d * column] = counter[d];
      for (int64_t k = 0; k < found; ++k) to[k * row + last * column] = places[k];
      to += found * row;
    }
    for (int d = last; d > 0 && counter[d] == in.sizes[d]; --d) {
      where += in.strides[d - 1] - in.sizes[d] * in.strides[d];
      counter[d] = 0;
      ++counter[d - 1];
    }
  }
}

using Mask = Bits<uint8_t>;

// The chosen among n elements go to or come from `packed`; returns how far that moved.
using MaskedRow = int64_t (*)(void* data, const Mask* mask, void* packed, int64_t n, int64_t step, int64_t mask_step,
                              int64_t packed_step);
template <class T>
int64_t select_row(void* data, const Mask* mask, void* packed, int64_t n, int64_t step, int64_t mask_step,
                   int64_t packed_step) {
  const T* from = static_cast<const T*>(data);
  T *to = static_cast<T*>(packed), *start = to;
  for (int64_t i = 0; i < n; ++i)
    if (mask[i * mask_step].v) *to = from[i * step], to += packed_step;
  return to - start;
}
template <class T>
int64_t scatter_row(void* data, const Mask* mask, void* packed, int64_t n, int64_t step, int64_t mask_step,
                    int64_t packed_step) {
  T* to = static_cast<T*>(data);
  const T *from = static_cast<const T*>(packed), *start = from;
  for (int64_t i = 0; i < n; ++i)
    if (mask[i * mask_step].v) to[i * step] = *from, from += packed_step;
  return from - start;
}

void masked_rows(const View& v, const View& mask, const View& packed, int64_t packed_step,
                 const std::vector<int64_t>& starts, MaskedRow row) {
  const Nest<2> nest = row_major(v.sizes, v.strides, mask.strides);
  const int64_t *by = inner_strides(nest), bytes = element_size(v.dtype);
  parallel_for(nest.numel(), kChunk, [&](int64_t begin, int64_t end) {
    int64_t moved = starts[begin / kChunk] * packed_step;
    for_rows(nest, begin, end, [&](const int64_t* at, int64_t n) {
      moved += row(v.ptr<char>() + at[0] * bytes, mask.ptr<Mask>() + at[1], packed.ptr<char>() + moved * bytes, n,
                   by[0], by[1], packed_step);
    });
  });
}

void check_mask(const char* op, const View& in, const View& mask, const View& other) {
  check<TypeError>(mask.dtype == kBool || mask.dtype == kByte, op, ": expected BoolTensor or ByteTensor for mask, got ",
                   mask.dtype);
  check<TypeError>(in.dtype == other.dtype, op, ": expected self and source to have same dtypes but got ", in.dtype,
                   " and ", other.dtype);
  check(in.sizes == mask.sizes, op, ": the mask of shape ", mask.sizes, " must have been broadcast to ", in.sizes);
}

}  // namespace

int64_t count_nonzero(View in) {
  check_has_data(in);
  return chunk_starts(in).back();
}

void nonzero(View out, View in) {
  if (dry) return;
  const auto starts = chunk_starts(in);
  check(out.dtype == kLong && out.dim() == 2 && out.sizes[0] == starts.back() && out.sizes[1] == in.dim(),
        "nonzero: expected an int64 result of shape [", starts.back(), ", ", in.dim(), "], got ", out.dtype, " ",
        out.sizes);
  if (starts.back() == 0 || in.dim() == 0) return;
  const auto rows = visit_size(element_size(in.dtype), []<class T>(T) -> CoordinateRows { return coordinate_rows<T>; });
  parallel_for(in.numel(), kChunk,
               [&](int64_t begin, int64_t end) { rows(out, in, starts[begin / kChunk], begin, end); });
}

void masked_select(View out, View in, View mask) {
  if (dry) return;
  check_mask("masked_select", in, mask, out);
  const auto starts = chunk_starts(mask);
  check(out.dim() == 1 && out.sizes[0] == starts.back(), "masked_select: expected a result of shape [", starts.back(),
        "], got ", out.sizes);
  const auto row = visit_size(element_size(in.dtype), []<class T>(T) -> MaskedRow { return select_row<T>; });
  masked_rows(in, mask, out, out.strides[0], starts, row);
}

void masked_scatter(View out, View mask, View source) {
  if (dry) return;
  check_mask("masked_scatter", out, mask, source);
  const auto starts = chunk_starts(mask);
  check(starts.back() <= source.numel(),
        "masked_scatter: Number of elements of source < number of ones in mask: ", source.numel(), " < ",
        starts.back());
  const auto row = visit_size(element_size(out.dtype), []<class T>(T) -> MaskedRow { return scatter_row<T>; });
  masked_rows(out, mask, source, 1, starts, row);
}

}  // namespace taut::kernels
