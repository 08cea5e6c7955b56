// Factorisations of small matrices, real and complex, and the loops that those of large ones are made of. Every loop runs
// along contiguous rows with no sum across it, so any vector width gives the same bits; the few sums along a row run in
// lanes of constant number. Of internal linkage, as they are compiled for several instruction sets.
#pragma once
#include <cmath>
#include <utility>

#include "kernels/reflector.h"

namespace taut::loops {

/// y -= f x
template <class T>
static inline void subtract(int64_t n, T f, const T* __restrict x, T* __restrict y) {
  for (int64_t j = 0; j < n; ++j) y[j] -= f * x[j];
}
template <class T>
static inline void add(int64_t n, T f, const T* __restrict x, T* __restrict y) {
  for (int64_t j = 0; j < n; ++j) y[j] += f * x[j];
}
/// The sum of x[j] y[j], in sixteen lanes.
template <class T>
static inline T dot(int64_t n, const T* __restrict x, const T* __restrict y) {
  constexpr int kLanes = 16;
  T lane[kLanes] = {};
  int64_t j = 0;
  for (; j + kLanes <= n; j += kLanes)
    for (int l = 0; l < kLanes; ++l) lane[l] += x[j + l] * y[j + l];
  for (int l = 0; j + l < n; ++l) lane[l] += x[j + l] * y[j + l];
  for (int half = kLanes / 2; half > 0; half /= 2)
    for (int l = 0; l < half; ++l) lane[l] += lane[l + half];
  return lane[0];
}

constexpr int64_t kMost = 64;  // rows of what `cholesky` takes

template <class T>
static int64_t cholesky(int64_t n, T* a, int64_t row) {
  T column[kMost];
  for (int64_t k = 0; k < n; ++k) {
    const Real<T> d = real_of(a[k * row + k]);
    if (!(d > 0)) return k + 1;
    const T root = std::sqrt(d);
    a[k * row + k] = root;
    for (int64_t i = k + 1; i < n; ++i) column[i] = conj_of(a[i * row + k] /= root);
    for (int64_t i = k + 1; i < n; ++i) subtract(i - k, a[i * row + k], column + k + 1, a + i * row + k + 1);
  }
  return 0;
}

template <class T>
static int64_t lu(int64_t m, int64_t n, T* a, int64_t row, int32_t* pivots) {
  int64_t info = 0;
  for (int64_t k = 0; k < m && k < n; ++k) {
    int64_t best = k;
    Real<T> most = size_of(a[k * row + k]);
    for (int64_t i = k + 1; i < m; ++i)
      if (const Real<T> v = size_of(a[i * row + k]); v > most) most = v, best = i;
    pivots[k] = static_cast<int32_t>(best);
    if (best != k)
      for (int64_t j = 0; j < n; ++j) std::swap(a[k * row + j], a[best * row + j]);
    const T pivot = a[k * row + k];
    if (pivot == T(0)) {
      if (info == 0) info = k + 1;
      continue;
    }
    for (int64_t i = k + 1; i < m; ++i) {
      T* y = a + i * row;
      y[k] /= pivot;
      subtract(n - k - 1, y[k], a + k * row + k + 1, y + k + 1);
    }
  }
  return info;
}

/// One row of a triangular solve for `Width` right-hand sides, which stay in registers.
template <int Width, class T>
static inline void solve_row(int64_t i, int64_t begin, int64_t end, const T* t, int64_t t_row, int64_t t_col, bool unit, T* b,
                      int64_t b_row) {
  T sum[Width];
  for (int j = 0; j < Width; ++j) sum[j] = b[i * b_row + j];
  for (int64_t k = begin; k < end; ++k) {
    const T f = t[i * t_row + k * t_col];
    for (int j = 0; j < Width; ++j) sum[j] -= f * b[k * b_row + j];
  }
  if (!unit) {
    const T d = t[i * t_row + i * t_col];
    for (int j = 0; j < Width; ++j) sum[j] /= d;
  }
  for (int j = 0; j < Width; ++j) b[i * b_row + j] = sum[j];
}
template <int Width, class T>
static void solve_columns(int64_t n, const T* t, int64_t t_row, int64_t t_col, bool upper, bool unit, T* b, int64_t b_row) {
  if (upper)
    for (int64_t i = n - 1; i >= 0; --i) solve_row<Width>(i, i + 1, n, t, t_row, t_col, unit, b, b_row);
  else
    for (int64_t i = 0; i < n; ++i) solve_row<Width>(i, 0, i, t, t_row, t_col, unit, b, b_row);
}
template <class T>
static void solve(int64_t n, int64_t m, const T* t, int64_t t_row, int64_t t_col, bool upper, bool unit, T* b, int64_t b_row) {
  constexpr int kWide = 128 / sizeof(T), kNarrow = 32 / sizeof(T);
  int64_t j = 0;
  for (; j + kWide <= m; j += kWide) solve_columns<kWide>(n, t, t_row, t_col, upper, unit, b + j, b_row);
  for (; j + kNarrow <= m; j += kNarrow) solve_columns<kNarrow>(n, t, t_row, t_col, upper, unit, b + j, b_row);
  for (; j < m; ++j) solve_columns<1>(n, t, t_row, t_col, upper, unit, b + j, b_row);
}

template <class T>
static void reflect(int64_t m, int64_t n, T* a, int64_t row, T* tau) {
  constexpr int64_t kMostColumns = 64;
  T w[kMostColumns];
  for (int64_t k = 0; k < m && k < n; ++k) {
    T* head = a + k * row + k;
    const Real<T> beta = make_reflector(m - k, head, row, tau[k]);
    if (tau[k] == T(0)) continue;
    const int64_t width = n - k - 1;
    for (int64_t j = 0; j < width; ++j) w[j] = head[1 + j];
    for (int64_t i = 1; i < m - k; ++i) add(width, conj_of(head[i * row]), head + i * row + 1, w);
    *head = beta;
    for (int64_t j = 0; j < width; ++j) w[j] *= conj_of(tau[k]);
    for (int64_t j = 0; j < width; ++j) head[1 + j] -= w[j];
    for (int64_t i = 1; i < m - k; ++i) subtract(width, head[i * row], w, head + i * row + 1);
  }
}

template <class T>
static void symmetric_times(int64_t n, const T* a, int64_t row, const T* x, T* y) {
  for (int64_t i = 0; i < n; ++i) {
    const T* line = a + i * row;
    y[i] += dot(i, line, x) + real_of(line[i]) * x[i];
    if constexpr (kComplexField<T>)
      for (int64_t j = 0; j < i; ++j) y[j] += x[i] * conj(line[j]);
    else add(i, x[i], line, y);
  }
}
template <class T>
static void vector_times(int64_t m, int64_t n, const T* x, const T* a, int64_t row, T* y) {
  for (int64_t i = 0; i < m; ++i) add(n, x[i], a + i * row, y);
}
template <class T>
static void times_vector(int64_t m, int64_t n, const T* a, int64_t row, const T* x, T* y) {
  for (int64_t i = 0; i < m; ++i) y[i] = dot(n, a + i * row, x);
}
template <class T>
static inline void rotate_pair(int64_t n, T c, T s, T* __restrict x, T* __restrict y) {
  for (int64_t j = 0; j < n; ++j) {
    const T p = x[j], q = y[j];
    x[j] = c * p + s * q;
    y[j] = c * q - s * p;
  }
}
template <class T>
static void rotate(int64_t count, int64_t n, const T* c, const T* s, bool forward, T* a, int64_t row) {
  for (int64_t k = 0; k < count; ++k) {
    const int64_t i = forward ? k : count - 1 - k;
    rotate_pair(n, c[i], s[i], a + i * row, a + (i + 1) * row);
  }
}

}  // namespace taut::loops
