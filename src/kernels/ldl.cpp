#include "kernels/ldl.h"

#include <cmath>
#include <utility>

#include "kernels/mat.h"

namespace taut::kernels {
namespace {

constexpr double kAlpha = 0.6403882032022076;  // (1 + sqrt 17) / 8

/// x, or its conjugate in a hermitian matrix.
template <class T>
T turned(bool hermitian, T x) {
  return hermitian ? conj_of(x) : x;
}
/// The row at or below `from` whose element in column j is the largest.
template <class T>
int64_t largest_below(Mat<T> a, int64_t from, int64_t j) {
  int64_t best = from;
  for (int64_t i = from + 1; i < a.rows; ++i)
    if (size_of(a(i, j)) > size_of(a(best, j))) best = i;
  return best;
}

/// Which row comes to the diagonal at k, and whether in a block of two.
struct Pivot {
  int64_t row;
  bool two, zero;
};
template <class T>
Pivot choose(Mat<T> a, int64_t k) {
  using R = Real<T>;
  const int64_t n = a.rows;
  const R alpha = static_cast<R>(kAlpha), own = size_of(a(k, k));
  const int64_t below = k + 1 < n ? largest_below(a, k + 1, k) : k;
  const R column = k + 1 < n ? size_of(a(below, k)) : R(0);
  if ((own == 0 && column == 0) || std::isnan(own)) return {k, false, true};
  if (own >= alpha * column) return {k, false, false};
  R row = 0;
  for (int64_t j = k; j < below; ++j) row = std::max(row, size_of(a(below, j)));
  if (below + 1 < n) row = std::max(row, size_of(a(largest_below(a, below + 1, below), below)));
  if (own >= alpha * column * (column / row)) return {k, false, false};
  return {below, size_of(a(below, below)) < alpha * row, false};
}

/// Rows and columns p and q of the lower triangle change places, p < q.
template <class T>
void swap_both(Mat<T> a, int64_t p, int64_t q, bool hermitian) {
  for (int64_t i = q + 1; i < a.rows; ++i) std::swap(a(i, p), a(i, q));
  for (int64_t i = p + 1; i < q; ++i) {
    const T x = a(i, p);
    a(i, p) = turned(hermitian, a(q, i));
    a(q, i) = turned(hermitian, x);
  }
  a(q, p) = turned(hermitian, a(q, p));
  std::swap(a(p, p), a(q, q));
}

template <class T>
void eliminate_one(Mat<T> a, int64_t k, bool hermitian) {
  const T inverse = T(1) / a(k, k);
  for (int64_t j = k + 1; j < a.rows; ++j) {
    const T f = inverse * turned(hermitian, a(j, k));
    for (int64_t i = j; i < a.rows; ++i) a(i, j) -= a(i, k) * f;
  }
  for (int64_t i = k + 1; i < a.rows; ++i) a(i, k) *= inverse;
}
template <class T>
void eliminate_two(Mat<T> a, int64_t k, bool hermitian) {
  const T off = a(k + 1, k), across = turned(hermitian, off), d11 = a(k + 1, k + 1) / off, d22 = a(k, k) / across,
          scale = T(1) / (d11 * d22 - T(1)), left = scale / across, right = scale / off;
  for (int64_t j = k + 2; j < a.rows; ++j) {
    const T first = left * (d11 * a(j, k) - a(j, k + 1)), second = right * (d22 * a(j, k + 1) - a(j, k));
    const T f = turned(hermitian, first), g = turned(hermitian, second);
    for (int64_t i = j; i < a.rows; ++i) a(i, j) -= a(i, k) * f + a(i, k + 1) * g;
    a(j, k) = first;
    a(j, k + 1) = second;
  }
}

template <class T>
int64_t ldl_of(Mat<T> a, bool hermitian, int32_t* pivots) {
  int64_t info = 0;
  const auto straighten = [&](int64_t from) {  // the imaginary parts of a hermitian diagonal count as 0
    if (kComplexField<T> && hermitian)
      for (int64_t i = from; i < a.rows; ++i) a(i, i) = real_of(a(i, i));
  };
  straighten(0);
  for (int64_t k = 0; k < a.rows;) {
    const Pivot pivot = choose(a, k);
    if (pivot.zero && info == 0) info = k + 1;
    const int64_t last = pivot.two ? k + 1 : k;
    if (pivot.row != last) {
      swap_both(a, last, pivot.row, hermitian);
      if (pivot.two) std::swap(a(k + 1, k), a(pivot.row, k));
    }
    if (!pivot.zero) pivot.two ? eliminate_two(a, k, hermitian) : eliminate_one(a, k, hermitian);
    straighten(last + 1);
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
void solve_one(Mat<const T> a, bool hermitian, const int32_t* pivots, Mat<T> b) {
  const int64_t n = a.rows;
  for (int64_t k = 0; k < n;) {  // L D x = b
    const bool two = pivots[k] < 0;
    swap_rows(b, two ? k + 1 : k, std::abs(pivots[k]) - 1);
    for (int64_t i = k + 1 + two; i < n; ++i) {
      subtract_row(b, i, a(i, k), k);
      if (two) subtract_row(b, i, a(i, k + 1), k + 1);
    }
    if (two) {
      const T off = a(k + 1, k), across = turned(hermitian, off), d0 = a(k, k) / across, d1 = a(k + 1, k + 1) / off,
              scale = d0 * d1 - T(1);
      for (int64_t j = 0; j < b.cols; ++j) {
        const T x = b(k, j) / across, y = b(k + 1, j) / off;
        b(k, j) = (d1 * x - y) / scale;
        b(k + 1, j) = (d0 * y - x) / scale;
      }
    } else {
      const T own = hermitian ? T(real_of(a(k, k))) : a(k, k);
      for (int64_t j = 0; j < b.cols; ++j) b(k, j) /= own;
    }
    k += two ? 2 : 1;
  }
  for (int64_t k = n - 1; k >= 0;) {  // L' x = b
    const bool two = pivots[k] < 0;
    for (int64_t i = k + 1; i < n; ++i) {
      subtract_row(b, k, turned(hermitian, a(i, k)), i);
      if (two) subtract_row(b, k - 1, turned(hermitian, a(i, k - 1)), i);
    }
    swap_rows(b, k, std::abs(pivots[k]) - 1);
    k -= two ? 2 : 1;
  }
}

double cube(int64_t n, int64_t m) { return static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(m); }
}  // namespace

void ldl(ScalarType type, bool hermitian, int64_t count, int64_t n, void* a, int32_t* pivots, int32_t* info) {
  if (type == kComplexFloat)
    return ldl(kComplexDouble, hermitian, count, n, Doubles(a, 2 * count * n * n).data(), pivots, info);
  visit_number(type, [&]<class T>(T) {
    for_batch(count, cube(n, n), [&](int64_t k) {
      const Mat<T> own{static_cast<T*>(a) + k * n * n, n, n, n};
      info[k] = static_cast<int32_t>(ldl_of(own, hermitian, pivots + k * n));
      for (int64_t i = 0; i < n; ++i) std::fill(own.at(i, i + 1), own.at(i, n), T(0));
    });
  });
}
void solve_ldl(ScalarType type, bool hermitian, int64_t count, int64_t n, int64_t m, const void* ld,
               const int32_t* pivots, void* b) {
  if (type == kComplexFloat)
    return solve_ldl(kComplexDouble, hermitian, count, n, m, Doubles(ld, 2 * count * n * n).data(), pivots,
                     Doubles(b, 2 * count * n * m).data());
  visit_number(type, [&]<class T>(T) {
    for_batch(count, cube(n, m), [&](int64_t k) {
      solve_one(Mat<const T>{static_cast<const T*>(ld) + k * n * n, n, n, n}, hermitian, pivots + k * n,
                Mat<T>{static_cast<T*>(b) + k * n * m, n, m, m});
    });
  });
}

}  // namespace taut::kernels
