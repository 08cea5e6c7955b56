// Every dtype is turned into unsigned keys that order as its values do, so that there is one sort (by radix) for keys
// up to 32 bits and one for 64, and one of everything else.
#include "kernels/sort.h"

#include <bit>
#include <limits>
#include <vector>

#include "core/parallel.h"
#include "kernels/slices.h"
#include "taut/core/error.h"

namespace taut::kernels {
namespace {

constexpr int64_t kGrain = 1 << 14;

// A key and the place it came from. Compared as a whole no two are equal, so any sort is a stable one.
struct Entry32 {
  using Key = uint32_t;
  uint64_t bits;
  static Entry32 make(Key key, int64_t at) { return {uint64_t{key} << 32 | static_cast<uint64_t>(at)}; }
  Key key() const { return static_cast<Key>(bits >> 32); }
  int64_t at() const { return static_cast<uint32_t>(bits); }
  bool operator<(const Entry32& o) const { return bits < o.bits; }
};
struct Entry64 {
  using Key = uint64_t;
  uint64_t key_;
  int64_t at_;
  static Entry64 make(Key key, int64_t at) { return {key, at}; }
  Key key() const { return key_; }
  int64_t at() const { return at_; }
  bool operator<(const Entry64& o) const { return key_ != o.key_ ? key_ < o.key_ : at_ < o.at_; }
};

template <class E>
struct ByKey {
  bool operator()(const E& a, const E& b) const { return a.key() < b.key(); }
};

template <size_t Bytes>
using Unsigned =
    std::conditional_t<Bytes == 1, uint8_t,
                       std::conditional_t<Bytes == 2, uint16_t, std::conditional_t<Bytes == 4, uint32_t, uint64_t>>>;

template <class T>
constexpr bool is_float = std::is_floating_point_v<T> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;

// NaN becomes the greatest key, -0 the key of 0.
template <class T>
auto ordered(T value) {
  using U = Unsigned<sizeof(T)>;
  constexpr U sign = static_cast<U>(U{1} << (8 * sizeof(T) - 1));
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, uint8_t>) {
    return static_cast<U>(value);
  } else if constexpr (!is_float<T>) {
    return static_cast<U>(static_cast<U>(value) ^ sign);
  } else {
    constexpr U infinity = sizeof(T) == 8   ? static_cast<U>(0x7ff0000000000000)
                           : sizeof(T) == 4 ? static_cast<U>(0x7f800000)
                                            : static_cast<U>(std::is_same_v<T, Half> ? 0x7c00 : 0x7f80);
    const U u = std::bit_cast<U>(value), magnitude = u & static_cast<U>(~sign);
    if (magnitude > infinity) return static_cast<U>(~U{0});
    if (magnitude == 0) return sign;
    return static_cast<U>(u & sign ? ~u : u | sign);
  }
}

uint64_t greatest_key(ScalarType dtype) { return ~uint64_t{0} >> (64 - 8 * element_size(dtype)); }
bool has_nan(ScalarType dtype) { return is_floating_point(dtype); }

// keys[i] of n elements; complemented when `flip`, which reverses the order.
template <class Key>
using LoadKeys = void (*)(Key* keys, const void* data, int64_t n, int64_t step, Key flip);

template <class Key>
LoadKeys<Key> key_loader(ScalarType dtype) {
  return visit_dtype(dtype, []<class T>(T) -> LoadKeys<Key> {
    return [](Key* keys, const void* data, int64_t n, int64_t step, Key flip) {
      const T* from = static_cast<const T*>(data);
      for (int64_t i = 0; i < n; ++i) keys[i] = static_cast<Key>(ordered(from[i * step])) ^ flip;
    };
  });
}

template <class E>
void load(E* to, const View& in, int64_t start, int64_t begin, int64_t end, int64_t step, bool flip) {
  using Key = typename E::Key;
  const LoadKeys<Key> keys_of = key_loader<Key>(in.dtype);
  const Key mask = flip ? static_cast<Key>(greatest_key(in.dtype)) : 0;
  const int64_t bytes = element_size(in.dtype);
  Key keys[512];
  while (begin < end) {
    const int64_t n = std::min<int64_t>(end - begin, 512);
    keys_of(keys, in.ptr<char>() + (start + begin * step) * bytes, n, step, mask);
    for (int64_t i = 0; i < n; ++i) to[begin + i] = E::make(keys[i], begin + i);
    begin += n;
  }
}

constexpr int64_t kRadixFrom = 64;        // below that many a comparison sort is quicker
constexpr int64_t kRadixChunk = 1 << 16;  // elements that one thread counts and moves together

// Sorts by the digits in which the keys differ. Returns where the result is: in `a` or in `b`.
template <class E>
E* radix_sort(E* a, E* b, int64_t n) {
  using Key = typename E::Key;
  constexpr int kBits = 8, kDigits = 1 << kBits;
  const int64_t chunks = (n + kRadixChunk - 1) / kRadixChunk;
  std::vector<Key> varying(chunks);
  parallel_for(n, kRadixChunk, [&](int64_t begin, int64_t end) {
    Key differs = 0;
    for (int64_t i = begin; i < end; ++i) differs |= a[i].key() ^ a[0].key();
    varying[begin / kRadixChunk] = differs;
  });
  Key differs = 0;
  for (Key v : varying) differs |= v;
  // When more than kPasses digits differ, the upper ones leave few keys together; those are sorted by comparison below.
  constexpr int kPasses = 4;
  int lowest = 0, varying_digits = 0;
  for (int shift = 8 * sizeof(Key) - kBits; shift >= 0 && varying_digits < kPasses; shift -= kBits)
    if (differs >> shift & (kDigits - 1)) lowest = shift, ++varying_digits;
  std::vector<int64_t> places(chunks * kDigits);
  for (int shift = lowest; shift < static_cast<int>(8 * sizeof(Key)); shift += kBits) {
    if ((differs >> shift & (kDigits - 1)) == 0) continue;
    parallel_for(n, kRadixChunk, [&](int64_t begin, int64_t end) {
      int64_t* count = places.data() + begin / kRadixChunk * kDigits;
      std::fill_n(count, kDigits, 0);
      for (int64_t i = begin; i < end; ++i) ++count[a[i].key() >> shift & (kDigits - 1)];
    });
    int64_t place = 0;
    for (int digit = 0; digit < kDigits; ++digit)
      for (int64_t c = 0; c < chunks; ++c) place += std::exchange(places[c * kDigits + digit], place);
    parallel_for(n, kRadixChunk, [&](int64_t begin, int64_t end) {
      int64_t* to = places.data() + begin / kRadixChunk * kDigits;
      for (int64_t i = begin; i < end; ++i) b[to[a[i].key() >> shift & (kDigits - 1)]++] = a[i];
    });
    std::swap(a, b);
  }
  if (differs & ((Key{1} << lowest) - 1))
    for (int64_t begin = 0, end; begin < n; begin = end) {
      for (end = begin + 1; end < n && a[end].key() >> lowest == a[begin].key() >> lowest;) ++end;
      if (end - begin > 1) std::sort(a + begin, a + end);
    }
  return a;
}

// Room for the entries of one slice.
template <class E>
struct Entries {
  explicit Entries(int64_t n) : n(n), a(n), b(n >= kRadixFrom ? n : 0) {}
  int64_t n;
  Scratch<E> a, b;

  E* sorted(const View& in, int64_t start, int64_t step, bool flip) {
    parallel_for(n, kRadixChunk, [&](int64_t begin, int64_t end) { load(a.get(), in, start, begin, end, step, flip); });
    return sort();
  }
  E* sort() {
    if (n >= kRadixFrom) return radix_sort(a.get(), b.get(), n);
    std::sort(a.get(), a.get() + n);
    return a.get();
  }
};

// f(Entry type) with the smaller one that holds the keys of `dtype` and places below n.
template <class F>
decltype(auto) visit_entry(ScalarType dtype, int64_t n, F&& f) {
  if (element_size(dtype) <= 4 && n <= std::numeric_limits<uint32_t>::max()) return f(Entry32{});
  return f(Entry64{});
}

// The loops over all slices along dim: where each starts in `in`, in `values` and in `indices`.
Nest<3> slices(const View& values, const View& indices, const View& in, int dim, bool kept) {
  Nest<3> nest;
  for (int d = 0; d < in.dim(); ++d) {
    if (d == dim) continue;
    const int to = kept || d < dim ? d : d - 1;
    nest.add(in.sizes[d], in.strides[d], values.strides[to], indices.strides[to]);
  }
  nest.collapse();
  return nest;
}

// f(begin, end) for ranges of slices, each enough work for a thread.
template <class F>
void for_slices(const Nest<3>& nest, int64_t length, F&& f) {
  parallel_for(nest.numel(), std::max<int64_t>(kGrain / std::max<int64_t>(length, 1), 1), f);
}

void check_results(const char* op, const View& values, const View& indices, const View& in, int dim, int64_t length,
                   bool kept) {
  check<TypeError>(values.dtype == in.dtype && indices.dtype == kLong, op, ": expected results of dtype ", in.dtype,
                   " and int64, got ", values.dtype, " and ", indices.dtype);
  std::vector<int64_t> shape = in.sizes.vec();
  if (in.dim() > 0) {
    if (kept) shape[dim] = length;
    else shape.erase(shape.begin() + dim);
  }
  check(values.sizes == IntArrayRef(shape) && indices.sizes == IntArrayRef(shape), op, ": expected results of shape ",
        IntArrayRef(shape), ", got ", values.sizes, " and ", indices.sizes);
}

// One element and where it was.
void write_one(const View& values, int64_t value_at, const View& indices, int64_t index_at, const View& in,
               int64_t start, int64_t step, int64_t place) {
  visit_size(element_size(in.dtype),
             [&]<class T>(T) { values.ptr<T>()[value_at] = in.ptr<T>()[start + place * step]; });
  indices.ptr<int64_t>()[index_at] = place;
}

// values[i] = in[place of entry i], indices[i] = that place.
template <class E>
void write_row(const View& values, int64_t value_at, int64_t value_step, const View& indices, int64_t index_at,
               int64_t index_step, const View& in, int64_t start, int64_t step, const E* entries, int64_t n) {
  visit_size(element_size(in.dtype), [&]<class T>(T) {
    T* v = values.ptr<T>() + value_at;
    int64_t* x = indices.ptr<int64_t>() + index_at;
    const T* from = in.ptr<T>() + start;
    for (int64_t i = 0; i < n; ++i) {
      const int64_t place = entries[i].at();
      v[i * value_step] = from[place * step];
      x[i * index_step] = place;
    }
  });
}

// Yields the entries of a slice one by one, for algorithms that read them once.
template <class E>
class EntryReader {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = E;
  using difference_type = int64_t;
  using pointer = const E*;
  using reference = E;
  EntryReader(const typename E::Key* keys, int64_t at) : keys_(keys), at_(at) {}
  E operator*() const { return E::make(keys_[at_], at_); }
  EntryReader& operator++() {
    ++at_;
    return *this;
  }
  EntryReader operator++(int) { return {keys_, at_++}; }
  bool operator==(const EntryReader& o) const { return at_ == o.at_; }
  bool operator!=(const EntryReader& o) const { return at_ != o.at_; }

 private:
  const typename E::Key* keys_;
  int64_t at_;
};

constexpr int64_t kMostInserted = 32;  // with more, moving them costs more than it saves

// The k smallest keys in order. False when two are equal, or the last one to another that is left out: then it depends
// on the algorithm which of them is taken.
template <class E>
bool smallest_distinct(E* best, int64_t k, const typename E::Key* keys, int64_t n) {
  typename E::Key last = 0;
  for (int64_t i = 0, have = 0; i < n; ++i) {
    const auto key = keys[i];
    if (have == k) {
      if (key > last) continue;
      if (key == last) return false;
      --have;
    }
    int64_t place = have++;
    for (; place > 0 && best[place - 1].key() > key; --place) best[place] = best[place - 1];
    if (place > 0 && best[place - 1].key() == key) return false;
    best[place] = E::make(key, i);
    last = best[have - 1].key();
  }
  return true;
}

}  // namespace

void sort(View values, View indices, View in, int dim, bool descending) {
  if (dry) return;
  const int64_t n = size_at(in, dim), step = stride_at(in, dim);
  check_results("sort", values, indices, in, dim, n, true);
  if (in.numel() == 0) return;  // of any sizes, whose product need not fit
  const int64_t value_step = stride_at(values, dim), index_step = stride_at(indices, dim);
  const Nest<3> nest = slices(values, indices, in, dim, true);
  const bool same = values.data == in.data;
  visit_entry(in.dtype, n, [&]<class E>(E) {
    for_slices(nest, n, [&](int64_t begin, int64_t end) {
      Entries<E> entries(n);
      Scratch<char> copy(same ? n * element_size(in.dtype) : 0);
      for (Cursor<3> at(nest, begin); begin < end; ++begin, at.advance()) {
        const E* sorted = entries.sorted(in, at.offset[0], step, descending);
        View from = in;
        int64_t start = at.offset[0], from_step = step;
        if (same) {  // the slice is overwritten while it is read
          visit_size(element_size(in.dtype), [&]<class T>(T) {
            for (int64_t i = 0; i < n; ++i) reinterpret_cast<T*>(copy.get())[i] = in.ptr<T>()[start + i * step];
          });
          from.data = copy.get();
          start = 0, from_step = 1;
        }
        parallel_for(n, kRadixChunk, [&](int64_t first, int64_t last) {
          write_row(values, at.offset[1] + first * value_step, value_step, indices, at.offset[2] + first * index_step,
                    index_step, from, start, from_step, sorted + first, last - first);
        });
      }
    });
  });
}

void topk(View values, View indices, View in, int64_t k, int dim, bool largest, bool sorted) {
  if (dry) return;
  const int64_t n = size_at(in, dim), step = stride_at(in, dim);
  check(k >= 0 && k <= n, "topk: selected index k out of range: k = ", k, " of ", n, " elements");
  check_results("topk", values, indices, in, dim, k, true);
  if (k == 0) return;
  const int64_t value_step = stride_at(values, dim), index_step = stride_at(indices, dim),
                bytes = element_size(in.dtype);
  const Nest<3> nest = slices(values, indices, in, dim, true);
  const bool few = k <= n / 64;  // both ways as PyTorch goes, so that ties fall the same way
  visit_entry(in.dtype, n, [&]<class E>(E) {
    using Key = typename E::Key;
    const LoadKeys<Key> keys_of = key_loader<Key>(in.dtype);
    const Key flip = largest ? static_cast<Key>(greatest_key(in.dtype)) : 0;
    for_slices(nest, n, [&](int64_t begin, int64_t end) {
      Scratch<E> entries(few ? k : n);
      Scratch<Key> keys(n);
      for (Cursor<3> at(nest, begin); begin < end; ++begin, at.advance()) {
        E* const first = entries.get();
        keys_of(keys.get(), in.ptr<char>() + at.offset[0] * bytes, n, step, flip);
        const bool found = sorted && k <= kMostInserted && smallest_distinct(first, k, keys.get(), n);
        if (!found && few) {
          std::partial_sort_copy(EntryReader<E>(keys.get(), 0), EntryReader<E>(keys.get(), n), first, first + k,
                                 ByKey<E>());
        } else if (!found) {
          for (int64_t i = 0; i < n; ++i) first[i] = E::make(keys[i], i);
          std::nth_element(first, first + k - 1, first + n, ByKey<E>());
          if (sorted) std::sort(first, first + k - 1, ByKey<E>());
        }
        write_row(values, at.offset[1], value_step, indices, at.offset[2], index_step, in, at.offset[0], step, first,
                  k);
      }
    });
  });
}

void kthvalue(View values, View indices, View in, int64_t k, int dim) {
  if (dry) return;
  const int64_t n = size_at(in, dim), step = stride_at(in, dim);
  check(k >= 1 && k <= n, "kthvalue(): selected number k out of range for dimension ", dim, ": k = ", k, " of ", n,
        " elements");
  check_results("kthvalue", values, indices, in, dim, 1, false);
  const Nest<3> nest = slices(values, indices, in, dim, false);
  visit_entry(in.dtype, n, [&]<class E>(E) {
    for_slices(nest, n, [&](int64_t begin, int64_t end) {
      Scratch<E> entries(n);
      for (Cursor<3> at(nest, begin); begin < end; ++begin, at.advance()) {
        load(entries.get(), in, at.offset[0], 0, n, step, false);
        std::nth_element(entries.get(), entries.get() + k - 1, entries.get() + n);
        write_one(values, at.offset[1], indices, at.offset[2], in, at.offset[0], step, entries[k - 1].at());
      }
    });
  });
}

void median(View values, View indices, View in, int dim, bool ignore_nan) {
  if (dry) return;
  const int64_t n = size_at(in, dim), step = stride_at(in, dim);
  check<IndexError>(n > 0, "median(): Expected reduction dim ", dim, " to have non-zero size.");
  check_results("median", values, indices, in, dim, 1, false);
  const Nest<3> nest = slices(values, indices, in, dim, false);
  visit_entry(in.dtype, n, [&]<class E>(E) {
    const auto nan = static_cast<typename E::Key>(greatest_key(in.dtype));
    for_slices(nest, n, [&](int64_t begin, int64_t end) {
      Scratch<E> entries(n);
      for (Cursor<3> at(nest, begin); begin < end; ++begin, at.advance()) {
        E* const first = entries.get();
        load(first, in, at.offset[0], 0, n, step, false);
        int64_t numbers = n, first_nan = -1;
        if (has_nan(in.dtype))
          for (int64_t i = n - 1; i >= 0; --i)
            if (first[i].key() == nan) --numbers, first_nan = i;
        int64_t place = first_nan;
        if (numbers == n || (ignore_nan && numbers > 0)) {
          E* const middle = first + (numbers - 1) / 2;
          std::nth_element(first, middle, first + n);
          place = middle->at();
        }
        write_one(values, at.offset[1], indices, at.offset[2], in, at.offset[0], step, place);
      }
    });
  });
}

void mode(View values, View indices, View in, int dim) {
  if (dry) return;
  const int64_t n = size_at(in, dim), step = stride_at(in, dim);
  check<IndexError>(n > 0, "mode(): Expected reduction dim ", dim, " to have non-zero size.");
  check_results("mode", values, indices, in, dim, 1, false);
  const Nest<3> nest = slices(values, indices, in, dim, false);
  visit_entry(in.dtype, n, [&]<class E>(E) {
    const auto nan = static_cast<typename E::Key>(greatest_key(in.dtype));
    for_slices(nest, n, [&](int64_t begin, int64_t end) {
      Entries<E> entries(n);
      for (Cursor<3> at(nest, begin); begin < end; ++begin, at.advance()) {
        const E* sorted = entries.sorted(in, at.offset[0], step, false);
        int64_t best = 0, place = 0, run = 0;
        for (int64_t i = 0; i < n; ++i) {
          const bool again =
              i > 0 && sorted[i].key() == sorted[i - 1].key() && !(has_nan(in.dtype) && sorted[i].key() == nan);
          run = again ? run + 1 : 1;
          if (run > best) best = run, place = sorted[i].at();
        }
        write_one(values, at.offset[1], indices, at.offset[2], in, at.offset[0], step, place);
      }
    });
  });
}

namespace {

template <class T>
struct Row {
  const T* data;
  int64_t step;
  const int64_t* order;  // null: sorted as it is
  int64_t order_step;
  T operator[](int64_t i) const { return data[(order ? order[i * order_step] : i) * step]; }
};

// Not std::lower_bound: comparisons with NaN go the way they go in PyTorch. Masks, because no one can predict the
// branch.
template <class T>
int64_t search(const Row<T>& row, int64_t n, T value, bool right) {
  int64_t low = 0, high = n;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    const T m = row[middle];
    const int64_t above = m > value, equal_or_above = m >= value, left = !right;
    const int64_t stop = -(above | (left & equal_or_above));
    high = (middle & stop) | (high & ~stop);
    low = (low & stop) | ((middle + 1) & ~stop);
  }
  return low;
}

}  // namespace

void searchsorted(View out, View boundaries, View values, bool right, const View* sorter) {
  if (dry) return;
  check<TypeError>(boundaries.dtype == values.dtype,
                   "torch.searchsorted(): boundary tensor and input value tensor should have same dtype, got ",
                   boundaries.dtype, " and ", values.dtype);
  check<TypeError>(out.dtype == kLong || out.dtype == kInt, "searchsorted: expected an int64 or int32 result, got ",
                   out.dtype);
  check(boundaries.dim() > 0, "searchsorted: boundaries must have a dimension");
  check(out.sizes == values.sizes, "searchsorted: expected a result of shape ", values.sizes, ", got ", out.sizes);
  const int last = boundaries.dim() - 1;
  const bool shared = last == 0;
  bool fits = shared || values.dim() == boundaries.dim();
  for (int d = 0; fits && !shared && d < last; ++d) fits = values.sizes[d] == boundaries.sizes[d];
  check(fits,
        "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries ",
        "tensor and input value tensor must match, but we got boundaries tensor ", boundaries.sizes,
        " and input value tensor ", values.sizes);
  const int64_t n = boundaries.sizes[last], step = boundaries.strides[last];
  if (sorter) {
    check(sorter->dtype == kLong && sorter->sizes == boundaries.sizes,
          "torch.searchsorted(): boundary and sorter must have the same size, and sorter must be int64, got ",
          boundaries.sizes, " and ", sorter->dtype, " ", sorter->sizes);
    const Nest<1> nest = row_major(sorter->sizes, sorter->strides);
    for_rows(nest, 0, nest.numel(), [&](const int64_t* at, int64_t m) {
      for (int64_t i = 0; i < m; ++i) {
        const int64_t x = sorter->ptr<int64_t>()[at[0] + i * inner_strides(nest)[0]];
        check<IndexError>(x >= 0 && x < n, "torch.searchsorted(): sorter index out of range: ", x, " of ", n);
      }
    });
  }
  Nest<4> nest;  // values, out, boundaries, sorter
  for (int d = 0; d < values.dim(); ++d) {
    const bool batch = !shared && d < last;
    nest.add(values.sizes[d], values.strides[d], out.strides[d], batch ? boundaries.strides[d] : 0,
             batch && sorter ? sorter->strides[d] : 0);
  }
  nest.collapse();
  const int64_t *by = inner_strides(nest), order_step = sorter ? sorter->strides[last] : 0;
  const int64_t work = std::bit_width(static_cast<uint64_t>(n)) + 1;
  visit_dtype(values.dtype, [&]<class T>(T) {
    parallel_for(nest.numel(), std::max<int64_t>(kGrain / work, 1), [&](int64_t begin, int64_t end) {
      for_rows(nest, begin, end, [&](const int64_t* at, int64_t m) {
        for (int64_t i = 0; i < m; ++i) {
          const Row<T> row{boundaries.ptr<T>() + at[2] + i * by[2], step,
                           sorter ? sorter->ptr<int64_t>() + at[3] + i * by[3] : nullptr, order_step};
          const int64_t place = search<T>(row, n, values.ptr<T>()[at[0] + i * by[0]], right);
          if (out.dtype == kLong) out.ptr<int64_t>()[at[1] + i * by[1]] = place;
          else out.ptr<int32_t>()[at[1] + i * by[1]] = static_cast<int32_t>(place);
        }
      });
    });
  });
}

void histc(View out, View in, double low, double high) {
  if (dry) return;
  check<TypeError>(out.dtype == in.dtype && (in.dtype == kFloat || in.dtype == kDouble),
                   "histc: expected float32 or float64, got ", in.dtype, " and a result of ", out.dtype);
  check(out.dim() == 1 && out.sizes[0] > 0, "histc: bins must be > 0, got a result of shape ", out.sizes);
  check(low < high, "torch.histc: max must be larger than min, got [", low, ", ", high, "]");
  constexpr int64_t kChunk = 1 << 16;
  const Nest<1> nest = row_major(in.sizes, in.strides);
  const int64_t bins = out.sizes[0], step = inner_strides(nest)[0];
  // A chunk counts for itself, if that is not more work than the counting.
  const int64_t chunk = bins <= kChunk / 8 ? kChunk : std::max<int64_t>(nest.numel(), 1);
  const int64_t chunks = (nest.numel() + chunk - 1) / chunk;
  std::vector<int64_t> counts(std::max<int64_t>(chunks, 1) * bins);
  const auto run = [&]<class T>(T) {
    const T from = static_cast<T>(low), to = static_cast<T>(high), width = to - from;
    parallel_for(nest.numel(), chunk, [&](int64_t begin, int64_t end) {
      int64_t* count = counts.data() + begin / chunk * bins;
      for_rows(nest, begin, end, [&](const int64_t* at, int64_t n) {
        const T* x = in.ptr<T>() + at[0];
        for (int64_t i = 0; i < n; ++i) {
          const T value = x[i * step];
          if (!(value >= from && value <= to)) continue;
          const int64_t bin = static_cast<int64_t>((value - from) * static_cast<T>(bins) / width);
          ++count[std::min(bin, bins - 1)];
        }
      });
    });
    for (int64_t c = 1; c < chunks; ++c)
      for (int64_t b = 0; b < bins; ++b) counts[b] += counts[c * bins + b];
    for (int64_t b = 0; b < bins; ++b) out.ptr<T>()[b * out.strides[0]] = static_cast<T>(counts[b]);
  };
  if (in.dtype == kFloat) run(float{});
  else run(double{});
}

void bincount(View out, View in, const View* weights) {
  if (dry) return;
  check(in.dim() == 1 && is_integral(in.dtype) && out.dim() == 1,
        "bincount only supports 1-d non-negative integral inputs, got ", in.dtype, " ", in.sizes);
  check(!weights || weights->sizes == in.sizes, "weights should be 1-d and have the same length as input");
  check<TypeError>(
      weights ? out.dtype == weights->dtype && (out.dtype == kFloat || out.dtype == kDouble) : out.dtype == kLong,
      "bincount: unexpected result dtype ", out.dtype);
  const int64_t n = in.sizes[0], bins = out.sizes[0];
  Scratch<int64_t> places(n);
  visit_dtype(in.dtype, [&]<class T>(T) {
    for (int64_t i = 0; i < n; ++i) places[i] = static_cast<int64_t>(in.ptr<T>()[i * in.strides[0]]);
  });
  for (int64_t i = 0; i < n; ++i) {
    check(places[i] >= 0, "bincount only supports 1-d non-negative integral inputs, got ", places[i]);
    check<IndexError>(places[i] < bins, "bincount: ", places[i], " does not fit in ", bins, " bins");
  }
  const auto sum = [&]<class T>(T, auto weight_of) {
    T* to = out.ptr<T>();
    for (int64_t b = 0; b < bins; ++b) to[b * out.strides[0]] = 0;
    for (int64_t i = 0; i < n; ++i) to[places[i] * out.strides[0]] += weight_of(i);
  };
  if (!weights) sum(int64_t{}, [](int64_t) { return 1; });
  else if (out.dtype == kFloat) sum(float{}, [&](int64_t i) { return weights->ptr<float>()[i * weights->strides[0]]; });
  else sum(double{}, [&](int64_t i) { return weights->ptr<double>()[i * weights->strides[0]]; });
}

namespace {

void check_unique(const char* op, const View& positions, const View* inverse, const View* counts, int64_t n) {
  check(positions.dtype == kLong && positions.dim() == 1 && positions.sizes[0] >= n, op,
        ": positions must be int64 with room for ", n, " elements, got ", positions.dtype, " ", positions.sizes);
  check(!counts || (counts->dtype == kLong && counts->dim() == 1 && counts->sizes[0] >= n), op,
        ": counts must be int64 with room for ", n, " elements");
  check(!inverse || (inverse->dtype == kLong && inverse->numel() == n), op, ": inverse must be int64 of ", n,
        " elements");
}

// Numbers the groups of equal neighbours in an order: place(i) is the i-th element's, same(i) whether it equals the one
// before.
template <class Place, class Same>
int64_t number_groups(const View& positions, const View* inverse, const View* counts, int64_t n, Place place,
                      Same same) {
  Nest<1> to;
  if (inverse) to = row_major(inverse->sizes, inverse->strides);
  const bool flat = to.dims <= 1;
  const int64_t step = inner_strides(to)[0];
  int64_t group = -1;
  for (int64_t i = 0; i < n; ++i) {
    const int64_t at = place(i);
    if (i == 0 || !same(i)) {
      ++group;
      positions.ptr<int64_t>()[group * positions.strides[0]] = at;
      if (counts) counts->ptr<int64_t>()[group * counts->strides[0]] = 0;
    }
    if (counts) ++counts->ptr<int64_t>()[group * counts->strides[0]];
    if (inverse) inverse->ptr<int64_t>()[flat ? at * step : Cursor<1>(to, at).offset[0]] = group;
  }
  return group + 1;
}

// The entries of all elements in row-major order.
template <class E>
void load_flat(E* to, const View& in) {
  const Nest<1> nest = row_major(in.sizes, in.strides);
  const auto keys_of = key_loader<typename E::Key>(in.dtype);
  const int64_t bytes = element_size(in.dtype), step = inner_strides(nest)[0];
  parallel_for(nest.numel(), kRadixChunk, [&](int64_t begin, int64_t end) {
    typename E::Key keys[512];
    int64_t position = begin;
    for_rows(nest, begin, end, [&](const int64_t* at, int64_t row) {
      for (int64_t done = 0; done < row;) {
        const int64_t n = std::min<int64_t>(row - done, 512);
        keys_of(keys, in.ptr<char>() + (at[0] + done * step) * bytes, n, step, 0);
        for (int64_t i = 0; i < n; ++i, ++position) to[position] = E::make(keys[i], position);
        done += n;
      }
    });
  });
}

int64_t unique_flat(const char* op, const View& positions, const View* inverse, const View* counts, const View& in,
                    bool sorted) {
  check_has_data(in);
  const int64_t n = in.numel();
  check_unique(op, positions, inverse, counts, n);
  return visit_entry(in.dtype, n, [&]<class E>(E) {
    const auto nan = static_cast<typename E::Key>(greatest_key(in.dtype));
    const bool distinct_nan = has_nan(in.dtype);
    Entries<E> entries(n);
    load_flat(entries.a.get(), in);
    const E* list = sorted ? entries.sort() : entries.a.get();
    return number_groups(
        positions, inverse, counts, n, [&](int64_t i) { return list[i].at(); },
        [&](int64_t i) { return list[i].key() == list[i - 1].key() && !(distinct_nan && list[i].key() == nan); });
  });
}

int64_t unique_matrix(const char* op, const View& positions, const View* inverse, const View* counts, const View& in,
                      bool sorted) {
  check_has_data(in);
  check(in.dim() == 2, op, ": expected a matrix, got shape ", in.sizes);
  const int64_t n = in.sizes[0], width = in.sizes[1], bytes = element_size(in.dtype);
  check_unique(op, positions, inverse, counts, n);
  Scratch<uint64_t> keys(n * width);
  const auto keys_of = key_loader<uint64_t>(in.dtype);
  parallel_for(n, std::max<int64_t>(kGrain / std::max<int64_t>(width, 1), 1), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      keys_of(keys.get() + i * width, in.ptr<char>() + i * in.strides[0] * bytes, width, in.strides[1], 0);
  });
  std::vector<int64_t> order(n);
  for (int64_t i = 0; i < n; ++i) order[i] = i;
  const auto row = [&](int64_t i) { return keys.get() + i * width; };
  if (sorted)
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      return std::lexicographical_compare(row(a), row(a) + width, row(b), row(b) + width);
    });
  const uint64_t nan = greatest_key(in.dtype);
  return number_groups(
      positions, inverse, counts, n, [&](int64_t i) { return order[i]; },
      [&](int64_t i) {
        const uint64_t *a = row(order[i]), *b = row(order[i - 1]);
        return std::equal(a, a + width, b) && !(has_nan(in.dtype) && std::find(a, a + width, nan) != a + width);
      });
}

}  // namespace

int64_t unique(View positions, const View* inverse, const View* counts, View in) {
  return unique_flat("unique", positions, inverse, counts, in, true);
}
int64_t unique_consecutive(View positions, const View* inverse, const View* counts, View in) {
  return unique_flat("unique_consecutive", positions, inverse, counts, in, false);
}
int64_t unique_rows(View positions, const View* inverse, const View* counts, View in) {
  return unique_matrix("unique_dim", positions, inverse, counts, in, true);
}
int64_t unique_consecutive_rows(View positions, const View* inverse, const View* counts, View in) {
  return unique_matrix("unique_consecutive", positions, inverse, counts, in, false);
}

}  // namespace taut::kernels
