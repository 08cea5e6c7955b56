#include "kernels/factor.h"

#include <algorithm>
#include <utility>

#include "kernels/mat.h"
#include "kernels/reflectors.h"

namespace taut::kernels {
namespace {

constexpr int64_t kBase = 32;     // sizes up to this are solved by plain loops
constexpr int64_t kColumns = 64;  // right-hand sides that a thread takes at a time

/// The first part of a cut in two: about half, a multiple of kBase.
int64_t half_of(int64_t n) { return (n / 2 + kBase - 1) / kBase * kBase; }

/// b = t^-1 b.
template <class T>
void solve_left(Mat<const T> t, bool upper, bool unit, Mat<T> b) {
  const int64_t n = t.rows, m = b.cols;
  if (n == 0 || m == 0) return;
  if (n <= kBase) {
    const auto& kernel = factor_kernels<T>().solve;
    if (b.col == 1) {
      parallel_for(m, m <= kColumns * 4 ? m : kColumns, [&](int64_t begin, int64_t end) {
        kernel(n, end - begin, t.data, t.row, t.col, upper, unit, b.at(0, begin), b.row);
      });
    } else {
      parallel_for(m, kColumns, [&](int64_t begin, int64_t end) {
        T lines[kBase * kColumns];
        const Mat<T> part = b.block(0, begin, n, end - begin), compact{lines, n, end - begin, kColumns};
        for (int64_t j = 0; j < part.cols; ++j)
          for (int64_t i = 0; i < n; ++i) compact(i, j) = part(i, j);
        kernel(n, part.cols, t.data, t.row, t.col, upper, unit, lines, kColumns);
        for (int64_t j = 0; j < part.cols; ++j)
          for (int64_t i = 0; i < n; ++i) part(i, j) = compact(i, j);
      });
    }
    return;
  }
  const int64_t h = half_of(n), r = n - h;
  const Mat<T> top = b.block(0, 0, h, m), bottom = b.block(h, 0, r, m);
  if (upper) {
    solve_left(t.block(h, h, r, r), upper, unit, bottom);
    multiply(top, t.block(0, h, h, r), bottom, -1, 1);
    solve_left(t.block(0, 0, h, h), upper, unit, top);
  } else {
    solve_left(t.block(0, 0, h, h), upper, unit, top);
    multiply(bottom, t.block(h, 0, r, h), top, -1, 1);
    solve_left(t.block(h, h, r, r), upper, unit, bottom);
  }
}

/// The lower triangle of c loses that of a a', where a' is the adjoint.
template <class T>
void subtract_square(Mat<T> c, Mat<const T> a) {
  if (c.rows <= 2 * kBase) return multiply(c, a, adjoint(a), -1, 1);
  const int64_t h = half_of(c.rows), r = c.rows - h;
  const Mat<const T> top = a.block(0, 0, h, a.cols), bottom = a.block(h, 0, r, a.cols);
  subtract_square(c.block(0, 0, h, h), top);
  multiply(c.block(h, 0, r, h), bottom, adjoint(top), -1, 1);
  subtract_square(c.block(h, h, r, r), bottom);
}

template <class T>
int64_t cholesky_of(Mat<T> a) {
  const int64_t n = a.rows;
  if (n <= kBase) return factor_kernels<T>().cholesky(n, a.data, a.row);
  const int64_t h = half_of(n), r = n - h;
  const Mat<T> corner = a.block(0, 0, h, h), below = a.block(h, 0, r, h), rest = a.block(h, h, r, r);
  if (const int64_t bad = cholesky_of(corner)) return bad;
  conjugate(below);
  solve_left<T>(corner, false, false, below.transposed());
  conjugate(below);
  subtract_square<T>(rest, below);
  const int64_t bad = cholesky_of(rest);
  return bad ? h + bad : 0;
}

template <class T>
void swap_rows(Mat<T> a, const int32_t* pivots, int64_t n) {
  for (int64_t k = 0; k < n; ++k)
    if (pivots[k] != k) std::swap_ranges(a.at(k, 0), a.at(k, a.cols), a.at(pivots[k], 0));
}

/// Pivots are counted from the first row of a.
template <class T>
int64_t lu_of(Mat<T> a, int32_t* pivots) {
  constexpr int64_t kNarrow = 16;
  const int64_t m = a.rows, n = a.cols, k = std::min(m, n);
  if (k == 0) return 0;
  if (n <= kNarrow || m <= kNarrow) return factor_kernels<T>().lu(m, n, a.data, a.row, pivots);
  const int64_t h = (k / 2 + kNarrow - 1) / kNarrow * kNarrow, r = n - h;
  const Mat<T> left = a.block(0, 0, m, h), right = a.block(0, h, m, r);
  int64_t info = lu_of(left, pivots);
  swap_rows(right, pivots, h);
  solve_left<T>(left.block(0, 0, h, h), false, true, right.block(0, 0, h, r));
  const Mat<T> rest = right.block(h, 0, m - h, r);
  multiply(rest, left.block(h, 0, m - h, h), right.block(0, 0, h, r), -1, 1);
  const int64_t more = lu_of(rest, pivots + h);
  swap_rows(left.block(h, 0, m - h, h), pivots + h, k - h);
  for (int64_t i = h; i < k; ++i) pivots[i] += static_cast<int32_t>(h);
  if (info == 0 && more) info = h + more;
  return info;
}

template <class T>
void reflect_one(Mat<T> a, T* tau) {
  const int64_t m = a.rows, n = a.cols, k = std::min(m, n);
  for (int64_t j = 0; j < k; j += kPanel) {
    const int64_t width = std::min(kPanel, k - j);
    const Mat<T> panel = a.block(j, j, m - j, width);
    factor_kernels<T>().reflect(panel.rows, width, panel.data, panel.row, tau + j);
    const Mat<T> rest = a.block(j, j + width, m - j, n - j - width);
    if (rest.cols > 0) ReflectorBlock<T>(panel, tau + j).apply(rest, true);
  }
}

/// Small matrices of a batch go side by side, f(first of a group, memory); the rest of them one by one, g(k).
template <class T, class F, class G>
void for_lanes(int64_t count, int64_t elements, double work, F f, G g) {
  constexpr int64_t kLanes = 64 / static_cast<int64_t>(sizeof(T));
  const int64_t groups = count / kLanes;
  constexpr double kChunk = 5e4;
  const auto grain = static_cast<int64_t>(kChunk / (work * static_cast<double>(kLanes))) + 1;
  parallel_for(groups, grain, [&](int64_t begin, int64_t end) {
    const Workspace<T> room(elements * kLanes);
    for (int64_t k = begin; k < end; ++k) f(k * kLanes, room.data());
  });
  for (int64_t k = groups * kLanes; k < count; ++k) g(k);
}
constexpr int64_t kMostLanes = 16;  // rows of a matrix that is small; larger ones would be cut in two

double cube(int64_t a, int64_t b, int64_t c) {
  return static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c);
}

}  // namespace

void cholesky(ScalarType type, int64_t count, int64_t n, void* a, int32_t* info) {
  if (type == kComplexFloat) return cholesky(kComplexDouble, count, n, Doubles(a, 2 * count * n * n).data(), info);
  visit_number(type, [&]<class T>(T) {
    const auto at = [&](int64_t k) { return Mat<T>{static_cast<T*>(a) + k * n * n, n, n, n}; };
    const auto one = [&](int64_t k) { info[k] = static_cast<int32_t>(cholesky_of(at(k))); };
    const double work = cube(n, n, n) / 6;
    if (kComplexField<T> || n > kMostLanes) for_batch(count, work, one);
    else
      for_lanes<T>(
          count, n * n, work,
          [&](int64_t k, T* room) { factor_kernels<T>().cholesky_lanes(n, at(k).data, info + k, room); }, one);
    for (int64_t k = 0; k < count; ++k)
      for (int64_t i = 0; i < n; ++i) std::fill(at(k).at(i, i + 1), at(k).at(i, n), T(0));
  });
}

void lu(ScalarType type, int64_t count, int64_t m, int64_t n, void* a, int32_t* pivots, int32_t* info) {
  if (type == kComplexFloat) return lu(kComplexDouble, count, m, n, Doubles(a, 2 * count * m * n).data(), pivots, info);
  const int64_t least = std::min(m, n);
  visit_number(type, [&]<class T>(T) {
    const auto one = [&](int64_t k) {
      info[k] = static_cast<int32_t>(lu_of(Mat<T>{static_cast<T*>(a) + k * m * n, m, n, n}, pivots + k * least));
    };
    const double work = cube(m, n, least) / 3;
    if (kComplexField<T> || m != n || n > kMostLanes) for_batch(count, work, one);
    else
      for_lanes<T>(
          count, n * n, work,
          [&](int64_t k, T* room) {
            factor_kernels<T>().lu_lanes(n, static_cast<T*>(a) + k * n * n, pivots + k * n, info + k, room);
          },
          one);
  });
  for (int64_t i = 0; i < count * least; ++i) ++pivots[i];
}

void solve_triangular(ScalarType type, int64_t count, int64_t m, int64_t n, TriangularMatrix t, Triangular kind,
                      void* b) {
  const int64_t order = kind.left ? m : n;
  if (type == kComplexFloat) {
    const Doubles own(t.data, 2 * (t.batch ? count : 1) * order * order);
    t.data = own.data();
    return solve_triangular(kComplexDouble, count, m, n, t, kind, Doubles(b, 2 * count * m * n).data());
  }
  visit_number(type, [&]<class T>(T) {
    const auto one = [&](int64_t k) {
      const Mat<const T> a{static_cast<const T*>(t.data) + k * t.batch, order, order, t.row, t.col};
      const Mat<T> x{static_cast<T*>(b) + k * m * n, m, n, n};
      if (kind.left) solve_left(a, kind.upper, kind.unit, x);
      else solve_left(a.transposed(), !kind.upper, kind.unit, x.transposed());
    };
    const double work = cube(m, n, order) / 2;
    if (kComplexField<T> || m > kMostLanes || n > kMostLanes) return for_batch(count, work, one);
    for_lanes<T>(
        count, (order + std::max(m, n)) * order, work,
        [&](int64_t k, T* room) {
          const auto* own = static_cast<const T*>(t.data) + k * t.batch;
          T* x = static_cast<T*>(b) + k * m * n;
          const auto& solve = factor_kernels<T>().solve_lanes;
          if (kind.left) solve(m, n, own, {t.row, t.col, t.batch}, kind.upper, kind.unit, x, {n, 1, m * n}, room);
          else solve(n, m, own, {t.col, t.row, t.batch}, !kind.upper, kind.unit, x, {1, n, m * n}, room);
        },
        one);
  });
}

void reflect(ScalarType type, int64_t count, int64_t m, int64_t n, void* a, void* tau) {
  const int64_t least = std::min(m, n);
  if (type == kComplexFloat)
    return reflect(kComplexDouble, count, m, n, Doubles(a, 2 * count * m * n).data(),
                   Doubles(tau, 2 * count * least).data());
  visit_number(type, [&]<class T>(T) {
    T *const matrices = static_cast<T*>(a), *const factors = static_cast<T*>(tau);
    const auto one = [&](int64_t k) { reflect_one(Mat<T>{matrices + k * m * n, m, n, n}, factors + k * least); };
    const double work = cube(m, n, least);
    if (kComplexField<T> || n > m || m > kPanel) return for_batch(count, work, one);
    for_lanes<T>(
        count, m * n, work,
        [&](int64_t k, T* room) {
          factor_kernels<T>().reflect_lanes(m, n, matrices + k * m * n, factors + k * n, room);
        },
        one);
  });
}

void multiply_reflectors(ScalarType type, int64_t count, int64_t rows, int64_t reflectors, const void* v, int64_t v_row,
                         const void* tau, ReflectorProduct kind, int64_t m, int64_t n, void* c) {
  if (type == kComplexFloat)
    return multiply_reflectors(kComplexDouble, count, rows, reflectors, Doubles(v, 2 * count * rows * v_row).data(),
                               v_row, Doubles(tau, 2 * count * reflectors).data(), kind, m, n,
                               Doubles(c, 2 * count * m * n).data());
  visit_number(type, [&]<class T>(T) {
    const auto one = [&](int64_t k) {
      const Mat<const T> own{static_cast<const T*>(v) + k * rows * v_row, rows, reflectors, v_row};
      const Mat<T> to{static_cast<T*>(c) + k * m * n, m, n, n};
      const T* factors = static_cast<const T*>(tau) + k * reflectors;
      // c Q is (Q' c')'.
      if (kind.left) return multiply_reflectors_left(own, factors, kind.transposed, to);
      conjugate(to);
      multiply_reflectors_left(own, factors, !kind.transposed, to.transposed());
      conjugate(to);
    };
    const double work = cube(m, n, reflectors) * 2;
    if (kComplexField<T> || !kind.left || m > kPanel || n > kPanel) return for_batch(count, work, one);
    for_lanes<T>(
        count, m * (n + reflectors), work,
        [&](int64_t k, T* room) {
          factor_kernels<T>().multiply_reflectors_lanes(m, reflectors, n, static_cast<const T*>(v) + k * rows * v_row,
                                                        v_row, static_cast<const T*>(tau) + k * reflectors,
                                                        kind.transposed, static_cast<T*>(c) + k * m * n, room);
        },
        one);
  });
}

}  // namespace taut::kernels
