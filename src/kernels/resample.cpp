#include "kernels/resample.h"

#include <algorithm>

#include "core/parallel.h"

namespace taut::kernels {
namespace {

constexpr int64_t kGrain = 16384;  // elements that are worth a chunk of their own

template <class T>
void run(T* y, const T* x, int64_t outer, int64_t inner, const Taps& taps) {
  const int64_t n = taps.outputs(), m = taps.inputs;
  const std::vector<T> weight(taps.weight.begin(), taps.weight.end());
  const int64_t *const start = taps.start.data(), *const index = taps.index.data();
  if (inner == 1) {                                  // along rows
    int64_t most = 0, least = n > 0 ? start[1] : 0;  // taps of one output
    for (int64_t o = 0; o < n; ++o)
      most = std::max(most, start[o + 1] - start[o]), least = std::min(least, start[o + 1] - start[o]);
    parallel_for(outer, std::max<int64_t>(1, kGrain / std::max<int64_t>(n, 1)), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        const T* const from = x + r * m;
        T* const to = y + r * n;
        const T* const w = weight.data();
        if (most == 1 && least == 1) {
          for (int64_t o = 0; o < n; ++o) to[o] = w[o] * from[index[o]];
        } else if (most == 2 && least == 2) {
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
    return;
  }
  parallel_for(outer * n, std::max<int64_t>(1, kGrain / std::max<int64_t>(inner, 1)), [&](int64_t begin, int64_t end) {
    for (int64_t r = begin; r < end; ++r) {
      const int64_t o = r % n, last = start[o + 1];
      T* const to = y + r * inner;
      const T* const from = x + r / n * m * inner;
      int64_t k = start[o];
      // Two rows at a time; the first ones are written, the others added.
      if (last - k >= 2) {
        const T *const a = from + index[k] * inner, *const b = from + index[k + 1] * inner;
        const T wa = weight[static_cast<size_t>(k)], wb = weight[static_cast<size_t>(k + 1)];
        for (int64_t j = 0; j < inner; ++j) to[j] = wa * a[j] + wb * b[j];
        k += 2;
      } else if (last - k == 1) {  // no sum with 0, which has no negative zeros
        const T* const a = from + index[k] * inner;
        const T w = weight[static_cast<size_t>(k++)];
        for (int64_t j = 0; j < inner; ++j) to[j] = w * a[j];
      } else {
        std::fill_n(to, inner, T(0));
      }
      for (; k < last; ++k) {
        const T w = weight[static_cast<size_t>(k)];
        const T* const row = from + index[k] * inner;
        for (int64_t j = 0; j < inner; ++j) to[j] += w * row[j];
      }
    }
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
  if (dtype == kDouble) run(static_cast<double*>(y), static_cast<const double*>(x), outer, inner, taps);
  else run(static_cast<float*>(y), static_cast<const float*>(x), outer, inner, taps);
}

}  // namespace taut::kernels
