// Products of a sparse matrix and a dense one, for one instruction set.
#include "kernels/isa/sparse.h"

#include "kernels/isa/vector.h"

HWY_BEFORE_NAMESPACE();
namespace taut::TAUT_ISA {
namespace {

/// The next `Vectors` vectors of a row of y; the last of them may be a part.
template <int Vectors, class T>
HWY_INLINE void columns(const SparseProduct<T>& p, int64_t begin, int64_t end, const T* b, T* y, int64_t part) {
  const Tag<T> d;
  constexpr int64_t N = kLanes<T>;
  const FirstLanes<T> last(part);
  Vec<T> sum[Vectors];
  for (int v = 0; v < Vectors; ++v) sum[v] = hn::Zero(d);
  const auto add = [&](int64_t e, auto load_last) HWY_ATTR {
    const T* const row = b + p.columns[e] * p.b_row;
    const auto value = hn::Set(d, p.values[e]);
    for (int v = 0; v + 1 < Vectors; ++v) sum[v] = hn::MulAdd(value, hn::LoadU(d, row + v * N), sum[v]);
    sum[Vectors - 1] = hn::MulAdd(value, load_last(row + (Vectors - 1) * N), sum[Vectors - 1]);
  };
  if (part == N) {
    for (int64_t e = begin; e < end; ++e) add(e, [&](const T* x) HWY_ATTR { return hn::LoadU(d, x); });
  } else {
    for (int64_t e = begin; e < end; ++e) add(e, [&](const T* x) HWY_ATTR { return last.load(x); });
  }
  for (int v = 0; v + 1 < Vectors; ++v) hn::StoreU(sum[v], d, y + v * N);
  last.store(sum[Vectors - 1], y + (Vectors - 1) * N);
}

template <class T>
void product(const SparseProduct<T>& p, int64_t first, int64_t past) {
  constexpr int64_t N = kLanes<T>;
  constexpr int64_t kAhead = 8;  // elements whose rows of b are asked for early
  for (int64_t i = first; i < past; ++i) {
    const int64_t begin = p.begins[i], end = p.begins[i + 1];
    T* const y = p.y + i * p.y_row;
    for (int64_t e = end; e < end + kAhead && e < p.begins[past]; ++e) {
      const char* row = reinterpret_cast<const char*>(p.b + p.columns[e] * p.b_row);
      for (int64_t at = 0; at < p.n * static_cast<int64_t>(sizeof(T)) && at < 512; at += 64)
        __builtin_prefetch(row + at);
    }
    int64_t j = 0;
    for (; j + 8 * N <= p.n; j += 8 * N) columns<8>(p, begin, end, p.b + j, y + j, N);
    for (; j < p.n; j += N) columns<1>(p, begin, end, p.b + j, y + j, p.n - j < N ? p.n - j : N);
  }
}

}  // namespace

extern const SparseTable sparse_table;
const SparseTable sparse_table = {product<float>, product<double>};

}  // namespace taut::TAUT_ISA
HWY_AFTER_NAMESPACE();
