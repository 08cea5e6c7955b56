#include "kernels/ldl.h"

#include <cmath>
#include <utility>

#include "core/dry.h"
#include "kernels/mat.h"

namespace taut::kernels {
namespace {

constexpr double kAlpha = 0.6403882032022076;  // (1 + sqrt 17) / 8

/// The row at or below `from` whose element in column j is the largest.
template <class T>
int64_t largest_below(Mat<T> a, int64_t from, int64_t j) {
  int64_t best = from;
  for (int64_t i = from + 1; i < a.rows; ++i)
    if (std::abs(a(i, j)) > std::abs(a(best, j))) best = i;
  return best;
}

/// Which row comes to the diagonal at k, and whether in a block of two.
struct Pivot {
  int64_t row;
  bool two, zero;
};
template <class T>
Pivot choose(Mat<T> a, int64_t k) {
  const int64_t n = a.rows;
  const T alpha = static_cast<T>(kAlpha), own = std::abs(a(k, k));
  const int64_t below = k + 1 < n ? largest_below(a, k + 1, k) : k;
  const T column = k + 1 < n ? std::abs(a(below, k)) : T(0);
  if ((own == 0 && column == 0) || std::isnan(own)) return {k, false, true};
  if (own >= alpha * column) return {k, false, false};
  T row = 0;
  for (int64_t j = k; j < below; ++j) row = std::max(row, std::abs(a(below, j)));
  if (below + 1 < n) row = std::max(row, std::abs(a(largest_below(a, below + 1, below), below)));
  if (own >= alpha * column * (column / row)) return {k, false, false};
  return {below, std::abs(a(below, below)) < alpha * row, false};
}

/// Rows and columns p and q of the lower triangle change places, p < q.
template <class T>
void swap_both(Mat<T> a, int64_t p, int64_t q) {
  for (int64_t i = q + 1; i < a.rows; ++i) std::swap(a(i, p), a(i, q));
  for (int64_t i = p + 1; i < q; ++i) std::swap(a(i, p), a(q, i));
  std::swap(a(p, p), a(q, q));
}

template <class T>
void eliminate_one(Mat<T> a, int64_t k) {
  const T inverse = 1 / a(k, k);
  for (int64_t j = k + 1; j < a.rows; ++j) {
    const T f = inverse * a(j, k);
    for (int64_t i = j; i < a.rows; ++i) a(i, j) -= a(i, k) * f;
  }
  for (int64_t i = k + 1; i < a.rows; ++i) a(i, k) *= inverse;
}
template <class T>
void eliminate_two(Mat<T> a, int64_t k) {
  const T off = a(k + 1, k), d11 = a(k + 1, k + 1) / off, d22 = a(k, k) / off, scale = 1 / (d11 * d22 - 1) / off;
  for (int64_t j = k + 2; j < a.rows; ++j) {
    const T first = scale * (d11 * a(j, k) - a(j, k + 1)), second = scale * (d22 * a(j, k + 1) - a(j, k));
    for (int64_t i = j; i < a.rows; ++i) a(i, j) -= a(i, k) * first + a(i, k + 1) * second;
    a(j, k) = first;
    a(j, k + 1) = second;
  }
}

template <class T>
int64_t ldl_of(Mat<T> a, int32_t* pivots) {
  int64_t info = 0;
  for (int64_t k = 0; k < a.rows;) {
    const Pivot pivot = choose(a, k);
    if (pivot.zero && info == 0) info = k + 1;
    const int64_t last = pivot.two ? k + 1 : k;
    if (pivot.row != last) {
      swap_both(a, last, pivot.row);
      if (pivot.two) std::swap(a(k + 1, k), a(pivot.row, k));
    }
    if (!pivot.zero) pivot.two ? eliminate_two(a, k) : eliminate_one(a, k);
    const auto place = static_cast<int32_t>(pivot.row + 1);
    pivots[k] = pivot.two ? -place : place;
    if (pivot.two) pivots[k + 1] = -place;
    k = last + 1;
  }
  return info;
}

template <class T>
void swap_rows(Mat<T> b, int64_t p, int64_t q) {
  if (p != q) std::swap_ranges(b.at(p, 0), b.at(p, b.cols), b.at(q, 0));
}
template <class T>
void subtract_row(Mat<T> b, int64_t to, T f, int64_t from) {
  for (int64_t j = 0; j < b.cols; ++j) b(to, j) -= f * b(from, j);
}

template <class T>
void solve_one(Mat<const T> a, const int32_t* pivots, Mat<T> b) {
  const int64_t n = a.rows;
  for (int64_t k = 0; k < n;) {  // L D x = b
    const bool two = pivots[k] < 0;
    swap_rows(b, two ? k + 1 : k, std::abs(pivots[k]) - 1);
    for (int64_t i = k + 1 + two; i < n; ++i) {
      subtract_row(b, i, a(i, k), k);
      if (two) subtract_row(b, i, a(i, k + 1), k + 1);
    }
    if (two) {
      const T off = a(k + 1, k), d0 = a(k, k) / off, d1 = a(k + 1, k + 1) / off, scale = d0 * d1 - 1;
      for (int64_t j = 0; j < b.cols; ++j) {
        const T x = b(k, j) / off, y = b(k + 1, j) / off;
        b(k, j) = (d1 * x - y) / scale;
        b(k + 1, j) = (d0 * y - x) / scale;
      }
    } else {
      for (int64_t j = 0; j < b.cols; ++j) b(k, j) /= a(k, k);
    }
    k += two ? 2 : 1;
  }
  for (int64_t k = n - 1; k >= 0;) {  // L' x = b
    const bool two = pivots[k] < 0;
    for (int64_t i = k + 1; i < n; ++i) {
      subtract_row(b, k, a(i, k), i);
      if (two) subtract_row(b, k - 1, a(i, k - 1), i);
    }
    swap_rows(b, k, std::abs(pivots[k]) - 1);
    k -= two ? 2 : 1;
  }
}

double cube(int64_t n, int64_t m) { return static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(m); }
}  // namespace

void ldl(ScalarType type, int64_t count, int64_t n, void* a, int32_t* pivots, int32_t* info) {
  if (dry) return;
  visit_float(type, [&]<class T>(T) {
    for_batch(count, cube(n, n), [&](int64_t k) {
      const Mat<T> own{static_cast<T*>(a) + k * n * n, n, n, n};
      info[k] = static_cast<int32_t>(ldl_of(own, pivots + k * n));
      for (int64_t i = 0; i < n; ++i) std::fill(own.at(i, i + 1), own.at(i, n), T(0));
    });
  });
}
void solve_ldl(ScalarType type, int64_t count, int64_t n, int64_t m, const void* ld, const int32_t* pivots, void* b) {
  if (dry) return;
  visit_float(type, [&]<class T>(T) {
    for_batch(count, cube(n, m), [&](int64_t k) {
      solve_one(Mat<const T>{static_cast<const T*>(ld) + k * n * n, n, n, n}, pivots + k * n,
                Mat<T>{static_cast<T*>(b) + k * n * m, n, m, m});
    });
  });
}

}  // namespace taut::kernels
