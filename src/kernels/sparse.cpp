#include "kernels/sparse.h"

#include <algorithm>

#include "core/parallel.h"
#include "kernels/isa/sparse.h"

namespace taut::kernels {

void bucket(const int64_t* keys, int64_t n, int64_t m, int64_t* begins, int64_t* order) {
  std::fill(begins, begins + m + 1, 0);
  for (int64_t i = 0; i < n; ++i) ++begins[keys[i] + 1];
  for (int64_t k = 0; k < m; ++k) begins[k + 1] += begins[k];
  for (int64_t i = 0; i < n; ++i) order[begins[keys[i]]++] = i;  // each is now where the next key begins
  std::copy_backward(begins, begins + m, begins + m + 1);
  begins[0] = 0;
}

int64_t merge(const int64_t* a, int64_t n_a, const int64_t* b, int64_t n_b, int64_t* to_a, int64_t* to_b) {
  int64_t n = 0;
  for (int64_t i = 0, j = 0; i < n_a || j < n_b; ++n) {
    const bool from_a = j == n_b || (i < n_a && a[i] <= b[j]), from_b = i == n_a || (j < n_b && b[j] <= a[i]);
    if (from_a) to_a[i++] = n;
    if (from_b) to_b[j++] = n;
  }
  return n;
}

template <class T>
static void product(void (*loop)(const SparseProduct<T>&, int64_t, int64_t), const View& y, const int64_t* begins,
                    const int64_t* columns, const void* values, const View& b) {
  const int64_t rows = y.sizes[0], n = y.sizes[1];
  const SparseProduct<T> p{begins, columns, static_cast<const T*>(values), b.ptr<T>(), n, y.ptr<T>(), n, n};
  parallel_for(rows, std::max<int64_t>(64, (1 << 14) / std::max<int64_t>(n, 1)),
               [&](int64_t begin, int64_t end) { loop(p, begin, end); });
}

void sparse_product(const View& y, const int64_t* begins, const int64_t* columns, const void* values, const View& b) {
  if (y.dtype == kFloat) product(sparse_table().product32, y, begins, columns, values, b);
  else product(sparse_table().product64, y, begins, columns, values, b);
}

}  // namespace taut::kernels
