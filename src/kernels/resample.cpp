#include "kernels/resample.h"

#include <algorithm>

#include "core/dry.h"
#include "core/parallel.h"

namespace taut::kernels {
namespace {

constexpr int64_t kGrain = 16384;  // elements that are worth a chunk of their own

/// Taps whose weights are of the type they multiply.
template <class T>
struct Weighted {
  explicit Weighted(const Taps& taps)
      : inputs(taps.inputs),
        outputs(taps.outputs()),
        start(taps.start.data()),
        index(taps.index.data()),
        weight(taps.weight.begin(), taps.weight.end()) {}
  int64_t inputs, outputs;
  const int64_t *start, *index;
  std::vector<T> weight;

  /// Does every output read so many inputs?
  bool each(int64_t count) const {
    for (int64_t o = 0; o < outputs; ++o)
      if (start[o + 1] - start[o] != count) return false;
    return true;
  }
};

/// Along contiguous rows.
template <class T>
void run_rows(T* y, const T* x, int64_t rows, const Weighted<T>& taps) {
  const int64_t n = taps.outputs, *const start = taps.start, *const index = taps.index;
  const T* const w = taps.weight.data();
  const bool one = taps.each(1), two = taps.each(2);
  parallel_for(rows, std::max<int64_t>(1, kGrain / std::max<int64_t>(n, 1)), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const T* const from = x + r * taps.inputs;
      T* const to = y + r * n;
      if (one) {
        for (int64_t o = 0; o < n; ++o) to[o] = w[o] * from[index[o]];
      } else if (two) {
        for (int64_t o = 0; o < n; ++o) to[o] = w[2 * o] * from[index[2 * o]] + w[2 * o + 1] * from[index[2 * o + 1]];
      } else {
        for (int64_t o = 0; o < n; ++o) {
          T sum = 0;
          for (int64_t k = start[o]; k < start[o + 1]; ++k) sum += w[k] * from[index[k]];
          to[o] = sum;
        }
      }
    }
  });
}

/// `to` = the rows of `from` that the taps [k, last) name, times their weights: two at a time, the first ones written,
/// the others added.
template <class T>
void sum_rows(T* to, const T* from, int64_t inner, const Weighted<T>& taps, int64_t k, int64_t last) {
  const auto row = [&](int64_t tap) { return from + taps.index[tap] * inner; };
  const T* const w = taps.weight.data();
  if (last - k >= 2) {
    const T *const a = row(k), *const b = row(k + 1), wa = w[k], wb = w[k + 1];
    for (int64_t j = 0; j < inner; ++j) to[j] = wa * a[j] + wb * b[j];
    k += 2;
  } else if (last - k == 1) {  // no sum with 0, which has no negative zeros
    const T *const a = row(k), wa = w[k++];
    for (int64_t j = 0; j < inner; ++j) to[j] = wa * a[j];
  } else {
    std::fill_n(to, inner, T(0));
  }
  for (; k < last; ++k) {
    const T *const a = row(k), wa = w[k];
    for (int64_t j = 0; j < inner; ++j) to[j] += wa * a[j];
  }
}

template <class T>
void run(T* y, const T* x, int64_t outer, int64_t inner, const Weighted<T>& taps) {
  if (inner == 1) return run_rows(y, x, outer, taps);
  const int64_t n = taps.outputs;
  parallel_for(outer * n, std::max<int64_t>(1, kGrain / std::max<int64_t>(inner, 1)), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r)
      sum_rows(y + r * inner, x + r / n * taps.inputs * inner, inner, taps, taps.start[r % n], taps.start[r % n + 1]);
  });
}

}  // namespace

Taps Taps::transposed() const {
  Taps t;
  t.inputs = outputs();
  t.start.assign(static_cast<size_t>(inputs) + 1, 0);
  for (int64_t i : index) ++t.start[static_cast<size_t>(i) + 1];
  for (size_t i = 1; i < t.start.size(); ++i) t.start[i] += t.start[i - 1];
  t.index.resize(index.size());
  t.weight.resize(index.size());
  std::vector<int64_t> next = t.start;
  for (int64_t o = 0; o < outputs(); ++o)
    for (int64_t k = start[static_cast<size_t>(o)]; k < start[static_cast<size_t>(o) + 1]; ++k) {
      const auto at = static_cast<size_t>(next[static_cast<size_t>(index[static_cast<size_t>(k)])]++);
      t.index[at] = o;
      t.weight[at] = weight[static_cast<size_t>(k)];
    }
  return t;
}

void resample(ScalarType dtype, void* y, const void* x, int64_t outer, int64_t inner, const Taps& taps) {
  if (dry) return;
  if (dtype == kDouble)
    run(static_cast<double*>(y), static_cast<const double*>(x), outer, inner, Weighted<double>(taps));
  else run(static_cast<float*>(y), static_cast<const float*>(x), outer, inner, Weighted<float>(taps));
}

}  // namespace taut::kernels
